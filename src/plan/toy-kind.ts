// A kind without a server behind it, for tests of the planner alone.
import * as z from "zod";
import type { Span } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { DeclaredObject, LiveObject, ResourceKind } from "../model/kind.ts";

export function toyKind(more: Partial<ResourceKind> = {}): ResourceKind {
  return {
    name: "thing",
    section: "things",
    shape: "map",
    schema: z.unknown(),
    fields: { colour: { about: "Colour." }, size: { about: "Size.", level: 400 } },
    keyOf: (name) => name.toUpperCase(),
    live: () => [],
    decode: () => ({ absent: false, fields: {} }),
    calls: () => [],
    ...more,
  };
}

export function line(number: number): Span {
  return { file: "realm.yaml", line: number, column: 1, endLine: number, endColumn: 2 };
}

export function liveThing(id: number, name: string, fields: { readonly [field: string]: Json } = {}): LiveObject {
  return { key: name.toUpperCase(), name, id, fields, dormant: fields.archived === true };
}

export function declaredThing(
  name: string,
  fields: { readonly [field: string]: Json } = {},
  more: Partial<DeclaredObject> = {},
): DeclaredObject {
  return { key: name.toUpperCase(), name, absent: false, fields, at: line(1), spans: {}, ...more };
}
