import { readdirSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { Replayer } from "../scripts/recordings.ts";

/** Every recording of a real server, step by step, against the sandbox over HTTP. */
const FOLDERS = ["recordings/", "recordings/level-384/"];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith(".json") && name !== "realm.json")
    .map((name) => `${folder}${name}`),
);

const replayer = new Replayer();
afterAll(() => replayer.close());

test.each(files)("%s", async (file) => {
  const { failures, steps } = await replayer.replay(new URL(file, import.meta.url).pathname);
  expect(steps).toBeGreaterThan(0);
  expect(failures).toEqual([]);
});
