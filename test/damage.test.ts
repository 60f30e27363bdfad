import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../src/sandbox/sandbox.ts";
import { damageTo } from "./support/damage.ts";

const RECORDED = JSON.parse(readFileSync(new URL("./recordings/realm.json", import.meta.url), "utf8"));
/** As JSON, so that a row can break what the types forbid. */
const whole = () => JSON.parse(JSON.stringify(createSandbox({ from: RECORDED }).state()));

test("a recorded realm is consistent", () => expect(damageTo(whole())).toEqual([]));

test.each<[string, (state: ReturnType<typeof whole>) => void]>([
  [
    "two objects with the same name",
    (state) => Object.assign(state.channels[3], { name: state.channels[1].name.toUpperCase() }),
  ],
  ["an object stored under another id", (state) => Object.assign(state.channels[3], { stream_id: 4 })],
  ["an id that will be used again", (state) => Object.assign(state.next_id, { channel: 2 })],
  ["a setting that names no group", (state) => Object.assign(state.channels[3], { can_subscribe_group: 999 })],
  [
    "a setting that is not in normal form",
    (state) => Object.assign(state.channels[3], { can_subscribe_group: { direct_members: [], direct_subgroups: [] } }),
  ],
  [
    "a setting that names somebody twice",
    (state) =>
      Object.assign(state.channels[3], { can_subscribe_group: { direct_members: [9, 9], direct_subgroups: [] } }),
  ],
  ["a member who does not exist", (state) => state.user_groups[11].members.push(999)],
  ["a group that contains itself", (state) => state.user_groups[11].direct_subgroup_ids.push(11)],
  [
    "a public channel with protected history",
    (state) => Object.assign(state.channels[3], { history_public_to_subscribers: false }),
  ],
  ["a default channel that does not exist", (state) => state.default_channels.push(999)],
  ["a folder that does not exist", (state) => Object.assign(state.channels[3], { folder_id: 1 })],
  ["a description of two lines", (state) => Object.assign(state.channels[3], { description: "a\nb" })],
  ["a subscription of an account that does not exist", (state) => Object.assign(state.subscriptions[3], { 999: {} })],
  ["a retention of zero days", (state) => Object.assign(state.channels[3], { message_retention_days: 0 })],
  ["a realm setting that names no group", (state) => Object.assign(state.realm, { can_create_groups: 999 })],
])("%s is damage", (_, harm) => {
  const state = whole();
  harm(state);
  expect(damageTo(state)).not.toEqual([]);
});
