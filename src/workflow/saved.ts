import { checksumOf, type PlanFile, type PlanInputs, parsePlanFile } from "../apply/plan-file.ts";
import { kinds } from "../kinds/registry.ts";
import { type Checked, type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import type { Call, Plan, PlanExtra } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type OtherName, otherNames } from "../plan/held-names.ts";
import { VERSION } from "../version.ts";
import { filesOf } from "./files.ts";
import { unsupportedIn } from "./realm.ts";
import { type Planned, planRealm, refuseGuards } from "./workflow.ts";

/** A saved plan that holds what its own configuration and snapshot ask for, and nothing else. */
export interface SavedPlan extends PlanFile {
  readonly checksum: string;
  /** The same plan, worked out again. */
  readonly planned: Planned;
}

/**
 * Reads a saved plan and plans again from the configuration and the snapshot in it: every change, every call, every guard has to be
 * the one that comes of them. A checksum can be made anew by whoever edits the file; this cannot.
 * @throws Failure when it is no plan, was edited, or another realmctl saved it that plans otherwise
 */
export async function openSavedPlan(text: string, file: string): Promise<SavedPlan> {
  const parsed = parsePlanFile(text, file);
  const { plan } = parsed;
  const strange = unsupportedIn(plan);
  if (strange !== undefined)
    throw refusal(
      "plan-file/other-tool",
      `${file} was saved by realmctl ${plan.tool_version}: this one (${VERSION}) does not know ${strange}`,
      EXIT.conflict,
    );
  const again = await planInputs(parsed.inputs);
  const difference = again.ok ? differenceOf(plan, planOf(again.value, plan)) : "its configuration has errors";
  if (again.ok && difference === undefined) return { ...parsed, planned: again.value, checksum: checksumOf(parsed) };
  // Another version may well plan otherwise; the same one does not.
  if (plan.tool_version !== VERSION)
    throw refusal(
      "plan-file/other-tool",
      `${file} was saved by realmctl ${plan.tool_version}: this one (${VERSION}) plans otherwise (${difference})`,
      EXIT.conflict,
    );
  throw refusal(
    "plan-file/not-its-own",
    `${file} is not what comes of the configuration and the snapshot in it: ${difference}`,
    EXIT.mistakes,
  );
}

/** Plans what a saved plan was made from. */
export function planInputs(inputs: PlanInputs): Promise<Checked<Planned>> {
  const { policy_file, allow, snapshot } = inputs;
  return planRealm({
    ...filesOf(inputs),
    reader: { snapshot: async () => snapshot },
    allow,
    ...(policy_file === undefined ? {} : { policyFile: policy_file }),
  });
}

/** A plan as it is saved, without its checksum; `saved` is where the version of the tool is taken from. */
function planOf({ plan, origin }: Planned, saved: Pick<Plan, "tool_version">): Plan {
  return { ...plan, tool_version: saved.tool_version, extra: { ...plan.extra, origin: { ...origin } } };
}

/** What of a plan is not as it was worked out again: a call first, since calls are what is sent. Undefined: nothing. */
function differenceOf(saved: Plan, again: Plan): string | undefined {
  const { checksum: _, ...extra }: PlanExtra = saved.extra ?? {};
  const found = { ...saved, extra };
  if (canonicalText(found) === canonicalText(again)) return undefined;
  return callDifference(saved.calls, again.calls) ?? partDifference(found, again);
}

function callDifference(saved: readonly Call[], again: readonly Call[]): string | undefined {
  const known = new Set(again.map(workOf));
  const extra = saved.find((call) => !known.has(workOf(call)));
  if (extra !== undefined) return `none of its changes asks for call ${extra.n} (${extra.operation}) as it is there`;
  const there = new Set(saved.map(workOf));
  const missing = again.find((call) => !there.has(workOf(call)));
  if (missing !== undefined) return `call ${missing.n} (${missing.operation}) is missing`;
  const moved = saved.find((call, index) => canonicalText(call) !== canonicalText(again[index] ?? {}));
  return moved === undefined ? undefined : `call ${moved.n} (${moved.operation}) is not as its changes ask for it`;
}

function partDifference(saved: Plan, again: Plan): string {
  const [left, right] = [saved, again].map((plan) => new Map<string, unknown>(Object.entries(plan)));
  const keys = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])];
  const other = keys.filter((key) => canonicalText([left?.get(key)]) !== canonicalText([right?.get(key)]));
  return `its ${other.join(", ")} ${other.length === 1 ? "differs" : "differ"}`;
}

/** What the server receives. */
const workOf = ({ operation, path, params }: Call): string => canonicalText({ operation, path, params });

function canonicalText(value: object): string {
  const json: Json = JSON.parse(JSON.stringify(value));
  return canonicalJson(json);
}

function refusal(code: Diagnostic["code"], message: string, exitCode: Failure["exitCode"]): Failure {
  return new Failure(exitCode, { code, severity: "error", message, hint: "plan again, and review that plan" });
}

/**
 * Holds a saved plan against the organization as it is today, before anything is sent: the objects that it means must have the names
 * under which it was reviewed, and its guard rails must hold for what it does there.
 * @param isResumed a part of it was carried out already, so that its guards would count what is left of what is left
 * @throws Failure when one of them does not
 */
export async function holdAgainstToday(
  { plan, inputs, planned }: SavedPlan,
  now: Snapshot,
  { allow, isResumed }: { readonly allow: readonly string[]; readonly isResumed: boolean },
): Promise<void> {
  const others = otherNames(plan, { before: inputs.snapshot, now, kinds });
  const [first] = others;
  if (first !== undefined)
    throw new Failure(EXIT.conflict, {
      code: "plan/other-names",
      severity: "error",
      message: `${others.length === 1 ? "an object of the plan has" : `${others.length} objects of the plan have`} another name by now: ${others.slice(0, MOST_NAMES).map(renamedText).join(", ")}`,
      hint: "what was reviewed may not be what would be changed: plan again",
    });
  if (!isResumed) refuseGuards(await planned.guardAgain(now, allow));
}

const MOST_NAMES = 5;

function renamedText({ kind, id, planned, now }: OtherName): string {
  return `${kind.replaceAll("_", " ")} ${id} was "${planned}" and is "${now}"`;
}
