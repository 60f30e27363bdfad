import type { ApiFacts } from "../../../model/diagnostics/api.ts";
import { noAnswerText } from "../no-answer.ts";
import { paramText } from "../params.ts";
import { wayToRead, whyUnreadable } from "./unreadable.ts";
import { bare, q, say, type WordsOf } from "./words.ts";

const meantOr = (meant: string | undefined, otherwise: string): string =>
  meant === undefined ? otherwise : `did you mean ${JSON.stringify(meant)}?`;
const takes = (operation: string): string => `\`realmctl api --list ${operation}\` shows what it takes`;

export const apiWords: WordsOf<ApiFacts> = {
  "api/argument": ({ operation, word }) =>
    say(`"${bare(word)}" belongs to no parameter`, `write \`realmctl api ${operation} --name value\``),
  "api/cannot-read": ({ file, why }) =>
    say(`${file} cannot be read: ${whyUnreadable(why)}`, wayToRead(why, file, "on-command-line")),
  "api/duplicate-parameter": ({ parameter }) => say(`${parameter} is given twice`),
  "api/fate-unknown": (fact) =>
    say(
      `it is not known whether the server carried out ${fact.operation}: ${fact.cause === "no-answer" ? noAnswerText(fact.reason) : `the answer (HTTP ${fact.status ?? "?"}) does not say`}`,
      `to find out: ${fact.recovery}`,
    ),
  "api/ignored": ({ operation, parameters }) =>
    say(
      `the server does not know ${parameters.join(", ")} of ${operation} and ignored ${parameters.length === 1 ? "it" : "them"}`,
      "the server is too old for that; everything else took effect",
    ),
  "api/no-image": ({ file }) =>
    say(`${file} is not a picture that servers accept`, "name a PNG, JPEG, GIF or WebP file"),
  "api/no-operation": () => say("no operation is named", "`realmctl api --list` shows all of them"),
  "api/no-value": ({ parameter }) => say(`${parameter} has no value`, `write --${parameter}=VALUE`),
  "api/refused": ({ operation, answer, code }) =>
    say(
      `the server refuses ${operation}: ${bare(answer)} (${bare(code)})`,
      `these are the server's own words; \`realmctl api --list ${operation}\` shows what the operation takes`,
    ),
  "api/not-sent": ({ operation }) =>
    say(
      `${operation} is what the server sends to a bot; nobody can send it to the server`,
      "`realmctl api --list` shows the operations that can be sent",
    ),
  "api/missing-parameter": ({ operation, parameter, about }) =>
    say(`${operation} needs ${parameter}`, `write --${parameter}=VALUE${about === undefined ? "" : ` (${about})`}`),
  "api/unknown-operation": ({ operation, meant }) =>
    say(
      `realmctl knows no operation ${q(operation)}`,
      meantOr(meant, "`realmctl api --list` shows all that it sends; Zulip has more"),
    ),
  "api/unknown-parameter": ({ operation, parameter, meant, takes_none }) =>
    say(
      `${operation} has no parameter ${q(parameter)}`,
      meantOr(meant, takes_none ? "it has no parameters: leave this one out" : takes(operation)),
    ),
  "api/parameter-type": ({ operation, parameter, wanted }) =>
    say(`${parameter} of ${operation} must be ${paramText(wanted)}`, takes(operation)),
};
