import { defined, whenDefined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, EXIT } from "../model/diagnostic.ts";
import type { Named } from "../model/facts.ts";
import type { Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { addTo } from "../model/lazy.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Address, Call, Change, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { ApplyResult } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { NOWHERE, spansIn } from "../model/span.ts";
import { textsIn, withoutTexts } from "../model/texts.ts";
import { LiveObjects } from "./goals.ts";
import { joinedPlans } from "./whole-run.ts";

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
  const back = new Set(returningIn(calls).map((id) => realm.userName(id)));
  return warnings.filter(
    ({ code, fact }) =>
      code === "channels/unlisted" && [...fact.people, ...fact.bots].some((id) => back.has(realm.userName(id))),
  );
}

/**
 * What these accounts leave, as a file: each place as it is now without them. They come back into groups, permissions and channels that the file gives without
 * them, which the plan announced (docs/internals/decisions/0010-what-leads-to-reading-counts.md). Nothing else that is different there is touched.
 * @param remaining what the file still asks for
 */
export function withoutThem(
  plan: Pick<Plan, "calls" | "changes">,
  remaining: readonly Change[],
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
): Desired | undefined {
  const realm = new Realm(snapshot);
  const back = new Set(accountsBack(plan, remaining, snapshot).map(({ address }) => address));
  // As lists name them: a bot by its address.
  const names = new Set(
    plan.calls.flatMap((call) => {
      const [address, name] = [addressOf(call), nameIn(call, realm)];
      return address !== undefined && back.has(address) && name !== undefined ? [name] : [];
    }),
  );
  const objects = new LiveObjects(kinds, snapshot);
  const sections = new Map<string, DeclaredObject[]>();
  for (const change of takingOut(plan, remaining, snapshot)) {
    const kind = kinds.find(({ name }) => name === change.kind);
    const object = objects.find(change.address, change.id);
    if (kind === undefined || object === undefined) continue;
    const { key, name } = object;
    const at = change.at ?? NOWHERE;
    const own = change.fields.filter((field) => takenOut(field).some((text) => names.has(text)));
    addTo(sections, kind.section, {
      key,
      name,
      ...defined({ id: object.id ?? undefined }),
      absent: false,
      fields: Object.fromEntries(own.map((field) => [field.field, withoutNames(field, names)])),
      at,
      spans: spansIn(Object.fromEntries(own.map((field) => [field.field, field.at ?? at]))),
    });
  }
  if (sections.size === 0) return undefined;
  const manage = Object.fromEntries([...sections.keys()].map((section) => [section, "additive" as const]));
  return { manage, sections, warnings: [] };
}

/** The value as it is now, without these accounts. If the file takes out nobody else, it is the value of the file. */
function withoutNames(field: Change["fields"][number], names: ReadonlySet<string>): Json {
  const { before, after } = field;
  const isOnlyThem =
    takenOut(field).every((text) => names.has(text)) && textsIn(after).every((text) => textsIn(before).includes(text));
  return isOnlyThem ? after : without(before, names);
}

/** The accounts that the plan reactivates, as lists name them. */
export function namesBack({ calls }: Pick<Plan, "calls">, realm: Realm): ReadonlySet<string> {
  return new Set(calls.flatMap((call) => (call.operation === REACTIVATION ? (nameIn(call, realm) ?? []) : [])));
}

/** A value without these accounts. */
export const without = (value: Json, names: ReadonlySet<string>): Json => withoutTexts(value, names) ?? value;

/** Both runs as one result: every request is in it, and what is left is what the second one found. */
export function completed(first: ApplyResult, plan: Plan, accounts: readonly Named[], then: ApplyResult): ApplyResult {
  const offset = first.plan.calls.length;
  // In part: some request failed, or the file names something that does not resolve.
  const outcome = then.outcome === "applied" || then.outcome === "in-part" ? then.outcome : "differs";
  return {
    ...first,
    plan: joinedPlans(first.plan, plan),
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

/** The ids of the accounts that a plan reactivates. */
export const returningIn = (calls: readonly Call[]): readonly number[] =>
  calls.flatMap(({ operation, path: { user_id } }) =>
    operation === REACTIVATION && typeof user_id === "number" ? [user_id] : [],
  );

const addressOf = ({ for: [purpose] }: Call): Address | undefined => purpose?.address;

function nameIn({ path: { user_id } }: Call, realm: Realm): string | undefined {
  return typeof user_id === "number" && realm.user(user_id) !== undefined ? realm.userName(user_id) : undefined;
}

function takenOut({ before, after }: Change["fields"][number]): readonly string[] {
  const kept = new Set(textsIn(after));
  return textsIn(before).filter((text) => !kept.has(text));
}
