/**
 * The plain reader also reads a file with a few entries that are not plain, such as a tag, an escape in a string of two lines, or an error. Only
 * these entries are left to the full parser, each separately: it takes ten times as long for an entry as the plain reader does.
 */
import type { Diagnostic } from "../model/diagnostic.ts";
import type { SourceText } from "./text.ts";
import type { Place, PlaceTable } from "./tree.ts";

/** One entry of a block map, from its key to the line before the next entry. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** The column of the key. */
  readonly indent: number;
  /** The depth of the map. */
  readonly depth: number;
}

export interface ParsedEntry {
  /** One value, or none if the key is an error. */
  readonly entries: readonly PieceEntry[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where the last value ends. */
  readonly last: number;
  /** The number of its keys and values. */
  readonly size: number;
}

interface PieceEntry {
  readonly key: string;
  readonly value: unknown;
  readonly at: Place;
}

/** The full parser, for one file. */
export interface EntryParser {
  /** Reads a piece; undefined if its meaning depends on its context. */
  read(source: SourceText, places: PlaceTable, piece: Piece): ParsedEntry | undefined;
  /** The syntax errors of all pieces, of which nothing was read. */
  failed(source: SourceText): readonly Diagnostic[];
}

/**
 * The line after an entry: the first line that is not indented further, except lines that belong to an entry in the column of its key. Undefined if a
 * comment is indented less than the lines around it: the full parser then decides which lines it separates.
 */
export function entryEnd(text: string, start: number, indent: number): number | undefined {
  let next = lineAfter(text, start);
  let isParted = false;
  while (next < text.length) {
    let at = next;
    while (text[at] === " ") at++;
    const column = at - next;
    if (text[at] === "#") isParted ||= column <= indent;
    else if (at < text.length && !/[\r\n]/.test(text.charAt(at))) {
      if (column < indent || (column === indent && !isPartOfValue(text, at))) return next;
      if (isParted) return undefined;
    }
    next = lineAfter(text, at);
  }
  return text.length;
}

function lineAfter(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

/** A list entry that is not indented further than the key, or the bracket that ends a list of several lines. */
const isPartOfValue = (text: string, at: number): boolean => /^(?:[\]}]|-(?:[ \r\n]|$))/.test(text.slice(at, at + 2));
