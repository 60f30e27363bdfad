import type { DocsFacet } from "../../model/facets.ts";
import { CHANNEL_PERMISSIONS } from "../../model/permission-settings.ts";
import { creationDefaults } from "../creation-defaults.ts";

const CONTENT_ACCESS =
  "as above; for a private channel the account must also be subscribed, or be in its `can_add_subscribers_group` or `can_subscribe_group`: no role is enough";
const DELETE_POLICY =
  "as above; the account must also be an administrator, or be in the organization's `can_set_delete_message_policy_group`";

export const docs: DocsFacet = {
  who: "Administrators, and everybody whom the channel's `can_administer_channel_group` names; never guests. To create a channel, the account must be in the organization's `can_create_public_channel_group`, `can_create_private_channel_group` or `can_create_web_public_channel_group`: no role is exempt.",
  whoMay: {
    privacy: `${CONTENT_ACCESS}. The account must also have the right to create channels of the new privacy`,
    topics_policy:
      "as above; for any value except `inherit` the account must also be an administrator, or be in the organization's `can_set_topics_policy_group`",
    default_push_notifications: "administrators",
    message_retention_days: "owners",
    can_add_subscribers_group: CONTENT_ACCESS,
    can_subscribe_group: CONTENT_ACCESS,
    can_delete_any_message_group: DELETE_POLICY,
    can_delete_own_message_group: DELETE_POLICY,
    subscribers:
      "to add others: administrators, the channel's `can_administer_channel_group` and `can_add_subscribers_group`, and the organization's `can_add_subscribers_group`; for a private channel also what `privacy` requires. To remove others: administrators, the channel's `can_administer_channel_group` and `can_remove_subscribers_group`. To add or remove oneself: everybody who can read the channel",
  },
  defaults: {
    name: "–",
    description: "empty",
    privacy: "`public`",
    folder: "none",
    topics_policy: "`inherit`",
    default_push_notifications: "`false`",
    message_retention_days: "`realm_default`",
    archived: "`false`",
    subscribers: "the account that creates it",
    ...creationDefaults(CHANNEL_PERMISSIONS),
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
};
