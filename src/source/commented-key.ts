/** A name behind "#", as Zulip writes channels, which has lines of its own below it. */
const COMMENTED = /^( *)#([^\s#:!][^\s:]*):[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*?\1 +(?=[^\s#])/gm;
/** How far back and on is looked. */
const NEAR = 10_000;

/** The range of a name that is a comment, and what is written. */
interface CommentedKey {
  readonly written: string;
  readonly at: readonly [start: number, end: number];
}

/**
 * `#incidents:` above a position: YAML takes it for a comment, and what is below it for a part of the entry before.
 * @param after only behind this position
 * @param fits whether its column is the one of a key that explains what is wrong at the position
 */
export function commentedKey(
  text: string,
  at: number,
  fits: (indent: number) => boolean,
  after = 0,
): CommentedKey | undefined {
  const from = text.lastIndexOf("\n", Math.max(after, at - NEAR)) + 1;
  let found: CommentedKey | undefined;
  for (const { 0: whole, 1: margin = "", 2: name = "", index } of text.slice(from, at + NEAR).matchAll(COMMENTED)) {
    const start = from + index + margin.length;
    if (start > at + margin.length) break;
    const between = text
      .slice(from + index + whole.length, at)
      .split("\n")
      .slice(1, -1);
    const isLeft = between.some((line) => /\S/.test(line) && line.search(/\S/) < margin.length);
    if (start >= after && fits(margin.length) && !isLeft)
      found = { written: `#${name}`, at: [start, start + name.length + 2] };
  }
  return found;
}
