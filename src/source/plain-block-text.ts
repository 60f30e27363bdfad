import { NEWLINE, NOT_PLAIN, RETURN, SPACE } from "./plain-text.ts";

/** The start of a block scalar: all offsets are in the whole file. */
interface BlockTextStart {
  readonly text: string;
  /** The position of its `|` or `>`. */
  readonly at: number;
  /** The end of that line, and the start of the next one. */
  readonly headerEnd: number;
  readonly next: number;
  /** The indentation of the key or dash: the lines of the text are indented further. */
  readonly indent: number;
}

interface BlockText {
  readonly value: string;
  /** The position after the last character that is not white space. */
  readonly end: number;
  /** Where the line after it starts. */
  readonly next: number;
}

/** `|`, `|-`, `>` and `>-`: the lines below without their indentation, literal or folded. */
export function readBlockText({ text, at, headerEnd, next: below, indent }: BlockTextStart): BlockText {
  const header = text.slice(at, headerEnd);
  if (!/^[|>]-? *(?: #.*)?$/.test(header)) throw NOT_PLAIN;
  const lines: string[] = [];
  let column = -1;
  let stop = headerEnd;
  let next = below;
  while (next < text.length) {
    let lineEnd = text.indexOf("\n", next);
    if (lineEnd === -1) lineEnd = text.length;
    const following = lineEnd + 1;
    if (text.charCodeAt(lineEnd - 1) === RETURN) lineEnd--;
    let start = next;
    while (text.charCodeAt(start) === SPACE) start++;
    if (start >= lineEnd) {
      // An empty line; spaces beyond the indentation belong to the text.
      if (column === -1 && lineEnd > next) throw NOT_PLAIN;
      lines.push(column === -1 ? "" : text.slice(Math.min(next + column, lineEnd), lineEnd));
    } else {
      const here = start - next;
      if (here <= indent) break;
      if (column === -1) column = here;
      if (here < column) throw NOT_PLAIN;
      lines.push(text.slice(next + column, lineEnd));
      stop = lineEnd;
    }
    next = following;
  }
  // Empty lines at the end do not count; lines with only spaces are left to the full parser.
  while (lines.length > 0 && lines[lines.length - 1] === "") lines.pop();
  if (column === -1 || lines.length === 0 || /^ *$/.test(lines[lines.length - 1] ?? "")) throw NOT_PLAIN;
  if (next >= text.length && text.charCodeAt(text.length - 1) !== NEWLINE) throw NOT_PLAIN;
  while (text.charCodeAt(stop - 1) === SPACE) stop--;
  const value = header.startsWith(">") ? folded(lines) : lines.join("\n");
  return { value: header.charAt(1) === "-" ? value : `${value}\n`, end: stop, next };
}

/**
 * A line end between two lines at the margin becomes a space; an empty line becomes a line end; around lines that are indented further, everything
 * stays.
 */
function folded(lines: readonly string[]): string {
  let value = "";
  let above: string | undefined;
  let empty = 0;
  for (const line of lines) {
    if (line === "") {
      empty++;
      continue;
    }
    const flows = above !== undefined && !above.startsWith(" ") && !line.startsWith(" ");
    if (flows && empty === 0) value += " ";
    else value += "\n".repeat(empty + (above === undefined || flows ? 0 : 1));
    value += line;
    above = line;
    empty = 0;
  }
  return value;
}
