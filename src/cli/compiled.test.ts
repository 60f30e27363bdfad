import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compiledDirectory, runCompiled } from "./compiled.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-compiled-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const cache = (): string => join(directory, "cache");
const keptFiles = (): readonly string[] => readdirSync(cache());
const keptFile = (): string => join(cache(), keptFiles()[0] ?? "");

/** A program with enough code that keeping it is worth while: each function is one that was called. */
function program(name: string, answer: string): string {
  const file = join(directory, name);
  const parts = Array.from(
    { length: 3000 },
    (_, n) => `function f${n}(x) { return x + ${n} + "${n}".length; } f${n}(1);`,
  );
  writeFileSync(file, `${parts.join("\n")}\nexports.answer = () => "${answer}";\nexports.here = __filename;`);
  return file;
}

function started(file: string): { readonly isKept: boolean; readonly answer: unknown } {
  mkdirSync(cache(), { recursive: true });
  const { exports, isKept, keep } = runCompiled(file, "plan", cache());
  keep();
  const { answer } = exports as { answer: () => string };
  return { isKept, answer: answer() };
}

test("the second start takes what the first one compiled, and keeps nothing again", () => {
  const file = program("a.cjs", "one");
  expect(started(file)).toEqual({ isKept: false, answer: "one" });
  const before = statSync(keptFile()).mtimeMs;
  expect(started(file)).toEqual({ isKept: true, answer: "one" });
  expect(keptFiles()).toHaveLength(1);
  expect(statSync(keptFile()).mtimeMs).toBe(before);
  expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
});

test("a text of the same length is another program, wherever it lies", () => {
  started(program("a.cjs", "one"));
  expect(started(program("a.cjs", "two"))).toEqual({ isKept: false, answer: "two" });
  expect(started(program("a.cjs", "one"))).toEqual({ isKept: true, answer: "one" });
});

test.each<[what: string, change: (path: string) => void]>([
  ["cut off", (path) => writeFileSync(path, readFileSync(path).subarray(0, 1000))],
  ["empty", (path) => writeFileSync(path, "")],
  [
    "changed in one bit",
    (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
  ],
  ["a file that others can write", (path) => chmodSync(path, 0o622)],
  [
    "a directory",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])("%s: it is compiled again", (_, change) => {
  const file = program("a.cjs", "one");
  started(file);
  change(keptFile());
  expect(started(file)).toEqual({ isKept: false, answer: "one" });
});

test("what was kept and is not used any more goes, the oldest first", () => {
  mkdirSync(cache());
  for (let n = 0; n < 40; n += 1) writeFileSync(join(cache(), `apply-${n}`), "");
  started(program("a.cjs", "one"));
  expect(keptFiles()).toHaveLength(24);
  expect(keptFiles().filter((name) => name.startsWith("plan-"))).toHaveLength(1);
});

test("without a directory nothing is kept", () => {
  const { exports, isKept, keep } = runCompiled(program("a.cjs", "one"), "plan", undefined);
  keep();
  expect({ isKept, exports }).toMatchObject({ isKept: false, exports: { here: join(directory, "a.cjs") } });
  expect(readdirSync(directory)).toEqual(["a.cjs"]);
});

describe("where it is kept", () => {
  test.each<[env: (directory: string) => NodeJS.ProcessEnv, where: string | undefined]>([
    [(home) => ({ XDG_CACHE_HOME: home }), "realmctl/compiled"],
    [(home) => ({ XDG_CACHE_HOME: "/nowhere", NODE_COMPILE_CACHE: home }), "realmctl/compiled"],
    [(home) => ({ XDG_CACHE_HOME: home, NODE_DISABLE_COMPILE_CACHE: "1" }), undefined],
    [(home) => ({ XDG_CACHE_HOME: home, NODE_V8_COVERAGE: "coverage" }), undefined],
    [() => ({ XDG_CACHE_HOME: "/proc/self" }), undefined],
    [(home) => ({ XDG_CACHE_HOME: join(home, "open") }), undefined],
  ])("%o", (env, where) => {
    mkdirSync(join(directory, "open"));
    chmodSync(join(directory, "open"), 0o777);
    expect(compiledDirectory(env(directory))).toBe(where && join(directory, where));
  });

  test("it is the account's alone", () => {
    expect(statSync(compiledDirectory({ XDG_CACHE_HOME: directory }) ?? "").mode & 0o777).toBe(0o700);
  });
});
