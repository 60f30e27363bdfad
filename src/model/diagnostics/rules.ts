import { cases, type FactIn } from "../cases.ts";
import { commandLine, shellWord } from "../command-line.ts";
import { count, people } from "../words.ts";
import type { BrokenRule, RuleSubject, RuleUnknown } from "./broken-rules.ts";
import { diagnostic, type ReportWords } from "./definition.ts";
import type { HiddenAccounts, Quoted, Word } from "./values.ts";
import { bare, hiddenAdvice, listOf, q, say, type Words } from "./words.ts";

/** A part of a rule that has no effect in any organization. */
const never = (message: string, way = "correct it, or delete it"): Words => say(message, way);

interface OfSomebody {
  readonly name: Quoted;
}

/** The number of people in the organization. */
interface AmongPeople {
  readonly there: number;
}

/** Why a rule has no effect. If only an organization shows it, the sentence says so, since organizations change. */
const neverFails = cases("why", {
  everybody: never("this names everybody, so it can never fail"),
  nobody: never("this names nobody, so it can never fail"),
  "no-limit": never("at_least: 0 can never fail"),
  "all-excepted": never(
    "everything that this names is excepted, so it can never fail",
    "except fewer objects, or delete the rule",
  ),
  "all-archived": never(
    "everything that this names is archived, and only what a rule forbids is checked there",
    "delete it, or say who must not have the right",
  ),
  "too-many-allowed": never("no organization has more people than at_most, so it can never fail"),
  "any-value": never("every value of the field fits this, so it can never fail"),
  "no-value": never("this refuses every value of the field, so it can never hold"),
  "no-privacy": never(
    "no channel that this rule names has this privacy, so it checks nothing",
    "correct privacy:, or keep the rule for future channels",
  ),
  "all-who-can": never("this names everybody who can have the right, so it cannot fail"),
  "guests-never": never("no guest can ever have this right, so it cannot fail", "delete it, or name members too"),
  "guests-must": never(
    "no guest can ever have this right, so it cannot hold",
    "delete it, or name members instead of guests",
  ),
  "bot-ignored": ({ name }: OfSomebody) =>
    say(`${q(name)} is a bot, and this rule ignores bots`, "write bots: true in the rule"),
  deactivated: ({ name }: OfSomebody) =>
    say(
      `${q(name)} is deactivated and can do nothing, so this cannot fail`,
      "remove the address, unless the account will be reactivated",
    ),
  "deactivated-must": ({ name }: OfSomebody) =>
    say(
      `${q(name)} is deactivated and can do nothing, so this cannot hold`,
      "remove the address, or reactivate the account",
    ),
  "nobody-yet": ({ name }: OfSomebody) =>
    say(
      `nobody is in ${q(name)}, so this checks nobody`,
      "correct the name, or keep it until somebody is in the group",
    ),
  "fewer-people": ({ there }: AmongPeople) =>
    say(
      `only ${people(there)} can ever have this right here, so at_most cannot fail`,
      "write a smaller number, or keep it until there are more",
    ),
  "too-few-people": ({ there }: AmongPeople) =>
    say(`only ${people(there)} can ever have this right here, so at_least cannot hold`, "write a smaller number"),
});

const KEEP_ONE = "keep one of the two";

/** What says the opposite of what. A `rule` is another one than that in which the contradiction is reported. */
const contradicts = cases("between", {
  "exactly-and-others": say("exactly already says everything", KEEP_ONE),
  "least-and-most": say("at_least is more than at_most", KEEP_ONE),
  "only-and-least": say("at_least asks for more people than are named", KEEP_ONE),
  "is-and-not": say("every value under is: is also under not:", KEEP_ONE),
  "allow-and-deny": ({ name }: OfSomebody) => say(`${q(name)} is both allowed and denied`, KEEP_ONE),
  "only-and-allow": ({ name }: OfSomebody) =>
    say(`allow names ${q(name)}, but only does not`, "name them under only: too, or remove them from allow:"),
  "can-and-cannot": ({ on }: { on: Quoted }) => say(`this rule has both can and cannot for ${q(on)}`, KEEP_ONE),
  "other-rule": ({ on, rule }: { on: Quoted; rule: Quoted }) =>
    say(`the rule ${q(rule)} says the opposite about ${q(on)}`, KEEP_ONE),
  /** @property who about whom the two contradict each other */
  "rules-here": ({ on, who, rule }: { on: Quoted; who: RuleSubject; rule?: Quoted }, report: ReportWords) =>
    say(
      `for ${report.subjectText(who)} and ${q(on)}, ${otherPart(rule)} says the opposite: one of the two does not hold`,
      "name other people in one of them, or leave it out under except:",
    ),
  /** @property least the minimum, and `most` the maximum number of people with the right */
  "numbers-here": ({ on, least, most, rule }: { on: Quoted; least: number; most: number; rule?: Quoted }) =>
    say(
      `with ${otherPart(rule)}, at least ${people(least)} must have this right on ${q(on)}, but at most ${people(most)} may: one of the two does not hold`,
      "change one of the numbers, or the people that the rules name",
    ),
});

const otherPart = (rule: Quoted | undefined): string =>
  rule === undefined ? "another part of this rule" : `the rule ${q(rule)}`;

/** Why nothing can be expected of a field in this way. */
const unfit = cases("why", {
  "in-use": ({ field }: { field: Quoted }) =>
    say(`rules do not check whether an object is in use, which ${q(field)} says`, "delete the line"),
  list: ({ field }: { field: Quoted }) =>
    say(
      `${q(field)} is a list, and is, not and has compare a single value`,
      "write rights: to say who can do what, such as rights: {read: {only: staff}}",
    ),
  has: ({ field }: { field: Quoted }) =>
    say(
      `${q(field)} names no groups or people, so has: says nothing about it`,
      "write is: or not:, or name a permission setting",
    ),
});

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

/** Errors in rules about access. */
export const rules = {
  "rules/broken": diagnostic<BrokenRule>({
    says: (broken, report) => report.brokenText(broken),
    means: "A rule about access does not hold.",
    out: "Change what gives the right (the message names it, and the line), or the rule.",
  }),
  "rules/version": diagnostic<{ found: Quoted }>({
    says: ({ found }) => `version must be 1, not ${q(found)}`,
    help: "write version: 1",
    means: "The version of the file is not 1, the only one that exists.",
    out: "Write `version: 1`.",
  }),
  /**
   * @property missing the file that the command would read, and that does not exist
   * @property of the organization's file, if it is not the usual one
   */
  "rules/no-rules": diagnostic<
    | { missing?: Word; of?: Word }
    /** The file is a configuration: it has a section. */
    | { file: Word; section: Word }
  >({
    says: (fact) => {
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
            `\`${commandLine(["test", ...(fact.of === undefined ? [] : [fact.of]), "--suggest"])} > ${shellWord(fact.missing)}\` writes first ones; --rules names another file`,
          );
    },
    means:
      "There is no file of rules, or it has no rule: `tests` is missing or an empty list. A test without rules must not pass.",
    out: "Write one below `tests:`; `realmctl test --suggest` prints rules that are true today, as a start. Remove the file if you want none.",
  }),
  "rules/two-kinds": diagnostic<{ test: Quoted }>({
    says: ({ test }) => `the rule ${q(test)} has both who and objects`,
    help: "make two rules of it: one of people (who), one of objects",
    means: "A rule is about people or about objects; this one is about both.",
    out: "Make two rules of it.",
  }),
  "rules/no-subject": diagnostic<{ test: Quoted }>({
    says: ({ test }) => `the rule ${q(test)} names neither people nor objects`,
    help: "add who: (a role, a group, an address) or objects: (channels, groups)",
    means: "The rule names neither people nor objects.",
    out: "Add `who` or `objects`.",
  }),
  "rules/no-expectation": diagnostic<{ test: Quoted; of: "who" | "objects" }>({
    says: ({ test }) => `the rule ${q(test)} expects nothing`,
    help: ({ of }) => (of === "who" ? "add can: or cannot:, such as cannot: {read: ['*']}" : "add rights: or fields:"),
    means: "The rule names people or objects, but has no expectation.",
    out: "Add `can`, `cannot`, `rights` or `fields`.",
  }),
  "rules/misplaced": diagnostic<{ field: Word; belongs: "who" | "objects" }>({
    says: ({ field, belongs }) => `${field} belongs to rules with ${belongs}`,
    help: ({ belongs }) => `write it beside ${belongs}:, or delete it`,
    means:
      "`can` and `cannot` belong to rules about people (`who`), `rights` and `fields` to rules about objects (`objects`).",
    out: "Make two rules of it.",
  }),
  "rules/empty-part": diagnostic<{ part: "can" | "cannot" | "rights" | "fields" }>({
    says: ({ part }) => `${part} is empty, so it expects nothing`,
    help: ({ part }) =>
      part === "fields"
        ? "write fields: {privacy: {is: public}}, or delete it"
        : part === "rights"
          ? "write rights: {read: {only: staff}}, or delete it"
          : `write ${part}: {read: lobby}, or delete it`,
    means: "`can`, `cannot`, `rights` or `fields` of a rule is empty, so that the rule expects nothing there.",
    out: "Write what is expected, or delete the line.",
  }),
  "rules/empty-expectation": diagnostic<{ right: Quoted }>({
    says: ({ right }) => `${q(right)} has no expectation`,
    help: "write exactly, allow, deny, only, at_least or at_most (of a field: is, not or has)",
    means: "The rule names a right or a field, but says nothing about it.",
    out: "Write `exactly`, `allow`, `deny`, `only`, `at_least` or `at_most`; of a field `is`, `not` or `has`.",
  }),
  "rules/unknown-expectation": diagnostic<{ key: Quoted; known: readonly Word[]; meant?: Word }>({
    says: ({ key }) => `${q(key)} is not an expectation`,
    help: ({ known, meant }) => (meant === undefined ? `write ${known.join(", ")}` : `did you mean ${q(meant)}?`),
    means: "The word below a right or a field has no meaning there.",
    out: "Of a right write `exactly`, `allow`, `deny`, `only`, `at_least` or `at_most`; of a field `is`, `not` or `has`.",
  }),
  "rules/same-name": diagnostic<{ test: Quoted }>({
    says: ({ test }) => `two rules are called ${q(test)}`,
    help: "give one of them another name",
    means: "Two rules have the same name, so reports could not tell them apart.",
    out: "Give one another name.",
  }),
  /** @property expects the word says what is expected of a right, or of a field, whose name is missing */
  "rules/unknown-right": diagnostic<{ right: Quoted; meant?: Word; expects?: "right" | "field" }>({
    says: ({ right }) => `there is no right ${q(right)}`,
    help: ({ right, meant, expects }) =>
      expects !== undefined
        ? aroundExpectation(bare(right), expects)
        : meant === undefined
          ? "rights are read, post, join, administer, delete any message, invite, …, or the API's names of settings"
          : `did you mean ${q(meant)}?`,
    means: "The word is not the name of a right, neither in plain words nor in the API.",
    out: "Take what the message suggests.",
  }),
  /** @property of what has the right: kinds, or the organization */
  "rules/right-of-other": diagnostic<{ right: Quoted; pattern: Quoted; of: readonly Word[] }>({
    says: ({ right, pattern }) => `${q(right)} is not a right on the objects that ${q(pattern)} matches`,
    help: ({ of }, report) => `name what has it: ${of.map(report.patternOf).join(" or ")}`,
    means: "The objects that the pattern matches do not have this right.",
    out: "Name channels by name, groups as `user_group:NAME`, the whole organization as `organization`.",
  }),
  /** @property expects as for rights */
  "rules/unknown-field": diagnostic<{ field: Quoted; meant?: Word; expects?: "right" | "field" }>({
    says: ({ field }) => `no channel or group has a field ${q(field)}`,
    help: ({ field, meant, expects }) =>
      expects !== undefined
        ? aroundExpectation(bare(field), expects)
        : meant === undefined
          ? "fields have the names that realm.yaml gives them"
          : `did you mean ${q(meant)}?`,
    means: "No channel or group has a field with this name.",
    out: "Fields have the names that realm.yaml gives them.",
  }),
  /** @property of kinds that have the field */
  "rules/field-of-other": diagnostic<{ field: Quoted; of: readonly Word[]; patterns: readonly Quoted[] }>({
    says: ({ field, of, patterns }, report) =>
      `${q(field)} is a field of ${of.map(report.pluralOf).join(" and ")}, not of the objects that ${listOf(patterns)} names`,
    help: "name objects that have it under objects:, or delete the line",
    means: "The objects that the rule names do not have this field.",
    out: "Name channels for fields of channels, `user_group:NAME` for fields of groups.",
  }),
  "rules/no-fields-here": diagnostic({
    says: "fields can be expected of channels and groups, not of the organization",
    help: "name channels, or user_group:NAME, under objects:; write rights: for the organization",
    means: "`fields` are expected of channels and groups. The organization has rights only.",
    out: "Name channels or groups under `objects`; for the organization write `rights`.",
  }),
  "rules/unfit-field": diagnostic<FactIn<typeof unfit>>({
    says: (fact) => unfit(fact),
    means:
      "Nothing can be expected of this field in this way: it is a list, it is the same for every object in use, or `has` is used for a field that names nobody.",
    out: "Write `rights` for who can do what, or `is` and `not`.",
  }),
  /** @property undecided the number of rights on objects, fields and people whose state is unknown */
  "rules/undecided": diagnostic<{ test: Quoted; undecided: number; reasons?: readonly RuleUnknown[] }>({
    says: ({ test, undecided, reasons = [] }, report) =>
      `the rule ${q(test)} cannot be checked: ${
        reasons.length > 0
          ? report.unknownTexts(reasons).join("; ")
          : `${count(undecided, "right, field or person is", "rights, fields and people are")} not known`
      }`,
    help: ({ reasons = [] }) =>
      reasons.some(({ is }) => is === "unseen")
        ? "check it with an administrator's account"
        : "write these fields in the file, or add --snapshot FILE or --live",
    means:
      "The data does not show whether a rule holds. The file alone does not say which values the fields have that it leaves out, who has a role, or who belongs to a group that it does not declare.",
    out: "Write the fields, or `unset: default` for the section; or check the rules with `--snapshot` or `--live`.",
  }),
  "rules/unknown-name": diagnostic<{
    name: Quoted;
    is: "group" | "address" | "role" | "folder";
    meant?: Quoted;
    /** The plan gives it the name `meant`. */
    wasRenamed?: true;
    among?: HiddenAccounts;
  }>({
    says: ({ name, is, wasRenamed }) =>
      wasRenamed === true
        ? `after the plan, ${is === "address" ? "nobody has the address" : `no ${is} is called`} ${q(name)}; the rule means the one that ${is === "address" ? "had it" : "was"}`
        : is === "address"
          ? `nobody here has the address ${q(name)}`
          : `there is no ${is} ${q(name)} here`,
    help: ({ is, meant, wasRenamed, among }) =>
      meant === undefined
        ? among !== undefined
          ? hiddenAdvice(among)
          : is === "role"
            ? "roles are role:owners, role:administrators, role:moderators, role:fullmembers, role:members, role:everyone and role:nobody"
            : is === "folder"
              ? "folders are named as in channel_folders:"
              : "people are named by address, groups by name"
        : wasRenamed === true
          ? `write ${q(meant)} once the plan is applied`
          : `did you mean ${q(meant)}?`,
    means:
      "No person, group or folder has this name or address. With the file alone, this is a warning if the file has a similar name.",
    out: "Correct it. Roles are written `role:moderators`. With `--snapshot` or `--live`, the rule also finds objects that only the server has.",
  }),
  /**
   * @property isUnseen a private channel that the account does not see may have the name
   * @property isExcept it is an exception of the rule
   */
  "rules/no-match": diagnostic<{
    pattern: Quoted;
    meant?: Quoted;
    wasRenamed?: true;
    isUnseen?: true;
    isExcept?: true;
  }>({
    says: ({ pattern, meant, wasRenamed, isUnseen, isExcept }) =>
      isUnseen === true
        ? say(
            `${q(pattern)} matches nothing that this account sees; a private channel may have this name`,
            meant === undefined ? "check it with an administrator's account" : `did you mean ${q(meant)}?`,
          )
        : wasRenamed === true
          ? say(
              `after the plan, ${q(pattern)} matches nothing; the rule means what it matched before`,
              meant === undefined
                ? "correct it once the plan is applied"
                : `write ${q(meant)} once the plan is applied`,
            )
          : say(
              `${q(pattern)} matches nothing`,
              meant === undefined
                ? isExcept === true
                  ? "correct it, or delete it from except; if only the server has it, add --live"
                  : "correct it, or delete the rule: it applies to nothing"
                : `did you mean ${q(meant)}?`,
            ),
    means: "A pattern matches no channel or group: the rule would hold for nothing.",
    out: "Correct it. With `--snapshot` or `--live`, the rule also finds objects that only the server has.",
  }),
  "rules/as-is-of-nothing": diagnostic({
    says: "--as-is looks at an organization as it is, and none was named",
    help: "add --snapshot FILE or --live",
    means: "`--as-is` looks at an organization as it is, without the file, and no organization was named.",
    out: "Add `--snapshot FILE` or `--live`.",
  }),
  /** @property done the number of rules that were checked before this one */
  "rules/too-much": diagnostic<{ test: Quoted; done: number }>({
    says: ({ test, done }) =>
      `the rule ${q(test)} takes more steps than one file of rules may; ${done} ${done === 1 ? "rule was" : "rules were"} checked before it`,
    help: "name fewer objects in it, or put rules into several files and check each with --rules",
    means:
      "Checking these rules would take too much work: it grows with the number of rules, objects and people, and no file of a real organization needs so much.",
    out: "Name fewer objects in a rule, or put rules into several files and check each with `--rules`.",
  }),
  "rules/never-fails": diagnostic<FactIn<typeof neverFails>>({
    says: (fact) => neverFails(fact),
    means:
      "A part of the rule can never fail, or never hold, so it protects nothing. It is a warning if this is true only for this organization as it is now: another one may have such people or channels.",
    out: "Correct it, or delete it. You can ignore the warning if the rule is meant for later.",
  }),
  "rules/contradiction": diagnostic<FactIn<typeof contradicts>>({
    says: (fact, report) => contradicts(fact, report),
    means:
      "Two rules, or two parts of one, contradict each other: one of them does not hold, whatever the settings are. It is a warning if this is true only for the people and channels of this organization.",
    out: "Keep one of the two, or take the person or the object out of one.",
  }),
};
