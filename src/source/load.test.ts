import { expect, test } from "vitest";
import { defined } from "../model/defined.ts";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { loadDocument } from "./load.ts";

/** Files by name; a missing one is the system's error. */
async function load(
  files: { readonly [name: string]: string },
  file = "realm.yaml",
  placeOf?: (directory: string) => Promise<string>,
) {
  const read: string[] = [];
  const result = await loadDocument({
    file,
    ...defined({ placeOf }),
    readFile: async (path) => {
      read.push(path);
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error("no"), { code: "ENOENT" });
      return text;
    },
    listFiles: async (directory) => {
      const prefix = directory === "." ? "" : `${directory}/`;
      const below = Object.keys(files).filter((name) => name.startsWith(prefix));
      if (below.length === 0) throw new Error("ENOTDIR");
      return [...new Set(below.map((name) => name.slice(prefix.length).split("/")[0] ?? ""))].sort();
    },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  const { root, places } = result.value;
  const at = (...path: (string | number)[]): string => {
    const span = places.keySpan(root, path);
    return span === undefined ? "nowhere" : `${span.file}:${span.line}:${span.column}`;
  };
  return { root, at, read, places, warnings: result.warnings, files: result.value.files.map((source) => source.file) };
}

test("maps are joined, and every key has its own file", async () => {
  const { root, at, files } = await load({
    "realm.yaml": "version: 1\ninclude: [channels/*.yaml]\nchannels:\n  c: {}\nprofiles: {p: {}}\n",
    "channels/a.yaml": "channels:\n  a: {privacy: public}\n",
    "channels/b.yaml": "version: 1\nchannels:\n  b: {}\n",
  });
  expect(root).toEqual({ version: 1, channels: { a: { privacy: "public" }, b: {}, c: {} }, profiles: { p: {} } });
  expect(files).toEqual(["channels/a.yaml", "channels/b.yaml", "realm.yaml"]);
  expect([at("channels", "a"), at("channels", "b"), at("channels", "c")]).toEqual([
    "channels/a.yaml:2:3",
    "channels/b.yaml:3:3",
    "realm.yaml:4:3",
  ]);
  expect(at("channels", "a", "privacy")).toBe("channels/a.yaml:2:7");
  expect(at("profiles", "p")).toBe("realm.yaml:5:12");
});

test("lists follow one another, included ones first", async () => {
  const { root, at } = await load({
    "realm.yaml": "linkifiers: [c]\ninclude: [one.yaml, two.yaml]\n",
    "one.yaml": "linkifiers: [a]\n",
    "two.yaml": "linkifiers: [b]\n",
  });
  expect(root).toEqual({ linkifiers: ["a", "b", "c"] });
  expect([0, 1, 2].map((index) => at("linkifiers", index))).toEqual([
    "one.yaml:1:14",
    "two.yaml:1:14",
    "realm.yaml:1:14",
  ]);
});

test("paths are relative to the file that contains them, also below a directory", async () => {
  const { root, read } = await load(
    {
      "infra/realm.yaml": "include: parts/a.yaml\n",
      "infra/parts/a.yaml": "include: [more/*.yaml, ../other.yaml]\n",
      "infra/parts/more/b.yaml": "b: {}\n",
      "infra/other.yaml": "c: {}\n",
    },
    "infra/realm.yaml",
  );
  expect(root).toEqual({ b: {}, c: {} });
  expect(read).toEqual(["infra/realm.yaml", "infra/parts/a.yaml", "infra/parts/more/b.yaml", "infra/other.yaml"]);
});

test("a file that two others include is read once", async () => {
  const { root, read } = await load({
    "realm.yaml": "include: [a.yaml, b.yaml]\n",
    "a.yaml": "include: shared.yaml\na: {}\n",
    "b.yaml": "include: shared.yaml\nb: {}\n",
    "shared.yaml": "profiles: {p: {}}\n",
  });
  expect(root).toEqual({ profiles: { p: {} }, a: {}, b: {} });
  expect(read).toEqual(["realm.yaml", "a.yaml", "shared.yaml", "b.yaml"]);
});

test.each([
  { file: "orgs/main/realm.yaml", place: "orgs/main", include: "../../shared/a.yaml", files: ["shared/a.yaml"] },
  { file: "realm.yaml", place: "orgs/main", include: "../../shared/a.yaml", files: ["../../shared/a.yaml"] },
  {
    file: "/repo/orgs/main/realm.yaml",
    place: "orgs/main",
    include: "../../shared/a.yaml",
    files: ["/repo/shared/a.yaml"],
  },
  { file: "../main/realm.yaml", place: "orgs/main", include: "../../shared/a.yaml", files: ["../../shared/a.yaml"] },
  {
    file: "orgs/main/realm.yaml",
    place: "orgs/main",
    include: "../../shared/*.yaml",
    files: ["shared/a.yaml", "shared/b.yaml"],
  },
  { file: "orgs/main/realm.yaml", place: "orgs/main", include: "../../*/*/x.yaml", files: ["orgs/main/x.yaml"] },
  { file: "realm.yaml", place: "orgs/main", include: "../main/x.yaml", files: ["x.yaml"] },
  {
    file: "orgs/main/realm.yaml",
    place: "orgs/main",
    include: "../../back.yaml",
    files: ["orgs/main/x.yaml", "back.yaml"],
  },
])("$include of $file, which is in $place of its repository", async ({ file, place, include, files }) => {
  const top = file.startsWith("/") ? "/repo" : file.startsWith("orgs") ? "" : file.startsWith("..") ? "../.." : "../..";
  const below = (path: string): string => (top === "" ? path : `${top}/${path}`);
  const own = file.replace("realm.yaml", "");
  const found = await load(
    {
      [file]: `include: ["${include}"]\nmain: {}\n`,
      [below("shared/a.yaml")]: "a: {}\n",
      [below("shared/b.yaml")]: "b: {}\n",
      [own === "" ? "x.yaml" : `${own}x.yaml`]: "x: {}\n",
      [below("back.yaml")]: "include: orgs/main/x.yaml\n",
    },
    file,
    async () => place,
  );
  expect(found.files).toEqual([...files, file]);
});

test.each([
  { place: "orgs/main", include: "../../../other/a.yaml" },
  { place: "orgs/main", include: "../../.." },
  { place: "", include: "../a.yaml" },
  { place: "orgs/main", include: "/etc/passwd" },
])("$include from $place leaves the repository", async ({ place, include }) => {
  const text = `include: ["${include}"]\nmain: {}\n`;
  await expect(load({ "realm.yaml": text }, "realm.yaml", async () => place)).rejects.toThrow("include/outside");
});

test("a pattern does not include its own file", async () => {
  const { root, warnings } = await load({ "realm.yaml": "include: '*.yaml'\na: {}\n", "b.yaml": "b: {}\n" });
  expect(root).toEqual({ b: {}, a: {} });
  expect(warnings).toEqual([]);
});

test("the same anchor may be defined in every file", async () => {
  const { root } = await load({
    "realm.yaml": "include: a.yaml\nx: &p {n: 1}\ny: *p\n",
    "a.yaml": "channels: {c: &p {n: 2}, d: *p}\n",
  });
  expect(root).toEqual({ channels: { c: { n: 2 }, d: { n: 2 } }, x: { n: 1 }, y: { n: 1 } });
});

test("keys keep their order across files", async () => {
  const { root, places } = await load({
    "realm.yaml": 'include: a.yaml\nchannels: {"5": {}, b: {}}\n',
    "a.yaml": 'channels: {c: {}, "9": {}}\n',
  });
  const { channels } = root;
  expect(typeof channels === "object" && channels !== null && places.entries(channels).map(({ key }) => key)).toEqual([
    "c",
    "9",
    "5",
    "b",
  ]);
});

test("a file without includes causes no other reads", async () => {
  const { root, read, warnings } = await load({ "realm.yaml": "version: 1\nchannels: {}\n" });
  expect(root).toEqual({ version: 1, channels: {} });
  expect(read).toEqual(["realm.yaml"]);
  expect(warnings).toEqual([]);
});

/** The diagnostics for a file whose reading ends in `answer`. */
async function errors(answer: string | Uint8Array | Error, main = "version: 1\ninclude: [other.yaml]\n") {
  const result = await loadDocument({
    file: "realm.yaml",
    readFile: async (path) => {
      if (path === "realm.yaml" && main !== "") return main;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    listFiles: async () => ["realm.yaml", "other.yaml"],
  });
  return result.ok ? [] : result.diagnostics;
}

const utf16 = (text: string, mark: boolean): Uint8Array => Buffer.from(`${mark ? "\ufeff" : ""}${text}`, "utf16le");
const text = "version: 1\nchannels:\n  general: {}\n";

test.each([
  { what: "UTF-16 with its mark", content: utf16(text, true), encoding: "UTF-16" },
  { what: "UTF-16 without a mark", content: utf16(text, false), encoding: "UTF-16" },
  { what: "UTF-16 in the other byte order", content: Buffer.from(utf16(text, true)).swap16(), encoding: "UTF-16" },
  {
    what: "UTF-16 that was read as UTF-8",
    content: Buffer.from(utf16(text, true)).toString("utf8"),
    encoding: "UTF-16",
  },
  {
    what: "UTF-32",
    content: Uint8Array.from([...text].flatMap((c) => [c.charCodeAt(0), 0, 0, 0])),
    encoding: "UTF-32",
  },
])("$what: the encoding is named, once", async ({ content, encoding }) => {
  const found = await errors(content, "");
  expect(found.map((one) => [one.code, wordedDiagnostic(one).message])).toEqual([
    ["yaml/encoding", `this file is ${encoding}, not UTF-8`],
  ]);
  expect(found.map(wordedDiagnostic)[0]?.hint).toContain("UTF-8");
});

test.each([
  { code: "ENOENT", hint: "change to the directory that contains it" },
  { code: "EACCES", hint: "chmod u+r realm.yaml" },
  { code: "EISDIR", hint: "realm.yaml/realm.yaml" },
  { code: "ENOTDIR", hint: "correct the path" },
])("a file that cannot be read ($code): the advice is that of the error", async ({ code, hint }) => {
  const [found, ...others] = await errors(Object.assign(new Error(code), { code }), "");
  expect(others).toEqual([]);
  expect(found?.code).toBe("config/cannot-read");
  expect(found && wordedDiagnostic(found).hint).toContain(hint);
});

const missing = Object.assign(new Error("no"), { code: "ENOENT" });
const refused = Object.assign(new Error("no"), { code: "EACCES" });
test.each([
  { include: "none/*.yaml", answer: missing, codes: ["include/no-match"] },
  { include: "{path: none/*.yaml}", answer: missing, codes: ["include/no-match"] },
  { include: "{path: none/*.yaml, optional: true}", answer: missing, codes: [] },
  { include: "other.yaml", answer: missing, codes: ["include/cannot-read"] },
  { include: "{path: other.yaml, optional: true}", answer: missing, codes: [] },
  { include: "{path: other.yaml, optional: true}", answer: refused, codes: ["include/cannot-read"] },
  { include: "{path: ../other.yaml, optional: true}", answer: missing, codes: ["include/outside"] },
])("include: [$include] of a path that does not exist ($answer.code): $codes", async ({ include, answer, codes }) => {
  const found = await errors(answer, `version: 1\ninclude: [${include}]\nchannels: {}\n`);
  expect(found.map(({ code, severity }) => [code, severity])).toEqual(codes.map((code) => [code, "error"]));
});
