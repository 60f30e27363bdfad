/** What stands in place of a text that mentions somebody or something hidden. */
export interface Hit {
  readonly length: number;
  /** What to show instead; undefined for a name that may be shown: it only keeps shorter names in it from being found. */
  readonly shown: string | undefined;
}

type What = "name" | "address" | "person";

/** One letter of the names that are looked for, and what may follow it. */
interface Letter {
  readonly next: Map<string, Letter>;
  end?: { readonly what: What; readonly shown: string | undefined; readonly isOrdinary: boolean };
}

/** Whose text is searched: sentences of realmctl sign the names in them, what people write does not. */
export type Writer = "us" | "people";

const SHORTEST_WORD = 4;
const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
const joins = (character: string | undefined): boolean => character === "-" || character === "_";
const QUOTES: { readonly [opening: string]: string } = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "*": "*" };

/** Finds names in texts, in time that grows with the text and the longest name only. Upper and lower case are the same. */
export class NameSearch {
  private readonly top: Letter = { next: new Map() };

  /** @param shown undefined for what may be shown */
  add(text: string, what: What, shown: string | undefined): void {
    if (text === "") return;
    let letter = this.top;
    for (const character of folded(text)) {
      const known = letter.next.get(character) ?? { next: new Map() };
      letter.next.set(character, known);
      letter = known;
    }
    // What is hidden stays hidden when something else has the same name.
    if (letter.end?.shown === undefined) letter.end = { what, shown, isOrdinary: /^[a-z ]+$/i.test(text) };
  }

  /** The text with what is hidden replaced. */
  replace(text: string, writer: Writer): string {
    const letters = [...text];
    const small = letters.map(folded);
    let found = "";
    for (let at = 0; at < letters.length; ) {
      const hit = this.longestAt(small, at, writer);
      found += hit?.shown ?? letters.slice(at, at + (hit?.length ?? 1)).join("");
      at += hit?.length ?? 1;
    }
    return found;
  }

  has(text: string, writer: Writer): boolean {
    const small = Array.from(text, folded);
    for (let at = 0; at < small.length; ) {
      const hit = this.longestAt(small, at, writer);
      if (hit?.shown !== undefined) return true;
      at += hit?.length ?? 1;
    }
    return false;
  }

  private longestAt(text: readonly string[], from: number, writer: Writer): Hit | undefined {
    let best: Hit | undefined;
    let letter: Letter | undefined = this.top;
    for (let at = from; letter !== undefined; at += 1) {
      const { end } = letter;
      if (end !== undefined && fits(text, from, at, end, writer)) best = { length: at - from, shown: end.shown };
      const character = text[at];
      letter = character === undefined ? undefined : letter.next.get(character);
    }
    return best;
  }
}

/** Does a name begin and end here, or is it a part of another word? */
function fits(
  text: readonly string[],
  from: number,
  to: number,
  { what, isOrdinary }: NonNullable<Letter["end"]>,
  writer: Writer,
): boolean {
  const before = text[from - 1];
  const after = text[to];
  if (what === "address") return !isWord(before) && !/[._%+-]/.test(before ?? " ") && !isWord(after);
  if (isWord(before) || isWord(after)) return false;
  if (joins(after) && isWord(text[to + 1])) return false;
  if (what === "person") return to - from >= SHORTEST_WORD;
  if (before === "#" || (before === ":" && isWord(text[from - 2]))) return true;
  const closing = before === undefined ? undefined : QUOTES[before];
  if (closing !== undefined && closing === after) return true;
  if (joins(before)) return false;
  // Where names are signed, words that are names too are only words; and two letters are no name anywhere.
  return to - from >= SHORTEST_WORD && (writer === "people" || !isOrdinary);
}

/** Letter by letter, so that positions stay what they are. */
export function folded(text: string): string {
  return Array.from(text, (character) => {
    const small = character.toLowerCase();
    return small.length === character.length ? small : character;
  }).join("");
}

/**
 * A text in all the forms in which a name may stand in it: as it is, as JSON escapes it, as Zulip's own links write it (`4-Two-words`,
 * `two.20words`), as URLs and HTML do.
 */
export function spellings(text: string): readonly string[] {
  const found = new Set([text]);
  for (const decode of [unescaped, fromHtml, fromPercent, fromDots, inWords])
    for (const known of [...found]) found.add(decode(known));
  return [...found];
}

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
/** Names of emoji, slugs and addresses of bots are names with the blanks, and all that is no letter, replaced: `board_room`, `board-room`. */
export const inWords = (text: string): string => text.replace(/[^\p{L}\p{N}@]+/gu, " ");

/** Ids of channels in links of Zulip: `#narrow/channel/4-Two-words`, `#narrow/stream/4`, `#channels/4/Two words`. */
export function channelIdsIn(text: string): readonly number[] {
  return [...text.matchAll(/(?:channel|stream)s?\/(\d{1,15})(?![\p{L}\p{N}])/giu)].map(([, id]) => Number(id));
}
