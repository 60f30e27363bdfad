import { type Alias, isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { own as lookUp } from "../model/defined.ts";
import { isMap as isJsonMap, isList, type Json, type JsonObject, sameJson } from "../model/json.ts";
import { alignLists, type Renamed, withoutMoves } from "./align.ts";
import {
  type Comment,
  commentsIn,
  documentOf,
  keepsComments,
  keyName,
  Positions,
  quotedLike,
  rangeOf,
} from "./nodes.ts";
import { chunkOf, permuted, type Splice, spliced } from "./splices.ts";
import { entryLines, inlineYaml, itemLines, keyText } from "./write.ts";
import { documentValue } from "./yaml.ts";

/*
 * Changes a YAML file to another value, and nothing else in it: comments, order, quotes, anchors and blank lines stay.
 *
 * Terms. The *goal* is the value that the text must have in the end. A *splice* replaces a range of the text. A *pass* compares the value of the text
 * with the goal, and makes splices where they differ. The *owner* of a value is where it stands: in a map or list in block form, in brackets, or alone.
 *
 * Premise. People review the difference of the file, so a changed field may change only its own lines, and no comment may get lost. The YAML library
 * can write a document again, but not in the same layout. So the text is edited, with the places that the library knows.
 *
 * The idea.
 *     repeat up to MOST_PASSES times:
 *         value of the text = goal?       done, if all comments are still there
 *         walk through both values:       equal parts are left alone; of maps, keys are deleted, inserted or visited; items of lists are aligned
 *                                         with the goal's, then moved, deleted, inserted or visited; everything else is replaced
 *         apply the splices
 *     with moved items it may not end: then try again without moves
 *     the result is parsed, not trusted: only a text that has the goal as its value is returned
 *
 * What it does not do. It does not know sections or kinds, and does not choose values. If a change would lose a comment or break an anchor that others
 * use, it returns nothing, and a person has to edit.
 */

/** Every pass makes most of the remaining edits; anchors that others use need a few passes. */
const MOST_PASSES = 12;

/**
 * The same text, changed in as few places as its value needs to become `goal`: comments, order, quotes, anchors and blank lines stay. No comment is
 * ever lost: the comments of removed lines get their own lines. Undefined if that is not possible.
 * @param renamed items of lists that have another name in the goal
 */
export function editYaml(text: string, goal: Json, renamed?: Renamed): string | undefined {
  if (text.includes("\r\n")) return editYaml(text.replaceAll("\r\n", "\n"), goal, renamed)?.replaceAll("\n", "\r\n");
  // Without a limit, items of a list that look alike could change places forever.
  return editWith(text, goal, true, renamed) ?? editWith(text, goal, false, renamed);
}

function editWith(text: string, goal: Json, mayReorder: boolean, renamed: Renamed | undefined): string | undefined {
  let current = text;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const value = documentValue(current);
    if (value === undefined) return undefined;
    if (sameJson(value, goal)) return keepsComments(text, current) ? current : undefined;
    const next = new Editor(current, mayReorder, renamed).edited(value, goal);
    if (next === current) return undefined;
    current = next;
  }
  return undefined;
}

/** The place of a value, with what is needed to replace it. */
type Owner =
  | { readonly in: "block-map"; readonly pair: Pair; readonly key: string; readonly indent: number }
  | { readonly in: "block-list"; readonly dash: number; readonly indent: number }
  | { readonly in: "flow" }
  | { readonly in: "document" };

/** One pass over one text. */
class Editor {
  private readonly edits: TextEdits;
  private readonly text: string;
  private readonly at: Positions;
  private readonly mayReorder: boolean;
  private readonly renamed: Renamed | undefined;

  constructor(text: string, mayReorder: boolean, renamed: Renamed | undefined) {
    this.edits = new TextEdits(text);
    this.text = text;
    this.at = this.edits.at;
    this.mayReorder = mayReorder;
    this.renamed = renamed;
  }

  edited(current: Json, goal: Json): string {
    this.visit(documentOf(this.text).contents, current, goal, { in: "document" });
    return this.edits.edited();
  }

  private visit(node: unknown, current: Json, goal: Json, owner: Owner): void {
    if (sameJson(current, goal)) return;
    if (isMap(node) && isJsonMap(goal) && isJsonMap(current)) this.map(node, current, goal, owner);
    else if (isSeq(node) && isList(goal) && isList(current)) this.list(node, current, goal, owner);
    else if (isAlias(node) && isJsonMap(goal) && isJsonMap(current)) this.alias(node, current, goal, owner);
    else this.replace(node, goal, owner);
  }

  /** `*base` becomes `{<<: *base, what: differs}`, so that the other fields keep following the anchor. */
  private alias(node: Alias, before: JsonObject, after: JsonObject, owner: Owner): void {
    if (Object.keys(before).some((key) => !Object.hasOwn(after, key))) {
      this.replace(node, after, owner);
      return;
    }
    const own = Object.entries(after).filter(
      ([key, value]) => !Object.hasOwn(before, key) || !sameJson(lookUp(before, key) ?? null, value),
    );
    const fields = own.map(([key, value]) => `, ${keyText(key, true)}: ${inlineYaml([value]).slice(1, -1)}`);
    this.edits.splice(...rangeOf(node), `{<<: *${node.source}${fields.join("")}}`);
  }

  private map(node: YAMLMap, before: JsonObject, after: JsonObject, owner: Owner): void {
    const own = new Map(node.items.map((pair) => [keyName(pair), pair] as const));
    const merged = own.delete("<<");
    const missing = Object.keys(after).filter(
      (key) =>
        !own.has(key) && !(Object.hasOwn(before, key) && sameJson(lookUp(before, key) ?? null, after[key] ?? null)),
    );
    const staying = [...own].filter(([key]) => Object.hasOwn(after, key));
    if (staying.length === 0 && !merged) {
      this.replace(node, after, owner);
      return;
    }
    const flow = node.flow === true;
    const indent = flow ? 0 : this.at.column(rangeOf(node.items[0]?.key)[0]);
    for (const [key, pair] of own) {
      if (!Object.hasOwn(after, key)) {
        if (flow) this.deleteInFlow(node.items, pair);
        else this.deletePair(node, pair, indent);
      } else {
        const place: Owner = flow ? { in: "flow" } : { in: "block-map", pair, key, indent };
        this.visit(pair.value, lookUp(before, key) ?? null, after[key] ?? null, place);
      }
    }
    if (missing.length === 0) return;
    const form = { isSection: this.isSection(node), isSpaced: this.isSpaced(node), indent };
    const pairs = staying.map(([, pair]) => pair);
    for (const key of missing) this.insertPair(node, key, after[key] ?? null, pairs, form);
  }

  private insertPair(
    node: YAMLMap,
    key: string,
    value: Json,
    staying: readonly Pair[],
    {
      isSection,
      isSpaced,
      indent,
    }: { readonly isSection: boolean; readonly isSpaced: boolean; readonly indent: number },
  ): void {
    const last = staying.at(-1) ?? node.items.at(-1);
    if (last === undefined) return;
    if (node.flow === true) {
      const at = this.at.endOfPair(last);
      this.edits.splice(at, at, `, ${keyText(key, true)}: ${inlineYaml([value]).slice(1, -1)}`);
      return;
    }
    const lines = entryLines(key, value, " ".repeat(indent));
    // Short fields come before those that contain maps.
    const short = lines.length === 1 ? staying.filter(({ value: other }) => !isBelow(other)) : staying;
    const after = short.at(-1);
    const first = staying[0];
    if (after === undefined && first !== undefined && lines.length === 1 && isBelow(first.value) && !isSection) {
      const at = rangeOf(first.key)[0];
      this.edits.splice(at, at, `${lines.join("\n").trimStart()}\n${" ".repeat(indent)}`);
      return;
    }
    const at = this.at.lineEnd(this.at.endOfPair(lines.length === 1 && !isSection ? (after ?? last) : last));
    this.edits.splice(at, at, `${isSpaced ? "\n" : ""}\n${lines.join("\n")}`);
  }

  /** Objects by name, or the document itself: new ones come last. */
  private isSection(node: YAMLMap): boolean {
    return (
      this.at.column(rangeOf(node.items[0]?.key)[0]) === 0 ||
      node.items.every(({ value }) => isBelow(value) || isMap(value))
    );
  }

  /** Whether blank lines separate its entries. */
  private isSpaced({ items }: YAMLMap): boolean {
    const [next, last] = items.slice(-2);
    if (next === undefined || last === undefined) return false;
    return /\n[ \t]*\r?\n/.test(this.text.slice(this.at.endOfPair(next), rangeOf(last.key)[0]));
  }

  private deletePair(node: YAMLMap, pair: Pair, indent: number): void {
    const start = rangeOf(pair.key)[0];
    const end = this.at.endOfPair(pair);
    const line = this.at.lineStart(start);
    if (this.text.slice(line, start).trim() === "") this.edits.deleteLines(line, end, indent);
    else {
      // `- key: value`: the next key moves up behind the dash.
      const next = node.items[node.items.indexOf(pair) + 1];
      if (next !== undefined)
        this.edits.splice(start, rangeOf(next.key)[0], this.edits.kept(start, rangeOf(next.key)[0], indent, true));
    }
  }

  private deleteInFlow(items: readonly Pair[], pair: Pair): void {
    const at = items.indexOf(pair);
    const next = items[at + 1];
    const previous = items[at - 1];
    if (next !== undefined) this.edits.splice(rangeOf(pair.key)[0], rangeOf(next.key)[0], "");
    else if (previous !== undefined) this.edits.splice(this.at.endOfPair(previous), this.at.endOfPair(pair), "");
  }

  private list(node: YAMLSeq, current: readonly Json[], goal: readonly Json[], owner: Owner): void {
    const aligned = alignLists(current, goal, this.renamed);
    const { pairs, keepsOrder } = this.mayReorder ? aligned : withoutMoves(aligned);
    const [start, end] = rangeOf(node);
    if (node.flow === true) {
      if (keepsOrder && pairs.length > 0 && this.text.slice(start, end).includes("\n")) {
        this.settleInFlow(node, current, goal, pairs);
        return;
      }
      if (pairs.length === 0 || this.edits.hasComments(start, end)) {
        this.replace(node, goal, owner);
        return;
      }
      const origins = new Map(pairs.map(([from, to]) => [to, from]));
      const sources = goal.map((value, index) => {
        const from = origins.get(index);
        const item = from === undefined ? undefined : node.items[from];
        const unchanged = from !== undefined && sameJson(current[from] ?? null, value);
        return unchanged && item !== undefined ? this.at.source(item) : inlineYaml([value]).slice(1, -1);
      });
      this.edits.splice(start, end, `[${sources.join(", ")}]`);
      return;
    }
    if (pairs.length === 0) {
      this.replace(node, goal, owner);
      return;
    }
    const indent = this.at.column(start);
    const dashes = this.dashes(node, indent);
    if (!keepsOrder) this.reorder(node, pairs, dashes);
    else this.settleItems(node, current, goal, pairs, dashes, indent);
  }

  /** A list in brackets over several lines: one line for a new item, before the closing bracket; only the line of an item that left goes. */
  private settleInFlow(
    node: YAMLSeq,
    current: readonly Json[],
    goal: readonly Json[],
    pairs: readonly (readonly [number, number])[],
  ): void {
    const targets = new Map(pairs);
    const sources = new Map(pairs.map(([from, to]) => [to, from]));
    for (const [index, item] of node.items.entries()) {
      const to = targets.get(index);
      if (to === undefined) this.deleteFlowItem(item);
      else this.visit(item, current[index] ?? null, goal[to] ?? null, { in: "flow" });
    }
    let after = pairs[0]?.[0] ?? 0;
    for (const [index, value] of goal.entries()) {
      const from = sources.get(index);
      if (from !== undefined) after = from;
      else this.insertFlowItem(node.items[after], inlineYaml([value]).slice(1, -1));
    }
  }

  /** An item on its own line goes with the line, and its comment stays; otherwise it goes with the comma behind it. */
  private deleteFlowItem(item: unknown): void {
    const [start] = rangeOf(item);
    const comma = this.commaBehind(item);
    const end = comma ?? this.at.endOf(item);
    const line = this.at.lineStart(start);
    const rest = this.text.slice(end, this.at.lineEnd(end)).trim();
    const isAlone = this.text.slice(line, start).trim() === "" && (rest === "" || rest.startsWith("#"));
    if (isAlone) this.edits.deleteLines(line, end, start - line);
    // Right behind a bracket, `#` begins no comment.
    else if (rest.startsWith("#")) this.edits.splice(start, end, "");
    else this.edits.splice(start, end + (/^ *(?=\S)/.exec(this.text.slice(end))?.[0].length ?? 0), "");
  }

  /** On the line after this item, in its column if it has its own line. */
  private insertFlowItem(item: unknown, written: string): void {
    const [start] = rangeOf(item);
    const end = this.at.endOf(item);
    const comma = this.commaBehind(item);
    if (comma === undefined) this.edits.splice(end, end, ",");
    const line = this.at.lineStart(start);
    const isFirst = this.text.slice(line, start).trim() === "";
    const lineEnd = this.at.lineEnd(comma ?? end);
    const rest = this.text.slice(comma ?? end, lineEnd).trim();
    const indent = isFirst ? start - line : this.text.slice(line).search(/\S|$/) + 2;
    if (rest === "" || rest.startsWith("#"))
      this.edits.splice(lineEnd, lineEnd, `\n${" ".repeat(indent)}${written}${comma === undefined ? "" : ","}`);
    else this.edits.splice(comma ?? end, comma ?? end, ` ${written}${comma === undefined ? "" : ","}`);
  }

  /** The place behind the comma after an item. */
  private commaBehind(item: unknown): number | undefined {
    const end = this.at.endOf(item);
    const gap = /^(?:\s|#[^\n]*\n)*,/.exec(this.text.slice(end));
    return gap === null ? undefined : end + gap[0].length;
  }

  private settleItems(
    node: YAMLSeq,
    current: readonly Json[],
    goal: readonly Json[],
    pairs: readonly (readonly [number, number])[],
    dashes: readonly number[],
    indent: number,
  ): void {
    const targets = new Map(pairs);
    const sources = new Map(pairs.map(([from, to]) => [to, from]));
    for (const [index, item] of node.items.entries()) {
      const to = targets.get(index);
      const dash = dashes[index] ?? 0;
      if (to === undefined) this.edits.deleteLines(this.at.lineStart(dash), this.at.endOf(item), indent);
      else this.visit(item, current[index] ?? null, goal[to] ?? null, { in: "block-list", dash, indent });
    }
    let after: number | undefined;
    for (const [index, value] of goal.entries()) {
      const from = sources.get(index);
      if (from !== undefined) {
        after = from;
        continue;
      }
      const lines = itemLines(value, " ".repeat(indent));
      const at =
        after === undefined
          ? this.at.lineStart(dashes[pairs[0]?.[0] ?? 0] ?? 0)
          : this.at.lineEnd(this.at.endOf(node.items[after]));
      this.edits.splice(at, at, after === undefined ? `${lines.join("\n")}\n` : `\n${lines.join("\n")}`);
    }
  }

  /** Items change places together with the comments above them. */
  private reorder(node: YAMLSeq, pairs: readonly (readonly [number, number])[], dashes: readonly number[]): void {
    const chunks = pairs.map(([index]) => chunkOf(this.at, dashes[index] ?? 0, this.at.endOf(node.items[index])));
    const order = pairs.map(([, to], index) => ({ to, index })).sort((a, b) => a.to - b.to);
    const moves = permuted(
      this.text,
      chunks,
      order.map(({ index }) => index),
    );
    for (const { start, end, text } of moves) this.edits.splice(start, end, text);
  }

  private dashes(node: YAMLSeq, indent: number): readonly number[] {
    return node.items.map((item) => {
      let line = this.at.lineStart(rangeOf(item)[0]);
      while (line > 0 && !(this.text[line + indent] === "-" && /^[\s-]*$/.test(this.text.slice(line, line + indent))))
        line = this.at.lineStart(line - 1);
      return line + indent;
    });
  }

  private replace(node: unknown, goal: Json, owner: Owner): void {
    const [start, end] = node === null || node === undefined ? [0, 0] : [rangeOf(node)[0], this.at.endOf(node)];
    switch (owner.in) {
      case "flow":
        if (start < end) this.edits.splice(start, end, quotedLike(node, goal, inlineYaml([goal]).slice(1, -1)));
        return;
      case "block-map": {
        const { pair, key, indent } = owner;
        const from = this.text.indexOf(":", rangeOf(pair.key)[1]) + 1;
        const lines = entryLines(key, goal, " ".repeat(indent));
        this.edits.behind(node, goal, [from, Math.max(from, end)], lines, indent + keyText(key).length + 1, indent);
        return;
      }
      case "block-list": {
        const { dash, indent } = owner;
        const lines = itemLines(goal, " ".repeat(indent));
        this.edits.behind(node, goal, [dash + 1, Math.max(dash + 1, end)], lines, indent + 1, indent);
        return;
      }
      case "document":
    }
  }
}

const isBelow = (node: unknown): boolean => (isMap(node) || isSeq(node)) && node.flow !== true;

/** The edits of one pass: pieces of text that are replaced, without losing a comment. */
class TextEdits {
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
    [from, to]: readonly [number, number],
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
