import { needsEscapes, withEscapes } from "../model/clean.ts";
import { isList, isMap, isObject, type Json, type JsonObject } from "../model/json.ts";

/** A map to be written, entry by entry, with comments where a person would put them. */
export interface Block {
  readonly entries: readonly BlockEntry[];
}

export interface BlockEntry {
  readonly key: string;
  readonly value: Json | Block | BlockList;
  /** Comment lines above it, without "#". */
  readonly comments?: readonly string[];
  readonly blankBefore?: boolean;
}

/** A list whose items may have comments. */
export interface BlockList {
  readonly items: readonly { readonly value: Json; readonly comments?: readonly string[] }[];
}

/** Text, and the path that each line belongs to (line 1 is the first; comments and blank lines have none). */
interface WrittenText {
  readonly text: string;
  readonly paths: ReadonlyMap<number, readonly (string | number)[]>;
}

const STEP = "  ";
/** Lists and small maps are written on one line up to this column. */
const WIDTH = 120;

/** YAML as people write it: two spaces, quotes only if they are needed, short lists and group values on one line. */
export function writeYaml(block: Block, head: readonly string[] = []): WrittenText {
  const written = (writer: Writer): Writer => {
    for (const line of head) writer.comment(line, "");
    writer.block(block, "", undefined);
    return writer;
  };
  return {
    // The last line end is one of those that join writes: behind the text, it would be a copy of a long text.
    text: [...written(new Writer()).lines, ""].join("\n"),
    // Rarely needed: a place for each line takes a third of the memory of writing.
    get paths() {
      const paths = new Map<number, readonly (string | number)[]>();
      const places: Place[] = [];
      written(new Writer(places));
      places.forEach((place, line) => {
        paths.set(line, pathTo(place));
      });
      return paths;
    },
  };
}

/** A path by its last step: entries below the same key share the steps above, and often nobody needs the whole path. */
interface Place {
  readonly above: Place | undefined;
  readonly step: string | number;
}

function pathTo(place: Place): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.above) path.push(at.step);
  return path.reverse();
}

/** One value as written after `key: `, on one line. */
export function inlineYaml(value: Json): string {
  if (isList(value)) return `[${value.map((item) => inlineIn(item)).join(", ")}]`;
  if (isMap(value)) return inlineMap(Object.entries(value));
  return scalar(value, false);
}

/** Lines of an entry `key: value` at an indentation; the first line is indented too. */
export function entryLines(key: string, value: Json, indent: string): readonly string[] {
  const writer = new Writer();
  writer.entry({ key, value }, indent, undefined);
  return writer.lines;
}

/** Lines of a list item `- value` at an indentation. */
export function itemLines(value: Json, indent: string): readonly string[] {
  const writer = new Writer();
  writer.item(value, indent, undefined);
  return writer.lines;
}

class Writer {
  readonly lines: string[] = [];
  /** The places of the lines, if they are requested; undefined for comments and blank lines. */
  private readonly places: Place[] | undefined;

  constructor(places?: Place[]) {
    this.places = places;
  }

  block({ entries }: Block, indent: string, place: Place | undefined): void {
    for (const entry of entries) {
      if (entry.blankBefore === true) this.lines.push("");
      for (const line of entry.comments ?? []) this.comment(line, indent);
      this.entry(entry, indent, place);
    }
  }

  entry({ key, value }: BlockEntry, indent: string, above: Place | undefined): void {
    const name = keyText(key);
    const place = { above, step: key };
    if (isBlock(value)) {
      this.line(`${indent}${name}:${value.entries.length === 0 ? " {}" : ""}`, place);
      this.block(value, indent + STEP, place);
    } else if (isBlockList(value)) {
      this.line(`${indent}${name}:${value.items.length === 0 ? " []" : ""}`, place);
      value.items.forEach((item, index) => {
        for (const line of item.comments ?? []) this.comment(line, indent + STEP);
        this.item(item.value, indent + STEP, { above: place, step: index });
      });
    } else if (isList(value)) this.list(`${indent}${name}:`, value, indent, place);
    else if (isMap(value)) this.map(`${indent}${name}:`, value, indent, place);
    else this.line(`${indent}${name}: ${scalar(value, false)}`, place);
  }

  item(value: Json, indent: string, place: Place | undefined): void {
    if (isMap(value) && Object.keys(value).length > 0) {
      const before = this.lines.length;
      for (const [key, field] of Object.entries(value)) this.entry({ key, value: field }, indent + STEP, place);
      const first = this.lines[before];
      if (first !== undefined) this.lines[before] = `${indent}- ${first.slice(indent.length + STEP.length)}`;
    } else this.line(`${indent}- ${inlineYaml(value)}`, place);
  }

  comment(text: string, indent: string): void {
    // Comments can contain names of an organization, and YAML allows control characters nowhere.
    const shown = withEscapes(text.replaceAll(/\s+/g, " "));
    this.lines.push(`${indent}#${text === "" ? "" : ` ${shown}`}`);
  }

  private list(start: string, list: readonly Json[], indent: string, place: Place | undefined): void {
    // Each item takes at least three columns: if a list cannot fit, it is not written just to measure it.
    const mayFit = list.length * 3 <= WIDTH && list.every((item) => !isObject(item) || isPerson(item));
    const inline = mayFit ? `${start} ${inlineYaml(list)}` : undefined;
    const fits = inline !== undefined && (list.length === 0 || inline.length <= WIDTH);
    this.line(fits ? inline : start, place);
    if (fits) return;
    const below = indent + STEP;
    list.forEach((item, index) => {
      this.item(item, below, this.places && { above: place, step: index });
    });
  }

  private map(start: string, map: JsonObject, indent: string, place: Place | undefined): void {
    const entries = Object.entries(map).map(([key, value]) => ({ key, value }));
    const mayFit = entries.every(
      ({ key, value }) => isOfGroupValue(key) && !(isList(value) && value.length * 3 > WIDTH),
    );
    const inline = mayFit ? `${start} ${inlineMap(entries.map(({ key, value }) => [key, value]))}` : undefined;
    const fits = inline !== undefined && (entries.length === 0 || inline.length <= WIDTH);
    this.line(fits ? inline : start, place);
    if (!fits) this.block({ entries }, indent + STEP, place);
  }

  private line(text: string, place: Place | undefined): void {
    this.lines.push(text);
    if (place !== undefined && this.places !== undefined) this.places[this.lines.length] = place;
  }
}

const isOfGroupValue = (key: string): boolean => key === "groups" || key === "users" || key === "id";
const isPerson = (value: Json): boolean => isObject(value) && Object.keys(value).join() === "id";

function isBlock(value: BlockEntry["value"]): value is Block {
  return isObject(value) && "entries" in value && isList(value.entries) && value.entries.every(isBlockEntry);
}
const isBlockEntry = (entry: unknown): boolean => isObject(entry) && "key" in entry && "value" in entry;
function isBlockList(value: BlockEntry["value"]): value is BlockList {
  return isObject(value) && "items" in value && isList(value.items) && Object.keys(value).length === 1;
}

function inlineMap(entries: readonly (readonly [string, Json])[]): string {
  return `{${entries.map(([key, value]) => `${keyText(key, true)}: ${inlineIn(value)}`).join(", ")}}`;
}

function inlineIn(value: Json): string {
  return isList(value) || isMap(value) ? inlineYaml(value) : scalar(value, true);
}

/** A key as it is written before its colon. */
export function keyText(key: string, flow = false): string {
  return key.length > 100 || key === "<<" ? quotedText(key) : scalar(key, flow);
}

/** A scalar as a person writes it. */
export function scalar(value: string | number | boolean | null, flow: boolean): string {
  if (typeof value !== "string") return value === null ? "null" : String(value);
  return isPlain(value, flow) ? value : quotedText(value);
}

/** A text in quotes: single ones if double quotes would need escapes, as in patterns. */
export function quotedText(value: string): string {
  if (!isHidden(value) && /["\\]/.test(value) && !value.includes("\n")) return `'${value.replaceAll("'", "''")}'`;
  return withEscapes(JSON.stringify(value));
}

const isHidden = (text: string): boolean => needsEscapes(text.replaceAll("\n", " "));

/** Whether a text can be written without quotes: every YAML reader, also of version 1.1, must read it as a string. */
function isPlain(text: string, flow: boolean): boolean {
  // Most strings are names and addresses, which have no special meaning in YAML.
  if (NAME.test(text)) return !LOOKS_LIKE_OTHER.test(text);
  if (text === "" || text !== text.trim() || text.includes("\n") || isHidden(text)) return false;
  if (!/^[\p{L}\p{N}\p{So}_(/.$+;~^=]/u.test(text)) return false;
  if (/: |:$| #|\t/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (flow && /[,[\]{}:]/.test(text.replaceAll(/\b(?:role|user):(?=\w)/g, ""))) return false;
  return !LOOKS_LIKE_OTHER.test(text);
}

/** Here and not where it is used: there, each text would get a pattern of its own. */
const NAME = /^[A-Za-z_][\w.@-]*$/;

/** Numbers, dates, booleans, null and their relatives of YAML 1.1. */
const LOOKS_LIKE_OTHER =
  /^(?:[-+.]?(?:0[xob][0-9a-f_]*|[0-9][0-9_,.:e+-]*)|[-+]?\.(?:inf|nan)|~|=|null|true|false|yes|no|on|off|y|n|\d{4}-\d\d?-\d\d?.*)$/i;
