import { PERMISSIONS } from "../kinds/channel/schema.ts";
import { GROUP_PERMISSIONS } from "../kinds/user-group/schema.ts";

/** What the reference says of a section beyond its schema. */
export interface SectionNotes {
  /** Which accounts may change it. */
  readonly who: string;
  /** Fields that ask for more than that, or for something else: which accounts may change them. */
  readonly whoMay?: { readonly [field: string]: string };
  /** What a new object gets that is made without the field. A test wants one for every field that a plan compares. */
  readonly defaults: { readonly [field: string]: string };
  /** A file that is valid on its own. */
  readonly example: string;
}

const atCreation = (table: { readonly [setting: string]: { readonly atCreation: string } }) =>
  Object.fromEntries(
    Object.entries(table).map(([setting, { atCreation }]) => [
      setting,
      atCreation.startsWith("role:") ? `\`${atCreation}\`` : "the account that makes it",
    ]),
  );

const CONTENT_ACCESS =
  "as above; for a private channel the account must also be subscribed, or in its `can_add_subscribers_group` or `can_subscribe_group`: no role is enough";
const DELETE_POLICY = "as above, and an administrator or in the organization's `can_set_delete_message_policy_group`";

export const SECTION_NOTES: { readonly [section: string]: SectionNotes } = {
  channels: {
    who: "Administrators, and whoever the channel's `can_administer_channel_group` names; never guests. Making a channel takes the organization's `can_create_public_channel_group`, `can_create_private_channel_group` or `can_create_web_public_channel_group`: no role is exempt.",
    whoMay: {
      privacy: `${CONTENT_ACCESS}; and whoever may make channels of the new privacy`,
      topics_policy:
        "as above, and for anything but `inherit` an administrator or in the organization's `can_set_topics_policy_group`",
      message_retention_days: "owners",
      can_add_subscribers_group: CONTENT_ACCESS,
      can_subscribe_group: CONTENT_ACCESS,
      can_delete_any_message_group: DELETE_POLICY,
      can_delete_own_message_group: DELETE_POLICY,
      subscribers:
        "adding others: administrators, the channel's `can_administer_channel_group` and `can_add_subscribers_group`, and the organization's `can_add_subscribers_group`; for a private channel also what `privacy` asks for. Removing others: administrators, the channel's `can_administer_channel_group` and `can_remove_subscribers_group`. Oneself: everybody who can read the channel",
    },
    defaults: {
      name: "–",
      description: "empty",
      privacy: "`public`",
      folder: "none",
      topics_policy: "`inherit`",
      message_retention_days: "`realm_default`",
      archived: "`false`",
      subscribers: "the account that makes it",
      ...atCreation(PERMISSIONS),
    },
    example: `profiles:
  announcement:
    permissions: {can_send_message_group: role:moderators}
channels:
  announce:
    profile: announcement
    description: News everybody should read
  incidents:
    was: outages
    privacy: private_shared_history
    permissions:
      can_subscribe_group: {groups: [role:moderators], users: [ada@example.org]}
    subscribers: {users: [ada@example.org]}
  old-wiki: {archived: true}`,
  },
  linkifiers: {
    who: "Administrators.",
    defaults: {
      pattern: "–",
      url_template: "has to be written",
      example_input: "none",
      reverse_template: "none",
      alternative_url_templates: "none",
    },
    example: `linkifiers:
  - pattern: '#(?P<id>[0-9]+)'
    url_template: https://bugs.example.org/{id}
    example_input: '#1234'`,
  },
  domains: {
    who: "Owners; administrators may not.",
    defaults: { allow_subdomains: "`false`" },
    example: `domains:
  example.org: {allow_subdomains: true}`,
  },
  navigation_views: {
    who: "Every account, for itself alone.",
    defaults: { is_pinned: "has to be written", name: "has to be written for views of your own" },
    example: `navigation_views:
  inbox: {is_pinned: true}
  narrow/topic/mentions: {name: My mentions, is_pinned: true}`,
  },
  invites: {
    who: "People (neither bots nor guests) in the organization's `can_invite_users_group`; no role is exempt. Invitations that others sent are seen and revoked by administrators alone.",
    whoMay: {
      invite_as: "`owner`: owners; `administrator` and `moderator`: administrators; the others: as above",
      channels: "channels that the account can read, and that are default channels or to which it may add subscribers",
      groups:
        "whoever may add members to the group (its `can_add_members_group` or `can_manage_group`, or the organization's `can_manage_all_groups`)",
      welcome_message_custom_text: "administrators",
    },
    defaults: {
      invite_as: "`member`",
      notify_referrer_on_join: "`true`",
      expires: "limited",
      channels: "none",
      groups: "none",
      include_realm_default_subscriptions: "`false`",
      expires_in: "`10d`",
      send_until: "nobody is mailed",
      welcome_message_custom_text: "the organization's own",
    },
    example: `invites:
  - emails: [grace@example.org, lin@example.org]
    send_until: 2026-11-28
    invite_as: member
    expires_in: 10d`,
  },
  user_groups: {
    who: "Whoever the group's `can_manage_group` or the organization's `can_manage_all_groups` names (owners, if nobody changed it): no role is enough. Making a group takes the organization's `can_create_groups`. Bots from feature level 496 on, guests never.",
    whoMay: {
      members:
        "adding: `can_add_members_group` too; removing: `can_remove_members_group` too; oneself: `can_join_group` and `can_leave_group`",
      subgroups: "adding: `can_add_members_group` too; removing: as above",
    },
    defaults: {
      name: "–",
      description: "empty",
      members: "nobody",
      subgroups: "none",
      deactivated: "`false`",
      ...atCreation(GROUP_PERMISSIONS),
    },
    example: `user_groups:
  staff: {description: Employees, members: [ada@example.org], subgroups: [leads]}
  leads: {description: '', permissions: {can_manage_group: role:owners}}`,
  },
  channel_folders: {
    who: "Administrators.",
    defaults: { name: "–", description: "empty", archived: "`false`" },
    example: `channel_folders:
  Company: {description: What concerns all of us}`,
  },
  default_channels: {
    who: "Administrators.",
    defaults: {},
    example: `default_channels: [announce, general]
channels: {announce: {}, general: {}}`,
  },
};
