import { describe, expect, test } from "vitest";
import { CODES } from "../../src/explain/explain.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { ROLE } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { planRealm } from "../../src/workflow/workflow.ts";
import { lookAt } from "../support/pictures.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";
import { general, kindSources, plannedOperations, recordedRefusals } from "./recorded-refusals.ts";
import { UNMET } from "./unmet-refusals.ts";

/**
 * What a server refuses and a plan can meet: planned on one reading, rehearsed on another, which somebody changed. Where the plan is not
 * made, or `apply` looks again and does not send the call, the server is not asked: then `by` says who refuses.
 */
interface Refusal {
  readonly what: string;
  readonly before?: Overlay;
  readonly after?: Overlay;
  readonly edit?: (snapshot: Snapshot) => Snapshot;
  readonly yaml: string;
  /** The server's words, as recorded; else what is found before it is asked. */
  readonly says: string;
  readonly by: "server" | "apply" | "planner";
}

/** The account that acts has another role by then. */
const actsAs =
  (role: keyof typeof ROLE) =>
  (snapshot: Snapshot): Snapshot =>
    withRole(snapshot, snapshot.account.user_id, role);
const member = actsAs("member");
const administrator = actsAs("administrator");
const guest = actsAs("guest");

const GROUP_OF = {
  owner: "role:owners",
  administrator: "role:administrators",
  moderator: "role:moderators",
  member: "role:fullmembers",
  guest: "role:everyone",
} as const;
const withRole = (snapshot: Snapshot, id: number, role: keyof typeof ROLE): Snapshot => ({
  ...snapshot,
  users: snapshot.users.map((user) => (user.user_id === id ? { ...user, role: ROLE[role] } : user)),
  user_groups: snapshot.user_groups.map((group) => ({
    ...group,
    members: [
      ...group.members.filter((other) => other !== id || !group.is_system_group),
      ...(group.name === GROUP_OF[role] || (role === "member" && group.name === "role:members") ? [id] : []),
    ],
  })),
});
type Account = Snapshot["users"][number];
/** Something else is true of an account by then. */
const account =
  (id: number, other: Partial<Account>) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    users: snapshot.users.map((user) => (user.user_id === id ? { ...user, ...other } : user)),
  });
const setting =
  (name: string, value: Snapshot["settings"][string]) =>
  (snapshot: Snapshot): Snapshot => ({ ...snapshot, settings: { ...snapshot.settings, [name]: value } });
const NOBODY = 9;
const deactivated =
  (name: string) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    user_groups: snapshot.user_groups.map((group) => (group.name === name ? { ...group, deactivated: true } : group)),
  });

const G: Overlay = { channels: [{ name: "general" }], subscribers: { general: ["ada@acme.example"] } };
const CREW: Overlay = { ...G, user_groups: [{ name: "crew" }] };
const LINKIFIER = "linkifiers: [{pattern: 'x(?P<n>[0-9]+)', url_template: 'https://acme.example/{n}'}]";

const INVITE = (email: string, more = "invite_as: member"): string =>
  `invites: [{emails: [${email}], send_until: 2026-11-24, expires_in: 10d, ${more}}]`;

const REFUSALS: readonly Refusal[] = [
  {
    what: "a group that a channel's permission names",
    by: "server",
    before: CREW,
    after: { ...CREW, channels: [{ name: "general", can_send_message_group: 30 }] },
    yaml: "user_groups: {crew: {deactivated: true}}",
    says: "Cannot deactivate user group in use.",
  },
  {
    what: "a group that another one has",
    by: "planner",
    yaml: "user_groups: {leads: {deactivated: true}}",
    says: "user_groups/in-use",
  },
  {
    what: "a permission for a group that was deactivated",
    by: "server",
    before: G,
    edit: deactivated("leads"),
    yaml: "channels: {general: {permissions: {can_send_message_group: leads}}}",
    says: "User group is deactivated.",
  },
  {
    what: "a permission for a group that is deactivated",
    by: "planner",
    before: G,
    yaml: "channels: {general: {permissions: {can_send_message_group: retired}}}",
    says: "reference/deactivated-group",
  },
  {
    what: "a channel's new name is taken",
    by: "apply",
    before: G,
    after: { channels: [{ name: "general" }, { name: "news" }] },
    yaml: "channels: {news: {was: general}}",
    says: "changed",
  },
  {
    what: "a group's name is taken",
    by: "apply",
    before: CREW,
    after: { user_groups: [{ name: "staff" }, { name: "team" }] },
    yaml: "user_groups: {team: {was: crew}}",
    says: "changed",
  },
  {
    what: "a group that was put below the one that it is to have",
    by: "server",
    before: { user_groups: [{ name: "night" }, { name: "crew" }] },
    after: { user_groups: [{ name: "night", subgroups: ["crew"] }, { name: "crew" }] },
    yaml: "user_groups: {crew: {subgroups: [night]}}",
    says: "User group 31 is already a subgroup of one of the passed subgroups.",
  },
  {
    what: "the right to administer a channel",
    by: "server",
    before: G,
    edit: member,
    after: { ...G, channels: [{ name: "general", can_administer_channel_group: 32 }] },
    yaml: "channels: {general: {archived: true}}",
    says: "You do not have permission to administer this channel.",
  },
  {
    what: "the right to manage groups",
    by: "server",
    edit: member,
    yaml: "user_groups: {leads: {description: x}}",
    says: "Insufficient permission",
  },
  {
    what: "the right to change linkifiers",
    by: "server",
    edit: member,
    yaml: LINKIFIER,
    says: "Must be an organization administrator",
  },
  {
    what: "the right to change default channels",
    by: "server",
    before: G,
    edit: member,
    yaml: "default_channels: [general]",
    says: "Must be an organization administrator",
  },
  {
    what: "the right to change default channels, where it goes along with a channel's settings",
    by: "server",
    before: G,
    edit: member,
    after: { ...G, channels: [{ name: "general", can_administer_channel_group: 14 }] },
    yaml: "channels: {general: {description: x}}\ndefault_channels: [general]",
    says: "You do not have permission to change default channels.",
  },
  {
    what: "the right to change domains",
    by: "server",
    edit: member,
    yaml: "domains: {acme.example: {}}",
    says: "Must be an organization owner",
  },
  {
    what: "the right to make folders",
    by: "server",
    edit: member,
    yaml: "channel_folders: {Work: {}}",
    says: "Must be an organization administrator",
  },
  {
    what: "web-public channels were turned off",
    by: "server",
    before: { ...G, settings: { enable_spectator_access: true } },
    after: { ...G, settings: { enable_spectator_access: false } },
    yaml: "channels: {general: {privacy: web_public}}",
    says: "Web-public channels are not enabled.",
  },
  {
    what: "a channel that became a default one",
    by: "server",
    before: G,
    after: { ...G, default_channels: ["general"] },
    yaml: "channels: {general: {privacy: private_shared_history}}",
    says: "A default channel cannot be private.",
  },
  {
    what: "a default channel that became private",
    by: "server",
    before: G,
    after: { ...G, channels: [{ name: "general", invite_only: true }] },
    yaml: "default_channels: [general]",
    says: "Private channels cannot be made default.",
  },
  {
    what: "a folder that got a channel",
    by: "server",
    before: { ...G, channel_folders: [{ name: "Team" }] },
    after: { channels: [{ name: "general", folder_id: 1 }], channel_folders: [{ name: "Team" }] },
    yaml: "channel_folders: {Team: {archived: true}}",
    says: "You need to remove all the channels from this folder to archive it.",
  },

  {
    what: "the right to give people roles",
    by: "server",
    says: "Insufficient permission",
    edit: member,
    yaml: "people: {elif@acme.example: {role: moderator}}",
  },
  {
    what: "the right to make owners",
    by: "server",
    says: "Must be an organization owner",
    edit: administrator,
    yaml: "people: {elif@acme.example: {role: owner}}",
  },
  {
    what: "the right to demote owners",
    by: "server",
    says: "Must be an organization owner",
    edit: administrator,
    yaml: "people: {kofi@acme.example: {role: member}}",
  },
  {
    what: "the right to deactivate people",
    by: "server",
    says: "Insufficient permission",
    edit: member,
    yaml: "people: {elif@acme.example: {deactivated: true}}",
  },
  {
    what: "the right to deactivate owners",
    by: "server",
    says: "Must be an organization owner",
    edit: administrator,
    yaml: "people: {kofi@acme.example: {deactivated: true}}",
  },
  {
    what: "the right to bring people back",
    by: "server",
    says: "Insufficient permission",
    edit: member,
    yaml: "people: {jana@acme.example: {deactivated: false}}",
  },
  {
    what: "the last owner would go",
    by: "server",
    says: "The owner permission cannot be removed from the only organization owner.",
    yaml: "people: {ada@acme.example: {role: member}}",
    edit: account(16, { is_active: false }),
  },
  {
    what: "the right to make bots",
    by: "server",
    says: "Insufficient permission",
    edit: setting("can_create_bots_group", NOBODY),
    yaml: "bots: {new-bot: {}}",
  },
  {
    what: "guests make no bots",
    by: "server",
    says: "Not allowed for guest users",
    edit: guest,
    yaml: "bots: {new-bot: {}}",
  },
  {
    what: "a bot's name is taken by another bot",
    by: "server",
    says: "Name is already in use.",
    yaml: "bots: {new-bot: {full_name: New}}",
    edit: account(18, { full_name: "New" }),
  },
  {
    what: "a bot's address is taken",
    by: "apply",
    says: "changed",
    yaml: "bots: {new-bot: {}}",
    edit: account(18, { email: "new-bot@localhost", delivery_email: "new-bot@localhost" }),
  },
  {
    what: "a bot's name is no longer free to be changed to",
    by: "server",
    says: "Name is already in use.",
    yaml: "bots: {deploy-bot: {full_name: New}}",
    edit: account(18, { full_name: "New" }),
  },
  {
    what: "a bot's new owner was deactivated",
    by: "server",
    says: "Failed to change owner, user is deactivated",
    yaml: "bots: {deploy-bot: {owner: elif@acme.example}}",
    edit: account(10, { is_active: false }),
  },
  {
    what: "the right to change others' bots",
    by: "server",
    says: "Insufficient permission",
    yaml: "bots: {ci-bot: {full_name: New}}",
    edit: member,
  },
  {
    what: "the right to give bots roles",
    by: "server",
    says: "Must be an organization administrator",
    yaml: "bots: {deploy-bot: {role: moderator}}",
    edit: member,
  },
  {
    what: "the right to deactivate others' bots",
    by: "server",
    says: "Insufficient permission",
    yaml: "bots: {ci-bot: {deactivated: true}}",
    edit: member,
  },
  {
    what: "a bot comes back whose name another has",
    by: "server",
    says: 'There is already an active bot named "CI Bot" in this organization. To reactivate this bot, you must rename or deactivate the other one first.',
    before: { users: { "ci-bot@localhost": { is_active: false } } },
    yaml: "bots: {ci-bot: {deactivated: false}}",
    edit: account(17, { full_name: "CI Bot" }),
  },
  {
    what: "the right to invite",
    by: "server",
    says: "Insufficient permission",
    yaml: INVITE("grace@acme.example"),
    edit: setting("can_invite_users_group", NOBODY),
  },
  {
    what: "the right to invite owners",
    by: "server",
    says: "Must be an organization owner",
    yaml: INVITE("grace@acme.example", "invite_as: owner"),
    edit: administrator,
  },
  {
    what: "the right to invite administrators",
    by: "server",
    says: "Must be an organization administrator",
    yaml: INVITE("grace@acme.example", "invite_as: administrator"),
    edit: actsAs("moderator"),
  },
  {
    what: "guests invite nobody",
    by: "server",
    says: "Not allowed for guest users",
    yaml: INVITE("grace@acme.example"),
    edit: guest,
  },
  {
    what: "an invitation into a group that was deactivated",
    by: "server",
    says: "User group is deactivated.",
    yaml: INVITE("grace@acme.example", "groups: [leads]"),
    edit: deactivated("leads"),
  },
  {
    what: "an invitation into a channel that was archived",
    by: "server",
    says: "Invalid channel ID 101. No invites were sent.",
    before: G,
    after: { channels: [{ name: "general", is_archived: true }] },
    yaml: INVITE("grace@acme.example", "channels: [general]"),
  },
  {
    what: "an invitation into a group without the right to add members",
    by: "server",
    says: "Insufficient permission",
    yaml: INVITE("grace@acme.example", "groups: [leads]"),
    edit: administrator,
  },
  {
    what: "the right to subscribe whom one invites",
    by: "server",
    says: "You do not have permission to subscribe other users to channels.",
    before: G,
    after: { ...G, channels: [{ name: "general", can_administer_channel_group: NOBODY }] },
    edit: (snapshot) => setting("can_add_subscribers_group", NOBODY)(actsAs("moderator")(snapshot)),
    yaml: INVITE("grace@acme.example", "channels: [general]"),
  },
  {
    what: "somebody joined who is invited",
    by: "server",
    says: "We weren't able to invite anyone.",
    yaml: INVITE("grace@acme.example"),
    edit: account(10, { email: "grace@acme.example", delivery_email: "grace@acme.example" }),
  },
  {
    what: "an address that the organization no longer takes",
    by: "server",
    says: "Some emails did not validate, so we didn't send any invitations.",
    yaml: INVITE("grace@acme.example"),
    edit: setting("emails_restricted_to_domains", true),
  },
  {
    what: "the right to make links",
    by: "server",
    says: "Insufficient permission",
    yaml: "invite_links: [{expires_on: 2026-12-31}]",
    edit: setting("create_multiuse_invite_group", NOBODY),
  },
  {
    what: "the right to make links for administrators",
    by: "server",
    says: "Must be an organization administrator",
    yaml: "invite_links: [{expires_on: 2026-12-31, invite_as: administrator}]",
    edit: (snapshot) => setting("create_multiuse_invite_group", 14)(member(snapshot)),
  },
  {
    what: "a link into a group that was deactivated",
    by: "server",
    says: "User group is deactivated.",
    yaml: "invite_links: [{expires_on: 2026-12-31, groups: [leads]}]",
    edit: deactivated("leads"),
  },
  {
    what: "the right to revoke owners' links",
    by: "server",
    says: "Must be an organization owner",
    before: { invites: [], links: [{ invited_as: 100, invited_by: "kofi@acme.example" }] },
    yaml: "manage: {invite_links: exact}\ninvite_links: []",
    edit: administrator,
  },
  {
    what: "the right to revoke invitations of owners",
    by: "server",
    says: "Must be an organization owner",
    before: { invites: [{ email: "grace@acme.example", invited_as: 100, invited_by: "kofi@acme.example" }] },
    yaml: "manage: {invites: exact}\ninvites: []",
    edit: administrator,
  },
  {
    what: "the right to add emoji",
    by: "server",
    says: "Insufficient permission",
    yaml: "emoji: {forge: emoji/forge.png}",
    edit: setting("can_add_custom_emoji_group", NOBODY),
  },
  {
    what: "guests add no emoji",
    by: "server",
    says: "Not allowed for guest users",
    yaml: "emoji: {forge: emoji/forge.png}",
    edit: guest,
  },
  {
    what: "the right to take others' emoji away",
    by: "apply",
    says: "emoji/not-allowed",
    before: { emoji: { forge: "kofi@acme.example" } },
    yaml: "emoji: {forge: {absent: true}}",
    edit: member,
  },
  {
    what: "an emoji that Zulip has",
    by: "planner",
    says: "emoji/overrides",
    yaml: "emoji: {smile: emoji/forge.png}",
  },
  {
    what: "an emoji that somebody added meanwhile",
    by: "apply",
    says: "changed",
    after: { emoji: { forge: "kofi@acme.example" } },
    yaml: "emoji: {forge: emoji/forge.png}",
  },
  {
    what: "the right to add profile fields",
    by: "server",
    says: "Must be an organization administrator",
    yaml: "profile_fields: [{name: Phone, type: short_text}]",
    edit: member,
  },
  {
    what: "the right to take profile fields away",
    by: "server",
    says: "Must be an organization administrator",
    before: { profile_fields: [{ name: "Phone", type: "short_text" }] },
    yaml: "profile_fields: [{name: Phone, absent: true}]",
    edit: member,
  },
  {
    what: "a third profile field in the summary",
    by: "server",
    says: "Only 2 custom profile fields can be displayed in the profile summary.",
    after: {
      profile_fields: [
        { name: "A", type: "short_text", display_in_profile_summary: true },
        { name: "B", type: "short_text", display_in_profile_summary: true },
      ],
    },
    yaml: "profile_fields: [{name: Phone, type: short_text, in_profile_summary: true}]",
  },
  {
    what: "a view that is there by then",
    by: "apply",
    says: "changed",
    after: { navigation_views: [{ fragment: "inbox", is_pinned: false }] },
    yaml: "navigation_views: {inbox: {is_pinned: true}}",
  },
  {
    what: "a view that is gone by then",
    by: "apply",
    says: "changed",
    before: { navigation_views: [{ fragment: "inbox", is_pinned: false }] },
    after: {},
    yaml: "navigation_views: {inbox: {is_pinned: true}}",
  },
  {
    what: "a view whose name another has",
    by: "server",
    says: "Navigation view already exists.",
    after: { navigation_views: [{ fragment: "narrow/is/dm", is_pinned: true, name: "Mine" }] },
    yaml: "navigation_views: {narrow/topic/x: {name: Mine, is_pinned: true}}",
  },
  {
    what: "the right to change settings",
    by: "server",
    says: "Must be an organization administrator",
    yaml: "settings: {description: Everything}",
    edit: member,
  },
  {
    what: "settings that owners change",
    by: "server",
    says: "Must be an organization owner",
    yaml: "settings: {invite_required: false}",
    edit: administrator,
  },
  {
    what: "permissions that owners change",
    by: "server",
    says: "Must be an organization owner",
    yaml: "settings: {permissions: {can_create_groups: leads}}",
    edit: administrator,
  },
  {
    what: "a setting for a group that was deactivated",
    by: "server",
    says: "User group is deactivated.",
    yaml: "settings: {permissions: {can_add_custom_emoji_group: leads}}",
    edit: deactivated("leads"),
  },
  {
    what: "a setting that somebody changed",
    by: "apply",
    says: "changed",
    yaml: "settings: {permissions: {can_add_custom_emoji_group: leads}}",
    edit: setting("can_add_custom_emoji_group", NOBODY),
  },
  {
    what: "announcements in a channel that was archived",
    by: "server",
    says: "Invalid channel ID",
    before: G,
    after: { channels: [{ name: "general", is_archived: true }] },
    yaml: "settings: {new_stream_announcements_channel: general}",
  },
  {
    what: "moderation requests in a channel that became public",
    by: "server",
    says: "Moderation request channel must be private.",
    before: { channels: [{ name: "mods", invite_only: true }], subscribers: { mods: ["ada@acme.example"] } },
    after: { channels: [{ name: "mods" }], subscribers: { mods: ["ada@acme.example"] } },
    yaml: "settings: {moderation_request_channel: mods}",
  },
  {
    what: "the right to change what new accounts start with",
    by: "server",
    says: "Must be an organization administrator",
    before: { user_defaults: {} },
    yaml: "user_defaults: {color_scheme: dark}",
    edit: member,
  },
  {
    what: "the right to change the icon",
    by: "server",
    says: "Must be an organization administrator",
    yaml: "settings: {icon: emoji/forge.png}",
    edit: member,
  },
  {
    what: "the right to add playgrounds",
    by: "server",
    says: "Must be an organization administrator",
    yaml: "playgrounds: [{name: P, language: Python, url_template: 'https://acme.example/{code}'}]",
    edit: member,
  },
  {
    what: "a playground that is there by then",
    by: "apply",
    says: "changed",
    after: { playgrounds: [{ language: "Python", name: "P", url_template: "https://other.example/{code}" }] },
    yaml: "playgrounds: [{name: P, language: Python, url_template: 'https://acme.example/{code}'}]",
  },
  {
    what: "a linkifier that is there by then",
    by: "apply",
    says: "changed",
    after: { linkifiers: [{ pattern: "x(?P<n>[0-9]+)", url_template: "https://other.example/{n}" }] },
    yaml: LINKIFIER,
  },
  {
    what: "the right to make groups",
    by: "server",
    says: "Insufficient permission",
    yaml: "user_groups: {new: {}}",
    edit: setting("can_create_groups", NOBODY),
  },
  {
    what: "the right to make channels",
    by: "server",
    says: "Insufficient permission",
    yaml: "channels: {new: {}}",
    edit: setting("can_create_public_channel_group", NOBODY),
  },
  {
    what: "the right to make private channels",
    by: "server",
    says: "Insufficient permission",
    yaml: "channels: {new: {privacy: private_shared_history}}",
    edit: setting("can_create_private_channel_group", NOBODY),
  },
  {
    what: "guests make no channels",
    by: "server",
    says: "Not allowed for guest users",
    yaml: "channels: {new: {}}",
    edit: guest,
  },
  {
    what: "a member of a group was deactivated",
    by: "server",
    says: "Invalid user ID: 10",
    yaml: "user_groups: {leads: {members: [ben@acme.example, chiara@acme.example, elif@acme.example]}}",
    edit: account(10, { is_active: false }),
  },
  {
    what: "a subscriber of a new channel was deactivated",
    by: "server",
    says: "User is deactivated",
    yaml: "channels: {new: {subscribers: {users: [elif@acme.example]}}}",
    edit: account(10, { is_active: false }),
  },
  {
    what: "messages kept by who is no owner",
    by: "server",
    says: "Must be an organization owner",
    before: G,
    yaml: "channels: {general: {message_retention_days: 30}}",
    edit: administrator,
  },
  {
    what: "names of bots have to be their own by then",
    by: "server",
    says: "Unique names required in this organization.",
    yaml: "bots: {new-bot: {full_name: New}}",
    edit: (snapshot) => setting("require_unique_names", true)(account(10, { full_name: "New" })(snapshot)),
  },
  {
    what: "one of several joined who are invited",
    by: "server",
    says: "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!",
    yaml: INVITE("grace@acme.example, greta@acme.example"),
    edit: account(10, { email: "grace@acme.example", delivery_email: "grace@acme.example" }),
  },
  {
    what: "an order of linkifiers that lacks one by then",
    by: "server",
    says: "The ordered list must enumerate all existing linkifiers exactly once",
    before: {
      linkifiers: [
        { pattern: "a(?P<n>[0-9]+)", url_template: "https://acme.example/{n}" },
        { pattern: "b(?P<n>[0-9]+)", url_template: "https://acme.example/{n}" },
      ],
    },
    after: {
      linkifiers: ["a", "b", "c"].map((letter) => ({
        pattern: `${letter}(?P<n>[0-9]+)`,
        url_template: "https://acme.example/{n}",
      })),
    },
    yaml: "linkifiers: [{pattern: 'b(?P<n>[0-9]+)', url_template: 'https://acme.example/{n}'}, {pattern: 'a(?P<n>[0-9]+)', url_template: 'https://acme.example/{n}'}]",
  },
  {
    what: "an order of profile fields that lacks one by then",
    by: "server",
    says: "Invalid order mapping.",
    before: { profile_fields: ["A", "B"].map((name) => ({ name, type: "short_text" })) },
    after: { profile_fields: ["A", "B", "C"].map((name) => ({ name, type: "short_text" })) },
    yaml: "profile_fields: [{name: B, type: short_text}, {name: A, type: short_text}]",
  },
  {
    what: "a linkifier that is gone by then",
    by: "apply",
    says: "changed",
    before: { linkifiers: [{ pattern: "x(?P<n>[0-9]+)", url_template: "https://other.example/{n}" }] },
    after: {},
    yaml: LINKIFIER,
  },
  {
    what: "a profile field that is gone by then",
    by: "apply",
    says: "changed",
    before: { profile_fields: [{ name: "Phone", type: "short_text" }] },
    after: {},
    yaml: "profile_fields: [{name: Phone, type: short_text, hint: x}]",
  },
  {
    what: "a profile field that is there by then",
    by: "apply",
    says: "changed",
    after: { profile_fields: [{ name: "Phone", type: "long_text" }] },
    yaml: "profile_fields: [{name: Phone, type: short_text}]",
  },
  {
    what: "a folder whose name is taken by then",
    by: "server",
    says: "Channel folder name already in use",
    before: { channel_folders: [{ name: "Team" }] },
    after: { channel_folders: [{ name: "Team" }, { name: "Work" }] },
    yaml: "channel_folders: {Work: {was: Team}}",
  },
  {
    what: "a private channel whose content the account no longer has",
    by: "server",
    says: "Channel content access is required.",
    before: { channels: [{ name: "board", invite_only: true }], subscribers: { board: ["ada@acme.example"] } },
    after: { channels: [{ name: "board", invite_only: true }], subscribers: { board: ["kofi@acme.example"] } },
    yaml: "channels: {board: {privacy: public}}",
  },
  {
    what: "a private channel that nobody is left in",
    by: "server",
    says: "Channel is private and have no subscribers",
    before: {
      channels: [{ name: "board", invite_only: true, is_archived: true }],
      subscribers: { board: ["ada@acme.example"] },
    },
    after: { channels: [{ name: "board", invite_only: true, is_archived: true }], subscribers: { board: [] } },
    yaml: "channels: {board: {archived: false}}",
  },
  {
    what: "a private channel that the account may no longer subscribe to",
    by: "server",
    says: "Unable to access channel (board).",
    before: { channels: [{ name: "board", invite_only: true }], subscribers: { board: ["ada@acme.example"] } },
    after: { channels: [{ name: "board", invite_only: true }], subscribers: { board: ["kofi@acme.example"] } },
    edit: member,
    yaml: "channels: {board: {subscribers: {users: [ada@acme.example, elif@acme.example]}}}",
  },
];

test("what the server is to say was said by a real one", () => {
  const recorded = new Set(recordedRefusals().map(({ words }) => words));
  const expected = REFUSALS.filter(({ by }) => by === "server").map(({ says }) => general(says));
  expect(expected.filter((words) => !recorded.has(words))).toEqual([]);
  expect(expected.length).toBeGreaterThan(50);
});

describe("every refusal of the recordings", () => {
  const met = new Set(REFUSALS.filter(({ by }) => by === "server").map(({ says }) => general(says)));
  const refusals = recordedRefusals();

  test("is in the table above, or has a reason why no plan meets it", () => {
    expect(plannedOperations().length).toBeGreaterThan(40);
    expect(refusals.length).toBeGreaterThan(400);
    const unexplained = refusals.filter(
      ({ words: said }) => !met.has(said) && !UNMET.some(({ words }) => words.some((pattern) => pattern.test(said))),
    );
    expect(
      unexplained.map(({ code, words, operations }) => `${code} ${words} (${[...operations].join(", ")})`),
    ).toEqual([]);
  });

  test("no reason is without a refusal, none is about one of the table, and the codes are there", () => {
    const said = refusals.map(({ words }) => words);
    const patterns = UNMET.flatMap(({ words }) => words);
    expect(patterns.filter((pattern) => !said.some((words) => pattern.test(words)))).toEqual([]);
    expect(patterns.filter((pattern) => [...met].some((words) => pattern.test(words)))).toEqual([]);
    expect(UNMET.flatMap(({ code }) => (code === undefined || CODES.includes(code) ? [] : [code]))).toEqual([]);
  });
});

test("what plans never send is in no kind", () => {
  const never = UNMET.flatMap(({ parameters = [] }) => parameters);
  expect(never.length).toBeGreaterThan(5);
  const words = new Set(kindSources().match(/\w+/g));
  expect(never.filter((name) => words.has(name))).toEqual([]);
  expect(words.has("is_default_stream")).toBe(true);
});

test.each(REFUSALS)(
  "$what ($by): $says",
  async ({ by, before = {}, after = before, edit = (same) => same, yaml, says }) => {
    const found = await planRealm({
      file: "realm.yaml",
      readFile: async () => `version: 1\n${yaml}\n`,
      lookAt,
      reader: { snapshot: async () => realmOf({ subscribers: {}, invites: [], ...before }) },
    });
    if (by === "planner") {
      expect(found.ok ? [] : found.diagnostics.map(({ code }) => code)).toEqual([says]);
      return;
    }
    const { plan, planAgain } = must(found);
    const reads = { invites: true, subscribers: true };
    const snapshot = edit(realmOf({ subscribers: {}, invites: [], ...after }));
    const { failed, succeeded } = await rehearse({ plan, snapshot, reads, kinds, planAgain });
    expect(failed?.said.quoted ?? "it succeeds").toContain(says);
    expect(plan.calls.find(({ n }) => n === failed?.n)?.operation).toBe(failed?.operation);
    expect(succeeded).toBeLessThan(plan.calls.length);
  },
);
