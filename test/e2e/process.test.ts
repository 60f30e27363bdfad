import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { program } from "../support/bundle.ts";
import { DEADLINE_MS, start } from "./child.ts";
import { MIXED_FILE } from "./example.ts";
import { loadedBy } from "./loaded.ts";
import { isWrite, worldOfTest } from "./world.ts";

const isReading = ({ path }: { readonly path: string }): boolean => path.endsWith("/register");

/** A world whose n-th write (or reading) waits until it is released, and reports when it has arrived. */
async function held(n: number, counts: typeof isWrite = isWrite) {
  let arrived = () => {};
  let release = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let count = 0;
  const world = await worldOfTest({
    interceptors: [
      {
        before: async (request) => {
          count += counts(request) ? 1 : 0;
          if (count === n && counts(request)) {
            arrived();
            await released;
          }
          return undefined;
        },
      },
    ],
  });
  onTestFinished(release);
  world.file("realm.yaml", MIXED_FILE);
  return { world, arrival, release };
}

describe("the bundle", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

  test.each([
    ["--version", "--json"],
    ["--json", "--version"],
  ])("%s %s also says what it runs on", { tags: "installed" }, (...flags) => {
    const { node, cli } = program();
    const { stdout } = spawnSync(node, [cli, ...flags], {
      encoding: "utf8",
      timeout: DEADLINE_MS,
    });
    const { platform, arch } = process;
    const nodeVersion = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    expect(JSON.parse(stdout)).toEqual({ name: "realmctl", version, node: nodeVersion, platform, arch });
  });

  test.each(["--version", "-V"])("%s says the version of package.json", (flag) => {
    const { node, cli } = program();
    const { stdout, status } = spawnSync(node, [cli, flag], {
      encoding: "utf8",
      timeout: DEADLINE_MS,
    });
    expect({ stdout, status }).toEqual({ stdout: `${version}\n`, status: 0 });
  });

  test("--version refuses unknown options", () => {
    const { node, cli } = program();
    const { stdout, stderr, status } = spawnSync(node, [cli, "--version", "--jsno"], {
      encoding: "utf8",
      timeout: DEADLINE_MS,
    });
    expect({ stdout, status }).toEqual({ stdout: "", status: 1 });
    expect(stderr).toContain("error[use/unknown-option]: unknown option '--jsno'");
  });

  test("plans, applies, and then plans no change", async () => {
    const world = await worldOfTest();
    world.file("realm.yaml", MIXED_FILE);
    expect((await start(world, "plan --detailed-exit-code").ended).code).toBe(EXIT.changesPending);
    expect(await start(world, "apply --yes").ended).toMatchObject({ code: EXIT.done, err: "" });
    expect((await start(world, "plan --detailed-exit-code").ended).code).toBe(EXIT.done);
    expect(
      (await start(world, "plan --detailed-exit-code", { env: { ZULIP_API_KEY: "x".repeat(32) } }).ended).code,
    ).toBe(EXIT.notAllowed);
  });

  test("a pipe that is closed early is not an error", { tags: "installed" }, () => {
    const { node, cli } = program();
    const line = `"${node}" "${cli}" --help | head -n 1`;
    const { stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8", timeout: DEADLINE_MS });
    expect({ stdout, stderr }).toEqual({ stdout: "Usage: realmctl [options] [command]\n", stderr: "" });
  });

  test.each(["stdout", "stderr"] as const)("apply continues when nobody reads its %s", async (stream) => {
    const world = await worldOfTest();
    world.file("realm.yaml", MIXED_FILE);
    const child = start(world, "apply --yes --verbose");
    child.process[stream]?.destroy();
    expect(await child.ended).toMatchObject({ code: EXIT.done });
    expect((await world.realmctl("plan")).out).toContain("No changes.");
  });

  test.runIf(process.platform === "linux")(
    "output that cannot be written because the disk is full is reported once, without a stack trace",
    { tags: "installed" },
    () => {
      const { node, cli } = program();
      const line = `"${node}" "${cli}" --help > /dev/full`;
      const { status, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8", timeout: DEADLINE_MS });
      expect({ status, stderr }).toEqual({
        status: EXIT.errors,
        stderr: "realmctl: the output cannot be written: ENOSPC: no space left on device, write\n",
      });
    },
  );
});

describe("the files of the program that a process reads", () => {
  test("a plan reads few of them, and none that are loaded on demand", { tags: "installed" }, async () => {
    const world = await worldOfTest();
    world.file("realm.yaml", "version: 1\nchannels:\n  general:\n    description: For all of us\n");
    const { out, files, forms } = await loadedBy(world, "plan");
    expect(out).toContain("For all of us");
    // A megabyte takes about 30 ms of processor time to read, however little of it is used.
    const kilobytes = [...files.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
    expect({ files: files.size <= 18, kilobytes: kilobytes <= 1_300 }).toEqual({ files: true, kilobytes: true });
    // The schemas of a reading and of the file's sections; with all sections there are a thousand.
    expect(forms).toBeGreaterThan(100);
    expect(forms).toBeLessThan(450);
    expect([...files.keys()].filter((name) => name.startsWith("on-call-"))).toEqual([]);
  });

  test("a plan over http does not load the undici of Node 22 and later", { tags: "installed" }, async () => {
    const world = await worldOfTest();
    world.file("realm.yaml", "version: 1\nchannels:\n  general:\n    description: For all of us\n");
    const { out, builtIn } = await loadedBy(world, "plan");
    expect(out).toContain("For all of us");
    expect(builtIn).toContain("NativeModule _http_client");
    expect(builtIn.filter((name) => name.includes("undici"))).toEqual([]);
  });

  test("code that is loaded on demand works when it is called", { tags: "installed" }, async () => {
    const world = await worldOfTest();
    const linkifiers = 'linkifiers:\n  - pattern: "#(?P<id>[0-9"\n    url_template: "https://example.org/{id}"\n';
    world.file("realm.yaml", `version: 1\n${linkifiers}channels:\n  general:\n    descripton: x\n`);
    const { code, err, files } = await loadedBy(world, "validate");
    expect({ code, err }).toMatchObject({ code: EXIT.errors, err: expect.stringContaining("missing closing ]") });
    expect(err).toContain('did you mean "description"?');
    const onCall = [...files].filter(([name]) => name.startsWith("on-call-"));
    // One import of a value too many brings a copy of zod along: 110 kB in each file.
    expect(onCall.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000).toBeLessThan(700);
    expect(onCall.map(([name]) => name).sort()).toEqual([
      "on-call-form-errors.cjs",
      "on-call-json-schema.cjs",
      "on-call-placeholders.cjs",
      "on-call-re2.cjs",
      "on-call-sentences.cjs",
    ]);
  });
});

describe("signals", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s waits for the current call, then stops",
    { tags: "installed" },
    async (signal) => {
      const { world, arrival, release } = await held(2);
      const child = start(world, "apply --yes");
      await arrival;
      child.process.kill(signal);
      await new Promise<void>((heard) => child.process.stderr?.once("data", () => heard()));
      release();
      const { code, out } = await child.ended;
      expect(code).toBe(EXIT.appliedInPart);
      expect(out).toContain("Stopped: done 2");
      expect(world.writes()).toHaveLength(2);
    },
  );

  test("the second signal does not wait; the next apply finds the state and continues", async () => {
    const { world, arrival, release } = await held(2);
    const child = start(world, "apply --yes");
    await arrival;
    child.process.kill("SIGINT");
    await new Promise<void>((heard) => child.process.stderr?.once("data", () => heard()));
    child.process.kill("SIGINT");
    const { code, out } = await child.ended;
    expect(code).toBe(EXIT.appliedInPart);
    expect(out).toContain("stopped before its answer came");
    release();
    expect((await world.realmctl("apply --yes")).code).toBe(EXIT.done);
    expect((await world.realmctl("plan")).out).toContain("No changes.");
  });
});

describe("signals while the realm is being read", () => {
  test.each([
    { fact: "the planning", reading: 1, signals: 1, code: -1, writes: 0 },
    { fact: "the time just before the first call", reading: 2, signals: 2, code: EXIT.appliedInPart, writes: 0 },
    {
      fact: "the last check, after which nothing is left to do",
      reading: 3,
      signals: 2,
      code: EXIT.appliedInPart,
      writes: 7,
    },
  ])("$fact does not delay the end of the process", async ({ reading, signals, code, writes }) => {
    const { world, arrival, release } = await held(reading, isReading);
    const child = start(world, "apply --yes");
    await arrival;
    for (let n = 1; n <= signals; n += 1) {
      const heard = new Promise<void>((resolve) => child.process.stderr?.once("data", () => resolve()));
      child.process.kill("SIGINT");
      if (n < signals) await heard;
    }
    const ran = await child.ended;
    expect(ran.code, ran.out + ran.err).toBe(code);
    if (reading > 1) expect(ran.out).toContain("Stopped");
    expect(`${ran.out}${ran.err}`).not.toMatch(/error\[|\n\s+at /);
    expect(world.writes()).toHaveLength(writes);
    release();
    expect((await world.realmctl("apply --yes")).code).toBe(EXIT.done);
    expect(world.writes()).toHaveLength(7);
  });

  test("the first signal: the current request is finished, and nothing is sent after it", async () => {
    const { world, arrival, release } = await held(2, isReading);
    const child = start(world, "apply --yes");
    await arrival;
    child.process.kill("SIGTERM");
    await new Promise<void>((heard) => child.process.stderr?.once("data", () => heard()));
    release();
    const { code, out } = await child.ended;
    expect(code).toBe(EXIT.appliedInPart);
    expect(out).toContain("Stopped: nothing was sent.");
    expect(world.writes()).toEqual([]);
  });
});

test("two applies at once on one machine: the second is refused, and sends nothing", {
  tags: "installed",
}, async () => {
  const { world, arrival, release } = await held(1);
  const first = start(world, "apply --yes");
  await arrival;
  const second = await start(world, "apply --yes").ended;
  expect(second.code).toBe(EXIT.conflict);
  expect(second.err).toContain("error[apply/locked]");
  release();
  expect((await first.ended).code).toBe(EXIT.done);
  expect(world.writes()).toHaveLength(7);
});

test("no journal, no call: if its directory cannot be made, nothing is sent", async () => {
  const world = await worldOfTest();
  world.file("realm.yaml", MIXED_FILE);
  writeFileSync(join(world.directory, ".realmctl"), "in the way");
  const { code, err } = await start(world, "apply --yes").ended;
  expect(code).toBe(EXIT.errors);
  expect(err).toContain("error[journal/not-written]");
  expect(world.writes()).toEqual([]);
});

test.each([
  { fact: "before the first call", part: 0, done: 0 },
  { fact: "in the middle", part: 0.5, done: 1 },
])(
  "a disk that becomes full $fact: calls that cannot be recorded are not sent, and finished ones are reported",
  async ({ part, done }) => {
    const world = await worldOfTest();
    world.file("realm.yaml", MIXED_FILE);
    const blocks = Math.floor((await journalBytes(part)) / 512);
    const { code, out } = await start(world, "apply --yes", { fileSizeBlocks: blocks }).ended;
    expect(out).toContain("journal/not-written");
    expect(code).toBe(done === 0 ? EXIT.errors : EXIT.appliedInPart);
    expect(world.writes().length).toBeGreaterThanOrEqual(done);
    expect(world.writes().length).toBeLessThan(7);
    const again = await world.realmctl("apply --yes");
    expect(again.code).toBe(EXIT.done);
    expect(world.writes()).toHaveLength(7);
  },
);

/** The size of a journal when its plan and some of its calls are written. */
async function journalBytes(part: number): Promise<number> {
  const world = await worldOfTest();
  world.file("realm.yaml", MIXED_FILE);
  await world.realmctl("apply --yes");
  const [name = ""] = world.journals();
  const text = world.read(`.realmctl/${name}`);
  const plan = text.indexOf("\n") + 1;
  return part === 0 ? plan / 2 : plan + (text.length - plan) * part;
}
