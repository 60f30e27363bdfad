import { nameIn } from "../model/address.ts";
import { defined } from "../model/defined.ts";
import type { Diagnostic, Span } from "../model/diagnostic.ts";
import { addTo } from "../model/lazy.ts";
import { type DeclaredObject, keepKey } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";
import { startOf } from "../model/span.ts";
import type { Section } from "./sections.ts";

/** An object of the file or of the server, or one field of it. */
export interface ObjectPart {
  readonly address: Address;
  /** Empty for the whole object. */
  readonly field: string;
  /** Whether the plan changes it. */
  readonly isChanged?: boolean;
  /** Of an object that the file does not mention: {@link keepKey}. */
  readonly kept?: string;
}

/** A finding, and the objects of which nothing is planned because of it. */
export interface HeldParts {
  readonly diagnostic: Diagnostic;
  readonly parts: readonly ObjectPart[];
}

/** The objects that errors are about, found by the places that the errors name: everything that is compared has one. */
export class ObjectsAt {
  private readonly byPlace = new Map<string, ObjectPart[]>();

  constructor(sections: readonly Pick<Section, "kind" | "pairs">[]) {
    for (const { kind, pairs } of sections)
      for (const { address, declared, live, change } of pairs) {
        // A section of settings is one object: an error in one field is none of the others.
        const add = (at: Span | undefined, field: string): void => {
          if (at === undefined) return;
          const isOne = kind.shape === "singleton" && field !== "";
          const isChanged = isOne ? change?.fields.some((one) => one.field === field) : change !== undefined;
          const kept = declared === undefined && live !== undefined ? keepKey(kind.name, live) : undefined;
          addTo(this.byPlace, startOf(at), { address, field: isOne ? field : "", ...defined({ isChanged, kept }) });
        };
        if (declared !== undefined) {
          add(declared.at, "");
          for (const field of fieldsOf(declared)) add(declared.spans.of(field), field);
        }
        add(change?.at, "");
        for (const { field, at } of change?.fields ?? []) add(at, field);
      }
  }

  of({ at, fact, notes = [] }: Diagnostic): readonly ObjectPart[] {
    const places = [at, ...notes.map((note) => note.at)];
    const names = namesIn(fact);
    const parts = places.flatMap((place) => {
      const there = place === undefined ? [] : (this.byPlace.get(startOf(place)) ?? []);
      // Objects can share a line: of a profile, or `exact`, which removes all of them.
      const meant = there.filter(({ address }) => names.has(nameIn(address)));
      return meant.length > 0 ? meant : there;
    });
    return [...new Map(parts.map((part) => [`${part.address}\n${part.field}`, part])).values()];
  }
}

/** The names of objects in a fact. */
function namesIn(fact: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const open = [fact];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if ("quoted" in next && typeof next.quoted === "string") names.add(next.quoted);
    open.push(...Object.values(next));
  }
  return names;
}

const fieldsOf = ({ fields, creation }: DeclaredObject): readonly string[] => [
  ...Object.keys(fields),
  ...Object.keys(creation ?? {}),
  "was",
  "id",
  "name",
];

/** Most plans have no error, so it is loaded when it is called (scripts/on-call.mjs). */
export const objectsAt = (...input: ConstructorParameters<typeof ObjectsAt>): ObjectsAt => new ObjectsAt(...input);
