import { cases, type FactIn } from "../cases.ts";
import { releaseWords } from "../releases.ts";
import { listNames, who } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { HiddenAccounts, Person, Quoted, Word } from "./values.ts";
import { bare, didYouMean, q, say, type Words } from "./words.ts";

interface Misspelt {
  readonly name: Quoted;
  readonly meant: Quoted;
}

/** A feature that the server is too old for. */
const tooNew = cases("kind", {
  word: ({ word }: { word: Word }) => word,
  value: ({ field, value }: { field: Word; value: Word }) => `${field}: ${value}`,
  "field-of": ({ field, noun }: { field: Word; noun: Word }) =>
    `${field} of ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`,
  reactivation: ({ noun, name }: { noun: Word; name: Quoted }) => `reactivating the ${noun} ${q(name)}`,
});
export type TooNew = FactIn<typeof tooNew>;

const BOTS = "if a bot is meant: bots: declares one, and the settings of a bot that is there show its whole address";
const GROUPS = "write groups under subgroups (of a user group), or under groups (beside users)";

const PEOPLE =
  "people are named by the e-mail address of their account; {id: 17} names somebody whose address is hidden";

const underUsers = (address: Quoted): string =>
  `an address names a person: write it under users, as in {users: [${bare(address)}]} (in a user group: under members)`;
/** Several names in one text. */
function severalWay(text: Quoted, names: readonly Quoted[], isEntry: boolean): string {
  const list = names.map(bare).join(", ");
  if (/\s-\s/.test(bare(text)))
    return `each "- " of a list starts in the same column, and one of these is further in: write [${list}], or move it`;
  return isEntry ? `these are ${names.length} names: write ${list}, with commas` : `write {groups: [${list}]}`;
}

/** Errors in names that refer to groups, people, channels and folders. */
export const references = {
  "reference/renamed": diagnostic<{ noun: Word; name: Quoted; renamed_to: Quoted }>({
    says: ({ noun, name, renamed_to }) => `this file renames the ${noun} ${q(name)} to ${q(renamed_to)}`,
    help: ({ renamed_to }) => `write ${q(renamed_to)} here too`,
    means: "The file renames this object, and still uses the old name here.",
    out: "Write the new name here too.",
  }),
  "reference/deactivated-group": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `the group ${q(name)} is deactivated`,
    help: "declare it under user_groups to reactivate it, or name another group",
    means: "The group is deactivated, so no setting can name it.",
    out: "Declare it under `user_groups` to reactivate it, or name another group.",
  }),
  "reference/unknown-group": diagnostic<
    | {
        found: "no-group";
        name: Quoted;
        /** What it is instead. */
        means?: "a-person" | "guests";
        meant?: Quoted;
        several?: readonly Quoted[];
        /** The name is an entry of a list. */
        is_entry?: true;
        /** The number of members of the suggested group, if it is on the server. */
        members?: number;
        /** The first existing groups, not all: a file can have thousands of unknown names, and each error has this list. */
        known: readonly Quoted[];
        /** The number of other existing groups. */
        more: number;
      }
    | {
        found: "no-role";
        name: Quoted;
        meant?: Quoted;
        roles: readonly Word[];
        several?: readonly Quoted[];
        is_entry?: true;
      }
  >({
    says: (fact) => {
      if (bare(fact.name) === "")
        return say("the name of a group is empty", "write the name of a group, or role:nobody; or delete the line");
      if (fact.several !== undefined)
        return say(
          `there is no group ${q(fact.name)}${fact.found === "no-role" ? "" : " here"}`,
          severalWay(fact.name, fact.several, fact.is_entry === true),
        );
      if (fact.found === "no-role")
        return say(
          `there is no role ${q(fact.name)}`,
          didYouMean(fact.meant, `the roles are ${listNames(fact.roles)}`),
          "if a newer server has this role, --live or --snapshot finds it",
        );
      const known = knownGroups(fact.known, fact.more);
      const message = `there is no group ${q(fact.name)} here`;
      if (fact.means === "a-person") return say(message, underUsers(fact.name));
      if (fact.means === "guests")
        return say(
          message,
          "there is no role of guests alone: role:everyone has them and all others; for guests alone, declare a group of them",
          known,
        );
      if (fact.meant === undefined)
        return say(
          message,
          "if it was renamed, write its name of today; to create it, declare it under user_groups",
          known,
        );
      return say(message, `did you mean ${q(fact.meant)}${sizeText(fact.members)}?`, known);
    },
    means: "The organization has no group with this name, and the file does not declare one.",
    out: "Correct the name. Roles are written `role:owners` to `role:everyone`, and `role:nobody`.",
  }),
  /** Without `meant`, the name is an address. */
  "reference/misspelt-group": diagnostic<Misspelt | { name: Quoted; meant?: undefined }>({
    says: ({ name, meant }) =>
      meant === undefined
        ? say(`${q(name)} is not a group of this file, and looks like the address of a person`, underUsers(name))
        : misspelt({ name, meant }),
    means:
      "The file does not declare this group, and its name is similar to one that is known, or is the address of a person. Without a server it is not certain that this is an error.",
    out: "Validate with `--snapshot`, or correct the name.",
  }),
  "reference/misspelt-channel": diagnostic<Misspelt>({
    says: misspelt,
    means:
      "The file does not declare this channel, but declares one with nearly the same name. Without a server it is not certain which one you mean.",
    out: "Correct the name, or validate with a snapshot or an account (`--snapshot`, `--live`).",
  }),
  "reference/misspelt-folder": diagnostic<Misspelt>({
    says: misspelt,
    means:
      "The file does not declare this folder, but declares one with nearly the same name. Without a server it is not certain which one you mean.",
    out: "Correct the name, or validate with a snapshot or an account (`--snapshot`, `--live`).",
  }),
  "reference/unknown-person": diagnostic<
    | { found: "no-id"; id: number }
    /** The address that the server showed while the account hid its own; a warning. */
    | { found: "stand-in"; address: Quoted; id: number }
    | (HiddenAccounts & {
        found: "no-address";
        address: Quoted;
        meant?: Quoted;
        /** The entry gives the person a role, and the only hidden account has another one. */
        role?: { readonly now: Word; readonly file: Word };
        /** What it is instead: the name of a group, or an address in the form of a bot's. */
        means?: "a-group" | "a-bot";
        /** Addresses without a comma between them. */
        several?: readonly Quoted[];
        /** The address is the key of an item. */
        is_key?: true;
      })
  >({
    says: (fact) => {
      if (fact.found === "no-id")
        return say(
          `there is no account with the id ${fact.id} here`,
          "the id is the number at the end of the link to a person's profile",
        );
      if (fact.found === "stand-in")
        return say(
          `${q(fact.address)} stood for the account ${fact.id} while it hid its address, and no longer exists`,
          `write {id: ${fact.id}}`,
        );
      if (fact.means === "a-group") return say(`${q(fact.address)} is a group, and people are named here`, GROUPS);
      const message = `nobody here has the address ${q(fact.address)}`;
      if (fact.several !== undefined) return say(message, severalWay(fact.address, fact.several, true));
      if (fact.is_key === true && fact.meant === undefined && fact.hidden === 0)
        return say(message, "correct the address; realmctl creates no accounts: invites sends invitations");
      if (fact.hidden === 0 || fact.meant !== undefined)
        return say(message, didYouMean(fact.meant, fact.means === "a-bot" ? BOTS : PEOPLE));
      return say(
        `no account has the address ${q(fact.address)}, as far as the account that runs this can see: it does not see the addresses of ${fact.hidden} ${fact.hidden === 1 ? "account" : "accounts"}`,
        fact.only === undefined
          ? `name the person by the id, as in ${idForm(17, fact.is_key)}, or use an account that may see addresses`
          : `if it is ${fact.only.full_name ?? "that one"}, write ${idForm(fact.only.user_id, fact.is_key)}${fact.role === undefined ? "" : `: the role is ${fact.role.now} now, and not ${fact.role.file}`}`,
      );
    },
    means: "Nobody in the organization has this address or id.",
    out: "Correct it. Hidden addresses are not known: name such an account by its id, `{id: 17}`.",
  }),
  "reference/deactivated-person": diagnostic<{
    person: Person;
    name: Quoted;
    /** The file reactivates the account. */
    returns?: true;
  }>({
    says: ({ person: { full_name }, name, returns }) =>
      `the account of ${full_name === undefined ? bare(name) : `${full_name} (${bare(name)})`} is deactivated${returns ? " until this file reactivates it" : ""}`,
    help: ({ returns }) =>
      returns
        ? "apply reactivates the account first, and then writes what names it here; nothing needs to be changed"
        : "leave the person out, or name another: the server rejects deactivated accounts",
    means:
      "The account is deactivated; the server refuses it in lists of people. If the same file reactivates it, this is a warning: one run reactivates the account and then writes what names it.",
    out: "Take the person out of the list, or reactivate the account (`deactivated: false`).",
  }),
  /** Nothing is planned for the object, or for the field. */
  "reference/held": diagnostic<{
    noun: Word;
    name: Quoted;
    field?: Word;
    /** The object that it names and that is held; absent: a name in the object itself does not resolve. `is_unsure`: its entry can mean two objects. */
    needs?: { readonly noun: Word; readonly name: Quoted; readonly is_unsure?: true };
    /** What it names exists, and cannot be named any more: it is archived, or deactivated. */
    is_gone?: true;
    /** All that it names without such an object are accounts which the file reactivates. */
    returns?: true;
    /** Its name is that of another object, which stays as it is, and so does not become `by`. */
    taken?: { readonly by: Quoted; readonly is_new: boolean };
  }>({
    says: ({ noun, name, field, needs, is_gone, returns, taken }) => {
      const end = field !== undefined || taken?.is_new === false ? "stays as it is" : "is not created";
      const cause =
        taken !== undefined
          ? `the ${noun} that has this name does not become ${q(taken.by)}`
          : needs !== undefined
            ? `it names the ${needs.noun} ${q(needs.name)}, ${needs.is_unsure === true ? "and it is not known which object that is" : "which is not there yet"}`
            : is_gone
              ? "something that it names is archived or deactivated"
              : "a name in it does not resolve";
      if (returns)
        return say(
          `${field === undefined ? "" : `${field} of `}the ${noun} ${q(name)} waits for an account that this file reactivates`,
          "apply reactivates the account first, and then makes this change, unless others gain something by it: the next plan shows that",
        );
      const isOther = taken !== undefined || needs !== undefined;
      const mend = isOther ? "what keeps it from that" : "the name that does not resolve";
      return say(
        `${field === undefined ? "" : `${field} of `}the ${noun} ${q(name)} ${end}: ${cause}`,
        `mend ${is_gone ? "that error" : mend}; everything that does not need it is planned`,
      );
    },
    means:
      "A name in the object means nothing on the server, or it names an object that is not created for that reason; or its name is that of another object, whose own rename cannot be made. New objects are made whole or not at all; everything else is planned and applied.",
    out: "Correct the name, or take it out of the file: its own error says what the server has there. `realmctl adopt` takes that.",
  }),
  /** What is wrong with the exception of a list of people. */
  "reference/except": diagnostic({
    says: cases("found", {
      "in-both": ({ name }: { name: Quoted }) =>
        say(`${q(name)} is in the list and in its except`, "take it out of one of them"),
      "of-nobody": ({ name }: { name: Quoted }) =>
        say(
          `except leaves ${q(name)} out, but the list does not name them`,
          "leave it out, or name a group in the list",
        ),
      "nobody-out": ({ field, noun, name }: { noun: Word; name: Quoted; field: Word }) =>
        say(
          `except of ${field} of the ${noun} ${q(name)} leaves nobody out: nobody in the list is in it`,
          "look whether it names the right groups and people; if somebody may be in both later, nothing needs to be changed",
        ),
      "nobody-left": ({ field, noun, name }: { noun: Word; name: Quoted; field: Word }) =>
        say(
          `except of ${field} of the ${noun} ${q(name)} leaves nobody in the list`,
          "name others in the list, or fewer in except",
        ),
      /** @property people the first of those who are in the list in spite of its exception, since it is not exact */
      "still-there": ({
        noun,
        name,
        field,
        people,
        more,
      }: {
        noun: Word;
        name: Quoted;
        field: Word;
        people: readonly Person[];
        more: number;
      }) =>
        say(
          `the ${noun} ${q(name)} has ${field} whom its except leaves out: ${people.map(who).join(", ")}${more === 0 ? "" : ` and ${more} more`}`,
          "write exact: true, which takes out everybody whom the list does not have; or take them out by hand",
        ),
    }),
    means:
      "The `except` of a list contradicts the list, or it leaves out nobody, or everybody; or the list is not exact, and somebody whom `except` leaves out is there.",
    out: "Take the name out of the list or of `except`. If nobody is in both only today, nothing needs to be changed: the list is right for everybody who comes later.",
  }),
  "reference/ambiguous-person": diagnostic<{ address: Quoted; accounts: readonly Person[] }>({
    says: ({ address, accounts }) => `${accounts.length} accounts have the address ${q(address)}`,
    help: ({ accounts }) => `write ${listNames(accounts.map(idOf)).replace(/ and (?!.* and )/, " or ")}`,
    means: "Several accounts have this address.",
    out: "Name the account by its id: `{id: 17}`.",
  }),
  "reference/not-an-address": diagnostic<{
    text: Quoted;
    means?: "a-group";
    several?: readonly Quoted[];
    /** The address in the text. */
    meant?: Quoted;
    /** The text is the key of an item. */
    is_key?: true;
  }>({
    says: ({ text, means, several, meant, is_key }) => {
      if (means === "a-group") return say(`${q(text)} is a group, and people are named here`, GROUPS);
      const message = `${q(text)} is not an e-mail address`;
      if (several !== undefined) return say(message, severalWay(text, several, true));
      if (meant !== undefined) return say(message, `write the address alone: ${bare(meant)}`);
      return say(
        message,
        is_key === true || /[@\s]/.test(bare(text)) ? PEOPLE : `${PEOPLE}; if it is a group, ${GROUPS}`,
      );
    },
    means: "People are named by the e-mail address of their account, but this text is not an address.",
    out: "Write the address; `{id: 17}` names somebody who hides it.",
  }),
  "reference/removed": diagnostic<{
    noun: Word;
    name: Quoted;
    /** The effect of a removal for this kind. */
    removal: "archives" | "deactivates" | "removes";
    section: Word;
    is_declared: boolean;
    /** Found in the file alone, without a plan. */
    by?: "file";
    named_by?: { readonly noun: Word; readonly name: Quoted; readonly field?: Word };
  }>({
    says: ({ noun, name, removal, section, is_declared, by, named_by }) => {
      const place =
        named_by === undefined
          ? "this line"
          : `${named_by.field === undefined ? "" : `${named_by.field} of `}the ${named_by.noun} ${q(named_by.name)}`;
      return say(
        `this ${by ?? "plan"} ${removal} the ${noun} ${q(name)}, but ${place} names it`,
        is_declared ? "keep it, or name another one" : `declare it under ${section} to keep it, or name another one`,
      );
    },
    means:
      "The file names an object in one place and removes it in another: by `absent`, `archived` or `deactivated`, or because the section is `exact` and does not declare it. An apply would stop halfway, or realmctl would refuse the file afterwards.",
    out: "Declare the object so that it stays, or name another one; the note shows what removes it.",
  }),
  /** @param since the level from which servers have it; default: all that realmctl knows */
  "plan/setting-gone": diagnostic<{ setting: Word; level: number; since?: number }>({
    says: ({ setting, level, since }) =>
      `this server (feature level ${level}) no longer has ${setting}${since === undefined ? "" : `, which came with ${releaseWords(since)}`}`,
    help: "delete it from the file",
    means:
      "Servers of this feature level usually have the setting, but this one neither shows nor describes it: a newer version of Zulip has dropped or renamed it, or the server is a changed one. It would ignore a request.",
    out: "Delete it from the file. `realmctl whoami` names the settings that this server has and realmctl does not know.",
  }),
  "plan/server-too-old": diagnostic<{ what: TooNew; needs: number; level: number }>({
    says: ({ what, needs, level }) =>
      `${tooNew(what)} needs ${releaseWords(needs)}, and this server has level ${level}`,
    help: "delete it from the file, or upgrade the server",
    means: "The server is too old for a field, a value or a section.",
    out: "Delete it, or upgrade the server.",
  }),
};

/** How an account is named by its id. */
const idForm = (id: number, isKey: true | undefined): string => (isKey === true ? `"user:${id}"` : `{id: ${id}}`);

function misspelt({ name, meant }: { readonly name: Quoted; readonly meant: Quoted }): Words {
  return say(
    `${q(name)} is not declared in this file, and looks like ${q(meant)}`,
    `write ${q(meant)}, if it is meant; validate --snapshot (or --live) knows whether ${q(name)} exists`,
  );
}

function knownGroups(known: readonly Quoted[], more: number): string {
  const names = [...known.map(bare), ...(more === 0 ? [] : [`${more} more`])].join(", ");
  return `groups of this organization: ${names}${names === "" ? "" : ", and "}role:owners … role:everyone`;
}

const sizeText = (members: number | undefined): string =>
  members === undefined ? "" : ` (${members} ${members === 1 ? "member" : "members"})`;

/** A way to name one of several accounts; without its name for readers who may not know that. */
const idOf = ({ user_id, full_name }: Person): string =>
  full_name === undefined ? `{id: ${user_id}}` : `{id: ${user_id}} for ${full_name}`;
