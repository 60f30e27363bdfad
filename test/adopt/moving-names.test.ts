import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { adopt } from "../../src/adopt/adopt.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { RUNS } from "../properties/arbitrary.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

// Names of objects that the file identifies by their ids, moved on the server in every way: chains, swaps, cycles.

const POOL = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

/** Sections of objects with names and ids; objects of a test realm get consecutive ids. */
const SECTIONS = [
  { section: "channels", kind: "channel", firstId: 101 },
  { section: "user_groups", kind: "user_group", firstId: 30 },
  { section: "channel_folders", kind: "channel_folder", firstId: 1 },
] as const;

const Entries = z.record(z.string(), z.looseObject({ id: z.int() }));
const Policy = z.object({ protect: z.array(z.string()) });

interface Names {
  readonly inFile: readonly string[];
  /** The same objects, in the same order. */
  readonly onServer: readonly string[];
}

test("a pattern that means several objects stays, also if it is the name of one of them", async () => {
  const file = `version: 1
policy: {protect: ["channel:team-*"]}
channels:
  "team-*": {id: 101}
  team-a: {}
`;
  const snapshot = realmOf({ channels: [{ name: "crew" }, { name: "team-a" }] });
  const { files, unprotected } = await adopted(one(file), snapshot);
  expect(files.get("realm.yaml")).toBe(file.replace('"team-*": {', '"crew": {'));
  expect(unprotected).toMatchObject([{ pattern: "channel:team-*", name: "team-*", to: "crew" }]);
});

describe.each(SECTIONS)("$section with ids", ({ section, kind, firstId }) => {
  /** Adopts everything. Every object keeps its entry and its protection, both with the new name. */
  async function expectAdopted({ inFile, onServer }: Names): Promise<void> {
    const file = `version: 1
policy: {protect: [${inFile.map((name) => `"${kind}:${name}"`).join(", ")}]}
${section}:
${inFile.map((name, index) => `  ${name}: {id: ${firstId + index}}`).join("\n")}
`;
    const snapshot = realmOf({ [section]: onServer.map((name) => ({ name })) });
    const { files, left, unprotected } = await adopted(one(file), snapshot);
    const value: unknown = parse(files.get("realm.yaml") ?? "");
    const { [section]: entries, policy } = z.record(z.string(), z.unknown()).parse(value);
    expect(Object.entries(Entries.parse(entries)).map(([name, { id }]) => [id, name])).toEqual(
      onServer.map((name, index) => [firstId + index, name]),
    );
    expect(Policy.parse(policy).protect).toEqual(onServer.map((name) => `${kind}:${name}`));
    expect({ left, unprotected }).toEqual({ left: 0, unprotected: [] });
    expect((await planned(files, snapshot)).changes).toEqual([]);
  }

  test.each<Names & { readonly name: string }>([
    { name: "a chain", inFile: ["alpha", "beta"], onServer: ["beta", "gamma"] },
    { name: "a swap", inFile: ["alpha", "beta"], onServer: ["beta", "alpha"] },
    {
      name: "a cycle of three, and a chain",
      inFile: ["alpha", "beta", "gamma", "delta", "epsilon"],
      onServer: ["beta", "gamma", "alpha", "epsilon", "zeta"],
    },
  ])("$name of names", expectAdopted);

  test("names that moved in any way", async () => {
    const moved = fc
      .tuple(fc.shuffledSubarray(POOL, { minLength: 1 }), fc.shuffledSubarray(POOL, { minLength: POOL.length }))
      .map(([inFile, pool]) => ({ inFile, onServer: pool.slice(0, inFile.length) }));
    await fc.assert(fc.asyncProperty(moved, expectAdopted), { numRuns: Math.ceil(RUNS / 4) });
  });
});

test.each([
  { name: "a name", before: "beta", after: "alpha" },
  { name: "a name in a map", before: "{channel: beta}", after: "{channel: alpha}" },
  { name: "a name in other letters", before: "BETA", after: "alpha" },
])("default channels follow channels that exchanged their names on the server: $name", async ({ before, after }) => {
  const file = `version: 1
channels:
  alpha: {id: 101}
  beta: {id: 102}
default_channels: [${before}, gamma]
`;
  const snapshot = realmOf({
    channels: [{ name: "beta" }, { name: "alpha" }, { name: "gamma" }],
    default_channels: ["alpha", "gamma"],
  });
  const { files } = await adopted(one(file), snapshot);
  expect(files.get("realm.yaml")).toBe(`version: 1
channels:
  beta: {id: 101}
  alpha: {id: 102}
default_channels: [${after}, gamma]
`);
  expect((await planned(files, snapshot)).changes).toEqual([]);
});

test("a protection in a policy file that an option names is watched, too", async () => {
  const file = "version: 1\nchannels: {den: {id: 101}}\n";
  const texts = new Map([
    ["realm.yaml", file],
    ["guards.yaml", 'version: 1\npolicy: {protect: ["channel:den"]}\n'],
  ]);
  const readFile = async (path: string): Promise<string> => texts.get(path) ?? "";
  const options = { file: "realm.yaml", readFile, kinds, snapshot: realmOf({ channels: [{ name: "cave" }] }) };
  const lost = { pattern: "channel:den", name: "den", to: "cave", file: "guards.yaml" };
  expect((await adopt({ ...options, policyFile: "guards.yaml" })).unprotected).toEqual([lost]);
  expect((await adopt(options)).unprotected).toEqual([]);
});
