import { createHash } from "node:crypto";
import { type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import { canonicalJson, isList, isObject, type Json } from "../model/json.ts";
import type { Plan } from "../model/plan.ts";

/** What a saved plan was made from, so that a reviewer and `apply` can tell whether it still is the same. */
export interface PlanOrigin {
  /** SHA-256 of the configuration's files, in the order in which they were read. */
  readonly configuration: string;
  /** SHA-256 of the snapshot. */
  readonly snapshot: string;
}

/** SHA-256 of everything in a plan: what a review approves by its number. */
export function digestOf(plan: Plan): string {
  const { extra = {}, ...rest } = plan;
  const { checksum: _, ...others } = extra;
  const json: Json = JSON.parse(JSON.stringify({ ...rest, extra: others }));
  return sha256(canonicalJson(json));
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A plan as a file: what is approved today is what is applied tomorrow. Holds names and addresses of people, no credentials. */
export function planFileText(plan: Plan, origin?: PlanOrigin): string {
  const extra = { ...plan.extra, ...(origin === undefined ? {} : { origin: { ...origin } }) };
  const whole: Plan = { ...plan, extra };
  return `${JSON.stringify({ ...whole, extra: { ...extra, checksum: digestOf(whole) } }, null, 1)}\n`;
}

/**
 * Reads a saved plan back.
 * @throws Failure when it is no plan, of another version of the format, cut off, or edited since it was saved
 */
export function parsePlanFile(text: string, file: string): Plan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refusal("plan-file/not-json", `${file} is no saved plan: ${why}`, "save one with: realmctl plan --out FILE");
  }
  if (!isObject(value) || value.format !== "realmctl.plan") {
    throw refusal("plan-file/no-plan", `${file} is no saved plan`, "save one with: realmctl plan --out FILE");
  }
  if (value.version !== 1) {
    throw refusal(
      "plan-file/other-version",
      `${file} was saved in version ${String(value.version)} of the format, this realmctl reads version 1`,
      "plan again with this realmctl",
      EXIT.conflict,
    );
  }
  if (!isPlan(value) || digestOf(value) !== value.extra?.checksum) {
    throw refusal(
      "plan-file/edited",
      `${file} is not as it was saved: its checksum does not match`,
      "a plan is reviewed as a whole; change realm.yaml and plan again",
    );
  }
  return value;
}

/** The checksum says that it is what was saved, and only plans are saved; the rest of the shape is looked at so that nothing crashes. */
function isPlan(value: { readonly [key: string]: unknown }): value is { readonly [key: string]: unknown } & Plan {
  const lists = ["changes", "calls", "unmanaged", "guards", "warnings"];
  const objects = ["realm", "server", "account", "matches", "side_effects", "extra"];
  return lists.every((key) => isList(value[key])) && objects.every((key) => isObject(value[key]));
}

function refusal(
  code: Diagnostic["code"],
  message: string,
  hint: string,
  exitCode: Failure["exitCode"] = EXIT.mistakes,
): Failure {
  return new Failure(exitCode, { code, severity: "error", message, hint });
}
