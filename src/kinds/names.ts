import { indexed } from "../model/lazy.ts";
import type { Pair } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";

/**
 * Names as the server treats them (zulip-api.md §3.10). Several kinds share these rules, so they are beside the kinds and not in one of them.
 */

// The characters that Python's str.strip() removes; JavaScript's trim() differs in U+001C–U+001F, U+0085 and U+FEFF.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const OUTER_SPACE = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g");

/** A text without white space at both ends, as the server stores it. */
export function strip(text: string): string {
  return text.replace(OUTER_SPACE, "");
}

/**
 * A text that is equal for names that the server treats as equal. It upper-cases each character into one character: STRAßE and straße are one name,
 * straße and STRASSE are two.
 */
export function foldCase(name: string): string {
  if (ASCII.test(name)) return name.toUpperCase();
  let folded = "";
  for (const character of name) {
    const upper = character.toUpperCase();
    folded += codePoints(upper) === 1 ? upper : character;
  }
  return folded;
}

/** Matches most names: those whose characters are one code point each, also in upper case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** The length of a text as the server counts it. */
export function codePoints(text: string): number {
  if (ASCII.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The maximum number of characters of a description, as the server counts them (zulip-api.md §3.10). */
export const MAX_DESCRIPTION_LENGTH = 1024;

/** As a schema of texts of at most so many characters. */
export const isAtMost =
  (most: number) =>
  (text: string): boolean =>
    codePoints(text) <= most;

/** What is wrong with the length of a text that must not be empty. */
export function lengthCause(text: string, limit: number) {
  const length = codePoints(text);
  if (text === "") return { cause: "empty" } as const;
  return length > limit ? ({ cause: "too-long", length, limit } as const) : undefined;
}

/** What is wrong with the name of a channel or a folder. */
export function nameCause(name: string, limit: number) {
  const position = forbiddenCharacter(name);
  return lengthCause(name, limit) ?? (position === undefined ? undefined : ({ cause: "character", position } as const));
}

/** Position, from 1, of the first character that no channel name may hold (Cc, Cs, noncharacters), or undefined. */
export function forbiddenCharacter(name: string): number | undefined {
  const found = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.exec(name);
  return found === null ? undefined : codePoints(name.slice(0, found.index)) + 1;
}

const keysOf = (key: string | undefined): readonly string[] => (key === undefined ? [] : [key]);

/** Whether the entry of a new object pins an id that nothing has: that is the error, and not that its name is taken. */
export const pinsNothing = ({ action, address }: Change, context: PlanContext): boolean =>
  action === "create" && context.pair(address)?.declared?.id !== undefined;

/** Objects of a section by their name on the server before the plan. */
export const pairsByLiveName = indexed<Pair>(({ live }) => keysOf(live?.name));
/** Objects of a section by their key on the server before the plan. */
export const pairsByLiveKey = indexed<Pair>(({ live }) => keysOf(live?.key));
/** Objects of a section that the file names by this key. */
export const pairsByDeclaredKey = indexed<Pair>(({ declared }) => keysOf(declared?.key));
/** Objects of a section by their key in the file, or otherwise on the server. */
export const pairsByKey = indexed<Pair>(({ declared, live }) => keysOf(declared?.key ?? live?.key));
/** Objects of a section by the name that they have after the plan. */
export const pairsByNewName = indexed<Pair>(({ change, live }) => keysOf(change?.name ?? live?.name));

/** Changes of channels by the key of their new name. */
export const channelChangesByKey = indexed<Change>(({ kind, name }) => (kind === "channel" ? [foldCase(name)] : []));
export const channelsByKey = indexed<SnapshotChannel>(({ name }) => [foldCase(name)]);
/** Folders, archived ones too, by the key of their name. */
export const foldersByKey = indexed<{ readonly name: string; readonly id: number; readonly is_archived: boolean }>(
  ({ name }) => [foldCase(name)],
);
