import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processIo } from "./process-io.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-io-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test.each([
  ["a new file", false],
  ["an existing file", true],
])("%s is written in one step, with nothing left beside it", async (_, isThere) => {
  const path = join(directory, "out.json");
  if (isThere) writeFileSync(path, "before");
  await processIo().writeFile(path, "after");
  expect(readFileSync(path, "utf8")).toBe("after");
  expect(readdirSync(directory)).toEqual(["out.json"]);
});

test("a link is kept: its target is written", async () => {
  const path = join(directory, "link.json");
  writeFileSync(join(directory, "file.json"), "before");
  symlinkSync("file.json", path);
  await processIo().writeFile(path, "after");
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(directory, "file.json"), "utf8")).toBe("after");
});

test.runIf(process.platform !== "win32")("a device is written to, not replaced by a file", async () => {
  const path = join(directory, "null");
  symlinkSync("/dev/null", path);
  await processIo().writeFile(path, "gone");
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readFileSync("/dev/null", "utf8")).toBe("");
});
