import { replaceInvisible } from "../model/clean.ts";

type What = "name" | "address" | "full-name";

/** One letter of the names that are searched for, and the letters that may follow it. */
interface Letter {
  readonly next: Map<string, Letter>;
  end?: { readonly what: What; readonly isHidden: boolean };
}

const SHORTEST_WORD = 4;
const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
/** Scripts whose words stand beside each other without spaces, or have endings that are written with them (Korean). */
const isUnspaced = (character: string | undefined): boolean =>
  character !== undefined &&
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u.test(character);
const joins = (character: string | undefined): boolean => character === "-" || character === "_";
const QUOTES: { readonly [opening: string]: string } = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "*": "*" };

interface Hit {
  readonly length: number;
  readonly isHidden: boolean;
}

/** Finds names in texts, whatever their case. The time grows only with the length of the text and of the longest name. */
export class NameSearch {
  private readonly top: Letter = { next: new Map() };

  /** @param isHidden false for a name that may be shown: it only prevents shorter names in it from being found */
  add(text: string, what: What, isHidden: boolean): void {
    if (text === "") return;
    let letter = this.top;
    for (const character of folded(text)) {
      const known = letter.next.get(character) ?? { next: new Map() };
      letter.next.set(character, known);
      letter = known;
    }
    // A hidden name stays hidden if something else has the same name.
    if (letter.end?.isHidden !== true) letter.end = { what, isHidden };
  }

  /** Whether a text that somebody wrote contains something hidden. */
  has(text: string): boolean {
    const small = Array.from(text, foldedLetter);
    for (let at = 0; at < small.length; ) {
      const found = this.longestAt(small, at);
      if (found?.isHidden === true) return true;
      at += found?.length ?? 1;
    }
    return false;
  }

  private longestAt(text: readonly string[], from: number): Hit | undefined {
    let best: Hit | undefined;
    let letter: Letter | undefined = this.top;
    for (let at = from; letter !== undefined; at += 1) {
      const { end } = letter;
      if (end !== undefined && fits(text, from, at, end)) best = { length: at - from, isHidden: end.isHidden };
      const character = text[at];
      letter = character === undefined ? undefined : letter.next.get(character);
    }
    return best;
  }
}

/** Whether a name begins and ends here, and is not a part of another word. */
function fits(text: readonly string[], from: number, to: number, { what }: NonNullable<Letter["end"]>): boolean {
  const before = text[from - 1];
  const after = text[to];
  if (what === "address") return !isWord(before) && !/[._%+-]/.test(before ?? " ") && !isWord(after);
  if (continues(before, text[from]) || continues(after, text[to - 1])) return false;
  if (joins(after) && isWord(text[to + 1])) return false;
  const letters = text.slice(from, to).reduce((sum, character) => sum + (isUnspaced(character) ? 2 : 1), 0);
  if (what === "full-name") return letters >= SHORTEST_WORD;
  if (before === "#" || isLinkStart(text, from) || (before === ":" && isWord(text[from - 2]))) return true;
  const closing = before === undefined ? undefined : QUOTES[before];
  if (closing !== undefined && closing === after) return true;
  if (joins(before)) return false;
  // Two letters count as a name only after a sign; two Chinese characters are a word.
  return letters >= SHORTEST_WORD;
}

/** Zulip's own links begin so: `#**hr**`, `#**hr>topic**`. */
const isLinkStart = (text: readonly string[], at: number): boolean => text.slice(at - 3, at).join("") === "#**";

/** Whether the character beside the end of a name makes it a part of a longer word. */
const continues = (beside: string | undefined, end: string | undefined): boolean =>
  isWord(beside) && !isUnspaced(beside) && !isUnspaced(end);

/** Letter by letter, so that positions do not change. */
export const folded = (text: string): string => Array.from(text, foldedLetter).join("");

function foldedLetter(character: string): string {
  const small = character.toLowerCase();
  return small.length === character.length ? small : character;
}

/**
 * A text in all forms that may contain a name: unchanged, without the escapes of JSON, of Zulip's own links (`4-Two-words`, `two.20words`), of URLs
 * and of HTML, and with every character in one form.
 */
export function spellings(text: string): readonly string[] {
  const found = new Set([text, plain(text)]);
  for (const decode of [unescaped, fromHtml, fromPercent, fromDots, inWords])
    for (const known of [...found]) found.add(decode(known));
  return [...found];
}

/** A text without invisible characters, with one form for each letter (separate accents, full-width letters). */
export const plain = (text: string): string => replaceInvisible(text, () => "").normalize("NFKC");

const unescaped = (text: string): string =>
  text.replace(/\\(u[0-9a-f]{4}|.)/gi, (_, code: string) =>
    code.length === 5 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : code,
  );
const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const fromHtml = (text: string): string =>
  text.replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
    const hex = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
const decodedBytes = (text: string): string => {
  const bytes = text
    .slice(1)
    .split(/[%.]/)
    .map((byte) => Number.parseInt(byte, 16));
  return Buffer.from(bytes).toString("utf8");
};
const fromPercent = (text: string): string => text.replace(/(?:%[0-9a-f]{2})+/gi, decodedBytes);
const fromDots = (text: string): string => text.replace(/(?:\.[0-9a-f]{2})+/gi, decodedBytes);
/** Names of emoji, slugs and addresses of bots are names in which spaces and all other characters except letters are replaced: `board_room`, `board-room`. */
export const inWords = (text: string): string => text.replace(/[^\p{L}\p{N}@]+/gu, " ");

/** Ids of channels in links of Zulip: `#narrow/channel/4-Two-words`, `#narrow/stream/4`, `#channels/4/Two words`. */
export function channelIdsIn(text: string): readonly number[] {
  return [...text.matchAll(/(?:channel|stream)s?\/(\d{1,15})(?![\p{L}\p{N}])/giu)].map(([, id]) => Number(id));
}
