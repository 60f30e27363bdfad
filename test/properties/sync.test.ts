import { rmSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import type { ListPart } from "../../src/model/counted.ts";
import { EXIT, error, Failure } from "../../src/model/diagnostic.ts";
import type { WireCall } from "../../src/model/journal.ts";
import { type HeldChange, heldKey, type SyncEvent } from "../../src/model/sync.ts";
import { planLists, SharedReader, syncRealm } from "../../src/workflow/sync.ts";
import type { Heard } from "../../src/zulip/event-queue.ts";
import { temporaryDirectory } from "../support/directory.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { isSoak } from "../support/sample.ts";
import { must, World } from "../support/world.ts";

/*
 * A day of joins and leaves in simulated time. While `sync` waits for an event, others change groups and lists; then it reads and writes. The organization
 * must be as the file says whenever it waits again, and the requests must be the fewest that lead there: for one or two lists, one request for each
 * different set of people to add, and one for each to remove.
 */

const FILE = `version: 1
policy:
  sync: [channels.*.subscribers]
  limits: {people_gaining_access: 100, opened: 100}
user_groups:
  engineering: {description: Never written by sync}
channels:
  design: {subscribers: {groups: [engineering], exact: true}}
  war-room: {privacy: private_shared_history, subscribers: {groups: [engineering, operations], users: [ada@acme.example], exact: true}}
`;

const LIVE = realmOf({
  user_groups: [
    { name: "engineering", members: ["elif@acme.example"] },
    { name: "operations", members: ["ben@acme.example"] },
    { name: "crew", members: ["farah@acme.example", "gustavo@acme.example"] },
  ],
  channels: [
    { name: "design", stream_id: 71 },
    { name: "war-room", stream_id: 72, invite_only: true },
    // Whoever is in crew can let themselves in: groups count from 30.
    { name: "den", stream_id: 73, invite_only: true, can_subscribe_group: 32 },
  ],
  subscribers: { design: ["ada@acme.example"], "war-room": ["ada@acme.example"], den: ["ada@acme.example"] },
});

/** Everybody but the account itself: if somebody takes it out of a private channel, it may not come back. */
const PEOPLE = LIVE.users.filter(
  ({ is_bot, is_active, user_id: id }) => !is_bot && is_active && id !== LIVE.account.user_id,
);
const GROUPS = ["engineering", "operations", "crew"] as const;
const CHANNELS = ["design", "war-room"] as const;
/** With the one that only the file with guard rails has. */
const ALL_CHANNELS = [...CHANNELS, "den"] as const;
const CREW = ["farah@acme.example", "gustavo@acme.example"];
const groupId = (name: string): number => LIVE.user_groups.find((group) => group.name === name)?.id ?? 0;
const channelId = (name: string): number => LIVE.channels.find((channel) => channel.name === name)?.stream_id ?? 0;

/** What somebody does. */
interface Edit {
  readonly of: "group" | "channel";
  readonly which: number;
  readonly person: number;
  readonly joins: boolean;
}
/** What happens until the next reading: edits, and what becomes of the queue. */
interface Step {
  readonly edits: readonly Edit[];
  /** While `sync` waits a moment for more events. */
  readonly late: readonly Edit[];
  /** Before its first request. */
  readonly meanwhile: readonly Edit[];
  readonly minutes: number;
  readonly queue: "events" | "lost" | "away";
  /** The process ends before this request, or before its answer, and another one starts. */
  readonly killed: { readonly at: number; readonly when: "before" | "after" } | undefined;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  of: fc.constantFrom("group" as const, "group" as const, "group" as const, "channel" as const),
  which: fc.nat(2),
  person: fc.nat(PEOPLE.length - 1),
  joins: fc.boolean(),
});
const edits = (maxLength: number) => fc.array(edit, { maxLength });
const calm: fc.Arbitrary<Step> = fc.record({
  edits: edits(5),
  late: edits(2),
  meanwhile: fc.constant([]),
  minutes: fc.integer({ min: 1, max: 60 }),
  queue: fc.constant("events" as const),
  killed: fc.constant(undefined),
});
const restless: fc.Arbitrary<Step> = fc.record({
  edits: edits(5),
  late: edits(2),
  meanwhile: edits(2),
  minutes: fc.integer({ min: 1, max: 60 }),
  queue: fc.constantFrom("events" as const, "events" as const, "lost" as const, "away" as const),
  killed: fc.option(fc.record({ at: fc.nat(2), when: fc.constantFrom("before" as const, "after" as const) }), {
    nil: undefined,
    freq: 4,
  }),
});

class Killed extends Error {}

/** The ids of people, by the name of a list. */
interface Lists {
  readonly wanted: { readonly [name: string]: readonly number[] };
  readonly live: { readonly [name: string]: readonly number[] };
}

/** An organization in which a day passes. */
class Day {
  readonly world = new World(LIVE);
  readonly directory = temporaryDirectory("day");
  readonly told: SyncEvent[] = [];
  /** Writing requests of `sync` since it last waited. */
  private sent = 0;
  private least: number | undefined;
  private step: Step | undefined;
  private now = Date.parse(LIVE.taken_at);
  private isHalfway = false;
  private readonly steps: Step[];
  private readonly checksLeast: boolean;
  private readonly file: string;

  constructor(steps: readonly Step[], checksLeast: boolean, file = FILE) {
    this.steps = [...steps];
    this.checksLeast = checksLeast;
    this.file = file;
  }

  /** Starts `sync` again and again until the day is over. */
  async pass(): Promise<void> {
    for (;;) {
      try {
        return await this.process();
      } catch (thrown) {
        if (!(thrown instanceof Killed)) throw thrown;
      }
    }
  }

  private async process(): Promise<void> {
    const { world, directory } = this;
    const client = world.as("ada@acme.example");
    const shared = new SharedReader(client.reader, () => this.now);
    const over = new AbortController();
    const writer: typeof client.writer = {
      ...client.writer,
      send: async (call, ...more) => {
        if (!this.isHalfway) await this.others(this.step?.meanwhile ?? []);
        this.isHalfway = true;
        const dies = this.step?.killed?.at === this.sent ? this.step.killed.when : undefined;
        if (dies !== undefined) this.step = undefined;
        if (dies === "before") throw new Killed();
        this.sent += 1;
        const answer = await client.writer.send(call, ...more);
        if (dies === "after") throw new Killed();
        return answer;
      },
    };
    const stop = { requested: false, signal: over.signal };
    const now = () => this.now;
    await syncRealm({
      open: async () => ({ wait: () => this.wait(over), close: async () => {} }),
      plan: async () => {
        const found = await planLists({ file: "realm.yaml", readFile: async () => this.file, reader: shared.ofPlan });
        this.least ??= await this.leastRequests();
        return must(found);
      },
      runs: {
        ...{ file: "realm.yaml", reader: shared.ofRun, writer, directory, temporary: directory },
        ...{ now, allow: [], stop },
      },
      tell: async (event) => void this.told.push(event),
      now,
      intervalMs: 600_000,
      sleep: async (ms) => {
        this.now += ms;
        await this.others(this.step?.late ?? []);
      },
      random: () => 0,
      signal: over.signal,
    });
  }

  /** Everything is as the file says. */
  protected async check(): Promise<void> {
    const { wanted, live } = await this.lists();
    expect(live, JSON.stringify(this.told.slice(-3))).toEqual(wanted);
  }

  /** Everything is checked; then the next hour passes. */
  private async wait(over: AbortController): Promise<Heard> {
    await this.check();
    if (this.checksLeast && this.least !== undefined) expect(this.sent).toBe(this.least);
    this.sent = 0;
    this.least = undefined;
    this.isHalfway = false;
    this.step = this.steps.shift();
    if (this.step === undefined) {
      over.abort();
      return { heard: "stopped" };
    }
    const { minutes, queue } = this.step;
    this.now += minutes * 60_000;
    if (queue === "away") {
      this.steps.unshift({ ...this.step, queue: "events" });
      this.step = undefined;
      return {
        heard: "failure",
        failure: new Failure(EXIT.unreachable, error("apply/sync-unfinished", { left: 0, calls: 0 })),
      };
    }
    await this.others(this.step.edits);
    return queue === "lost" ? { heard: "lost" } : { heard: "events", types: ["user_group"] };
  }

  private async others(all: readonly Edit[]): Promise<void> {
    const { writer } = this.world.as("ada@acme.example");
    for (const { of, which, person, joins } of all) {
      const id = PEOPLE[person]?.user_id ?? 0;
      const call: WireCall =
        of === "group"
          ? {
              operation: "update-user-group-members",
              path: { user_group_id: groupId(GROUPS[which] ?? "") },
              params: { [joins ? "add" : "delete"]: [id] },
            }
          : joins
            ? {
                operation: "subscribe",
                path: {},
                params: { subscriptions: [{ name: ALL_CHANNELS[which] ?? "" }], principals: [id] },
              }
            : {
                operation: "unsubscribe",
                path: {},
                params: { subscriptions: [ALL_CHANNELS[which] ?? ""], principals: [id] },
              };
      // Who is there already cannot join again: the server refuses it.
      await writer.send(call);
    }
  }

  /** Who should be in the channels, and who is, worked out from the state of the server alone. */
  protected async lists(): Promise<Lists> {
    const { user_groups: groups, subscriptions } = this.world.sandbox.state();
    const members = (name: string): readonly number[] => groups[groupId(name)]?.members ?? [];
    const ada = LIVE.users.find(({ delivery_email: address }) => address === "ada@acme.example")?.user_id ?? 0;
    const sorted = (ids: Iterable<number>) => [...new Set(ids)].sort((a, b) => a - b);
    return {
      wanted: {
        design: sorted(members("engineering")),
        "war-room": sorted([...members("engineering"), ...members("operations"), ada]),
      },
      live: Object.fromEntries(
        CHANNELS.map((name) => [
          name,
          sorted(
            Object.entries(subscriptions[channelId(name)] ?? {}).flatMap(([id, { active }]) =>
              active ? [Number(id)] : [],
            ),
          ),
        ]),
      ),
    };
  }

  private async leastRequests(): Promise<number> {
    const { wanted, live } = await this.lists();
    const different = (from: Lists["live"], to: Lists["live"]): number =>
      new Set(
        CHANNELS.map((name) => (to[name] ?? []).filter((id) => !(from[name] ?? []).includes(id)).join()).filter(
          (ids) => ids !== "",
        ),
      ).size;
    return different(live, wanted) + different(wanted, live);
  }

  end(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

let day: Day | undefined;
afterEach(() => day?.end());

const runs = { endOnFailure: true, numRuns: isSoak ? Math.ceil(Number(process.env.REALMCTL_RUNS) / 20) : 1 };
const length = isSoak ? 60 : 12;
const TIMEOUT_MS = isSoak ? 3_600_000 : 60_000;

test("a day of joins and leaves: always as the file says, with the fewest requests", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(calm, { minLength: length, maxLength: length }), async (steps) => {
      day = new Day(steps, true);
      await day.pass();
      expect(day.told.filter(({ event }) => event === "pause")).toEqual([]);
      day.end();
    }),
    runs,
  );
});

test("a restless day: others change the same lists before each request, queues are lost, the server is away, the process is killed", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(restless, { minLength: length, maxLength: length }), async (steps) => {
      day = new Day(steps, false);
      await day.pass();
      day.end();
    }),
    runs,
  );
});

/** Guard rails that random edits meet again and again. */
interface Guards {
  readonly gaining: number | undefined;
  readonly losing: number;
  readonly protect: readonly string[];
}

const guards: fc.Arbitrary<Guards> = fc.record({
  gaining: fc.option(fc.nat(2), { nil: undefined }),
  losing: fc.constantFrom(0, 1, 2, 1_000, 1_000, 1_000),
  protect: fc.subarray(["channel:design", "channel:den", "user_group:crew"], { maxLength: 1 }),
});

const guardedFile = ({ gaining, losing, protect }: Guards): string => `version: 1
policy:
  sync: [channels.*.subscribers, user_groups.crew.members]
  protect: ${JSON.stringify(protect)}
  limits: {people_losing_access: ${losing}${gaining === undefined ? "" : `, people_gaining_access: ${gaining}, opened: 5`}}
user_groups:
  crew: {members: ${JSON.stringify(CREW)}}
channels:
  design: {subscribers: {groups: [engineering], exact: true}}
  war-room: {privacy: private_shared_history, subscribers: {groups: [engineering, operations], users: [ada@acme.example], exact: true}}
  den: {privacy: private_shared_history, subscribers: {groups: [operations], users: [ada@acme.example], exact: true}}
`;

const idOf = (name: string): number =>
  LIVE.users.find(({ delivery_email: address }) => address === name)?.user_id ?? Number(name.replace("user:", ""));

/** A day under guard rails: what waits is what they are about, and everything else is as the file says. */
class GuardedDay extends Day {
  private readonly guards: Guards;

  constructor(steps: readonly Step[], own: Guards) {
    super(steps, false, guardedFile(own));
    this.guards = own;
  }

  protected override async check(): Promise<void> {
    const { losing, gaining, protect } = this.guards;
    const { wanted, live } = await this.lists();
    const { user_groups: groups, subscriptions } = this.world.sandbox.state();
    const ids = (name: string): readonly number[] =>
      Object.entries(subscriptions[channelId(name)] ?? {}).flatMap(([id, { active }]) => (active ? [Number(id)] : []));
    const lists = new Map<string, readonly [wanted: readonly number[], live: readonly number[]]>([
      ["channel:design", [wanted.design ?? [], live.design ?? []]],
      ["channel:war-room", [wanted["war-room"] ?? [], live["war-room"] ?? []]],
      ["channel:den", [[...(groups[groupId("operations")]?.members ?? []), idOf("ada@acme.example")], ids("den")]],
      ["user_group:crew", [CREW.map(idOf), groups[groupId("crew")]?.members ?? []]],
    ]);
    const held = this.held();
    const waits = (address: string, part: ListPart): ReadonlySet<number> =>
      new Set(
        held.flatMap(({ list, part: own, names }) =>
          list.object.address === address && own === part ? names.map(idOf) : [],
        ),
      );
    const last = JSON.stringify(this.told.slice(-3));
    const [losers, gainers] = [new Set<number>(), new Set<number>()];
    for (const [address, [all, now]] of lists) {
      const extra = new Set(now.filter((id) => !all.includes(id)));
      const missing = new Set(all.filter((id) => !now.includes(id)));
      // Nothing is left undone that is not said, and nothing is said that is not so.
      expect(extra, `${address} ${last}`).toEqual(waits(address, "removals"));
      expect(missing, `${address} ${last}`).toEqual(waits(address, "additions"));
      if (protect.includes(address)) continue;
      for (const id of extra) losers.add(id);
      for (const id of missing) gainers.add(id);
    }
    // Of a list that no guard rail is about, nothing waits.
    if (!protect.includes("channel:design")) expect(waits("channel:design", "additions"), last).toEqual(new Set());
    if (losing === 1_000) expect(losers, last).toEqual(new Set());
    // What waits exceeds the limit by itself.
    if (losers.size > 0)
      expect(losers.size, `${JSON.stringify([...losers])} ${JSON.stringify(held)} ${last}`).toBeGreaterThan(losing);
    if (gainers.size > 0)
      expect(gainers.size, `${JSON.stringify([...gainers])} ${JSON.stringify(held)} ${last}`).toBeGreaterThan(
        gaining ?? 0,
      );
    expect(this.told.filter(({ event }) => event === "pause")).toEqual([]);
  }

  private held(): readonly HeldChange[] {
    let held: readonly HeldChange[] = [];
    for (const event of this.told) {
      if (event.event === "hold") held = event.held;
      if (event.event !== "release") continue;
      const released = new Set(event.released.map(heldKey));
      held = held.filter((one) => !released.has(heldKey(one)));
    }
    return held;
  }
}

test("a day under guard rails: whatever waits for them, everything else is kept, and nobody stays in another list", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(guards, fc.array(calm, { minLength: length, maxLength: length }), async (own, steps) => {
      day = new GuardedDay(steps, own);
      await day.pass();
      day.end();
    }),
    { ...runs, numRuns: runs.numRuns * 2 },
  );
});
