import { describe, expect, test } from "vitest";
import * as z from "zod";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import { whenDefined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { finding } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import type { Json } from "../model/json.ts";
import type { ListKind, MapKind, ResourceKind } from "../model/kind.ts";
import { readConfig } from "./read-config.ts";

const Box = z.strictObject({
  was: z.string().optional(),
  id: z.int().positive().optional(),
  absent: z.boolean().optional(),
  colour: z.string().optional(),
  inside: z.array(z.string()).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  needs: z.string().optional(),
});
type Box = z.infer<typeof Box>;

/** A kind with a name, fields, and a reference to another object of its kind. */
const box: MapKind<Box> = {
  ...PLAIN,
  name: "box",
  section: "channels",
  noun: ["box", "boxes"],
  identity: { keyOf: (name) => name.toUpperCase(), canonicalName: (name) => name.trim() },
  file: {
    schema: () => Box,
    profiles: true,
    fields: {},
    decode(item, _name, context) {
      const { was, id, absent = false, needs, inside, permissions, colour } = item;
      if (needs !== undefined && !context.declares("box", needs.toUpperCase()))
        context.report(
          ["needs"],
          finding("profiles/unknown", { name: quote(needs), known: quoteAll(context.declaredNames?.("box") ?? []) }),
        );
      const fields: { [field: string]: Json } = colour === undefined ? {} : { colour };
      if (permissions?.who !== undefined) fields.who = permissions.who;
      return {
        absent,
        fields,
        ...(was === undefined ? {} : { was }),
        ...(id === undefined ? {} : { id }),
        ...(inside === undefined ? {} : { creation: { inside } }),
        paths: { who: ["permissions", "who"] },
      };
    },
  },
};
const Rule = z.union([z.string(), z.strictObject({ pattern: z.string(), to: z.string().optional() })]);
type Rule = z.infer<typeof Rule>;
const rule: ListKind<Rule> = {
  ...PLAIN,
  name: "rule",
  section: "rules",
  shape: "list",
  noun: ["rule", "rules"],
  identity: { keyOf: (name) => name, nameOf: (item) => (typeof item === "string" ? item : item.pattern) },
  file: {
    schema: () => Rule,
    fields: {},
    decode: (item, _name, context) => {
      if (typeof item === "string" && item === "bad") context.report([], finding("channels/default-private", {}));
      return {
        absent: false,
        fields: typeof item === "string" ? {} : { ...(item.to === undefined ? {} : { to: item.to }) },
      };
    },
  },
};
const kinds: readonly ResourceKind[] = [box, rule];

const read = (text: string) => readConfig({ file: "realm.yaml", readFile: async () => text, kinds });
async function desired(text: string) {
  const result = await read(text);
  if (!result.ok) throw new Error(result.diagnostics.map(({ code }) => code).join("\n"));
  return result.value;
}
async function errors(text: string): Promise<string[]> {
  const result = await read(text);
  const found = result.ok ? result.warnings : result.diagnostics;
  return found.map(({ code, at }) => `${code} ${at === undefined ? "nowhere" : place(at)}`);
}
const place = (span: Span): string => `${span.line}:${span.column}`;

describe("what the file asks for", () => {
  test.each<{ text: string; manage: unknown }>([
    { text: "channels: {}\nmanage: {channels: exact}", manage: { channels: "exact" } },
    { text: "channels: {}\nrules: []\nmanage: {rules: ignore}", manage: { channels: "additive", rules: "ignore" } },
    { text: "manage: {rules: additive}", manage: {} },
  ])("policies: $text", async ({ text, manage }) =>
    expect((await desired(`version: 1\n${text}\n`)).manage).toEqual(manage),
  );

  test.each<{ written: string; url: string }>([
    { written: "https://Chat.Example.org/", url: "https://chat.example.org" },
    { written: "http://localhost:9991", url: "http://localhost:9991" },
  ])("realm $written", async ({ written, url }) =>
    expect((await desired(`version: 1\nrealm: ${written}\n`)).realm).toMatchObject({ url, at: { line: 2, column: 8 } }),
  );

  test("an item with everything", async () => {
    const { sections } = await desired(
      'version: 1\nchannels:\n  " a ":\n    was: old\n    id: 7\n    absent: true\n    colour: red\n    inside: [x]\n    permissions: {who: staff}\n',
    );
    const [item] = sections.get("channels") ?? [];
    expect(item).toMatchObject({
      key: " A ".toUpperCase(),
      name: "a",
      was: "old",
      id: 7,
      absent: true,
      fields: { colour: "red", who: "staff" },
      creation: { inside: ["x"] },
    });
    expect(item && place(item.at)).toBe("3:3");
    const fields = ["was", "id", "colour", "inside", "who", "other", "absent"];
    expect(fields.map((field) => whenDefined(item?.spans.of(field), place))).toEqual([
      "4:10",
      "5:9",
      "7:13",
      "8:13",
      "9:24",
      undefined,
      undefined,
    ]);
  });

  test("a field that is left out has neither value nor place", async () => {
    const [item] = (await desired("version: 1\nchannels:\n  a: {colour: red}\n")).sections.get("channels") ?? [];
    expect(Object.keys(item ?? {}).sort()).toEqual(["absent", "at", "fields", "key", "name", "spans"]);
  });
});

describe("profiles", () => {
  const profiles = `version: 1
profiles:
  red:
    colour: red
    permissions: {who: staff, where: here}
  small: {profile: red, inside: [x]}
  blue: {colour: blue}
channels:
  item: `;
  test.each<{ item: string; fields: unknown; creation?: unknown; colourAt: string }>([
    { item: "{profile: red}", fields: { colour: "red", who: "staff" }, colourAt: "4:13" },
    { item: "{profile: red, permissions: {who: me}}", fields: { colour: "red", who: "me" }, colourAt: "4:13" },
  ])("$item", async ({ item, fields, creation, colourAt }) => {
    const [found] = (await desired(`${profiles}${item}\n`)).sections.get("channels") ?? [];
    expect(found?.fields).toEqual(fields);
    expect(found?.creation).toEqual(creation);
    expect(whenDefined(found?.spans.of("colour"), place)).toBe(colourAt);
  });

  test("an unused profile is only a warning", async () => {
    const { warnings, sections } = await desired("version: 1\nprofiles: {a: {colour: red}}\nchannels: {b: {}}\n");
    expect(warnings.map(({ code, severity }) => [code, severity])).toEqual([["profiles/unused", "warning"]]);
    expect(sections.get("channels")).toHaveLength(1);
  });

  test("an error in a profile is reported once, however many objects use it", async () =>
    expect(
      await errors(
        "version: 1\nprofiles:\n  p: {needs: zz, colour: 3}\nchannels:\n  a: {profile: p}\n  b: {profile: p}\n",
      ),
    ).toEqual(["profiles/unknown 3:14", "field/type 3:26"]));
});

describe("errors", () => {
  test.each<{ name: string; text: string; found: string[] }>([
    {
      name: "references may name an object that is declared later",
      text: "channels:\n  a: {needs: b}\n  B: {}\n",
      found: [],
    },
    { name: "two entries of a list are equal", text: "rules: [a, b, a]\n", found: ["config/declared-twice 2:15"] },
    { name: "a list entry without its name", text: "rules:\n  - to: x\n", found: ["field/missing 3:5"] },
    {
      name: "errors of every type at once, in the order of the file",
      text: "realm: x\nrules: [1, bad]\nchannels:\n  a: {needs: b, color: x}\n",
      found: [
        "config/realm 2:8",
        "field/type 3:9",
        "channels/default-private 3:12",
        "profiles/unknown 5:14",
        "field/unknown 5:17",
      ],
    },
  ])("$name", async ({ text, found }) => expect(await errors(`version: 1\n${text}`)).toEqual(found));

  test("kinds get the declared names for suggestions", async () => {
    const result = await read("version: 1\nchannels: {a: {needs: zz}, b: {}, c: {absent: true}}\n");
    expect(result).toMatchObject({ ok: false, diagnostics: [{ fact: { known: [quote("a"), quote("b")] } }] });
  });

  test("a file that cannot be read is an error, not a crash", async () => {
    const readFile = async () => Promise.reject(Object.assign(new Error("x"), { code: "ENOENT" }));
    expect(await readConfig({ file: "a/realm.yaml", readFile, kinds })).toMatchObject({
      ok: false,
      diagnostics: [{ code: "config/cannot-read", fact: { file: "a/realm.yaml", why: { code: "ENOENT" } } }],
    });
  });
});
