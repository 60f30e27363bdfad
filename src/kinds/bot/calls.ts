import { accessIn, maySometime, organizationNamesAccount } from "../../access/of-plan.ts";
import { isAccountKind } from "../../access/scope.ts";
import { defined } from "../../model/defined.ts";
import {
  type Dependency,
  type DraftCall,
  exists,
  inactive,
  nameFree,
  nameSetAside,
  written,
} from "../../model/draft-call.ts";
import type { Move } from "../../model/facets.ts";
import { addTo, oncePer } from "../../model/lazy.ts";
import {
  type Address,
  type Change,
  type FieldChange,
  fieldIn,
  type ObjectChange,
  objectChanges,
  type Param,
  sets,
} from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole, losesRights, ROLE } from "../../model/roles.ts";
import { accountTurning } from "../accounts.ts";
import { renamesAsMoves, requestFor, unchanged } from "../requests.ts";
import { BOT_TYPES, shortName } from "./schema.ts";

/** As for people: requests that take rights away come first, and requests that give rights come late. */
const RANK = { loses: -10, gains: 140 } as const;

export function botCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).flatMap((change) =>
    change.action === "create" ? creation(change, context) : update(change, context),
  );
}

/** The creation, and a second request for what the creation does not set. */
export function leastBotCalls(changes: readonly Change[], context: PlanContext): number {
  return objectChanges(changes).reduce((sum, change) => {
    const activity = change.fields.filter(({ field }) => field === "deactivated").length;
    const ridden = goesWith(change, context) === undefined ? 0 : 1;
    if (change.action === "create") return sum + 1 + (setAfterwards(change, context).length > 0 ? 1 : 0);
    const others = change.fields.length - activity;
    const isCut = becomesOurs(change, context) && others > 1 && fieldIn(change.fields, "owner") !== undefined;
    const asides = context.move(change.address, "full_name")?.requests ?? 0;
    return sum + activity - ridden + asides + (others > 0 ? 1 : 0) + (isCut ? 1 : 0);
  }, 0);
}

/** What a new bot does not get by its creation: an owner other than the account that creates it, or a role other than member. */
function setAfterwards({ fields }: Change, { realm, snapshot }: PlanContext): readonly FieldChange[] {
  const own = realm.userName(snapshot.account.user_id);
  return fields.filter(
    ({ field, after }) => (field === "owner" && after !== own) || (field === "role" && after !== "member"),
  );
}

/** The answer has the new bot's key, which does not leave the connection. */
function creation(change: ObjectChange, context: PlanContext): readonly DraftCall[] {
  const { address, name, fields } = change;
  const after = (wanted: string): string | undefined => {
    const value = fieldIn(fields, wanted)?.after;
    return typeof value === "string" ? value : undefined;
  };
  const later = setAfterwards(change, context);
  const type = after("type");
  const make = requestFor(change, {
    operation: "create-bot",
    params: {
      full_name: after("full_name") ?? name,
      short_name: shortName(name),
      bot_type: type === "incoming_webhook" ? BOT_TYPES.incoming_webhook : BOT_TYPES.generic,
    },
    for: [{ address, fields: fields.filter((field) => !later.includes(field)).map(({ field }) => field) }],
    uses: [makingRight(change, context)],
    needs: [...needsOfName(after("full_name") ?? name, context), addressFree(name)],
    provides: [exists(address), ...(later.length === 0 ? [written(address)] : [])],
    // A new account has every right that members have.
    rank: RANK.gains,
  });
  if (later.length === 0) return [make];
  return [
    make,
    {
      operation: "update-bot",
      path: { bot_id: { idOf: address } },
      params: paramsOf(later, context),
      for: [{ address, fields: later.map(({ field }) => field) }],
      needs: [exists(address)],
      provides: [written(address)],
      rank: RANK.gains,
    },
  ];
}

/**
 * The other fields of a bot are one request, its activity is another. A bot is reactivated with its final role and name. The account that reactivates
 * a bot whose owner is deactivated becomes its owner (zulip-api.md §17.4), so the owner is set afterwards.
 */
function update(change: ObjectChange, context: PlanContext): readonly DraftCall[] {
  const { address, fields } = change;
  const activity = fieldIn(fields, "deactivated");
  const settings = fields.filter((field) => field !== activity);
  const leaves = activity?.after === true;
  const later = activity !== undefined && !leaves && becomesOurs(change, context) ? settings.filter(isOwner) : [];
  const first = settings.filter((field) => !later.includes(field));
  const role = fieldIn(fields, "role");
  const loses = losesRights(role);
  const rank = role === undefined ? 0 : loses ? RANK.loses : RANK.gains;
  const bot_id = context.idOf(address);
  const host = goesWith(change, context);
  const comesAfter =
    activity?.after === false && !fields.some(isOwner) ? ownerTurning(change, context, false) : undefined;
  const calls: DraftCall[] = [];
  const ready = later.length === 0 ? [written(address)] : [];
  const waits = leaves && !loses ? [inactive(address)] : [];
  if (first.length > 0) calls.push(...settingCalls(change, first, { needs: waits, provides: ready }, rank, context));
  if (activity !== undefined)
    calls.push({
      operation: leaves ? "deactivate-bot" : "reactivate-user",
      path: leaves ? { bot_id } : { user_id: bot_id },
      params: {},
      // The owner in between is an effect of this plan, so the previous owner is compared here.
      ...common(change, [activity]),
      expects: unchanged(change, [activity, ...later]),
      needs: [
        ...(calls.length === 0 || ready.length === 0 || (leaves && !loses) ? [] : [written(address)]),
        ...(comesAfter === undefined ? [] : [exists(comesAfter)]),
        ...(leaves ? [] : needsOfName(nameOf(change, context), context)),
      ],
      ...defined({
        uses: leaves ? undefined : [makingRight(change, context)],
        mergeInto: host === undefined ? undefined : { address: host, params: {} },
      }),
      provides: leaves ? [inactive(address), nameFree("bot", nameOf(change, context))] : [exists(address)],
      rank: leaves ? RANK.loses : RANK.gains,
    });
  if (later.length > 0) {
    const owner = { needs: [exists(address)], provides: [], rank: RANK.gains };
    calls.push({ ...patchCall(change, later, context), expects: [], ...owner });
  }
  return calls;
}

/** The names of a bot; each can be one that another bot has or wants. */
const NAMES: readonly string[] = ["name", "full_name"];

/**
 * The request for these fields. A bot that steps aside with a name needs two, and names that wait for each other can be sent one by one. The full name
 * of a bot that leaves need not be free.
 */
function settingCalls(
  change: Change,
  own: readonly FieldChange[],
  { needs, provides }: NameStates,
  rank: number,
  context: PlanContext,
): readonly DraftCall[] {
  const { address } = change;
  const isAside = ({ field }: FieldChange): boolean => asideOf(address, field, context) !== undefined;
  const leaves = sets(change.fields, "deactivated", true);
  const statesOf = (fields: readonly FieldChange[]): readonly (FieldChange & NameStates)[] =>
    fields
      .filter(({ field }) => NAMES.includes(field) && !(leaves && field === "full_name"))
      .map((field) => ({ ...field, ...statesOfName(change, field.field, context) }));
  const names = statesOf(own);
  const last = own.filter(isAside);
  if (last.length > 0) {
    // Who gives the bot away may not rename it any more.
    const given = own.filter(isOwner);
    const first = own.filter((field) => !given.includes(field));
    const aside = patchCall(change, first, context, true);
    const named = last.map((field) => ({ ...field, before: asideOf(address, field.field, context) ?? field.before }));
    const end = patchCall(change, [...named, ...given], context);
    return [
      {
        ...aside,
        needs: [...needs, ...names.filter((name) => !isAside(name)).flatMap((name) => name.needs)],
        provides: [nameSetAside(address), ...names.flatMap((name) => name.provides)],
        rank,
      },
      {
        ...end,
        needs: [nameSetAside(address), ...names.filter(isAside).flatMap((name) => name.needs)],
        provides,
        rank,
      },
    ];
  }
  const request = (fields: readonly FieldChange[]): DraftCall => {
    const given = statesOf(fields);
    return {
      ...patchCall(change, fields, context),
      needs: [...needs, ...given.flatMap((name) => name.needs)],
      provides: [...provides, ...given.flatMap((name) => name.provides)],
      rank,
    };
  };
  const isOwnName = ({ field }: FieldChange): boolean => field === "name";
  const others = own.filter((field) => !isOwnName(field));
  const split = [request(own.filter(isOwnName)), request(others)];
  return [{ ...request(own), ...defined({ alternatives: names.length > 1 ? [split] : undefined }) }];
}

const asideOf = (address: Address, field: string, context: PlanContext): string | undefined =>
  NAMES.includes(field) ? context.move(address, field)?.aside : undefined;

/** @param isBetween names for which the bot steps aside are temporary */
function patchCall(change: Change, own: readonly FieldChange[], context: PlanContext, isBetween = false): DraftCall {
  const { address } = change;
  const sent = own.map((field) => ({
    ...field,
    after: (isBetween ? asideOf(address, field.field, context) : undefined) ?? field.after,
  }));
  return {
    operation: "update-bot",
    path: { bot_id: context.idOf(address) },
    params: paramsOf(sent, context),
    ...common(change, own),
  };
}

/** The name of a bot while its activity changes: that of a bot that leaves is the one before. */
function nameOf({ id, fields }: Change, { realm }: PlanContext): string {
  const returns = sets(fields, "deactivated", false);
  const given = returns ? fieldIn(fields, "full_name")?.after : undefined;
  return String(given ?? realm.user(id ?? 0)?.full_name);
}

const isOwner = ({ field }: FieldChange): boolean => field === "owner";

/** Whether its owner is deactivated, so that the account that runs the plan becomes its owner when it is reactivated. */
export function becomesOurs(change: Change, context: PlanContext): boolean {
  const { realm } = context;
  const owner = realm.user(change.id ?? 0)?.bot_owner_id;
  const returns = sets(change.fields, "deactivated", false);
  const isGone = owner !== undefined && owner !== null && realm.user(owner)?.is_active === false;
  return returns && isGone && ownerTurning(change, context, false) === undefined;
}

/** The owner, if the same plan deactivates the owner and the bot: the server deactivates the bots of a deactivated person (zulip-api.md §17.4). */
function goesWith(change: Change, context: PlanContext): Address | undefined {
  const leaves = sets(change.fields, "deactivated", true);
  return leaves && !change.fields.some(isOwner) ? ownerTurning(change, context, true) : undefined;
}

/** The current owner, if this plan deactivates or reactivates them. */
const ownerTurning = ({ id }: Change, context: PlanContext, deactivated: boolean): Address | undefined =>
  accountTurning(context.realm.user(id ?? 0)?.bot_owner_id, context, deactivated)?.address;

function common(change: Change, own: readonly FieldChange[]): Pick<DraftCall, "for" | "expects"> {
  const { address } = change;
  return { for: [{ address, fields: own.map(({ field }) => field) }], expects: unchanged(change, own) };
}

function paramsOf(own: readonly FieldChange[], { realm }: PlanContext): { readonly [name: string]: Param } {
  const params: { [name: string]: Param } = {};
  for (const { field, after } of own) {
    if (field === "name" && typeof after === "string") params.short_name = shortName(after);
    if (field === "full_name" && typeof after === "string") params.full_name = after;
    if (field === "role" && isRole(after)) params.role = ROLE[after];
    if (field === "owner" && typeof after === "string") params.bot_owner_id = realm.userId(after);
  }
  return params;
}

/** The setting that lets the account create the bot, or reactivate it: those that only receive can also be made by whoever may make them alone. */
export function makingRight(
  change: Change,
  context: PlanContext,
): "can_create_bots_group" | "can_create_write_only_bots_group" {
  const [any, own] = ["can_create_bots_group", "can_create_write_only_bots_group"] as const;
  const type = fieldIn(change.fields, "type")?.after ?? context.pair(change.address)?.live?.fields.type;
  if (type !== "incoming_webhook" || context.realm.setting(any) === undefined) return any;
  const { before, after } = accessIn(context);
  const keeps = (setting: string): boolean =>
    [before, after].every((state) => organizationNamesAccount(setting, state, context));
  const rights = [any, own] as const;
  return rights.find(keeps) ?? rights.find((setting) => maySometime(setting, context)) ?? own;
}

/*
 * Names of bots: that in the address, which no other account may have, and the full name. A full name that a request gives must be that of no active account, people included (zulip-api.md §18.3); accounts that have one name
 * already may keep it. So a name is free when each account that has it was renamed or deactivated.
 */

/** No bot has the address with this name. */
const addressFree = (name: string): Dependency => nameFree("bot-address", name);

/** What a request frees and waits for that gives a bot some of its names. */
interface NameStates {
  readonly needs: readonly Dependency[];
  readonly provides: readonly Dependency[];
}

/** @param field that of the bot's own name, or of its full name */
function statesOfName(change: Change, field: string, context: PlanContext): NameStates {
  const { was, name, fields } = change;
  if (field === "name") return { needs: [addressFree(name)], provides: was === undefined ? [] : [addressFree(was)] };
  const given = fieldIn(fields, field);
  return { needs: needsOfName(String(given?.after), context), provides: [nameFree("bot", String(given?.before))] };
}

/** Addresses that pass from one bot to another, and full names of bots that are in use. */
export function botMoves(changes: readonly Change[], context: PlanContext): readonly Move[] {
  return [...renamesAsMoves(changes), ...fullNameMoves(changes, context)];
}

function fullNameMoves(changes: readonly Change[], { realm }: PlanContext): readonly Move[] {
  return changes.flatMap((change) => {
    const name = fieldIn(change.fields, "full_name");
    if (change.action !== "update" || name === undefined || realm.user(change.id ?? 0)?.is_active !== true) return [];
    if (sets(change.fields, "deactivated", true)) return [];
    const to = String(name.after);
    return [{ change, of: "full_name", from: String(name.before), to, name: to }];
  });
}

/** What a request waits for that gives this name. */
function needsOfName(name: string, context: PlanContext): readonly Dependency[] {
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
    if (sets(fields, "deactivated", true)) found.set(id, address);
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
    const name = fieldIn(fields, "full_name")?.after;
    if (action === "create") made.push(String(name));
    else if (id !== undefined && names.has(id) && name !== undefined) names.set(id, String(name));
  }
  const counts = new Map<string, number>();
  for (const name of [...names.values(), ...made]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
