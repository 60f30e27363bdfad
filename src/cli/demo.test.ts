import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoSvg } from "../../scripts/demo-picture.mjs";
import { demoCommand } from "./demo.ts";
import { type ProcessIo, runIo } from "./io.ts";
import { filesIn } from "./process-io.ts";
import { run } from "./run.ts";

test("the story goes from a first file to a refused conflict, and leaves nothing behind", async () => {
  let text = "";
  const output = {
    write: (more: string) => {
      text += more;
    },
    isTTY: false,
    columns: undefined,
  };
  let code: number | undefined;
  const io: ProcessIo = {
    argv: [],
    // Credentials of the person who runs the tests must not be used.
    env: { ZULIP_SITE: "https://chat.example.org", ZULIP_EMAIL: "ada@example.org", ZULIP_API_KEY: "none" },
    cwd: "/",
    out: output,
    err: output,
    inputIsTTY: false,
    ...filesIn("/"),
    readStandardInput: async () => "",
    git: async () => undefined,
    writeFile: () => Promise.reject(new Error("the demo writes no file outside of its own directory")),
    now: () => Date.now(),
    random: () => 0,
    alarm: () => () => {},
    sleep: () => Promise.resolve(),
    ask: () => Promise.resolve(undefined),
    setExitCode: (given) => {
      code = given;
    },
    onInterrupt: () => () => {},
  };
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith("realmctl-demo-"));
  await demoCommand(runIo(io), run).exitOverride().parseAsync([], { from: "user" });

  expect(code, text).toBe(0);
  const commands = [...text.matchAll(/^\$ (realmctl .*)\n/gm)].map(([, command]) => command);
  expect(commands).toEqual([
    "realmctl sandbox --from fixtures/acme-realm.json",
    "realmctl validate",
    "realmctl plan",
    "realmctl apply --yes",
    "realmctl plan",
    "realmctl drift",
    "realmctl apply",
    "realmctl apply --yes",
    "realmctl plan",
  ]);
  expect([...text.matchAll(/^exit code (\d)$/gm)].map(([, given]) => given).join(" ")).toBe("0 0 0 0 2 4 0 0");
  expect(text).toMatch(/planned from +role:everyone\n +found +role:fullmembers\n +wanted +role:moderators/);
  expect(text).toMatch(/No changes\. 11 channels match\./);
  expect(text).not.toContain("npm");

  // The plan of docs/start.md that is explained line by line shows the same as this story, except for the place and the time.
  const readme = await readFile(join(import.meta.dirname, "../../docs/start.md"), "utf8");
  const example =
    /fixtures\/demo\/realm\.yaml -->\n```console\n\$ realmctl plan\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const lines = example
    .split("\n")
    .filter((line) => line !== "" && line !== "…" && !line.startsWith("chat.example.org"));
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) expect(text).toContain(`\n${line}\n`);

  // So does the picture of a terminal: `node scripts/demo-svg.mjs` draws it again.
  expect(await readFile(join(import.meta.dirname, "../../docs/public/demo.svg"), "utf8")).toBe(demoSvg(text));

  const after = (await readdir(tmpdir())).filter((name) => name.startsWith("realmctl-demo-"));
  expect(after).toEqual(before);
});
