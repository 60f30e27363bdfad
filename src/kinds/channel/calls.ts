import type { DraftCall, PlanContext } from "../../model/kind.ts";
import type { Change, Expectation, Param } from "../../model/plan.ts";
import { subscribeCall } from "./create.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { parameterOf } from "./parameters.ts";
import { nameToken, type Rename, renamesOf } from "./renames.ts";
import { settingsBeforePrivacy } from "./split.ts";

/**
 * The requests for these changes: new channels together (POST /users/me/subscriptions), one PATCH for each changed channel but
 * where the server's order of application makes two safer, one DELETE for each channel that is archived.
 */
export function channelCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const renames = renamesOf(changes, context);
  const freed = new Set([...renames.values()].map((rename) => rename.frees));
  return changes.flatMap((change) =>
    change.action === "create"
      ? [subscribeCall(change, context, freed)]
      : existingCalls(change, renames.get(change.address), context),
  );
}

function existingCalls(change: Change, rename: Rename | undefined, context: PlanContext): readonly DraftCall[] {
  const outcome = outcomeOf(change, context);
  const archives = outcome.changes("archived") && outcome.after("archived") === true;
  const early = settingsBeforePrivacy(outcome, context);
  const late = change.fields
    .map(({ field }) => field)
    .filter((field) => !early.includes(field) && !(archives && field === "archived"));

  const calls: DraftCall[] = [];
  const token = `written:${change.address}`;
  const stepsAside = rename?.temporary !== undefined;
  if (early.length > 0 || stepsAside) {
    const aside = stepsAside ? { new_name: rename.temporary } : {};
    calls.push({
      ...updateCall(outcome, early, context, aside),
      ...(stepsAside ? { expects: [...expectations(outcome, early, context), nameNow(rename)] } : {}),
      provides: [`early:${token}`, ...(stepsAside ? frees(rename) : [])],
    });
  }
  if (late.length > 0) {
    calls.push({
      ...updateCall(outcome, late, context, {}),
      expects: [
        ...expectations(outcome, late, context),
        ...(rename === undefined || stepsAside ? [] : [nameNow(rename)]),
        ...targetFree(rename),
      ],
      needs: [`early:${token}`, ...(rename?.takes === undefined ? [] : [nameToken(rename.takes)])],
      provides: [token, ...(rename === undefined || stepsAside ? [] : frees(rename))],
    });
  }
  if (archives) calls.push(archiveCall(outcome, token));
  return calls;
}

function updateCall(
  outcome: Outcome,
  fields: readonly string[],
  context: PlanContext,
  params: { readonly [name: string]: Param },
): DraftCall {
  const { change } = outcome;
  return {
    operation: "update-stream",
    path: { stream_id: context.idOf(change.address) },
    params: Object.assign({}, params, ...fields.map((field) => parameterOf(field, outcome, context))),
    for: [{ address: change.address, fields }],
    expects: expectations(outcome, fields, context),
    accepts: { address: change.address, params: ["is_default_stream"] },
  };
}

function archiveCall(outcome: Outcome, written: string): DraftCall {
  const { change, channel } = outcome;
  return {
    operation: "archive-stream",
    path: { stream_id: channel?.stream_id ?? 0 },
    params: {},
    for: [{ address: change.address, fields: ["archived"] }],
    expects: [expectation(change, "archived", false)],
    needs: [written],
    // Nobody may depend on a channel that goes (zulip-api.md §15.1).
    rank: 100,
  };
}

/** What the request overwrites must still be what the plan saw, and so must be what it relies on. */
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

function expectation(change: Change, field: string, value: Expectation["value"]): Expectation {
  return { address: change.address, ...(change.id === undefined ? {} : { id: change.id }), field, value };
}

function nameNow(rename: Rename): Expectation {
  return expectation(rename.change, "name", rename.from.name);
}

/** A name that another channel of this plan gives up first is guarded by what that one's request expects. */
function targetFree(rename: Rename | undefined): readonly Expectation[] {
  if (rename?.frees === undefined || rename.takes !== undefined) return [];
  return [{ address: rename.change.address, field: "exists", value: false }];
}

function frees(rename: Rename): readonly string[] {
  return rename.frees === undefined ? [] : [nameToken(rename.frees)];
}
