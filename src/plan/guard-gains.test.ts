import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import type { People } from "../access/people.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import type { GuardPolicy, Limit } from "../model/policy.ts";
import { Realm } from "../model/realm.ts";
import { guardText } from "../report/words/guards.ts";
import { accessOf, gainsOf } from "./guard-gains.ts";
import { guardsOf } from "./guards.ts";

const ADA = "ada@acme.example";
const BEN = "ben@acme.example";
/** A guest. */
const IVO = "ivo@partner.example";
/** The server allows web-public channels, and the organization uses them. */
const WEB = { server_web_public_streams_enabled: true, enable_spectator_access: true };
const overlay: Overlay = {
  channels: [
    { name: "general" },
    { name: "board", invite_only: true },
    { name: "old", invite_only: true, is_archived: true },
  ],
  subscribers: { general: [ADA], board: [ADA], old: [ADA] },
  invites: [],
  links: [],
};

interface Asked {
  readonly policies?: readonly (readonly [name: string, most: number])[][];
  readonly allow?: readonly string[];
  readonly undoes?: "own-run";
}

/** The guards about gaining access and deleting messages: asked about, refused, or only listed. */
async function gains(yaml: string, { policies = [[]], allow = [], undoes }: Asked = {}) {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  const policy = (limits: readonly (readonly [string, number])[]): GuardPolicy => ({
    limits: Object.fromEntries(limits.map(([name, most]): [string, Limit] => [name, { most }])),
    protect: [],
  });
  const found = guardsOf({ plan, snapshot, kinds, policies: policies.map(policy), allow, ...defined({ undoes }) });
  return found
    .filter(({ name }) => /gaining|opened|administrators|messages/.test(name))
    .map(
      (guard) =>
        `${guard.violated ? "refused" : guard.fact.asks === true ? "asks" : "told"}: ${guard.name} ${amountOf(guardText(guard))}`,
    );
}
test.each([
  [
    "an administrator",
    "people: {elif@acme.example: {role: administrator}}\n",
    "new administrators 1 (elif@acme.example)",
  ],
  [
    "an administrator, and one of a channel",
    "people: {elif@acme.example: {role: administrator}}\nchannels: {general: {permissions: {can_administer_channel_group: {users: [hana@acme.example]}}}}\n",
    "new administrators 2 (elif@acme.example and #general)",
  ],
])("new administrators are named, and not everything that they may administer: %s", async (_, yaml, words) => {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  const found = guardsOf({ plan, snapshot, kinds, policies: [{ limits: {}, protect: [] }], allow: [] });
  const [guard] = found.filter(({ name }) => name === "administrators");
  expect(guard === undefined ? "" : guardText(guard).replace(/: apply asks.*/, "")).toBe(words);
});

/** What a plan says about deleted messages. */
async function lineOf(yaml: string, allow: readonly string[]): Promise<string> {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  const found = guardsOf({ plan, snapshot, kinds, policies: [], allow });
  return found
    .filter(({ name }) => name === "messages_deleted")
    .map(guardText)
    .join("\n");
}
const amountOf = (text: string): string => /\d+/.exec(text)?.[0] ?? "";

const OPEN_BOARD =
  "channels: {board: {subscribers: {users: [ada@acme.example, ben@acme.example, chiara@acme.example]}}}\n";

/** What is counted of a plan that follows a run which created #board, and was still to do this. */
async function gainsAfter(left: string, yaml: string, isMade = true): Promise<readonly string[]> {
  const snapshot = realmOf(overlay);
  const planned = async (text: string) => must(await planText(`version: 1\n${text}`, snapshot));
  const [plan, confirmed] = [await planned(yaml), await planned(left)];
  const made = { objects: new Set(isMade ? ["channel:board" as const] : []), left: confirmed.changes };
  const found = guardsOf({ plan, snapshot, kinds, policies: [], allow: [], made });
  return found
    .filter(({ name, fact }) => /gaining|opened/.test(name) && fact.asks === true)
    .map((guard) => `${guard.name} ${amountOf(guardText(guard))}`);
}

const INVITING = (role: string): string =>
  `invite_links: [{expires_on: never, invite_as: ${role}, channels: [board, general]}]\n`;

test.each<{ what: string; left: string; yaml: string; isMade?: false; found: readonly string[] }>([
  { what: "the same people", left: OPEN_BOARD, yaml: OPEN_BOARD, found: [] },
  {
    what: "the same people, of a channel that was there",
    left: OPEN_BOARD,
    yaml: OPEN_BOARD,
    isMade: false,
    found: ["people_gaining_access 2"],
  },
  {
    what: "one person more",
    left: "channels: {board: {subscribers: {users: [ada@acme.example, ben@acme.example]}}}\n",
    yaml: OPEN_BOARD,
    found: ["people_gaining_access 1"],
  },
  {
    what: "a group instead of people",
    left: OPEN_BOARD,
    yaml: "channels: {board: {permissions: {can_subscribe_group: role:members}}}\n",
    found: ["people_gaining_access 6", "opened 1"],
  },
  { what: "the same link", left: INVITING("guest"), yaml: INVITING("guest"), found: [] },
  {
    what: "a link with another role",
    left: INVITING("guest"),
    yaml: INVITING("member"),
    found: ["people_gaining_access 1", "opened 1"],
  },
  {
    what: "a link that was to lead elsewhere",
    left: "invite_links: [{expires_on: never, invite_as: guest, channels: [general]}]\n",
    yaml: INVITING("guest"),
    found: ["people_gaining_access 1", "opened 1"],
  },
  {
    what: "the same link, and the channel is opened",
    left: INVITING("guest"),
    yaml: `${OPEN_BOARD}${INVITING("guest")}`,
    found: ["people_gaining_access 3", "opened 1"],
  },
])(
  "of what an interrupted run created, only what goes beyond it counts: $what",
  async ({ left, yaml, isMade, found }) => {
    expect(await gainsAfter(left, yaml, isMade)).toEqual(found);
  },
);

test.each([
  { what: "an existing group", isMade: false, left: "", found: ["people_gaining_access 1"] },
  { what: "a group that the run made, as it was to become", isMade: true, left: "same", found: [] },
  { what: "a group that the run made, with others", isMade: true, left: "", found: ["people_gaining_access 1"] },
])("an account that is no administrator counts who comes into $what", async ({ isMade, left, found }) => {
  const crew = { name: "crew", members: [ADA], can_manage_group: "role:moderators" };
  const snapshot = realmOf({ ...overlay, account: "chiara@acme.example", user_groups: [crew] });
  const yaml = `version: 1\nuser_groups: {crew: {members: [${ADA}, ${BEN}]}}\n`;
  const plan = must(await planText(yaml, snapshot));
  const made = {
    objects: new Set(isMade ? (["user_group:crew"] as const) : []),
    left: left === "" ? [] : plan.changes,
  };
  const guards = guardsOf({ plan, snapshot, kinds, policies: [], allow: [], made });
  expect(
    guards
      .filter(({ name, fact }) => name === "people_gaining_access" && fact.asks === true)
      .map((guard) => `${guard.name} ${amountOf(guardText(guard))}`),
  ).toEqual(found);
});

test.each<{ what: string; yaml: string; found: readonly string[] }>([
  {
    what: "two people are subscribed to a private channel",
    yaml: OPEN_BOARD,
    found: ["asks: people_gaining_access 2"],
  },
  {
    what: "a guest comes into a channel that the plan makes private",
    yaml: `channels: {general: {privacy: private_shared_history, subscribers: {users: [${ADA}, ${IVO}], exact: true}}}\n`,
    found: ["asks: people_gaining_access 1", "asks: opened 1"],
  },
  {
    what: "a channel becomes private for people who read it already",
    yaml: `channels: {general: {privacy: private_shared_history, subscribers: {users: [${ADA}, ${BEN}], exact: true}}}\n`,
    found: [],
  },
  {
    what: "a new channel is not a private channel that opens",
    yaml: "channels: {new: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, ben@acme.example]}}}\n",
    found: [],
  },
  {
    what: "an archived channel is restored unchanged",
    yaml: "channels: {old: {archived: false}}\n",
    found: [],
  },
  {
    what: "an archived channel is restored and opens",
    yaml: "channels: {old: {archived: false, subscribers: {users: [ada@acme.example, ben@acme.example]}}}\n",
    found: ["asks: people_gaining_access 1"],
  },
  {
    what: "somebody is invited into a private channel",
    yaml: "invites: [{emails: [new@acme.example], send_until: 2026-12-01, channels: [general, board]}, {emails: [other@acme.example], send_until: 2026-12-01, channels: [general]}]\n",
    found: ["asks: people_gaining_access 1"],
  },
  {
    what: "somebody is invited into a group that can read a private channel, and a guest gains nothing by it",
    yaml: "user_groups: {crew: {members: [ada@acme.example]}}\nchannels: {board: {permissions: {can_subscribe_group: crew}}}\ninvites: [{emails: [new@acme.example], send_until: 2026-12-01, groups: [crew]}, {emails: [guest@acme.example], send_until: 2026-12-01, groups: [crew], invite_as: guest}]\n",
    found: ["asks: people_gaining_access 2"],
  },
  {
    what: "a guest is invited into a channel that the plan makes private, and a member, who would read it today",
    yaml: `channels: {general: {privacy: private_shared_history, subscribers: {users: [${ADA}], exact: true}}}\ninvites: [{emails: [new@acme.example], send_until: 2026-12-01, channels: [general], invite_as: guest}, {emails: [other@acme.example], send_until: 2026-12-01, channels: [general]}]\n`,
    found: ["asks: people_gaining_access 1"],
  },
  {
    what: "a guest link into a channel that the plan makes private, and a group link, whose members would read it today",
    yaml: `user_groups: {crew: {members: [${ADA}]}}\nchannels: {general: {privacy: private_shared_history, subscribers: {users: [${ADA}], exact: true}, permissions: {can_subscribe_group: crew}}}\ninvite_links: [{expires_on: never, invite_as: guest, channels: [general]}, {expires_on: never, groups: [crew]}]\n`,
    found: ["asks: people_gaining_access 1", "asks: opened 1"],
  },
  {
    what: "a link into a private channel, for administrators",
    yaml: "invite_links: [{expires_on: never, invite_as: administrator, channels: [board]}]\n",
    found: ["asks: people_gaining_access 1", "asks: opened 1", "asks: administrators 1"],
  },
  {
    what: "a group that members may join is let in: it has one member, and Ivo is a guest",
    yaml: "user_groups: {club: {members: [ada@acme.example], permissions: {can_join_group: role:members}}}\nchannels: {board: {permissions: {can_subscribe_group: club}}}\n",
    found: ["asks: people_gaining_access 8", "asks: opened 1"],
  },
  {
    what: "a group that moderators may add members to, as a subgroup of a group that is let in",
    yaml: "user_groups: {club: {members: [ada@acme.example], permissions: {can_add_members_group: role:moderators}}, clubs: {subgroups: [club]}}\nchannels: {board: {permissions: {can_add_subscribers_group: clubs}}}\n",
    found: ["asks: people_gaining_access 3"],
  },
  {
    what: "a group that nobody may join, except the owner, who manages all groups",
    yaml: "user_groups: {club: {members: [ada@acme.example]}}\nchannels: {board: {permissions: {can_subscribe_group: club}}}\n",
    found: ["asks: people_gaining_access 1"],
  },
  {
    what: "a group that everybody may join, and that opens nothing private",
    yaml: "user_groups: {club: {members: [ada@acme.example], permissions: {can_join_group: role:members}}}\nchannels: {general: {permissions: {can_subscribe_group: club}}}\n",
    found: [],
  },
])("$what", async ({ yaml, found }) => {
  expect(await gains(yaml)).toEqual(found);
});

test("a new bot and somebody who administers a channel are two, also for a limit", async () => {
  const yaml = `bots: {deploy-new-bot: {full_name: New, role: administrator}}
channels: {general: {permissions: {can_administer_channel_group: {users: [${BEN}, elif@acme.example]}}}}
`;
  const limited = (most: number) => gains(yaml, { policies: [[["administrators", most]]] });
  expect(await limited(1)).toEqual(["refused: administrators 2"]);
  expect(await limited(2)).toEqual(["told: administrators 2"]);
});

test("up to five channels are named, and the others are counted", async () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const live = realmOf({
    channels: names.map((name) => ({ name, invite_only: true })),
    subscribers: Object.fromEntries(names.map((name) => [name, [ADA]])),
  });
  const textOf = async (count: number) => {
    const yaml = names.slice(0, count).map((name) => `  ${name}: {permissions: {can_subscribe_group: leads}}\n`);
    const plan = must(await planText(`version: 1\nchannels:\n${yaml.join("")}`, live));
    const found = guardsOf({ plan, snapshot: live, kinds, policies: [], allow: [] });
    return found
      .filter(({ name }) => name === "people_gaining_access")
      .map(guardText)[0]
      ?.replace(/:.*/, "");
  };
  const start = "people gaining access to what is private 3";
  expect(await textOf(1)).toBe(`${start} (#a)`);
  expect(await textOf(2)).toBe(`${start} (#a and #b)`);
  expect(await textOf(5)).toBe(`${start} (#a, #b, #c, #d and #e)`);
  expect(await textOf(7)).toBe(`${start} (#a, #b, #c, #d, #e and 2 more)`);
});

test("a private channel that becomes public opens to everybody who could not read it", async () => {
  const found = await gains("channels: {board: {privacy: public}}\n");
  expect(found).toHaveLength(2);
  expect(found[0]).toMatch(/^asks: people_gaining_access [1-9]/);
  expect(found[1]).toBe("asks: opened 1");
});

test("a number in the policy is the answer up to that number, and refuses more; a policy without a number still asks; --allow answers once", async () => {
  expect(await gains(OPEN_BOARD, { policies: [[["people_gaining_access", 2]]] })).toEqual([
    "told: people_gaining_access 2",
  ]);
  expect(await gains(OPEN_BOARD, { policies: [[["people_gaining_access", 1]]] })).toEqual([
    "refused: people_gaining_access 2",
  ]);
  // The policy of the command also applies: the file's cannot loosen it.
  expect(await gains(OPEN_BOARD, { policies: [[["people_gaining_access", 2]], []] })).toContain(
    "asks: people_gaining_access 2",
  );
  expect(await gains(OPEN_BOARD, { policies: [[["people_gaining_access", 1]], []] })).toEqual([
    "refused: people_gaining_access 2",
  ]);
  expect(await gains(OPEN_BOARD, { allow: ["people_gaining_access"] })).toEqual(["told: people_gaining_access 2"]);
});

test("allowing irreversible steps allows messages to be deleted, but not more than a number in the policy, and nothing else", async () => {
  const shorter = "channels: {general: {message_retention_days: 30}}\n";
  expect(await gains(shorter, { allow: ["irreversible"] })).toEqual(["told: messages_deleted 1"]);
  expect(await lineOf(shorter, ["irreversible"])).toMatch(/\(allowed with --allow irreversible\)$/);
  expect(await lineOf(shorter, ["irreversible", "messages_deleted"])).toMatch(/--allow messages_deleted\)$/);
  expect(await gains(shorter, { allow: ["irreversible"], policies: [[["messages_deleted", 0]]] })).toEqual([
    "refused: messages_deleted 1",
  ]);
  expect(await gains(OPEN_BOARD, { allow: ["irreversible"] })).toEqual(["asks: people_gaining_access 2"]);
});

test("an undo asks about the same gains as a plan, and about administrators of one channel, too", async () => {
  expect(await gains(OPEN_BOARD, { undoes: "own-run" })).toEqual(await gains(OPEN_BOARD));
  const one = `channels: {general: {permissions: {can_administer_channel_group: {users: [hana@acme.example]}}}}\n`;
  expect([await gains(one), await gains(one, { undoes: "own-run" })]).toEqual([
    ["told: administrators 1"],
    ["asks: administrators 1"],
  ]);
  expect(await gains("channels: {general: {message_retention_days: 30}}\n", { undoes: "own-run" })).toEqual([
    "asks: messages_deleted 1",
  ]);
});

describe("what counts: for which object, for whom, and at which line", () => {
  const people = (rows: string) => `people:\n${rows}`;
  const inactive = (...emails: readonly string[]) =>
    Object.fromEntries(emails.map((email) => [email, { is_active: false }]));
  const crew = (more: object) => ({ name: "crew", members: [ADA], ...more });
  const NOBODY = 9;
  const OWNERS = 10;
  const LEADS = 30;
  const leads = { name: "leads", members: [BEN] };
  const boardOfCrew: Overlay = {
    user_groups: [leads, crew({ can_join_group: NOBODY, can_add_members_group: NOBODY, can_manage_group: OWNERS })],
    channels: [{ name: "board", invite_only: true, can_subscribe_group: LEADS + 1 }],
    subscribers: { board: [ADA] },
  };
  const joins = "user_groups:\n  leads:\n    members: [ben@acme.example, chiara@acme.example]\n";

  test.each<{ what: string; yaml: string; live?: Overlay; found: readonly string[] }>([
    {
      what: "a member who becomes an administrator",
      yaml: people("  elif@acme.example:\n    role: administrator\n"),
      found: ["administrators person:elif@acme.example: elif, 4"],
    },
    {
      what: "a member who becomes an owner",
      yaml: people("  elif@acme.example: {role: owner}\n"),
      found: ["administrators person:elif@acme.example: elif, 3"],
    },
    { what: "no moderator", yaml: people("  elif@acme.example: {role: moderator}\n"), found: [] },
    {
      what: "people who gain the right to manage all groups, for each group except role groups, which nobody can manage",
      live: { settings: { can_manage_all_groups: OWNERS }, user_groups: [leads, crew({ deactivated: true })] },
      yaml: people("  ben@acme.example: {role: owner}\n"),
      found: ["administrators person:ben@acme.example: ben, 3", "administrators user_group:leads: ben, undefined"],
    },
    {
      what: "the role that somebody gets, before the groups that this role lets them manage",
      live: { settings: { can_manage_all_groups: OWNERS }, user_groups: [leads] },
      yaml: people("  elif@acme.example: {role: owner}\n"),
      found: ["administrators person:elif@acme.example: elif, 3", "administrators user_group:leads: elif, undefined"],
    },
    {
      what: "an administrator who becomes an owner, but no owner who becomes an administrator",
      yaml: people("  ben@acme.example: {role: owner}\n  kofi@acme.example: {role: administrator}\n"),
      found: ["administrators person:ben@acme.example: ben, 3"],
    },
    {
      what: "each at the change that makes it one",
      yaml: people(
        "  ben@acme.example: {role: owner}\n  chiara@acme.example: {role: member}\n  dmitri@acme.example: {role: moderator}\n  elif@acme.example: {role: administrator}\n  farah@acme.example: {role: owner}\n",
      ),
      found: [
        "administrators person:ben@acme.example: ben, 3",
        "administrators person:elif@acme.example: elif, 6",
        "administrators person:farah@acme.example: farah, 7",
      ],
    },
    {
      what: "a reactivated administrator, but no reactivated member",
      live: { users: inactive(BEN, "chiara@acme.example", "elif@acme.example") },
      yaml: people(
        "  chiara@acme.example: {deactivated: false}\n  elif@acme.example: {deactivated: false}\n  ben@acme.example: {deactivated: false}\n",
      ),
      found: ["administrators person:ben@acme.example: ben, 5"],
    },
    {
      what: "nobody for a public channel, a group and a folder that come back and have the ids of accounts",
      live: {
        channels: [
          { name: "board", invite_only: true },
          { name: "old", is_archived: true, stream_id: 9 },
        ],
        settings: { can_manage_all_groups: OWNERS },
        user_groups: [{ name: "gone", deactivated: true, id: 12 }],
        channel_folders: [{ name: "Old", is_archived: true, id: 11 }],
      },
      yaml: "channels: {old: {archived: false}}\nuser_groups: {gone: {deactivated: false}}\nchannel_folders: {Old: {}}\n",
      found: [],
    },
    {
      what: "the owner of a reactivated bot who may be where the bot is again, but nobody for a bot without an owner",
      live: {
        users: {
          "ci-bot@localhost": { is_active: false },
          "hook-bot@localhost": { is_active: false, bot_owner_id: null },
        },
        channels: [{ name: "board", invite_only: true }],
        subscribers: { board: [ADA] },
      },
      yaml: "bots:\n  hook-bot: {deactivated: false}\n  ci-bot: {deactivated: false}\n",
      found: ["people_gaining_access bot:ci-bot: dmitri, 4"],
    },
    {
      what: "both who have the key of a bot that comes back with another owner",
      live: {
        users: inactive("ci-bot@localhost"),
        channels: [{ name: "board", invite_only: true }],
        subscribers: { board: [ADA] },
      },
      yaml: "bots:\n  ci-bot: {deactivated: false, owner: hana@acme.example}\n",
      found: ["people_gaining_access bot:ci-bot: dmitri hana, 3"],
    },
    {
      what: "somebody who may be back in a channel that the plan makes private, the only private one",
      live: { users: inactive("dmitri@acme.example"), channels: [{ name: "board" }, { name: "hall" }] },
      yaml: people("  dmitri@acme.example: {deactivated: false}\n").concat(
        "channels: {board: {privacy: private_shared_history}}\n",
      ),
      found: ["people_gaining_access person:dmitri@acme.example: dmitri, 3"],
    },
    {
      what: "nobody who comes back to public channels",
      live: { users: inactive("dmitri@acme.example"), channels: [{ name: "board" }] },
      yaml: people("  dmitri@acme.example: {deactivated: false}\n"),
      found: [],
    },
    {
      what: "links and an invitation that are open already, once each, however many channels open to them",
      live: {
        channels: [{ name: "lobby" }, { name: "hr", invite_only: true }, { name: "plans", invite_only: true }],
        subscribers: { lobby: [ADA], hr: [ADA], plans: [ADA] },
        user_groups: [leads],
        invites: [{ email: "nils@acme.example" }],
        links: [
          { invited_as: 600, expires_in_days: null },
          { invited_as: 400, expires_in_days: null },
        ],
      },
      yaml: `channels:\n  lobby:\n    privacy: private_shared_history\n    subscribers: {users: [${ADA}]}\n  hr: {permissions: {can_subscribe_group: {groups: [leads]}}}\n  plans: {permissions: {can_subscribe_group: {groups: [leads]}}}\ninvites: [{emails: [nils@acme.example], send_until: 2026-11-30, groups: [leads]}]\ninvite_links: [{expires_on: never, invite_as: guest, channels: [lobby]}, {expires_on: never, groups: [leads]}]\n`,
      found: [
        "people_gaining_access channel:hr: ben, 6",
        "people_gaining_access channel:plans: ben, 7",
        "people_gaining_access channel:lobby: undefined, 4",
        "opened channel:lobby: undefined, 4",
        "people_gaining_access channel:hr: undefined, 6",
        "opened channel:hr: undefined, 6",
        "people_gaining_access channel:hr: undefined, 6",
        "opened channel:plans: undefined, 7",
      ],
    },
    {
      what: "nobody for open links that read nothing more",
      live: {
        channels: [{ name: "lobby" }, { name: "hr", invite_only: true, can_subscribe_group: LEADS }],
        subscribers: { lobby: [ADA], hr: [ADA] },
        user_groups: [leads],
        invites: [],
        links: [
          { invited_as: 600, expires_in_days: null },
          { invited_as: 400, expires_in_days: null },
        ],
      },
      yaml: "channels:\n  lobby: {description: x}\n  hr: {description: x}\ninvite_links: [{expires_on: never, invite_as: guest, channels: [lobby, hr]}, {expires_on: never, groups: [leads]}]\n",
      found: [],
    },
    {
      what: "a bot and its owner, at the bot's role",
      yaml: "people:\n  elif@acme.example: {role: administrator}\nbots:\n  ci-bot:\n    role: administrator\n",
      found: ["administrators person:elif@acme.example: elif, 3", "administrators bot:ci-bot: dmitri ci-bot, 6"],
    },
    {
      what: "a bot that becomes an administrator, which cannot be counted yet",
      yaml: "bots:\n  new-bot:\n    full_name: New\n    role: administrator\n  other-bot: {full_name: Other}\n",
      found: ["administrators bot:new-bot: , 5"],
    },
    {
      what: "people who come to manage a group, at the line of the setting",
      live: { user_groups: [leads, crew({ can_manage_group: LEADS + 1 })] },
      yaml: "user_groups:\n  crew:\n    description: x\n    permissions:\n      can_manage_group: leads\n",
      found: ["administrators user_group:crew: ben, 6"],
    },
    {
      what: "people who come to manage a group and administer a channel through a group that they join, archived ones too, but nothing about deactivated groups",
      live: {
        settings: { can_manage_all_groups: OWNERS },
        user_groups: [
          leads,
          crew({ can_manage_group: LEADS }),
          { name: "gone", deactivated: true, can_manage_group: LEADS },
        ],
        channels: [
          { name: "hall", can_administer_channel_group: LEADS },
          { name: "old", is_archived: true, can_administer_channel_group: LEADS },
        ],
      },
      yaml: joins,
      found: [
        "administrators channel:hall: chiara, undefined",
        "administrators channel:old: chiara, undefined",
        "administrators user_group:crew: chiara, undefined",
      ],
    },
    {
      what: "nobody who would manage a deactivated group",
      live: { settings: { can_manage_all_groups: OWNERS }, user_groups: [leads, crew({})] },
      yaml: `${people("  elif@acme.example: {role: owner}\n")}user_groups: {crew: {deactivated: true}}\n`,
      found: ["administrators person:elif@acme.example: elif, 3", "administrators user_group:leads: elif, undefined"],
    },
    {
      what: "people who gain the right to manage a reactivated group, but nobody who had it before",
      live: { user_groups: [leads, crew({ can_manage_group: LEADS + 1, deactivated: true })] },
      yaml: "user_groups:\n  crew:\n    deactivated: false\n    permissions:\n      can_manage_group: leads\n",
      found: ["administrators user_group:crew: ben, 6"],
    },
    {
      what: "people who come to administer a channel, at the line of the setting",
      live: { channels: [{ name: "hall" }] },
      yaml: "channels:\n  hall:\n    description: x\n    permissions:\n      can_administer_channel_group: {users: [hana@acme.example]}\n",
      found: ["administrators channel:hall: hana, 6"],
    },
    {
      what: "nothing for a setting that the server does not have",
      live: {
        channels: [{ name: "hall" }],
        feature_level: 277,
        user_groups: [leads],
        settings: { can_manage_all_groups: OWNERS },
      },
      yaml: joins,
      found: [],
    },
    {
      what: "people who gain the right to read a private channel, at the line that lets them in",
      live: { channels: [{ name: "board", invite_only: true }], subscribers: { board: [ADA, IVO] } },
      yaml: `channels:\n  board:\n    description: x\n    subscribers:\n      users: [${ADA}, ${IVO}, hana@acme.example, ${BEN}]\n`,
      found: ["people_gaining_access channel:board: ben hana, 6"],
    },
    {
      what: "people who can join a group that opens a private channel, at the line of the group's setting",
      live: boardOfCrew,
      yaml: "user_groups:\n  crew:\n    description: x\n    permissions:\n      can_join_group: leads\n",
      found: ["people_gaining_access channel:board: ben, 6"],
    },
    {
      what: "people who can join or manage such a group, at the line of the channel if that changes, too",
      live: { ...boardOfCrew, channels: [{ name: "board", invite_only: true }] },
      yaml: "user_groups:\n  crew:\n    permissions:\n      can_join_group: leads\nchannels:\n  board:\n    permissions:\n      can_subscribe_group: crew\n",
      found: ["people_gaining_access channel:board: ben kofi, 9"],
    },
    {
      what: "people who can join such groups, at the line of the first group that changes",
      live: {
        user_groups: [
          leads,
          crew({
            can_join_group: LEADS,
            can_add_members_group: NOBODY,
            can_manage_group: OWNERS,
            subgroups: ["watch"],
          }),
          { name: "watch", can_join_group: NOBODY, can_add_members_group: NOBODY, can_manage_group: OWNERS },
        ],
        channels: [{ name: "board", invite_only: true, can_subscribe_group: LEADS + 1 }],
        subscribers: { board: [ADA] },
        settings: { can_manage_all_groups: OWNERS },
      },
      yaml: `${joins}  watch:\n    permissions: {can_join_group: leads}\n`,
      found: ["people_gaining_access channel:board: chiara, 6"],
    },
    {
      what: "people who are invited into a private channel, and as administrators, at the line of the invitation",
      live: { channels: [{ name: "board", invite_only: true }], subscribers: { board: [ADA] }, invites: [], links: [] },
      yaml: "invites:\n  - emails: [new@acme.example]\n    send_until: 2026-12-01\n    invite_as: administrator\n    channels: [board]\n",
      found: [
        "administrators invite:new@acme.example: undefined, 3",
        "people_gaining_access invite:new@acme.example: undefined, 3",
      ],
    },
    {
      what: "people who can manage all groups from now on, for a private channel that a group opens",
      live: boardOfCrew,
      yaml: "settings:\n  permissions:\n    can_manage_all_groups: leads\n",
      found: [
        "people_gaining_access channel:board: ben, 4",
        "administrators user_group:leads: ben, undefined",
        "administrators user_group:crew: ben, undefined",
      ],
    },
    {
      what: "the first guest",
      live: { channels: [{ name: "board", invite_only: true }], subscribers: { board: [ADA] } },
      yaml: `channels:\n  board:\n    subscribers: {users: [${ADA}, ${IVO}]}\n`,
      found: ["people_gaining_access channel:board: ivo, 4", "opened channel:board: undefined, 4"],
    },
    {
      what: "no second guest",
      live: { channels: [{ name: "board", invite_only: true }], subscribers: { board: [ADA, IVO] } },
      yaml: `people:\n  elif@acme.example: {role: guest}\nchannels:\n  board:\n    subscribers: {users: [${ADA}, ${IVO}, elif@acme.example]}\n`,
      found: ["people_gaining_access channel:board: elif, 6"],
    },
    {
      what: "no guest in a public channel",
      live: { channels: [{ name: "hall" }], subscribers: { hall: [ADA] } },
      yaml: `channels:\n  hall:\n    subscribers: {users: [${ADA}, ${IVO}]}\n`,
      found: [],
    },
    {
      what: "a public channel that becomes web-public counts once, and so does a new one",
      live: { channels: [{ name: "hall" }], settings: WEB },
      yaml: "channels:\n  hall: {privacy: web_public}\n  yard: {privacy: web_public}\n",
      found: ["opened channel:hall: undefined, 3", "opened channel:yard: undefined, 4"],
    },
    {
      what: "no channel that closes, but one that shares its history, for those who came later",
      live: {
        channels: [
          { name: "site", is_web_public: true },
          { name: "board", invite_only: true, history_public_to_subscribers: false },
        ],
        subscribers: { site: [ADA], board: [ADA] },
        settings: WEB,
      },
      yaml: "channels:\n  site: {privacy: public}\n  board: {privacy: private_shared_history}\n",
      found: ["people_gaining_access channel:board: ada, 4"],
    },
    {
      what: "a channel that shares its history, for everybody if its subscribers were not read",
      live: {
        users: { "farah@acme.example": { is_active: false } },
        channels: [{ name: "board", invite_only: true, history_public_to_subscribers: false }],
        subscribers: null,
      },
      yaml: "channels:\n  board: {privacy: private_shared_history}\n",
      found: ["people_gaining_access channel:board: ada ben chiara dmitri elif gustavo hana ivo kofi, 3"],
    },
    {
      what: "no channel that keeps its history to itself, or shared it before, if its subscribers were not read",
      live: {
        channels: [
          { name: "board", invite_only: true },
          { name: "den", invite_only: true, history_public_to_subscribers: false },
          { name: "hall" },
        ],
        subscribers: null,
      },
      yaml: "channels:\n  board: {privacy: private_protected_history}\n  den: {description: x}\n  hall: {privacy: private_shared_history}\n",
      found: [],
    },
    {
      what: "the organization, if it opens to the web, but not if it is only listed in the directory",
      live: { settings: { ...WEB, enable_spectator_access: false, want_advertise_in_communities_directory: false } },
      yaml: "settings:\n  enable_spectator_access: true\n  want_advertise_in_communities_directory: true\n",
      found: ["opened settings:organization: undefined, 3"],
    },
  ])("$what", async ({ yaml, live = {}, found }) => {
    // Nobody manages all groups. Otherwise everybody who becomes a manager would count in each.
    const settings = { can_manage_all_groups: NOBODY, ...live.settings };
    const snapshot = realmOf({ ...live, settings });
    const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
    const names = (of: People): string =>
      snapshot.users
        .flatMap(({ user_id, delivery_email }) => (of.has(user_id) ? [delivery_email?.split("@")[0]] : []))
        .join(" ");
    const gained = gainsOf(plan, accessOf(plan, new Realm(snapshot)).difference, new Realm(snapshot)).filter(
      ({ counted, isUnread }) => counted !== "demotions" && isUnread !== true,
    );
    expect(
      gained.map(
        ({ counted, object, people, at }) => `${counted} ${object.address}: ${people && names(people)}, ${at?.line}`,
      ),
    ).toEqual(found);
  });
});

describe("reports of messages, which have the words of private channels and direct messages", () => {
  test.each([
    { what: "to fewer people", to: "board", found: [] },
    { what: "to the same people", to: "twin", found: [] },
    { what: "to more people", to: "wide", found: ["opened"] },
    { what: "to a channel that everybody may let themselves into", to: "open", found: ["opened"] },
    { what: "to nobody", to: "null", found: [] },
  ])("$what", async ({ to, found }) => {
    const closed = (name: string, more: object = {}) => ({ name, invite_only: true, ...more });
    const live = realmOf({
      channels: [
        closed("reports"),
        closed("board"),
        closed("twin"),
        closed("wide"),
        closed("open", { can_subscribe_group: 14 }),
      ],
      subscribers: { reports: [ADA, BEN], board: [ADA], twin: [ADA, BEN], wide: [ADA, BEN, IVO], open: [ADA] },
    });
    const { stream_id: moderation_request_channel_id = -1 } =
      live.channels.find(({ name }) => name === "reports") ?? {};
    const snapshot = { ...live, settings: { ...live.settings, moderation_request_channel_id } };
    const plan = must(await planText(`version: 1\nsettings: {moderation_request_channel: ${to}}\n`, snapshot));
    const guards = guardsOf({ plan, snapshot, kinds, policies: [], allow: [] });
    expect(guards.filter(({ fact }) => fact.asks === true).map(({ name }) => name)).toEqual(found);
  });
});
