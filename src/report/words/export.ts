import { cases } from "../../model/cases.ts";
import { unfetchedText } from "../../model/diagnostics/inexpressible.ts";
import type { OmissionReason } from "../../model/shown-picture.ts";
import { count } from "../../model/words.ts";
import { wordedDiagnostic } from "./diagnostics.ts";

/** Why a file leaves something out: a clause. */
export const omissionText = cases<OmissionReason, "is">("is", {
  "no-value": "no file can express its value",
  twin: "another entry of the file says the same",
  differs: "the file and the server do not mean the same by it",
  "not-fetched": ({ picture }) => unfetchedText(picture),
  refused: ({ by }) => wordedDiagnostic(by).message,
});

// The comments of an exported file.

/** @param what a field, or an object's name in quotes */
export const leftOutComment = (what: string, reason: OmissionReason): string =>
  `${what} is left out: ${omissionText(reason)}`;

/** @param object absent for a section that is one object */
export const noUnsetComment = (field: string, object: string | undefined): string =>
  `unset: default is not possible here, because no file can express ${field}${object === undefined ? "" : ` of ${JSON.stringify(object)}`}`;

export const twinsComment = (twins: number, [one, many]: readonly [string, string]): string =>
  `${count(twins, `${one} is`, `${many} are`)} like another one, and not listed`;

/** @param state `archived`, `deactivated` */
export const inactiveComment = (number: number, state: string, [one, many]: readonly [string, string]): string =>
  `${number} ${state} ${number === 1 ? one : many} not listed`;

export const unfetchedComment = (pictures: number): string =>
  `${count(pictures, "picture is", "pictures are")} not fetched: realmctl export --out realm.yaml puts them beside the file`;

/** The comment above `manage`. */
export const manageComments = (hasUnset: boolean): readonly string[] => [
  "additive: objects that are not listed here are left alone; exact: they are removed",
  ...(hasUnset
    ? ["unset: default: a field that is not listed here must have the server's default for new objects"]
    : []),
];

/** The comment at the top of the file. */
export function aboutFile(file: {
  readonly organization: string;
  readonly command: "init" | "export";
  readonly day: string;
  readonly hasUnset: boolean;
  readonly isComplete: boolean;
}): readonly string[] {
  const { organization, command, day, hasUnset, isComplete } = file;
  const meaning = hasUnset
    ? "The section manage says what a missing field means."
    : "A field that is missing here is left as it is on the server.";
  const short = isComplete ? "" : "Values that every new object has are left out. ";
  return [`${organization}, as realmctl ${command} found it on ${day}.`, `${short}${meaning}`];
}
