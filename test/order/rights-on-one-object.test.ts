import { describe, expect, test } from "vitest";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { oneIn } from "../support/sample.ts";
import { World } from "../support/world.ts";

/*
 * Each right on one group, channel or bot, and each use of it, where one plan gives the right to the account or takes it away. The account is no
 * administrator: the right on this object is all that it has. No plan is rehearsed first; each is applied as it is.
 */

const ME = "chiara@acme.example";
const BEN = "ben@acme.example";
/** As the file names them: a moderator does not see the addresses of members. */
const [ben, dmitri] = ["{id: 7}", "{id: 9}"];

interface Use {
  readonly right: string;
  readonly what: string;
  /** What the entry of the group or channel asks for, besides the way. */
  readonly asks: string;
  /** Other sections of the file. */
  readonly also?: string;
  /** Of the group `yard-crew` or the channel `yard`, before. */
  readonly live?: { readonly [field: string]: unknown };
  readonly subscribers?: readonly string[];
}

const groupUses: readonly Use[] = [
  ...[
    { what: "its description", asks: "description: Next" },
    { what: "its name", asks: "id: 30, description: Next", also: "renamed" },
    { what: "a setting", asks: "permissions: {can_mention_group: role:nobody}" },
    { what: "a new member", asks: `members: [${ben}, ${dmitri}]` },
    { what: "no member", asks: "members: []" },
    { what: "another member", asks: `members: [${dmitri}]` },
    { what: "a new subgroup", asks: "subgroups: [other]" },
    { what: "a subgroup less", asks: "subgroups: []", live: { subgroups: ["other"] } },
    { what: "its deactivation", asks: "deactivated: true" },
    { what: "its description and deactivation", asks: "description: Last, deactivated: true" },
    { what: "its reactivation", asks: "deactivated: false", live: { deactivated: true } },
    {
      what: "a member and a setting",
      asks: `members: [${ben}, ${dmitri}], permissions: {can_mention_group: role:nobody}`,
    },
  ].map((use) => ({ right: "can_manage_group", ...use })),
  { right: "can_add_members_group", what: "a new member", asks: `members: [${ben}, ${dmitri}]` },
  { right: "can_add_members_group", what: "a new subgroup", asks: "subgroups: [other]" },
  { right: "can_join_group", what: "joining it", asks: `members: [${ben}, ${ME}]` },
  { right: "can_remove_members_group", what: "no member", asks: "members: []" },
  { right: "can_leave_group", what: "leaving it", asks: `members: [${ben}]`, live: { members: [BEN, ME] } },
];

const channelUses: readonly Use[] = [
  ...[
    { what: "its description", asks: "description: Next" },
    { what: "its name", asks: "id: 101, description: Next", also: "renamed" },
    { what: "a setting", asks: "permissions: {can_send_message_group: role:members}" },
    { what: "its topics", asks: "topics_policy: disable_empty_topic" },
    { what: "its folder", asks: "folder: Company" },
    { what: "privacy", asks: "privacy: private_shared_history" },
    { what: "its archiving", asks: "archived: true" },
    { what: "its description and archiving", asks: "description: Last, archived: true" },
    { what: "its return", asks: "archived: false", live: { is_archived: true } },
    { what: "a subscriber", asks: `subscribers: {users: [${ME}, ${ben}, ${dmitri}]}` },
    { what: "a subscriber less", asks: `subscribers: {users: [${ME}], exact: true}` },
    {
      what: "a setting and a subscriber less",
      asks: `permissions: {can_send_message_group: role:members}, subscribers: {users: [${ME}], exact: true}`,
    },
  ].map((use) => ({ right: "can_administer_channel_group", ...use })),
  {
    right: "can_add_subscribers_group",
    what: "a subscriber",
    asks: `subscribers: {users: [${ME}, ${ben}, ${dmitri}]}`,
  },
  {
    right: "can_remove_subscribers_group",
    what: "a subscriber less",
    asks: `subscribers: {users: [${ME}], exact: true}`,
  },
];

interface Way {
  readonly way: string;
  /** Who has the right before: a group, or the account alone. */
  readonly setting: string | "me";
  readonly members: readonly string[];
  /** The wanted setting. */
  readonly permission?: string;
  /** The wanted members of the group. */
  readonly group?: string;
}

const byMembership: readonly Way[] = [
  { way: "the account leaves its group", setting: "crew", members: [BEN, ME], group: `[${ben}]` },
  { way: "the account joins its group", setting: "crew", members: [BEN], group: `[${ben}, ${ME}]` },
];
const bySetting: readonly Way[] = [
  { way: "the setting takes it", setting: "me", members: [BEN], permission: "role:nobody" },
  {
    way: "the setting takes it from its group",
    setting: "crew",
    members: [BEN, ME],
    permission: "role:administrators",
  },
  {
    way: "the setting takes it from a group that it leaves",
    setting: "crew",
    members: [BEN, ME],
    permission: "role:administrators",
    group: `[${ben}]`,
  },
];

const withRight = (asks: string, right: string, permission: string | undefined): string => {
  if (permission === undefined) return asks;
  return asks.includes("permissions: {")
    ? asks.replace("permissions: {", `permissions: {${right}: '${permission}', `)
    : `${asks}, permissions: {${right}: '${permission}'}`;
};

function scenario(
  object: "group" | "channel",
  use: Use,
  way: Way,
): { readonly yaml: string; readonly overlay: Overlay } {
  const value = way.setting === "me" ? { direct_members: [8], direct_subgroups: [] } : way.setting;
  const name = use.also === "renamed" ? "yard-next" : object === "group" ? "yard-crew" : "yard";
  const entry = `${name}: {${withRight(use.asks, use.right, way.permission)}}`;
  const crew = way.group === undefined ? [] : [`crew: {members: ${way.group}}`];
  const yaml = [
    "version: 1",
    `user_groups: {${[...crew, ...(object === "group" ? [entry] : [])].join(", ")}}`,
    ...(object === "channel" ? [`channels: {${entry}}`] : []),
  ].join("\n");
  const overlay: Overlay = {
    account: ME,
    user_groups: [
      {
        name: "yard-crew",
        members: [BEN],
        ...(object === "group" ? { [use.right]: value, ...use.live } : {}),
      },
      { name: "crew", members: [...way.members], can_join_group: "role:members", can_leave_group: "role:members" },
      { name: "other", members: [] },
    ],
    channels: [
      { name: "yard", description: "Before", ...(object === "channel" ? { [use.right]: value, ...use.live } : {}) },
    ],
    subscribers: { yard: [ME, BEN] },
    settings: {
      can_add_subscribers_group: 9,
      ...(use.right === "can_administer_channel_group" ? { can_create_private_channel_group: 15 } : {}),
    },
  };
  return { yaml, overlay };
}

/** What went wrong; "refused" names the codes of the errors, if nothing was sent. */
async function tried({ yaml, overlay }: ReturnType<typeof scenario>): Promise<readonly string[]> {
  const world = new World(realmOf(overlay));
  const plan = await world.plan(yaml);
  if (!plan.ok)
    return plan.diagnostics
      .filter(({ severity }) => severity === "error")
      .map((one) => `refused: ${wordedDiagnostic(one).message}`);
  const result = await world.apply(plan.value, yaml);
  const failed = result.calls
    .filter(({ state }) => state !== "done")
    .map(({ n, state, fact }) => `${plan.value.calls[n - 1]?.operation} ${state} ${JSON.stringify(fact)}`);
  return [...failed, ...(result.outcome === "applied" ? [] : [result.outcome])];
}

describe("a group", () => {
  const rows = groupUses.flatMap((use) =>
    [...byMembership, ...(use.right === "can_manage_group" ? bySetting : [])].map((way) => ({
      ...use,
      ...way,
      use,
      of: way,
    })),
  );
  test.each(oneIn(3, rows))("$way, $right: $what", async ({ use, of }) =>
    expect(await tried(scenario("group", use, of))).toEqual([]),
  );
});

describe("a channel", () => {
  const rows = channelUses.flatMap((use) =>
    [...byMembership, ...(use.right === "can_administer_channel_group" ? bySetting : [])].map((way) => ({
      ...{ ...use, use },
      ...{ way: way.way, of: way },
    })),
  );
  test.each(oneIn(3, rows))("$way, $right: $what", async ({ use, of }) =>
    expect(await tried(scenario("channel", use, of))).toEqual([]),
  );
});
