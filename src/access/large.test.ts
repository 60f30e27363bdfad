// Counts the work of a plan in an organization with many people: each computation is done once for each group, and never for lists of people that are
// not needed.
import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import { liveObjects } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import { spansIn } from "../model/span.ts";
import { guarded } from "../plan/guards.ts";
import { planChanges } from "../plan/plan.ts";
import { channelHolders } from "./grants.ts";
import { GroupNesting } from "./nesting.ts";
import { Population } from "./people.ts";
import { stateOf } from "./state.ts";

const GROUPS = 60;
const CHANNELS = 200;

test("the members of each group are computed once for all copies of a state", () => {
  const population = new Population([1, 2, 3]);
  const everybody = population.of([1, 2, 3]);
  const groups = Array.from({ length: GROUPS }, (_, n) => ({
    kind: "user_group" as const,
    name: `g${n}`,
    members: population.of([1 + (n % 3)]),
    subgroups: n + 1 < GROUPS ? [`g${n + 1}`] : [],
    deactivated: false,
    settings: new Map(),
  }));
  const nesting = new GroupNesting(groups);
  for (const { name } of groups) nesting.membersOf(name, everybody, population.nobody);
  expect(nesting.worked).toBe(GROUPS);

  const copy = nesting.copy();
  for (const { name } of groups) copy.membersOf(name, everybody, population.nobody);
  expect(copy.worked).toBe(0);

  const [, , third] = groups;
  if (third === undefined) throw new RangeError("no third group");
  copy.put({ ...third, members: population.of([2]) });
  for (const { name } of groups) copy.membersOf(name, everybody, population.nobody);
  // The changed group and the two around it.
  expect(copy.worked).toBe(3);
});

/** A reading of many channels with a subscriber list each, which counts how many numbers of these lists were read. */
function countedRealm() {
  const base = realmOf({ channels: [{ name: "model" }] });
  const ids = base.users.map(({ user_id }) => user_id);
  const [channel] = base.channels;
  if (channel === undefined) throw new RangeError("no channel in the reading");
  let looked = 0;
  const counted = (list: readonly number[]) =>
    new Proxy([...list], {
      get: (target, name, receiver) => {
        if (typeof name === "string" && /^\d+$/.test(name)) looked += 1;
        return Reflect.get(target, name, receiver);
      },
    });
  const channels = Array.from({ length: CHANNELS }, (_, n) => ({
    ...channel,
    stream_id: 1000 + n,
    name: `team-${n}`,
    invite_only: n % 2 === 1,
  }));
  const snapshot = {
    ...base,
    channels,
    default_channels: [],
    subscribers: Object.fromEntries(channels.map(({ stream_id }) => [String(stream_id), counted(ids)])),
  };
  return { snapshot, ids, looked: () => looked };
}

test("a plan for one channel reads only the subscribers of that channel, and once", () => {
  const { snapshot, ids, looked } = countedRealm();
  const field = "can_send_message_group";
  const declared = {
    key: "TEAM-1",
    name: "team-1",
    absent: false,
    fields: { privacy: "private_shared_history", [field]: "role:moderators" },
    spans: spansIn({}),
    at: { file: "realm.yaml", line: 1, column: 1, endLine: 1, endColumn: 1 },
  };
  const desired = { manage: {}, sections: new Map([["channels", [declared]]]), warnings: [] };
  const plan = planChanges({ desired, snapshot, kinds, toolVersion: "0" });
  if (!plan.ok) throw new Error(JSON.stringify(plan.diagnostics));
  expect(plan.value.changes.map(({ address }) => address)).toEqual(["channel:team-1"]);
  expect(plan.value.changes[0]?.risks.length).toBeGreaterThan(0);
  guarded({ plan: plan.value, snapshot, kinds, policies: [], allow: [] });
  expect(looked()).toBeGreaterThan(0);
  expect(looked()).toBeLessThanOrEqual(2 * ids.length);
});

test("a reading is evaluated once for each kind, and its access state is computed once", () => {
  const { snapshot } = countedRealm();
  const channel = kinds.find(({ name }) => name === "channel");
  if (channel === undefined) throw new RangeError("no channels");
  expect(liveObjects(channel, new Realm(snapshot))).toBe(liveObjects(channel, new Realm(snapshot)));
  const [one, other] = [stateOf(new Realm(snapshot)), stateOf(new Realm(snapshot))];
  expect(one).not.toBe(other);
  expect(one.population).toBe(other.population);
  expect(one.channel("team-1")).toBe(other.channel("team-1"));
});

test("the bots of the same people are added once for all copies of a state", () => {
  const { snapshot, ids } = countedRealm();
  const [person] = snapshot.users.filter(({ is_bot, role }) => !is_bot && role === ROLE.member);
  if (person === undefined) throw new RangeError("nobody in the reading");
  const more = Array.from({ length: 5_000 }, (_, n) => ({
    ...person,
    user_id: 10_000 + n,
    email: `u${n}@example.org`,
  }));
  const bot = { ...person, user_id: 20_000, email: "bot@example.org", is_bot: true, bot_owner_id: 10_001 };
  const large = {
    ...snapshot,
    channels: snapshot.channels.map((each) => ({
      ...each,
      can_send_message_group: { direct_members: more.map(({ user_id }) => user_id), direct_subgroups: [] },
    })),
    users: [...snapshot.users, ...more, bot],
    subscribers: { ...snapshot.subscribers, 1001: [...ids, ...more.map(({ user_id }) => user_id)] },
  };
  const before = stateOf(new Realm(large));
  const channel = before.channel("team-1");
  if (channel === undefined) throw new RangeError("no channel");
  const held = () => channelHolders(before.copy(), channel, "can_send_message_group");
  expect(held()?.people.has(bot.user_id)).toBe(true);
  const made = before.population.serial();
  for (let n = 0; n < 10; n += 1) held();
  // For each channel, one small set: the people who can read it.
  expect(before.population.serial()).toBe(made + 1 + 10);
});

/** A plan that changes this number of members (a new role, or a deactivation), and the setting of a channel. */
function peopleWhoChange(count: number, fields: DeclaredFields) {
  const base = realmOf({ channels: [{ name: "hall", can_send_message_group: 9 }], invites: [] });
  const [member] = base.users.filter(({ is_bot, role }) => !is_bot && role === ROLE.member);
  if (member === undefined) throw new RangeError("nobody in the reading");
  const people = Array.from({ length: count }, (_, n) => ({
    ...member,
    user_id: 10_000 + n,
    email: `u${n}@example.org`,
    delivery_email: `u${n}@example.org`,
  }));
  const at = { file: "realm.yaml", line: 1, column: 1, endLine: 1, endColumn: 1 };
  const declare = (name: string, own: DeclaredFields) => ({
    key: name,
    name,
    absent: false,
    fields: own,
    spans: spansIn({}),
    at,
  });
  const hall = { ...declare("hall", { can_send_message_group: "role:moderators" }), key: "HALL" };
  const desired = {
    manage: {},
    sections: new Map([
      ["channels", [hall]],
      ["people", people.map(({ email }) => declare(email, fields))],
    ]),
    warnings: [],
  };
  const ids = people.map(({ user_id }) => user_id);
  const snapshot = {
    ...base,
    users: [...base.users, ...people],
    user_groups: base.user_groups.map((group) =>
      group.name === "role:members" ? { ...group, members: [...group.members, ...ids] } : group,
    ),
  };
  return { desired, snapshot };
}
type DeclaredFields = { readonly [field: string]: string | boolean };

/** The number of sets of people that a plan with its guards creates for this number of changed people. */
function setsMadeFor(count: number, fields: DeclaredFields): number {
  const { desired, snapshot } = peopleWhoChange(count, fields);
  const plan = planChanges({ desired, snapshot, kinds, toolVersion: "0" });
  if (!plan.ok) throw new Error(JSON.stringify(plan.diagnostics));
  expect(plan.value.changes).toHaveLength(count + 1);
  guarded({ plan: plan.value, snapshot, kinds, policies: [], allow: [] });
  return stateOf(new Realm(snapshot)).population.serial();
}

test.each<{ readonly what: string; readonly fields: DeclaredFields }>([
  { what: "get another role", fields: { role: "moderator" } },
  { what: "are deactivated", fields: { deactivated: true } },
])("twice as many people who $what need hardly more sets of people", ({ fields }) => {
  const [few, many] = [setsMadeFor(100, fields), setsMadeFor(200, fields)];
  expect(many).toBeLessThanOrEqual(few + 100);
});
