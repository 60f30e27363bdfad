import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notesOf } from "../scripts/mutate/survivors.mjs";

const root = join(import.meta.dirname, "..");
const noted = ["src/plan", "src/apply", "src/access"].flatMap((folder) => Object.entries(notesOf(folder)));

test.each(noted)("the notes about survivors of %s belong to existing lines, and each has a reason", (file, notes) => {
  const lines = new Set(
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .map((line) => line.replace(/\s+/g, " ").trim()),
  );
  // A line that changed has other mutants: `npm run mutate -- FILE` shows which of them survive.
  expect(notes.filter(({ line }) => !lines.has(line)).map(({ line }) => line)).toEqual([]);
  expect(notes.filter(({ why }) => !why || why.trim().length < 10).map(({ mutant }) => mutant)).toEqual([]);
  expect(new Set(notes.map(({ line, mutant }) => `${line}\n${mutant}`)).size).toBe(notes.length);
});
