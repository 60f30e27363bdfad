import { defined } from "../../model/defined.ts";
import {
  type Dependency,
  type DraftCall,
  exists,
  inactive,
  subscribedEarly,
  written,
  writtenEarly,
} from "../../model/draft-call.ts";
import { type Change, type Expectation, objectChanges, type Removal, type Update } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { changesAccounts } from "../accounts.ts";
import { expectation, requestFor } from "../requests.ts";
import {
  createCall,
  emptyCreations,
  leastCreationAndSubscriptionCalls,
  parameterOf,
  references,
  rightsUsed,
  subscribeCall,
} from "./create.ts";
import {
  freeName,
  needsContent,
  type Outcome,
  outcomeOf,
  type Rename,
  renamesOf,
  settingsAlone,
  settingsDone,
  settingsSentFirst,
  settingsSentLast,
  subscribersDone,
} from "./outcome.ts";
import { administering, subscriptionCalls } from "./subscriptions.ts";

/**
 * The requests for these changes: new channels together (POST /users/me/subscriptions), one PATCH for each changed channel (two if the server's order
 * of application makes one unsafe), and one DELETE for each archived channel.
 */
export function channelCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const renames = renamesOf(changes, context);
  const { alone, left } = emptyCreations(changes, context);
  const freed = new Set([...renames.values()].map((rename) => rename.frees));
  return [
    ...objectChanges(changes).flatMap((change) =>
      change.action === "create"
        ? [
            alone.has(change)
              ? createCall(change, context, freed)
              : subscribeCall(change, context, freed, left.has(change)),
          ]
        : existingCalls(change, renames.get(change.address), context),
    ),
    ...subscriptionCalls(changes, left, context),
  ];
}

function existingCalls(
  change: Update | Removal,
  rename: Rename | undefined,
  context: PlanContext,
): readonly DraftCall[] {
  const outcome = outcomeOf(change, context);
  const archives = outcome.changes("archived") && outcome.after("archived") === true;
  const reactivates = outcome.changes("archived") && !archives;
  const early = settingsSentFirst(outcome, context);
  const last = settingsSentLast(outcome, context);
  const late = change.fields
    .map(({ field }) => field)
    .filter((field) => field !== "subscribers" && ![...early, ...last].includes(field))
    .filter((field) => !(archives && field === "archived"));

  const calls: DraftCall[] = [];
  const aside = context.move(change.address)?.aside;
  if (early.length > 0 || aside !== undefined) {
    calls.push({
      ...updateCall(outcome, early, context),
      ...(rename && aside && stepAside(rename, aside, outcome, early, context)),
      provides: [writtenEarly(change.address), ...(rename === undefined || aside === undefined ? [] : frees(rename))],
    });
  }
  if (late.length > 0) {
    const whole = lateCall(outcome, late, rename, context);
    calls.push({
      ...whole,
      provides: [
        settingsDone(outcome, context),
        ...(whole.provides ?? []),
        ...(reactivates ? [exists(change.address)] : []),
      ],
      mergeTarget: { address: change.address, params: ["is_default_stream"] },
      ...defined({ parts: reactivates ? undefined : separateUpdates(outcome, late, rename, context) }),
    });
  }
  if (archives) calls.push(archiveCall(outcome, context));
  if (last.length > 0) calls.push(lastCall(outcome, last, archives, context));
  return calls;
}

/** An archived channel can still be changed (zulip-api.md §4). */
function lastCall(outcome: Outcome, fields: readonly string[], archives: boolean, context: PlanContext): DraftCall {
  const { address } = outcome.change;
  const draft = updateCall(outcome, fields, context);
  return {
    ...draft,
    needs: [
      ...(draft.needs ?? []),
      writtenEarly(address),
      settingsDone(outcome, context),
      subscribersDone(address),
      ...(archives ? [inactive(address)] : []),
    ],
    provides: [written(address)],
  };
}

function lateCall(
  outcome: Outcome,
  fields: readonly string[],
  rename: Rename | undefined,
  context: PlanContext,
): DraftCall {
  const { change } = outcome;
  const isNamed = rename !== undefined && fields.includes("name");
  const draft = updateCall(outcome, fields, context);
  return {
    ...draft,
    expects: [...expectations(outcome, fields, context), ...(isNamed ? nameExpectations(rename, context) : [])],
    needs: [
      ...(draft.needs ?? []),
      writtenEarly(change.address),
      ...(isNamed && rename.takes !== undefined ? [freeName(rename.takes)] : []),
    ],
    provides: isNamed && context.move(change.address)?.aside === undefined ? frees(rename) : [],
  };
}

/**
 * Each setting as a request of its own that the account may send at any time, whatever the others are; everything else together.
 * Only administrators change accounts, and what they may do on a channel depends on no setting, except where its content is concerned
 * (zulip-api.md §3.6).
 */
function separateUpdates(
  outcome: Outcome,
  fields: readonly string[],
  rename: Rename | undefined,
  context: PlanContext,
): readonly DraftCall[] | undefined {
  if (fields.length < 2 || !changesAccounts(context) || !context.realm.isAdmin) return undefined;
  const alone = settingsAlone(outcome, fields, context);
  const others = fields.filter((field) => !alone.includes(field));
  const parts = [...(others.length === 0 ? [] : [others]), ...alone.map((field) => [field])];
  return parts.length < 2 ? undefined : parts.map((part) => lateCall(outcome, part, rename, context));
}

function updateCall(outcome: Outcome, fields: readonly string[], context: PlanContext): DraftCall {
  const { change } = outcome;
  const { needs, softNeeds } = references(outcome, fields, context);
  const rights = rightsUsed(outcome, fields, context);
  return {
    needs: [...needs, subscribedEarly(change.address)],
    softNeeds,
    ...defined({
      uses: rights.length > 0 ? rights : undefined,
      reads: fields.some(needsContent) ? [change.address] : undefined,
    }),
    usesOn: [administering(change.address)],
    operation: "update-stream",
    path: { stream_id: context.idOf(change.address) },
    params: Object.assign({}, ...fields.map((field) => parameterOf(field, outcome, context))),
    for: [{ address: change.address, fields }],
    expects: expectations(outcome, fields, context),
  };
}

/** The request that frees the name for the next one in a cycle of renames: the same request, with a name that nobody else uses. */
function stepAside(
  rename: Rename,
  temporary: string,
  outcome: Outcome,
  fields: readonly string[],
  context: PlanContext,
): Pick<DraftCall, "params" | "for" | "expects"> {
  const { params, expects = [] } = updateCall(outcome, fields, context);
  return {
    params: { new_name: temporary, ...params },
    for: [{ address: rename.change.address, fields: ["name", ...fields] }],
    expects: [expectation(rename.change, "name", rename.from.name), ...expects],
  };
}

function archiveCall(outcome: Outcome, context: PlanContext): DraftCall {
  const { change } = outcome;
  const own: Omit<DraftCall, "for" | "params"> = {
    operation: "archive-stream",
    path: { stream_id: context.idOf(change.address) },
    needs: [
      settingsDone(outcome, context),
      ...(outcome.changes("subscribers") ? [subscribersDone(change.address)] : []),
    ],
    provides: [inactive(change.address)],
    usesOn: [administering(change.address)],
    // Archiving removes the default flag by itself (zulip-api.md §4).
    mergeTarget: { address: change.address, params: [] },
    // Nothing may depend on a channel that is archived (zulip-api.md §15.1).
    rank: 100,
  };
  return requestFor(change, own, ["archived"]);
}

/** The values that the request overwrites, and those that it relies on, must still be as in the plan. */
function expectations(outcome: Outcome, fields: readonly string[], context: PlanContext): readonly Expectation[] {
  const overwritten = fields
    .filter((field) => field !== "name")
    .map((field) => expectation(outcome.change, field, outcome.before(field) ?? null));
  const relies =
    fields.includes("privacy") &&
    outcome.after("privacy") === "private_protected_history" &&
    !outcome.changes("can_create_topic_group") &&
    context.realm.level >= 441;
  return relies
    ? [...overwritten, expectation(outcome.change, "can_create_topic_group", "role:everyone")]
    : overwritten;
}

/** The channel still has its old name, and no other channel has the new one. */
function nameExpectations({ change, from, frees: freed }: Rename, context: PlanContext): readonly Expectation[] {
  return [
    expectation(change, "name", context.move(change.address)?.aside ?? from.name),
    ...(freed === undefined ? [] : [{ address: change.address, field: "exists", value: false }]),
  ];
}

function frees(rename: Rename): readonly Dependency[] {
  return rename.frees === undefined ? [] : [freeName(rename.frees)];
}

/** The fewest requests (docs/internals/decisions/0013-fewest-requests-with-a-proof.md says why no way takes fewer). */
export function leastChannelCalls(changes: readonly Change[], context: PlanContext): number {
  const existing = changes.filter((change) => change.action !== "create");
  return leastUpdates(existing, context) + leastCreationAndSubscriptionCalls(changes, context);
}

/** A request that changes or archives is about one channel. */
function leastUpdates(changes: readonly Change[], context: PlanContext): number {
  let least = 0;
  for (const change of changes) {
    const outcome = outcomeOf(change, context);
    const archives = outcome.changes("archived") && outcome.after("archived") === true;
    const own = change.fields.filter(({ field }) => field !== "subscribers");
    const others = own.length - (archives ? 1 : 0);
    if (archives) least += 1;
    if (others > 0) least += 1;
    if (settingsSentFirst(outcome, context).length > 0) least += 1;
  }
  return least;
}
