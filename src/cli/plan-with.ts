import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, warning } from "../model/diagnostic.ts";
import type { Targets } from "../model/plan-schema.ts";
import { type Planned, type PlanOptions, planRealm } from "../workflow/workflow.ts";
import { type Context, valueOrFailure } from "./context.ts";
import { type GuardFlags, type TargetFlags, targetsOf } from "./flags.ts";

/** The purpose of a plan: nothing is sent from it, or it continues earlier runs. */
export type PlannedHow = Pick<PlanOptions, "leavesUnread" | "comparesOnly" | "showsRefused" | "covers" | "earlier">;

/**
 * Plans a file with the reading of a reader.
 * @throws Failure with every error of the file
 */
export async function planWith(
  context: Context<GuardFlags & TargetFlags>,
  reader: ZulipReader,
  needs: Targets["needs"] = "refuse",
  how: PlannedHow = {},
): Promise<Planned> {
  const { policy, allow = [], ...flags } = context.flags;
  const targets = targetsOf(flags, needs);
  const planned = await planRealm({
    ...context.files(context.file, policy),
    reader,
    allow,
    ...how,
    ...defined({ targets }),
  });
  return valueOrFailure(targets === undefined ? planned : withWholeFile(planned, policy));
}

/** Adds a note that the whole file is checked, for users who asked for a part and see errors elsewhere in it. */
function withWholeFile(planned: Checked<Planned>, policy: string | undefined): Checked<Planned> {
  if (planned.ok || planned.diagnostics.some(({ code }) => code.startsWith("targets/"))) return planned;
  // What is no configuration at all has no part either.
  const isOther = (code: string): boolean => code === "yaml/other-format" || code === "yaml/empty";
  if (planned.diagnostics.every(({ at, code }) => at === undefined || at.file === policy || isOther(code)))
    return planned;
  return { ok: false, diagnostics: [...planned.diagnostics, warning("targets/whole-file", {})] };
}
