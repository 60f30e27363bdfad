import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commandLine, shellWord } from "./command-line.ts";

test.each([
  ["prod.yaml", "prod.yaml"],
  ["orgs/a-b_c.yaml", "orgs/a-b_c.yaml"],
  ["protect:channel:general", "protect:channel:general"],
  ["my realm.yaml", "'my realm.yaml'"],
  ["it's.yaml", "'it'\\''s.yaml'"],
  ["protect:channel:*", "'protect:channel:*'"],
  ["$HOME; rm x", "'$HOME; rm x'"],
  ["", "''"],
])("%s is written as %s", (word, written) => expect(shellWord(word)).toBe(written));

test.runIf(process.platform !== "win32")("a shell reads every word back unchanged", () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom(..."ab '\"$`\\*?;&|<>()[]{}!#~=%-é") }), { maxLength: 6 });
  fc.assert(
    fc.property(words, (given) => {
      const script = commandLine(given).replace(/^realmctl/, "printf '%s\\n' x");
      const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
      expect(stdout).toBe(["x", ...given].map((word) => `${word}\n`).join(""));
    }),
    { numRuns: 50 },
  );
});
