import { CHANNEL, GROUP } from "../access/scope.ts";
import { type PlacedFinding, placedFindings } from "../config/issues.ts";
import { shapeOf } from "../config/shape.ts";
import { own } from "../model/defined.ts";
import { isList, type Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { Patience } from "../model/suggest.ts";

/** The possible values of one field of a kind, according to the kind's own schema and decoder. */
export interface FieldForm {
  readonly kind: string;
  readonly isPermission: boolean;
  /** Whether the field says that the object is inactive: rules ignore such objects. */
  readonly isInactivity: boolean;
  /** Whether the value is a list of people or groups. */
  readonly isList: boolean;
  /** Every word that the field can have, if it accepts no other text. */
  readonly words: readonly string[] | undefined;
  /** Whether the value is always a text: never a number, empty, or people. */
  readonly isAlwaysText: boolean;
  /** The errors in a value; empty if the field can have it. */
  findings(value: Json, patience: Patience): readonly PlacedFinding[];
  /** The value as a reading shows it. */
  canonical(value: Json): Json;
}

/** Fields that rules can be about, by kind and name. */
export interface FieldForms {
  readonly names: ReadonlyMap<string, readonly string[]>;
  of(kind: string, field: string): FieldForm | undefined;
}

/** A text that no field can have. */
const NO_WORD = "\u0000";

/** The possible values of the fields of channels and groups. Rules can only check these. */
export function fieldForms(kinds: readonly ResourceKind[]): FieldForms {
  const known = new Map(
    kinds.filter(({ name }) => name === CHANNEL || name === GROUP).map((kind) => [kind.name, kind]),
  );
  const made = new Map<string, FieldForm>();
  return {
    names: new Map([...known].map(([name, kind]) => [name, Object.keys(kind.file.fields)])),
    of(name, field) {
      const kind = known.get(name);
      if (kind === undefined || own(kind.file.fields, field) === undefined) return undefined;
      const key = `${name}\n${field}`;
      const form = made.get(key) ?? formOf(kind, field);
      made.set(key, form);
      return form;
    },
  };
}

function formOf(kind: ResourceKind, field: string): FieldForm {
  const schema = kind.file.schema();
  const shape = shapeOf(schema, [], kind.file);
  const above = shape.pathsOf(field)[0] ?? [];
  const itemWith = (value: Json): Json =>
    [...above].reverse().reduce<Json>((inner, step) => ({ [String(step)]: inner }), { [field]: value });
  const findings = (value: Json, patience: Patience): readonly PlacedFinding[] => {
    const item = itemWith(value);
    const parsed = schema.safeParse(item);
    return parsed.success
      ? []
      : placedFindings(parsed.error.issues, { value: item, shape, noun: kind.noun[0], patience });
  };
  const takes = (value: Json): boolean => findings(value, new Patience(0)).length === 0;
  const canonical = (value: Json): Json => {
    const parsed = schema.safeParse(itemWith(value));
    if (!parsed.success) return value;
    const decoded = kind.file.decode(parsed.data, "x", { realm: undefined, declares: () => true, report: () => {} });
    return own(decoded.fields, field) ?? value;
  };
  const [refused] = findings(NO_WORD, new Patience(0));
  const choice =
    refused?.finding.code === "field/value" && refused.finding.fact.cause === "choice"
      ? refused.finding.fact.values
      : undefined;
  const isPermission = own(kind.file.fields, field)?.isPermission === true;
  return {
    kind: kind.name,
    isPermission,
    isInactivity: kind.shape !== "singleton" && kind.inactivity?.field === field,
    isList: takes([]) || (takes({}) && !isPermission),
    words: choice,
    isAlwaysText: !isPermission && !takes(1) && !takes(true) && (!takes(null) || typeof canonical(null) === "string"),
    findings,
    canonical,
  };
}

export const valuesOf = (value: Json | readonly Json[] | undefined): readonly Json[] =>
  value === undefined ? [] : isList(value) ? value : [value];

export const isGlob = (value: string): boolean => /[*?]/.test(value);
