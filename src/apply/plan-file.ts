import { createHmac, timingSafeEqual } from "node:crypto";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { canonicalText, isObject } from "../model/json.ts";
import { whyNotJson } from "../model/not-json.ts";
import { PLAN_VERSION } from "../model/own-format.ts";
import { type Plan, type PlanExtra, PlanFileForm, type PlanInputs, type PlanSignature } from "../model/plan-schema.ts";
import { VERSION } from "../version.ts";
import { sha256 } from "./sha256.ts";

export type { KeptValues, PlanInputs, PlanSignature } from "../model/plan-schema.ts";

/** SHA-256 of the inputs of a plan, so that a reviewer can see whether they are still the same. */
export interface PlanOrigin {
  /** SHA-256 of the configuration's files, in the order in which they were read. */
  readonly configuration: string;
  /** SHA-256 of the snapshot. */
  readonly snapshot: string;
}

/** A saved plan as its file has it; only the checksum has been checked. */
export interface PlanFile {
  readonly plan: Plan;
  readonly inputs: PlanInputs;
  readonly signature?: PlanSignature;
  /** The text that the checksum and the signature are made of. */
  readonly signedText: string;
}

/** The maximum size of a saved plan in bytes; those of the largest realms have some ten megabytes. */
export const MOST_PLAN_BYTES = 256 * 1024 * 1024;

/**
 * The checksum of a saved plan: the number that a review compares. Everybody who can write the file can compute it, so it identifies a plan and does
 * not prove who made it.
 */
export function checksumOf({ plan }: Pick<PlanFile, "plan">): string {
  return plan.extra?.checksum ?? "";
}

/** What a saved plan was made from: `planRealm` returns both with the plan. */
export interface PlanSource {
  readonly inputs: PlanInputs;
  readonly origin: PlanOrigin;
}

/**
 * A plan as a file: the plan that is approved today is applied tomorrow. It holds the configuration and the snapshot, and so names and addresses of
 * people, but no credentials.
 * @param sign makes the signature of a text
 * @throws Failure if names in the plan were replaced: the file would not be what was planned
 */
export async function planFileText(
  plan: Plan,
  { inputs, origin }: PlanSource,
  sign?: (text: string) => Promise<PlanSignature>,
): Promise<string> {
  const { checksum: _, ...others }: PlanExtra = plan.extra ?? {};
  if (others.redacted === true) throw new Failure(EXIT.errors, error("plan/redacted", {}));
  const extra: PlanExtra = { ...others, origin: { ...origin } };
  const whole = { ...plan, extra, inputs };
  const signedText = canonicalText(whole);
  const signature = await sign?.(signedText);
  const file = { ...plan, extra: { ...extra, checksum: sha256(signedText) }, ...defined({ signature }), inputs };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/**
 * Reads the file of a saved plan. Its content is not compared with its inputs yet: use `readSavedPlan`.
 * @throws Failure if it is not a plan, has another version of the format, is cut off, or was edited without a new checksum
 */
export function parsePlanFile(text: string, file: string): PlanFile {
  const value = jsonOf(text, file);
  if (!isObject(value) || value.format !== "realmctl.plan") {
    throw new Failure(EXIT.errors, error("plan-file/no-plan", { file }));
  }
  if (value.version !== PLAN_VERSION) {
    const found = quote(JSON.stringify(value.version ?? null));
    throw new Failure(EXIT.conflict, error("plan-file/other-version", { file, found, reads: PLAN_VERSION }));
  }
  const { signature: _, ...rest } = value;
  const { extra } = rest;
  const { checksum, ...others } = isObject(extra) ? extra : {};
  const signedText = canonicalText({ ...rest, extra: others });
  if (checksum !== sha256(signedText)) {
    throw new Failure(EXIT.errors, error("plan-file/edited", { file }));
  }
  const form = PlanFileForm.safeParse(value);
  if (!form.success) throw otherForm(value, form.error.issues[0]?.path.join(".") ?? "", file);
  const { inputs, signature, ...plan } = form.data;
  return { plan, inputs, ...defined({ signature }), signedText };
}

function jsonOf(text: string, file: string): unknown {
  if (text.length > MOST_PLAN_BYTES)
    throw new Failure(EXIT.errors, error("plan-file/too-large", { file, most_bytes: MOST_PLAN_BYTES }));
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(EXIT.errors, error("plan-file/not-json", { file, reason: whyNotJson(text) }));
  }
}

function otherForm({ tool_version }: { readonly [key: string]: unknown }, where: string, file: string): Failure {
  const saved_by = quote(String(tool_version));
  const because = { of: "form", part: where } as const;
  const fact = { file, saved_by, this_version: VERSION, because };
  return new Failure(EXIT.conflict, error("plan-file/other-tool", fact));
}

/** This prefix of the signed text prevents that a signature of something else with the same key is valid for a plan. */
export const SIGNATURE_NAMESPACE = "realmctl-plan";

/** Signs with a secret that the verifier has too. */
export function hmacOf(text: string, secret: string): PlanSignature {
  const value = createHmac("sha256", secret).update(`${SIGNATURE_NAMESPACE}\n${text}`).digest("hex");
  return { method: "hmac-sha256", value };
}

/** Whether this plan was signed with this secret. */
export function isSignedWith({ signature, signedText }: PlanFile, secret: string): boolean {
  if (signature?.method !== "hmac-sha256") return false;
  const found = Buffer.from(signature.value);
  const wanted = Buffer.from(hmacOf(signedText, secret).value);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}
