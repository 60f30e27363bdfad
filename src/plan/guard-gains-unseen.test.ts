import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import type { People } from "../access/people.ts";
import { defined } from "../model/defined.ts";
import { Realm } from "../model/realm.ts";
import { accessOf, gainsOf } from "./guard-gains.ts";

const ADA = "ada@acme.example";
const BEN = "ben@acme.example";
/** The server allows web-public channels, and the organization uses them. */
const WEB = { server_web_public_streams_enabled: true, enable_spectator_access: true };

/** What counts with everything that the guard needs to know of it. */
async function itemsOf(yaml: string, live: Overlay): Promise<readonly string[]> {
  const snapshot = realmOf(live);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  const realm = new Realm(snapshot);
  const addresses = (of: People): string =>
    snapshot.users
      .flatMap(({ user_id, delivery_email }) => (of.has(user_id) ? [delivery_email?.split("@")[0]] : []))
      .join(" ");
  return gainsOf(plan, accessOf(plan, realm).difference, realm).map(
    ({ counted, object, people, amount, at, ...marks }) =>
      `${counted} ${object.address}: ${people === undefined ? (amount ?? 1) : addresses(people)}, ${at?.line}${Object.keys(
        defined(marks),
      )
        .map((mark) => ` ${mark}`)
        .join("")}`,
  );
}

describe("what an account that is no administrator opens without seeing it", () => {
  const CHIARA = "chiara@acme.example";
  const MANAGED = { can_manage_group: "role:moderators" };
  const CREW = { name: "crew", members: [ADA], ...MANAGED };
  const invites = (more: string): string =>
    `invites:\n  - emails: [new@acme.example]\n    send_until: 2026-11-30\n${more}`;

  test.each<{ what: string; yaml: string; live?: Overlay; found: readonly string[] }>([
    {
      what: "who comes into a group that the account is not in",
      yaml: `user_groups:\n  crew:\n    description: x\n    members: [${ADA}, ${BEN}]\n`,
      found: ["people_gaining_access user_group:crew: ben, 5 isUnseen"],
    },
    {
      what: "nobody who comes into its own group, which opens what it sees",
      live: { user_groups: [{ ...CREW, members: [ADA, CHIARA] }] },
      yaml: `user_groups: {crew: {members: [${ADA}, ${BEN}, ${CHIARA}]}}\n`,
      found: [],
    },
    {
      what: "who comes into a group through its subgroup, at the line of the subgroup",
      live: {
        user_groups: [
          { ...CREW, subgroups: ["watch"] },
          { name: "watch", ...MANAGED },
        ],
      },
      yaml: `user_groups:\n  watch:\n    members: [${BEN}]\n`,
      found: [
        "people_gaining_access user_group:watch: ben, 4 isUnseen",
        "people_gaining_access user_group:watch: ben, 4 isUnseen",
      ],
    },
    {
      what: "the change that lets them in, and not one that stands before it",
      live: {
        user_groups: [
          { name: "aside", ...MANAGED },
          { ...CREW, subgroups: ["watch"] },
          { name: "watch", ...MANAGED },
        ],
      },
      yaml: `user_groups:\n  aside: {description: x}\n  watch:\n    description: x\n    members: [${BEN}]\n`,
      found: [
        "people_gaining_access user_group:watch: ben, 6 isUnseen",
        "people_gaining_access user_group:watch: ben, 6 isUnseen",
      ],
    },
    {
      what: "no invitation into a group that leads on only where every new member may go",
      live: {
        user_groups: [
          { name: "watch", members: [CHIARA], ...MANAGED },
          { ...CREW, can_join_group: { direct_members: [], direct_subgroups: ["watch", "role:members"] } },
        ],
      },
      yaml: invites("    groups: [watch]\n"),
      found: [],
    },
    {
      what: "who can put themselves into such a group",
      yaml: `user_groups:\n  crew:\n    permissions:\n      can_join_group: {users: [elif@acme.example]}\n`,
      found: ["people_gaining_access user_group:crew: elif, 5 isUnseen"],
    },
    {
      what: "an invitation into such a group",
      yaml: invites("    groups: [crew]\n"),
      found: ["people_gaining_access invite:new@acme.example: 1, 3 isUnseen"],
    },
    {
      what: "an invitation into its own group, whose members may let themselves into such a group",
      live: {
        user_groups: [
          { name: "watch", members: [CHIARA], ...MANAGED },
          { ...CREW, can_join_group: "watch" },
        ],
      },
      yaml: invites("    groups: [watch]\n"),
      found: ["people_gaining_access invite:new@acme.example: 1, 3 isUnseen"],
    },
    {
      what: "no invitation into its own group",
      live: { user_groups: [{ ...CREW, members: [CHIARA] }] },
      yaml: invites("    groups: [crew]\n"),
      found: [],
    },
    {
      what: "no invitation that gives what every new member gets",
      live: {
        user_groups: [
          { ...CREW, subgroups: ["role:members"] },
          { name: "watch", members: [CHIARA], ...MANAGED },
        ],
      },
      yaml: invites("    groups: [watch]\n"),
      found: [],
    },
    {
      what: "no guest, to whom groups open nothing",
      yaml: invites("    invite_as: guest\n    groups: [crew]\n"),
      found: [],
    },
    {
      what: "an invitation into a channel that it sees, once, with a group or without",
      live: { channels: [{ name: "board", invite_only: true }], subscribers: { board: [CHIARA] } },
      yaml: invites("    channels: [board]\n    groups: [crew]\n"),
      found: ["people_gaining_access invite:new@acme.example: 1, 3"],
    },
    {
      what: "an account that comes back, even if no channel is private",
      live: { account: "dmitri@acme.example", users: { "ci-bot@localhost": { is_active: false } } },
      yaml: "bots:\n  ci-bot: {deactivated: false}\n",
      found: ["people_gaining_access bot:ci-bot: dmitri, 3 isUnseen"],
    },
    {
      what: "who gets a bot, even if no channel is private",
      live: { account: "dmitri@acme.example" },
      yaml: "bots:\n  ci-bot: {owner: hana@acme.example}\n",
      found: ["people_gaining_access bot:ci-bot: hana, 3 isUnseen"],
    },
  ])("$what", async ({ yaml, live = {}, found }) => {
    expect(await itemsOf(yaml, { account: CHIARA, user_groups: [CREW], invites: [], ...live })).toEqual(found);
  });
});

describe("amounts, and what was not read", () => {
  const board: Overlay = { channels: [{ name: "board", invite_only: true }] };
  test.each<{ what: string; yaml: string; live?: Overlay; found: readonly string[] }>([
    {
      what: "who get e-mail",
      yaml: "settings:\n  digest_emails_enabled: true\n",
      live: { settings: { digest_emails_enabled: false } },
      found: ["emails settings:organization: 10, 3"],
    },
    {
      what: "who leave a channel whose list is exact without saying it",
      live: {
        channels: [{ name: "board", invite_only: true }],
        subscribers: { board: [ADA, BEN, "ci-bot@localhost"] },
      },
      yaml: `channels:\n  board:\n    subscribers: {users: [${ADA}]}\n`,
      found: ["unlisted_subscribers channel:board: 2, 4"],
    },
    {
      what: "the new owner of a bot that may be in a private channel whose subscribers were not read",
      live: board,
      yaml: "bots:\n  ci-bot:\n    owner: hana@acme.example\n",
      found: ["people_gaining_access bot:ci-bot: hana, 4"],
    },
    {
      what: "no new owner of a bot whose channels are known",
      live: { ...board, subscribers: { board: [ADA] } },
      yaml: "bots:\n  ci-bot:\n    owner: hana@acme.example\n",
      found: [],
    },
    {
      what: "no new owner of a bot if no channel is private",
      live: { channels: [{ name: "board" }] },
      yaml: "bots:\n  ci-bot:\n    owner: hana@acme.example\n",
      found: [],
    },
    {
      what: "a web-public channel, at the setting that opens all of them",
      live: { channels: [{ name: "site", is_web_public: true }], settings: { ...WEB, enable_spectator_access: false } },
      yaml: "settings:\n  enable_spectator_access: true\nchannels:\n  site:\n    description: x\n",
      found: ["opened channel:site: 1, 3", "opened settings:organization: 1, 3"],
    },
    {
      what: "a channel that becomes web-public with that setting, at its own line",
      live: { channels: [{ name: "site" }], settings: { ...WEB, enable_spectator_access: false } },
      yaml: "settings:\n  enable_spectator_access: true\nchannels:\n  site:\n    privacy: web_public\n",
      found: ["opened channel:site: 1, 6", "opened settings:organization: 1, 3"],
    },
    {
      what: "a right for newcomers, whose invitations were not read",
      live: { ...board, user_groups: [] },
      yaml: "channels:\n  board:\n    permissions: {can_subscribe_group: role:members}\n",
      found: [
        "people_gaining_access channel:board: ada ben chiara dmitri elif farah gustavo hana kofi, 4",
        "opened channel:board: 1, 4",
      ],
    },
    {
      what: "a right for administrators, which an open invitation could give",
      live: { ...board, user_groups: [] },
      yaml: "channels:\n  board:\n    permissions: {can_subscribe_group: role:administrators}\n",
      found: ["people_gaining_access channel:board: ada ben kofi, 4", "opened channel:board: 0, 4 isUnread"],
    },
    {
      what: "an administrator by invitation of each private channel",
      live: {
        channels: [{ name: "board", invite_only: true, can_administer_channel_group: "role:administrators" }],
        invites: [],
        links: [],
      },
      yaml: "invite_links:\n  - {expires_on: never, invite_as: administrator, channels: [board]}\n",
      found: [
        "administrators invite_link:administrator for ever: 1, 3",
        "people_gaining_access invite_link:administrator for ever: 1, 3",
        "opened invite_link:administrator for ever: 1, 3",
        "administrators invite_link:administrator for ever: 1, 3 isUnasked",
      ],
    },
  ])("$what", async ({ yaml, live = {}, found }) => {
    expect(await itemsOf(yaml, live)).toEqual(found);
  });
});
