import type { ReferenceFacts, TooNew } from "../../../model/diagnostics/references.ts";
import type { Person, Quoted } from "../../../model/diagnostics/values.ts";
import { listNames } from "../list-names.ts";
import { who } from "../names.ts";
import { releaseWords } from "../releases.ts";
import { bare, didYouMean, q, say, type Words, type WordsOf } from "./words.ts";

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

export const referenceWords: WordsOf<ReferenceFacts> = {
  "reference/renamed": ({ noun, name, renamed_to }) =>
    say(`this file renames the ${noun} ${q(name)} to ${q(renamed_to)}`, `write ${q(renamed_to)} here too`),
  "reference/deactivated-group": ({ name }) =>
    say(`the group ${q(name)} is deactivated`, "declare it under user_groups to reactivate it, or name another group"),
  "reference/unknown-group": (fact) => {
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
  "reference/misspelt-group": ({ name, meant }) =>
    meant === undefined
      ? say(`${q(name)} is not a group of this file, and looks like the address of a person`, underUsers(name))
      : misspelt({ name, meant }),
  "reference/misspelt-channel": misspelt,
  "reference/misspelt-folder": misspelt,
  "reference/unknown-person": (fact) => {
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
  "reference/deactivated-person": ({ person: { full_name }, name, returns }) =>
    say(
      `the account of ${full_name === undefined ? bare(name) : `${full_name} (${bare(name)})`} is deactivated${returns ? " until this file reactivates it" : ""}`,
      returns
        ? "apply reactivates the account first, and then writes what names it here; nothing needs to be changed"
        : "leave the person out, or name another: the server rejects deactivated accounts",
    ),
  "reference/held": ({ noun, name, field, needs, is_gone, returns, taken }) => {
    const end = field !== undefined || taken?.is_new === false ? "stays as it is" : "is not created";
    const cause =
      taken !== undefined
        ? `the ${noun} that has this name does not become ${q(taken.by)}`
        : needs !== undefined
          ? `it names the ${needs.noun} ${q(needs.name)}, which is not there yet`
          : is_gone
            ? "something that it names is archived or deactivated"
            : "a name in it does not resolve";
    if (returns)
      return say(
        `${field === undefined ? "" : `${field} of `}the ${noun} ${q(name)} waits for an account that this file reactivates`,
        "apply reactivates the account first, and then makes this change; nothing needs to be changed",
      );
    const isOther = taken !== undefined || needs !== undefined;
    const mend = isOther ? "what keeps it from that" : "the name that does not resolve";
    return say(
      `${field === undefined ? "" : `${field} of `}the ${noun} ${q(name)} ${end}: ${cause}`,
      `mend ${is_gone ? "that error" : mend}; everything that does not need it is planned`,
    );
  },
  "reference/except": (fact) => {
    switch (fact.found) {
      case "in-both":
        return say(`${q(fact.name)} is in the list and in its except`, "take it out of one of them");
      case "of-nobody":
        return say(
          `except leaves ${q(fact.name)} out, but the list does not name them`,
          "leave it out, or name a group in the list",
        );
      case "nobody-out":
        return say(
          `except of ${fact.field} of the ${fact.noun} ${q(fact.name)} leaves nobody out: nobody in the list is in it`,
          "look whether it names the right groups and people; if somebody may be in both later, nothing needs to be changed",
        );
      case "still-there":
        return say(
          `the ${fact.noun} ${q(fact.name)} has ${fact.field} whom its except leaves out: ${fact.people.map(who).join(", ")}${fact.more === 0 ? "" : ` and ${fact.more} more`}`,
          "write exact: true, which takes out everybody whom the list does not have; or take them out by hand",
        );
      case "nobody-left":
        return say(
          `except of ${fact.field} of the ${fact.noun} ${q(fact.name)} leaves nobody in the list`,
          "name others in the list, or fewer in except",
        );
    }
  },
  "reference/ambiguous-person": ({ address, accounts }) =>
    say(
      `${accounts.length} accounts have the address ${q(address)}`,
      `write ${listNames(accounts.map(idOf)).replace(/ and (?!.* and )/, " or ")}`,
    ),
  "reference/not-an-address": ({ text, means, several, meant, is_key }) => {
    if (means === "a-group") return say(`${q(text)} is a group, and people are named here`, GROUPS);
    const message = `${q(text)} is not an e-mail address`;
    if (several !== undefined) return say(message, severalWay(text, several, true));
    if (meant !== undefined) return say(message, `write the address alone: ${bare(meant)}`);
    return say(
      message,
      is_key === true || /[@\s]/.test(bare(text)) ? PEOPLE : `${PEOPLE}; if it is a group, ${GROUPS}`,
    );
  },
  "reference/removed": ({ noun, name, removal, section, is_declared, by, named_by }) => {
    const place =
      named_by === undefined
        ? "this line"
        : `${named_by.field === undefined ? "" : `${named_by.field} of `}the ${named_by.noun} ${q(named_by.name)}`;
    return say(
      `this ${by ?? "plan"} ${removal} the ${noun} ${q(name)}, but ${place} names it`,
      is_declared ? "keep it, or name another one" : `declare it under ${section} to keep it, or name another one`,
    );
  },
  "plan/setting-gone": ({ setting, level, since }) =>
    say(
      `this server (feature level ${level}) no longer has ${setting}${since === undefined ? "" : `, which came with ${releaseWords(since)}`}`,
      "delete it from the file",
    ),
  "plan/server-too-old": ({ what, needs, level }) =>
    say(
      `${tooNew(what)} needs ${releaseWords(needs)}, and this server has level ${level}`,
      "delete it from the file, or upgrade the server",
    ),
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

function tooNew(what: TooNew): string {
  switch (what.kind) {
    case "word":
      return what.word;
    case "value":
      return `${what.field}: ${what.value}`;
    case "field-of":
      return `${what.field} of ${/^[aeiou]/.test(what.noun) ? "an" : "a"} ${what.noun}`;
    case "reactivation":
      return `reactivating the ${what.noun} ${q(what.name)}`;
  }
}

/** A way to name one of several accounts; without its name for readers who may not know that. */
const idOf = ({ user_id, full_name }: Person): string =>
  full_name === undefined ? `{id: ${user_id}}` : `{id: ${user_id}} for ${full_name}`;
