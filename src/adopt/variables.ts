import {
  escapeReferences,
  isOfType,
  isVariableType,
  parseTemplate,
  type VariableType,
} from "../config/variable-syntax.ts";
import { own } from "../model/defined.ts";
import { asMap, isList, isObject, type Json } from "../model/json.ts";
import type { AdoptFile } from "./places.ts";

/** Keys of a file in which `${name}` is only text. */
const WITHOUT_REFERENCES: ReadonlySet<string> = new Set(["version", "realm", "include", "manage", "vars", "values"]);

interface Variable {
  readonly type: VariableType;
  /** The value of the variable; undefined if it has none. */
  readonly value: Json | undefined;
  /** The value is not in the files, so it cannot change there. */
  readonly isOutside: boolean;
}

/** The value that a variable has from outside of the files. @param env the variable of the environment that has it if no option does */
export type ValuesOutside = (name: string, type: VariableType, env: string | undefined) => Json | undefined;

/** The variables of the files: what they stand for, and where the files refer to them. */
export class Variables {
  private readonly variables = new Map<string, Variable>();
  private readonly counts = new Map<string, number>();
  private readonly files: readonly AdoptFile[];

  /** @param outside the values that the command and the environment give */
  constructor(files: readonly AdoptFile[], outside: ValuesOutside) {
    this.files = files;
    for (const file of files) {
      const { vars } = file.value();
      for (const [name, declared] of Object.entries(asMap(vars))) {
        const { from, name: env, type = from === "env" ? "string" : undefined, default: initial } = asMap(declared);
        if (!isVariableType(type)) continue;
        const asked = this.given(name) === undefined && from === "env" && typeof env === "string" ? env : undefined;
        const outer = outside(name, type, asked);
        this.variables.set(name, {
          type,
          value: outer ?? this.given(name) ?? initial,
          isOutside: outer !== undefined,
        });
      }
    }
    if (this.variables.size === 0) return;
    for (const file of files)
      for (const [key, value] of Object.entries(file.value())) if (!WITHOUT_REFERENCES.has(key)) this.count(value);
  }

  /** The variable that is the whole value, if another value of its type could replace its own. */
  whole(raw: Json | undefined, value: Json): string | undefined {
    if (typeof raw !== "string") return undefined;
    const [part, ...more] = parseTemplate(raw);
    if (part?.kind !== "reference" || more.length > 0) return undefined;
    const known = this.variables.get(part.name);
    return known !== undefined && !known.isOutside && isOfType(known.type, value) ? part.name : undefined;
  }

  /** How often the files refer to it. */
  uses(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** The file whose `values:` has the variable, or should get it. */
  home(name: string): AdoptFile | undefined {
    const having = this.files.filter((file) => file.has("values"));
    return having.find((file) => Object.hasOwn(asMap(file.value().values), name)) ?? having[0];
  }

  /** The value with the variables' values instead of the references. */
  filled(raw: Json): Json {
    if (isList(raw)) return raw.map((item) => this.filled(item));
    if (isObject(raw))
      return Object.fromEntries(Object.entries(asMap(raw)).map(([key, item]) => [key, this.filled(item)]));
    if (typeof raw !== "string") return raw;
    const parts = parseTemplate(raw).map((part) =>
      part.kind === "text" ? part.text : (this.variables.get(part.name)?.value ?? part.written),
    );
    return parts.length === 1 ? (parts[0] ?? raw) : parts.map(String).join("");
  }

  /** A value of the server as the file should write it: with the current references, if they still mean the same. */
  respelled(value: Json, raw: Json | undefined): Json {
    if (typeof value === "string") return this.respelledText(value, raw);
    if (isList(value)) {
      const before = new Map<string, Json>();
      for (const old of raw !== undefined && isList(raw) ? raw : []) {
        const spelling = typeof old === "string" ? spellingOf(this.filled(old)) : undefined;
        if (spelling !== undefined && !before.has(spelling)) before.set(spelling, old);
      }
      return value.map((item) => before.get(spellingOf(item)) ?? this.respelled(item, undefined));
    }
    if (!isObject(value))
      return sameSpelling(raw === undefined ? null : this.filled(raw), value) ? (raw ?? value) : value;
    const before = asMap(raw);
    return Object.fromEntries(
      Object.entries(asMap(value)).map(([key, item]) => [key, this.respelled(item, own(before, key))]),
    );
  }

  private respelledText(value: string, raw: Json | undefined): string {
    let text = escapeReferences(value);
    if (typeof raw !== "string") return text;
    if (this.filled(raw) === value) return raw;
    for (const part of parseTemplate(raw)) {
      const known = part.kind === "reference" ? this.variables.get(part.name)?.value : undefined;
      if (part.kind === "text" || (typeof known !== "string" && typeof known !== "number") || known === "") continue;
      // A dollar sign before it would make the reference a text.
      const found = new RegExp(
        `(?<![\\p{L}\\p{N}$])${literally(escapeReferences(String(known)))}(?![\\p{L}\\p{N}])`,
        "u",
      );
      text = text.replace(found, () => part.written);
    }
    // A reference that is the whole value has the variable's type.
    return typeof this.filled(text) === "string" ? text : escapeReferences(value);
  }

  private count(value: Json): void {
    if (isList(value)) for (const item of value) this.count(item);
    else if (isObject(value)) for (const item of Object.values(asMap(value))) this.count(item);
    else if (typeof value === "string")
      for (const part of parseTemplate(value))
        if (part.kind === "reference") this.counts.set(part.name, this.uses(part.name) + 1);
  }

  private given(name: string): Json | undefined {
    for (const file of this.files) {
      const { [name]: value } = asMap(file.value().values);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
const spellingOf = (value: Json): string => JSON.stringify(value).toLowerCase();
const sameSpelling = (a: Json, b: Json): boolean => spellingOf(a) === spellingOf(b);
