import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { canonicalJson, isObject, type Json } from "../model/json.ts";
import { whyNotJson } from "../model/not-json.ts";
import { PLAN_VERSION, type Plan, type PlanExtra } from "../model/plan.ts";
import { PlanFileForm } from "../model/plan-schema.ts";
import type { RepositoryFile } from "../model/repository-file.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Targets } from "../model/targets.ts";
import { VERSION } from "../version.ts";
import { sha256 } from "./sha256.ts";

/** SHA-256 of what a plan was made from, so that a reviewer can tell whether it still is the same. */
export interface PlanOrigin {
  /** SHA-256 of the configuration's files, in the order in which they were read. */
  readonly configuration: string;
  /** SHA-256 of the snapshot. */
  readonly snapshot: string;
}

/** All that planning looked at: from it the changes and the calls are worked out again wherever the saved plan is used. */
export interface PlanInputs {
  /** The configuration as the command line named it. */
  readonly file: string;
  /** `--policy`, and the guards of `--allow`. */
  readonly policy_file?: string;
  readonly allow: readonly string[];
  /** `--only`, `--except` and `--with-needs`; absent of a whole plan. */
  readonly targets?: Targets;
  /** Every file that was read, in the order of reading. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Every directory that an include pattern was looked up in. */
  readonly directories: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** Every file that entries name (pictures): what was known of it, never its bytes. Absent when no entry names a file. */
  readonly uploads?: readonly RepositoryFile[];
  readonly snapshot: Snapshot;
}

/** Says that somebody who has a key saved this very plan. */
export interface PlanSignature {
  readonly method: "hmac-sha256" | "ssh";
  readonly value: string;
}

/** A saved plan as its file has it; nothing in it was held against anything but its checksum. */
export interface PlanFile {
  readonly plan: Plan;
  readonly inputs: PlanInputs;
  readonly signature?: PlanSignature;
  /** What the checksum is of, and what a signature signs. */
  readonly signedText: string;
}

/** What a saved plan may have in bytes; the largest realms have some ten megabytes. */
export const MOST_PLAN_BYTES = 256 * 1024 * 1024;

/**
 * The checksum of a saved plan: the number that a review compares. Whoever can write the file can compute it again, so it tells one plan
 * from another and says nothing of who made it.
 */
export function checksumOf({ plan }: Pick<PlanFile, "plan">): string {
  return plan.extra?.checksum ?? "";
}

/**
 * A plan as a file: what is approved today is what is applied tomorrow. Holds the configuration and the snapshot, and so names and
 * addresses of people, but no credentials.
 * @param sign makes the signature of a text
 */
export async function planFileText(
  plan: Plan,
  inputs: PlanInputs,
  sign?: (text: string) => Promise<PlanSignature>,
): Promise<string> {
  const { checksum: _, ...extra }: PlanExtra = plan.extra ?? {};
  const whole = { ...plan, extra, inputs };
  const signedText = canonicalText(whole);
  const signature = await sign?.(signedText);
  const file = { ...plan, extra: { ...extra, checksum: sha256(signedText) }, ...defined({ signature }), inputs };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function canonicalText(value: object): string {
  const json: Json = JSON.parse(JSON.stringify(value));
  return canonicalJson(json);
}

/**
 * Reads the file of a saved plan. What it says is not yet held against what it was made from: use `openSavedPlan`.
 * @throws Failure when it is no plan, of another version of the format, cut off, or edited without a new checksum
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
  const { signature, ...rest } = value;
  const { extra } = rest;
  const { checksum, ...others } = isObject(extra) ? extra : {};
  const signedText = canonicalText({ ...rest, extra: others });
  if (checksum !== sha256(signedText)) {
    throw new Failure(EXIT.errors, error("plan-file/edited", { file }));
  }
  const form = PlanFileForm.safeParse(value);
  if (!form.success) throw otherForm(value, form.error.issues[0]?.path.join(".") ?? "", file);
  const { inputs, signature: signed, ...plan } = form.data;
  if (!isPlan(plan)) throw otherForm(value, "", file);
  const { policy_file, uploads, targets, ...made } = inputs;
  return {
    plan,
    inputs: {
      ...made,
      ...defined({ policy_file, uploads, targets }),
    },
    ...defined({ signature: signed === undefined || signature === undefined ? undefined : signed }),
    signedText,
  };
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

/** The form has looked at every member; only that addresses have a colon is not said by its types. */
function isPlan(value: object): value is Plan {
  return "changes" in value;
}

function otherForm({ tool_version }: { readonly [key: string]: unknown }, where: string, file: string): Failure {
  const saved_by = quote(String(tool_version));
  const because = { of: "form", part: where } as const;
  const fact = { file, saved_by, this_version: VERSION, because };
  return new Failure(EXIT.conflict, error("plan-file/other-tool", fact));
}
