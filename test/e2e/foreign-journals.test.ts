import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Lines } from "../../src/apply/journal-lines.ts";
import { parsePlanFile } from "../../src/apply/plan-file.ts";
import type { CodeOf } from "../../src/model/api.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import type { LogEntry } from "../../src/sandbox/sandbox.ts";
import { journalCode } from "../../src/zulip/client.ts";
import { Secret } from "../../src/zulip/zuliprc.ts";
import { mayCome } from "../access/oracle.ts";
import { Repository, SHA } from "../action/runner.ts";
import { Dice, mutateJson } from "../fuzz/mutate.ts";
import { AT, START } from "../support/apply/journals.ts";
import { realmOf } from "../support/realm.ts";
import { jsonOf } from "../support/saved.ts";
import { isWrite, World } from "./world.ts";

/*
 * What a checkout, or somebody who can write to the working directory, puts among the journals: nothing of it changes what is sent, and no guard rail
 * counts less for it.
 */

const KEY = "0123456789abcdef0123456789abcdef";
const NAME = "2099-01-01T00-00-00.jsonl";
const FILE = `version: 1
policy: {limits: {people_gaining_access: 2}}
channels:
  lounge: {privacy: public, description: For guests}
  vault: {permissions: {can_subscribe_group: keepers}}
user_groups:
  keepers: {description: Who keeps}
invite_links:
  - {invite_as: guest, channels: [lounge], expires_on: never}
`;

let world: World;
let text: string;
const ORGANIZATION = realmOf({
  user_groups: [{ name: "keepers", members: ["elif@acme.example"] }],
  channels: [{ name: "vault", invite_only: true }, { name: "lobby" }],
  subscribers: { vault: ["ada@acme.example"], lobby: ["ada@acme.example"] },
});
/** Ends the run that is under way. */
let interrupt = (): void => {};
const interceptors: readonly Interceptor[] = [
  {
    before: async (request) => {
      if (isWrite(request)) interrupt();
      return undefined;
    },
  },
];
beforeAll(async () => {
  world = await World.start({ from: ORGANIZATION, interceptors });
});
afterAll(() => world.end());
beforeEach(() => {
  world.restart();
  world.file("realm.yaml", FILE);
});

const plan = () => jsonOf(text);
const vault = (): number => world.channel("vault").stream_id;
const own = (): CodeOf => journalCode(new Secret(world.credentials().ZULIP_API_KEY ?? ""));
const sent = (): readonly LogEntry[] => world.sandbox.log.filter(isWrite);
const bodies = () =>
  sent().map(({ method, path, params: { invite_expires_in_minutes: _, ...params } }) => [method, path, params]);

/** The start of a run of the saved plan. */
const start = (): JsonObject => {
  const { inputs: _, checksum: __, ...of } = plan();
  const { realm } = parsePlanFile(text, "realm.plan").plan;
  return { ...START, version: 4, file: NAME, realm: realm.url, plan: of };
};

function put(entries: readonly JsonObject[], codeOf?: CodeOf): void {
  mkdirSync(`${world.directory}/.realmctl`, { recursive: true });
  const lines = new Lines(codeOf);
  world.file(`.realmctl/${NAME}`, entries.map((entry) => lines.lineOf(JSON.stringify(entry))).join(""));
}

async function save(flags = ""): Promise<void> {
  const ran = await world.realmctl(`plan --out realm.plan ${flags}`, { env: { PLAN_KEY: KEY } });
  expect(ran.code, ran.err).toBe(EXIT.done);
  text = world.read("realm.plan");
}

/** As after `save`: with --yes, a limit of the plan counts only if the file beside it has it, too. */
function again(): void {
  world.restart();
  world.file("realm.yaml", FILE);
  world.file("realm.plan", text);
}

/** Then the plan gives four people access to the vault (one manages all groups, and could join), and its limit is two. */
async function othersJoin(): Promise<void> {
  const add = ["ben@acme.example", "ivo@partner.example"].map((email) => world.sandbox.accounts[email]?.user_id ?? 0);
  await world.edit("ada@acme.example", "POST", `/user_groups/${world.group("keepers")}/members`, { add });
}

/** The number of the call that creates the channel, and a journal that says that it made the vault. */
function ofVault(): readonly JsonObject[] {
  const { calls } = parsePlanFile(text, "realm.plan").plan;
  const n = calls.find(({ creates }) => creates.includes("channel:lounge"))?.n ?? 0;
  expect(n).toBeGreaterThan(0);
  return [
    start(),
    { entry: "sending", at: AT, n, call: { operation: "subscribe", path: {}, params: {} } },
    { entry: "answer", at: AT, n, answer: { outcome: "applied", body: {} } },
    { entry: "learned", at: AT, ids: { "channel:lounge": vault() } },
  ];
}

const WAYS = [
  { what: "the command line", saved: "", line: "apply --yes" },
  { what: "a saved plan", saved: "", line: "apply realm.plan --yes" },
  {
    what: "a signed plan",
    saved: "--sign-with env:PLAN_KEY",
    line: "apply realm.plan --yes --verify-with env:PLAN_KEY",
  },
];

describe("a forged journal that gives the vault's id to a channel that the plan creates", () => {
  const CODES: readonly {
    readonly by: string;
    readonly codeOf: () => CodeOf | undefined;
    readonly isNamed: boolean;
  }[] = [
    { by: "without codes", codeOf: () => undefined, isNamed: true },
    { by: "with the codes of another key", codeOf: () => journalCode(new Secret("x".repeat(32))), isNamed: true },
    // The second protection: an id counts only while its object has the name.
    { by: "with this account's own codes", codeOf: own, isNamed: false },
  ];
  test.each(WAYS.flatMap((way) => CODES.map((code) => ({ ...way, ...code }))))("$what, $by", async (way) => {
    await save(way.saved);
    put(ofVault(), way.codeOf());
    const id = vault();
    const ran = await world.realmctl(way.line, { env: { PLAN_KEY: KEY } });
    expect(ran.code, ran.err + ran.out).toBe(EXIT.done);
    expect(ran.err.includes("warning[journal/foreign]")).toBe(way.isNamed);
    const links = sent().filter(({ path }) => path.includes("multiuse"));
    expect(links).toHaveLength(1);
    expect(links[0]?.params.stream_ids).toBe(JSON.stringify([world.channel("lounge").stream_id]));
    expect(links[0]?.params.stream_ids).not.toBe(JSON.stringify([id]));
  });
});

describe("guards of a saved plan are counted again", () => {
  const JOURNALS: readonly {
    readonly with: string;
    readonly journal: () => readonly JsonObject[];
    readonly codeOf: () => CodeOf | undefined;
  }[] = [
    { with: "without a journal", journal: () => [], codeOf: () => undefined },
    { with: "a run of this account, interrupted before its first request", journal: () => [start()], codeOf: own },
    {
      with: "a journal of this account that says that everything is done",
      journal: () => [
        start(),
        ...parsePlanFile(text, "realm.plan").plan.calls.map(({ n }) => ({
          entry: "settled",
          at: AT,
          n,
          state: "done",
        })),
      ],
      codeOf: own,
    },
    { with: "a forged one", journal: () => [start()], codeOf: () => undefined },
  ];
  test.each(WAYS.flatMap((way) => JOURNALS.map((one) => ({ ...way, ...one }))))("$what: $with", async (way) => {
    await save(way.saved);
    await othersJoin();
    const before = bodies();
    const entries = way.journal();
    if (entries.length > 0) put(entries, way.codeOf());
    const ran = await world.realmctl(way.line, { env: { PLAN_KEY: KEY } });
    expect(ran.code, ran.err + ran.out).toBe(EXIT.refusedByGuard);
    expect(ran.err + ran.out).toContain("people_gaining_access");
    expect(bodies()).toEqual(before);
  });

  const LINK = "invite_links:\n  - {invite_as: member, channels: [lobby], expires_on: never}\n";
  test.each([
    { what: "alone", file: `version: 1\n${LINK}`, flags: "" },
    {
      what: "with a policy of the command",
      file: `version: 1\npolicy: {limits: {people_gaining_access: 1}}\n${LINK}`,
      flags: "--policy strict.yaml",
    },
  ])("a channel that an invitation names is private by now: $what", async ({ file, flags }) => {
    world.file("realm.yaml", file);
    world.file("strict.yaml", "version: 1\npolicy: {limits: {people_gaining_access: 0}}\n");
    await save();
    const { stream_id } = world.channel("lobby");
    await world.edit("ada@acme.example", "PATCH", `/streams/${stream_id}`, { is_private: true });
    const before = bodies();
    const ran = await world.realmctl(`apply realm.plan --yes ${flags}`);
    expect(ran.code, ran.err + ran.out).toBe(EXIT.refusedByGuard);
    expect(ran.err + ran.out).toMatch(/people gaining access to what is private:? 1/);
    expect(bodies()).toEqual(before);
  });
});

describe("an undo of an edited journal", () => {
  test.each([
    {
      what: "a member becomes an owner",
      change: () => ({
        ...{ action: "update", kind: "person", address: "person:elif@acme.example", name: "elif@acme.example" },
        id: world.sandbox.accounts["elif@acme.example"]?.user_id ?? 0,
        fields: [{ field: "role", before: "owner", after: "member" }],
        risks: [],
      }),
      guard: "administrators",
    },
    {
      what: "a private channel is opened",
      change: () => ({
        ...{ action: "update", kind: "channel", address: "channel:vault", name: "vault", id: vault() },
        fields: [{ field: "privacy", before: "public", after: "private_shared_history" }],
        risks: [],
      }),
      guard: "people_gaining_access",
    },
  ])("$what: only if it is asked for, and not without a question", async ({ change, guard }) => {
    await save();
    const made = change();
    const call = {
      ...{ n: 1, operation: "x", path: {}, params: {}, expects: [], after: [], creates: [] },
      for: [{ address: made.address, fields: made.fields.map(({ field }) => field) }],
    };
    const first = start();
    const of = isObject(first.plan ?? null) && isObject(first.plan) ? first.plan : {};
    put([
      { ...first, plan: { ...of, changes: [made], calls: [call] } },
      { entry: "sending", at: AT, n: 1, call: { operation: "x", path: {}, params: {} } },
      { entry: "answer", at: AT, n: 1, answer: { outcome: "applied", body: {} } },
    ]);
    const line = `apply --yes --undo .realmctl/${NAME}`;
    const refused = await world.realmctl(line);
    expect([refused.code, refused.err]).toEqual([EXIT.conflict, expect.stringContaining("error[journal/foreign]")]);
    const asked = await world.realmctl(`${line} --foreign-journal`);
    expect([asked.code, asked.err]).toEqual([EXIT.refusedByGuard, expect.stringContaining(guard)]);
    expect(bodies()).toEqual([]);
  });
});

const RUNS = Number(process.env.REALMCTL_RUNS ?? 4);

describe("any edit of a journal, and any forged one", () => {
  test("changes nothing of what is sent, and lowers no guard", async () => {
    await save();
    again();
    const whole = await world.realmctl("apply realm.plan --yes");
    expect(whole.code, whole.err + whole.out).toBe(EXIT.done);
    const expected = bodies();
    const [name = ""] = world.journals();
    const genuine = world
      .read(`.realmctl/${name}`)
      .split("\n")
      .filter((line) => line !== "");
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const edited = edit(genuine, new Dice(seed));
      // What an interrupted run could have left is no edit.
      if (textOf(genuine).startsWith(edited)) continue;
      again();
      mkdirSync(`${world.directory}/.realmctl`, { recursive: true });
      world.file(`.realmctl/${name}`, edited);
      const isRefused = seed % 3 === 0;
      if (isRefused) await othersJoin();
      const before = bodies();
      const ran = await world.realmctl("apply realm.plan --yes");
      const code = isRefused ? EXIT.refusedByGuard : EXIT.done;
      expect([seed, ran.code, ran.err.includes("did not finish")]).toEqual([seed, code, false]);
      expect([seed, bodies()]).toEqual([seed, isRefused ? before : expected]);
    }
  });
});

/** A file whose run changes who reads what, who is in which group and who has which role: what an edited journal would give back differently. */
const UNDONE = `version: 1
channels:
  vault: {description: Closed, subscribers: {users: [ada@acme.example, ben@acme.example], exact: true}, permissions: {can_subscribe_group: role:nobody}}
  lobby: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, ivo@partner.example], exact: true}}
user_groups:
  keepers: {members: [elif@acme.example, hana@acme.example]}
people:
  farah@acme.example: {role: guest}
`;
const OPENERS: readonly [string, ...string[]] = ["public", "role:everyone", "role:members", "keepers", "owner"];
const EVERYBODY = ["ada@acme.example", "ben@acme.example", "elif@acme.example", "ivo@partner.example"];

/** Who reads or could read each channel that is private now, and who has which role. */
function accessNow(closed: readonly number[]): ReadonlySet<string> {
  const state = world.sandbox.state();
  return new Set(
    Object.values(state.users).flatMap((user) => [
      ...closed
        .flatMap((id) => state.channels[id] ?? [])
        .filter((channel) => mayCome(state, user, channel, "read"))
        .map(({ stream_id }) => `${user.user_id} reads ${stream_id}`),
      ...[100, 200].filter((role) => user.role <= role).map((role) => `${user.user_id} is ${role}`),
    ]),
  );
}

/** One of the values of before a run that an undo would give back: now one that opens something. */
function opened(line: string, dice: Dice): string {
  const { sum: _, code: __, ...entry } = jsonOf(line);
  const text = JSON.stringify(entry).replaceAll(/"before":(\[[^\]]*\]|"[^"]*"|null)/g, (found, value: string) =>
    dice.below(2) === 0 ? found : `"before":${JSON.stringify(value.startsWith("[") ? EVERYBODY : dice.one(OPENERS))}`,
  );
  return new Lines(dice.below(2) === 0 ? undefined : journalCode(new Secret("x".repeat(32)))).lineOf(text).trimEnd();
}

describe("any edit of a journal that is undone", () => {
  test("is refused; if somebody asks for it nevertheless, nobody reads more or becomes more without being confirmed", async () => {
    const seen = { refused: 0, done: 0 };
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const dice = new Dice(seed);
      world.restart();
      world.file("realm.yaml", UNDONE);
      const ran = await world.realmctl("apply --yes --allow people_gaining_access --allow opened");
      expect(ran.code, ran.err + ran.out).toBe(EXIT.done);
      const [name = ""] = world.journals();
      const genuine = world.read(`.realmctl/${name}`);
      const [first = "", ...lines] = genuine.split("\n").filter((line) => line !== "");
      const edited = seed % 3 === 0 ? edit([first, ...lines], dice) : textOf([opened(first, dice), ...lines]);
      if (genuine.startsWith(edited)) continue;
      world.file(`.realmctl/${name}`, edited);
      const sentBefore = bodies();
      const closed = Object.values(world.sandbox.state().channels).flatMap(({ invite_only, stream_id }) =>
        invite_only ? [stream_id] : [],
      );
      const before = accessNow(closed);
      const refused = await world.realmctl(`apply --yes --undo .realmctl/${name}`);
      const isRefused = refused.code === EXIT.errors || refused.code === EXIT.conflict;
      expect([seed, isRefused, bodies()]).toEqual([seed, true, sentBefore]);
      const asked = await world.realmctl(`apply --yes --undo .realmctl/${name} --foreign-journal`);
      expect([seed, asked.code === 70, [...accessNow(closed)].filter((one) => !before.has(one))]).toEqual([
        seed,
        false,
        [],
      ]);
      seen[asked.code === EXIT.refusedByGuard ? "refused" : "done"] += 1;
    }
    expect(seen.refused).toBeGreaterThan(0);
  });
});

describe("any edit of a run before the last one", () => {
  /** Two runs that each end after one request, the second of which continues the first; their journals. */
  async function twoRuns(line: string): Promise<readonly string[]> {
    for (const _ of ["first", "second"]) {
      const onStart = (how: () => void): void => {
        interrupt = how;
      };
      const { code, err } = await world.realmctl(line, { onStart });
      interrupt = () => {};
      expect([code, err]).toEqual([EXIT.appliedInPart, expect.stringContaining("Stopping")]);
      // As a run leaves it whose process died: one that says its end is not continued.
      const [last = ""] = inTime().slice(-1);
      world.file(`.realmctl/${last}`, textOf(linesOf(last).slice(0, -1)));
    }
    return inTime();
  }
  const linesOf = (name: string): readonly string[] =>
    world
      .read(`.realmctl/${name}`)
      .split("\n")
      .filter((line) => line !== "");
  /** `….jsonl` comes before `…-1.jsonl`. */
  const inTime = (): readonly string[] =>
    world
      .journals()
      .map((name) => name.replace(".jsonl", ""))
      .sort()
      .map((name) => `${name}.jsonl`);
  /** Something in the first journal that nobody but its run could have written; undefined if it may be what an interrupted run leaves. */
  function editFirst([name = ""]: readonly string[], dice: Dice, isOpening: boolean): string | undefined {
    const [first = "", ...lines] = linesOf(name);
    const edited = isOpening ? textOf([opened(first, dice), ...lines]) : edit([first, ...lines, ""], dice);
    if (textOf([first, ...lines]).startsWith(edited)) return undefined;
    world.file(`.realmctl/${name}`, edited);
    return name;
  }

  test("a third run sends what it would send without the edit", async () => {
    await save();
    const line = "apply realm.plan --yes";
    again();
    await twoRuns(line);
    expect((await world.realmctl(line)).code).toBe(EXIT.done);
    const expected = bodies();
    expect(expected.length).toBeGreaterThan(2);
    for (let seed = 1; seed <= RUNS / 2; seed += 1) {
      again();
      if (editFirst(await twoRuns(line), new Dice(seed), false) === undefined) continue;
      const ran = await world.realmctl(line);
      expect([seed, ran.code, bodies()], ran.err + ran.out).toEqual([seed, EXIT.done, expected]);
    }
  });

  test("an undo of all leaves it aside, and names it; nobody gains more than by the runs that are undone", async () => {
    const allow = "--allow people_gaining_access --allow opened";
    /** Three runs, the first of which is edited, and the last one. */
    async function threeRuns(editing: (journals: readonly string[]) => string | undefined) {
      world.restart();
      world.file("realm.yaml", UNDONE);
      await save();
      const edited = editing(await twoRuns(`apply realm.plan --yes ${allow}`));
      const done = await world.realmctl(`apply realm.plan --yes ${allow}`);
      expect(done.code, done.err + done.out).toBe(EXIT.done);
      return { edited, last: inTime().at(-1) };
    }
    const channels = () => Object.values(world.sandbox.state().channels).map(({ stream_id }) => stream_id);
    const { last: all } = await threeRuns(() => undefined);
    expect((await world.realmctl(`apply --yes ${allow} --undo .realmctl/${all}`)).code).toBe(EXIT.done);
    const given = accessNow(channels());
    for (let seed = 1; seed <= RUNS / 2; seed += 1) {
      const { edited, last } = await threeRuns((journals) => editFirst(journals, new Dice(seed), seed % 3 !== 0));
      if (edited === undefined) continue;
      const before = accessNow(channels());
      const gained = () => [...accessNow(channels())].filter((one) => !before.has(one));
      const forced = await world.realmctl(`apply --yes --undo .realmctl/${last} --foreign-journal`);
      expect([seed, forced.code === 70, gained()], forced.err + forced.out).toEqual([seed, false, []]);
      const undone = await world.realmctl(`apply --yes ${allow} --undo .realmctl/${last}`);
      expect([EXIT.done, EXIT.errors], `seed ${seed}`).toContain(undone.code);
      expect(undone.err + undone.out).toContain(edited);
      expect([seed, gained().filter((one) => !given.has(one))]).toEqual([seed, []]);
    }
  });
});

describe("any edit of a journal in the checkout of a job", () => {
  test("ends the job before anything is sent, or nothing of it is used", async () => {
    const repository = await Repository.start({ from: ORGANIZATION });
    const outer = world;
    world = repository.world;
    const apply = () =>
      repository.run("apply", { event: "push", sha: SHA.main, inputs: { reviewed: "ignore", comment: "false" } });
    try {
      repository.pull(FILE, FILE);
      expect(await apply()).toMatchObject({ code: EXIT.done });
      const expected = bodies();
      const folder = `${repository.workspace}/.realmctl`;
      const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
      const genuine = readFileSync(`${folder}/${name}`, "utf8").trimEnd().split("\n");
      const seen = { refused: 0, done: 0 };
      for (let seed = 1; seed <= RUNS; seed += 1) {
        const edited = edit(genuine, new Dice(seed));
        if (textOf(genuine).startsWith(edited)) continue;
        world.sandbox.reset();
        rmSync(folder, { recursive: true });
        repository.file(`.realmctl/${name}`, edited);
        const { code, log } = await apply();
        expect([seed, code, bodies()], log).toEqual(
          code === EXIT.errors ? [seed, EXIT.errors, []] : [seed, EXIT.done, expected],
        );
        seen[code === EXIT.errors ? "refused" : "done"] += 1;
      }
      expect(seen.refused).toBeGreaterThan(0);
    } finally {
      world = outer;
      await repository.end();
    }
  });
});

/** Without its end, so that it could be continued, and edited in one or more places. */
function edit(genuine: readonly string[], dice: Dice): string {
  const lines = genuine.slice(0, -1);
  const at = dice.below(lines.length);
  const draw = dice.below(5);
  const without = lines.filter((_, index) => index !== at);
  // A line that is missing at the end leaves what an interrupted run could have left.
  if (draw === 0) return textOf(at === lines.length - 1 ? without.slice(1) : without);
  if (draw === 1) return textOf([...without.slice(0, -1), lines[at] ?? "", ...without.slice(-1), lines[at] ?? ""]);
  const changed = lines.map((line, index) => (index === at || dice.below(4) === 0 ? changedLine(line, dice) : line));
  return textOf(changed.map((line, index) => (index === at ? changedLine(line, dice) : line)));
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Another value anywhere or an other id, with a right checksum; the code is kept, left out, or of another key. */
function changedLine(line: string, dice: Dice): string {
  const { sum: _, code, ...entry } = jsonOf(line);
  const other: Json =
    entry.entry === "learned" ? { ...entry, ids: { "channel:lounge": vault() } } : mutateJson(entry, dice);
  const codeOf: CodeOf | undefined = dice.below(2) === 0 ? journalCode(new Secret("x".repeat(32))) : undefined;
  const made = new Lines(codeOf)
    .lineOf(JSON.stringify(isObject(other) && !isList(other) ? other : { entry: "end" }))
    .trimEnd();
  return codeOf === undefined && dice.below(2) === 0 ? made.replace(/\}$/, `,"code":"${String(code)}"}`) : made;
}
