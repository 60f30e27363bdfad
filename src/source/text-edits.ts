import { isMap, isScalar, isSeq } from "yaml";
import type { Json } from "../model/json.ts";
import { type Comment, commentsIn } from "./comments.ts";
import { quotedLike } from "./nodes.ts";
import { Positions } from "./positions.ts";
import { type Splice, spliced } from "./splices.ts";

/** The edits of one pass: pieces of text that are replaced, without losing a comment. */
export class TextEdits {
  readonly at: Positions;
  private readonly text: string;
  private readonly comments: readonly Comment[];
  private readonly splices: Splice[] = [];

  constructor(text: string) {
    this.text = text;
    this.at = new Positions(text);
    this.comments = commentsIn(text);
  }

  /** The text with these pieces replaced; overlapping ones wait for the next pass. */
  edited(): string {
    return spliced(this.text, this.splices);
  }

  splice(start: number, end: number, text: string): void {
    this.splices.push({ start, end, text });
  }

  hasComments(start: number, end: number): boolean {
    return this.commentsBetween(start, end).length > 0;
  }

  /** Whole lines up to the end of the one that contains `end`; comments in them stay, on separate lines. */
  deleteLines(start: number, end: number, indent: number): void {
    const stop = Math.min(this.at.lineEnd(end) + 1, this.text.length);
    this.splice(start, stop, this.kept(start, stop, indent, false));
  }

  /** The comments between two places, as separate lines. */
  kept(start: number, end: number, indent: number, behindDash: boolean): string {
    const inside = this.commentsBetween(start, end);
    const lines = inside.map(({ text }) => `${text}\n${" ".repeat(indent)}`).join("");
    if (lines === "") return "";
    return behindDash ? lines : `${" ".repeat(indent)}${lines.slice(0, lines.length - indent)}`;
  }

  /** Puts a value after a colon or a dash; an anchor there stays, and comments in the old value move above. */
  behind(
    node: unknown,
    goal: Json,
    from: number,
    to: number,
    lines: readonly string[],
    cut: number,
    indent: number,
  ): void {
    const [first = "", ...rest] = lines;
    const anchor =
      (isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined ? ` &${node.anchor}` : "";
    const inline = first.slice(cut).trimStart();
    const value = rest.length === 0 ? quotedLike(node, goal, inline) : inline;
    this.splice(from, to, [`${anchor}${value === "" ? "" : ` ${value}`}`, ...rest].join("\n"));
    const inside = this.commentsBetween(from, to);
    if (inside.length === 0) return;
    const line = this.at.lineStart(from);
    const margin = " ".repeat(Math.min(indent, this.text.slice(line).search(/\S|$/)));
    this.splice(line, line, inside.map(({ text }) => `${margin}${text}\n`).join(""));
  }

  private commentsBetween(start: number, end: number): readonly Comment[] {
    const from = this.commentsBefore(start);
    return this.comments.slice(from, Math.max(from, this.commentsBefore(end)));
  }

  /** The number of comments before an offset. */
  private commentsBefore(offset: number): number {
    let [low, high] = [0, this.comments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.comments[middle]?.start ?? offset) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
