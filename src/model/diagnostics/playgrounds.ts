import { cases, type FactIn } from "../cases.ts";
import { diagnostic } from "./definition.ts";
import { type TemplateCause, templateCause } from "./linkifiers.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, listOf, q, say } from "./words.ts";

const EXAMPLE = "https://play.example.org/?code={code}";

const templateWords = cases("cause", {
  missing: say("a new playground needs a url_template", `write where the code goes: ${EXAMPLE}`),
  empty: say("url_template is empty", `write where the code goes: ${EXAMPLE}`),
  "no-template": ({ why }: { why: TemplateCause }) =>
    say(`this is not a URL template: ${templateCause(why)}`, `the code is written in braces: ${EXAMPLE} (RFC 6570)`),
  "no-code": say("the template does not contain {code}", `write it where the code goes: ${EXAMPLE}`),
  scheme: ({ template }: { template: Quoted }) =>
    say(
      `${q(template)} does not start with https:// or http://, and the server accepts every scheme: a javascript: URL runs in the reader's browser`,
      `write the address of a web page: ${EXAMPLE}`,
    ),
  "other-variables": ({ variables }: { variables: readonly Quoted[] }) =>
    say(
      `the template contains ${listOf(variables)}, but the server fills in only code`,
      "write the other values into the template",
    ),
});
type TemplateFact = FactIn<typeof templateWords>;

export const playgrounds = {
  "playgrounds/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change code playgrounds`,
    help: "use an account of an administrator or owner",
    means: "Only administrators and owners may change code playgrounds.",
    out: "Use the key of an account that may do this.",
  }),
  "playgrounds/language": diagnostic({
    says: cases("cause", {
      empty: say("a playground needs a language", "write the language of the code blocks: Rust"),
      "too-long": ({ limit, length }: { length: number; limit: number }) =>
        say(
          `a language has at most ${limit} characters; this one has ${length}`,
          "write the name of the language in Pygments, the highlighter: Rust, Python",
        ),
      character: ({ character }: { character: Quoted }) =>
        say(
          `the language contains ${q(character)}, which the server does not accept`,
          "a language consists of letters a to z, digits, spaces and _ + , - . / #",
        ),
      /** The text is only an alias; a warning. */
      alias: ({ language, meant }: { language: Quoted; meant: Word }) =>
        say(
          `no code block gets this button: apps compare with the name of the highlighter, and ${q(language)} is only another word for it`,
          `write ${meant}`,
        ),
    }),
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
