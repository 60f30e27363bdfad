import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adopt } from "../src/adopt/adopt.ts";
import { readConfig } from "../src/config/read-config.ts";
import { planFiles } from "../src/export/check.ts";
import { kinds } from "../src/kinds/registry.ts";
import { formatYaml } from "../src/source/format.ts";
import { keepsComments } from "../src/source/nodes.ts";
import { sandboxStart as start } from "./support/organizations.ts";
import { must, World } from "./support/world.ts";

const directory = join(import.meta.dirname, "../examples");
const read = (name: string): string => readFileSync(join(directory, name, "realm.yaml"), "utf8");

test.each(readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yaml")))(
  "examples/%s has the layout that fmt gives",
  (name) => {
    const text = readFileSync(join(directory, name), "utf8");
    expect(formatYaml(text)).toBe(text);
  },
);

describe.each(["small", "company", "community", "sync"])("examples/%s", (name) => {
  const yaml = read(name);

  test("is valid without a server, and without a warning", async () => {
    const config = await readConfig({ file: "realm.yaml", readFile: async () => yaml, kinds });
    expect({ ok: config.ok, said: config.ok ? config.warnings : config.diagnostics }).toEqual({ ok: true, said: [] });
  });

  test("is planned and applied to the sandbox with the fewest requests; a new plan is empty", async () => {
    const world = new World(await start());
    const plan = must(await world.plan(yaml));
    expect(plan.calls.length).toBeGreaterThan(0);
    const result = await world.apply(plan, yaml);
    expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
    expect(world.writes).toBe(plan.least_calls);
    expect(must(await world.plan(yaml)).changes).toEqual([]);
  });

  test("keeps every comment when changes by others are adopted", async () => {
    const world = new World(await start());
    await world.apply(must(await world.plan(yaml)), yaml);
    const applied = await world.read();
    const names = new Set(applied.channels.slice(0, 5).map(({ name: channel }) => channel));
    const snapshot = {
      ...applied,
      // Somebody posted in every channel, and archived some.
      channels: applied.channels.map((channel, index) => ({
        ...channel,
        description: `Drifted ${index}`,
        is_archived: channel.is_archived || names.has(channel.name),
      })),
      linkifiers: (applied.linkifiers ?? []).map((each) => ({ ...each, url_template: `${each.url_template}?drifted` })),
    };
    const result = await adopt({
      file: "realm.yaml",
      readFile: async () => yaml,
      listFiles: async () => [],
      snapshot,
      kinds,
    });
    expect(result.left).toEqual([]);
    const after = result.files[0]?.after ?? yaml;
    expect(after).toMatch(/description: Drifted \d/);
    expect(keepsComments(yaml, after)).toBe(true);
    expect(must(await planFiles(new Map([["realm.yaml", after]]), "realm.yaml", { snapshot, kinds })).changes).toEqual(
      [],
    );
  });
});

test("the company has at least forty channels, and uses profiles, groups, folders and the rest", async () => {
  const config = must(await readConfig({ file: "realm.yaml", readFile: async () => read("company"), kinds }));
  expect(config.sections.get("channels")?.length).toBeGreaterThanOrEqual(40);
  for (const section of ["user_groups", "channel_folders", "default_channels", "linkifiers", "domains"])
    expect(config.sections.get(section)?.length).toBeGreaterThan(1);
});

test("every example with one file is in this list", () => {
  const single = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(directory, entry.name)).includes("realm.yaml"))
    .map((entry) => entry.name);
  // "organization" has more files: test/e2e/example-organization.test.ts.
  expect(single.sort()).toEqual(["community", "company", "organization", "small", "sync"]);
});
