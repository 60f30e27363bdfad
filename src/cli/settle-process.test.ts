import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/directory.ts";
import { placeOfCompiled } from "./settle-process.ts";

let home: string;
beforeEach(() => {
  home = temporaryDirectory("home");
  chmodSync(home, 0o700);
});
const place = (env: NodeJS.ProcessEnv = {}): string | undefined => placeOfCompiled(env, () => home);

describe("compiled code", () => {
  test("is stored below the home directory, in directories that others cannot change", () => {
    expect(place()).toBe(join(home, ".cache/realmctl/compiled"));
    expect(place()).toBe(join(home, ".cache/realmctl/compiled"));
  });

  test("is stored in XDG_CACHE_HOME", () => {
    expect(place({ XDG_CACHE_HOME: join(home, "x") })).toBe(join(home, "x/realmctl/compiled"));
    expect(place({ XDG_CACHE_HOME: "relative" })).toBe(join(home, ".cache/realmctl/compiled"));
  });
});

describe("compiled code is not kept", () => {
  test.each([{ CI: "true" }, { NODE_COMPILE_CACHE: "/x" }, { NODE_DISABLE_COMPILE_CACHE: "1" }])("%j", (env) => {
    expect(place(env)).toBeUndefined();
    expect(existsSync(join(home, ".cache"))).toBe(false);
  });

  // Code that other accounts put there would be executed.
  test.each([
    [".cache", 0o777],
    [".cache", 0o1777],
    [".cache/realmctl", 0o770],
  ])("if others may write: %s", (directory, mode) => {
    mkdirSync(join(home, directory), { recursive: true, mode: 0o700 });
    chmodSync(join(home, directory), mode);
    expect(place()).toBeUndefined();
  });

  test("in another account's directory, or if the path is not a directory", () => {
    expect(place({ XDG_CACHE_HOME: "/proc" })).toBeUndefined();
    writeFileSync(join(home, ".cache"), "");
    expect(place()).toBeUndefined();
  });
});
