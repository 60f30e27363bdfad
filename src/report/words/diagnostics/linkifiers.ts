import type {
  LinkifierFacts,
  OnServer,
  PatternCause,
  ReverseCause,
  TemplateCause,
} from "../../../model/diagnostics/linkifiers.ts";
import { accountThatRuns, bare, listOf, q, say, type Words, type WordsOf } from "./words.ts";

export const linkifierWords: WordsOf<LinkifierFacts> = {
  "linkifiers/example": (fact) =>
    placed(say(`the pattern does not match ${q(fact.example)}`, "correct the example or the pattern"), fact),
  "linkifiers/no-template": () =>
    say("a new linkifier needs a url_template", "write where the link leads: https://bugs.example.org/{id}"),
  "linkifiers/not-allowed": ({ account }) =>
    say(`${accountThatRuns(account)} may not change linkifiers`, "it must be an administrator of the organization"),
  "linkifiers/overlap": ({ pattern, example }) =>
    say(
      `the linkifier ${bare(pattern)} comes first and matches ${q(example)}`,
      "move this one before it, or make the other pattern narrower",
    ),
  "linkifiers/pattern": (fact) => placed(patternCause(fact), fact),
  "linkifiers/pattern-taken": ({ pattern }) =>
    say(
      `there is another linkifier with the pattern ${bare(pattern)}`,
      "remove that one (absent: true), or give it another pattern",
    ),
  "linkifiers/reverse": (fact) =>
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
  "linkifiers/reverse-without-example": (fact) =>
    placed(
      say(
        "reverse_template needs an example_input to be tried on",
        "add example_input: a text that the pattern matches",
      ),
      fact,
    ),
  "linkifiers/template": (fact) =>
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
  "linkifiers/unknown-variable": (fact) => {
    const { variable, groups, is_alternative } = fact;
    const name = bare(variable);
    const message = `{${name}} is not a named group of the pattern`;
    if (is_alternative)
      return say(`${message}: its value is lost when a URL is turned back into text`, "use the pattern's groups only");
    return placed(
      say(
        message,
        groups.length === 0 ? `name a group in the pattern: (?P<${name}>…)` : `the pattern's groups: ${listOf(groups)}`,
      ),
      fact,
    );
  },
  "linkifiers/unused-group": (fact) => {
    const group = bare(fact.group);
    return placed(
      say(
        `the pattern's group ${q(fact.group)} is not in the template, and the server requires every group`,
        `use {${group}}, or do not name the group: (…) instead of (?P<${group}>…)`,
      ),
      fact,
    );
  },
  "linkifiers/was": ({ cause }) =>
    cause === "absent"
      ? say(
          "`was` and `absent: true` cannot be combined",
          "delete was, and write the pattern that the linkifier has now",
        )
      : say("`was` equals the current pattern", "delete was"),
};

/** Adds the server's value, if the file does not have it. */
function placed({ message, ...rest }: Words, { on_server }: OnServer): Words {
  const place = on_server === undefined ? "" : ` (${on_server.field} on the server: ${bare(on_server.value)})`;
  return { message: message + place, ...rest };
}

function patternCause(fact: PatternCause): Words {
  switch (fact.cause) {
    case "empty":
      return say("a linkifier needs a pattern", "write one, or delete the item");
    case "too-long":
      return say(
        `the pattern is too long: it has ${fact.length.toLocaleString("en")} characters, and realmctl reads at most ${fact.limit.toLocaleString("en")}`,
        "split it into several linkifiers",
      );
    case "too-much":
      return say(
        `the patterns of this file and their examples take more than ${fact.limit.toLocaleString("en")} steps to check, up to this one`,
        "write smaller numbers of repetitions ({0,1000}), or shorter examples",
      );
    case "slashes":
      return say(
        "the slashes at both ends are parts of the pattern: a text must have them, too",
        `write '${bare(fact.pattern).replaceAll("'", "''")}', if they are not meant`,
      );
    case "near-limit":
      return say(
        "the server may refuse this pattern: it is about as large as RE2 allows, once its repetitions are counted",
        "write smaller numbers of repetitions, or smaller classes than \\p{L}",
      );
    default:
      return say(
        `the pattern is not a regular expression of RE2: ${reason(fact)}`,
        "RE2 syntax is described at https://github.com/google/re2/wiki/Syntax",
      );
  }
}

function reason(
  fact: Exclude<PatternCause, { readonly cause: "empty" | "too-long" | "too-much" | "near-limit" | "slashes" }>,
): string {
  switch (fact.cause) {
    case "look-around":
      return "RE2 has no look-ahead and no look-behind";
    case "back-reference":
      return "RE2 has no back-references";
    case "named-back-reference":
      return "RE2 has no back-references by name";
    case "syntax":
      return bare(fact.reason);
  }
}

/** Why a text is not a URL template: the end of a sentence. */
export function templateCause(fact: TemplateCause): string {
  switch (fact.cause) {
    case "empty-text":
      return "it is empty";
    case "stray-brace":
      return `the "}" at position ${fact.position} closes nothing`;
    case "open-brace":
      return `the "{" at position ${fact.position} is not closed`;
    case "expression":
      return `"{${bare(fact.expression)}}" is not an expression of RFC 6570`;
  }
}

function reverseCause(fact: ReverseCause): string {
  switch (fact.cause) {
    case "open-brace":
      return `the "{" at position ${fact.position} is not closed`;
    case "no-name":
      return "{} names no group";
    case "no-group":
      return `{${bare(fact.name)}} is not a named group of the pattern`;
  }
}
