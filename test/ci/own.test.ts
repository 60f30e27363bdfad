import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import Tally from "../../.ci/tally.mjs";

const root = join(import.meta.dirname, "../..");

/** A bash script with `own`; `exists PID` says whether the process is there and not merely waiting to be collected. */
function bash(script: string): { status: number | null; lines: readonly string[] } {
  const { status, stdout } = spawnSync(
    "bash",
    [
      "-c",
      `set -euo pipefail
source .ci/own.sh
exists() { [[ -r /proc/$1/stat && "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat")" != Z ]] && echo there || echo gone; }
${script}`,
    ],
    { cwd: root, encoding: "utf8" },
  );
  return { status, lines: stdout.trim().split("\n") };
}

test("processes that a command leaves behind end with it; other processes with the same name do not", () => {
  const { lines } = bash(`
sleep 1000 & other=$!
file=$(mktemp)
own bash -c "sleep 1000 >/dev/null & echo \\$! > $file"
left=$(cat "$file"); rm "$file"
# The kernel ends it soon, not at once.
for _ in {1..500}; do [[ "$(exists "$left")" == gone ]] && break || sleep 0.01; done
echo "left: $(exists "$left"), other: $(exists "$other")"
kill "$other"`);
  expect(lines).toEqual(["left: gone, other: there"]);
});

test("the exit code is the command's", () => {
  expect(
    bash("own true; echo $?; own bash -c 'exit 86' || echo $?; own timeout 0.1 sleep 1000 || echo $?").lines,
  ).toEqual(["0", "86", "124"]);
});

test("no script ends processes by their name", () => {
  const scripts = [".ci", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name)),
  );
  expect(scripts).toContain(".ci/run");
  expect(scripts.filter((path) => /\b(?:pkill|killall|pgrep)\b/.test(readFileSync(join(root, path), "utf8")))).toEqual(
    [],
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  { quietMinutes: 3, exits: [] },
  { quietMinutes: 5, exits: [[86]] },
])("a runner that is silent for $quietMinutes minutes: $exits", ({ quietMinutes, exits }) => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => {
    throw new RangeError("the process would end here");
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
  const tally = new Tally();
  tally.lastEndMs = Date.now() - quietMinutes * 60_000;
  if (exits.length > 0) expect(() => tally.look()).toThrow("would end here");
  else tally.look();
  expect(exit.mock.calls).toEqual(exits);
});
