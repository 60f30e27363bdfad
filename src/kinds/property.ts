import * as z from "zod";
import type { DecodeContext } from "../model/decoding.ts";
import { defined } from "../model/defined.ts";
import type { FieldSpec, Trait } from "../model/facets.ts";
import { isObject, type Json, sameJson } from "../model/json.ts";
import { once } from "../model/lazy.ts";
import type { Fields } from "../model/objects.ts";
import type { Param } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import type { FieldSecrecy } from "../model/secrecy.ts";
import { formIssue, wrongForm } from "../model/value-form.ts";
import { isAtMost } from "./names.ts";
import { optional } from "./optional.ts";

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
type Unit = keyof typeof SECONDS;
/** The units, from the longest on. Weeks are missing: the settings pages say 14 days. */
const WRITTEN: readonly Unit[] = ["d", "h", "m", "s"];

/** Seconds of `90s`, `10m`, `36h`, `7d`, `2w`; undefined for anything else, and for no time at all. */
export function parseTimeSpan(text: string): number | undefined {
  const found = /^([1-9][0-9]{0,9})([smhdw])$/.exec(text);
  const unit = found?.[2];
  return found === null || !isUnit(unit) ? undefined : Number(found[1]) * SECONDS[unit];
}

/** Seconds as a person writes them, in the longest unit that fits: `10m`, `7d`, `90s`. */
export function formatTimeSpan(seconds: number): string {
  const unit = WRITTEN.find((candidate) => seconds % SECONDS[candidate] === 0) ?? "s";
  return `${seconds / SECONDS[unit]}${unit}`;
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && text in SECONDS;
}

/** The maximum number of days that servers accept. */
const MOST_DAYS = 2_147_483_647;

/**
 * Days after which messages are deleted. The API has −1 where the file has a word; 0 is not allowed. @param words other values that may be written
 */
export const retentionDays = (words: readonly string[]): z.ZodInt =>
  z
    .int()
    .refine((days) => days > 0 && days <= MOST_DAYS, wrongForm({ form: "days", most_days: MOST_DAYS, words }))
    .positive()
    .max(MOST_DAYS);

/**
 * How the file writes a value of the organization and how the API does. Canonical values are those of the file, in one spelling; a value that was
 * read and has no word here stays as it is, so that a plan can show it.
 */
export interface PropertyType {
  /** What the values reveal; default: they are words, numbers and names of the server. */
  readonly secrecy?: FieldSecrecy;
  /** The values allowed in the file; parsing makes them canonical. */
  readonly schema: () => z.ZodType<Json>;
  /** What a parsed value means; default: itself. Undefined: an error was reported. */
  decode?(written: Json, field: string, context: DecodeContext): Json | undefined;
  /** Whether what the file says has to be compared with the live value before it is known what is wanted: it is in `creation`, and not in `fields`. */
  readonly isWish?: true;
  /** Converts a value that was read; without a reading, as for the usual servers. Undefined: the reading does not say. */
  fromApi(value: Json, realm?: Realm): Json | undefined;
  /** Converts a canonical value for a request. */
  toApi(value: Json, realm: Realm): Param;
  /** A canonical value in the form of the file; default: itself. @param raw what the file has now */
  toYaml?(value: Json, realm: Realm, raw?: Json): Json;
  /** Whether a file can express a canonical value; default: the schema takes it. A newer server may have others. */
  canSet?(value: Json): boolean;
  /** The words that a server lists itself; without a server, those that this version knows. */
  offered?(realm: Realm | undefined): readonly string[];
}

/** A plain setting of the organization, or a default of new accounts: a field of the file. */
export interface PropertyRow extends FieldSpec {
  /** Its name in the API, if it differs. */
  readonly api?: string;
  readonly type: PropertyType;
  /** The value in a new organization, as in the API; undefined: no particular value. */
  readonly standard?: Json;
  /** The same for the reference, if there is more to say. */
  readonly standardInWords?: string;
  /** Whether a person would not write the value; default: it is the one of a new organization. */
  isUsual?(value: Json, realm: Realm): boolean;
  /** How it helps to recognize an object under another name. */
  readonly trait?: Trait;
  /** One sentence, for the schema, the reference and the comments of `init`. */
  readonly about: string;
  /** A shorter one for the comments of `init`, where the schema has more to say. */
  readonly short?: string;
}

interface PropertyRows {
  readonly [name: string]: PropertyRow;
}

/** The fields of a kind by their rows, in the order of files, and what the facets of the kind say of them. */
export class PropertyTable {
  readonly rows: PropertyRows;

  constructor(rows: PropertyRows) {
    this.rows = rows;
  }

  /** The schema: each field may be left out, and then stays as it is. */
  forms(): { readonly [name: string]: z.ZodType<Json | undefined> } {
    return this.each((_, { type, about }) => optional(type.schema(), about));
  }

  /** What other code knows of the fields. */
  specs(): { readonly [name: string]: FieldSpec } {
    return this.each((_, { level, names, short }) => defined({ level, names, about: short }));
  }

  traits(): { readonly [name: string]: Trait } {
    return this.each((_, { trait }) => trait);
  }

  /** What a file says of them: fields, and wishes that depend on live values. */
  decode(
    written: { readonly [name: string]: Json | undefined },
    context: DecodeContext,
  ): { readonly fields: Fields; readonly wishes: Fields } {
    const fields: { [field: string]: Json } = {};
    const wishes: { [field: string]: Json } = {};
    for (const [name, { type }] of Object.entries(this.rows)) {
      const value = written[name];
      const decoded = value === undefined || type.decode === undefined ? value : type.decode(value, name, context);
      if (decoded !== undefined) (type.isWish === true ? wishes : fields)[name] = decoded;
    }
    return { fields, wishes };
  }

  /** The values of a reading, as a file would write them. @param read the value in the API */
  live(read: (name: string) => Json | undefined, realm: Realm): Fields {
    return this.each((name, { type, level = 0 }) => {
      // A file could not set it on this server, whatever a reading holds.
      const value = level > realm.level ? undefined : read(name);
      return value === undefined ? undefined : type.fromApi(value, realm);
    });
  }

  /** The values of a new object, as a file would write them. */
  standards(realm: Realm): Fields {
    return this.each((_, { type, standard, level = 0 }) =>
      standard === undefined || level > realm.level ? undefined : type.fromApi(standard, realm),
    );
  }

  /** The same in words, for the reference. */
  standardsInWords(): { readonly [name: string]: string } {
    return this.each(
      (_, { type, standard, standardInWords }) =>
        standardInWords ?? (standard === "" ? "empty" : `\`${String(type.fromApi(standard ?? null))}\``),
    );
  }

  /** What their values reveal, by their names in the file and in requests. */
  secrecy(): { readonly [name: string]: FieldSecrecy } {
    const rows = Object.entries(this.rows).flatMap(([name, { api = name, names, type }]) =>
      // Of another object, a request has the id.
      [name, names === undefined ? api : name].map((each) => [each, type.secrecy ?? "word"] as const),
    );
    return Object.fromEntries(rows);
  }

  /** Whether a file can express the value. */
  canSet(field: string, value: Json): boolean {
    const type = this.rows[field]?.type;
    return type === undefined || (type.canSet?.(value) ?? type.schema().safeParse(value).success);
  }

  /** As a person would write them: what goes without saying is left out. */
  toYaml(fields: Fields, realm: Realm): Fields {
    return this.each((name, { type, standard, isUsual }) => {
      const value = fields[name];
      if (value === undefined || !this.canSet(name, value)) return undefined;
      const usual = standard === undefined ? undefined : type.fromApi(standard, realm);
      const goesWithoutSaying = isUsual?.(value, realm) ?? (usual !== undefined && sameJson(value, usual));
      return goesWithoutSaying ? undefined : (type.toYaml?.(value, realm) ?? value);
    });
  }

  /** A value for each row that has one. */
  private each<T>(valueIn: (name: string, row: PropertyRow) => T | undefined): { readonly [name: string]: T } {
    const values = Object.entries(this.rows).flatMap(([name, row]) => {
      const value = valueIn(name, row);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(values);
  }
}

/** The headings that are written above each part in exported files. */
export const partsOf = (parts: { readonly [heading: string]: PropertyRows }) =>
  Object.entries(parts).map(([heading, rows]) => ({ heading, fields: Object.keys(rows) }));

const same = (value: Json): Json => value;

/** The same value in the file and in the API; in the file, `null` may stand for the one of a new object. */
export const orStandard = (
  standard: Json,
  form: () => z.ZodType<Json>,
  more: Partial<PropertyType> = {},
): PropertyType => ({
  schema: once(() => form().nullable()),
  decode: (written) => written ?? standard,
  fromApi: same,
  toApi: same,
  ...more,
});

/** JSON's true and false on both sides. */
const flag: PropertyType = { schema: once(() => z.boolean()), fromApi: same, toApi: same };

/** A row of the table. @param standard the value in a new organization, as in the API */
export const row = <More extends object>(about: string, type: PropertyType, standard: Json, more?: More) => ({
  about,
  type,
  standard,
  ...more,
});

const switched =
  (standard: boolean) =>
  <More extends object>(about: string, more?: More) =>
    row(about, flag, standard, more);
/** A row of a switch that is on in a new organization. */
export const on = switched(true);
/** The same for one that is off. */
export const off = switched(false);

interface TextOptions {
  /** The maximum number of characters, as the server counts them. Default: no limit. */
  readonly most?: number;
  readonly least?: number;
  /** What the server stores for an empty value, which a file may also write as `null`. */
  readonly none?: string;
}

/** Raw text, kept as it is. */
export function text({ most, least = 0, none }: TextOptions): PropertyType {
  return { secrecy: "text", schema: once(() => textForm(least, most, none)), fromApi: same, toApi: same };
}

function textForm(least: number, most: number | undefined, none: string | undefined): z.ZodType<Json> {
  const any = z.string().min(least);
  const bounded =
    most === undefined
      ? any
      : any.refine(isAtMost(most), wrongForm({ form: "text", most_characters: most })).meta({ maxLength: most });
  return none === undefined ? bounded : bounded.nullable().transform((value) => value ?? none);
}

/** The API's own words. */
export function word(...words: readonly [string, ...string[]]): PropertyType {
  return { schema: once(() => z.enum(words)), fromApi: same, toApi: same };
}

/** Words for the API's numbers or letters. */
export function choice(words: { readonly [word: string]: number | string }): PropertyType {
  const byValue = new Map<Json, string>(Object.entries(words).map(([name, value]) => [value, name]));
  return {
    schema: once(() => z.enum(Object.keys(words))),
    fromApi: (value) => byValue.get(value) ?? value,
    toApi: (value) => words[String(value)] ?? value,
  };
}

/**
 * Words whose numbers the server itself reports, and which of them it has.
 * @param options where they are in a reading: word → number, or → an object with an `id`
 * @param usual the numbers if a reading does not have them; other words count if the server has them
 * @param rare further words that servers are known to have
 */
export function offered(
  usual: { readonly [word: string]: number },
  options: (realm: Realm) => Json | undefined,
  ...rare: readonly string[]
): PropertyType {
  const words = (realm?: Realm): { readonly [word: string]: number } => {
    const known = realm && options(realm);
    if (!isObject(known)) return usual;
    return Object.fromEntries(
      Object.entries(known).flatMap(([name, option]) => {
        const id = isObject(option) ? option.id : option;
        return typeof id === "number" ? [[name, id] as const] : [];
      }),
    );
  };
  return {
    // A newer server may list others: only a server can tell.
    schema: once(() => z.union([z.enum(Object.keys(usual)), z.string().min(1)])),
    fromApi: (value, realm) =>
      Object.entries(words(realm)).find(([, id]) => id === value)?.[0] ??
      Object.entries(usual).find(([, id]) => id === value)?.[0] ??
      value,
    toApi: (value, realm) => words(realm)[String(value)] ?? usual[String(value)] ?? value,
    offered: (realm) => (realm === undefined ? [...Object.keys(usual), ...rare] : Object.keys(words(realm))),
  };
}

interface SpanOptions {
  readonly unit: "seconds" | "days";
  readonly most: number;
  /** The word for a value without end, or without length, and the API's value for it, read and sent. */
  readonly word?: { readonly file: string; readonly read: Json; readonly sent: Json };
  readonly example: string;
}

const PER = { seconds: 1, days: 86_400 } as const;

/** A length of time (`10m`, `7d`): a number and its unit. The API has seconds or days. */
export function timeSpan({ unit, most, word: special, example }: SpanOptions): PropertyType {
  const per = PER[unit];
  const check = (written: unknown, context: z.RefinementCtx): string => {
    if (typeof written === "string" && written === special?.file) return written;
    const seconds = typeof written === "string" ? parseTimeSpan(written) : undefined;
    const because = spanError(written, seconds, per, most);
    if (seconds !== undefined && because === undefined) return formatTimeSpan(seconds);
    context.addIssue(
      formIssue({
        form: "time-span",
        because: because ?? "not-a-time",
        unit,
        most: formatTimeSpan(most * per),
        example,
        ...defined({ word: special?.file }),
      }),
    );
    return "";
  };
  return {
    // For `600`, the message suggests 10m, and does not ask for text; editors learn the form.
    schema: once(() =>
      z
        .unknown()
        .meta({ type: "string", pattern: `^([1-9][0-9]*[smhdw]${special === undefined ? "" : `|${special.file}`})$` })
        .transform(check),
    ),
    fromApi: (value) => {
      if (special !== undefined && value === special.read) return special.file;
      return typeof value === "number" && value > 0 ? formatTimeSpan(value * per) : value;
    },
    toApi: (value) => {
      if (value === special?.file) return special?.sent ?? value;
      const seconds = typeof value === "string" ? parseTimeSpan(value) : undefined;
      return seconds === undefined ? value : seconds / per;
    },
  };
}

/** With more digits than are parsed: a length of time, but longer than any server accepts. */
const ENDLESS = /^[1-9][0-9]{10,}[smhdw]$/;

function spanError(written: unknown, seconds: number | undefined, per: number, most: number) {
  if (typeof written === "string" && ENDLESS.test(written)) return "too-long";
  if (/^0+[smhdw]?$/.test(String(written))) return "zero";
  if (seconds === undefined)
    return typeof written === "number" && Number.isInteger(written) && written > 0 ? "no-unit" : "not-a-time";
  if (seconds % per !== 0) return "not-whole";
  return seconds / per > most ? "too-long" : undefined;
}

/** One of a few numbers. */
export function numberOf(...numbers: readonly [number, ...number[]]): PropertyType {
  return { schema: once(() => z.literal(numbers)), fromApi: same, toApi: same };
}

/** A whole number between two limits. */
export function whole(least: number, most: number): PropertyType {
  return { schema: once(() => z.int().min(least).max(most)), fromApi: same, toApi: same };
}
