/**
 * A file of which a few entries are not plain, such as a tag, an escape in a text of two lines, or an error, is read by the plain reader all
 * the same. Only these entries are left to the full parser, each alone: it takes ten times as long, for an entry as for a file.
 */
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Parsed } from "./parsed.ts";
import type { SourceText } from "./text.ts";
import type { Place, PlaceTable } from "./tree.ts";

/** One entry of a block map, from its key to the line before the next entry. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** The column of the key. */
  readonly indent: number;
  /** How deep the map is. */
  readonly depth: number;
}

export interface ReadPiece {
  /** One, or none where the key is an error. */
  readonly entries: readonly PieceEntry[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where the last value ends. */
  readonly last: number;
  /** How many keys and values it has. */
  readonly size: number;
}

export interface PieceEntry {
  readonly key: string;
  readonly value: unknown;
  readonly at: Place;
}

/** The full parser, for one file. */
export interface PieceParser {
  /** Undefined: what the piece means depends on what is around it. */
  read(source: SourceText, places: PlaceTable, piece: Piece): ReadPiece | undefined;
  /** What became of the file, when a piece had errors of syntax: nothing of the file counts then. */
  failed(source: SourceText): Parsed | undefined;
}

/**
 * The line after an entry: the first that is not further in, except for what belongs to an entry in the column of its key. Undefined where a
 * comment stands further out than the lines around it: which lines it parts is for the full parser to say.
 */
export function pieceEnd(text: string, start: number, indent: number): number | undefined {
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

/** An entry of a list that is not further in than the key, or the bracket that ends a list of several lines. */
const isPartOfValue = (text: string, at: number): boolean => /^(?:[\]}]|-(?:[ \r\n]|$))/.test(text.slice(at, at + 2));
