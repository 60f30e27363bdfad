import { PERMISSIONS } from "../kinds/channel/schema.ts";
import { GROUP_PERMISSIONS } from "../kinds/user-group/schema.ts";

/** What the reference says of a section beyond its schema. */
export interface SectionNotes {
  /** Which accounts may change it. */
  readonly who: string;
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

export const SECTION_NOTES: { readonly [section: string]: SectionNotes } = {
  channels: {
    who: "Administrators, and whoever `can_administer_channel_group` names; making channels as the organization's settings say. Message retention needs an owner.",
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
    who: "People (bots may not) who may invite, as the organization's settings say; with a role no higher than their own.",
    defaults: {
      invite_as: "`member`",
      notify_referrer_on_join: "`true`",
      expires: "limited",
      channels: "none",
      groups: "none",
      include_realm_default_subscriptions: "`false`",
      expires_in: "`10d`",
      welcome_message_custom_text: "the organization's own",
    },
    example: `invites:
  - emails: [grace@example.org, lin@example.org]
    invite_as: member
    expires_in: 10d`,
  },
  user_groups: {
    who: "Administrators, and whoever `can_manage_group` names; making groups as the organization's settings say.",
    defaults: {
      name: "–",
      description: "empty",
      members: "the account that makes it",
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
