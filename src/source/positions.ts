import { isAlias, isMap, isScalar, isSeq, type Pair } from "yaml";

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
