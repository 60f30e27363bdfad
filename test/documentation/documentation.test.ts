import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../e2e/world.ts";
import { blocksOf, commandsOf, shows, wordsOf } from "./blocks.ts";
import { Story } from "./story.ts";

/** Examples in the documentation are run as they are shown: docs/internals/README.md says how a page states what it needs. */
const root = join(import.meta.dirname, "../..");
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md"].concat(
  ["docs", "docs/internals"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name))
      // It needs GitHub: production.test.ts follows it.
      .filter((path) => path !== "docs/production.md"),
  ),
);

describe.each(pages)("%s", (page) => {
  const blocks = blocksOf(readFileSync(join(root, page), "utf8"));
  let world: World;
  let story: Story;
  beforeAll(async () => {
    world = await World.start();
    story = new Story(world);
  });
  afterAll(async () => {
    await story.end();
    await world.end();
  });

  // One after another: a page is a story, and each block finds what the earlier ones left.
  test("runs as shown", async () => {
    const failures: string[] = [];
    for (const block of blocks) {
      const failure = await story.tell(block);
      if (failure !== undefined) failures.push(`${page}:${block.line}: ${failure}`);
    }
    expect(failures.join("\n\n")).toBe("");
  });

  test("gives a reason if a block is not run", () => {
    const silent = blocks.filter(({ directives }) =>
      directives.some(({ name, value }) => name === "skip" && value.length < 20),
    );
    expect(silent).toEqual([]);
  });
});

describe("the check of the pages would find a difference", () => {
  test.each([
    { expected: "a\nb", actual: "a\nb\n", same: true },
    { expected: "a\nb", actual: "a\nb\nc", same: false },
    { expected: "a\nb", actual: "x\na\nb", same: false },
    { expected: "a\n…\nd", actual: "a\nb\nc\nd", same: true },
    { expected: "a\n…", actual: "a\nb\nc", same: true },
    { expected: "a\n…\nx", actual: "a\nb\nc", same: false },
    { expected: "", actual: "a", same: false },
  ])("$expected, $actual: $same", ({ expected, actual, same }) => expect(shows(expected, actual)).toBe(same));

  test("commands and their output", () => {
    const [console, sh] = blocksOf(
      "```console\n$ a 'b c' # d\nout\n\nmore\n$ e\n```\n<!-- exit: 2 -->\n```sh\nx y  # z\n\n# only words\n```\n",
    );
    expect(console === undefined ? [] : commandsOf(console)).toEqual([
      { words: ["a", "b c"], output: "out\n\nmore" },
      { words: ["e"], output: "" },
    ]);
    expect(sh === undefined ? [] : commandsOf(sh)).toEqual([{ words: ["x", "y"], output: undefined }]);
    expect(sh?.directives).toEqual([{ name: "exit", value: "2" }]);
    expect(wordsOf("realmctl adopt '#party'   # a comment")).toEqual(["realmctl", "adopt", "#party"]);
  });

  test.each([
    { name: "an output", markdown: "```console\n$ realmctl --version\n99.0.0\n```\n", found: "shows something else" },
    { name: "an exit code", markdown: "```sh\nrealmctl nonsense\n```\n", found: "exit code 1, not 0" },
    {
      name: "a file with an error",
      markdown: "```yaml\n# realm.yaml\nversion: 1\nchannel: {}\n```\n",
      found: "validate: exit code 1",
    },
    {
      name: "a file that cannot be planned",
      markdown:
        "```yaml\n# realm.yaml\nversion: 1\nchannels:\n  a:\n    subscribers: {users: [nobody@example.org]}\n```\n",
      found: "plan: exit code 1",
    },
    { name: "another layout", markdown: "```yaml\n# realm.yaml\nversion:   1\n```\n", found: "fmt would change" },
    { name: "missing data", markdown: '```json\n{"full_name": "Nobody"}\n```\n', found: "is no part of" },
    { name: "a missing script", markdown: "```sh\nnpm run nothing\n```\n", found: "no such script" },
    { name: "a block in another language", markdown: "```toml\na = 1\n```\n", found: "needs <!-- skip" },
  ])("$name", async ({ markdown, found }) => {
    const world = await World.start();
    try {
      world.file("realm.yaml", "version: 1\n");
      const [block] = blocksOf(markdown);
      expect(block === undefined ? "" : await new Story(world).tell(block)).toContain(found);
    } finally {
      await world.end();
    }
  });
});

describe("examples/fleet is planned and applied there, and then a new plan is empty", () => {
  test.each([
    { file: "production.yaml", changes: /^Plan: \d+ to create/ },
    { file: "staging.yaml", changes: /^Plan: 5 to create/ },
    { file: "sandbox.yaml", changes: /^Plan: 5 to create/ },
  ])("$file", async ({ file, changes }) => {
    const world = await World.start();
    try {
      cpSync(join(root, "examples/fleet"), world.directory, { recursive: true });
      // Each address stands for an organization of its own; here, all of them are this one.
      const path = join(world.directory, file);
      writeFileSync(path, readFileSync(path, "utf8").replace(/^realm: .*$/m, `realm: ${world.url}`));
      expect((await world.realmctl(`plan ${file}`)).out).toMatch(changes);
      expect(await world.realmctl(`apply ${file} --yes`)).toMatchObject({ code: 0 });
      expect((await world.realmctl(`plan ${file}`)).out).toMatch(/^No changes/);
    } finally {
      await world.end();
    }
  });
});
