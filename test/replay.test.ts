import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isRecording, Replayer } from "../scripts/recordings.ts";

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

test.each([
  ["{}", false],
  ['{"steps": []}', false],
  ["null", false],
  ['{"steps": [{}]}', true],
])("%s is a recording: %s", (text, expected) => {
  const directory = mkdtempSync(join(tmpdir(), "replay-"));
  writeFileSync(join(directory, "file.json"), text);
  expect(isRecording(join(directory, "file.json"))).toBe(expected);
  rmSync(directory, { recursive: true });
});
