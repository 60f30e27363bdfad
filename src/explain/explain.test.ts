import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { CODES, codesMeant, pageOf, titleOf } from "./explain.ts";

/** Texts in the form of a code that are not codes. */
const MEDIA_TYPES = /^(application|text|multipart|image)\//;
const source = join(import.meta.dirname, "..");

/** Every text in the sources in the form of a code, as it could be written in a diagnostic. */
function emitted(): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts") || /^(explain|sandbox)\//.test(file)) continue;
    const text = readFileSync(join(source, file), "utf8");
    for (const [, code = ""] of text.matchAll(/["'`]([a-z][a-z_-]*\/[a-z][a-z0-9_-]*)["'`]/g))
      if (!MEDIA_TYPES.test(code) && !isPath(text, code)) codes.add(code);
  }
  return codes;
}

/** `import("ajv/dist")`, `from "node/x"` */
const isPath = (text: string, code: string): boolean => new RegExp(`(from|import\\() ?["'\`]${code}["'\`]`).test(text);

const found = emitted();

test("the sources emit many codes", () => expect(found.size).toBeGreaterThan(200));

test("every code has a page", () => expect([...found].filter((code) => pageOf(code) === undefined).sort()).toEqual([]));

test("every page is about a code", () => expect(CODES.filter((code) => !found.has(code))).toEqual([]));

test("a code is never built from parts, so that all codes can be found", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const pieced = files.filter((file) =>
    /\bcode: `[^`]*\$\{(?!string\})/.test(readFileSync(join(source, file), "utf8")),
  );
  expect(pieced).toEqual([]);
});

describe.each(CODES)("%s", (code) => {
  test("has a meaning and advice, in sentences", () => {
    const page = pageOf(code);
    expect(page?.means).toMatch(/^[“`A-Z].*\.$/s);
    expect(page?.out).toMatch(/^[“`A-Z].*\.$/s);
    expect(page === undefined ? "" : titleOf(page)).toMatch(/\.$/);
  });
});

describe("realmctl explain", () => {
  test("prints the page", async () => {
    const ran = await runCommandLine(["explain", "reference/unknown-group"]);
    expect(ran).toMatchObject({ exitCode: 0, err: "" });
    expect(ran.out).toMatch(/^# reference\/unknown-group\n[\s\S]*## Example[\s\S]*did you mean[\s\S]*## Way out\n/);
  });

  test.each(["error[yaml/tab]:", "[yaml/tab]", "warning[yaml/tab]"])("accepts %s as it was copied", async (written) => {
    expect((await runCommandLine(["explain", written])).out).toMatch(/^# yaml\/tab\n/);
  });

  test.each([
    ["yaml/tabs", "yaml/tab"],
    ["unknown-person", "reference/unknown-person"],
    // Folders of codes.
    ["chanels", "channels"],
    ["Config", "config"],
    ["channels/privcy", "channels"],
    ["references/unknown-group", "reference/unknown-group"],
    ["chanels/name-takn", "channels/name-taken"],
  ])("%s: did you mean %s", async (written, meant) => {
    expect(codesMeant(written)).toEqual([meant]);
    const ran = await runCommandLine(["explain", written]);
    expect(ran.exitCode).toBe(1);
    expect(ran.err).toContain(`did you mean "${meant}"?`);
  });

  test("the same name in several folders", async () => {
    const ran = await runCommandLine(["explain", "channels/unknwon-group"]);
    expect(ran.err).toContain('did you mean "access/unknown-group" or "reference/unknown-group"?');
  });

  test("--list has every code", async () => {
    const { out } = await runCommandLine(["explain", "--list"]);
    expect(out.split("\n").map((line) => line.split(" ")[0])).toEqual([...CODES, ""]);
  });

  test("--list cuts no quoted code in half", async () => {
    const { out } = await runCommandLine(["explain", "--list"]);
    expect(out.split("\n").filter((line) => line.split("`").length % 2 === 0)).toEqual([]);
  });
});
