import { clean } from "../model/clean.ts";
import type { Span } from "../model/diagnostic.ts";
import { beginning, harmless, NAMED_PART, type NamedText, namedIn, withoutMarks } from "./named-text.ts";
import { bounded, PLAIN, wrap } from "./style.ts";

/** The maximum length of a name and of a sentence in Markdown, in UTF-16 units, so that long values leave room for others. */
const LONGEST_NAME = 240;
const LONGEST_SENTENCE = 600;
/** Forges do not wrap the lines of a fenced block, and mail is read in narrow windows. */
const WIDEST_LINE = 100;

/** More backticks than the text has anywhere in a row, so that none of its own ends what begins with them. */
const backticks = (text: string, least: number): string =>
  "`".repeat(Math.max(least, ...(text.match(/`+/g) ?? []).map((run) => run.length + 1)));

/**
 * Foreign text as a code span. There forges make no mentions, references, links, emoji or elements, and nothing has to be escaped: in an e-mail
 * the text reads as it is. Not for cells of a table, where a `|` ends the span.
 */
export function codeText(text: string): string {
  const shown = text === "" ? '""' : clean(text);
  const ends = backticks(shown, 1);
  // One space at each end is not part of the code.
  const room = /^`|`$|^ .*\S.* $/.test(shown) ? " " : "";
  return ends + room + shown + room + ends;
}

/** {@link codeText} for names: of a very long one, the beginning and the length. */
export function nameText(name: string): string {
  return codeText(bounded(PLAIN, name, LONGEST_NAME));
}

/** {@link proseText} for sentences that may quote a value of any length. */
export function sentenceText(text: string | NamedText): string {
  const named = namedText(text);
  const whole = withoutMarks(named.marked);
  const shown = bounded(PLAIN, whole, LONGEST_SENTENCE);
  if (shown === whole) return proseText(named);
  const [end = ""] = /… \([\d,]+ characters\)$/.exec(shown) ?? [];
  return proseText({ marked: beginning(named, shown.length - end.length) + end });
}

/** Only facts know names: in another text, nothing is one. */
const namedText = (text: string | NamedText): NamedText =>
  typeof text === "string" ? { marked: harmless(text) } : text;

/** The line above and below a text that is shown as it is, line by line. */
export const fenceOf = (text: string): string => backticks(text, 3);

/** A block that forges colour. A line that is wrapped begins with its sign again. @param lines each begins with `+ `, `- ` or two spaces */
export function diffBlock(lines: readonly string[]): readonly string[] {
  const shown = lines.flatMap((line) =>
    wrap(line.slice(2), WIDEST_LINE).map((part, index) => line.slice(0, 2) + (index === 0 ? part : `  ${part}`)),
  );
  const fence = fenceOf(shown.join("\n"));
  return [`${fence}diff`, ...shown, fence];
}

// The parts of a sentence that stay together: names, quotations in backticks, and replacements of hidden names.
const PARTS = new RegExp(`(${NAMED_PART}|\`[^\`\ufdd0\ufdd1]+\`|#?(?:new )?private channel \\d+| +)`);
const WORD = /^(["'({“‘„«]*)(.*?)([)}"'”’»….,;:!?]*)$/;
// Letters and digits, and what joins them; or one sign by itself. Everything else could have an effect somewhere.
const PLAIN_WORD = /^(?:[\p{L}\p{M}\p{N}]+(?:[-‑–'’.,/][\p{L}\p{M}\p{N}]+)*%?|[-–—→←⏎·…=+]?)$/u;
// Forges make links of hosts, commits and issues of other trackers, and colours of what is between `{+` and `+}`.
const ACTIVE = /www\.|\b[0-9a-f]{7,64}\b|\b[a-z]\w*-\d+|\{[-+]|[-+]\}/i;
// At the beginning of a line these begin a list or underline a heading.
const BEGINS_BLOCK = /^(?:\d+[.)]|[-+=]+)$/;

/** A sentence with foreign words in it ("#incidents becomes readable by 31 more people"). Names, and words that could have an effect, are code. */
export function proseText(text: string | NamedText): string {
  const parts = clean(namedText(text).marked.trim())
    .split(PARTS)
    .filter((part) => part !== "");
  return parts
    .map((part, index) => {
      if (part.startsWith(" ")) return " ";
      const named = namedIn(part);
      if (named !== undefined) return named.before + codeText(named.code) + named.after;
      if (/^`.+`$/.test(part)) return codeText(part.slice(1, -1));
      const [, before = "", word = "", after = ""] = WORD.exec(part) ?? [];
      if (PARTS.test(part)) return part.startsWith("#") ? codeText(part) : part;
      if (index === 0 && BEGINS_BLOCK.test(part)) return codeText(part);
      return PLAIN_WORD.test(word) && !ACTIVE.test(part) ? part : before + codeText(word) + after;
    })
    .reduce((all, part) => (all.endsWith("`") && part.startsWith("`") ? `${all} ${part}` : all + part), "");
}

/** Addresses of the places that a text names: at its end, so that its sentences stay short where they are read as plain text. */
export class Links {
  private readonly numbers = new Map<string, number>();
  private readonly urls: string[] = [];
  private readonly urlOf: (at: Span) => string | undefined;

  constructor(urlOf: (at: Span) => string | undefined = () => undefined) {
    this.urlOf = urlOf;
  }

  /** The end of a sentence: its place, and the number of the place's address if it has one. */
  place(at: Span | undefined, ...column: readonly number[]): string {
    if (at === undefined) return "";
    const label = codeText([at.file, at.line, ...column].join(":"));
    const url = this.urlOf(at);
    if (url === undefined) return ` · ${label}`;
    if (!this.numbers.has(url)) this.numbers.set(url, this.urls.push(url));
    return ` · [${label}][${this.numbers.get(url)}]`;
  }

  /** The lines with the addresses that a text needs. */
  below(text: string): readonly string[] {
    const used = [...text.matchAll(/\]\[(\d+)\]/g)].map(([, number]) => Number(number));
    return [...new Set(used)]
      .sort((a, b) => a - b)
      .flatMap((number) => (this.urls[number - 1] === undefined ? [] : [`[${number}]: ${this.urls[number - 1]}`]));
  }
}

/** A path as part of a URL: everything except letters, digits and `-._/` is percent-encoded. */
export function urlPath(path: string): string {
  return path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
}

/** A part of a text that may have to be cut. */
export type Block =
  | { readonly fixed: string }
  | {
      readonly items: readonly string[];
      /** How many objects an item stands for; default: one. */
      readonly weights?: readonly number[];
      /** The maximum share of the remaining room, so that later blocks also get some. */
      readonly share: number;
      /** The line that says how many objects are left out. */
      readonly left: (number: number) => string;
      readonly before?: string;
      readonly after?: string;
    };

/** An item counts as long if it takes more than this share of its block's room. */
const LONG = 0.25;

/**
 * Fills a text up to a budget: fixed parts always, lists item by item, each followed by a line that says exactly how much was left out. Never longer
 * than the budget, unless the fixed parts alone are.
 * @param budget UTF-16 units
 * @param links the addresses that the items mention, which follow the text
 */
export function fillBlocks(blocks: readonly Block[], budget: number, links = new Links()): string {
  const sizeOf = (text: string): number => [text, ...links.below(text)].reduce((sum, line) => sum + line.length + 1, 0);
  let room = budget - 1;
  for (const block of blocks) room -= reserved(block);
  const text = blocks
    .map((block) => {
      if ("fixed" in block) return block.fixed === "" ? "" : `${block.fixed}\n`;
      if (block.items.length === 0) return "";
      const sizes = block.items.map(sizeOf);
      const whole = sizes.reduce((sum, size) => sum + size, 0);
      // The minimum size of a later list is known; a short one leaves its share to the others.
      const allowed = Math.floor(room * block.share);
      const shown: string[] = [];
      let used = 0;
      let left = 0;
      for (const [index, item] of block.items.entries()) {
        const size = sizes[index] ?? 0;
        if (whole > allowed && used + size > allowed) {
          left += block.weights?.[index] ?? 1;
          // Very long items are skipped, so that they do not hide the others.
          if (size > allowed * LONG) continue;
          left += sumFrom(block, index + 1);
          break;
        }
        shown.push(item);
        used += size;
      }
      room -= used;
      const lines = left === 0 ? shown : [...shown, block.left(left)];
      return `${block.before ?? ""}${lines.join("\n")}\n${block.after ?? ""}`;
    })
    .filter((part) => part !== "")
    .join("");
  const below = links.below(text);
  return below.length === 0 ? text : `${text}\n${below.join("\n")}\n`;
}

/** The number of objects in this item and all following ones. */
function sumFrom({ items, weights }: Exclude<Block, { readonly fixed: string }>, from: number): number {
  let sum = 0;
  for (let index = from; index < items.length; index += 1) sum += weights?.[index] ?? 1;
  return sum;
}

/** The size of a block if none of its items fits. */
function reserved(block: Block): number {
  if ("fixed" in block) return block.fixed === "" ? 0 : block.fixed.length + 1;
  if (block.items.length === 0) return 0;
  const most = sumFrom(block, 0);
  return (block.before ?? "").length + (block.after ?? "").length + block.left(most).length + 2;
}
