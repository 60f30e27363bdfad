import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { program } from "./support/bundle.ts";

// Runs the scripts of `realmctl completion` in the shells themselves. src/cli/completion tests the answers.
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

/** Programs that press the Tab key after a line, and print what the shell would offer. Only bash and fish can be asked directly. */
const PRESS = {
  bash: `source <(realmctl completion bash)
ask() { COMP_LINE="$1" COMP_POINT=\${#1}; _realmctl_completion 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"; }
ask "$1"`,
  zsh: `compdef() {}; compadd() { print -rl -- "\${values[@]}" }; _files() { print files }
source <(realmctl completion zsh)
words=("\${(@z)1}") CURRENT=\${#words} PREFIX=\${words[-1]}; _realmctl_completion`,
  fish: `realmctl completion fish | source; complete -C "$argv[1]" | string replace -r '\\t.*' ''`,
};

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-completion-"));
  const command = join(directory, "realmctl");
  const { node, cli } = program();
  writeFileSync(command, `#!/bin/sh\nexec "${node}" "${cli}" "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(
    join(directory, "realm.yaml"),
    "version: 1\nchannels: { leadership: {}, launch plans: {} }\nuser_groups: { staff: { members: [] } }\n",
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** @param source how the shell gets the script */
function press(shell: keyof typeof PRESS, line: string, source = "source <(realmctl completion"): readonly string[] {
  const script = PRESS[shell].replace("source <(realmctl completion", source);
  const argv = shell === "fish" ? ["-c", script, line] : ["-c", script, shell, line];
  const { stdout } = spawnSync(shell, argv, {
    cwd: directory,
    encoding: "utf8",
    timeout: 30_000,
    env: { PATH: `${directory}:${process.env.PATH}`, HOME: directory, LC_ALL: "C.UTF-8" },
  });
  return stdout.split("\n").filter((each) => each !== "");
}

describe.each(["bash", "zsh", "fish"] as const)("%s", (shell) => {
  test.runIf(has(shell))("offers commands, values of options and names of the file", () => {
    expect(press(shell, "realmctl valid")).toEqual(["validate"]);
    expect(press(shell, "realmctl plan --format j")).toEqual(["json"]);
    expect(press(shell, "realmctl access user_group:")).toEqual([shell === "bash" ? "staff" : "user_group:staff"]);
  });
});

describe.each(["bash", "zsh"] as const)("%s with npx, and no realmctl in the path", (shell) => {
  beforeAll(() => {
    const npx = join(directory, "npx");
    // npx --no -- realmctl …: what the project has installed, and nothing is downloaded.
    writeFileSync(
      npx,
      `#!/bin/sh\n[ "$1 $2 $3" = "--no -- realmctl" ] || exit 1\nshift 3\nexec "${join(directory, "hidden")}" "$@"\n`,
    );
    chmodSync(npx, 0o755);
    renameSync(join(directory, "realmctl"), join(directory, "hidden"));
  });
  afterAll(() => {
    renameSync(join(directory, "hidden"), join(directory, "realmctl"));
    rmSync(join(directory, "npx"));
  });

  test.runIf(has(shell))("offers the same, behind realmctl and behind npx realmctl", () => {
    const asked = (line: string) => press(shell, line, "source <(npx --no -- realmctl completion");
    expect(asked("npx realmctl valid")).toEqual(["validate"]);
    expect(asked("npx realmctl plan --format j")).toEqual(["json"]);
    expect(asked("realmctl valid")).toEqual(["validate"]);
  });
});

test("bash gets names with spaces so that they stay one word", { tags: "installed" }, () => {
  expect(press("bash", "realmctl access \\#la")).toEqual(["\\#launch\\ plans"]);
  expect(press("bash", "realmctl access '#la")).toEqual(["#launch plans"]);
});
