import { readersOf } from "../../access/grants.ts";
import { accessIn, maySometime } from "../../access/of-plan.ts";
import { addressOf, botAddress, renamedAccounts, SHORT_NAME_LEVEL } from "../../access/renamed.ts";
import { decidesReading } from "../../access/rules.ts";
import { BOT, CHANNEL, channelAddress, isChannel } from "../../access/scope.ts";
import { isPrivate } from "../../access/state.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, tooOld, warning } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/definitions.ts";
import { type Quoted, quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { DocsFacet, FileCheck, FoundRisk } from "../../model/facets.ts";
import { type Named, namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import type { InexpressibleFact, SideEffectFact } from "../../model/kind-facts.ts";
import { addTo, oncePer } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject, Pair } from "../../model/objects.ts";
import { type Change, fieldIn, sets, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { isRole, ROLE, type RoleWord } from "../../model/roles.ts";
import { temporaryBotName } from "../../model/temporary-name.ts";
import { roleRisks } from "../account-reach.ts";
import { canBeRole, inexpressibleRole, unknownRoleOf } from "../accounts.ts";
import { sharingValue } from "../checks.ts";
import { accountMayJoinInto } from "../may-join-into.ts";
import { pairsByLiveKey } from "../names.ts";
import { writtenPerson } from "../references.ts";
import { becomesOurs, botCalls, botMoves, leastBotCalls, makingRight, takenNames } from "./calls.ts";
import { type Bot, botForm, botKey, canBeName, decodeBot, liveBots } from "./schema.ts";

const docs: DocsFacet = {
  about:
    "Bots, named by the part of their address before the @: `deploy-bot` for deploy-bot@example.org. Zulip shows the key of a bot to its owner; realmctl never shows or keeps one. A bot that somebody deactivated comes back only with `deactivated: false`. An address stays taken while its bot has it, also if the bot is deactivated. From feature level 447 on, `was` renames a bot: it keeps its key and gets the address of its new name, which ends in `-bot`, on the domain of new bots. Other entries name it by that address, and programs that sign in as it need it. Below 447 a bot with another name is a new one.",
  who: "To create or reactivate one: people whom the organization's `can_create_bots_group` names (for `incoming_webhook` also `can_create_write_only_bots_group`); no role is exempt. For everything else: the bot's owner, administrators and owners. Guests may do nothing, and bots may only deactivate.",
  whoMay: {
    role: "administrators and owners; to give or take the role of an owner: owners",
    type: "nobody: it never changes",
  },
  defaults: {
    full_name: "its name in the file",
    owner: "the account that runs realmctl",
    role: "`member`",
    type: "`generic`",
    deactivated: "`false`",
  },
  example: `bots:
  deploy-bot: {full_name: Deploy Bot, owner: ada@example.org}
  alerts-bot: {type: incoming_webhook}`,
};

/** Two bots with one name: existing accounts may share a name, but a new one may not (zulip-api.md §17.2, §18.3). */
const checkBotsInFile: FileCheck = (declared, _section, realm) => {
  if (realm !== undefined) return [];
  const named = ({ absent, fields: { full_name, deactivated } }: DeclaredObject) =>
    absent || deactivated === true ? undefined : full_name;
  return sharingValue(declared, named).map(({ object, first, value }) => {
    const fact = { cause: "twice", full_name: quote(value), other: quote(first.name, "bot") } as const;
    return warning("bots/full-name", fact, object.spans.of("full_name") ?? object.at);
  });
};

/**
 * A bot of the organization, identified by the part of its address before the @; an address stays taken until its bot gets another one
 * (docs/internals/decisions/0025-no-account-comes-back-by-accident.md). Its key is in no plan, journal or output.
 * @see zulip-api.md §18 https://zulip.com/api/create-bot
 */
export const bot: MapKind<Bot> = {
  name: "bot",
  section: "bots",
  shape: "map",
  noun: ["bot", "bots"],
  identity: { keyOf: botKey, canonicalName: botKey, temporaryName: temporaryBotName },
  isAccount: true,
  inactivity: { field: "deactivated" },
  file: {
    schema: botForm,
    fields: { full_name: {}, owner: {}, role: {}, type: {}, deactivated: {} },
    decode: decodeBot,
    check: checkBotsInFile,
  },
  live: {
    read: liveBots,
    renamed: renamedAccounts,
  },
  // The owner and the type of a bot have no default.
  diff: {
    defaults: (_realm, { name }) => ({ full_name: name, role: "member" }),
    traits: { full_name: "words", owner: "other", type: "fixed" },
    // That bots are called bots tells none of them apart.
    compared: (_name, fields) => ({ ...fields, full_name: String(fields.full_name ?? "").replaceAll(/\bbot\b/gi, "") }),
    keepsNameBelow: SHORT_NAME_LEVEL,
    implied: (realm) => ({ owner: realm.userName(realm.snapshot.account.user_id) }),
  },
  review: { check: checkBots, risks: botRisks },
  calls: {
    draft: botCalls,
    least: leastBotCalls,
    moves: botMoves,
    canSet: (field, value) => {
      // A bot always has an owner; no request removes it.
      if (field === "owner") return value !== null;
      return field === "name" ? canBeName(String(value)) : canBeRole(field, value);
    },
  },
  undo: { stays: (change) => staysOurs(change) ?? staysOnDomain(change) },
  yaml: {
    item: botToYaml,
    field: (field, live) => (field === "owner" && typeof live === "string" ? writtenPerson(live) : live),
    whyInexpressible: inexpressible,
  },
  // Accounts are a part of every snapshot, and hidden with it.
  secrecy: {
    name: "text",
    fields: { owner: "groups", role: "word", type: "word", deactivated: "word" },
    snapshot: () => ({}),
  },
  docs,
};

/** A deactivated person cannot be made its owner again (zulip-api.md §17.4). */
function staysOurs({ fields, risks }: Change): SideEffectFact | undefined {
  const returns = sets(fields, "deactivated", false);
  const isGiven = risks.some(({ fact }) => fact?.kind === "bot-given") && fieldIn(fields, "owner") === undefined;
  return returns && isGiven ? { effect: "bot-owner-replaced" } : undefined;
}

/** Bots get their addresses on the domain of new bots, wherever they were before (zulip-api.md §18.3). */
function staysOnDomain({ risks }: Change): SideEffectFact | undefined {
  const addresses = risks.map(({ fact }) => (fact?.kind === "bot-address" ? fact.addresses : undefined)).find(Boolean);
  if (addresses === undefined || domainOf(addresses.before) === domainOf(addresses.after)) return undefined;
  return { effect: "bot-domain-gone", address: addresses.before };
}

const domainOf = ({ quoted }: Quoted): string => quoted.slice(quoted.lastIndexOf("@") + 1);

/** Leaves out the values that every new bot has, and a deactivated owner: a file cannot name one. */
function botToYaml({ id, fields }: LiveObject, realm: Realm): Json {
  const { full_name, owner, role, type, deactivated } = fields;
  const isOwned = typeof id === "number" && realm.user(realm.user(id)?.bot_owner_id ?? 0)?.is_active === true;
  return {
    full_name: full_name ?? "",
    ...defined({
      owner: typeof owner === "string" && isOwned ? writtenPerson(owner) : undefined,
      role: role === "member" || role === undefined || inexpressibleRole(role) !== undefined ? undefined : role,
      type: type === "generic" || type === null || type === undefined ? undefined : type,
      deactivated: deactivated === true ? deactivated : undefined,
    }),
  };
}

/** Why a file cannot name the bot's owner, or its role. */
function inexpressible(field: string, live: Json, realm: Realm): InexpressibleFact | undefined {
  if (field === "role") return inexpressibleRole(live);
  if (field !== "owner" || typeof live !== "string" || realm.userByEmail(live)?.is_active !== false) return undefined;
  return { why: "account-deactivated", email: quote(live) };
}

/** What the server would refuse (zulip-api.md §18.2, §18.3). */
function checkBots(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const taken = takenNames(changes, context);
  return [
    ...context.pairs("bots").flatMap(typeDiagnostics),
    ...changes.flatMap((change) => [
      ...rightDiagnostics(change, context),
      ...ownDiagnostics(change, context),
      ...nameDiagnostics(change, taken, context),
      ...addressDiagnostics(change, context),
    ]),
  ];
}

/** The type of a bot cannot change. */
function typeDiagnostics({ declared, live }: Pair): readonly Diagnostic[] {
  const wanted = declared?.fields.type;
  const now = live?.fields.type;
  if (declared === undefined || wanted === undefined || now === undefined || wanted === now) return [];
  const at = declared.spans.of("type") ?? declared.at;
  const known = defined({ now: typeof now === "string" ? now : undefined });
  return [error("bots/type", { cause: "cannot-change", bot: quote(declared.name, "bot"), ...known }, at)];
}

type Needs = DiagnosticFacts["bots/not-allowed"]["needs"];

function rightDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  const fields = new Set(change.fields.map(({ field }) => field));
  const refuse = (needs: Needs, field?: string): readonly Diagnostic[] => {
    const fact = { account: runningAccount(snapshot), bot: quote(change.name, "bot"), needs };
    return [error("bots/not-allowed", fact, field === undefined ? change.at : spanOfField(change, field))];
  };
  const role = fieldIn(change.fields, "role");
  const unknown = unknownRoleOf(change, realm);
  if (unknown !== undefined) return refuse({ role: unknown }, role?.field);
  if (role !== undefined && !realm.isAdmin && !isUnchanged(role)) return refuse("administrator", "role");
  if (role !== undefined && !realm.isOwner && (role.before === "owner" || role.after === "owner"))
    return refuse("owner-of-organization", "role");
  if (change.action === "create")
    return isPerson(context) ? makingDiagnostics(change, context, refuse) : refuse("a-person");
  const owner = realm.user(change.id ?? 0)?.bot_owner_id;
  if (!realm.isAdmin && owner !== snapshot.account.user_id) return refuse("owner-or-administrator");
  if (!isPerson(context) && ["name", "full_name", "owner", "role"].some((field) => fields.has(field)))
    return refuse("a-person");
  const returns = sets(change.fields, "deactivated", false);
  return returns ? makingDiagnostics(change, context, refuse) : [];
}

/** A new bot is a member. */
const isUnchanged = ({ before, after }: Change["fields"][number]): boolean => before === null && after === "member";

const isPerson = ({ snapshot: { account } }: PlanContext): boolean => !account.is_bot && account.role !== ROLE.guest;

/** Creating a bot and reactivating one need the same right, and no role is exempt from it. */
function makingDiagnostics(
  change: Change,
  context: PlanContext,
  refuse: (needs: Needs) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const right = makingRight(change, context);
  return maySometime(right, context) ? [] : refuse(right);
}

function ownDiagnostics(change: Change, { snapshot }: PlanContext): readonly Diagnostic[] {
  if (change.id !== snapshot.account.user_id) return [];
  const leaves = fieldIn(change.fields, "deactivated", true);
  if (leaves === undefined) return [];
  return [error("bots/oneself", { account: runningAccount(snapshot) }, leaves.at ?? change.at)];
}

/** The new name of an existing bot: it becomes the first part of the address, which no other bot may have. */
function addressDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  if (change.was === undefined) return [];
  const { level } = context.realm;
  const at = spanOfField(change, "name");
  if (level < SHORT_NAME_LEVEL) return [tooOld({ kind: "word", word: "id" }, SHORT_NAME_LEVEL, level, at)];
  const holders = pairsByLiveKey(context.pairs("bots"), change.name).filter(({ live }) => live?.id !== change.id);
  const [holder] = holders.filter(({ change: own }) => own?.was === undefined);
  if (holder?.live === undefined || holder.live === null) return [];
  return [error("bots/name", { cause: "taken", bot: quote(change.name, "bot") }, at)];
}

/** The full name of a new or reactivated bot must be unique among active accounts, people included. */
function nameDiagnostics(
  change: Change,
  taken: ReadonlyMap<string, number>,
  context: PlanContext,
): readonly Diagnostic[] {
  const returns = sets(change.fields, "deactivated", false);
  const field = fieldIn(change.fields, "full_name");
  if (field === undefined && !returns) return [];
  const name = String(field?.after ?? context.pair(change.address)?.live?.fields.full_name ?? "");
  // A reactivated bot is not counted yet.
  const others = (taken.get(name) ?? 0) - (returns ? 0 : 1);
  const isInUse = context.realm.user(change.id ?? 0)?.is_active !== false;
  if (others < 1 || (!isInUse && !returns)) return [];
  const bot = context
    .pairs("bots")
    .find(({ declared, live }) => declared === undefined && live?.inactive === false && live.fields.full_name === name);
  const fact = { full_name: quote(name), ...defined({ bot: bot?.live && quote(bot.live.name, "bot") }) };
  const found = error("bots/full-name", { cause: "taken", ...fact }, field?.at ?? change.at);
  // The bot that has the full name may be this one, under another address.
  return [{ ...found, mayBeRenamed: true }];
}

type BotAddressRisk = Extract<RiskFact, { readonly kind: "bot-address" }>;

function botRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const { fields, action } = change;
  const object = namedOf(change);
  const live = context.pair(change.address)?.live?.fields;
  const now: RoleWord = isRole(live?.role) ? live.role : "member";
  const wanted = fieldIn(fields, "role")?.after;
  const role = isRole(wanted) ? wanted : now;
  const risk = (kind: FoundRisk["kind"], fact: RiskFact, field?: string): FoundRisk => ({ kind, fact, field });
  if (action === "create") return [risk("widens", { kind: "bot-made", object, role })];
  const risks = [...roleRisks(change, now, context), ...accountMayJoinInto(change, context)];
  if (change.was !== undefined)
    risks.push(risk("narrows", { kind: "bot-address", object, ...addressesOf(change, context) }, "name"));
  const owner = fieldIn(fields, "owner");
  const { realm, snapshot } = context;
  const ours = becomesOurs(change, context) ? realm.userName(snapshot.account.user_id) : undefined;
  const given = owner?.after ?? ours;
  if (given !== undefined) {
    const opened = owner === undefined ? {} : channelsGiven(change, context);
    const parties = { owner: personNamed(given), ...formerOwner(change, context) };
    risks.push(risk("widens", { kind: "bot-given", object, ...parties, ...opened }, owner?.field));
  }
  const activity = fieldIn(fields, "deactivated");
  if (activity?.after === true) {
    risks.push(...channelsTaken(change, context).map((fact) => risk("narrows", fact, activity.field)));
    const nothing = { bots: [], invitations: null, links: null, channels: null };
    risks.push(
      risk("removes", { kind: "account-deactivated", object, from: now, is_bot: true, ...nothing }, activity.field),
    );
  } else if (activity !== undefined)
    risks.push(risk("widens", { kind: "account-reactivated", object, role, is_bot: true }, activity.field));
  return risks;
}

function addressesOf({ id, name }: Change, { unrenamed }: PlanContext): Pick<BotAddressRisk, "addresses"> {
  const bot = id === undefined ? undefined : unrenamed.user(id);
  if (bot === undefined) return {};
  return { addresses: { before: quote(addressOf(bot)), after: quote(botAddress(bot, name, unrenamed.snapshot)) } };
}

/** Who owned a bot before that is in use after the plan: its key stays the same, so they have it. */
function formerOwner({ id }: Change, context: PlanContext): { readonly former?: Named } {
  const former = id === undefined ? undefined : context.realm.user(id)?.bot_owner_id;
  const isInUse = id !== undefined && accessIn(context).after.account(id)?.active === true;
  const named = typeof former === "number" && isInUse ? personNamed(context.realm.userName(former)) : null;
  return named === null ? {} : { former: named };
}

/** Private channels that the new owner reads only through the bot. */
function channelsGiven({ id }: Change, context: PlanContext): { readonly channels?: readonly Named[] } {
  const { changes, difference } = accessIn(context);
  if (id === undefined) return {};
  const found = (difference.openedByBots.get(id) ?? []).map(({ name }): Named => {
    const address = channelAddress(name);
    return namedOf(changes.get(address) ?? { address, name });
  });
  return found.length === 0 ? {} : { channels: found };
}

/** Private channels that the owner until now read only through the bot. What a change of the channel itself takes away, that one says. */
const channelsTaken = ({ id }: Change, context: PlanContext): readonly RiskFact[] =>
  id === undefined ? [] : (takenWithBots(context).get(id) ?? []);

/** By the bot that is deactivated: one that only gets another owner keeps its key. One look at each channel, however many bots there are. */
const takenWithBots = oncePer((context: PlanContext): ReadonlyMap<number, readonly RiskFact[]> => {
  const { before, after, changes, difference } = accessIn(context);
  const found = new Map<number, RiskFact[]>();
  const ending = context.changes.flatMap(({ id, kind, fields }) => {
    const owner = kind === BOT && id !== undefined ? before.accounts.owners.get(id) : undefined;
    const ends = sets(fields, "deactivated", true);
    return id !== undefined && owner !== undefined && ends && after.account(owner)?.active === true
      ? [[id, owner] as const]
      : [];
  });
  if (ending.length === 0) return found;
  const owners = after.population.of(ending.map(([, owner]) => owner));
  for (const pair of difference.pairs([CHANNEL])) {
    const { was, is } = pair;
    if (was === undefined || was === "organization" || is === "organization" || !isChannel(was) || !isPrivate(was))
      continue;
    const address = channelAddress(is.name);
    if (changes.get(address)?.fields.some(({ field }) => decidesReading(field)) === true) continue;
    const lost = difference.reading(pair).lost.and(owners);
    if (lost.size === 0) continue;
    const readers = readersOf(before, was).people;
    const object = namedOf(changes.get(address) ?? { address, name: is.name });
    for (const [bot, owner] of ending)
      if (lost.has(owner) && readers.has(bot))
        addTo(found, bot, { kind: "readers", object, shift: "lost", people: 1, at_most: false });
  }
  return found;
});

function personNamed(name: unknown): Named | null {
  return typeof name === "string" ? { address: `person:${name}`, name } : null;
}
