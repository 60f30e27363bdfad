import { paramText, type WantedParam } from "../param-type.ts";
import { type NoAnswer, noAnswerText } from "./calls.ts";
import { diagnostic } from "./definition.ts";
import { type Unreadable, wayToRead, whyUnreadable } from "./unreadable.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, q } from "./words.ts";

const meantOr = (meant: string | undefined, otherwise: string): string =>
  meant === undefined ? otherwise : `did you mean ${JSON.stringify(meant)}?`;
const takes = (operation: string): string => `\`realmctl api --list ${operation}\` shows what it takes`;

/** Errors in requests that somebody asks `realmctl api` to send. */
export const api = {
  "api/argument": diagnostic<{ operation: Word; word: Quoted }>({
    says: ({ word }) => `"${bare(word)}" belongs to no parameter`,
    help: ({ operation }) => `write \`realmctl api ${operation} --name value\``,
    means: "An argument of `realmctl api` is not of the form `name=value`.",
    out: "Write `name=value`, or `name:=json`.",
  }),
  "api/cannot-read": diagnostic<{ file: Word; why: Unreadable }>({
    says: ({ file, why }) => `${file} cannot be read: ${whyUnreadable(why)}`,
    help: ({ file, why }) => wayToRead(why, file, "on-command-line"),
    means: "A file that a parameter names cannot be read.",
    out: "Name a file that can be read; the path is relative to where the command runs.",
  }),
  "api/duplicate-parameter": diagnostic<{ parameter: Word }>({
    says: ({ parameter }) => `${parameter} is given twice`,
    means: "A parameter is given twice.",
    out: "Keep one of the two.",
  }),
  /** @property recovery how to find out whether the request was carried out, from the table of operations */
  "api/fate-unknown": diagnostic<
    { operation: Word; recovery: Word } & (
      | { cause: "no-answer"; reason: NoAnswer }
      | { cause: "answer"; status?: number }
    )
  >({
    says: (fact) =>
      `it is not known whether the server carried out ${fact.operation}: ${fact.cause === "no-answer" ? noAnswerText(fact.reason) : `the answer (HTTP ${fact.status ?? "?"}) does not say`}`,
    help: (fact) => `to find out: ${fact.recovery}`,
    means: "No answer came, so it is not known whether the server carried out the request.",
    out: "Look at the organization before you send the request again.",
  }),
  "api/ignored": diagnostic<{ operation: Word; parameters: readonly Word[] }>({
    says: ({ operation, parameters }) =>
      `the server does not know ${parameters.join(", ")} of ${operation} and ignored ${parameters.length === 1 ? "it" : "them"}`,
    help: "the server is too old for that; everything else took effect",
    means: "The server does not know some of the parameters. It ignored them and carried out the request without them.",
    out: "Check what was done; the server may be too old for them.",
  }),
  "api/no-image": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} is not a picture that servers accept`,
    help: "name a PNG, JPEG, GIF or WebP file",
    means: "A parameter takes a picture, but the server does not accept a file of this type.",
    out: "Name a PNG, JPEG, GIF or WebP file.",
  }),
  "api/no-operation": diagnostic({
    says: "no operation is named",
    help: "`realmctl api --list` shows all of them",
    means: "No operation was named.",
    out: "Name one; `realmctl api --list` shows all.",
  }),
  "api/no-value": diagnostic<{ parameter: Word }>({
    says: ({ parameter }) => `${parameter} has no value`,
    help: ({ parameter }) => `write --${parameter}=VALUE`,
    means: "A parameter has no value.",
    out: "Write `name=value`; an empty text is `name=`.",
  }),
  "api/refused": diagnostic<{ operation: Word; answer: Quoted; code: Quoted }>({
    says: ({ operation, answer, code }) => `the server refuses ${operation}: ${bare(answer)} (${bare(code)})`,
    help: ({ operation }) =>
      `these are the server's own words; \`realmctl api --list ${operation}\` shows what the operation takes`,
    means: "The server refused the operation.",
    out: "The message has the server's own words: follow them.",
  }),
  "api/not-sent": diagnostic<{ operation: Word }>({
    says: ({ operation }) => `${operation} is what the server sends to a bot; nobody can send it to the server`,
    help: "`realmctl api --list` shows the operations that can be sent",
    means: "The request could not be sent.",
    out: "Check the connection.",
  }),
  "api/missing-parameter": diagnostic<{ operation: Word; parameter: Word; about?: Word }>({
    says: ({ operation, parameter }) => `${operation} needs ${parameter}`,
    help: ({ parameter, about }) => `write --${parameter}=VALUE${about === undefined ? "" : ` (${about})`}`,
    means: "The operation needs a parameter that is missing.",
    out: "Add it; `realmctl api --list` shows all.",
  }),
  "api/unknown-operation": diagnostic<{ operation: Quoted; meant?: Word }>({
    says: ({ operation }) => `realmctl knows no operation ${q(operation)}`,
    help: ({ meant }) => meantOr(meant, "`realmctl api --list` shows all that it sends; Zulip has more"),
    means: "There is no operation with this name.",
    out: "Correct the name; `realmctl api --list` shows all.",
  }),
  "api/unknown-parameter": diagnostic<{ operation: Word; parameter: Quoted; meant?: Word; takes_none: boolean }>({
    says: ({ operation, parameter }) => `${operation} has no parameter ${q(parameter)}`,
    help: ({ operation, meant, takes_none }) =>
      meantOr(meant, takes_none ? "it has no parameters: leave this one out" : takes(operation)),
    means: "The operation has no parameter with this name.",
    out: "Correct the name; `realmctl api --list` shows all.",
  }),
  "api/parameter-type": diagnostic<{ operation: Word; parameter: Word; wanted: WantedParam }>({
    says: ({ operation, parameter, wanted }) => `${parameter} of ${operation} must be ${paramText(wanted)}`,
    help: ({ operation }) => takes(operation),
    means: "A parameter is of another type than the operation takes.",
    out: "Correct it; numbers, lists and maps are JSON.",
  }),
};
