import { describe, expect, test } from "vitest";
import { keepsComments } from "../../src/source/nodes.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

describe("the order of the server, if it has a meaning", () => {
  const snapshot = realmOf({
    channel_folders: [{ name: "Projects" }, { name: "Company" }, { name: "Attic", is_archived: true }],
  });
  test.each([
    {
      what: "entries move with their comments",
      section: `  # all of us
  Company: {} # first

  Attic: {archived: true}
  # what we build
  Projects:
    description: ''
`,
      after: `  # what we build
  Projects:
    description: ''

  Attic: {archived: true}
  # all of us
  Company: {} # first
`,
    },
    {
      what: "in braces",
      section: " {Company: {}, Attic: {absent: true}, Projects:}\n",
      after: " {Projects:, Attic: {absent: true}, Company: {}}\n",
    },
  ])("$what", async ({ section, after }) => {
    const head = "version: 1\nmanage: {channel_folders: exact}\nchannel_folders:";
    const nl = section.startsWith(" {") ? "" : "\n";
    const { files, left } = await adopted(one(`${head}${nl}${section}`), snapshot);
    expect(files.get("realm.yaml")).toBe(`${head}${nl}${after}`);
    expect(left).toBe(0);
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });
});

describe("a section that is split over several files", () => {
  const linkifier = (name: string) => ({
    pattern: `${name}-(?P<id>[0-9]+)`,
    url_template: `https://${name}.example.org/{id}`,
  });
  const item = (name: string) =>
    `  - {pattern: '${name}-(?P<id>[0-9]+)', url_template: 'https://${name}.example.org/{id}'} # ${name}\n`;
  /** Included files come first, the main file last. */
  const spread = (blocks: readonly (readonly string[])[]) =>
    new Map([
      [
        "realm.yaml",
        `version: 1\nmanage: {linkifiers: exact}\ninclude: [${blocks
          .map((_, index) => `${index}.yaml`)
          .slice(0, -1)
          .join(", ")}]\nlinkifiers:\n${(blocks.at(-1) ?? []).map(item).join("")}`,
      ],
      ...blocks
        .slice(0, -1)
        .map((names, index) => [`${index}.yaml`, `linkifiers:\n${names.map(item).join("")}`] as const),
    ]);
  const live = (names: readonly string[]) => realmOf({ linkifiers: names.map(linkifier) });

  test.each([
    { what: "each file separately", server: "badc", files: ["ab", "cd"], after: ["ba", "dc"] },
    { what: "in one of the files", server: "abdc", files: ["ab", "cd"], after: ["ab", "dc"] },
    {
      what: "a new object is added to the file of the object before it",
      server: "axbcd",
      files: ["ab", "cd"],
      after: ["axb", "cd"],
    },
    {
      what: "a new object at the start, and a removed one at the end",
      server: "xbac",
      files: ["ab", "cd"],
      after: ["xba", "c"],
    },
    {
      what: "new objects between two files, and another order",
      server: "baxydc",
      files: ["ab", "cd"],
      after: ["baxy", "dc"],
    },
  ])("$what", async ({ server, files: blocks, after }) => {
    const files = spread(blocks.map((names) => [...names]));
    const result = await adopted(files, live([...server]));
    const names = (text: string | undefined) =>
      (text?.match(/pattern: '?.(?=-)/g) ?? []).map((found) => found.slice(-1));
    expect([...result.files].sort().map(([, text]) => names(text).join(""))).toEqual(after);
    expect(result.left).toBe(0);
    expect((await planned(result.files, live([...server]))).changes).toEqual([]);
  });

  test("entries that would move to another file are left, and named", async () => {
    const files = spread([
      ["a", "b"],
      ["c", "d"],
    ]);
    const result = await adopted(files, live(["c", "a", "b", "d"]));
    expect(result.left).toBe(1);
    expect(result.files).toEqual(files);
  });

  test("any order of the server is either adopted or left as a whole", async () => {
    const all = [..."abcdef"];
    const permuted = fc.shuffledSubarray(all, { minLength: all.length });
    await fc.assert(
      fc.asyncProperty(permuted, fc.nat({ max: 4 }), fc.nat({ max: 4 }), async (server, one, two) => {
        const [first = 0, second = 0] = [one + 1, two + 1].sort((a, b) => a - b);
        const blocks = [all.slice(0, first), all.slice(first, second), all.slice(second)].filter(
          ({ length }) => length > 0,
        );
        const files = spread(blocks);
        const result = await adopted(files, live(server));
        let at = 0;
        const fits = blocks.every((block) => {
          const there = server.slice(at, at + block.length);
          at += block.length;
          return there.every((name) => block.includes(name));
        });
        expect(result.left).toBe(fits ? 0 : 1);
        if (fits) expect((await planned(result.files, live(server))).changes).toEqual([]);
        else expect(result.files).toEqual(files);
        for (const [file, text] of files) expect(keepsComments(text, result.files.get(file) ?? "")).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("folders, which are keyed by name, and a channel beside those of its folder", async () => {
    const files = new Map([
      ["realm.yaml", "version: 1\ninclude: [a.yaml, b.yaml]\nmanage: {channel_folders: exact}\n"],
      ["a.yaml", "channel_folders:\n  One: {}\n  Two: {} # two\nchannels:\n  one: {folder: One}\n"],
      ["b.yaml", "channel_folders:\n  Three: {}\n  Four: {}\nchannels:\n  three: {folder: Three}\n"],
    ]);
    const snapshot = realmOf({
      channel_folders: ["Two", "Half", "One", "Four", "Three"].map((name) => ({ name })),
      channels: [
        { name: "one", folder_id: 3 },
        { name: "three", folder_id: 5 },
        { name: "more", folder_id: 3 },
      ],
    });
    const result = await adopted(files, snapshot, {
      addresses: ["channel_folder:*", "channel_folder:Half", "channel:more"],
    });
    expect(result.files.get("a.yaml")).toBe(
      "channel_folders:\n  Two: {} # two\n  Half: {}\n  One: {}\nchannels:\n  one: {folder: One}\n  more:\n    folder: One\n",
    );
    expect(result.files.get("b.yaml")).toBe(
      "channel_folders:\n  Four: {}\n  Three: {}\nchannels:\n  three: {folder: Three}\n",
    );
    expect((await planned(result.files, snapshot)).changes).toEqual([]);
  });
});
