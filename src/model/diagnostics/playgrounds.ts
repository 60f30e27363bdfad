import { diagnostic } from "./definition.ts";
import { type TemplateCause, templateCause } from "./linkifiers.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, listOf, q, say, type Words } from "./words.ts";

type TemplateFact =
  | { readonly cause: "missing" | "empty" }
  | { readonly cause: "no-template"; readonly why: TemplateCause }
  | { readonly cause: "no-code" }
  | { readonly cause: "scheme"; readonly template: Quoted }
  | { readonly cause: "other-variables"; readonly variables: readonly Quoted[] };

const EXAMPLE = "https://play.example.org/?code={code}";

export const playgrounds = {
  "playgrounds/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change code playgrounds`,
    help: "use an account of an administrator or owner",
    means: "Only administrators and owners may change code playgrounds.",
    out: "Use the key of an account that may do this.",
  }),
  "playgrounds/language": diagnostic<
    | { cause: "empty" }
    | { cause: "too-long"; length: number; limit: number }
    | { cause: "character"; character: Quoted }
    /** The text is only an alias; a warning. */
    | { cause: "alias"; language: Quoted; meant: Word }
  >({
    says: (fact) => {
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
    means:
      "The language of a playground is empty, too long, or has characters that the server does not accept. Or (a warning) it is only an alias: apps compare it with the name that Pygments, the highlighter of the server, has for the language, whatever people write after the backquotes.",
    out: "Write the name of the language in Pygments: `Rust`, not `rust` or `rs`; `Python`, not `py`.",
  }),
  "playgrounds/name": diagnostic({
    says: "a playground needs a name",
    help: "write what people see: Rust playground",
    means: "A playground has no name.",
    out: "Write what people see: `Rust playground`.",
  }),
  "playgrounds/template": diagnostic<TemplateFact>({
    says: templateWords,
    means:
      "The template is missing, is not an RFC 6570 template, or does not have `code` as its only variable. As a warning: it is not the address of a web page (`https://`), which the server does not check.",
    out: "Write where to put the code: `https://play.example.org/?code={code}`.",
  }),
};

function templateWords(fact: TemplateFact): Words {
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
