import { expect, test } from "vitest";
import { directoryOf, expandGlob, join, resolveBelow } from "./paths.ts";

test.each([
  { directory: "", path: "a.yaml", result: "a.yaml" },
  { directory: "a", path: "b.yaml", result: "a/b.yaml" },
  { directory: "a/b", path: "../c.yaml", result: "a/c.yaml" },
  { directory: "a", path: "../b.yaml", result: "b.yaml" },
  { directory: "a", path: "./b//c.yaml", result: "a/b/c.yaml" },
  { directory: "", path: "../a.yaml", result: undefined },
  { directory: "a", path: "../../a/b.yaml", result: undefined },
  { directory: "a", path: "/etc/passwd", result: undefined },
  { directory: "a", path: "C:/b.yaml", result: undefined },
])("$path seen from $directory is $result", ({ directory, path, result }) =>
  expect(resolveBelow(directory, path)).toBe(result),
);

test.each([
  { file: "realm.yaml", directory: "" },
  { file: "a/b/realm.yaml", directory: "a/b" },
  { file: "/realm.yaml", directory: "/" },
])("$file is in $directory", ({ file, directory }) => {
  expect(directoryOf(file)).toBe(directory);
  expect(join(directory, "realm.yaml")).toBe(file);
});

const tree: { [directory: string]: readonly string[] } = {
  "": [".hidden.yaml", "a.yaml", "b.yml", "channels", "realm.yaml"],
  channels: ["b.yaml", "a.yaml", "deep", "x.y.yaml"],
  "channels/deep": ["c.yaml", ".git"],
  "channels/deep/.git": ["d.yaml"],
};
const list = async (directory: string): Promise<readonly string[]> => {
  const names = tree[directory];
  if (names === undefined) throw new Error("ENOTDIR");
  return names;
};

test.each([
  { pattern: "*.yaml", files: ["a.yaml", "realm.yaml"] },
  { pattern: "?.y*ml", files: ["a.yaml", "b.yml"] },
  { pattern: "channels/*.yaml", files: ["channels/a.yaml", "channels/b.yaml", "channels/x.y.yaml"] },
  { pattern: "*/?.yaml", files: ["channels/a.yaml", "channels/b.yaml"] },
  { pattern: "**/c.yaml", files: ["channels/deep/c.yaml"] },
  { pattern: "**/a.yaml", files: ["a.yaml", "channels/a.yaml"] },
  {
    pattern: "channels/**/*.yaml",
    files: ["channels/a.yaml", "channels/b.yaml", "channels/deep/c.yaml", "channels/x.y.yaml"],
  },
  { pattern: ".*.yaml", files: [".hidden.yaml"] },
  { pattern: "x.y.*", files: [] },
  { pattern: "[ab].yaml*", files: [] },
  { pattern: "**/**/a.yaml", files: ["a.yaml", "channels/a.yaml"] },
])("$pattern", async ({ pattern, files }) =>
  expect(await expandGlob(pattern, list)).toEqual({ found: files, isWhole: true }),
);

test("patterns that match in many ways are searched once", async () => {
  const listed: string[] = [];
  const deep = async (directory: string): Promise<readonly string[]> => {
    listed.push(directory);
    return directory.length < 20 ? ["d", "dddddddddd.yaml"] : [];
  };
  expect(await expandGlob(`${"**/".repeat(30)}${"*d".repeat(30)}x`, deep)).toEqual({ found: [], isWhole: true });
  expect(listed).toEqual([...new Set(listed)]);
});
