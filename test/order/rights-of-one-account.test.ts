import { afterEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "../e2e/world.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { oneIn } from "../support/sample.ts";

/*
 * What an account may do because it owns a bot or is subscribed to a channel, where the same plan gives it that or takes it away. The account is a
 * moderator. No plan is rehearsed first: each is applied as it is, and undone by the same account.
 */

const ME = "chiara@acme.example";
const BEN = "ben@acme.example";
/** As the file names them: a moderator does not see the addresses of members. */
const [ben, dmitri] = ["{id: 7}", "{id: 9}"];
const CHIARA_ID = 8;

interface Row {
  readonly what: string;
  readonly file: string;
  readonly live?: Overlay;
  /** What the undo says if it cannot restore everything; it says so before it sends anything. */
  readonly undo?: string;
  /** The code of the error: no order of requests has the right. */
  readonly refused?: string;
}

const owned = (users: Overlay["users"] = {}): Overlay => ({
  users: {
    "ci-bot@localhost": { bot_owner_id: CHIARA_ID },
    "hook-bot@localhost": { bot_owner_id: CHIARA_ID },
    ...users,
  },
});

const bots: readonly Row[] = [
  { what: "a name", file: "bots: {ci-bot: {full_name: Other}}", live: owned() },
  { what: "it is deactivated", file: "bots: {ci-bot: {deactivated: true}}", live: owned() },
  {
    what: "it comes back",
    file: "bots: {ci-bot: {deactivated: false}}",
    live: owned({ "ci-bot@localhost": { bot_owner_id: CHIARA_ID, is_active: false } }),
  },
  { what: "it is given away", file: `bots: {ci-bot: {owner: ${ben}}}`, live: owned(), undo: "ci-bot" },
  {
    what: "it is renamed and given away",
    file: `bots: {ci-bot: {full_name: Other, owner: ${ben}}}`,
    live: owned(),
    undo: "ci-bot",
  },
  {
    what: "it is given away and deactivated",
    file: `bots: {ci-bot: {owner: ${ben}, deactivated: true}}`,
    live: owned(),
    undo: "ci-bot",
  },
  {
    what: "two swap their names, and one is given away",
    file: `bots: {ci-bot: {full_name: Hook Bot, owner: ${ben}}, hook-bot: {full_name: CI Bot}}`,
    live: owned(),
    undo: "ci-bot",
  },
  {
    what: "one takes the name of another that is given away",
    file: `bots: {ci-bot: {full_name: Free, owner: ${ben}}, hook-bot: {full_name: CI Bot}}`,
    live: owned(),
    undo: "ci-bot",
  },
  { what: "a new one for somebody else", file: `bots: {hammer-bot: {owner: ${ben}}}`, undo: "hammer-bot" },
  {
    what: "a name and the right to make bots is taken",
    file: "bots: {ci-bot: {full_name: Other}}\nuser_groups: {crew: {members: []}}",
    live: {
      ...owned(),
      user_groups: [{ name: "crew", members: [ME], can_leave_group: "role:members", can_join_group: "role:members" }],
      settings: { can_create_bots_group: 30 },
    },
  },
  {
    what: "it comes back, and the account leaves the group that may make bots",
    file: "bots: {ci-bot: {deactivated: false}}\nuser_groups: {crew: {members: []}}",
    live: {
      ...owned({ "ci-bot@localhost": { bot_owner_id: CHIARA_ID, is_active: false } }),
      user_groups: [{ name: "crew", members: [ME], can_leave_group: "role:members", can_join_group: "role:members" }],
      settings: { can_create_bots_group: 30 },
    },
  },
  {
    what: "it comes back, and the account joins the group that may make bots",
    file: `bots: {ci-bot: {deactivated: false}}\nuser_groups: {crew: {members: [${ME}]}}`,
    live: {
      ...owned({ "ci-bot@localhost": { bot_owner_id: CHIARA_ID, is_active: false } }),
      user_groups: [{ name: "crew", members: [], can_leave_group: "role:members", can_join_group: "role:members" }],
      settings: { can_create_bots_group: 30 },
    },
  },
];

/** The private channel `yard`; the account administers it, and reads it only if it is subscribed. */
const yard = (subscribers: readonly string[], more: { readonly [field: string]: unknown } = {}): Overlay => ({
  user_groups: [{ name: "crew", members: [ME], can_leave_group: "role:members", can_join_group: "role:members" }],
  channels: [
    {
      name: "yard",
      description: "Before",
      invite_only: true,
      history_public_to_subscribers: true,
      can_administer_channel_group: { direct_members: [CHIARA_ID], direct_subgroups: [] },
      ...more,
    },
  ],
  subscribers: { yard: [...subscribers] },
  settings: { can_create_private_channel_group: 15, can_create_public_channel_group: 15 },
});
const IN = [ME, BEN];
const list = (...people: readonly string[]): string => `subscribers: {users: [${people.join(", ")}], exact: true}`;

const USES = [
  { what: "it becomes public", asks: "privacy: public" },
  { what: "its history becomes protected", asks: "privacy: private_protected_history" },
  { what: "who may subscribe", asks: "permissions: {can_subscribe_group: role:moderators}" },
  { what: "who may add", asks: "permissions: {can_add_subscribers_group: role:moderators}" },
  { what: "its description", asks: "description: After" },
  { what: "who posts", asks: "permissions: {can_send_message_group: role:moderators}" },
  { what: "its archiving", asks: "archived: true" },
];

const channels: readonly Row[] = [
  ...USES.map(({ what, asks }) => ({
    what: `the account is unsubscribed: ${what}`,
    file: `channels: {yard: {${asks}, ${list(ben)}}}`,
    live: yard(IN),
    undo: "yard",
  })),
  ...USES.map(({ what, asks }) => ({
    what: `the account subscribes by a right: ${what}`,
    file: `channels: {yard: {${asks}, ${list(ben, ME)}}}`,
    live: yard([BEN], { can_subscribe_group: "crew" }),
  })),
  ...USES.map(({ what, asks }) => ({
    what: `the account joins a group by which it reads: ${what}`,
    file: `channels: {yard: {${asks}}}\nuser_groups: {crew: {members: [${ME}]}}`,
    live: {
      ...yard([BEN], { can_subscribe_group: "crew" }),
      user_groups: [{ name: "crew", members: [], can_leave_group: "role:members", can_join_group: "role:members" }],
    },
  })),
  ...USES.map(({ what, asks }) => ({
    what: `the account leaves the group by which it reads: ${what}`,
    file: `channels: {yard: {${asks}}}\nuser_groups: {crew: {members: []}}`,
    live: yard([BEN], { can_subscribe_group: "crew" }),
  })),
  {
    what: "the account is unsubscribed: another is added",
    file: `channels: {yard: {${list(ben, dmitri)}}}`,
    live: yard(IN),
    undo: "yard",
  },
  {
    what: "the account is unsubscribed, and another is removed",
    file: `channels: {yard: {${list(ben)}}}`,
    live: yard([ME, BEN, "dmitri@acme.example"]),
    undo: "yard",
  },
  {
    what: "the account subscribes by a right, and another is added",
    file: `channels: {yard: {${list(ben, dmitri, ME)}}}`,
    live: yard([BEN], { can_subscribe_group: "crew" }),
  },
  {
    what: "the right to subscribe is taken from the account that is not subscribed",
    file: `channels: {yard: {privacy: private_protected_history, permissions: {can_subscribe_group: role:nobody}}}`,
    live: yard([BEN], { can_subscribe_group: "crew" }),
    undo: "yard",
  },
  {
    what: "the right to add is taken, and another is added",
    file: `channels: {yard: {permissions: {can_add_subscribers_group: role:nobody}, ${list(ben, dmitri)}}}`,
    live: yard([BEN], { can_add_subscribers_group: "crew" }),
    undo: "yard",
  },
];

let world: World | undefined;
afterEach(() => world?.end());

const GUARDS = "opened,people_gaining_access,people_losing_access,unlisted_subscribers,lockout,irreversible,removals";

/** Without what counts requests and times. */
function stateOf({ sandbox }: World): string {
  const { channels: all, users, user_groups, subscriptions } = sandbox.state();
  const names = Object.values(all).map(
    ({ name, description, invite_only, history_public_to_subscribers, is_archived }) => ({
      ...{ name, description, invite_only, history_public_to_subscribers, is_archived },
    }),
  );
  const accounts = Object.values(users).map(({ user_id, full_name, bot_owner_id, is_active }) => ({
    ...{ user_id, full_name, bot_owner_id, is_active },
  }));
  const groups = Object.values(user_groups).map(({ name, members }) => ({ name, members }));
  const subscribed = Object.entries(subscriptions).map(([id, people]) => [
    id,
    Object.entries(people).flatMap(([person, { active }]) => (active ? [person] : [])),
  ]);
  return JSON.stringify({ names, accounts, groups, subscribed }, undefined, 1);
}

async function tried({ file, live, undo, refused }: Row): Promise<void> {
  world = await World.start({ from: realmOf({ account: ME, channels: [], subscribers: {}, ...live }) });
  const as = ME;
  const before = stateOf(world);
  world.file("realm.yaml", `version: 1\n${file}\n`);
  const applied = await world.realmctl(`apply --yes --no-rehearse --allow ${GUARDS}`, { as });
  if (refused !== undefined) {
    expect(applied.code, applied.out + applied.err).toBe(EXIT.notAllowed);
    expect(applied.err).toContain(refused);
    expect(world.writes()).toEqual([]);
    return;
  }
  expect(applied.code, applied.out + applied.err).toBe(EXIT.done);
  const undone = await world.realmctl(
    `apply --undo .realmctl/${world.journals()[0]} --yes --no-rehearse --allow ${GUARDS}`,
    { as },
  );
  const said = undone.out + undone.err;
  if (undo === undefined) {
    expect(undone.code, said).toBe(EXIT.done);
    expect(stateOf(world)).toBe(before);
  } else {
    expect(said).toContain(undo);
    expect([EXIT.done, EXIT.appliedInPart, EXIT.notAllowed], said).toContain(undone.code);
    expect(said).not.toContain("the server refused");
  }
}

test.each(oneIn(3, bots))("bots: $what", tried);
test.each(oneIn(3, channels))("a private channel: $what", tried);
