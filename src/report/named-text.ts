import { shellWord } from "../model/command-line.ts";

// Noncharacters of Unicode: no text may have them, and neither JSON nor a terminal's escapes change them.
const START = "\ufdd0";
const END = "\ufdd1";
const MARKS = /[\ufdd0\ufdd1]/g;
const NO_MARK = "[^\ufdd0\ufdd1]";

/** A sentence that knows where its names and commands begin and end. Only {@link withNames} makes one. */
export interface NamedText {
  readonly marked: string;
}

/** What shows the commands in a sentence: {@link asCode} for a reader that knows names, otherwise the command as it is. */
export type ShowCommand = (command: string) => string;
const asItIs: ShowCommand = (command) => command;
const asCode: ShowCommand = (text) => START + withoutMarks(text) + END;

export const withoutMarks = (text: string): string => text.replace(MARKS, "");

/** Marks that a foreign text has are written out, so that it can begin or end nothing. */
export const harmless = (text: string): string =>
  text.replace(MARKS, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);

/**
 * The sentence of a fact, with its names and commands marked. Names with spaces look like words of the sentence, so only the fact knows them; it has
 * every name in a form of its own (`src/model/diagnostics/values.ts`). Words that depend on how a name begins come out without marks.
 */
export function withNames<Fact extends object>(
  fact: Fact,
  words: (fact: Fact, command: ShowCommand) => string,
): NamedText {
  const plain = harmless(words(fact, asItIs));
  const copy = structuredClone(fact);
  markIn(copy);
  const marked = words(copy, asCode);
  return { marked: withoutMarks(marked) === plain ? marked : plain };
}

interface Values {
  [key: string]: unknown;
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** In lists, too: their keys are numbers. */
function markIn(value: unknown): void {
  if (!isValues(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "string") value[key] = markedText(key, item, value);
    else markIn(item);
  }
}

function markedText(key: string, item: string, owner: Values): string {
  const text = harmless(item);
  if (key === "pattern" || key === "address") {
    // Words look at the kind, and a shell's quotes depend on all of it.
    const [, kind = "", name = ""] = /^((?:protect:)?[a-z_]+:)?(.*)$/s.exec(text) ?? [];
    return shellWord(text) === text ? text : kind + asCode(name);
  }
  const isName =
    key === "quoted" ||
    ((key === "name" || key === "was") && typeof owner.address === "string") ||
    ((key === "full_name" || key === "email") && typeof owner.user_id === "number");
  // Words know the groups of roles by their names.
  return isName && !text.startsWith("role:") ? asCode(text) : text;
}

// A name with what is written directly before and behind it: its sign, quotes, the kind of an address. A sentence may be cut in a name.
const NAMED = `[^\\s\ufdd0\ufdd1]*(?:${START}${NO_MARK}*(?:${END}|$)[^\\s\ufdd0\ufdd1]*)+`;
/** The pattern of a name or a command in a {@link NamedText}; a command of our own with a name in quotes is one. */
export const NAMED_PART = `realmctl [a-z]+(?: --[a-z-]+)* (?=["'])${NAMED}|${NAMED}`;

/** The code in such a part, between the brackets and the punctuation of the sentence; undefined for another part. */
export function namedIn(
  part: string,
): { readonly before: string; readonly code: string; readonly after: string } | undefined {
  const first = part.indexOf(START);
  if (first < 0) return undefined;
  const [before = ""] = /^[([{«„“‘]*/.exec(part.slice(0, first)) ?? [];
  const last = part.lastIndexOf(END);
  const isCut = last < part.lastIndexOf(START);
  const [all = ""] = isCut ? [] : (/[)\]}»”’….,;:!?]*$/.exec(part.slice(last + 1)) ?? []);
  // `:tada:` is the name of an emoji.
  const after = part[before.length] === ":" ? all.replace(/^:/, "") : all;
  return { before, code: withoutMarks(part.slice(before.length, part.length - after.length)), after };
}

/** The first `most` units of a text, its marks not counted; an open name ends there. */
export function beginning({ marked }: NamedText, most: number): string {
  let left = most;
  let isOpen = false;
  let kept = "";
  for (const unit of marked.split("")) {
    const isMark = unit === START || unit === END;
    if (!isMark && left === 0) break;
    if (isMark) isOpen = unit === START;
    else left -= 1;
    kept += unit;
  }
  return isOpen ? kept + END : kept;
}
