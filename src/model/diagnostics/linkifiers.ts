import { cases, type FactIn } from "../cases.ts";
import { diagnostic } from "./definition.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, bare, listOf, q, say, type Words } from "./words.ts";

/** The server's value of the field, if the file does not set it. */
export interface OnServer {
  readonly on_server?: { readonly field: Word; readonly value: Quoted };
}

/** Why a text is not a pattern. */
const patternCause = cases("cause", {
  empty: say("a linkifier needs a pattern", "write one, or delete the item"),
  "too-long": ({ length, limit }: { length: number; limit: number }) =>
    say(
      `the pattern is too long: it has ${length.toLocaleString("en")} characters, and realmctl reads at most ${limit.toLocaleString("en")}`,
      "split it into several linkifiers",
    ),
  /** @property limit the number of search steps for all patterns of a file and their examples */
  "too-much": ({ limit }: { limit: number }) =>
    say(
      `the patterns of this file and their examples take more than ${limit.toLocaleString("en")} steps to check, up to this one`,
      "write smaller numbers of repetitions ({0,1000}), or shorter examples",
    ),
  /** Perhaps too large for the server: only RE2 itself can tell. */
  "near-limit": say(
    "the server may refuse this pattern: it is about as large as RE2 allows, once its repetitions are counted",
    "write smaller numbers of repetitions, or smaller classes than \\p{L}",
  ),
  /** Slashes at both ends, as in other languages. A warning. @property pattern what is between them */
  slashes: ({ pattern }: { pattern: Quoted }) =>
    say(
      "the slashes at both ends are parts of the pattern: a text must have them, too",
      `write '${bare(pattern).replaceAll("'", "''")}', if they are not meant`,
    ),
  "look-around": notRe2("RE2 has no look-ahead and no look-behind"),
  "back-reference": notRe2("RE2 has no back-references"),
  "named-back-reference": notRe2("RE2 has no back-references by name"),
  /** @property reason the message of the library that reads patterns */
  syntax: ({ reason }: { reason: Quoted }) => notRe2(bare(reason)),
});
export type PatternCause = FactIn<typeof patternCause>;

function notRe2(reason: string): Words {
  return say(
    `the pattern is not a regular expression of RE2: ${reason}`,
    "RE2 syntax is described at https://github.com/google/re2/wiki/Syntax",
  );
}

/** Why a text is not a URL template: the end of a sentence. */
export const templateCause = cases("cause", {
  "empty-text": "it is empty",
  "stray-brace": ({ position }: { position: number }) => `the "}" at position ${position} closes nothing`,
  "open-brace": ({ position }: { position: number }) => `the "{" at position ${position} is not closed`,
  expression: ({ expression }: { expression: Quoted }) => `"{${bare(expression)}}" is not an expression of RFC 6570`,
});
/** Why a text is not a URL template. */
export type TemplateCause = FactIn<typeof templateCause>;

/** Why a reverse template cannot be filled in. */
const reverseCause = cases("cause", {
  "open-brace": ({ position }: { position: number }) => `the "{" at position ${position} is not closed`,
  "no-name": "{} names no group",
  "no-group": ({ name }: { name: Quoted }) => `{${bare(name)}} is not a named group of the pattern`,
});
export type ReverseCause = FactIn<typeof reverseCause>;

export const linkifiers = {
  "linkifiers/example": diagnostic<{ example: Quoted } & OnServer>({
    says: (fact) =>
      placed(say(`the pattern does not match ${q(fact.example)}`, "correct the example or the pattern"), fact),
    means: "The pattern does not match the example text, or the example gives another URL than intended.",
    out: "Correct the example or the pattern.",
  }),
  "linkifiers/no-template": diagnostic({
    says: "a new linkifier needs a url_template",
    help: "write where the link leads: https://bugs.example.org/{id}",
    means: "A new linkifier needs a URL template.",
    out: "Write `url_template`.",
  }),
  "linkifiers/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change linkifiers`,
    help: "it must be an administrator of the organization",
    means: "Only administrators may change linkifiers.",
    out: "Use the account of an administrator.",
  }),
  "linkifiers/overlap": diagnostic<{ pattern: Quoted; example: Quoted }>({
    says: ({ pattern, example }) => `the linkifier ${bare(pattern)} comes first and matches ${q(example)}`,
    help: "move this one before it, or make the other pattern narrower",
    means: "Two patterns match the same text; the one that is earlier in the list wins.",
    out: "Put the more specific pattern first.",
  }),
  "linkifiers/pattern": diagnostic<PatternCause & OnServer>({
    says: (fact) => placed(patternCause(fact), fact),
    means: "The pattern is not an RE2 regular expression, or the server refuses it.",
    out: "Correct it. RE2 has no look-ahead, look-behind or back-references.",
  }),
  "linkifiers/pattern-taken": diagnostic<{ pattern: Quoted }>({
    says: ({ pattern }) => `there is another linkifier with the pattern ${bare(pattern)}`,
    help: "remove that one (absent: true), or give it another pattern",
    means: "Another linkifier already has this pattern; the server allows each pattern once.",
    out: "Keep one of the two.",
  }),
  "linkifiers/reverse": diagnostic<
    (({ cause: "not-filled" } & { why: ReverseCause }) | { cause: "other-text"; made: Quoted; example: Quoted }) &
      OnServer
  >({
    says: (fact) =>
      placed(
        fact.cause === "not-filled"
          ? say(
              `reverse_template cannot be filled in: ${reverseCause(fact.why)}`,
              "{name} stands for a named group; braces are written {{ and }}",
            )
          : say(
              `reverse_template turns the example into ${q(fact.made)}, not ${q(fact.example)}`,
              "it must reproduce example_input exactly",
            ),
        fact,
      ),
    means: "The reverse template cannot be filled in from the pattern's groups, or does not produce the text again.",
    out: "Write named groups of the pattern in braces; write literal braces as `{{` and `}}`.",
  }),
  "linkifiers/reverse-without-example": diagnostic<OnServer>({
    says: (fact) =>
      placed(
        say(
          "reverse_template needs an example_input to be tried on",
          "add example_input: a text that the pattern matches",
        ),
        fact,
      ),
    means: "A reverse template is checked with an example, but the linkifier has no example.",
    out: "Write `example_input`.",
  }),
  "linkifiers/template": diagnostic<
    (
      | { cause: "empty" }
      /** It begins with a host: the link would stay on the chat server. A warning. */
      | { cause: "no-scheme"; template: Quoted }
      /** `$1`: another program would fill it in. A warning. */
      | { cause: "foreign"; sign: Quoted }
      | TemplateCause
    ) &
      OnServer
  >({
    says: (fact) =>
      placed(
        fact.cause === "empty"
          ? say("url_template is empty", "write where the link leads")
          : fact.cause === "no-scheme"
            ? say(
                `${q(fact.template)} has no https://, so the link leads to a page of the chat server`,
                `write https://${bare(fact.template)}`,
              )
            : fact.cause === "foreign"
              ? say(
                  `${bare(fact.sign)} is a plain part of the link: nothing fills it in`,
                  "name the group in the pattern, (?P<id>…), and write {id} here",
                )
              : say(
                  `this is not a URL template: ${templateCause(fact)}`,
                  fact.cause === "expression" && /^\{\w+$/.test(bare(fact.expression))
                    ? `write a variable in single braces: ${bare(fact.expression)}}`
                    : "variables are written in braces: https://bugs.example.org/{id} (RFC 6570)",
                ),
        fact,
      ),
    means: "This is not a URL template (RFC 6570).",
    out: "Write variables in braces: `https://bugs.example.org/{id}`.",
  }),
  "linkifiers/unknown-variable": diagnostic<
    {
      variable: Quoted;
      groups: readonly Quoted[];
      is_alternative: boolean;
    } & OnServer
  >({
    says: (fact) => {
      const { variable, groups, is_alternative } = fact;
      const name = bare(variable);
      const message = `{${name}} is not a named group of the pattern`;
      if (is_alternative)
        return say(
          `${message}: its value is lost when a URL is turned back into text`,
          "use the pattern's groups only",
        );
      return placed(
        say(
          message,
          groups.length === 0
            ? `name a group in the pattern: (?P<${name}>…)`
            : `the pattern's groups: ${listOf(groups)}`,
        ),
        fact,
      );
    },
    means: "The template uses a variable that is not a named group of the pattern.",
    out: "Name the group `(?P<name>…)`, or correct the variable.",
  }),
  "linkifiers/unused-group": diagnostic<{ group: Quoted } & OnServer>({
    says: (fact) => {
      const group = bare(fact.group);
      return placed(
        say(
          `the pattern's group ${q(fact.group)} is not in the template, and the server requires every group`,
          `use {${group}}, or do not name the group: (…) instead of (?P<${group}>…)`,
        ),
        fact,
      );
    },
    means: "A named group of the pattern does not occur in the template; the server requires all of them.",
    out: "Use it, or write `(…)` instead of `(?P<name>…)`.",
  }),
  "linkifiers/was": diagnostic<{ cause: "absent" | "same" }>({
    says: ({ cause }) =>
      cause === "absent"
        ? say(
            "`was` and `absent: true` cannot be combined",
            "delete was, and write the pattern that the linkifier has now",
          )
        : say("`was` equals the current pattern", "delete was"),
    means: "`was` is the current pattern of the linkifier.",
    out: "Delete it.",
  }),
};

/** Adds the server's value, if the file does not have it. */
function placed({ message, ...rest }: Words, { on_server }: OnServer): Words {
  const place = on_server === undefined ? "" : ` (${on_server.field} on the server: ${bare(on_server.value)})`;
  return { message: message + place, ...rest };
}
