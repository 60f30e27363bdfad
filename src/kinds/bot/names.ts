import { isAccountKind } from "../../access/scope.ts";
import { type Dependency, inactive, nameFree } from "../../model/dependency.ts";
import type { Move } from "../../model/facets.ts";
import { addTo } from "../../model/indexed.ts";
import { oncePer } from "../../model/lazy.ts";
import { type Address, type Change, type FieldChange, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { renamesAsMoves } from "../moves.ts";

/*
 * Names of bots: that in the address, which no other account may have, and the full name. A full name that a request gives must be that of no active account, people included (zulip-api.md §18.3); accounts that have one name
 * already may keep it. So a name is free when each account that has it was renamed or deactivated.
 */

const isName = ({ field }: FieldChange): boolean => field === "full_name";
const turnsOff = ({ field, after }: FieldChange): boolean => field === "deactivated" && after === true;

/** The full name that an existing bot gives up. */
const freedName = (change: Change): Dependency => nameFree("bot", String(nameNow(change)));
const nameNow = ({ fields }: Change): unknown => fields.find(isName)?.before;
/** No bot has the address with this name. */
export const addressFree = (name: string): Dependency => nameFree("bot-address", name);

/** What a request frees and waits for that gives a bot some of its names. */
export interface NameStates {
  readonly needs: readonly Dependency[];
  readonly provides: readonly Dependency[];
}

/** @param field that of the bot's own name, or of its full name */
export function statesOfName(change: Change, field: string, context: PlanContext): NameStates {
  const after = fieldIn(change.fields, field)?.after;
  if (field === "name") {
    const { was } = change;
    return { needs: [addressFree(change.name)], provides: was === undefined ? [] : [addressFree(was)] };
  }
  return { needs: needsOfName(String(after), context), provides: [freedName(change)] };
}

/** Addresses that pass from one bot to another, and full names of bots that are in use. */
export function botMoves(changes: readonly Change[], context: PlanContext): readonly Move[] {
  return [...renamesAsMoves(changes), ...fullNameMoves(changes, context)];
}

function fullNameMoves(changes: readonly Change[], { realm }: PlanContext): readonly Move[] {
  return changes.flatMap((change) => {
    const name = change.fields.find(isName);
    if (change.action !== "update" || name === undefined || realm.user(change.id ?? 0)?.is_active !== true) return [];
    if (change.fields.some(turnsOff)) return [];
    const to = String(name.after);
    return [{ change, of: "full_name", from: String(name.before), to, name: to }];
  });
}

/** What a request waits for that gives this name. */
export function needsOfName(name: string, context: PlanContext): readonly Dependency[] {
  const leaving = leaversIn(context.changes, context);
  const holders = holdersIn(context.snapshot.users).get(name) ?? [];
  return [nameFree("bot", name), ...holders.flatMap((id) => leaving.get(id) ?? []).map(inactive)];
}

const holdersIn = oncePer((users: PlanContext["snapshot"]["users"]) => {
  const found = new Map<string, number[]>();
  for (const { user_id, full_name, is_active } of users) if (is_active) addTo(found, full_name, user_id);
  return found;
});

/** Accounts that the plan deactivates → what deactivates them: their own change, or that of their owner (zulip-api.md §17.4). */
const leaversIn = oncePer((changes: readonly Change[], { snapshot }: PlanContext): ReadonlyMap<number, Address> => {
  const found = new Map<number, Address>();
  const given = new Set<number>();
  for (const { kind, id, address, fields } of changes) {
    if (!isAccountKind(kind) || id === undefined) continue;
    if (fields.some(turnsOff)) found.set(id, address);
    if (fieldIn(fields, "owner") !== undefined) given.add(id);
  }
  if (found.size === 0) return found;
  for (const { user_id, bot_owner_id } of snapshot.users) {
    const owner = bot_owner_id === null || given.has(user_id) ? undefined : found.get(bot_owner_id);
    if (owner !== undefined && !found.has(user_id)) found.set(user_id, owner);
  }
  return found;
});

/** Full names of active accounts once the plan is applied, and how many accounts have each. */
export function takenNames(changes: readonly Change[], context: PlanContext): ReadonlyMap<string, number> {
  // The names are needed only if a bot changes, and there may be many people.
  if (changes.length === 0) return new Map();
  const leaving = leaversIn(context.changes, context);
  const names = new Map<number, string>();
  for (const { user_id, full_name, is_active } of context.snapshot.users)
    if (is_active && !leaving.has(user_id)) names.set(user_id, full_name);
  const made: string[] = [];
  for (const { id, action, fields } of changes) {
    const name = fields.find(isName)?.after;
    if (action === "create") made.push(String(name));
    else if (id !== undefined && names.has(id) && name !== undefined) names.set(id, String(name));
  }
  const counts = new Map<string, number>();
  for (const name of [...names.values(), ...made]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
