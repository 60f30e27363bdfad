// A kind without a server behind it, for tests of the planner alone.

import type { Span } from "../../../src/model/diagnostic.ts";
import type { Json } from "../../../src/model/json.ts";
import type { MapKind, SingletonKind } from "../../../src/model/kind.ts";
import type { DeclaredObject, LiveObject } from "../../../src/model/objects.ts";
import { spansIn } from "../../../src/model/span.ts";
import { PLAIN } from "../model/plain-kind.ts";

export function toyKind(more: Partial<MapKind> = {}): MapKind {
  return {
    ...PLAIN,
    name: "thing",
    section: "things",
    noun: ["thing", "things"],
    identity: { keyOf: (name) => name.toUpperCase() },
    diff: { traits: { description: "words", members: "items", colour: "other", may: "fixed", other: "fixed" } },
    file: { ...PLAIN.file, fields: { colour: { about: "Colour." }, size: { about: "Size.", level: 400 } } },
    ...more,
  };
}

export function toySingleton(more: Partial<SingletonKind> = {}): SingletonKind {
  const { name, section, noun, file, calls, secrecy, docs } = toyKind();
  const live = { read: () => ({}) };
  return { shape: "singleton", name, section, noun, file, live, calls, secrecy, docs, ...more };
}

export function line(number: number): Span {
  return { file: "realm.yaml", line: number, column: 1, endLine: number, endColumn: 2 };
}

export function liveThing(
  id: number,
  name: string,
  fields: { readonly [field: string]: Json } = { colour: null },
): LiveObject {
  return { key: name.toUpperCase(), name, id, fields, inactive: fields.archived === true };
}

export function declaredThing(
  name: string,
  fields: { readonly [field: string]: Json } = {},
  more: Partial<DeclaredObject> = {},
): DeclaredObject {
  return { key: name.toUpperCase(), name, absent: false, fields, at: line(1), spans: spansIn({}), ...more };
}
