import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adopt } from "../src/adopt/adopt.ts";
import { kinds } from "../src/kinds/registry.ts";
import { type DraftCall, exists } from "../src/model/draft-call.ts";
import type { Json } from "../src/model/json.ts";
import type { Address } from "../src/model/plan.ts";
import { ROLE } from "../src/model/roles.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { withoutCycles } from "../src/plan/cycles.ts";
import { snapshotText } from "../src/zulip/snapshot.ts";
import { runCommandLine } from "./support/cli/command-line.ts";
import { realmOf } from "./support/realm.ts";
import { World } from "./support/world.ts";

// Work is counted, not timed: how often V8 ran each part of the sources for a file, and for a file of twice the length. If something is done for each
// pair of things in a file, the count grows fourfold.
const SIZE = 50;
/** Twice, with room for what only long texts need; work on pairs would need four times. */
const MOST_GROWTH = 3.6;
/** A part that runs less often than this for each thing in the longer file takes negligible time. */
const LEAST_RUNS = 12 * SIZE;

type Named = { readonly [name: string]: Json };
const named = (size: number, prefix: string, item: (index: number) => Json, suffix = ""): Named =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`${prefix}${index}${suffix}`, item(index)]));
const listed = (size: number, item: (index: number) => Json): Json =>
  Array.from({ length: size }, (_, index) => item(index));
const ADA = "ada@acme.example";

/** Files that each grow in one way. */
const FILES: { readonly [name: string]: (size: number) => Named } = {
  "a chain of groups": (size) => ({
    user_groups: named(size, "g", (at) => (at === 0 ? { members: [ADA] } : { subgroups: [`g${at - 1}`] })),
  }),
  "groups in pairs, each of which contains both of the pair below": (size) => ({
    user_groups: named(size, "g", (at) =>
      at < 2 ? { members: [ADA] } : { subgroups: [`g${at - 2 - (at % 2)}`, `g${at - 1 - (at % 2)}`] },
    ),
  }),
  "groups that manage each other in a cycle": (size) => ({
    user_groups: named(size, "g", (at) => ({ permissions: { can_manage_group: `g${(at + 1) % size}` } })),
  }),
  "a group of groups": (size) => ({
    user_groups: { ...named(size, "g", () => ({})), all: { subgroups: listed(size, (at) => `g${at}`) } },
  }),
  "private channels for a chain of groups": (size) => ({
    user_groups: named(size, "g", (at) => (at === 0 ? { members: [ADA] } : { subgroups: [`g${at - 1}`] })),
    channels: named(size, "c", (at) => ({
      privacy: "private_shared_history",
      permissions: {
        can_subscribe_group: `g${at}`,
        can_send_message_group: { groups: [`g${size - 1 - at}`], users: [ADA] },
      },
      subscribers: { groups: [`g${at}`] },
    })),
  }),
  "channels whose names are not in ASCII": (size) => ({
    channels: named(size, "\u00e9", () => ({ description: "d" })),
  }),
  "channels in folders": (size) => ({
    channel_folders: named(size, "f", () => ({ description: "d" })),
    channels: named(size, "c", (at) => ({ folder: `f${size - 1 - at}` })),
  }),
  "default channels": (size) => ({
    channels: named(size, "c", () => ({ description: "d" })),
    default_channels: listed(size, (at) => `c${at}`),
  }),
  linkifiers: (size) => ({
    linkifiers: listed(size, (at) => ({
      pattern: `A${at}-(?P<id>[0-9]+)`,
      url_template: `https://a.example.org/${at}/{id}`,
    })),
  }),
  invitations: (size) => ({
    user_groups: { crew: {} },
    channels: named(size, "c", () => ({ description: "d" })),
    invites: listed(size, (at) => ({
      emails: [`p${at}@acme.example`],
      send_until: "2026-11-28",
      groups: ["crew"],
      channels: [`c${at}`],
      welcome_message_custom_text: `w${at}`,
    })),
  }),
  "channels that are to have another name": (size) => ({
    channels: named(size, "new", (at) => ({ was: `old${at}` })),
  }),
  "patterns of what is protected": (size) => ({
    policy: { protect: listed(size, (at) => `channel:c${at}`) },
    channels: named(size, "c", () => ({ description: "d" })),
  }),
  "channels that are archived": (size) => ({ channels: named(size, "old", () => ({ archived: true })) }),
  profiles: (size) => ({
    profiles: named(size, "p", () => ({ description: "d" })),
    channels: named(size, "c", (at) => ({ profile: `p${at}` })),
  }),
};

/** Files in which all of many people, groups, bots or folders of the server change. */
const CHANGED: { readonly [name: string]: (size: number) => Named } = {
  "people who get another role, and channels whose rights change": (size) => ({
    people: named(size, "p", () => ({ role: "moderator" }), "@acme.example"),
    channels: named(size, "old", () => ({ permissions: { can_send_message_group: "role:moderators" } })),
  }),
  "people who are deactivated, with their bots": (size) => ({
    people: named(size, "p", () => ({ deactivated: true }), "@acme.example"),
  }),
  "bots that get another owner and another role": (size) => ({
    bots: named(size, "b", () => ({ owner: ADA, role: "moderator" }), "-bot"),
  }),
  "groups that are deactivated": (size) => ({ user_groups: named(size, "g", () => ({ absent: true })) }),
  "folders that are archived after their channels left": (size) => ({
    channel_folders: named(size, "f", () => ({ absent: true })),
    channels: named(size, "old", () => ({ folder: null })),
  }),
  "emoji and playgrounds that are removed": (size) => ({
    emoji: named(size, "e", () => ({ absent: true })),
    playgrounds: listed(size, (at) => ({ language: "Rust", name: `P${at}`, absent: true })),
  }),
};

const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

type Runs = ReadonlyMap<string, number>;

/** How often each part of the sources ran for some work, by place. */
async function countRuns(work: () => Promise<void>): Promise<Runs> {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const runs = new Map<string, number>();
  for (const { url, functions } of result)
    if (url.includes("/.sources/") || url.includes("node_modules/yaml"))
      for (const { functionName, ranges } of functions)
        for (const { startOffset, count } of ranges)
          runs.set(`${url.replace(/^.*\/(\.sources|node_modules)\//, "")} ${functionName} +${startOffset}`, count);
  return runs;
}

/** Parts whose count grows faster than the size, with some room. */
async function growingTooMuch(runsFor: (size: number) => Promise<Runs>, leastPlaces = 300): Promise<readonly string[]> {
  // A run that is not compared: tables that are made at the first use would count as work of the smaller size.
  await runsFor(SIZE);
  const [once, twice] = [await runsFor(SIZE), await runsFor(2 * SIZE)];
  expect(twice.size).toBeGreaterThan(leastPlaces);
  return [...twice]
    .filter(([place, count]) => count > LEAST_RUNS && count > MOST_GROWTH * (once.get(place) ?? count))
    .map(([place, count]) => `${once.get(place) ?? 0} → ${count} ${place}`);
}

const oldChannels = (size: number) => Array.from({ length: size }, (_, at) => ({ name: `old${at}` }));

function planning(size: number, file: Named): Promise<Runs> {
  const old = oldChannels(size);
  const subscribers = Object.fromEntries(old.map(({ name }) => [name, []]));
  const channels = [{ name: "general" }, ...old];
  return plansOf(realmOf({ channels, subscribers: { general: [ADA], ...subscribers }, invites: [] }), file);
}

/** Of five times as many channels, this number is not on the server, and as many are unknown: with words that all, some and no others have. */
function lookingRenamed(size: number): Promise<Runs> {
  const described = (at: number, more: string) => `About all team${at % Math.ceil(size / 40)} topic${at} ${more}`;
  const common = Array.from({ length: 4 * size }, (_, at) => ({
    name: `c${at}`,
    description: described(-1, `n${at}`),
  }));
  const strangers = Array.from({ length: size }, (_, at) => ({ name: `old${at}`, description: described(at, "here") }));
  const file = {
    ...Object.fromEntries(common.map(({ name, description }) => [name, { description }])),
    ...named(size, "new", (at) => ({ description: described(at, "there") })),
  };
  return plansOf(realmOf({ channels: [...common, ...strangers] }), { channels: file });
}

test("new channels that look like unknown ones: twice as many take twice the work", async () => {
  expect(await growingTooMuch((size) => lookingRenamed(4 * size))).toEqual([]);
});

/** An organization with as many people, each with a bot, groups, and folders with one channel each. */
function populated(size: number): Snapshot {
  const realm = realmOf({
    channels: oldChannels(size).map((channel, index) => ({ ...channel, folder_id: index + 1 })),
    channel_folders: Array.from({ length: size }, (_, index) => ({ name: `f${index}` })),
    user_groups: Array.from({ length: size }, (_, index) => ({ name: `g${index}` })),
    emoji: Object.fromEntries(Array.from({ length: size }, (_, index) => [`e${index}`, ADA])),
    playgrounds: Array.from({ length: size }, (_, index) => ({
      language: "Rust",
      name: `P${index}`,
      url_template: "https://play.example.org/?code={code}",
    })),
    // Somebody who owns no bots: the bots of a subscriber post, too, so the answer itself would have all bots for each channel.
    subscribers: Object.fromEntries(oldChannels(size).map(({ name }) => [name, ["ben@acme.example"]])),
    invites: [],
  });
  const [member] = realm.users.filter(({ role, is_bot, is_active }) => role === ROLE.member && !is_bot && is_active);
  if (member === undefined) throw new RangeError("nobody in the reading");
  const people = Array.from({ length: size }, (_, index) => {
    const email = `p${index}@acme.example`;
    return { ...member, user_id: 10_000 + index, email, delivery_email: email, full_name: email };
  });
  const bots = people.map((owner, index) => {
    const email = `b${index}-bot@acme.example`;
    const is = { is_bot: true, bot_type: 1, bot_owner_id: owner.user_id };
    return { ...owner, ...is, user_id: 20_000 + index, email, delivery_email: email, full_name: email };
  });
  const ids = [...people, ...bots].map(({ user_id }) => user_id);
  return {
    ...realm,
    users: [...realm.users, ...people, ...bots],
    user_groups: realm.user_groups.map((group) =>
      group.name === "role:members" ? { ...group, members: [...group.members, ...ids] } : group,
    ),
  };
}

function plansOf(realm: Snapshot, file: Named): Promise<Runs> {
  const files = { "realm.yaml": JSON.stringify({ version: 1, ...file }), "realm.json": snapshotText(realm) };
  return countRuns(async () => {
    const ran = await runCommandLine(["plan", "--snapshot", "realm.json"], { files });
    expect(ran.err).not.toContain("error[");
    // Otherwise nothing is counted.
    expect(ran.out).not.toMatch(/^No changes/);
  });
}

test.each(Object.entries(FILES))("%s: twice as many objects take twice the work", async (_, file) => {
  expect(await growingTooMuch((size) => planning(size, file(size)))).toEqual([]);
});

test.each(Object.entries(CHANGED))("%s: twice as many changes take twice the work", async (_, file) => {
  expect(await growingTooMuch((size) => plansOf(populated(size), file(size)))).toEqual([]);
});

/** The same, but each channel is private and admits a group of its own. */
function admitting(size: number): Snapshot {
  const realm = populated(size);
  const idOf = new Map(realm.user_groups.map(({ name, id }) => [name, id]));
  const opened = realm.channels.map((channel, index) => ({
    ...channel,
    invite_only: true,
    can_subscribe_group: idOf.get(`g${index}`) ?? Number.NaN,
  }));
  // The account that invites somebody into a private channel must be able to read it.
  const { user_id } = realm.account;
  const subscribers = Object.entries(realm.subscribers ?? {}).map(([id, ids]): [string, number[]] => [
    id,
    [user_id, ...ids],
  ]);
  return { ...realm, channels: opened, subscribers: Object.fromEntries(subscribers) };
}

const ADMITTED: { readonly [name: string]: (size: number) => Named } = {
  "groups that somebody joins": (size) => ({ user_groups: named(size, "g", () => ({ members: [ADA] })) }),
  "invitations into a channel and a group": (size) => ({
    invites: listed(size, (at) => ({
      emails: [`i${at}@acme.example`],
      send_until: "2026-11-28",
      channels: [`old${at}`],
      groups: [`g${size - 1 - at}`],
    })),
  }),
};

test.each(Object.entries(ADMITTED))("%s, with a private channel for each: twice the work", async (_, file) => {
  expect(await growingTooMuch((size) => plansOf(admitting(size), file(size)))).toEqual([]);
});

test("rules, each about one channel or one group: twice as many take twice the work", async () => {
  const tests = (size: number): Json =>
    listed(2 * size, (at) => ({
      name: `t${at}`,
      objects: at % 2 === 0 ? `old${at / 2}` : `user_group:g${(at - 1) / 2}`,
      rights: { [at % 2 === 0 ? "post" : "mention"]: { at_most: 100_000 } },
    }));
  const holding = (size: number) => {
    const files = {
      "realm.yaml": "version: 1\n",
      "realm.test.yaml": JSON.stringify({ version: 1, tests: tests(size) }),
      "realm.json": snapshotText(populated(size)),
    };
    return countRuns(async () => {
      const ran = await runCommandLine(["test", "--snapshot", "realm.json"], { files });
      expect(ran).toMatchObject({ exitCode: 0, err: expect.not.stringContaining("error[") });
    });
  };
  expect(await growingTooMuch(holding)).toEqual([]);
});

const created = (name: string): Address => `channel:${name}`;
/** A call that creates a channel, once those that it needs exist, if possible after others. */
function creating(name: string, needs: readonly string[], soft: readonly string[] = []): DraftCall {
  return {
    operation: "create-channel",
    path: {},
    params: { name },
    for: [],
    provides: [exists(created(name))],
    needs: needs.map((other) => exists(created(other))),
    softNeeds: soft.map((other) => exists(created(other))),
  };
}

const calls = (size: number, call: (at: number) => DraftCall) => Array.from({ length: size }, (_, at) => call(at));
/** Calls that need each other, each in an order that makes a search from the start, or from the first need, go over the same calls again. */
const ORDERED: { readonly [name: string]: (size: number) => readonly DraftCall[] } = {
  "one call that needs all later ones": (size) => [
    creating(
      "all",
      calls(size, () => creating("", [])).map((_, at) => `c${at}`),
    ),
    ...calls(size, (at) => creating(`c${at}`, [])),
  ],
  "each call needs the next one": (size) =>
    calls(size, (at) => creating(`c${at}`, at + 1 < size ? [`c${at + 1}`] : [])),
  "pairs that would like to be after each other": (size) =>
    calls(size, (at) => creating(`c${at}`, at + 1 < size ? [`c${at + 1}`] : [], at > 0 ? [`c${at - 1}`] : [])),
};

test.each(Object.entries(ORDERED))("an order of calls, %s: twice as many take twice the work", async (_, draftsOf) => {
  const ordering = (size: number) => {
    // A table of some hundred needs is not yet what takes time.
    const drafts = draftsOf(10 * size);
    return countRuns(async () => {
      expect(withoutCycles(drafts).ok).toBe(true);
    });
  };
  expect(await growingTooMuch(ordering, 10)).toEqual([]);
});

// The other tests are reliable only if this is so; the flags that it needs are in vitest.config.ts.
test.each(Object.entries(CHANGED))("%s: the same work has the same counts", async (_, file) => {
  await plansOf(populated(SIZE), file(SIZE));
  const [first, second] = [await plansOf(populated(SIZE), file(SIZE)), await plansOf(populated(SIZE), file(SIZE))];
  expect([...second].filter(([place, count]) => first.get(place) !== count)).toEqual([]);
  expect([...first.keys()].filter((place) => !second.has(place))).toEqual([]);
});

/** Files that differ from the server, which has {@link oldChannels} without a description. */
const ADOPTED: { readonly [name: string]: (size: number) => string } = {
  "channels that differ": (size) =>
    `version: 1\nchannels:\n${oldChannels(size)
      .map(({ name }) => `  ${name}:\n    description: Ours\n`)
      .join("")}`,
  "channels that the file does not have": () => "version: 1\nchannels:\n  general: {}\n",
  "comments above one that differs": (size) =>
    `version: 1\nchannels:\n${"  # Nobody knows why.\n".repeat(20 * size)}  old0:\n    description: Ours\n`,
};

async function adopting(size: number, text: string): Promise<Runs> {
  const realm = realmOf({ channels: [{ name: "general" }, ...oldChannels(size)] });
  return countRuns(async () => {
    const addresses = realm.channels.map(({ name }): Address => `channel:${name}`);
    const options = { file: "realm.yaml", readFile: async () => text, snapshot: realm, kinds };
    expect((await adopt({ ...options, choice: { addresses } })).files).toHaveLength(1);
  });
}

test.each(Object.entries(ADOPTED))("adopt, %s: twice as many objects take twice the work", async (_, text) => {
  expect(await growingTooMuch((size) => adopting(size, text(size)))).toEqual([]);
});

/** An organization with this many channels is read, and each channel is changed. */
async function inSandbox(size: number): Promise<Runs> {
  const world = new World(realmOf({ channels: oldChannels(size) }));
  const { writer } = world.as(ADA);
  return countRuns(async () => {
    const { channels } = await world.read();
    for (const { stream_id } of channels) {
      const call = { operation: "update-stream", path: { stream_id }, params: { description: "Ours" } };
      expect((await writer.send(call)).outcome).toBe("applied");
    }
  });
}

test("the sandbox: twice as many channels, changed one by one, need twice the work", async () => {
  expect(await growingTooMuch(inSandbox)).toEqual([]);
});

/** Everybody of a large organization is subscribed to one channel by one request. */
async function subscribing(size: number): Promise<Runs> {
  const realm = populated(size);
  const { writer } = new World(realm).as(ADA);
  const principals = realm.users.filter(({ user_id }) => user_id >= 10_000).map(({ user_id }) => user_id);
  const call = { operation: "subscribe", path: {}, params: { subscriptions: [{ name: "old0" }], principals } };
  return countRuns(async () => expect((await writer.send(call)).outcome).toBe("applied"));
}

test("the sandbox: twice as many people in one request need twice the work", async () => {
  expect(await growingTooMuch(subscribing)).toEqual([]);
});
