import { renamedAccounts, SHORT_NAME_LEVEL } from "../../access/renamed.ts";
import { defined } from "../../model/defined.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import type { DocsFacet } from "../../model/facets.ts";
import type { Json } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import type { InexpressibleFact, SideEffectFact } from "../../model/kind-facts.ts";
import type { LiveObject } from "../../model/objects.ts";
import { type Change, fieldIn, sets } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { temporaryBotName } from "../../model/temporary-name.ts";
import { canBeRole, inexpressibleRole } from "../accounts.ts";
import { writtenPerson } from "../references.ts";
import { botCalls, botMoves, leastBotCalls } from "./calls.ts";
import { checkBots, checkBotsInFile } from "./check.ts";
import { botRisks } from "./risks.ts";
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
    traits: { full_name: "value", owner: "other", type: "fixed" },
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
