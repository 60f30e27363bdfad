import { cases, type FactIn } from "../cases.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, didYouMean, listOf, orList, q, say } from "./words.ts";

const optionWords = cases("cause", {
  none: say("a field of type select needs at least one option", "write options: [Leeds, Porto]"),
  blank: say("an option must not be empty", "delete it, or write its text"),
  twice: ({ option }: { option: Quoted }) => say(`the option ${q(option)} is written twice`, "keep one of the two"),
  "was-unknown": ({ was, known }: { was: Quoted; known: readonly Quoted[] }) =>
    say(
      `the server has no option ${q(was)} in this field`,
      known.length === 0 ? "delete was" : `its options: ${listOf(known)}`,
    ),
  "was-twice": ({ was }: { was: Quoted }) => say(`two options say that they were ${q(was)}`, "keep one of the two"),
  "look-renamed": ({ options }: { options: readonly { readonly text: Quoted; readonly was: Quoted }[] }) =>
    say(
      `${options.length === 1 ? "an option that people may have chosen looks renamed" : "options that people may have chosen look renamed"}: ${listOf(options.map(({ was }) => was))}`,
      `renamed: write ${options.map(({ text, was }) => `{text: ${q(text)}, was: ${q(was)}}`).join(", ")}; renamed on the server: realmctl adopt`,
    ),
});
type OptionsFact = FactIn<typeof optionWords>;

const accountWords = cases("cause", {
  neither: say(
    "a field of type external_account needs a service or a url_pattern",
    "write service: github, or url_pattern: https://example.org/people/%(username)s",
  ),
  both: say("service and url_pattern exclude each other: the server knows the addresses of a service", "keep one"),
  "no-url": ({ text }: { text: Quoted }) =>
    say(`${q(text)} is not a URL`, "write it with its scheme: https://example.org/people/%(username)s"),
  placeholder: ({ count }: { text: Quoted; count: number }) =>
    say(
      `the url_pattern contains %(username)s ${count} times, but the server requires it exactly once`,
      "write it where the name of the account belongs: https://example.org/people/%(username)s",
    ),
  "unknown-service": ({
    offline,
    service,
    meant,
    known,
  }: {
    service: Quoted;
    meant?: Word;
    known: readonly Word[];
    /** Whether no server was asked: the list is that of this version. */
    offline?: true;
  }) =>
    say(
      offline === true ? `${q(service)} is not a known service` : `the server knows no service ${q(service)}`,
      didYouMean(
        meant,
        offline === true
          ? `known are ${listNames(known)}; only a server can tell; for others write url_pattern`
          : `it knows ${listNames(known)}; for others write url_pattern`,
      ),
    ),
  "service-renamed": ({ service, other, name }: { service: Word; other: Word; name: Word }) =>
    say(
      `the service ${service} is called ${other} by servers of ${other === "x" ? "Zulip 12 and newer" : "Zulip 11 and older"}`,
      `write name: ${name} and service: ${other}: an upgrade renames the field, and people keep their values`,
    ),
  "service-of-field": ({ field, other, service }: { service: Word; other: Word; field: Quoted }) =>
    say(
      `the server has ${q(field)} for ${other}, which is another name of ${service}: a new field would not have the values that people entered there`,
      `write name: ${field.quoted} and service: ${other}, as the server has it; if it is to be lost, remove it in a run of its own`,
    ),
  "its-name": ({ field, service, is }: { service: Word; field: Word; is: Word }) =>
    say(
      `the ${field} of a field for ${service} is ${q(is)}: the server sets it`,
      field === "name" ? `write name: ${is}` : `delete ${field}`,
    ),
  fixed: ({ service }: { service: Word }) =>
    say(
      `the field is for ${service}, and the server does not change that`,
      "remove the field with the values that people entered (absent: true), and add another one in a later run",
    ),
  "service-twice": ({ other, service }: { service: Word; other: Quoted }) =>
    say(
      `the field ${q(other)} is for ${service}, too: the server creates only one field for a service that it knows`,
      "keep one of the two, unless the organization has both already",
    ),
});
type AccountFact = FactIn<typeof accountWords>;

export const profileFields = {
  "profile_fields/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change profile fields`,
    help: "use an account of an administrator or owner",
    means: "Only administrators and owners may change profile fields.",
    out: "Use the key of an account that may do this.",
  }),
  "profile_fields/name": diagnostic<{ cause: "empty" } | { cause: "too-long"; length: number; limit: number }>({
    says: (fact) =>
      fact.cause === "empty"
        ? say("a profile field needs a name", "write what people see beside the value")
        : say(
            `the name of a profile field has at most ${fact.limit} characters; this one has ${fact.length}`,
            "shorten it; the hint has room for more",
          ),
    means: "The name is empty or too long.",
    out: "Correct it.",
  }),
  "profile_fields/hint": diagnostic<{ length: number; limit: number }>({
    says: ({ length, limit }) => `a hint has at most ${limit} characters; this one has ${length}`,
    help: "shorten it",
    means: "The hint is too long.",
    out: "Shorten it.",
  }),
  /** The type of a field is missing, or differs from the type on the server, which cannot be changed. */
  "profile_fields/type": diagnostic<
    { cause: "missing"; name: Quoted } | { cause: "fixed"; name: Quoted; before: Word; after: Word }
  >({
    says: (fact) =>
      fact.cause === "missing"
        ? say(
            `the new profile field ${q(fact.name)} needs a type`,
            "add type: short_text, long_text, select, date, link, users, external_account or pronouns",
          )
        : say(
            `the type of ${q(fact.name)} is ${fact.before} and cannot become ${fact.after}: the server keeps the type of a field`,
            `write type: ${fact.before}; or add a field with another name, and remove this one with the values that people entered`,
          ),
    means:
      "A new field has no type, or one that is there would get another. The server never changes the type of a field.",
    out: "Write the type; or add a field with another name, and remove the old one with the values that people entered.",
  }),
  "profile_fields/other-type": diagnostic<{ field: Word; type: Word; needs: readonly Word[] }>({
    says: ({ field, type, needs }) =>
      `${field} belongs to fields of type ${orList(needs)}, and this one is of type ${type}`,
    help: ({ field }) => `delete ${field}, or correct the type`,
    means:
      "The field belongs to another type: `options` to `select`, `service` and `url_pattern` to `external_account`.",
    out: "Delete it, or correct the type.",
  }),
  "profile_fields/options": diagnostic<OptionsFact>({
    says: optionWords,
    means:
      "The options of a field are missing, empty or written twice, or the `was` of one names an option that the server does not have. As a warning: an option is gone and a new one is at its place, so it was probably renamed.",
    out: "Write at least one, each once; `was` is the text that the option has now: people who chose it keep it. If an option was renamed on the server, run `realmctl adopt`.",
  }),
  "profile_fields/account": diagnostic<AccountFact>({
    says: accountWords,
    means:
      "A field of type `external_account` is either for a service that the server knows (`service`) or for any other service (`url_pattern`, with `%(username)s` once). The server sets the name and the hint for a service that it knows, and keeps them. As a warning: two fields are for the same service, and the server creates only one of them.",
    out: "Write one of the two, and for a known service the name that the message shows.",
  }),
  "profile_fields/summary": diagnostic<
    { cause: "type"; type: Word; level?: number } | { cause: "too-many"; limit: number; fields: readonly Quoted[] }
  >({
    says: (fact) =>
      fact.cause === "type"
        ? say(
            `a field of type ${fact.type} cannot be in the profile summary${fact.level === undefined ? "" : ` below feature level ${fact.level} (Zulip 12)`}`,
            "delete in_profile_summary",
          )
        : say(
            `${fact.fields.length} fields are in the profile summary afterwards, and there is room for ${fact.limit}: ${listOf(fact.fields)}`,
            "write in_profile_summary: false for one of them",
          ),
    means:
      "The summary on a person's card has room for two fields. A field for long texts or people cannot be one of them.",
    out: "Write `in_profile_summary: false` for one of them.",
  }),
  /** @param newer_type of the other field, if this version does not know its type */
  "profile_fields/name-taken": diagnostic<{ name: Quoted; newer_type?: Word }>({
    says: ({ name, newer_type }) =>
      newer_type === undefined
        ? say(
            `there is another profile field named ${q(name)}`,
            "remove that one (absent: true), or give it another name",
          )
        : say(
            `the profile field ${q(name)} of the server is of a type that this version of realmctl does not know (${newer_type}): it is left alone`,
            "delete it from the file, or give this one another name",
          ),
    means: "Two profile fields would have the same name.",
    out: "Remove one of them, or give it another name.",
  }),
  "profile_fields/was": diagnostic<{ cause: "absent" | "same" }>({
    says: ({ cause }) =>
      cause === "absent"
        ? say("`was` and `absent: true` cannot be combined", "delete was, and write the name that the field has now")
        : say("`was` equals the current name", "delete was"),
    means: "`was` is the current name of a field. A field that is removed cannot also be renamed.",
    out: "Correct or delete it.",
  }),
};
