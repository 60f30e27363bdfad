import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../model/json.ts";

/** zulip-api.md §2.7, people, their groups, and what becomes visible: one row per change, as in event-shapes.test.ts. */
type Sent = readonly [method: string, path: string, params?: JsonObject];
type Received = { readonly [listener: string]: readonly object[] };
interface Row {
  readonly change: string;
  readonly before?: readonly Sent[];
  readonly sent: Sent;
  /** The account, with `+` for one with the newer capabilities; accounts that are not named are not checked. */
  readonly received: Received;
}
const NEW = ["archived_channels", "include_deactivated_groups", "linkifier_url_template"];
const both = (as: string, ...events: object[]): Received => ({ [as]: events, [`${as}+`]: events });
const GROUP: Sent = ["POST", "/user_groups/create", { name: "crew", description: "", members: [9] }];
/** In the recorded realm, unnamed groups used ids as well. */
const CREW = "{group}";
const updated = (data: object) => ({ type: "user_group", op: "update", group_id: CREW, data });
const person = (more: object) => ({ type: "realm_user", op: "update", person: { user_id: 9, ...more } });
const realmUpdate = (property: string, value: unknown) => ({ type: "realm", op: "update", property, value });
const dict = (data: object) => ({ type: "realm", op: "update_dict", property: "default", data });

const rows: readonly Row[] = [
  {
    change: "a group's name",
    before: [GROUP],
    sent: ["PATCH", `/user_groups/${CREW}`, { name: "team" }],
    received: both("guest", updated({ name: "team" })),
  },
  {
    change: "a group's description",
    before: [GROUP],
    sent: ["PATCH", `/user_groups/${CREW}`, { description: "d" }],
    received: both("guest", updated({ description: "d" })),
  },
  {
    change: "a group's setting, in normal form",
    before: [GROUP],
    sent: [
      "PATCH",
      `/user_groups/${CREW}`,
      { can_join_group: { new: { direct_members: [], direct_subgroups: [14] } } },
    ],
    received: both("guest", updated({ can_join_group: 14 })),
  },
  {
    change: "people who join a group",
    before: [GROUP],
    sent: ["POST", `/user_groups/${CREW}/members`, { add: [10, 11] }],
    received: both("guest", { type: "user_group", op: "add_members", group_id: CREW, user_ids: [10, 11] }),
  },
  {
    change: "people who leave a group",
    before: [GROUP],
    sent: ["POST", `/user_groups/${CREW}/members`, { delete: [9] }],
    received: both("guest", { type: "user_group", op: "remove_members", group_id: CREW, user_ids: [9] }),
  },
  {
    change: "a new subgroup",
    before: [GROUP],
    sent: ["POST", `/user_groups/${CREW}/subgroups`, { add: [14] }],
    received: both("guest", { type: "user_group", op: "add_subgroups", group_id: CREW, direct_subgroup_ids: [14] }),
  },
  {
    change: "a subgroup that is removed",
    before: [GROUP, ["POST", `/user_groups/${CREW}/subgroups`, { add: [14] }]],
    sent: ["POST", `/user_groups/${CREW}/subgroups`, { delete: [14] }],
    received: both("guest", { type: "user_group", op: "remove_subgroups", group_id: CREW, direct_subgroup_ids: [14] }),
  },
  {
    change: "a group that is deactivated",
    before: [GROUP],
    sent: ["POST", `/user_groups/${CREW}/deactivate`],
    received: {
      guest: [{ type: "user_group", op: "remove", group_id: CREW }],
      "guest+": [updated({ deactivated: true })],
    },
  },
  {
    change: "a group that is reactivated",
    before: [GROUP, ["POST", `/user_groups/${CREW}/deactivate`]],
    sent: ["PATCH", `/user_groups/${CREW}`, { deactivated: false }],
    received: {
      guest: [{ type: "user_group", op: "add", group: expect.objectContaining({ name: "crew", members: [9] }) }],
      "guest+": [updated({ deactivated: false })],
    },
  },
  {
    change: "somebody's role",
    sent: ["PATCH", "/users/9", { role: 300 }],
    received: { "owner+": [expect.objectContaining(person({ role: 300 }))] },
  },
  {
    change: "somebody who is deactivated",
    sent: ["DELETE", "/users/10"],
    received: { "owner+": [{ type: "realm_user", op: "update", person: { user_id: 10, is_active: false } }] },
  },
  {
    change: "a new bot",
    sent: ["POST", "/bots", { full_name: "Helper", short_name: "helper" }],
    received: {
      "member2+": [
        { type: "realm_user", op: "add", person: expect.objectContaining({ full_name: "Helper", is_bot: true }) },
      ],
    },
  },
  {
    // The server's source shows this; zulip-api.md lists it among the dicts.
    change: "a channel setting of the realm",
    before: [["PATCH", "/realm", { signup_announcements_stream_id: 3 }]],
    sent: ["PATCH", "/realm", { signup_announcements_stream_id: -1 }],
    received: both("guest", realmUpdate("signup_announcements_stream_id", -1)),
  },
  {
    change: "a description of the realm",
    sent: ["PATCH", "/realm", { description: "d" }],
    received: both("guest", realmUpdate("description", "d")),
  },
  {
    change: "a time limit for moves",
    sent: ["PATCH", "/realm", { move_messages_within_stream_limit_seconds: 60 }],
    received: both("guest", realmUpdate("move_messages_within_stream_limit_seconds", 60)),
  },
  {
    change: "whether messages are edited",
    sent: ["PATCH", "/realm", { allow_message_editing: false }],
    received: both("guest", dict({ allow_message_editing: false })),
  },
  {
    change: "who sees former versions, as a word",
    sent: ["PATCH", "/realm", { message_edit_history_visibility_policy: "moves" }],
    received: both("guest", realmUpdate("message_edit_history_visibility_policy", "moves")),
  },
  {
    change: "a limited retention of the realm, and an unlimited one",
    before: [["PATCH", "/realm", { message_retention_days: 30 }]],
    sent: ["PATCH", "/realm", { message_retention_days: '"unlimited"' }],
    received: both("guest", realmUpdate("message_retention_days", -1)),
  },
  {
    change: "the kind of organization, changed or not",
    sent: ["PATCH", "/realm", { org_type: 0 }],
    received: both("guest", realmUpdate("org_type", 0)),
  },
];

async function carryOut(realm: TestRealm, [method, path, params]: Sent, group: number): Promise<number> {
  const { status, body } = await realm.call("owner", method, path.replace(CREW, String(group)), params);
  expect([status, body.msg]).toEqual([200, ""]);
  return typeof body.group_id === "number" ? body.group_id : group;
}

test.each(rows)("$change", async ({ before = [], sent, received }) => {
  const realm = testRealm();
  let group = 0;
  for (const each of before) group = await carryOut(realm, each, group);
  const queues: [string, Awaited<ReturnType<TestRealm["listen"]>>][] = [];
  for (const listener of Object.keys(received))
    queues.push([listener, await realm.listen(listener.replace("+", ""), listener.endsWith("+") ? NEW : [])]);
  await carryOut(realm, sent, group);
  for (const [listener, read] of queues) {
    const events = (await read()).filter(({ type }) => type !== "message");
    // Other events do not matter here: each row checks only its own kind.
    const [first] = received[listener] ?? [];
    const kind = Object(first?.constructor === Object ? first : {}).type;
    const found = events.filter(({ type }) => kind === undefined || type === kind);
    const expected = received[listener]?.map((event) =>
      event.constructor === Object ? { ...event, ...("group_id" in event ? { group_id: group } : {}) } : event,
    );
    expect(found, listener).toEqual(kind === undefined ? expect.arrayContaining([...(expected ?? [])]) : expected);
  }
});
