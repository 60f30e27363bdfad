import { isAlias, isMap, isScalar, isSeq, type Pair, Parser, parseDocument, type YAMLMap } from "yaml";
import { isObject, type Json } from "../model/json.ts";
import { quotedText } from "./write.ts";

/** The parsed document, without merges and without checks. */
export function documentOf(text: string, more: Parameters<typeof parseDocument>[1] = {}) {
  const common = { version: "1.2", schema: "core", uniqueKeys: false, merge: false, logLevel: "silent" } as const;
  return parseDocument(text, { ...common, ...more });
}

export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyName(pair) === key);
}

export const keyName = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : "");

/** The new text with the quotes of the old one, if it allows them. */
export function quotedLike(node: unknown, goal: Json, written: string): string {
  if (typeof goal !== "string" || !isScalar(node)) return written;
  // A text that needs escapes is written with them.
  if (written !== goal && written !== `"${goal}"`) return written;
  if (node.type === "QUOTE_SINGLE") return `'${goal.replaceAll("'", "''")}'`;
  return node.type === "QUOTE_DOUBLE" && !/["\\]/.test(goal) ? quotedText(goal) : written;
}

/** Start and end of a node in the text; 0 for a value that is not a node. */
export function rangeOf(node: unknown): readonly [number, number] {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return [0, 0];
  const [start, end] = node.range ?? [0, 0];
  return [start, end];
}

/** Where nodes and lines of one text begin and end. */
export class Positions {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  source(node: unknown): string {
    const [start] = rangeOf(node);
    return this.text.slice(start, this.endOf(node));
  }

  endOfPair(pair: Pair): number {
    const end = pair.value === null || pair.value === undefined ? 0 : this.endOf(pair.value);
    const [, keyEnd] = rangeOf(pair.key);
    return end > keyEnd ? end : this.text.indexOf(":", keyEnd) + 1;
  }

  /** The end of a node's last character, without the comments after it. */
  endOf(node: unknown): number {
    if ((isMap(node) || isSeq(node)) && node.flow !== true) {
      const last: unknown = node.items.at(-1);
      if (isMap(node)) {
        const pair = node.items.at(-1);
        if (pair !== undefined) return this.endOfPair(pair);
      } else if (last !== undefined) return this.endOf(last);
    }
    const [start, end] = rangeOf(node);
    return start + this.text.slice(start, end).trimEnd().length;
  }

  column(offset: number): number {
    return offset - this.lineStart(offset);
  }

  lineStart(offset: number): number {
    return offset === 0 ? 0 : this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** The end of the text on the line, before its line end. */
  lineEnd(offset: number): number {
    const at = this.text.indexOf("\n", offset);
    return at === -1 ? this.text.length : at;
  }
}

export interface Comment {
  readonly start: number;
  /** The text of the comment with its "#", without the line end. */
  readonly text: string;
}

/** Every comment of a text, in its order. */
export function commentsIn(text: string): readonly Comment[] {
  const found: Comment[] = [];
  const queue: unknown[] = [...new Parser().parse(text)];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (Array.isArray(next)) queue.push(...next);
    else if (isObject(next)) {
      if (next.type === "comment" && typeof next.offset === "number" && typeof next.source === "string")
        found.push({ start: next.offset, text: next.source.trimEnd() });
      else queue.push(...Object.values(next).filter((value) => typeof value === "object" && value !== null));
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether the other text has every comment of the first one, as often. */
export function keepsComments(before: string, after: string): boolean {
  const left = new Map<string, number>();
  for (const { text } of commentsIn(after)) left.set(text, (left.get(text) ?? 0) + 1);
  return commentsIn(before).every(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
}
