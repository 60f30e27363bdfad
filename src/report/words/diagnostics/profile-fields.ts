import type { ProfileFieldFacts } from "../../../model/diagnostics/profile-fields.ts";
import { listNames } from "../list-names.ts";
import { accountThatRuns, didYouMean, listOf, orList, q, say, type Words, type WordsOf } from "./words.ts";

export const profileFieldWords: WordsOf<ProfileFieldFacts> = {
  "profile_fields/not-allowed": ({ account }) =>
    say(`${accountThatRuns(account)} may not change profile fields`, "use an account of an administrator or owner"),
  "profile_fields/name": (fact) =>
    fact.cause === "empty"
      ? say("a profile field needs a name", "write what people see beside the value")
      : say(
          `the name of a profile field has at most ${fact.limit} characters; this one has ${fact.length}`,
          "shorten it; the hint has room for more",
        ),
  "profile_fields/hint": ({ length, limit }) =>
    say(`a hint has at most ${limit} characters; this one has ${length}`, "shorten it"),
  "profile_fields/type": (fact) =>
    fact.cause === "missing"
      ? say(
          `the new profile field ${q(fact.name)} needs a type`,
          "add type: short_text, long_text, select, date, link, users, external_account or pronouns",
        )
      : say(
          `the type of ${q(fact.name)} is ${fact.before} and cannot become ${fact.after}: the server keeps the type of a field`,
          `write type: ${fact.before}; or add a field with another name, and remove this one with the values that people entered`,
        ),
  "profile_fields/other-type": ({ field, type, needs }) =>
    say(
      `${field} belongs to fields of type ${orList(needs)}, and this one is of type ${type}`,
      `delete ${field}, or correct the type`,
    ),
  "profile_fields/options": optionWords,
  "profile_fields/account": accountWords,
  "profile_fields/summary": (fact) =>
    fact.cause === "type"
      ? say(
          `a field of type ${fact.type} cannot be in the profile summary${fact.level === undefined ? "" : ` below feature level ${fact.level} (Zulip 12)`}`,
          "delete in_profile_summary",
        )
      : say(
          `${fact.fields.length} fields are in the profile summary afterwards, and there is room for ${fact.limit}: ${listOf(fact.fields)}`,
          "write in_profile_summary: false for one of them",
        ),
  "profile_fields/name-taken": ({ name, newer_type }) =>
    newer_type === undefined
      ? say(
          `there is another profile field named ${q(name)}`,
          "remove that one (absent: true), or give it another name",
        )
      : say(
          `the profile field ${q(name)} of the server is of a type that this version of realmctl does not know (${newer_type}): it is left alone`,
          "delete it from the file, or give this one another name",
        ),
  "profile_fields/was": ({ cause }) =>
    cause === "absent"
      ? say("`was` and `absent: true` cannot be combined", "delete was, and write the name that the field has now")
      : say("`was` equals the current name", "delete was"),
};

function optionWords(fact: ProfileFieldFacts["profile_fields/options"]): Words {
  switch (fact.cause) {
    case "none":
      return say("a field of type select needs at least one option", "write options: [Leeds, Porto]");
    case "blank":
      return say("an option must not be empty", "delete it, or write its text");
    case "twice":
      return say(`the option ${q(fact.option)} is written twice`, "keep one of the two");
    case "was-unknown":
      return say(
        `the server has no option ${q(fact.was)} in this field`,
        fact.known.length === 0 ? "delete was" : `its options: ${listOf(fact.known)}`,
      );
    case "look-renamed":
      return say(
        `${fact.options.length === 1 ? "an option that people may have chosen looks renamed" : "options that people may have chosen look renamed"}: ${listOf(fact.options.map(({ was }) => was))}`,
        `renamed: write ${fact.options.map(({ text, was }) => `{text: ${q(text)}, was: ${q(was)}}`).join(", ")}; renamed on the server: realmctl adopt`,
      );
    case "was-twice":
      return say(`two options say that they were ${q(fact.was)}`, "keep one of the two");
  }
}

function accountWords(fact: ProfileFieldFacts["profile_fields/account"]): Words {
  switch (fact.cause) {
    case "neither":
      return say(
        "a field of type external_account needs a service or a url_pattern",
        "write service: github, or url_pattern: https://example.org/people/%(username)s",
      );
    case "both":
      return say("service and url_pattern exclude each other: the server knows the addresses of a service", "keep one");
    case "no-url":
      return say(`${q(fact.text)} is not a URL`, "write it with its scheme: https://example.org/people/%(username)s");
    case "placeholder":
      return say(
        `the url_pattern contains %(username)s ${fact.count} times, but the server requires it exactly once`,
        "write it where the name of the account belongs: https://example.org/people/%(username)s",
      );
    case "unknown-service":
      return say(
        fact.offline === true
          ? `${q(fact.service)} is not a known service`
          : `the server knows no service ${q(fact.service)}`,
        didYouMean(
          fact.meant,
          fact.offline === true
            ? `known are ${listNames(fact.known)}; only a server can tell; for others write url_pattern`
            : `it knows ${listNames(fact.known)}; for others write url_pattern`,
        ),
      );
    case "service-renamed":
      return say(
        `the service ${fact.service} is called ${fact.other} by servers of ${fact.other === "x" ? "Zulip 12 and newer" : "Zulip 11 and older"}`,
        `write name: ${fact.name} and service: ${fact.other}: an upgrade renames the field, and people keep their values`,
      );
    case "service-of-field":
      return say(
        `the server has ${q(fact.field)} for ${fact.other}, which is another name of ${fact.service}: a new field would not have the values that people entered there`,
        `write name: ${fact.field.quoted} and service: ${fact.other}, as the server has it; if it is to be lost, remove it in a run of its own`,
      );
    case "its-name":
      return say(
        `the ${fact.field} of a field for ${fact.service} is ${q(fact.is)}: the server sets it`,
        fact.field === "name" ? `write name: ${fact.is}` : `delete ${fact.field}`,
      );
    case "fixed":
      return say(
        `the field is for ${fact.service}, and the server does not change that`,
        "remove the field with the values that people entered (absent: true), and add another one in a later run",
      );
    case "service-twice":
      return say(
        `the field ${q(fact.other)} is for ${fact.service}, too: the server creates only one field for a service that it knows`,
        "keep one of the two, unless the organization has both already",
      );
  }
}
