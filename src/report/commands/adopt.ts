import { clean } from "../../model/clean.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type InexpressibleFact, inexpressibleText } from "../../model/diagnostics/inexpressible.ts";
import type { Change } from "../../model/plan.ts";
import type { LostProtection } from "../../model/policy.ts";
import { valueText } from "../../model/value-text.ts";
import { listNames } from "../../model/words.ts";
import { changeName, isUndeclared, objectName } from "../layout.ts";
import { wordedDiagnostic } from "../words/diagnostics.ts";

export const WHAT_TO_TAKE = "What should the file take from the server?";
export const NOTHING_WRITTEN = "Nothing was written.\n";

/** @param fields the chosen fields; empty for all that differ */
export function nothingToTake(file: string, fields: readonly string[]): string {
  const where = fields.length === 0 ? "" : ` in ${fields.map(clean).join(", ")}`;
  return `Nothing to take: ${clean(file)} matches the server${where}.\n`;
}

/** The label of a choice: an object, or a singleton section, that is only on the server. */
export const notInFile = (name: string): string => `${name}: not in the file`;

/** The label of a choice: a difference of the server, in one line. */
export function differenceLabel(change: Change): string {
  const { action, kind, name, fields, was } = change;
  if (action === "reorder") return changeName(change);
  const what = {
    create: "is missing on the server",
    remove: isUndeclared(change)
      ? "not in the file (exact)"
      : "exists on the server; the file removes it (absent: true)",
    update: fields.map(({ field }) => field).join(", "),
  }[action];
  return `${objectName(kind, was ?? name)}: ${clean(what)}`;
}

export const calledNow = (from: string, to: string): string => `${clean(`${from} is called ${to} now.`)}\n`;

/** A protection that a new name on the server lifted. */
export function noLongerProtected({ pattern, name, to, file }: LostProtection): string {
  const where = file === undefined ? "" : ` in ${file}`;
  return `${clean(`No longer protected: ${to}, which was ${name}. Change protect: ${pattern}${where}.`)}\n`;
}

/** Why a difference was not taken. */
export interface NotTaken {
  readonly reasons: readonly InexpressibleFact[];
  /** Names in the server's order. */
  readonly order: readonly string[];
  /** Names in the entry that mean nothing on the server. */
  readonly open: readonly Diagnostic[];
  /** The error that the files would have with it. */
  readonly breaks: Diagnostic | undefined;
}

/** What was not taken, why, and what to write. */
export function notTaken(change: Change, { reasons, order, open, breaks }: NotTaken): string {
  const { action, address, fields, at } = change;
  const what = fields.map(({ field }) => field).join(", ");
  const place = at === undefined || at.file === "" ? "" : ` (${at.file}:${at.line})`;
  if (breaks !== undefined) {
    return `${clean(`Not taken: ${address}${place}: ${breaks.code === "adopt/by-hand" ? byHand(change) : `the file would have an error: ${sentenceOf(breaks)}`}`)}\n`;
  }
  const [unknown] = open;
  if (unknown !== undefined && reasons.length === 0)
    return `${clean(`Not taken: ${address}${place}: ${sentenceOf(unknown)}`)}\n`;
  if (action === "create" && reasons.length > 0)
    return `${clean(`Not taken: ${address}${place}: ${reasons.map(inexpressibleText).join("; ")}`)}\n`;
  const why =
    action === "create"
      ? `${address} no longer exists on the server, and the file still names it`
      : action === "reorder"
        ? `the ${changeName(change)}: entries would have to move from one file to another, or past a comment. Move them by hand: ${listNames(order)}`
        : `${address}${what === "" ? "" : ` (${what})`} ${isUnknown(reasons) ? "cannot be written" : "must be written by hand"}${reasons.length === 0 ? "" : `: ${reasons.map(inexpressibleText).join("; ")}`}`;
  return `${clean(`Not taken: ${why}${place}`)}\n`;
}

/** A file that other organizations include: the message without the advice, which is about `--yes`. */
export const alsoPartOf = (finding: Diagnostic): string => `${clean(wordedDiagnostic(finding).message)}\n`;

/** Something else that a drift finds, with what to do. */
export const notSettled = (finding: Diagnostic): string => {
  const { at } = finding;
  const place = at === undefined || at.file === "" ? "" : ` (${at.file}:${at.line})`;
  return `${clean(`Not taken${place}: ${sentenceOf(finding)}`)}\n`;
};

/** No file can have the values, also one that is written by hand. */
const isUnknown = (reasons: NotTaken["reasons"]): boolean =>
  reasons.length > 0 && reasons.every(({ why }) => why === "value-unknown");

/** Its lines cannot be changed in place; what the server has there. */
function byHand({ fields }: Change): string {
  const values = fields.map(({ field, before }) => `${field}: ${valueText(before)}`);
  const what = values.length === 0 ? "write it by hand" : `write by hand ${values.join(", ")}`;
  return `its lines cannot be changed without losing a comment, an anchor or a merge; ${what}`;
}

/** The message of a diagnostic with what to do. */
function sentenceOf(diagnostic: Diagnostic): string {
  const { message, hint = "" } = wordedDiagnostic(diagnostic);
  return `${message}${hint === "" ? "" : `; ${hint}`}`;
}

export const writeThese = (files: readonly string[]): string => `Write ${listNames(files)}?`;
/** @param command shows what the files make of the organization */
export const wroteThese = (files: readonly string[], command: string): string =>
  `Wrote ${clean(listNames(files))}. Check it: ${command}\n`;
