import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { planLists } from "./sync.ts";

const FILE = `version: 1
policy: {sync: [channels.*.subscribers], limits: {people_gaining_access: 5, people_losing_access: 5}}
channels:
  vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example], groups: [crew], exact: true}}
`;
const CLOSED = { can_join_group: "role:nobody", can_add_members_group: "role:nobody", can_manage_group: "role:nobody" };
const crewOf = (name: string, member: string) => ({ name, members: [`${member}@acme.example`], ...CLOSED });
/** The groups get their ids in this order. */
const reading = (...user_groups: NonNullable<Parameters<typeof realmOf>[0]>["user_groups"] & object) =>
  realmOf({
    user_groups: [...user_groups],
    channels: [
      {
        name: "vault",
        invite_only: true,
        can_subscribe_group: "role:nobody",
        can_add_subscribers_group: "role:nobody",
      },
    ],
    subscribers: { vault: ["ada@acme.example", "farah@acme.example"] },
  });
async function lists(
  snapshot: ReturnType<typeof reading>,
  meant: Parameters<typeof planLists>[0]["meant"] = new Map(),
  file = FILE,
) {
  const reader = { snapshot: async () => snapshot };
  return must(await planLists({ file: "realm.yaml", readFile: async () => file, reader, meant }));
}

test("a list waits as a whole once a name in it means another group, until it is applied", async () => {
  const first = await lists(reading(crewOf("crew", "farah")));
  expect(first.planned.plan.changes).toEqual([]);

  const renamed = reading(crewOf("crew-eu", "farah"), crewOf("crew", "hana"));
  const other = await lists(renamed, first.meant);
  expect(other.planned.plan.changes).toEqual([]);
  expect(other.held.map(({ part, names }) => [part, names])).toEqual([
    ["additions", ["hana@acme.example"]],
    ["removals", ["farah@acme.example"]],
  ]);
  // It still waits at the next reading, and a reading that knows nothing of before sends it.
  expect((await lists(renamed, other.meant)).held).toHaveLength(2);
  expect((await lists(renamed)).planned.plan.changes).toHaveLength(1);

  const applied = { ...renamed, subscribers: { ...reading().subscribers, "101": [6, 13] } };
  const after = await lists(applied, other.meant);
  expect(after.held).toEqual([]);
  const left = { ...renamed, subscribers: { ...reading().subscribers, "101": [6] } };
  expect((await lists(left, after.meant)).planned.plan.changes).toHaveLength(1);
});

test("who waits in a list goes on waiting while a name of the list is missing for a moment", async () => {
  const shut = reading(crewOf("crew", "hana"));
  const plan = async (snapshot: ReturnType<typeof reading>, open: ReadonlySet<string>) => {
    const reader = { snapshot: async () => snapshot };
    return must(await planLists({ file: "realm.yaml", readFile: async () => FILE, reader, open }));
  };
  const key = "channel:vault subscribers";
  const first = await plan(shut, new Set([key]));
  expect(first.held.map(({ names }) => names)).toEqual([["hana@acme.example"]]);
  const archived = { ...shut, channels: shut.channels.map((one) => ({ ...one, is_archived: true })) };
  for (const moment of [reading(crewOf("crew-eu", "hana")), archived]) {
    const away = await plan(moment, first.open);
    expect([...away.open]).toEqual([key]);
    expect((await plan(shut, away.open)).held).toHaveLength(1);
  }
});

test("who waits in a list, is deactivated and comes back, still waits", async () => {
  const key = "channel:vault subscribers";
  const shut = reading(crewOf("crew", "hana"));
  const away = {
    ...shut,
    users: shut.users.map((user) => (user.user_id === 13 ? { ...user, is_active: false } : user)),
    user_groups: shut.user_groups.map((group) => ({ ...group, members: group.members.filter((id) => id !== 13) })),
  };
  const plan = async (
    snapshot: ReturnType<typeof reading>,
    known: Pick<Parameters<typeof planLists>[0], "open" | "meant">,
  ) => {
    const reader = { snapshot: async () => snapshot };
    const { open, meant, held } = must(
      await planLists({ file: "realm.yaml", readFile: async () => FILE, reader, ...known }),
    );
    return { open, meant, held: held.flatMap(({ names }) => names) };
  };
  const first = await plan(shut, { open: new Set([key]) });
  expect(first.held).toEqual(["hana@acme.example"]);
  const second = await plan(away, first);
  expect([second.held, [...second.open]]).toEqual([[], []]);
  const third = await plan(away, second);
  const fourth = await plan(shut, third);
  expect([fourth.held, [...fourth.open]]).toEqual([["hana@acme.example"], [key]]);
  // Somebody applied the list meanwhile: nobody waits any more, and nothing of it is remembered.
  const applied = { ...shut, subscribers: { ...shut.subscribers, "101": [6, 13] } };
  const fifth = await plan(applied, fourth);
  expect([...fifth.open]).toEqual([]);
  expect([...(fifth.meant.get(key)?.keys() ?? [])].filter((name) => name.includes("#"))).toEqual([]);
});

/** The organization in which this account has another address. */
const readdressed = (snapshot: ReturnType<typeof reading>, id: number, address: string) => ({
  ...snapshot,
  users: snapshot.users.map((user) => (user.user_id === id ? { ...user, delivery_email: address } : user)),
});

test.each([
  ["that the list excepts", "users: [ada@acme.example], groups: [crew], except: {users: [hana@acme.example]}"],
  ["that the list names", "users: [ada@acme.example, hana@acme.example], groups: [crew]"],
])("a list waits as a whole once an address %s is another account's", async (_, list) => {
  const file = FILE.replace("users: [ada@acme.example], groups: [crew]", list);
  const before = reading(crewOf("crew", "hana"));
  const first = await lists(before, undefined, file);
  const moved = readdressed(before, 13, "hana.home@acme.example");
  const second = await lists(moved, first.meant, file);
  const hana = moved.users.find(({ user_id }) => user_id === 13);
  if (hana === undefined) throw new Error("no Hana");
  const again = { ...hana, user_id: 40, email: "user40@acme.example", delivery_email: "hana@acme.example" };
  const third = await lists({ ...moved, users: [...moved.users, again] }, second.meant, file);
  expect(third.planned.plan.changes).toEqual([]);
  expect(third.held.flatMap(({ part, names }) => (part === "additions" ? names : []))).toContain(
    "hana.home@acme.example",
  );
  expect(third.held.flatMap(({ why }) => why.map((one) => one.fact))).toContainEqual(
    expect.objectContaining({ by: "other-account", groups: [{ quoted: "hana@acme.example", of: "person" }] }),
  );
});

test("the subgroups of a group wait once a name in them means another group", async () => {
  const file = `version: 1
policy: {sync: [user_groups.*.subgroups], limits: {people_gaining_access: 5, people_losing_access: 5}}
user_groups: {leads: {subgroups: [crew]}}
`;
  const leads = { name: "leads", members: ["ada@acme.example"], subgroups: ["crew"], ...CLOSED };
  const first = await lists(reading(crewOf("crew", "farah"), leads), undefined, file);
  expect(first.planned.plan.changes).toEqual([]);
  const renamed = reading(crewOf("crew-eu", "farah"), { ...leads, subgroups: ["crew-eu"] }, crewOf("crew", "hana"));
  const other = await lists(renamed, first.meant, file);
  expect(other.planned.plan.changes).toEqual([]);
  expect(other.held.map(({ part, names }) => [part, names])).toEqual([
    ["additions", ["crew"]],
    ["removals", ["crew-eu"]],
  ]);
});

test.each([
  ["an entry's object", "vault: {", "safe: {was: vault, ", ["safe"]],
  ["the object of an entry with id", "vault: {", "safe: {was: vault, id: 101, ", []],
])("%s that is there under its old name alone is not there as the file has it", async (_, from, to, waiting) => {
  const found = await lists(reading(crewOf("crew", "farah")), undefined, FILE.replace(from, to));
  expect(found.waiting.map(({ object: { name } }) => name)).toEqual(waiting);
  expect(found.lists).toHaveLength(1 - waiting.length);
});
