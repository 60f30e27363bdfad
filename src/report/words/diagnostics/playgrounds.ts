import type { PlaygroundFacts } from "../../../model/diagnostics/playgrounds.ts";
import { templateCause } from "./linkifiers.ts";
import { accountThatRuns, listOf, q, say, type Words, type WordsOf } from "./words.ts";

const EXAMPLE = "https://play.example.org/?code={code}";

export const playgroundWords: WordsOf<PlaygroundFacts> = {
  "playgrounds/not-allowed": ({ account }) =>
    say(`${accountThatRuns(account)} may not change code playgrounds`, "use an account of an administrator or owner"),
  "playgrounds/language": (fact) => {
    switch (fact.cause) {
      case "empty":
        return say("a playground needs a language", "write the language of the code blocks: Rust");
      case "alias":
        return say(
          `no code block gets this button: apps compare with the name of the highlighter, and ${q(fact.language)} is only another word for it`,
          `write ${fact.meant}`,
        );
      case "too-long":
        return say(
          `a language has at most ${fact.limit} characters; this one has ${fact.length}`,
          "write the name of the language in Pygments, the highlighter: Rust, Python",
        );
      case "character":
        return say(
          `the language contains ${q(fact.character)}, which the server does not accept`,
          "a language consists of letters a to z, digits, spaces and _ + , - . / #",
        );
    }
  },
  "playgrounds/name": () => say("a playground needs a name", "write what people see: Rust playground"),
  "playgrounds/template": templateWords,
};

function templateWords(fact: PlaygroundFacts["playgrounds/template"]): Words {
  switch (fact.cause) {
    case "missing":
      return say("a new playground needs a url_template", `write where the code goes: ${EXAMPLE}`);
    case "empty":
      return say("url_template is empty", `write where the code goes: ${EXAMPLE}`);
    case "no-template":
      return say(
        `this is not a URL template: ${templateCause(fact.why)}`,
        `the code is written in braces: ${EXAMPLE} (RFC 6570)`,
      );
    case "no-code":
      return say("the template does not contain {code}", `write it where the code goes: ${EXAMPLE}`);
    case "scheme":
      return say(
        `${q(fact.template)} does not start with https:// or http://, and the server accepts every scheme: a javascript: URL runs in the reader's browser`,
        `write the address of a web page: ${EXAMPLE}`,
      );
    case "other-variables":
      return say(
        `the template contains ${listOf(fact.variables)}, but the server fills in only code`,
        "write the other values into the template",
      );
  }
}
