import { defined } from "../../model/defined.ts";
import type { MapKind } from "../../model/kind.ts";
import type { SideEffectFact } from "../../model/kind-facts.ts";
import type { Change } from "../../model/plan.ts";
import { canBeRole, inexpressibleRole } from "../account-roles.ts";
import { botEndedAhead, leastPersonCalls, personCalls, showsBotLeaving } from "./calls.ts";
import { checkPeople } from "./check.ts";
import { decodePerson, personKey } from "./decode.ts";
import { docs } from "./docs.ts";
import { livePeople } from "./live.ts";
import { personRisks } from "./risks.ts";
import { type Person, personForm } from "./schema.ts";
import { personWords } from "./synonyms.ts";

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
    get schema() {
      return personForm();
    },
    get synonyms() {
      return personWords();
    },
    fields: {
      role: { about: "The role of the account." },
      deactivated: { about: "Whether the account is deactivated." },
    },
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
