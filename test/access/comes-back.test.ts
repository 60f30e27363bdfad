import { expect, test } from "vitest";
import { channelHolders, groupHolders, organizationHolders, readersOf } from "../../src/access/grants.ts";
import { projectedState } from "../../src/access/projected.ts";
import { type AccessState, stateOf } from "../../src/access/state.ts";
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS } from "../../src/model/permission-settings.ts";
import { Realm } from "../../src/model/realm.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";

const ELIF = "elif@acme.example";
const ELIF_ID = 10;

const WAITING = "settings: {waiting_period_threshold: 3d}";
test.each([
  ["and has the previous role", "{deactivated: false}", 365, ""],
  ["and gets another role", "{deactivated: false, role: moderator}", 365, ""],
  ["as a guest", "{deactivated: false, role: guest}", 365, ""],
  ["during the waiting period", "{deactivated: false}", 5, ""],
  ["after a waiting period that becomes shorter", "{deactivated: false}", 5, WAITING],
  ["during a waiting period that becomes shorter", "{deactivated: false}", 2, WAITING],
])(
  "somebody who is reactivated %s has exactly the rights that the server gives them",
  async (_, fields, joinedDaysAgo, settings) => {
    const world = new World(
      realmOf({
        users: { [ELIF]: { is_active: false } },
        joined_days_ago: { [ELIF]: joinedDaysAgo },
        // As a server answers: a deactivated account is in no group, not even in role groups.
        settings: {
          can_create_groups: 12,
          can_invite_users_group: 14,
          can_create_bots_group: 13,
          waiting_period_threshold: 10,
        },
        channels: [{ name: "general" }, { name: "board", invite_only: true, can_subscribe_group: 14 }],
        subscribers: { general: ["ada@acme.example"], board: ["ada@acme.example"] },
      }),
    );
    const yaml = `version: 1\npeople: {${ELIF}: ${fields}}\n${settings}\n`;
    const snapshot = await world.read();
    const plan = must(await world.plan(yaml));
    const realm = new Realm(snapshot);
    const before = stateOf(realm);
    const projected = heldBy(projectedState(before, plan.changes, realm), ELIF_ID);
    expect(heldBy(before, ELIF_ID)).toEqual([]);
    expect((await world.apply(plan, yaml)).remaining).toEqual([]);
    expect(projected).toEqual(heldBy(stateOf(new Realm(await world.read())), ELIF_ID));
    expect(projected.length).toBeGreaterThan(10);
  },
);

test("a reactivated account is in the groups that subscribe people in the same plan", async () => {
  const world = new World(
    realmOf({
      users: { [ELIF]: { is_active: false } },
      channels: [{ name: "general" }],
      subscribers: { general: ["ada@acme.example"] },
    }),
  );
  const yaml = `version: 1
people: {${ELIF}: {deactivated: false}}
channels: {general: {subscribers: {groups: ["role:members"]}}}
`;
  const plan = must(await world.plan(yaml));
  const [subscribed] = plan.changes.filter(({ address }) => address === "channel:general");
  expect(subscribed?.fields[0]?.after).toContain(ELIF);
  expect((await world.apply(plan, yaml)).remaining).toEqual([]);
});

/** What the account may do, in the order of the model. */
function heldBy(state: AccessState, id: number): readonly string[] {
  const held: string[] = [];
  for (const channel of state.channels()) {
    if (readersOf(state, channel).people.has(id)) held.push(`read ${channel.name}`);
    if (channelHolders(state, channel, "can_send_message_group")?.people.has(id) === true)
      held.push(`post in ${channel.name}`);
    for (const setting of Object.keys(CHANNEL_PERMISSIONS))
      if (channelHolders(state, channel, setting)?.people.has(id) === true) held.push(`${setting} ${channel.name}`);
  }
  for (const group of state.groups())
    for (const setting of Object.keys(GROUP_PERMISSIONS))
      if (groupHolders(state, group, setting)?.people.has(id) === true) held.push(`${setting} ${group.name}`);
  for (const setting of state.organization.keys())
    if (organizationHolders(state, setting)?.has(id) === true) held.push(setting);
  return held;
}
