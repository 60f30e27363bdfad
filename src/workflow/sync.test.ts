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
const reading = (...user_groups: readonly ReturnType<typeof crewOf>[]) =>
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
) {
  const reader = { snapshot: async () => snapshot };
  return must(await planLists({ file: "realm.yaml", readFile: async () => FILE, reader, meant }));
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
