import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  checksumOf,
  hmacOf,
  isSignedWith,
  type PlanFile,
  type PlanSignature,
  parsePlanFile,
  planFileText,
  SIGNATURE_NAMESPACE,
} from "../apply/plan-file.ts";
import { EXIT, failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Plan } from "../model/plan.ts";
import { planSaved, signedBy } from "../report/commands/files.ts";
import type { Planned } from "../workflow/workflow.ts";
import type { Context } from "./context.ts";
import { type OutputFile, tooLargeOutput, writeOutput } from "./write-files.ts";

/** Writes a plan with all its inputs, and prints its checksum. */
export async function savePlan(
  context: Context,
  output: OutputFile,
  plan: Plan,
  source: Planned,
  signWith: string | undefined,
): Promise<void> {
  const { io } = context;
  const sign = signWith === undefined ? undefined : await signerOf(context, signWith);
  const text = await textOf(output, () => planFileText(plan, source, sign));
  await writeOutput(io, output, text);
  io.err.write(planSaved(output.file, checksumOf(parsePlanFile(text, output.file)), sign !== undefined));
}

/** @throws Failure for a plan that exceeds the maximum length of a string */
async function textOf(output: OutputFile, make: () => Promise<string>): Promise<string> {
  try {
    return await make();
  } catch (thrown) {
    if (thrown instanceof RangeError && /string length/.test(thrown.message)) throw tooLargeOutput(output);
    throw thrown;
  }
}

/** The minimum length of a key: everybody who has a signed plan can try shorter ones. */
const LEAST_KEY_CHARACTERS = 32;

/**
 * The function that signs a plan: with the secret in a file or in an environment variable (`env:NAME`), or with an SSH key (`ssh:FILE`).
 * @throws Failure when the key cannot be read, or is too short
 */
async function signerOf(context: Context, key: string): Promise<(text: string) => Promise<PlanSignature>> {
  const file = sshFile(key);
  if (file !== undefined) return async (text) => ({ method: "ssh", value: await sshSign(context.io.cwd, file, text) });
  const secret = await secretOf(context, key);
  return async (text) => hmacOf(text, secret);
}

/** @throws Failure when a saved plan was not signed with this key, or was changed since */
export async function verifySignature(context: Context, plan: PlanFile, file: string, key: string): Promise<void> {
  const { io } = context;
  const allowed = sshFile(key);
  const { signature, signedText } = plan;
  if (signature === undefined) throw failure("plan-file/not-signed", { file }, EXIT.conflict);
  if (allowed !== undefined && signature.method === "ssh") {
    const signer = await sshVerify(io.cwd, allowed, signedText, signature.value);
    if (signer !== undefined) {
      io.err.write(signedBy(signer));
      return;
    }
  } else if (allowed === undefined && isSignedWith(plan, await secretOf(context, key))) return;
  throw failure("plan-file/other-signature", { file }, EXIT.conflict);
}

const sshFile = (key: string): string | undefined => (key.startsWith("ssh:") ? key.slice("ssh:".length) : undefined);

async function secretOf(context: Context, key: string): Promise<string> {
  const name = key.startsWith("env:") ? key.slice("env:".length) : undefined;
  const text = name === undefined ? await context.input(key, "key") : context.io.env[name];
  if (text === undefined) throw failure("sign/no-key", { variable: name ?? key });
  const secret = text.trim();
  const { length: characters } = secret;
  if (characters >= LEAST_KEY_CHARACTERS) return secret;
  throw failure("sign/short-key", { key, characters, least_characters: LEAST_KEY_CHARACTERS });
}

/** The time limit is long, because somebody may have to type a passphrase. */
const LONGEST_MS = 120_000;
const MOST_OUTPUT = 64 * 1024;

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Signs a text with an SSH key: a private key's file, or a public one's if the agent has the key.
 * @throws Failure if ssh-keygen is missing, or does not sign
 */
async function sshSign(cwd: string, keyFile: string, text: string): Promise<string> {
  const { code, out, err } = await run(["-Y", "sign", "-n", SIGNATURE_NAMESPACE, "-f", resolve(cwd, keyFile)], text);
  if (code === 0 && out.includes("SSH SIGNATURE")) return out;
  const reason = quote(err.trim().split("\n").at(-1) ?? "");
  throw failure("sign/ssh-keygen", { cause: "not-signed", key: keyFile, reason });
}

/**
 * Which signer in a file of allowed signers (ssh-keygen(1), ALLOWED SIGNERS) signed a text; undefined if none of them did.
 * @throws Failure if ssh-keygen is missing
 */
async function sshVerify(
  cwd: string,
  allowedFile: string,
  text: string,
  signature: string,
): Promise<string | undefined> {
  const allowed = resolve(cwd, allowedFile);
  const directory = await mkdtemp(join(tmpdir(), "realmctl-signature-"));
  const file = join(directory, "plan.sig");
  try {
    await writeFile(file, signature, { flag: "wx", mode: 0o600 });
    const found = await run(["-Y", "find-principals", "-s", file, "-f", allowed], "");
    const [signer] = found.out.split("\n");
    if (found.code !== 0 || signer === undefined || signer === "") return undefined;
    const about = ["-n", SIGNATURE_NAMESPACE, "-I", signer, "-f", allowed, "-s", file];
    const { code } = await run(["-Y", "verify", ...about], text);
    return code === 0 ? signer : undefined;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function run(args: readonly string[], input: string): Promise<Ran> {
  // The code that starts processes is loaded only here, since few commands sign anything.
  const { spawn } = await import("node:child_process");
  return new Promise((done, fail) => {
    const child = spawn("ssh-keygen", [...args], { stdio: ["pipe", "pipe", "pipe"], timeout: LONGEST_MS });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      if (out.length < MOST_OUTPUT) out += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      if (err.length < MOST_OUTPUT) err += part;
    });
    child.on("error", (thrown) =>
      fail(failure("sign/ssh-keygen", { cause: "not-run", reason: quote(thrown.message) })),
    );
    child.on("close", (code) => done({ code, out, err }));
    // A process that has already ended reads nothing more.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
