import * as z from "zod";
import { botOfLeavingPerson } from "../../access/scope.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { type Dependency, type DraftCall, exists, inactive, written } from "../../model/draft-call.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { type Named, namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import type { SideEffectFact } from "../../model/kind-facts.ts";
import { indexed, once, oncePer } from "../../model/lazy.ts";
import type { LiveObject, Pair } from "../../model/objects.ts";
import { type Call, type Change, type FieldChange, fieldIn, objectChanges, serverId, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { isRole, losesRights, ROLE, ROLE_WORDS, type RoleWord } from "../../model/roles.ts";
import type { Snapshot, SnapshotInvite } from "../../model/snapshot.ts";
import { roleRisks } from "../account-reach.ts";
import { canBeRole, inexpressibleRole, roleField } from "../accounts.ts";
import { accountMayJoinInto } from "../may-join-into.ts";
import { flag, optional } from "../optional.ts";
import { liveObject } from "../readings.ts";
import { resolveAccount } from "../references.ts";
import { requestFor } from "../requests.ts";
import { becomesOwner, checkPeople, needsTwoOwners, ownersThroughout, roleBefore } from "./check.ts";

const personForm = once(() =>
  z.strictObject({
    role: optional(z.enum(ROLE_WORDS), "The role of the account. Without this field, the account keeps its role."),
    deactivated: flag(
      "`true` deactivates the account, `false` reactivates it. Without this field it stays as it is: an account that somebody deactivated does not come back by itself.",
    ),
  }),
);
type Person = z.infer<ReturnType<typeof personForm>>;

/** Addresses are compared without regard to case. */
const personKey = (name: string): string => name.trim().toLowerCase();

/** A file cannot create people: an address without an account is an error, most likely a misspelt address. */
function decodePerson(item: Person, name: string, context: DecodeContext): Decoded {
  const { realm } = context;
  const known = resolveAccount(name, [], withRole(item, context));
  const user = realm === undefined || known === undefined ? undefined : realm.user(realm.userId(known));
  if (known === undefined) return { absent: true, settled: true, fields: {} };
  if (user?.is_bot) {
    context.report([], finding("people/is-bot", { address: quote(name) }));
    return { absent: true, settled: true, fields: {} };
  }
  if (known !== name) checkOtherName(name, known, context);
  if (user !== undefined && !user.is_active && item.deactivated === undefined)
    context.report([], { ...finding("people/is-deactivated", { address: quote(name) }), severity: "warning" });
  const fields: { [field: string]: Json } = {};
  if (item.role !== undefined) fields.role = item.role;
  if (item.deactivated !== undefined) fields.deactivated = item.deactivated;
  return { name: known, absent: false, fields };
}

/** Only one account hides its address, and has another role than the entry: if it is the person, somebody changed the role. */
function withRole({ role }: Person, context: DecodeContext): DecodeContext {
  return {
    ...context,
    report: (path, found) => {
      if (found.code !== "reference/unknown-person" || found.fact.found !== "no-address" || role === undefined)
        return context.report(path, found);
      const user = found.fact.only && context.realm?.user(found.fact.only.user_id);
      const now = user && roleField(user);
      const differs = now !== undefined && now !== role;
      const fact = differs ? { ...found.fact, role: { now: String(now), file: role } } : found.fact;
      return context.report(path, { ...found, fact });
    },
  };
}

/**
 * A second name of the person. `user:17` stays valid when the person shows the address again, or to an account that sees it; the address that the API
 * showed until then should be replaced.
 */
function checkOtherName(name: string, known: string, { declares, report }: DecodeContext): void {
  const found = finding("people/other-address", { address: quote(name), meant: quote(known) });
  if (declares("person", known)) report([], found);
  else if (!name.startsWith("user:")) report([], { ...found, severity: "warning" });
}

function personRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const { id, fields } = change;
  const object = namedOf(change);
  const now = roleBefore(change, context);
  const from: RoleWord = isRole(now) ? now : "member";
  const field = "deactivated";
  const risks = [...roleRisks(change, from, context), ...accountMayJoinInto(change, context)];
  if (sets(change.fields, "deactivated", true) && id !== undefined)
    risks.push({
      kind: "removes",
      fact: { kind: "account-deactivated", object, from, ...goesWith(id, context) },
      field,
    });
  if (sets(fields, field, false)) {
    const role = fieldIn(fields, "role")?.after;
    const fact: RiskFact = { kind: "account-reactivated", object, role: isRole(role) ? role : from };
    risks.push({ kind: "widens", fact, field });
  }
  return risks;
}

/** Bots, invitations and channels of a deactivated person (zulip-api.md §17.4). */
function goesWith(
  id: number,
  { snapshot, realm, changes }: PlanContext,
): Pick<Extract<RiskFact, { readonly kind: "account-deactivated" }>, "bots" | "invitations" | "links" | "channels"> {
  // A bot that the plan gives to somebody else has another owner by then; one that it deactivates is said by its own change.
  const bots = realm
    .botsOf(id)
    .filter(({ user_id, is_active }) => is_active && ownChange(changes, String(user_id)).length === 0)
    .map(({ user_id }): Named => ({ address: `bot:${realm.userName(user_id)}`, name: realm.userName(user_id) }));
  const own = snapshot.invites && invitedBy(snapshot.invites, String(id));
  const channels = snapshot.subscribers && channelsOfLeaving(changes, snapshot.subscribers).get(id);
  return {
    bots,
    invitations: own?.filter(({ is_multiuse }) => !is_multiuse).length ?? null,
    links: own?.filter(({ is_multiuse }) => is_multiuse).length ?? null,
    channels: snapshot.subscribers ? (channels ?? 0) : null,
  };
}

const ownChange = indexed<Change>(({ kind, id, fields }) =>
  kind === "bot" && id !== undefined && fields.some(({ field }) => field === "owner" || field === "deactivated")
    ? [String(id)]
    : [],
);
const invitedBy = indexed<SnapshotInvite>(({ invited_by_user_id: id }) => [String(id)]);

/** Account that the plan deactivates → the number of channels that it is subscribed to. Each list is read once, however many accounts leave. */
const channelsOfLeaving = oncePer((changes: readonly Change[], subscribers: NonNullable<Snapshot["subscribers"]>) => {
  const found = new Map<number, number>();
  for (const change of changes)
    if (change.id !== undefined && sets(change.fields, "deactivated", true)) found.set(change.id, 0);
  for (const list of Object.values(subscribers))
    for (const id of new Set(list)) {
      const count = found.get(id);
      if (count !== undefined) found.set(id, count + 1);
    }
  return found;
});

const docs: DocsFacet = {
  about:
    "Roles and deactivations of people, by the address of their account. realmctl looks only at people who are listed here. It creates nobody, and deactivates nobody who is not listed, so the section cannot be `exact`. People manage their names and profiles themselves.",
  who: "Administrators and owners, including bots with these roles.",
  whoMay: {
    role: "to give or take the role of an owner: owners",
    deactivated: "to deactivate an owner: owners",
  },
  defaults: { role: "–", deactivated: "–" },
  example: `people:
  ada@example.org: {role: owner}
  jana@example.org: {deactivated: true}`,
};

/**
 * A person's account, identified by its address: its role, and whether it is active. Only listed people are compared; their names and
 * profiles are their own (docs/internals/decisions/0025-no-account-comes-back-by-accident.md).
 * @see zulip-api.md §17 https://zulip.com/api/update-user
 */
export const person: MapKind<Person> = {
  name: "person",
  section: "people",
  shape: "map",
  noun: ["person", "people"],
  isPartial: true,
  identity: { keyOf: personKey, canonicalName: personKey },
  isAccount: true,
  inactivity: { field: "deactivated" },
  file: {
    schema: personForm,
    fields: { role: {}, deactivated: {} },
    decode: decodePerson,
  },
  live: {
    read: livePeople,
    // The effects of a deactivation are counted once it is known that somebody is deactivated.
    request: (declared, realm) => {
      const goes = declared.some(({ key, fields }) => {
        return fields.deactivated === true && realm?.userByEmail(key)?.is_active === true;
      });
      return goes ? { subscribers: true, invites: realm?.isAdmin === true && !realm.snapshot.account.is_bot } : {};
    },
    // Only a realm shows who is deactivated.
    requestWords: [],
  },
  review: { check: checkPeople, risks: personRisks },
  calls: { draft: personCalls, least: leastPersonCalls, shows: showsBotLeaving, canSet: canBeRole },
  undo: { stays: staysGone, endedAhead: botEndedAhead },
  yaml: {
    item: ({ fields }) => ({
      ...defined({
        role: inexpressibleRole(fields.role ?? null) === undefined ? (fields.role ?? "member") : undefined,
        deactivated: fields.deactivated === true ? true : undefined,
      }),
    }),
    whyInexpressible: (field, live) => (field === "role" ? inexpressibleRole(live) : undefined),
    onRequest: true,
  },
  // Accounts are a part of every snapshot, and hidden with it.
  secrecy: {
    name: "account",
    fields: { role: "word", deactivated: "word" },
    namesToHide: addressesIn,
    snapshot: () => ({}),
  },
  reach: {
    role: "administrator",
    caveats: ({ isOwner }) => (isOwner ? [] : ["owners-change-owners"]),
  },
  docs,
};

/** Addresses are the keys of the section. */
function addressesIn(section: unknown): readonly string[] {
  return typeof section === "object" && section !== null ? Object.keys(section) : [];
}

/** What the server ends when it deactivates an account, and does not restore (zulip-api.md §17.4). */
function staysGone({ risks }: Change): SideEffectFact | undefined {
  for (const { fact } of risks) {
    if (fact?.kind !== "account-deactivated") continue;
    const bots = fact.bots.length > 0;
    // If it is not known whether there were any, there may have been some.
    const invitations = fact.invitations !== 0 || fact.links !== 0;
    if (bots || invitations) return { effect: "ended-with-account", bots, invitations };
  }
  return undefined;
}

/** Every account of a person, by the address that the reading account sees; bots are another kind. */
function livePeople(realm: Realm): readonly LiveObject[] {
  return realm.snapshot.users
    .filter(({ is_bot }) => !is_bot)
    .map((user) => {
      const { user_id: id, is_active } = user;
      const fields = { role: roleField(user), deactivated: !is_active };
      return liveObject(realm.userName(id), fields, { id, inactive: !is_active });
    });
}

/**
 * Among requests that nothing else orders, those that take rights away come first and those that give rights come late. The safe order is worked out
 * from all requests (docs/internals/decisions/0014-nothing-is-open-in-between.md).
 */
const RANK = { loses: -10, gains: 140 } as const;

/**
 * A role and activity are two requests. A reactivated account has its new role already; before a deactivation, the account loses the rights that it
 * is to lose, and gains none.
 */
function personCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const people = objectChanges(changes);
  const oneStays = ownersThroughout(people, context) > 0;
  const newOwners = people.flatMap((change) => (becomesOwner(change, context) ? ownership(change) : []));
  return people.flatMap((change) => {
    const { address, fields } = change;
    const role = fieldIn(fields, "role");
    const activity = fieldIn(fields, "deactivated");
    const leaves = activity?.after === true;
    // There is an owner at every moment, and as many as the policy requires, if the plan leaves as many and that opens nothing in between.
    const succeeded = roleBefore(change, context) === "owner" ? newOwners : [];
    const [needed, wished] = oneStays ? [[], succeeded] : [succeeded, []];
    const waits = needsTwoOwners(change, context) && ownersThroughout(people, context) < 2;
    const calls: DraftCall[] = [];
    if (role !== undefined) {
      const loses = losesRights(role);
      const own = {
        operation: "update-user",
        path: { user_id: serverId(change) },
        params: { role: ROLE[roleOf(role.after)] },
        needs: [...(loses ? (waits ? newOwners : needed) : []), ...(leaves && !loses ? [inactive(address)] : [])],
        softNeeds: loses ? wished : [],
        provides: [written(address)],
        rank: loses ? RANK.loses : RANK.gains,
      };
      calls.push(requestFor(change, own, ["role"]));
    }
    if (activity !== undefined) {
      const own = {
        operation: leaves ? "deactivate-user" : "reactivate-user",
        path: { user_id: serverId(change) },
        needs: leaves
          ? [...needed, ...(losesRights(role) ? [written(address)] : [])]
          : calls.length === 0
            ? []
            : [written(address)],
        softNeeds: leaves ? wished : [],
        provides: [leaves ? inactive(address) : exists(address)],
        rank: leaves ? RANK.loses : RANK.gains,
        // Their bots are deactivated with them (zulip-api.md §17.4), and need no separate request.
        ...defined({
          mergeTarget: leaves ? { address, params: [] } : undefined,
          riders: leaves ? botsLeaving(change, context) : undefined,
        }),
      };
      calls.push(requestFor(change, own, ["deactivated"]));
    }
    return calls;
  });
}

/** One request for a role, one for a deactivation or reactivation. */
function leastPersonCalls(changes: readonly Change[]): number {
  return changes.reduce((sum, { fields }) => sum + fields.length, 0);
}

function roleOf(value: Json): RoleWord {
  if (!isRole(value)) throw new RangeError(`no role ${JSON.stringify(value)}`);
  return value;
}

const changedById = indexed<Pair>(({ change }) => (change?.id === undefined ? [] : [String(change.id)]));

/** Bots that are deactivated with their owner and that the plan does not mention: each can be deactivated earlier by a separate request. */
function botsLeaving(change: Change, context: PlanContext): readonly DraftCall[] {
  const bots = context.pairs("bots");
  return context.realm
    .botsOf(serverId(change))
    .filter(({ user_id, is_active }) => is_active && changedById(bots, String(user_id)).length === 0)
    .map(({ user_id }) => {
      const provides = [inactive(botOfLeavingPerson(user_id))];
      const own = { operation: "deactivate-bot", path: { bot_id: user_id }, provides };
      return requestFor(change, own, ["deactivated"]);
    });
}

/** The bot that a request deactivates before its owner. */
function botEndedAhead({ operation, path }: Call): { readonly section: string; readonly id: number } | undefined {
  const { bot_id: id } = path;
  return operation === "deactivate-bot" && typeof id === "number" ? { section: "bots", id } : undefined;
}

/** Whether a bot that is deactivated before its owner is inactive: the request is a part of the owner's change, and is done before it. */
function showsBotLeaving(
  { field }: FieldChange,
  _: Json,
  by: { readonly call?: Call; readonly realm: Realm },
): boolean {
  const id = by.call?.operation === "deactivate-bot" ? by.call.path.bot_id : undefined;
  return field === "deactivated" && typeof id === "number" && by.realm.user(id)?.is_active === false;
}

const ownership = ({ address }: Change): readonly Dependency[] => [written(address), exists(address)];
