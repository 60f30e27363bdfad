import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommandLine, type Surroundings } from "../../test/support/cli/command-line.ts";
import { steppingClock } from "../../test/support/cli/stepping-clock.ts";
import { temporaryDirectory } from "../../test/support/directory.ts";
import { realmOf } from "../../test/support/realm.ts";
import { json } from "../../test/support/zulip/scripted.ts";
import { EXIT } from "../model/diagnostic.ts";
import { waitingText } from "../report/waiting.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { inProcess, type Transport, TransportError } from "../zulip/transport.ts";
import { QUIET_MS } from "./connect.ts";

// These tests have a simulated clock. They check the messages while a command waits, and the end of a run whose time is over.

/** The name of a sandbox's server. */
const ORGANIZATION = "http://localhost:9911";
const FILE = `version: 1
realm: ${ORGANIZATION}
channels:
  one: {}
  two: {}
  three: {}
`;

type Clock = ReturnType<typeof steppingClock>;
type Slowness = (server: Transport, clock: Clock) => Transport;

const waitFor = async (clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> => {
  await clock.sleep(ms, signal);
  if (signal?.aborted === true) throw new TransportError("aborted", { is: "stopped" }, false);
};

/** Every answer takes this long. */
const slow =
  (ms: number): Slowness =>
  (server, clock) =>
  async (request) => {
    await waitFor(clock, ms, request.signal);
    return server(request);
  };

/** Every request is first refused a few times, for a minute each. */
const storm: Slowness = (server) => {
  const turnedAway = new Map<string, number>();
  return async (request) => {
    const key = `${request.method} ${request.url} ${String(request.body)}`;
    const times = turnedAway.get(key) ?? 0;
    turnedAway.set(key, (times + 1) % 4);
    if (times < 3) return json(429, { result: "error", code: "RATE_LIMIT_HIT", msg: "" }, { "retry-after": "60" });
    return server(request);
  };
};

/** Every answer comes late, and the first one of each request is an error. */
const failing: Slowness = (server, clock) => {
  let times = 0;
  return async (request) => {
    await waitFor(clock, 9_000, request.signal);
    times += 1;
    return times % 2 === 1 ? json(502, {}) : server(request);
  };
};

async function run(line: string, slowness: Slowness, more: Surroundings = {}) {
  const snapshot = realmOf({ channels: [{ name: "general" }] });
  const sandbox = createSandbox({ from: snapshot });
  const clock = steppingClock();
  const cwd = temporaryDirectory("waiting");
  const { email } = snapshot.account;
  const key = sandbox.accounts[email]?.api_key ?? "";
  const begun = clock.now();
  const written: { readonly at: number; readonly text: string }[] = [];
  const ran = await runCommandLine(line.split(" "), {
    cwd,
    clock,
    transport: slowness(
      inProcess((request) => sandbox.fetch(request)),
      clock,
    ),
    wrote: (text) => void written.push({ at: clock.now() - begun, text }),
    ...more,
    files: { "realm.yaml": FILE, ...more.files },
    env: {
      ZULIP_SITE: ORGANIZATION,
      ZULIP_EMAIL: email,
      ZULIP_API_KEY: key,
      XDG_RUNTIME_DIR: cwd,
      TMPDIR: cwd,
      ...more.env,
    },
  });
  const moments = [0, ...written.map(({ at }) => at), clock.now() - begun];
  const silences = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
  return { ...ran, sandbox, cwd, tookMs: clock.now() - begun, longestSilence: Math.max(...silences), written };
}

const COMMANDS = [
  "plan",
  "apply --yes",
  "drift",
  "whoami",
  "snapshot --out x.json",
  "export --out x.yaml",
  "adopt --all --yes",
  "access channel:general",
  "test --live --rules rules.yaml",
  "validate --live",
  "api get-streams",
  "plan orgs",
  "apply orgs --yes",
  "apply orgs --yes --format jsonl",
];
const FILES = {
  "orgs/one.yaml": FILE,
  "orgs/two.yaml": FILE.replace(ORGANIZATION, "https://other.example.org"),
  "rules.yaml": "version: 1\ntests:\n  - {name: Guests, who: {role: guest}, cannot: {post: ['*']}}\n",
};

describe.each([
  ["answers slowly", slow(55_000)],
  ["answers each request within four seconds", slow(4_000)],
  ["rejects everything for a minute", storm],
  ["fails every second time", failing],
] as const)("a server that %s", (_, slowness) => {
  test.each(COMMANDS)("%s is never silent for more than ten seconds", async (line) => {
    const { longestSilence, tookMs, err, out, exitCode } = await run(line, slowness, { files: FILES });
    expect(longestSilence, out + err).toBeLessThanOrEqual(QUIET_MS);
    expect(tookMs).toBeGreaterThan(3_000);
    // The second organization has no credentials, which does not matter here.
    expect(exitCode, out + err).toBe(line.includes("orgs") ? EXIT.notAllowed : line === "drift" ? 2 : EXIT.done);
  });
});

test("--quiet suppresses these lines", async () => {
  const { err } = await run("plan --quiet", slow(55_000));
  expect(err).toBe("");
});

test("a line says what realmctl is waiting for, and until when", async () => {
  const { err } = await run("plan", slow(24_000));
  expect(err.split("\n").slice(0, 2)).toEqual([
    "… no answer from localhost:9911 for 5 s; waiting until 60 s (--timeout)",
    "… no answer from localhost:9911 for 15 s; waiting until 60 s (--timeout)",
  ]);
  // Many quick answers, one after the other.
  const waiting = { for: "answer", host: "chat.example.org", sinceMs: 200, limitMs: 60_000 } as const;
  expect(waitingText(waiting, "--timeout")).toBe("… still working: waiting for chat.example.org");
  const several = await run("plan orgs", slow(12_000), { files: FILES });
  expect(several.err.split("\n")[0]).toBe("… 1 of 2 organizations done; at work: orgs/one.yaml");
});

describe("--deadline", () => {
  const journal = (cwd: string): readonly { readonly entry: string; readonly outcome?: string }[] => {
    const [file] = readdirSync(join(cwd, ".realmctl")).filter((name) => name.endsWith(".jsonl"));
    if (file === undefined) throw new Error("no journal");
    const lines = readFileSync(join(cwd, ".realmctl", file), "utf8")
      .trimEnd()
      .split("\n");
    return lines.map((line) => JSON.parse(line));
  };

  test("an apply stops between two calls: the current call gets its answer, the journal its end", async () => {
    // The plan is read in 10 s, and so is the run's reading; each call takes ten more.
    const ran = await run("apply --yes --deadline 35s", slow(10_000));
    expect(ran.exitCode).toBe(EXIT.appliedInPart);
    expect(ran.err).toContain("The run reached its time limit (--deadline). Stopping after the call in progress.");
    expect(ran.out).toContain("Stopped");
    expect(ran.tookMs).toBeLessThan(60_000);
    const entries = journal(ran.cwd);
    expect(entries.filter(({ entry }) => entry === "sending").length).toBe(
      entries.filter(({ entry }) => entry === "answer").length,
    );
    expect(entries.at(-1)).toMatchObject({ entry: "end", outcome: "stopped" });
  });

  test("a wait for the rate limit ends, and nothing is sent after it", async () => {
    const ran = await run("apply --yes --deadline 2m", storm);
    expect(ran.exitCode).toBe(EXIT.appliedInPart);
    expect(ran.tookMs).toBe(120_000);
    expect(ran.err).toContain("error[zulip/deadline]");
    expect(ran.err).toMatch(/Nothing was changed\.\n$/);
  });

  test.each(["plan", "drift", "snapshot --out x.json", "api get-streams"])("%s ends, and says why", async (line) => {
    const ran = await run(`${line} --deadline 20s`, slow(55_000));
    expect(ran.exitCode).toBe(EXIT.appliedInPart);
    expect(ran.err).toContain("error[zulip/deadline]");
    // The queue on the server is deleted, or left to end by itself.
    expect(ran.tookMs).toBeLessThanOrEqual(80_000);
  });

  test("with several organizations, runs that have not started do not start", async () => {
    const files = {
      ...FILES,
      "orgs/one.yaml": FILE,
      "orgs/zero.yaml": FILE.replace(ORGANIZATION, "https://z.example.org"),
    };
    const ran = await run("plan orgs --jobs 1 --deadline 20s", slow(55_000), { files });
    expect(ran.exitCode).toBe(EXIT.appliedInPart);
    expect(ran.out).toMatch(/localhost:9911 .* 5 {2}zulip\/deadline\n/);
    expect(ran.out).toContain("not started");
  });

  test("the environment variable applies to all commands, and the option wins", async () => {
    const env = { REALMCTL_DEADLINE: "20s" };
    expect(await run("plan", slow(55_000), { env })).toMatchObject({ exitCode: EXIT.appliedInPart });
    // A number alone means seconds, as for --timeout.
    const bare = { REALMCTL_DEADLINE: "20" };
    expect(await run("plan", slow(55_000), { env: bare })).toMatchObject({ exitCode: EXIT.appliedInPart });
    expect(await run("plan --deadline 10m", slow(55_000), { env })).toMatchObject({ exitCode: EXIT.done });
    const odd = await run("plan", slow(1), { env: { REALMCTL_DEADLINE: "soon" } });
    expect(odd).toMatchObject({ exitCode: EXIT.errors, err: expect.stringContaining("error[use/bad-variable]") });
  });

  test.each(["0", "25h", "86401", "-1m", "10min", "soon"])("refuses %j", async (written) => {
    const ran = await run(`plan --deadline=${written}`, slow(1));
    expect(ran).toMatchObject({ exitCode: EXIT.errors, err: expect.stringContaining("error[use/bad-value]") });
  });
});

describe("apply asks about each organization", () => {
  const other = FILE.replace(ORGANIZATION, "https://other.example.org");
  const files = { "orgs/a.yaml": FILE, "orgs/b.yaml": other };

  test("at a terminal, one after the other, with its plan above the question", async () => {
    const asked: string[] = [];
    const answer = async (question: string): Promise<string> => {
      asked.push(question);
      return "yes";
    };
    const ran = await run("apply orgs", slow(1), { files, answer });
    expect(asked).toHaveLength(1);
    expect(ran.out).toMatch(/== orgs\/a\.yaml[\s\S]*one, two, three[\s\S]*== orgs\/b\.yaml[\s\S]*2 organizations/);
    expect(ran.sandbox.log.some(({ method }) => method === "POST")).toBe(true);
  });

  test("cancelling one question cancels all", async () => {
    const ran = await run("apply orgs", slow(1), { files, answer: async () => undefined });
    expect(ran.exitCode).toBe(EXIT.appliedInPart);
    expect(ran.out).toContain("not started");
  });

  test.each([
    ["apply orgs", undefined, "there is no terminal"],
    ["apply orgs --format json", async () => "yes", "--format"],
    ["apply orgs --jobs 2", async () => "yes", "--jobs"],
  ])("%s: says why it cannot ask", async (line, answer, why) => {
    const ran = await run(line, slow(1), { files, ...(answer && { answer }) });
    expect(ran).toMatchObject({ exitCode: EXIT.errors, err: expect.stringContaining(why) });
    expect(ran.err).toContain("organizations/unasked");
  });
});
