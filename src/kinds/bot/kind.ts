import { renamedAccounts, SHORT_NAME_LEVEL } from "../../access/renamed.ts";
import type { Quoted } from "../../model/diagnostics/values.ts";
import type { MapKind } from "../../model/kind.ts";
import type { SideEffectFact } from "../../model/kind-facts.ts";
import type { Change } from "../../model/plan.ts";
import { temporaryBotName } from "../../model/temporary-name.ts";
import { canBeRole } from "../account-roles.ts";
import { writtenPerson } from "../references.ts";
import { botCalls, leastBotCalls } from "./calls.ts";
import { checkBots, checkBotsInFile } from "./check.ts";
import { canBeName, decodeBot } from "./decode.ts";
import { docs } from "./docs.ts";
import { botKey, liveBots } from "./live.ts";
import { botMoves } from "./names.ts";
import { botRisks } from "./risks.ts";
import { type Bot, botForm } from "./schema.ts";
import { botWords } from "./synonyms.ts";
import { botToYaml, inexpressible } from "./to-yaml.ts";

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
    get schema() {
      return botForm();
    },
    get synonyms() {
      return botWords();
    },
    fields: {
      full_name: { about: "The name that people see." },
      owner: { about: "Who owns the bot." },
      role: { about: "The role of the bot." },
      type: { about: "What the bot can do." },
      deactivated: { about: "Whether the bot is deactivated." },
    },
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
  const returns = fields.some(({ field, after }) => field === "deactivated" && after === false);
  const isGiven =
    risks.some(({ fact }) => fact?.kind === "bot-given") && !fields.some(({ field }) => field === "owner");
  return returns && isGiven ? { effect: "bot-owner-replaced" } : undefined;
}

/** Bots get their addresses on the domain of new bots, wherever they were before (zulip-api.md §18.3). */
function staysOnDomain({ risks }: Change): SideEffectFact | undefined {
  const addresses = risks.map(({ fact }) => (fact?.kind === "bot-address" ? fact.addresses : undefined)).find(Boolean);
  if (addresses === undefined || domainOf(addresses.before) === domainOf(addresses.after)) return undefined;
  return { effect: "bot-domain-gone", address: addresses.before };
}

const domainOf = ({ quoted }: Quoted): string => quoted.slice(quoted.lastIndexOf("@") + 1);
