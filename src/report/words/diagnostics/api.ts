import type { ApiFacts } from "../../../model/diagnostics/api.ts";
import { q, say, type WordsOf } from "./words.ts";

const meantOr = (meant: string | undefined, otherwise: string): string =>
  meant === undefined ? otherwise : `did you mean ${JSON.stringify(meant)}?`;
const takes = (operation: string): string => `\`realmctl api --list ${operation}\` shows what it takes`;

export const apiWords: WordsOf<ApiFacts> = {
  "api/not-sent": ({ operation }) =>
    say(
      `${operation} is what the server sends to a bot; nobody can send it to the server`,
      "`realmctl api --list` shows the operations that can be sent",
    ),
  "api/missing-parameter": ({ operation, parameter, about }) =>
    say(`${operation} needs ${parameter}`, `write --${parameter}=VALUE${about === undefined ? "" : ` (${about})`}`),
  "api/unknown-operation": ({ operation, meant }) =>
    say(`there is no operation ${q(operation)}`, meantOr(meant, "`realmctl api --list` shows all of them")),
  "api/unknown-parameter": ({ operation, parameter, meant, takes_none }) =>
    say(
      `${operation} has no parameter ${q(parameter)}`,
      meantOr(meant, takes_none ? "it has no parameters: leave this one out" : takes(operation)),
    ),
  "api/parameter-type": ({ operation, parameter, wanted }) =>
    say(`${parameter} of ${operation} must be ${wanted}`, takes(operation)),
};
