// The server keeps a deactivated person in a setting and does not show them, so the value that it shows can be one that it never stores.
import { expect, test } from "vitest";
import { realmOf } from "./support/realm.ts";
import { must, World } from "./support/world.ts";

const CHIARA = 8;
const STAFF = 30;
const [ALONE, BESIDE_A_GROUP] = [
  { direct_members: [CHIARA], direct_subgroups: [] },
  { direct_members: [CHIARA], direct_subgroups: [STAFF] },
];

test.each([
  { of: "a channel", live: ALONE, yaml: 'channels: {hall: {permissions: {can_send_message_group: "role:members"}}}' },
  {
    of: "a channel, with a group",
    live: BESIDE_A_GROUP,
    yaml: 'channels: {hall: {permissions: {can_send_message_group: "role:members"}}}',
  },
  { of: "a group", live: BESIDE_A_GROUP, yaml: 'user_groups: {crew: {permissions: {can_join_group: "role:members"}}}' },
  {
    of: "the organization",
    live: BESIDE_A_GROUP,
    yaml: 'settings: {permissions: {can_create_groups: "role:members"}}',
  },
])("a setting of $of that names somebody who is deactivated can be changed", async ({ live, yaml }) => {
  const world = new World(
    realmOf({
      user_groups: [{ name: "staff" }, { name: "crew", can_join_group: live }],
      channels: [{ name: "hall", can_send_message_group: live }],
      subscribers: { hall: ["ada@acme.example"] },
      settings: { can_create_groups: live },
    }),
  );
  for (const file of ["people: {chiara@acme.example: {deactivated: true}}", yaml].map(
    (text) => `version: 1\n${text}\n`,
  )) {
    const plan = must(await world.plan(file));
    expect(plan.changes).toHaveLength(1);
    const { outcome, remaining } = await world.apply(plan, file);
    expect({ outcome, remaining }).toEqual({ outcome: "applied", remaining: [] });
  }
});
