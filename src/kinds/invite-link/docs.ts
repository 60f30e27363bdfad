import type { DocsFacet } from "../../model/facets.ts";

const NOTHING =
  "Nothing: a link with the same role and the same last day is taken for this one, whatever channels, groups and texts it has. Another day creates another link.";

export const docs: DocsFacet = {
  about:
    "Links with which everybody who has one can join, any number of times. The server gives a link no name, and shows only its role and its end. These two identify it: two entries cannot have the same role and the same day, and a link with other channels needs another day. No plan, journal or snapshot has the link itself. `apply --show-links` shows once those that it creates; otherwise Zulip shows them in its settings.",
  who: "To create one: everybody whom the organization's `create_multiuse_invite_group` names (administrators, if nobody changed it); no role is exempt. To revoke one: the account that created it, and administrators. Bots and guests may do neither.",
  whoMay: { invite_as: "owner: owners; administrator and moderator: administrators" },
  defaults: { invite_as: "`member`", expires_on: "–" },
  unseen: {
    channels: NOTHING,
    groups: NOTHING,
    include_realm_default_subscriptions: NOTHING,
    welcome_message_custom_text: NOTHING,
  },
  example: `invite_links:
  - {expires_on: 2026-12-31, invite_as: guest, channels: [lobby]}`,
};
