import { describe, expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { canonicalJson, isList, isObject, type Json } from "../model/json.ts";
import { editYaml } from "./edit.ts";
import { keepsComments } from "./nodes.ts";
import { renameKeys } from "./splices.ts";
import { writeYaml } from "./write.ts";
import { documentValue } from "./yaml.ts";

const FILE = `# head
version: 1

channels:
  # the loud one
  announce:   # everybody reads it
    description: 'News'  # short
    permissions:
      can_send_message_group: staff # for now

  random: {description: Anything goes, privacy: public}
  general:
linkifiers:
  # bugs
  - pattern: '#(?P<id>[0-9]+)'
    url_template: https://bugs.example.org/{id}
  # pulls
  - pattern: PR-(?P<id>[0-9]+)  # ours
    url_template: https://code.example.org/{id}
default_channels: [announce, "general"]
people:
  - ada@example.org  # lead
  - ben@example.org
`;

/** A copy with another value at a path; undefined removes it. */
function put(value: Json, path: readonly (string | number)[], to: Json | undefined): Json {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  let at: unknown = copy;
  for (const step of path.slice(0, -1)) at = isList(at) || isObject(at) ? Reflect.get(at, step) : undefined;
  const last = path.at(-1) ?? "";
  if (typeof at === "object" && at !== null) {
    if (to !== undefined) Reflect.set(at, last, to);
    else if (Array.isArray(at)) at.splice(Number(last), 1);
    else Reflect.deleteProperty(at, last);
  }
  return JSON.parse(JSON.stringify(copy));
}

const value = (text: string): Json => {
  const found = documentValue(text);
  if (found === undefined) throw new RangeError("no value");
  return found;
};

/** Removed and added lines. */
function changed(before: string, after: string | undefined): string[] {
  const count = (text: string) => {
    const lines = new Map<string, number>();
    for (const line of text.split("\n")) lines.set(line, (lines.get(line) ?? 0) + 1);
    return lines;
  };
  const [left, right] = [count(before), count(after ?? "")];
  const more = (a: Map<string, number>, b: Map<string, number>, mark: string) =>
    [...a].flatMap(([line, number]) => Array<string>(Math.max(0, number - (b.get(line) ?? 0))).fill(`${mark}${line}`));
  return [...more(left, right, "-"), ...more(right, left, "+")];
}

describe("changes only the lines that have to change", () => {
  test.each([
    {
      path: ["channels", "announce", "description"],
      to: "Old news",
      lines: ["-    description: 'News'  # short", "+    description: 'Old news'  # short"],
    },
    {
      path: ["channels", "announce", "permissions", "can_send_message_group"],
      to: { groups: ["staff"], users: ["ada@example.org"] },
      lines: [
        "-      can_send_message_group: staff # for now",
        "+      can_send_message_group: {groups: [staff], users: [ada@example.org]} # for now",
      ],
    },
    {
      path: ["channels", "announce", "permissions", "can_subscribe_group"],
      to: "role:nobody",
      lines: ["+      can_subscribe_group: role:nobody"],
    },
    { path: ["channels", "announce", "folder"], to: null, lines: ["+    folder: null"] },
    {
      path: ["channels", "random", "privacy"],
      to: "web_public",
      lines: [
        "-  random: {description: Anything goes, privacy: public}",
        "+  random: {description: Anything goes, privacy: web_public}",
      ],
    },
    {
      path: ["channels", "random", "folder"],
      to: "Fun",
      lines: [
        "-  random: {description: Anything goes, privacy: public}",
        "+  random: {description: Anything goes, privacy: public, folder: Fun}",
      ],
    },
    {
      path: ["channels", "general"],
      to: { description: "Talk" },
      lines: ["-  general:", "+  general:", "+    description: Talk"].slice(2),
    },
    { path: ["channels", "announce", "permissions", "can_send_message_group"], to: undefined, lines: undefined },
    { path: ["people", 0], to: undefined, lines: ["-  - ada@example.org  # lead", "+  # lead"] },
    { path: ["people", 2], to: "kim@example.org", lines: ["+  - kim@example.org"] },
    {
      path: ["default_channels", 2],
      to: "no",
      lines: ['-default_channels: [announce, "general"]', '+default_channels: [announce, "general", "no"]'],
    },
    {
      path: ["linkifiers", 1, "url_template"],
      to: "https://new.example.org/{id}",
      lines: ["-    url_template: https://code.example.org/{id}", "+    url_template: https://new.example.org/{id}"],
    },
    { path: ["domains"], to: { "a.example": {} }, lines: ["+domains:", "+  a.example: {}"] },
  ])("$path to $to", ({ path, to, lines }) => {
    const goal = put(value(FILE), path, to);
    const edited = editYaml(FILE, goal);
    expect(documentValue(edited ?? "")).toEqual(goal);
    expect(keepsComments(FILE, edited ?? "")).toBe(true);
    if (lines !== undefined) expect(changed(FILE, edited)).toEqual(lines);
  });
});

test("items that change places keep their comments", () => {
  const before = value(FILE);
  const list = isObject(before) && isList(before.linkifiers) ? [...before.linkifiers].reverse() : [];
  const edited = editYaml(FILE, put(before, ["linkifiers"], list));
  expect(edited).toContain(`linkifiers:
  # pulls
  - pattern: PR-(?P<id>[0-9]+)  # ours
    url_template: https://code.example.org/{id}
  # bugs
  - pattern: '#(?P<id>[0-9]+)'
    url_template: https://bugs.example.org/{id}
default_channels`);
});

test("line ends stay as they are", () => {
  const windows = FILE.replaceAll("\n", "\r\n");
  const edited = editYaml(windows, put(value(FILE), ["domains"], { "a.example": {} }));
  expect(edited).toBe(`${windows}domains:\r\n  a.example: {}\r\n`);
});

describe("anchors and merges", () => {
  const shared = `a: &base
  x: 1
  y: 2  # two
b: *base
c:
  <<: *base
  z: 3
d: &text News
e: *text
`;
  test.each([
    { path: ["b", "x"], to: 5, contains: "b: {<<: *base, x: 5}\n" },
    { path: ["c", "x"], to: 5, contains: "c:\n  <<: *base\n  z: 3\n  x: 5\n" },
    { path: ["a", "x"], to: 5, contains: "a: &base\n  x: 5\n  y: 2  # two\nb: {<<: *base, x: 1}\n" },
    { path: ["d"], to: "Old", contains: "d: &text Old\ne: News\n" },
    { path: ["e"], to: "Old", contains: "d: &text News\ne: Old\n" },
    { path: ["b"], to: { x: 1 }, contains: "b:\n  x: 1\n" },
  ])("$path to $to", ({ path, to, contains }) => {
    const goal = put(value(shared), path, to);
    const edited = editYaml(shared, goal);
    expect(documentValue(edited ?? "")).toEqual(goal);
    expect(edited).toContain(contains);
  });

  test("a value that comes from a merge cannot be removed here", () => {
    expect(editYaml(shared, put(value(shared), ["c", "x"], undefined))).toBeUndefined();
  });
});

test("a renamed key keeps its quotes, comments and fields", () => {
  expect(renameKeys(FILE, "channels", new Map([["announce", "News: all"]]))).toBe(
    FILE.replace("announce:   #", '"News: all":   #'),
  );
  expect(renameKeys(FILE, "channels", new Map([["announce", "random"]]))).toBeUndefined();
  expect(renameKeys(FILE, "channels", new Map([["nothing", "x"]]))).toBeUndefined();
});

/** Documents as files have them: maps of maps, lists of texts and of maps. */
const text = fc.constantFrom("a", "News", "two words", "no", "#1", "it's", 'say "x"', "role:members", "x: y", "");
const scalar = fc.oneof(text, fc.constantFrom<Json>(null, true, 1, 30));
const leaf: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.array(fc.record({ pattern: text, url: scalar }), { maxLength: 3 }),
  fc.record({ groups: fc.array(text, { maxLength: 2 }), users: fc.array(text, { maxLength: 2 }) }),
);
const key = fc.constantFrom("one", "two", "three four", "five:5", "6");
const item = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 3, noNullPrototype: true })), {
  maxKeys: 4,
  noNullPrototype: true,
});
const documents = fc.dictionary(
  key,
  fc.oneof(leaf, item, fc.dictionary(key, item, { maxKeys: 4, noNullPrototype: true })),
  {
    minKeys: 1,
    maxKeys: 4,
    noNullPrototype: true,
  },
);

function pathsOf(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const below = isList(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  return [...below].flatMap(([step, inner]): (readonly (string | number)[])[] => [
    [...path, step],
    ...pathsOf(JSON.parse(JSON.stringify(inner)), [...path, step]),
  ]);
}

const EDITS = fc.array(
  fc.record({ at: fc.nat(), to: fc.option(fc.oneof(leaf, item), { nil: undefined }), add: fc.option(key) }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

test("random edits of random documents with comments everywhere", () => {
  fc.assert(
    fc.property(
      documents.map((sections) => ({ version: 1, ...sections })),
      fc.array(fc.nat({ max: 5 }), { minLength: 40, maxLength: 40 }),
      EDITS,
      (document, marks, edits) => {
        const entries = Object.entries(document).map(([name, inner]) => ({ key: name, value: inner }));
        const lines = writeYaml({ entries }).text.trimEnd().split("\n");
        const before = lines
          .flatMap((line, index) => {
            const margin = /^ */.exec(line)?.[0] ?? "";
            const mark = marks[index % marks.length];
            if (mark === 0) return [`${margin}# above ${index}`, line];
            if (mark === 1) return [`${line}  # behind ${index}`];
            if (mark === 2 && margin === "") return ["", line];
            return [line];
          })
          .join("\n")
          .concat("\n");
        let goal: Json = document;
        for (const { at, to, add } of edits) {
          const paths = pathsOf(goal).filter(([first]) => first !== "version");
          const path = paths[at % Math.max(1, paths.length)] ?? ["one"];
          const target =
            add === null ? path : [...path.slice(0, -1), typeof path.at(-1) === "number" ? Number(path.at(-1)) : add];
          goal = put(goal, target, to);
        }
        const edited = editYaml(before, goal);
        expect(edited, before).toBeDefined();
        expect(canonicalJson(documentValue(edited ?? "") ?? null)).toBe(canonicalJson(goal));
        expect(keepsComments(before, edited ?? "")).toBe(true);
      },
    ),
    { numRuns: Number(process.env.REALMCTL_RUNS ?? 24) },
  );
});

describe("a list in brackets over several lines", () => {
  const edited = (text: string, crew: readonly string[]) => editYaml(text, { crew });
  const list = "crew: [\n  ada, # lead\n  ben, # deputy\n  eve, # since May\n]\n";

  test("gets one line for a new item", () => {
    expect(edited(list, ["ada", "ben", "eve", "fay"])).toBe(
      "crew: [\n  ada, # lead\n  ben, # deputy\n  eve, # since May\n  fay,\n]\n",
    );
    expect(edited(list, ["ada", "ben", "kim", "eve"])).toBe(
      "crew: [\n  ada, # lead\n  ben, # deputy\n  kim,\n  eve, # since May\n]\n",
    );
  });

  test("loses only the line of an item that left, not its remark", () =>
    expect(edited(list, ["ada", "eve"])).toBe("crew: [\n  ada, # lead\n  # deputy\n  eve, # since May\n]\n"));

  test("may have no comma at the end, and its first item behind the bracket", () => {
    expect(edited("crew: [\n  ada, # lead\n  ben # deputy\n]\n", ["ada", "ben", "eve"])).toBe(
      "crew: [\n  ada, # lead\n  ben, # deputy\n  eve\n]\n",
    );
    expect(edited("crew: [ada, # lead\n  ben, # deputy\n]\n", ["ada", "ben", "eve"])).toBe(
      "crew: [ada, # lead\n  ben, # deputy\n  eve,\n]\n",
    );
    expect(edited("crew: [ada, # lead\n  ben] # both\n", ["ada", "ben", "eve"])).toBe(
      "crew: [ada, # lead\n  ben, eve] # both\n",
    );
  });

  test("loses its last item without a comma at the end", () =>
    expect(edited("crew: [\n  ada, # lead\n  ben # deputy\n]\n", ["ada"])).toBe(
      "crew: [\n  ada, # lead\n  # deputy\n]\n",
    ));
});
