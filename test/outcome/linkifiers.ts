import type { File, Item } from "./file.ts";
import { type LiveItem, whoIsWho } from "./identity.ts";
import { stripped } from "./names.ts";
import type { Row, Seen } from "./seen.ts";

const FIELDS = ["url_template", "example_input", "reverse_template", "alternative_url_templates"] as const;
const FRESH: Row = { example_input: null, reverse_template: null, alternative_url_templates: [] };

/** Linkifiers, identified by their pattern, and their order (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md). */
export function linkifiersAfter(file: File, now: Seen): readonly Row[] {
  const items = file.items("linkifiers")?.map((item) => ({ ...item, name: stripped(String(item.fields.pattern)) }));
  if (items === undefined) return now.linkifiers;
  const things = now.linkifiers.map(
    ({ id, pattern }): LiveItem => ({ id: Number(id), name: String(pattern), inactive: false }),
  );
  const rowOf = (id: number): Row => now.linkifiers.find((row) => row.id === id) ?? {};
  const found = whoIsWho(items, things, {
    key: stripped,
    isWaitingFor: ({ id, name }, wanted) => name === `${wanted}| ~realmctl~${id}`,
    distance: (item, { id }) => {
      const row = rowOf(id);
      return Object.entries(said(item)).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(row[field]))
        .length;
    },
  });
  const mentioned: Row[] = [];
  const changed = new Map<number, Row | "gone">();
  const made: Row[] = [];
  for (const item of items) {
    const id = found.get(item)?.id;
    if (item.goes) {
      if (id !== undefined) changed.set(id, "gone");
      continue;
    }
    const row = { ...(id === undefined ? { id: "new", ...FRESH } : rowOf(id)), pattern: item.name, ...said(item) };
    mentioned.push(row);
    if (id === undefined) made.push(row);
    else changed.set(id, row);
  }
  const isExact = file.isExact("linkifiers");
  const kept = now.linkifiers.flatMap((row) => {
    const change = changed.get(Number(row.id));
    if (change === undefined) return isExact ? [] : [row];
    return change === "gone" ? [] : [change];
  });
  // Those that the file names exchange places; before that, new ones are after all others.
  const queue = [...mentioned];
  return [...kept, ...made].map((row) => (mentioned.includes(row) ? (queue.shift() ?? row) : row));
}

function said({ fields }: Item): Row {
  return Object.fromEntries(
    FIELDS.filter((field) => fields[field] !== undefined).map((field) => [field, stored(field, fields[field])]),
  );
}

function stored(field: (typeof FIELDS)[number], value: unknown): unknown {
  if (field === "alternative_url_templates") return value ?? [];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}
