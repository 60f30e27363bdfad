import { defined, whenDefined } from "../model/defined.ts";
import { type Diagnostic, EXIT } from "../model/diagnostic.ts";
import type { Named } from "../model/facts.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { ApplyResult } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { textsIn } from "../model/texts.ts";

/**
 * Accounts that a plan reactivated and that the remaining changes would remove again: from groups, permissions or channels that they were in before,
 * and that no reading shows for a deactivated account (zulip-api.md §17.4).
 */
export function accountsBack(
  { calls, changes }: Pick<Plan, "calls" | "changes">,
  remaining: readonly Change[],
  snapshot: Snapshot,
): readonly Named[] {
  const returning = calls.filter(({ operation }) => operation === REACTIVATION);
  if (returning.length === 0) return [];
  const realm = new Realm(snapshot);
  const leaving = new Set(remaining.flatMap(({ fields }) => fields.flatMap(takenOut)));
  const isLeaving = (name: string | undefined): boolean => name !== undefined && leaving.has(name);
  const back = new Set(returning.filter((call) => isLeaving(nameIn(call, realm))).map(addressOf));
  return changes.filter(({ address }) => back.has(address)).map(({ address, name }) => ({ address, name }));
}

/** Those of the remaining changes that remove accounts which the plan reactivated. */
export const takingOut = (
  plan: Pick<Plan, "calls" | "changes">,
  remaining: readonly Change[],
  snapshot: Snapshot,
): readonly Change[] => remaining.filter((change) => accountsBack(plan, [change], snapshot).length > 0);

/** What a later plan says about private channels without a list that an account which this plan reactivated reads again. */
export function unlistedBack(
  { calls }: Pick<Plan, "calls">,
  { warnings }: Pick<Plan, "warnings">,
  snapshot: Snapshot,
): readonly Diagnostic[] {
  const realm = new Realm(snapshot);
  const back = new Set(
    calls.flatMap(({ operation, path: { user_id } }) =>
      operation === REACTIVATION && typeof user_id === "number" ? [realm.userName(user_id)] : [],
    ),
  );
  return warnings.filter(
    ({ code, fact }) =>
      code === "channels/unlisted" && [...fact.people, ...fact.bots].some((id) => back.has(realm.userName(id))),
  );
}

/**
 * What planning again finds after these accounts came back, if that is nothing but their removal from places that the file gives without them. The plan
 * announced it (docs/internals/decisions/0010-what-leads-to-reading-counts.md), so the same run completes it.
 */
export function onlyBack(plan: Plan, again: Plan, snapshot: Snapshot): Back | undefined {
  const accounts = accountsBack(plan, again.changes, snapshot);
  const back = new Set(accounts.map(({ name }) => name));
  const isOnly = again.changes.every(
    ({ action, fields, was }) =>
      action === "update" && was === undefined && fields.every((field) => takesOut(field, back)),
  );
  return accounts.length > 0 && isOnly ? { accounts, plan: again } : undefined;
}

interface Back {
  readonly accounts: readonly Named[];
  /** Removes them. */
  readonly plan: Plan;
}

function takesOut(field: Change["fields"][number], accounts: ReadonlySet<string>): boolean {
  const out = takenOut(field);
  const was = new Set(textsIn(field.before));
  return (
    out.length > 0 && out.every((text) => accounts.has(text)) && textsIn(field.after).every((text) => was.has(text))
  );
}

/** Both runs as one result: every request is in it, and what is left is what the second one found. */
export function completed(first: ApplyResult, { accounts, plan }: Back, then: ApplyResult): ApplyResult {
  const offset = first.plan.calls.length;
  // In part: some request failed, or the file names something that does not resolve.
  const outcome = then.outcome === "applied" || then.outcome === "in-part" ? then.outcome : "differs";
  return {
    ...first,
    plan: {
      ...first.plan,
      changes: [...first.plan.changes, ...plan.changes],
      calls: [
        ...first.plan.calls,
        ...plan.calls.map((call) => ({ ...call, n: call.n + offset, after: call.after.map((n) => n + offset) })),
      ],
      least_calls: first.plan.least_calls + plan.least_calls,
    },
    outcome,
    exitCode: outcome === "applied" ? EXIT.done : EXIT.appliedInPart,
    calls: [
      ...first.calls,
      ...then.calls.map((result) => ({
        ...result,
        n: result.n + offset,
        ...defined({ because: whenDefined(result.because, (n) => n + offset) }),
      })),
    ],
    conflicts: [
      ...first.conflicts,
      ...then.conflicts.map((conflict) => ({ ...conflict, calls: conflict.calls.map((n) => n + offset) })),
    ],
    remaining: then.remaining ?? plan.changes,
    came_back: accounts,
    elapsedMs: first.elapsedMs + then.elapsedMs,
    diagnostics: [...first.diagnostics, ...then.diagnostics],
  };
}

/** Whether the run brought an account back. */
export const broughtBack = ({ plan, calls }: ApplyResult): boolean => {
  const done = new Set(calls.filter(({ state }) => state === "done").map(({ n }) => n));
  return plan.calls.some(({ n, operation }) => operation === REACTIVATION && done.has(n));
};

const REACTIVATION = "reactivate-user";

const addressOf = ({ for: [purpose] }: Call): string | undefined => purpose?.address;

function nameIn({ path: { user_id } }: Call, realm: Realm): string | undefined {
  return typeof user_id === "number" && realm.user(user_id) !== undefined ? realm.userName(user_id) : undefined;
}

function takenOut({ before, after }: Change["fields"][number]): readonly string[] {
  const kept = new Set(textsIn(after));
  return textsIn(before).filter((text) => !kept.has(text));
}
