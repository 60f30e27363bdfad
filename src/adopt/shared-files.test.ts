import { expect, test } from "vitest";
import { sharedFiles } from "./shared-files.ts";

test.each([
  { main: "orgs/a/realm.yaml", file: "shared.yaml", isShared: true },
  { main: "realm.yaml", file: "../shared.yaml", isShared: true },
  { main: "../a/realm.yaml", file: "../ab/shared.yaml", isShared: true },
  { main: "orgs/a/realm.yaml", file: "orgs/a/more/part.yaml", isShared: false },
  { main: "./orgs/realm.yaml", file: "orgs/part.yaml", isShared: false },
  { main: "/realm.yaml", file: "/parts/part.yaml", isShared: false },
  { main: "realm.yaml", file: "parts/part.yaml", isShared: false },
])("$file beside $main is for others, too: $isShared", async ({ main, file, isShared }) => {
  const options = { file: main, readFile: async () => "", listFiles: async () => [] };
  expect(await sharedFiles(options, [file])).toEqual(isShared ? [{ file, by: [] }] : []);
});
