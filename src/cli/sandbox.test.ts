import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { Failure } from "../model/diagnostic.ts";
import { snapshotOf } from "../rehearsal/rehearse.ts";
import { type ProcessIo, runIo } from "./io.ts";
import { filesIn } from "./process-io.ts";
import {
  accountsOf,
  parseRateLimits,
  type RunningSandbox,
  removeLeftovers,
  replaceFile,
  sandboxCommand,
  savingInterceptor,
  startSandbox,
  zuliprcText,
} from "./sandbox.ts";

let directory: string;
const running: RunningSandbox[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "realmctl-test-"));
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
  await rm(directory, { recursive: true, force: true });
});

function testIo(): ProcessIo & {
  readonly text: () => string;
  readonly interrupt: () => void;
  readonly waiting: Promise<void>;
} {
  let text = "";
  let interrupt = () => {};
  let listening = () => {};
  const waiting = new Promise<void>((done) => {
    listening = done;
  });
  const output = {
    write: (more: string) => {
      text += more;
    },
    isTTY: false,
    columns: undefined,
  };
  return {
    argv: [],
    env: {},
    cwd: directory,
    out: output,
    err: output,
    inputIsTTY: false,
    ...filesIn(directory),
    readStandardInput: async () => "",
    git: async () => undefined,
    now: () => 0,
    random: () => 0,
    alarm: () => () => {},
    sleep: () => Promise.resolve(),
    ask: () => Promise.resolve(undefined),
    setExitCode: () => {},
    onInterrupt(listener) {
      interrupt = listener;
      listening();
      return () => {};
    },
    text: () => text,
    interrupt: () => interrupt(),
    waiting,
  };
}

async function start(flags: Partial<Parameters<typeof startSandbox>[1]> = {}): Promise<RunningSandbox> {
  const one = await startSandbox(runIo(testIo()), { port: 0, rateLimits: [], ...flags });
  running.push(one);
  return one;
}

function request(
  one: RunningSandbox,
  method: string,
  path: string,
  form: Record<string, string> = {},
): Promise<Response> {
  const account = one.sandbox.accounts["ada@acme.example"];
  if (account === undefined) throw new RangeError("no such account");
  const authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString("base64")}`;
  const body = method === "GET" ? null : new URLSearchParams(form);
  return fetch(`${one.url}/api/v1${path}`, { method, headers: { authorization }, body });
}

const Channels = z.object({ streams: z.array(z.object({ name: z.string(), stream_id: z.int() })) });
async function channels(one: RunningSandbox): Promise<z.infer<typeof Channels>["streams"]> {
  return Channels.parse(await (await request(one, "GET", "/streams")).json()).streams;
}

test("answers over HTTP as the accounts it names", async () => {
  const one = await start();
  const answer = await request(one, "GET", "/users/me");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ result: "success", full_name: "Ada Okafor", role: 100 });
});

test("rate limits match the server's if they are on, and do not exist if they are off", async () => {
  const [limited, free] = [await start({ rateLimits: parseRateLimits("on") }), await start()];
  expect((await request(limited, "GET", "/users/me")).headers.get("x-ratelimit-limit")).toBe("2000");
  expect((await request(free, "GET", "/users/me")).headers.get("x-ratelimit-limit")).toBeNull();
});

test.each([
  [
    "on",
    [
      { requests: 200, seconds: 60 },
      { requests: 2000, seconds: 3600 },
    ],
  ],
  ["off", []],
  ["3/60", [{ requests: 3, seconds: 60 }]],
  [
    "20/60, 500/3600",
    [
      { requests: 20, seconds: 60 },
      { requests: 500, seconds: 3600 },
    ],
  ],
])("--rate-limits %s", (text, limits) => expect(parseRateLimits(text)).toEqual(limits));

test.each(["", "yes", "20", "20/0", "0/60", "20/60,", "-1/60", "1.5/60"])("--rate-limits %j is refused", (text) => {
  expect(() => parseRateLimits(text)).toThrow("REQUESTS/SECONDS");
});

test("custom limits refuse requests that exceed them, and say until when", async () => {
  const one = await start({ rateLimits: parseRateLimits("2/60,9/3600") });
  expect((await request(one, "GET", "/users/me")).headers.get("x-ratelimit-limit")).toBe("9");
  expect((await request(one, "GET", "/users/me")).status).toBe(200);
  const third = await request(one, "GET", "/users/me");
  expect([third.status, third.headers.get("x-ratelimit-limit")]).toEqual([429, "2"]);
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("behaves as a server of the given feature level", async () => {
  const one = await start({ featureLevel: 400 });
  const answer = await fetch(`${one.url}/api/v1/server_settings`);
  expect(await answer.json()).toMatchObject({ zulip_feature_level: 400 });
});

test.each([
  [512, false],
  [513, true],
])("--feature-level %i: that nothing newer than 512 is known is said: %s", async (level, said) => {
  const io = testIo();
  const ended = sandboxCommand(runIo(io)).parseAsync(["--feature-level", `${level}`], { from: "user" });
  await io.waiting;
  io.interrupt();
  await ended;
  expect(io.text().includes("The newest level that is known here is 512")).toBe(said);
});

test("keeps the organization in a file: changes that were answered are there in the next run", async () => {
  const data = join(directory, "realm.json");
  const first = await start({ data });
  const rename = { new_name: "town-square" };
  const general = (await channels(first)).find((channel) => channel.name === "general");
  expect((await request(first, "PATCH", `/streams/${general?.stream_id}`, rename)).status).toBe(200);
  await first.close();
  const second = await start({ data });
  expect((await channels(second)).map(({ name }) => name)).toContain("town-square");
  expect(await readdir(directory)).toEqual(["realm.json"]);
});

describe("errors", () => {
  test.each([
    { name: "no such file", text: undefined, code: "sandbox/unreadable" },
    { name: "not JSON", text: "{", code: "sandbox/not-json" },
    { name: "a list", text: "[]", code: "sandbox/not-a-realm" },
    { name: "something else", text: '{"hello": 1}', code: "sandbox/not-a-realm" },
  ])("$name", async ({ text, code }) => {
    const from = join(directory, "file.json");
    if (text !== undefined) await writeFile(from, text);
    const failure = await start({ from }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ exitCode: 1, diagnostics: [{ code, fact: { flag: "--from" } }] });
  });

  test("an error in a --data file is reported differently from an error in a --from file", async () => {
    const data = join(directory, "bad.json");
    await writeFile(data, "{");
    await expect(start({ data })).rejects.toMatchObject({
      diagnostics: [{ code: "sandbox/not-json", fact: { flag: "--data" } }],
    });
  });

  test("a port that is in use", async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toMatchObject({
      diagnostics: [{ code: "sandbox/port", fact: { code: "EADDRINUSE" } }],
    });
  });
});

test("the command prints its address, writes credentials that only this person can read, and ends on Ctrl-C", async () => {
  const io = testIo();
  const ended = sandboxCommand(runIo(io))
    .exitOverride()
    .parseAsync(["--zuliprc-dir", "keys", "--accounts-out", "accounts.json"], { from: "user" });
  await Promise.race([io.waiting, ended]);
  expect(io.text()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n {2}feature level 442/);
  expect(io.text()).toContain("Ada Okafor (owner)");
  const rc = join(directory, "keys", "owner.zuliprc");
  expect(await readFile(rc, "utf8")).toMatch(/^\[api\]\nemail=ada@acme\.example\nkey=\w{32}\nsite=http:\/\/127/);
  expect((await stat(rc)).mode & 0o077).toBe(0);
  const accounts = JSON.parse(await readFile(join(directory, "accounts.json"), "utf8"));
  expect(accounts.owner).toEqual({ email: "ada@acme.example", api_key: expect.stringMatching(/^\w{32}$/) });
  io.interrupt();
  await ended;
});

test("keys are new in every run, and the same for the same --key-seed", async () => {
  const keyOf = async (flags: Parameters<typeof start>[0]) => (await start(flags)).sandbox.accounts.owner?.api_key;
  expect(await keyOf({})).not.toBe(await keyOf({}));
  expect(await keyOf({ keySeed: "a" })).toBe(await keyOf({ keySeed: "a" }));
  expect(await keyOf({ keySeed: "a" })).not.toBe(await keyOf({ keySeed: "b" }));
});

test("every account is listed once, under its name in the recording", async () => {
  const one = await start();
  const names = accountsOf(one.sandbox).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("owner");
  expect(names).not.toContain("ada@acme.example");
});

test("a zuliprc", () => {
  expect(zuliprcText("http://x", "a@b", "k")).toBe("[api]\nemail=a@b\nkey=k\nsite=http://x\n");
});

test("steps that were taken before a refusal are kept, too", async () => {
  const data = join(directory, "realm-data.json");
  const one = await start({ data });
  const [first, second] = Object.values(one.sandbox.state().channels).filter(({ is_archived }) => !is_archived);
  if (first === undefined || second === undefined) throw new RangeError("too few channels");
  const response = await request(one, "PATCH", `/streams/${first.stream_id}`, {
    description: "kept",
    new_name: second.name,
  });
  expect(response.status).toBe(409);
  const kept = z.looseObject({ channels: z.record(z.string(), z.looseObject({ description: z.string() })) });
  expect(kept.parse(JSON.parse(await readFile(data, "utf8"))).channels[first.stream_id]?.description).toBe("kept");
});

describe("faults and control", () => {
  test("a fault happens, and the change was carried out although its answer never arrived", async () => {
    const data = join(directory, "realm-data.json");
    const faults = join(directory, "faults.yaml");
    await writeFile(faults, "faults:\n  - calls: PATCH /streams/*\n    at: 2\n    when: after\n    do: drop\n");
    const one = await start({ data, faults });
    const [channel] = Object.values(one.sandbox.state().channels);
    const path = `/streams/${channel?.stream_id}`;
    expect((await request(one, "PATCH", path, { description: "first" })).status).toBe(200);
    await expect(request(one, "PATCH", path, { description: "second" })).rejects.toThrow();
    const kept = z.looseObject({ channels: z.record(z.string(), z.looseObject({ description: z.string() })) });
    const saved = kept.parse(JSON.parse(await readFile(data, "utf8")));
    expect(saved.channels[channel?.stream_id ?? 0]?.description).toBe("second");
  });

  test("errors in a faults file have their places", async () => {
    const faults = join(directory, "faults.yaml");
    await writeFile(faults, "faults:\n  - do: dorp\n");
    const failure = await start({ faults }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ diagnostics: [{ code: "field/value", at: { line: 2, column: 9 } }] });
  });

  test("a reset also changes the file", async () => {
    const data = join(directory, "realm-data.json");
    const one = await start({ data });
    const before = await readFile(data, "utf8");
    const [channel] = Object.values(one.sandbox.state().channels);
    await request(one, "PATCH", `/streams/${channel?.stream_id}`, { description: "changed" });
    expect(await readFile(data, "utf8")).not.toBe(before);
    expect((await fetch(`${one.url}/sandbox/reset`, { method: "POST" })).status).toBe(200);
    expect(await readFile(data, "utf8")).toBe(before);
  });
});

describe("leftovers of a killed run", () => {
  test.each([
    ["realm.json.0123abcd.tmp", false],
    ["realm.json.0123ABCD.tmp", true],
    ["realm.json.0123abc.tmp", true],
    ["realm.json.0123abcd.tmp.bak", true],
    ["realm.json.tmp", true],
    ["other.json.0123abcd.tmp", true],
    ["realmXjson.0123abcd.tmp", true],
    ["realm.json", true],
  ])("%s: %j", async (name, stays) => {
    await writeFile(join(directory, name), "{}");
    await removeLeftovers(join(directory, "realm.json"));
    expect((await readdir(directory)).includes(name)).toBe(stays);
  });

  test("links and directories with such a name are kept", async () => {
    await writeFile(join(directory, "elsewhere"), "{}");
    await symlink("elsewhere", join(directory, "realm.json.00000001.tmp"));
    await mkdir(join(directory, "realm.json.00000002.tmp"));
    await removeLeftovers(join(directory, "realm.json"));
    expect((await readdir(directory)).length).toBe(3);
  });

  test("a missing directory has no leftovers", async () => {
    await expect(removeLeftovers(join(directory, "none", "realm.json"))).resolves.toBeUndefined();
  });

  test("a save is repeated if another start deletes its temporary file", async () => {
    const path = join(directory, "realm.json");
    const text = "x".repeat(20_000_000);
    const saving = replaceFile(path, text);
    while ((await readdir(directory)).length === 0);
    await removeLeftovers(path);
    await saving;
    expect(await readdir(directory)).toEqual(["realm.json"]);
    expect((await stat(path)).size).toBe(text.length);
  });
});

describe("saving", () => {
  /** A save that ends on request. */
  function slowSave(): {
    readonly save: () => Promise<void>;
    readonly finish: (() => void)[];
    readonly times: () => number;
  } {
    const finish: (() => void)[] = [];
    let times = 0;
    return {
      save: () => {
        times += 1;
        return new Promise((done) => finish.push(done));
      },
      finish,
      times: () => times,
    };
  }
  /** A counter of changes. */
  function changing() {
    let revision = 0;
    return {
      revision: () => revision,
      change: () => {
        revision += 1;
      },
    };
  }

  test("a request without changes is not saved", async () => {
    const { save, times } = slowSave();
    await savingInterceptor(save, changing().revision).after();
    expect(times()).toBe(0);
  });

  test("requests during a save share the next one, and the last change is always in a save that starts after it", async () => {
    const { save, finish, times } = slowSave();
    const { revision, change } = changing();
    const saver = savingInterceptor(save, revision);
    const answered = () => {
      change();
      return saver.after();
    };
    const first = answered();
    const [second, third] = [answered(), answered()];
    expect(times()).toBe(1);
    finish.shift()?.();
    await first;
    await new Promise(setImmediate);
    expect(times()).toBe(2);
    finish.shift()?.();
    await Promise.all([second, third]);
    const fourth = answered();
    expect(times()).toBe(3);
    finish.shift()?.();
    await fourth;
  });

  test("a failed save is reported to the request that waited, and the next one tries again", async () => {
    let fails = true;
    const { revision, change } = changing();
    const save = () => (fails ? Promise.reject(new Error("disk full")) : Promise.resolve());
    const saver = savingInterceptor(save, revision);
    change();
    await expect(saver.after()).rejects.toThrow("disk full");
    fails = false;
    await expect(saver.after()).resolves.toBeUndefined();
  });

  test("a file that cannot be replaced keeps its previous text, and no other file is left beside it", async () => {
    const path = join(directory, "state");
    await replaceFile(path, "one");
    await replaceFile(path, "two");
    expect(await readFile(path, "utf8")).toBe("two");
    await expect(replaceFile(join(directory, "none", "state"), "x")).rejects.toThrow();
    await expect(replaceFile(directory, "x")).rejects.toThrow();
    expect(await readdir(directory)).toEqual(["state"]);
  });
});

test.each<[subscribers: object | null, said: boolean]>([
  [null, true],
  [{}, false],
])(
  "a snapshot with the subscribers %j: the sandbox says at the start that nobody is subscribed: %s",
  async (subscribers, said) => {
    const snapshot = await snapshotOf((await start()).sandbox, 0);
    await writeFile(join(directory, "live.json"), JSON.stringify({ ...snapshot, subscribers }));
    const io = testIo();
    const stopped = sandboxCommand(runIo(io)).parseAsync(["--from", "live.json", "--port", "0"], { from: "user" });
    await io.waiting;
    io.interrupt();
    await stopped;
    expect(io.text().includes("Nobody is subscribed to any channel")).toBe(said);
  },
);
