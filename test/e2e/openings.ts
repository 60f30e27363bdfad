import type { World } from "./world.ts";

/** Ways to let somebody read something, or join, that once passed every guard: by the person's bot, an archived channel, people who join later. */
export const vault = async (world: World, more: object = {}) =>
  world.edit("owner", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: [6],
    invite_only: true,
    history_public_to_subscribers: true,
    ...more,
  });
const archive = (world: World) => world.edit("owner", "DELETE", `/streams/${world.channel("vault").stream_id}`, {});
const channels = (fields: string): string => `version: 1\nchannels: {vault: {${fields}}}\n`;
export const settings = (fields: string): string => `version: 1\nsettings: {${fields}}\n`;

interface Opening {
  readonly what: string;
  readonly before: (world: World) => Promise<unknown>;
  readonly yaml: string;
  readonly guards: readonly string[];
  readonly says: readonly string[];
}

export const OPENINGS: readonly Opening[] = [
  {
    what: "a bot of a member is subscribed to a private channel",
    before: (world) => vault(world),
    yaml: channels("subscribers: {users: [ada@acme.example, ci-bot@localhost]}"),
    guards: ["people_gaining_access"],
    says: ["#vault becomes readable by 1 more person", "Dmitri Volkov"],
  },
  {
    what: "a bot is put into a group that opens a private channel",
    before: async (world) => {
      await world.edit("owner", "POST", "/user_groups/create", { name: "keepers", description: "", members: [6] });
      await vault(world, { can_add_subscribers_group: world.group("keepers") });
    },
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, ci-bot@localhost]}}\n",
    guards: ["people_gaining_access"],
    says: [],
  },
  {
    what: "a member gets an administrator bot, which is subscribed to a private channel",
    before: async (world) => {
      await vault(world, { principals: [6, 17] });
      await world.edit("owner", "PATCH", "/bots/17", { role: 200 });
    },
    yaml: "version: 1\nbots: {deploy-bot: {owner: elif@acme.example}}\n",
    guards: ["people_gaining_access"],
    says: ["new administrators 1", "which opens #vault"],
  },
  {
    what: "an archived private channel becomes public",
    before: async (world) => {
      await vault(world);
      await archive(world);
    },
    yaml: channels("archived: true, privacy: public"),
    guards: ["people_gaining_access", "opened"],
    says: ["everybody who joins later"],
  },
  {
    what: "an archived channel lets members subscribe",
    before: async (world) => {
      await vault(world);
      await archive(world);
    },
    yaml: channels("archived: true, permissions: {can_subscribe_group: role:members}"),
    guards: ["people_gaining_access", "opened"],
    says: [],
  },
  {
    what: "a channel comes back that members were allowed to subscribe to while it was archived",
    before: async (world) => {
      await vault(world);
      await archive(world);
      await world.edit("owner", "PATCH", `/streams/${world.channel("vault").stream_id}`, {
        can_subscribe_group: { new: 14 },
      });
    },
    yaml: channels("archived: false"),
    guards: ["people_gaining_access", "opened"],
    says: [],
  },
  {
    what: "an invitation link into a group that an archived private channel lets in",
    before: async (world) => {
      await world.edit("owner", "POST", "/user_groups/create", { name: "keepers", description: "", members: [6] });
      await vault(world, { can_subscribe_group: world.group("keepers") });
      await archive(world);
    },
    yaml: "version: 1\ninvite_links: [{expires_on: never, groups: [keepers], channels: [general]}]\n",
    guards: ["people_gaining_access"],
    says: ["can read the private channel #vault"],
  },
  {
    what: "an invitation link for moderators, to whom a private channel is open",
    before: async (world) => vault(world, { can_subscribe_group: world.group("role:moderators") }),
    yaml: "version: 1\ninvite_links: [{expires_on: never, invite_as: moderator}]\n",
    guards: ["people_gaining_access"],
    says: ["can read the private channel #vault"],
  },
  {
    what: "a channel is opened to moderators while a link for moderators is open",
    before: async (world) => {
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
    what: "protected history becomes shared",
    before: (world) => vault(world, { history_public_to_subscribers: false, principals: [6, 10] }),
    yaml: channels("privacy: private_shared_history"),
    guards: ["people_gaining_access"],
    says: ["can read what was written before they subscribed"],
  },
  {
    what: "every member is subscribed, and members may subscribe: it opens to those who join later",
    before: (world) => vault(world, { principals: [6, 7, 8, 9, 10, 11, 12, 13, 16] }),
    yaml: channels("permissions: {can_subscribe_group: role:members}"),
    guards: ["opened"],
    says: ["#vault becomes readable by everybody who joins later"],
  },
  {
    what: "a person comes back",
    before: (world) => vault(world),
    yaml: "version: 1\npeople: {jana@acme.example: {deactivated: false}}\n",
    guards: ["people_gaining_access"],
    says: [],
  },
  {
    what: "nobody needs an invitation",
    before: (world) => world.edit("owner", "PATCH", "/realm", { invite_required: true }),
    yaml: settings("invite_required: false"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "the waiting period is lowered",
    before: (world) => world.edit("owner", "PATCH", "/realm", { waiting_period_threshold: 30 }),
    yaml: settings("waiting_period_threshold: 3d"),
    guards: ["opened"],
    says: ["new members are full members sooner"],
  },
  {
    what: "guests see everybody",
    before: (world) => world.edit("owner", "PATCH", "/realm", { can_access_all_users_group: { new: 14 } }),
    yaml: settings("permissions: {can_access_all_users_group: role:everyone}"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "members may create public channels",
    before: (world) => world.edit("owner", "PATCH", "/realm", { can_create_public_channel_group: { new: 11 } }),
    yaml: settings("permissions: {can_create_public_channel_group: role:members}"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "the addresses of new people become visible",
    before: (world) => world.edit("owner", "PATCH", "/realm/user_settings_defaults", { email_address_visibility: 3 }),
    yaml: "version: 1\nuser_defaults: {email_address_visibility: everyone}\n",
    guards: ["opened"],
    says: [],
  },
];
