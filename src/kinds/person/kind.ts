import { defined } from "../../model/defined.ts";
import type { DocsFacet } from "../../model/facets.ts";
import type { MapKind } from "../../model/kind.ts";
import type { SideEffectFact } from "../../model/kind-facts.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Change } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { canBeRole, inexpressibleRole, roleField } from "../accounts.ts";
import { botEndedAhead, leastPersonCalls, personCalls, showsBotLeaving } from "./calls.ts";
import { checkPeople } from "./check.ts";
import { personRisks } from "./risks.ts";
import { decodePerson, type Person, personForm, personKey } from "./schema.ts";
import { personWords } from "./synonyms.ts";

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
    synonyms: personWords,
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

/** Every account of a person, by the address that the reading account sees; bots are another kind. */
function livePeople(realm: Realm): readonly LiveObject[] {
  return realm.snapshot.users
    .filter(({ is_bot }) => !is_bot)
    .map((user) => {
      const { user_id: id, is_active } = user;
      const name = realm.userName(id);
      return {
        key: name,
        name,
        id,
        fields: { role: roleField(user), deactivated: !is_active },
        inactive: !is_active,
      };
    });
}
