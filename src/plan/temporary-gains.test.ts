import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import type { Call } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { temporaryGains } from "./exposure.ts";

const [ADA, BEN] = ["ada@acme.example", "ben@acme.example"];
const NOBODY = 9;
const hall = (more: object = {}): Overlay => ({
  channels: [{ name: "hall", ...more }],
  user_groups: [{ name: "crew", members: [ADA, BEN] }],
});
const to = (right: string) => `channels: {hall: {permissions: {can_send_message_group: ${right}}}}`;

/** The plan's own order opens nothing in between; the reversed order opens what is listed here. */
const ROWS: readonly {
  fact: string;
  live: Overlay;
  yaml: string;
  order: readonly string[];
  opens: readonly object[];
}[] = [
  {
    fact: "a private channel stops admitting a group before everybody may join it",
    live: {
      channels: [{ name: "hall", invite_only: true, can_subscribe_group: 30, can_add_subscribers_group: NOBODY }],
      user_groups: [{ name: "crew", id: 30, members: [ADA], can_join_group: NOBODY, can_manage_group: NOBODY }],
    },
    yaml: `user_groups: {crew: {permissions: {can_join_group: role:members}}}\nchannels: {hall: {permissions: {can_subscribe_group: role:nobody}}}`,
    order: ["update-stream", "update-user-group"],
    opens: [
      { n: 2, address: "channel:hall", right: "read_by_joining", people: 7 },
      { n: 2, address: "channel:hall", right: "read_past_by_joining", people: 7 },
    ],
  },
  {
    fact: "people are removed from a group before it may do more",
    live: hall({ can_send_message_group: NOBODY }),
    yaml: `user_groups: {crew: {members: [${ADA}]}}\n${to("crew")}`,
    order: ["update-user-group-members", "update-stream"],
    opens: [{ n: 2, address: "channel:hall", right: "can_send_message_group", people: 1 }],
  },
  {
    fact: "people are added to a group after it may do less",
    live: { ...hall({ can_send_message_group: 30 }), user_groups: [{ name: "crew", members: [ADA] }] },
    yaml: `user_groups: {crew: {members: [${ADA}, ${BEN}]}}\n${to("role:nobody")}`,
    order: ["update-stream", "update-user-group-members"],
    opens: [{ n: 2, address: "channel:hall", right: "can_send_message_group", people: 1 }],
  },
  {
    fact: "a person gets a lower role before the higher one may do more",
    live: hall({ can_send_message_group: NOBODY }),
    yaml: `people: {${BEN}: {role: member}}\n${to("role:administrators")}`,
    order: ["update-user", "update-stream"],
    opens: [{ n: 2, address: "channel:hall", right: "can_send_message_group", people: 1 }],
  },
  {
    fact: "unrelated requests open nothing in any order",
    live: hall({ can_send_message_group: NOBODY }),
    yaml: `user_groups: {crew: {members: [${ADA}]}}\n${to("role:owners")}`,
    order: ["update-stream", "update-user-group-members"],
    opens: [],
  },
];

describe("between the requests of a plan", () => {
  test.each(ROWS)("$fact", async ({ live, yaml, order, opens }) => {
    const snapshot = realmOf(live);
    const { calls, changes } = must(await planText(`version: 1\n${yaml}\n`, snapshot));
    const opened = (sent: readonly Call[]) => temporaryGains(sent, { changes, realm: new Realm(snapshot) });
    expect([...calls.map(({ operation }) => operation)].sort()).toEqual([...order].sort());
    if (opens.length > 0) expect(calls.map(({ operation }) => operation)).toEqual(order);
    expect(opened(calls)).toEqual([]);
    expect(opened(calls.toReversed())).toEqual(opens);
  });

  test.each([
    { setting: "emails_restricted_to_domains" },
    { setting: "invite_required" },
    { setting: "disallow_disposable_email_addresses" },
  ])("nobody can join, by $setting, before everything that the plan closes is closed", async ({ setting }) => {
    const snapshot = realmOf({ ...hall(), subscribers: { hall: [ADA] }, settings: { [setting]: true } });
    const yaml = `version: 1\nsettings: {${setting}: false}\nchannels: {hall: {privacy: private_shared_history}}\n`;
    const plan = must(await planText(yaml, snapshot));
    expect(plan.calls.map(({ operation }) => operation)).toEqual(["update-stream", "update-realm"]);
  });

  test("a channel that one request changes opens nothing", async () => {
    const snapshot = realmOf(hall());
    const { calls, changes } = must(await planText(`version: 1\n${to("crew")}\n`, snapshot));
    expect(temporaryGains(calls, { changes, realm: new Realm(snapshot) })).toEqual([]);
  });

  test("an opening is reported once, at the first request that causes it", async () => {
    const snapshot = realmOf({
      channels: [
        { name: "hall", can_send_message_group: NOBODY },
        { name: "den", can_send_message_group: NOBODY },
      ],
      user_groups: [{ name: "crew", members: [ADA, BEN] }],
    });
    const yaml = `version: 1\nuser_groups: {crew: {members: [${ADA}]}}\nchannels:\n  hall: {permissions: {can_send_message_group: crew}}\n  den: {permissions: {can_send_message_group: crew}}\n`;
    const { calls, changes } = must(await planText(yaml, snapshot));
    expect(calls.map(({ operation }) => operation)).toEqual([
      "update-user-group-members",
      "update-stream",
      "update-stream",
    ]);
    const [first, ...others] = calls;
    const late = first === undefined ? [] : [...others, first];
    expect(
      temporaryGains(late, { changes, realm: new Realm(snapshot) }).map(({ n, address, people }) => [
        n,
        address,
        people,
      ]),
    ).toEqual([
      [2, "channel:hall", 1],
      [3, "channel:den", 1],
    ]);
    // It stays open while the next request about the same channel is sent.
    const [second] = others;
    const again = second === undefined || first === undefined ? [] : [second, second, first];
    expect(temporaryGains(again, { changes, realm: new Realm(snapshot) })).toHaveLength(1);
  });
});
