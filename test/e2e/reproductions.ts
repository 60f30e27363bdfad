import type { World } from "./world.ts";

/**
 * What once passed unseen, or was told although it was not so: plans that let somebody read something, join or stay, and what every way to apply a plan
 * says of them (reproductions.test.ts).
 */
export const vault = (world: World, more: object = {}, name = "vault") =>
  world.subscribe(name, { principals: [6], invite_only: true, history_public_to_subscribers: true, ...more });
/** The members of the organization joined a week ago. */
const waiting = async (world: World, admitted: string, more: object = {}) => {
  await vault(world, more);
  await world.edit("owner", "PATCH", "/realm", { waiting_period_threshold: 3000 });
  await world.editChannel("vault", { can_subscribe_group: { new: world.group(admitted) } });
};
/** A web-public channel, and whether the web reads it. */
const spectated = async (world: World, on: boolean) => {
  await world.edit("owner", "PATCH", "/realm", { enable_spectator_access: true });
  await vault(world, { invite_only: false, is_web_public: true }, "hall");
  await world.edit("owner", "PATCH", "/realm", { enable_spectator_access: on });
};
/** A private channel that lets in a group of Ada alone. */
const kept = async (world: World, more: object = {}, members: readonly number[] = [6]) => {
  await world.createGroup("keepers", { members });
  await vault(world, { can_subscribe_group: world.group("keepers"), ...more });
};
/** A private channel that a group of Ada alone administers, or nobody. */
const administered = async (world: World, administrators = "keepers") => {
  await world.createGroup("keepers");
  await vault(world, { can_administer_channel_group: world.group(administrators) });
};
/** Who administers a channel is asked about only where the file has a limit. */
const ADMINISTRATORS = "policy: {limits: {administrators: 0}}\n";
/** Who owned ci-bot before. */
const DMITRI = "dmitri@acme.example";
const archive = (world: World) => world.edit("owner", "DELETE", `/streams/${world.channel("vault").stream_id}`, {});
export const channels = (fields: string): string => `version: 1\nchannels: {vault: {${fields}}}\n`;
export const settings = (fields: string): string => `version: 1\nsettings: {${fields}}\n`;

interface Reproduction {
  readonly what: string;
  readonly begin: (world: World) => Promise<unknown>;
  readonly yaml: string;
  /** The guards that somebody has to confirm; none if nothing is to be asked. */
  readonly guards?: readonly string[];
  /** What a plan says. */
  readonly says?: readonly string[];
  /** What it does not say. */
  readonly never?: readonly string[];
  /** Rules that hold before, and that the plan breaks. */
  readonly rule?: string;
  /** What is so after the plan, and not before. */
  readonly done?: (world: World) => boolean;
}

const readers = (world: World, channel = "vault"): number =>
  Object.values(world.sandbox.state().subscriptions[world.channel(channel).stream_id] ?? {}).filter(
    ({ active }) => active,
  ).length;
/** Whether the last request that changed something was about this. */
const isSentLast = (world: World, path: string): boolean => world.writes().at(-1)?.includes(path) === true;
/** The channel becomes private for Ada alone. */
const CLOSED =
  "privacy: private_shared_history, subscribers: {users: [ada@acme.example], exact: true}, permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}";
const NOBODY_ELSE = "rights: {read: {only: ada@acme.example}}";

export const REPRODUCTIONS: readonly Reproduction[] = [
  {
    what: "a list of a private channel that does not say `exact` does not name two of its readers",
    begin: (world) => vault(world, { principals: [6, 9, 10] }),
    yaml: channels("subscribers: {users: [ada@acme.example]}"),
    guards: ["unlisted_subscribers"],
    done: (world) => readers(world) === 1,
  },
  {
    what: "somebody is taken off the list of a private channel",
    begin: (world) => vault(world, { principals: [6, 9] }),
    yaml: channels("subscribers: {users: [ada@acme.example], exact: true}"),
    done: (world) => readers(world) === 1,
  },
  {
    what: "a private channel without a list has readers whom the file does not name",
    begin: (world) => vault(world, { principals: [6, 9, 10] }),
    yaml: channels("description: Keep out"),
    says: ["3 people read #vault whom the file does not list"],
  },
  {
    what: "a person is subscribed to a private channel",
    begin: (world) => vault(world),
    yaml: channels("subscribers: {users: [ada@acme.example, ben@acme.example]}"),
    guards: ["people_gaining_access"],
    done: (world) => readers(world) === 2,
  },
  {
    what: "a private channel becomes public",
    begin: (world) => vault(world),
    yaml: channels("privacy: public"),
    guards: ["people_gaining_access", "opened"],
    says: ["everybody who joins later"],
    rule: `objects: '*', privacy: private_*, ${NOBODY_ELSE}`,
    done: (world) => !world.channel("vault").invite_only,
  },
  {
    what: "a private channel becomes public and a default channel",
    begin: (world) => vault(world),
    yaml: channels("privacy: public").concat("default_channels: [vault]\n"),
    guards: ["people_gaining_access", "opened"],
  },
  {
    what: "a private channel gets another name and becomes public, and a new private one gets its name",
    begin: (world) => vault(world),
    yaml: "version: 1\nchannels: {lobby: {was: vault, privacy: public}, vault: {privacy: private_shared_history}}\n",
    guards: ["people_gaining_access", "opened"],
    rule: `objects: vault, ${NOBODY_ELSE}`,
  },
  {
    what: "a private channel is renamed out of the pattern of a rule, and becomes public",
    begin: (world) => vault(world),
    yaml: "version: 1\nchannels: {hall: {was: vault, privacy: public}}\n",
    guards: ["people_gaining_access", "opened"],
    rule: `objects: 'vau*', ${NOBODY_ELSE}`,
  },
  {
    what: "a new channel looks like a private one",
    begin: (world) => vault(world),
    yaml: "version: 1\nchannels: {vаult: {privacy: public}}\n",
    says: ["looks like the channel"],
  },
  {
    what: "a private channel admits full members, and members who are still waiting",
    begin: (world) => waiting(world, "role:nobody"),
    yaml: channels("permissions: {can_subscribe_group: role:fullmembers}"),
    guards: ["people_gaining_access", "opened"],
    says: ["5 more people are still waiting: full members can read #vault"],
    rule: "who: hana@acme.example, cannot: {read: vault}",
  },
  {
    what: "a guest becomes a member who has to wait for what full members read",
    begin: (world) => waiting(world, "role:fullmembers"),
    yaml: "version: 1\npeople: {ivo@partner.example: {role: member}}\n",
    guards: ["people_gaining_access"],
    says: ["ivo@partner.example is still waiting: full members can read #vault"],
    never: ["may read #vault"],
    rule: "who: ivo@partner.example, cannot: {read: vault}",
  },
  {
    what: "people who never could read a channel lose no right to post there",
    begin: (world) => vault(world),
    yaml: channels("permissions: {can_send_message_group: role:administrators}"),
    never: ["may no longer post"],
  },
  {
    what: "messages are deleted",
    begin: (world) => vault(world),
    yaml: channels("message_retention_days: 30"),
    guards: ["messages_deleted"],
    done: (world) => world.channel("vault").message_retention_days === 30,
  },
  {
    what: "everybody gets a weekly summary",
    begin: async () => {},
    yaml: settings("digest_emails_enabled: true").concat("policy: {limits: {emails: 0}}\n"),
    guards: ["emails"],
    never: ["no e-mails"],
  },
  {
    what: "a bot of a member is subscribed to a private channel",
    begin: (world) => vault(world),
    yaml: channels("subscribers: {users: [ada@acme.example, ci-bot@localhost]}"),
    guards: ["people_gaining_access"],
    says: ["#vault becomes readable by 1 more person", "Dmitri Volkov"],
  },
  {
    what: "a bot is put into a group that opens a private channel",
    begin: async (world) => {
      await world.createGroup("keepers");
      await vault(world, { can_add_subscribers_group: world.group("keepers") });
    },
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, ci-bot@localhost]}}\n",
    guards: ["people_gaining_access"],
    says: ["#vault becomes readable by 1 more person realm.yaml:2 Dmitri Volkov"],
  },
  {
    what: "a member gets an administrator bot, which is subscribed to a private channel",
    begin: async (world) => {
      await vault(world, { principals: [6, 17] });
      await world.edit("owner", "PATCH", "/bots/17", { role: 200 });
    },
    yaml: "version: 1\nbots: {deploy-bot: {owner: elif@acme.example}}\n",
    guards: ["people_gaining_access", "administrators"],
    says: ["new administrators 1", "which opens #vault"],
  },
  {
    what: "a bot through which a member reads a private channel is deactivated",
    begin: (world) => vault(world, { principals: [6, 18] }),
    yaml: "version: 1\nbots: {ci-bot: {deactivated: true}}\npolicy: {limits: {people_losing_access: 0}}\n",
    guards: ["people_losing_access"],
    says: [],
  },
  {
    what: "a bot through which a member reads a private channel gets another owner: the member has its key",
    begin: (world) => vault(world, { principals: [6, 18] }),
    yaml: "version: 1\nbots: {ci-bot: {owner: ada@acme.example}}\n",
    says: [`${DMITRI} has seen this key, and can use it until the bot gets a new one (Settings > Bots)`],
    never: ["can no longer read", "people losing access"],
    done: (world) => world.sandbox.state().users[18]?.bot_owner_id === 6,
  },
  {
    what: "a member leaves, and a bot through which they read a private channel gets another owner and stays in use",
    begin: (world) => vault(world, { principals: [6, 18] }),
    yaml: "version: 1\nbots: {ci-bot: {owner: ada@acme.example}}\npeople: {dmitri@acme.example: {deactivated: true}}\n",
    says: [`${DMITRI} has seen this key, and can use it until the bot gets a new one (Settings > Bots)`],
    never: ["can no longer read", "people losing access"],
    done: ({ sandbox }) =>
      sandbox.state().users[9]?.is_active === false && sandbox.state().users[18]?.is_active === true,
  },
  {
    what: "a bot gets another owner and is subscribed to a private channel, which its former owner reads then, too",
    begin: (world) => vault(world),
    yaml: "version: 1\nbots: {ci-bot: {owner: elif@acme.example}}\nchannels: {vault: {subscribers: {users: [ada@acme.example, ci-bot@localhost]}}}\n",
    guards: ["people_gaining_access"],
    says: ["#vault becomes readable by 2 more people", "Dmitri Volkov"],
  },
  {
    what: "an administrator bot gets another owner: the former one can still use it",
    begin: (world) => world.edit("owner", "PATCH", "/bots/18", { role: 200 }),
    yaml: "version: 1\nbots: {ci-bot: {owner: ada@acme.example}}\n",
    says: [`${DMITRI} has seen this key`],
  },
  {
    what: "a bot comes back",
    begin: (world) => world.edit("owner", "DELETE", "/bots/18", {}),
    yaml: "version: 1\nbots: {ci-bot: {deactivated: false}}\n",
    says: ["its key from before works again, for everybody who has it"],
  },
  {
    what: "more people manage all groups, also one that opens a private channel",
    begin: kept,
    yaml: settings("permissions: {can_manage_all_groups: role:moderators}"),
    guards: ["people_gaining_access"],
    says: [
      "2 more people may add themselves to keepers, whose members can read #vault realm.yaml:2 Ben Lindqvist and Chiara Moretti",
    ],
  },
  {
    what: "somebody manages a group that opens a private channel",
    begin: kept,
    yaml: "version: 1\nuser_groups: {keepers: {permissions: {can_manage_group: {users: [elif@acme.example]}}}}\n",
    guards: ["people_gaining_access"],
    says: ["1 more person may add themselves to keepers, whose members can read #vault realm.yaml:2 Elif Demir"],
  },
  {
    what: "somebody becomes a moderator, and moderators manage all groups",
    begin: async (world) => {
      await kept(world);
      await world.edit("owner", "PATCH", "/realm", { can_manage_all_groups: { new: world.group("role:moderators") } });
    },
    yaml: "version: 1\npeople: {elif@acme.example: {role: moderator}}\n",
    guards: ["people_gaining_access"],
    says: ["elif@acme.example may add themselves to keepers, whose members can read #vault"],
  },
  {
    what: "a bot leaves a group that opens a private channel, and its owner with it",
    begin: (world) => kept(world, {}, [6, 18]),
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example]}}\n",
    says: ["1 person can no longer read #vault realm.yaml:2 Dmitri Volkov"],
  },
  {
    what: "a guest comes into a group that opens a private channel to members",
    begin: kept,
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, ivo@partner.example]}}\n",
    says: ["1 more person is in keepers realm.yaml:2 Ivo Novak"],
    never: ["can read #vault", "people gaining access"],
  },
  {
    what: "a guest leaves a group that opens a private channel to members",
    begin: (world) => kept(world, {}, [6, 14]),
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example]}}\n",
    says: ["1 person is no longer in keepers realm.yaml:2 Ivo Novak"],
    never: ["can read #vault"],
  },
  {
    what: "a guest and two members, of whom one reads the channel already, come into a group that it lets in",
    begin: (world) => kept(world, { principals: [6, 7] }),
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, ben@acme.example, elif@acme.example, ivo@partner.example]}}\n",
    guards: ["people_gaining_access"],
    says: [
      "1 more person is in keepers, whose members can read #vault realm.yaml:2 Elif Demir",
      "2 more people are in keepers realm.yaml:2 Ben Lindqvist and Ivo Novak",
    ],
  },
  {
    what: "a member whose bot keeps what members may becomes a guest",
    begin: (world) => vault(world, { principals: [6, 18] }),
    yaml: "version: 1\npeople: {dmitri@acme.example: {role: guest}}\n",
    says: ["may no longer add emoji, create bots, create groups"],
    never: ["add subscribers anywhere", "rights in channels"],
  },
  {
    what: "the owner of an administrator bot gets its role",
    begin: (world) => world.edit("owner", "PATCH", "/bots/18", { role: 200 }),
    yaml: "version: 1\npeople: {dmitri@acme.example: {role: administrator}}\n",
    guards: ["administrators"],
    says: ["new administrators 1"],
  },
  {
    what: "a bot goes with its owner: two accounts are deactivated",
    begin: async () => {},
    yaml: "version: 1\npeople: {dmitri@acme.example: {deactivated: true}}\npolicy: {limits: {removals: 1}}\n",
    guards: ["removals"],
    says: ["removals: 2, but at most 1 is allowed ("],
    done: ({ sandbox }) => sandbox.state().users[18]?.is_active === false,
  },
  {
    what: "a reader of a private channel enters a group that it lets in",
    begin: (world) => kept(world, { principals: [6, 7] }),
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, ben@acme.example]}}\n",
    never: ["people gaining access"],
  },
  {
    what: "somebody comes into a channel by a group, and gets a bot that opens nothing beside one that opens another channel",
    begin: async (world) => {
      await kept(world);
      await vault(world, { principals: [6, 18] }, "hall");
    },
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, hana@acme.example]}}\nbots: {ci-bot: {owner: hana@acme.example}, hook-bot: {owner: hana@acme.example}}\n",
    guards: ["people_gaining_access"],
    says: ["owns the bot ci-bot from then on, and sees its key, which opens #hall"],
    never: ["which opens #vault", "#hall and #vault", "hook-bot from then on, and sees its key, which"],
  },
  {
    what: "an archived private channel comes back, whose group everybody may join",
    begin: async (world) => {
      await kept(world);
      await archive(world);
      const members = { can_join_group: { new: world.group("role:members") } };
      await world.edit("owner", "PATCH", `/user_groups/${world.group("keepers")}`, members);
    },
    yaml: channels("archived: false"),
    guards: ["people_gaining_access", "opened"],
    says: ["and everybody who joins later may add themselves to keepers, whose members can read #vault"],
  },
  {
    what: "an archived private channel comes back, into which an open link leads",
    begin: async (world) => {
      await world.edit("owner", "POST", "/invites/multiuse", {
        invite_as: 600,
        stream_ids: [world.channel("general").stream_id],
        include_realm_default_subscriptions: false,
        group_ids: [],
        invite_expires_in_minutes: null,
      });
      const { stream_id } = world.channel("general");
      await world.subscribe("general");
      await world.edit("owner", "DELETE", "/default_streams", { stream_id });
      await world.edit("owner", "PATCH", `/streams/${stream_id}`, { is_private: true });
      await world.edit("owner", "DELETE", `/streams/${stream_id}`, {});
    },
    yaml: "version: 1\nchannels: {general: {archived: false}}\ninvite_links: [{invite_as: guest, expires_on: never, channels: [general]}]\n",
    guards: ["people_gaining_access", "opened"],
    says: ["people who join by the open link guest for ever can read"],
  },
  {
    what: "an archived private channel becomes public",
    begin: async (world) => {
      await vault(world);
      await archive(world);
    },
    yaml: channels("archived: true, privacy: public"),
    guards: ["people_gaining_access", "opened"],
    says: ["everybody who joins later"],
  },
  {
    what: "an archived channel lets members subscribe",
    begin: async (world) => {
      await vault(world);
      await archive(world);
    },
    yaml: channels("archived: true, permissions: {can_subscribe_group: role:members}"),
    guards: ["people_gaining_access", "opened"],
    says: [],
  },
  {
    what: "a channel comes back that members were allowed to subscribe to while it was archived",
    begin: async (world) => {
      await vault(world);
      await archive(world);
      await world.editChannel("vault", { can_subscribe_group: { new: 14 } });
    },
    yaml: channels("archived: false"),
    guards: ["people_gaining_access", "opened"],
    says: [],
  },
  {
    what: "an invitation link into a group that an archived private channel lets in",
    begin: async (world) => {
      await kept(world);
      await archive(world);
    },
    yaml: "version: 1\ninvite_links: [{expires_on: never, groups: [keepers], channels: [general]}]\n",
    guards: ["people_gaining_access", "opened"],
    says: ["can read the private channel #vault"],
  },
  {
    what: "an invitation link for moderators, to whom a private channel is open",
    begin: async (world) => vault(world, { can_subscribe_group: world.group("role:moderators") }),
    yaml: "version: 1\ninvite_links: [{expires_on: never, invite_as: moderator}]\n",
    guards: ["people_gaining_access", "opened"],
    says: ["can read the private channel #vault"],
  },
  {
    what: "a channel is opened to moderators while a link for moderators is open",
    begin: async (world) => {
      await vault(world);
      await world.edit("owner", "POST", "/invites/multiuse", { invite_as: 300, invite_expires_in_minutes: null });
    },
    yaml: channels("permissions: {can_subscribe_group: role:moderators}").concat(
      "invite_links: [{expires_on: never, invite_as: moderator}]\n",
    ),
    guards: ["people_gaining_access", "opened"],
    says: ["whoever accepts an open invitation as moderator"],
  },
  {
    what: "a guest link into a channel that the same plan makes private",
    begin: (world) => vault(world, { invite_only: false }),
    yaml: channels(CLOSED).concat("invite_links: [{expires_on: never, invite_as: guest, channels: [vault]}]\n"),
    guards: ["people_gaining_access", "opened"],
    rule: "who: {role: guest}, cannot: {read: vault}",
    says: ["can read the private channel #vault"],
  },
  {
    what: "a channel becomes private into which a guest link of the file leads already",
    begin: async (world) => {
      await vault(world, { invite_only: false });
      const link = { stream_ids: [world.channel("vault").stream_id], invite_as: 600, invite_expires_in_minutes: null };
      await world.edit("owner", "POST", "/invites/multiuse", link);
    },
    yaml: channels(CLOSED).concat("invite_links: [{expires_on: never, invite_as: guest, channels: [vault]}]\n"),
    guards: ["people_gaining_access", "opened"],
    rule: "who: {role: guest}, cannot: {read: vault}",
    says: ["open link guest for ever can read the private channel #vault"],
  },
  {
    what: "a private channel opens to the group of a link of the file that is open already",
    begin: async (world) => {
      await world.createGroup("keepers");
      await vault(world);
      const link = { group_ids: [world.group("keepers")], invite_as: 400, invite_expires_in_minutes: null };
      await world.edit("owner", "POST", "/invites/multiuse", link);
    },
    yaml: channels("permissions: {can_subscribe_group: keepers}").concat(
      "invite_links: [{expires_on: never, groups: [keepers]}]\n",
    ),
    guards: ["people_gaining_access", "opened"],
    says: ["open link member for ever can read the private channel #vault"],
  },
  {
    what: "an open guest link leads into a channel that gets another name and closes, and a new channel gets its name",
    begin: async (world) => {
      await vault(world, { invite_only: false }, "lobby");
      const link = { stream_ids: [world.channel("lobby").stream_id], invite_as: 600, invite_expires_in_minutes: null };
      await world.edit("owner", "POST", "/invites/multiuse", link);
    },
    yaml: `version: 1\nchannels: {hall: {was: lobby, ${CLOSED}}, lobby: {privacy: public}}\n`.concat(
      "invite_links: [{expires_on: never, invite_as: guest, channels: [hall]}]\n",
    ),
    guards: ["people_gaining_access", "opened"],
    says: ["open link guest for ever can read the private channel #hall"],
  },
  {
    what: "an open link leads into a group that gets another name, and a new group gets its name",
    begin: async (world) => {
      await kept(world);
      const link = { group_ids: [world.group("keepers")], invite_as: 400, invite_expires_in_minutes: null };
      await world.edit("owner", "POST", "/invites/multiuse", link);
      await world.editChannel("vault", { can_subscribe_group: { new: world.group("role:nobody") } });
    },
    yaml: channels("permissions: {can_subscribe_group: team}").concat(
      "user_groups: {team: {was: keepers}, keepers: {members: [ada@acme.example]}}\ninvite_links: [{expires_on: never, groups: [team]}]\n",
    ),
    guards: ["people_gaining_access", "opened"],
    says: ["open link member for ever can read the private channel #vault"],
  },
  {
    what: "everybody may join a group that administers a private channel",
    begin: (world) => administered(world),
    yaml: `version: 1\n${ADMINISTRATORS}user_groups: {keepers: {permissions: {can_join_group: role:members}}}\n`,
    guards: ["administrators"],
    says: ["new administrators: 6, but none is allowed ("],
  },
  {
    what: "a new link into a group that administers a private channel",
    begin: (world) => administered(world),
    yaml: `version: 1\n${ADMINISTRATORS}invite_links: [{expires_on: never, groups: [keepers]}]\n`,
    guards: ["administrators"],
    says: ["people who join by the link member for ever can administer #vault"],
  },
  {
    what: "a group administers a private channel into which an open link leads",
    begin: async (world) => {
      await administered(world, "role:nobody");
      const link = { group_ids: [world.group("keepers")], invite_as: 400, invite_expires_in_minutes: null };
      await world.edit("owner", "POST", "/invites/multiuse", link);
    },
    yaml: `version: 1\n${ADMINISTRATORS}channels: {vault: {permissions: {can_administer_channel_group: keepers}}}\ninvite_links: [{expires_on: never, groups: [keepers]}]\n`,
    guards: ["administrators"],
    says: ["people who join by the open link member for ever can administer #vault"],
  },
  {
    what: "a guest is invited into a channel that the same plan makes private",
    begin: (world) => vault(world, { invite_only: false }),
    yaml: channels(CLOSED).concat(
      "invites: [{emails: [x@partner.example], send_until: 2099-01-01, expires_in: never, invite_as: guest, channels: [vault]}]\n",
    ),
    guards: ["people_gaining_access"],
    says: ["can read the private channel #vault"],
  },
  {
    what: "protected history becomes shared",
    begin: (world) => vault(world, { history_public_to_subscribers: false, principals: [6, 10] }),
    yaml: channels("privacy: private_shared_history"),
    guards: ["people_gaining_access"],
    says: ["can read what was written before they subscribed"],
  },
  {
    what: "protected history becomes shared, and every member may join a group that the channel admits",
    begin: async (world) => {
      await kept(world, { history_public_to_subscribers: false });
      await world.edit("owner", "PATCH", `/user_groups/${world.group("keepers")}`, {
        can_join_group: { new: world.group("role:members") },
      });
    },
    yaml: channels("privacy: private_shared_history"),
    guards: ["people_gaining_access", "opened"],
    says: ["people and everybody who joins later may add themselves to keepers, whose members can read #vault"],
  },
  {
    what: "protected history becomes shared, and an open link leads into a group that the channel admits",
    begin: async (world) => {
      await kept(world, { history_public_to_subscribers: false });
      const link = { group_ids: [world.group("keepers")], invite_as: 400, invite_expires_in_minutes: null };
      await world.edit("owner", "POST", "/invites/multiuse", link);
    },
    yaml: channels("privacy: private_shared_history").concat(
      "invite_links: [{expires_on: never, groups: [keepers]}]\n",
    ),
    guards: ["people_gaining_access", "opened"],
    says: ["open link member for ever can read the private channel #vault"],
  },
  {
    what: "protected history becomes shared, and people wait to become full members, whom the channel admits",
    begin: (world) => waiting(world, "role:fullmembers", { history_public_to_subscribers: false }),
    yaml: channels("privacy: private_shared_history"),
    guards: ["people_gaining_access", "opened"],
    says: ["are still waiting: full members can read #vault"],
  },
  {
    what: "every member is subscribed, and members may subscribe: it opens to those who join later",
    begin: (world) => vault(world, { principals: [6, 7, 8, 9, 10, 11, 12, 13, 16] }),
    yaml: channels("permissions: {can_subscribe_group: role:members}"),
    guards: ["opened"],
    says: ["#vault becomes readable by everybody who joins later"],
  },
  {
    what: "a person comes back",
    begin: (world) => vault(world),
    yaml: "version: 1\npeople: {jana@acme.example: {deactivated: false}}\n",
    guards: ["people_gaining_access"],
    says: [],
  },
  {
    what: "a person comes back into a channel that the same plan makes private, the only private one",
    begin: async (world) => {
      await world.edit("owner", "POST", "/users/15/reactivate", {});
      await vault(world, { invite_only: false, principals: [6, 15] });
      await world.edit("owner", "DELETE", "/users/15", {});
    },
    yaml: channels(
      "privacy: private_shared_history, subscribers: {users: [ada@acme.example], exact: false}, permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}",
    ).concat("people: {jana@acme.example: {deactivated: false}}\n"),
    guards: ["people_gaining_access"],
    done: (world) => readers(world) === 2,
  },
  {
    what: "nobody needs an invitation",
    begin: (world) => world.edit("owner", "PATCH", "/realm", { invite_required: true }),
    yaml: settings("invite_required: false"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "the waiting period is lowered",
    begin: (world) => world.edit("owner", "PATCH", "/realm", { waiting_period_threshold: 30 }),
    yaml: settings("waiting_period_threshold: 3d"),
    guards: ["opened"],
    says: ["new members are full members sooner"],
  },
  {
    what: "guests see everybody",
    begin: (world) => world.edit("owner", "PATCH", "/realm", { can_access_all_users_group: { new: 14 } }),
    yaml: settings("permissions: {can_access_all_users_group: role:everyone}"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "the web reads what is web-public already",
    begin: (world) => spectated(world, false),
    yaml: settings("enable_spectator_access: true"),
    guards: ["opened"],
    says: ["#hall becomes readable by everybody on the web", "channels opened 2 (#hall and organization)"],
  },
  {
    what: "the web reads no more what stays web-public",
    begin: (world) => spectated(world, true),
    yaml: settings("enable_spectator_access: false"),
    says: ["#hall is no longer readable on the web"],
  },
  {
    what: "a channel that is web-public without spectator access becomes public",
    begin: (world) => spectated(world, false),
    yaml: "version: 1\nchannels: {hall: {privacy: public}}\n",
    never: ["on the web"],
  },
  {
    what: "the web reads what is web-public, and creates more of it",
    begin: (world) => spectated(world, false),
    yaml: settings(
      "enable_spectator_access: true, permissions: {can_create_web_public_channel_group: role:moderators}",
    ).concat("channels: {hall: {}, attic: {privacy: web_public}}\n"),
    guards: ["opened"],
    says: ["#hall becomes readable by everybody on the web", "#attic is readable by everybody on the web"],
  },
  {
    what: "members may create public channels",
    begin: (world) => world.edit("owner", "PATCH", "/realm", { can_create_public_channel_group: { new: 11 } }),
    yaml: settings("permissions: {can_create_public_channel_group: role:members}"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "the addresses of new people become visible",
    begin: (world) => world.edit("owner", "PATCH", "/realm/user_settings_defaults", { email_address_visibility: 3 }),
    yaml: "version: 1\nuser_defaults: {email_address_visibility: everyone}\n",
    guards: ["opened"],
    says: [],
  },
  {
    what: "a channel that is archived keeps nobody whom its exact list does not name",
    begin: (world) => vault(world, { principals: [6, 7, 10] }),
    yaml: channels(`archived: true, ${CLOSED}`),
    says: ["#vault is archived", "2 people can no longer read #vault"],
    done: (world) => world.channel("vault").is_archived && readers(world) === 1,
  },
  {
    what: "a public channel that becomes private and is archived keeps nobody whom its list does not name",
    begin: (world) => vault(world, { principals: [6, 7], invite_only: false }),
    yaml: channels("archived: true, privacy: private_shared_history, subscribers: {users: [ada@acme.example]}"),
    guards: ["unlisted_subscribers"],
    says: ["#vault is archived", "1 person leaves it"],
    done: (world) => world.channel("vault").is_archived && readers(world) === 1,
  },
  {
    what: "everybody may join a group from the moment on at which a private channel no longer admits it",
    begin: (world) => kept(world),
    yaml: `${channels("permissions: {can_subscribe_group: role:nobody}")}user_groups: {keepers: {permissions: {can_join_group: role:members}}}\n`,
    says: ["more people may join keepers"],
    done: (world) => isSentLast(world, "/user_groups/"),
  },
];
