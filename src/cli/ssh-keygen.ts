import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SIGNATURE_NAMESPACE } from "../apply/plan-signature.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";

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
export async function sshSign(cwd: string, keyFile: string, text: string): Promise<string> {
  const { code, out, err } = await run(["-Y", "sign", "-n", SIGNATURE_NAMESPACE, "-f", resolve(cwd, keyFile)], text);
  if (code === 0 && out.includes("SSH SIGNATURE")) return out;
  const reason = quote(err.trim().split("\n").at(-1) ?? "");
  throw new Failure(EXIT.errors, error("sign/ssh-keygen", { cause: "not-signed", key: keyFile, reason }));
}

/**
 * Which signer in a file of allowed signers (ssh-keygen(1), ALLOWED SIGNERS) signed a text; undefined if none of them did.
 * @throws Failure if ssh-keygen is missing
 */
export async function sshVerify(
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
      fail(new Failure(EXIT.errors, error("sign/ssh-keygen", { cause: "not-run", reason: quote(thrown.message) }))),
    );
    child.on("close", (code) => done({ code, out, err }));
    // A process that has already ended reads nothing more.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
