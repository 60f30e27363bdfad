import { EMOJI_TABLE } from "./emoji-table.ts";

interface Emoji {
  readonly codeByName: ReadonlyMap<string, string>;
  readonly codes: ReadonlySet<string>;
}

let read: Emoji | undefined;

/** The table of emoji, parsed at the first use. */
function emoji(): Emoji {
  read ??= readTable();
  return read;
}

function readTable(): Emoji {
  const codeByName = new Map<string, string>();
  const codes = new Set<string>();
  for (const entry of EMOJI_TABLE.split(",")) {
    const [code = "", ...names] = entry.trim().split(" ");
    codes.add(code);
    for (const name of names) codeByName.set(name, code);
  }
  return { codeByName, codes };
}

/** The code of a Unicode emoji by any of its names. */
export const emojiCode = (name: string): string | undefined => emoji().codeByName.get(name);
export const isEmojiCode = (code: string): boolean => emoji().codes.has(code);

/** Newer names that are taken, as recorded uploads show; their emoji are unknown. */
const MORE_NAMES: ReadonlySet<string> = new Set(["late", "big"]);
/** Whether a Unicode emoji has the name, as its first or as another one. */
export const isBuiltIn = (name: string): boolean => emoji().codeByName.has(name) || MORE_NAMES.has(name);
