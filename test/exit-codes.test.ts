import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT_BUG } from "../src/cli/context.ts";
import { EXIT_CODES } from "../src/explain/exit-codes.ts";
import { start } from "./e2e/child.ts";
import { isWrite, type RunOptions, World } from "./e2e/world.ts";
import { runCommandLine } from "./support/cli/command-line.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const FILE = "version: 1\nchannels:\n  general: {description: Changed}\n";

describe("the table is the same everywhere", () => {
  const rows = EXIT_CODES.map(({ code, means }) => `| ${code} | ${means} |`).join("\n");

  test("docs/reference/exit-codes.md", () => {
    const path = "docs/reference/exit-codes.md";
    expect(read(path)).toContain(`| code | means |\n| --- | --- |\n${rows}\n\n`.replace(/\n\n$/, "\n"));
    expect(read(path).match(/^\| \d+ \| /gm)).toHaveLength(EXIT_CODES.length);
  });

  test("realmctl --help", async () => {
    const { out } = await runCommandLine(["--help"]);
    for (const { code, means } of EXIT_CODES)
      expect(out).toContain(`  ${String(code).padEnd(4)}${means.replaceAll("`", "")}`);
  });
});

interface Case {
  readonly code: number;
  readonly name: string;
  readonly line: string;
  readonly file?: string;
  readonly options?: RunOptions;
  /** Before the command. */
  readonly first?: (world: World) => Promise<unknown> | undefined;
}

const no = async (): Promise<string> => "no";
const CASES: readonly Case[] = [
  { code: 0, name: "a plan", line: "plan" },
  { code: 0, name: "an apply", line: "apply --yes" },
  { code: 0, name: "a valid file", line: "validate" },
  { code: 1, name: "an error in the file", line: "validate", file: "version: 1\nchanels: {}\n" },
  { code: 1, name: "an error on the command line", line: "plan --what" },
  { code: 1, name: "no such file", line: "plan nowhere.yaml" },
  { code: 2, name: "changes, in detail", line: "plan --detailed-exit-code" },
  { code: 2, name: "drift", line: "drift" },
  {
    code: 3,
    name: "too many removals",
    line: "plan",
    file: "version: 1\npolicy: {limits: {removals: 0}}\nchannels:\n  sandbox: {archived: true}\n",
  },
  {
    code: 4,
    name: "a plan that differs from the reviewed one",
    line: "apply --plan x.plan --checksum 0123456789abcdef --yes",
    first: (world) => world.realmctl("plan --out x.plan"),
  },
  { code: 5, name: "a no to apply", line: "apply", options: { answer: no } },
  {
    code: 8,
    name: "a broken rule",
    line: "test",
    // Without the privacy, the file alone does not say who can read it.
    file: "version: 1\nchannels:\n  general: {privacy: public}\n",
    first: async (world) =>
      world.file(
        "realm.test.yaml",
        "version: 1\ntests:\n  - {name: x, objects: general, rights: {read: {at_most: 0, only: role:owners}}}\n",
      ),
  },
  { code: 6, name: "no credentials", line: "plan", options: { anonymous: true } },
  { code: 6, name: "half of the credentials", line: "drift", options: { env: { ZULIP_API_KEY: "" } } },
  { code: 6, name: "an invalid key", line: "plan", options: { env: { ZULIP_API_KEY: "short" } } },
  { code: 6, name: "another key", line: "apply --yes", options: { env: { ZULIP_API_KEY: "x".repeat(32) } } },
  { code: 6, name: "a role too low", line: "plan", options: { as: "member" } },
  { code: 6, name: "a role too low, for reading only", line: "validate --live", options: { as: "member" } },
  { code: 7, name: "no server", line: "plan", options: { env: { ZULIP_SITE: "http://127.0.0.1:1" } } },
];

describe("the program exits with each code", () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(() => world.end());

  test.each(CASES)("$code: $name", async ({ code, line, file = FILE, options = {}, first }) => {
    world.file("realm.yaml", file);
    await first?.(world);
    const ran = await world.realmctl(line, options);
    expect({ code: ran.code, err: ran.err }).toMatchObject({ code });
    // JSON output, if there is any, has the same code.
    if (!/^(plan|apply|drift|validate)\b/.test(line) || line.includes("--what")) return;
    world.restart();
    world.file("realm.yaml", file);
    await first?.(world);
    const json = await world.realmctl(`${line} --format json`, options);
    expect(json.code).toBe(code);
    if (options.answer === undefined) expect(JSON.parse(json.out)).toMatchObject({ exit_code: code });
  });

  test("5: Ctrl-C while it sends", async () => {
    let interrupt = () => {};
    const sending = await World.start({
      interceptors: [
        {
          before: async (request) => {
            if (isWrite(request)) interrupt();
            return undefined;
          },
        },
      ],
    });
    try {
      sending.file("realm.yaml", `${FILE}  Zulip: {description: Too}\n`);
      const ran = await sending.realmctl("apply --yes", {
        onStart: (how) => {
          interrupt = how;
        },
      });
      expect(ran.code).toBe(5);
    } finally {
      await sending.end();
    }
  });

  test("7: the server is too old", async () => {
    const old = await World.start({ level: 319 });
    try {
      old.file("realm.yaml", FILE);
      expect(await old.realmctl("plan")).toMatchObject({ code: 7, err: expect.stringContaining("zulip/too-old") });
    } finally {
      await old.end();
    }
  });

  test("70: a bug", async () => {
    world.file("realm.yaml", FILE);
    const alarm = (): never => {
      throw new TypeError("a bug");
    };
    expect(await world.realmctl("plan", { io: { alarm } })).toMatchObject({ code: EXIT_BUG });
  });

  test.each([
    { signal: "SIGINT", number: 2 },
    { signal: "SIGTERM", number: 15 },
  ] as const)(
    "130 and 143: $signal ends a plan, with the exit code that a shell expects",
    async ({ signal, number }) => {
      let arrive = (): void => {};
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const slow = await World.start({
        interceptors: [{ before: () => new Promise(() => arrive()) }],
      });
      try {
        slow.file("realm.yaml", FILE);
        const child = start(slow, "plan");
        const ended = new Promise((resolve) => child.process.once("exit", (_, by) => resolve(by)));
        await arrived;
        child.process.kill(signal);
        expect(await ended).toBe(signal);
        expect(
          EXIT_CODES.find(({ means }) => means.includes(signal === "SIGINT" ? "Ctrl-C" : "SIGTERM"))?.means,
        ).toMatch(signal === "SIGINT" ? /./ : new RegExp(String(128 + number)));
      } finally {
        await slow.end();
      }
    },
  );

  test("every code of the table has a case", () => {
    const shown = new Set([...CASES.map(({ code }) => code), 5, 7, EXIT_BUG, 130]);
    expect(EXIT_CODES.map(({ code }) => code).filter((code) => !shown.has(code))).toEqual([]);
  });
});

describe("the README's numbers of requests", () => {
  test.each([
    { file: FILE, requests: 2 },
    { file: `${FILE}invites: []\n`, requests: 3 },
  ])("$requests", async ({ file, requests }) => {
    const world = await World.start();
    try {
      world.file("realm.yaml", file);
      expect((await world.realmctl("plan")).code).toBe(0);
      expect(world.sandbox.log).toHaveLength(requests);
      expect(read("docs/start.md")).toContain(
        "reads the organization (2 requests, 3 with invitations), changes nothing",
      );
    } finally {
      await world.end();
    }
  });
});
