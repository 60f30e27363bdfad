/**
 * A small language for the shapes of answers: types, nullability, and which keys exist at which level. Objects are closed, and an unmarked key must
 * be present. Written for speed, because every answer of many tests is checked.
 */
export interface Look {
  readonly level: number;
  readonly problems: string[];
}
export type Shape = (value: unknown, at: string, look: Look) => void;

const kind = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);
const plain =
  (wanted: string, fits: (value: unknown) => boolean): Shape =>
  (value, at, { problems }) => {
    if (!fits(value)) problems.push(`${at}: ${wanted} expected, ${kind(value)} found`);
  };

export const int = plain("integer", Number.isInteger);
export const number = plain("number", (value) => typeof value === "number");
export const text = plain("text", (value) => typeof value === "string");
export const flag = plain("flag", (value) => typeof value === "boolean");
/** Any JSON: a fact about the server whose form does not matter here. */
export const anything = plain("a value", (value) => value !== undefined);
export const word = (...words: readonly (string | number)[]): Shape =>
  plain(words.join("/"), (value) => (typeof value === "string" || typeof value === "number") && words.includes(value));
export const orNull =
  (shape: Shape): Shape =>
  (value, at, look) => {
    if (value !== null) shape(value, at, look);
  };
export const list =
  (shape: Shape): Shape =>
  (value, at, look) => {
    if (!Array.isArray(value)) look.problems.push(`${at}: list expected, ${kind(value)} found`);
    else for (const each of value) shape(each, `${at}[]`, look);
  };
/** Fixed positions, each with its own shape. */
export const tuple =
  (...shapes: readonly Shape[]): Shape =>
  (value, at, look) => {
    if (!Array.isArray(value) || value.length !== shapes.length)
      look.problems.push(`${at}: list of ${shapes.length} expected`);
    else for (const [place, shape] of shapes.entries()) shape(value[place], `${at}[${place}]`, look);
  };
/** Any keys, or keys that match a pattern. */
export const table =
  (shape: Shape, keys = /^/): Shape =>
  (value, at, look) => {
    if (kind(value) !== "object") return void look.problems.push(`${at}: object expected, ${kind(value)} found`);
    for (const [key, each] of Object.entries(Object(value))) {
      if (!keys.test(key)) look.problems.push(`${at}: key ${key} is unexpected`);
      shape(each, `${at}{}`, look);
    }
  };
/** The first shape that fits. */
export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value, at, look) => {
    const tried = shapes.map((shape) => {
      const problems: string[] = [];
      shape(value, at, { level: look.level, problems });
      return problems;
    });
    if (!tried.some((problems) => problems.length === 0)) look.problems.push(...(tried.at(-1) ?? []));
  };

interface Key {
  readonly shape: Shape;
  readonly since: number;
  readonly until: number;
  readonly optional: boolean;
}
const keyOf = (key: Shape | Key): Key =>
  typeof key === "function" ? { shape: key, since: 0, until: Number.POSITIVE_INFINITY, optional: false } : key;
/** A key that may be missing. */
export const maybe = (key: Shape | Key): Key => ({ ...keyOf(key), optional: true });
/** Present from this level on, up to another level. */
export const since = (level: number, shape: Shape, until = Number.POSITIVE_INFINITY): Key => ({
  ...keyOf(shape),
  since: level,
  until,
});
export type Keys = { readonly [key: string]: Shape | Key };

/** Rights that no Zulip server has: tests invent them, and a sandbox that has them from a snapshot shows them as any other. */
const INVENTED = /^(?:realm_)?(?:can_)?invented_[a-z0-9_]+$/;
const invented: Shape = (value, at, look) => {
  if (typeof value === "number") return;
  if (JSON.stringify(Object.keys(Object(value)).sort()) !== '["direct_members","direct_subgroups"]')
    look.problems.push(`${at}: a group is expected`);
};

export function object(keys: Keys): Shape {
  const known = new Map(Object.entries(keys).map(([name, key]) => [name, keyOf(key)]));
  return (value, at, look) => {
    if (kind(value) !== "object") return void look.problems.push(`${at}: object expected, ${kind(value)} found`);
    const found = Object(value);
    for (const [name, { shape, since: first, until, optional }] of known) {
      const exists = look.level >= first && look.level < until;
      if (name in found) {
        if (exists) shape(found[name], `${at}.${name}`, look);
        else look.problems.push(`${at}: key ${name} does not exist at level ${look.level}`);
      } else if (exists && !optional) look.problems.push(`${at}: key ${name} is missing`);
    }
    for (const name in found) {
      if (known.has(name)) continue;
      if (INVENTED.test(name)) invented(found[name], `${at}.${name}`, look);
      else look.problems.push(`${at}: key ${name} is unexpected`);
    }
  };
}
/** The same shape for many names. */
export const all = <T extends Shape | Key>(names: string, key: T): { readonly [name: string]: T } =>
  Object.fromEntries(names.split(" ").map((name) => [name, key]));
/** Some of the keys, and no others. */
export const someOf = (keys: Keys): Keys =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, maybe(key)]));
