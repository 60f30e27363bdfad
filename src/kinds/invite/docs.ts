import type { DocsFacet } from "../../model/facets.ts";

const NOTHING =
  "Nothing: an open invitation to the address is taken for this one, whatever channels, groups and texts it has.";

export const docs: DocsFacet = {
  about:
    "Invitations by mail, identified by their addresses; nobody is invited twice. Bots may neither see nor send them: use the key of a person.",
  who: "People (neither bots nor guests) in the organization's `can_invite_users_group`; no role is exempt. Only administrators see and revoke invitations that others sent.",
  whoMay: {
    invite_as: "`owner`: owners; `administrator` and `moderator`: administrators; the others: as above",
    channels:
      "channels that the account can read; they must be default channels, or the account may add subscribers to them",
    groups:
      "everybody who may add members to the group (its `can_add_members_group` or `can_manage_group`, or the organization's `can_manage_all_groups`)",
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
  unseen: {
    channels: NOTHING,
    groups: NOTHING,
    include_realm_default_subscriptions: NOTHING,
    expires_in: "Whether the open invitation has an end. They do not see for how long it was sent.",
    welcome_message_custom_text: NOTHING,
  },
  example: `invites:
  - emails: [grace@example.org, lin@example.org]
    send_until: 2026-11-28
    invite_as: member
    expires_in: 10d`,
};
