import type { PlanFile, PlanSignature } from "../apply/plan-file.ts";
import { hmacOf, isSignedWith } from "../apply/plan-signature.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { signedBy } from "../report/commands/files.ts";
import type { Context } from "./context.ts";
import { sshSign, sshVerify } from "./ssh-keygen.ts";

/** The minimum length of a key: everybody who has a signed plan can try shorter ones. */
const LEAST_KEY_CHARACTERS = 32;

/**
 * The function that signs a plan: with the secret in a file or in an environment variable (`env:NAME`), or with an SSH key (`ssh:FILE`).
 * @throws Failure when the key cannot be read, or is too short
 */
export async function signerOf(context: Context, key: string): Promise<(text: string) => Promise<PlanSignature>> {
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
  if (signature === undefined) throw new Failure(EXIT.conflict, error("plan-file/not-signed", { file }));
  if (allowed !== undefined && signature.method === "ssh") {
    const signer = await sshVerify(io.cwd, allowed, signedText, signature.value);
    if (signer !== undefined) {
      io.err.write(signedBy(signer));
      return;
    }
  } else if (allowed === undefined && isSignedWith(plan, await secretOf(context, key))) return;
  throw new Failure(EXIT.conflict, error("plan-file/other-signature", { file }));
}

const sshFile = (key: string): string | undefined => (key.startsWith("ssh:") ? key.slice("ssh:".length) : undefined);

async function secretOf(context: Context, key: string): Promise<string> {
  const name = key.startsWith("env:") ? key.slice("env:".length) : undefined;
  const text = name === undefined ? await context.input(key, "key") : context.io.env[name];
  if (text === undefined) throw new Failure(EXIT.errors, error("sign/no-key", { variable: name ?? key }));
  const secret = text.trim();
  const { length: characters } = secret;
  if (characters >= LEAST_KEY_CHARACTERS) return secret;
  throw new Failure(EXIT.errors, error("sign/short-key", { key, characters, least_characters: LEAST_KEY_CHARACTERS }));
}
