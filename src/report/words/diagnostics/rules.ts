import { CHANNEL } from "../../../access/scope.ts";
import type { RuleFacts } from "../../../model/diagnostics/rules.ts";
import { shellWord } from "../../command-line.ts";
import { pluralOf } from "../../object-names.ts";
import { brokenText, subjectText, unknownTexts } from "../../rules/words.ts";
import { count } from "../../style.ts";
import { bare, listOf, q, say, type WordsOf } from "./words.ts";

/** The sentences about rules without an effect. If only an organization shows it, the sentence says so, since organizations change. */
const NEVER = {
  everybody: "this names everybody, so it can never fail",
  nobody: "this names nobody, so it can never fail",
  "no-limit": "at_least: 0 can never fail",
  "all-excepted": "everything that this names is excepted, so it can never fail",
  "all-archived": "everything that this names is archived, and only what a rule forbids is checked there",
  "too-many-allowed": "no organization has more people than at_most, so it can never fail",
  "any-value": "every value of the field fits this, so it can never fail",
  "no-value": "this refuses every value of the field, so it can never hold",
  "no-privacy": "no channel that this rule names has this privacy, so it checks nothing",
  "all-who-can": "this names everybody who can have the right, so it cannot fail",
  "guests-never": "no guest can ever have this right, so it cannot fail",
  "guests-must": "no guest can ever have this right, so it cannot hold",
} as const;

const NEVER_OF = {
  "bot-ignored": (name: string) => [`${name} is a bot, and this rule ignores bots`, "write bots: true in the rule"],
  deactivated: (name: string) => [
    `${name} is deactivated and can do nothing, so this cannot fail`,
    "remove the address, unless the account will be reactivated",
  ],
  "deactivated-must": (name: string) => [
    `${name} is deactivated and can do nothing, so this cannot hold`,
    "remove the address, or reactivate the account",
  ],
  "nobody-yet": (name: string) => [
    `nobody is in ${name}, so this checks nobody`,
    "correct the name, or keep it until somebody is in the group",
  ],
} as const satisfies { readonly [why: string]: (name: string) => readonly [string, string] };

const NEVER_AMONG = {
  "fewer-people": (there: string) => [
    `only ${there} can ever have this right here, so at_most cannot fail`,
    "write a smaller number, or keep it until there are more",
  ],
  "too-few-people": (there: string) => [
    `only ${there} can ever have this right here, so at_least cannot hold`,
    "write a smaller number",
  ],
} as const satisfies { readonly [why: string]: (there: string) => readonly [string, string] };

const WAYS: { readonly [why in keyof typeof NEVER]?: string } = {
  "no-privacy": "correct privacy:, or keep the rule for future channels",
  "all-excepted": "except fewer objects, or delete the rule",
  "all-archived": "delete it, or say who must not have the right",
  "guests-never": "delete it, or name members too",
  "guests-must": "delete it, or name members instead of guests",
};

const UNFIT = {
  "in-use": (field: string) => [
    `rules do not check whether an object is in use, which ${field} says`,
    "delete the line",
  ],
  list: (field: string) => [
    `${field} is a list, and is, not and has compare a single value`,
    "write rights: to say who can do what, such as rights: {read: {only: staff}}",
  ],
  has: (field: string) => [
    `${field} names no groups or people, so has: says nothing about it`,
    "write is: or not:, or name a permission setting",
  ],
} as const satisfies { readonly [why: string]: (field: string) => readonly [string, string] };

const BETWEEN = {
  "exactly-and-others": "exactly already says everything",
  "least-and-most": "at_least is more than at_most",
  "only-and-least": "at_least asks for more people than are named",
  "is-and-not": "every value under is: is also under not:",
} as const;

/** How an expectation is written with the name of what it is about. */
function aroundExpectation(word: string, expects: "right" | "field"): string {
  const form =
    expects === "right"
      ? `rights: {post: {${word}: ${word.startsWith("at_") ? 2 : "role:moderators"}}}`
      : word === "has"
        ? "fields: {can_send_message_group: {has: group}}"
        : `fields: {privacy: {${word}: public}}`;
  return `${word} says what is expected of a ${expects}: write the ${expects} around it, as in ${form}`;
}

export const ruleWords: WordsOf<RuleFacts> = {
  "rules/broken": (broken) => say(brokenText(broken)),
  "rules/version": ({ found }) => say(`version must be 1, not ${q(found)}`, "write version: 1"),
  "rules/no-rules": (fact) => {
    if ("file" in fact)
      return say(
        `${fact.file} is the file of an organization, not one of rules: it has ${fact.section}`,
        "name a file that has only version: 1 and tests: […]; `realmctl test --suggest` prints first rules",
      );
    return fact.missing === undefined
      ? say(
          "this file of rules has no rule",
          "write one: tests: [{name: Guests read the lobby, who: guest, can: {read: lobby}}]; `realmctl test --suggest` prints first ones",
        )
      : say(
          `there are no rules to check: the file ${fact.missing} does not exist`,
          `\`realmctl test --suggest > ${shellWord(fact.missing)}\` writes first ones; --rules names another file`,
        );
  },
  "rules/two-kinds": ({ test }) =>
    say(`the rule ${q(test)} has both who and objects`, "make two rules of it: one of people (who), one of objects"),
  "rules/no-subject": ({ test }) =>
    say(
      `the rule ${q(test)} names neither people nor objects`,
      "add who: (a role, a group, an address) or objects: (channels, groups)",
    ),
  "rules/no-expectation": ({ test, of }) =>
    say(
      `the rule ${q(test)} expects nothing`,
      of === "who" ? "add can: or cannot:, such as cannot: {read: ['*']}" : "add rights: or fields:",
    ),
  "rules/misplaced": ({ field, belongs }) =>
    say(`${field} belongs to rules with ${belongs}`, `write it beside ${belongs}:, or delete it`),
  "rules/empty-part": ({ part }) =>
    say(
      `${part} is empty, so it expects nothing`,
      part === "fields"
        ? "write fields: {privacy: {is: public}}, or delete it"
        : part === "rights"
          ? "write rights: {read: {only: staff}}, or delete it"
          : `write ${part}: {read: lobby}, or delete it`,
    ),
  "rules/empty-expectation": ({ right }) =>
    say(
      `${q(right)} has no expectation`,
      "write exactly, allow, deny, only, at_least or at_most (of a field: is, not or has)",
    ),
  "rules/unknown-expectation": ({ key, known, meant }) =>
    say(
      `${q(key)} is not an expectation`,
      meant === undefined ? `write ${known.join(", ")}` : `did you mean ${q(meant)}?`,
    ),
  "rules/same-name": ({ test }) => say(`two rules are called ${q(test)}`, "give one of them another name"),
  "rules/unknown-right": ({ right, meant, expects }) =>
    say(
      `there is no right ${q(right)}`,
      expects !== undefined
        ? aroundExpectation(bare(right), expects)
        : meant === undefined
          ? "rights are read, post, join, administer, delete any message, invite, …, or the API's names of settings"
          : `did you mean ${q(meant)}?`,
    ),
  "rules/right-of-other": ({ right, pattern, of }) =>
    say(
      `${q(right)} is not a right on the objects that ${q(pattern)} matches`,
      `name what has it: ${of.map((kind) => (kind === "organization" ? kind : kind === CHANNEL ? pluralOf(kind) : `${kind}:NAME`)).join(" or ")}`,
    ),
  "rules/unknown-field": ({ field, meant, expects }) =>
    say(
      `no channel or group has a field ${q(field)}`,
      expects !== undefined
        ? aroundExpectation(bare(field), expects)
        : meant === undefined
          ? "fields have the names that realm.yaml gives them"
          : `did you mean ${q(meant)}?`,
    ),
  "rules/field-of-other": ({ field, of, patterns }) =>
    say(
      `${q(field)} is a field of ${of.map(pluralOf).join(" and ")}, not of the objects that ${listOf(patterns)} names`,
      "name objects that have it under objects:, or delete the line",
    ),
  "rules/no-fields-here": () =>
    say(
      "fields can be expected of channels and groups, not of the organization",
      "name channels, or user_group:NAME, under objects:; write rights: for the organization",
    ),
  "rules/unfit-field": ({ field, why }) => say(...UNFIT[why](q(field))),
  "rules/undecided": ({ test, undecided, reasons = [] }) =>
    say(
      `the rule ${q(test)} cannot be checked: ${
        reasons.length > 0
          ? unknownTexts(reasons).join("; ")
          : `${count(undecided, "right, field or person is", "rights, fields and people are")} not known`
      }`,
      reasons.some(({ is }) => is === "unseen")
        ? "check it with an administrator's account"
        : "write these fields in the file, or add --snapshot FILE or --live",
    ),
  "rules/unknown-name": ({ name, is, meant, wasRenamed }) =>
    say(
      wasRenamed === true
        ? `after the plan, ${is === "address" ? "nobody has the address" : `no ${is} is called`} ${q(name)}; the rule means the one that ${is === "address" ? "had it" : "was"}`
        : is === "address"
          ? `nobody here has the address ${q(name)}`
          : `there is no ${is} ${q(name)} here`,
      meant === undefined
        ? is === "role"
          ? "roles are role:owners, role:administrators, role:moderators, role:fullmembers, role:members, role:everyone and role:nobody"
          : is === "folder"
            ? "folders are named as in channel_folders:"
            : "people are named by address, groups by name"
        : wasRenamed === true
          ? `write ${q(meant)} once the plan is applied`
          : `did you mean ${q(meant)}?`,
    ),
  "rules/no-match": ({ pattern, meant, wasRenamed, isUnseen }) =>
    isUnseen === true
      ? say(
          `${q(pattern)} matches nothing that this account sees; a private channel may have this name`,
          meant === undefined ? "check it with an administrator's account" : `did you mean ${q(meant)}?`,
        )
      : wasRenamed === true
        ? say(
            `after the plan, ${q(pattern)} matches nothing; the rule means what it matched before`,
            meant === undefined ? "correct it once the plan is applied" : `write ${q(meant)} once the plan is applied`,
          )
        : say(
            `${q(pattern)} matches nothing`,
            meant === undefined ? "correct it, or delete the rule: it applies to nothing" : `did you mean ${q(meant)}?`,
          ),
  "rules/as-is-of-nothing": () =>
    say("--as-is looks at an organization as it is, and none was named", "add --snapshot FILE or --live"),
  "rules/too-much": ({ test, done }) =>
    say(
      `the rule ${q(test)} takes more steps than one file of rules may; ${done} ${done === 1 ? "rule was" : "rules were"} checked before it`,
      "name fewer objects in it, or put rules into several files and check each with --rules",
    ),
  "rules/never-fails": ({ why, name, there }) => {
    if (why === "bot-ignored" || why === "deactivated" || why === "deactivated-must" || why === "nobody-yet")
      return say(...NEVER_OF[why](name === undefined ? "this" : q(name)));
    if (why === "fewer-people" || why === "too-few-people")
      return say(...NEVER_AMONG[why](count(there ?? 0, "person", "people")));
    return say(NEVER[why], WAYS[why] ?? "correct it, or delete it");
  },
  "rules/contradiction": ({ between, name, on, rule, who, least = 0, most = 0 }) => {
    if (between === "numbers-here")
      return say(
        `with ${rule === undefined ? "another part of this rule" : `the rule ${q(rule)}`}, at least ${count(least, "person", "people")} must have this right on ${on === undefined ? "this" : q(on)}, but at most ${count(most, "person", "people")} may: one of the two does not hold`,
        "change one of the numbers, or the people that the rules name",
      );
    if (between === "rules-here")
      return say(
        `for ${who === undefined ? "somebody" : subjectText(who)} and ${on === undefined ? "this" : q(on)}, ${rule === undefined ? "another part of this rule" : `the rule ${q(rule)}`} says the opposite: one of the two does not hold`,
        "name other people in one of them, or leave it out under except:",
      );
    if (between === "allow-and-deny")
      return say(`${name === undefined ? "somebody" : q(name)} is both allowed and denied`, "keep one of the two");
    if (between === "only-and-allow")
      return say(
        `allow names ${name === undefined ? "somebody" : q(name)}, but only does not`,
        "name them under only: too, or remove them from allow:",
      );
    if (between === "can-and-cannot")
      return say(
        `this rule has both can and cannot for ${on === undefined ? "the same" : q(on)}`,
        "keep one of the two",
      );
    if (between === "other-rule")
      return say(
        `${rule === undefined ? "another rule" : `the rule ${q(rule)}`} says the opposite about ${on === undefined ? "this" : q(on)}`,
        "keep one of the two",
      );
    return say(BETWEEN[between], "keep one of the two");
  },
};
