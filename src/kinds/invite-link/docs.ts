import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "Links that anybody who has one can join by, as often as they like. The server gives a link no name and shows of it only its role and its end: these two are what it is known by, so two entries cannot have both alike, and a link with other channels takes another day. The link itself is in no plan, journal or snapshot: `apply --show-links` shows those that it makes, once; else Zulip shows them under its settings. Drift sees no channels, groups and welcome texts.",
  who: "Making one: whom the organization's `create_multiuse_invite_group` names (administrators, if nobody changed it); no role is exempt. Revoking one: whoever made it, and administrators. Bots and guests neither.",
  whoMay: { invite_as: "owner: owners; administrator and moderator: administrators" },
  defaults: { invite_as: "`member`", expires_on: "–" },
  example: `invite_links:
  - {expires_on: 2026-12-31, invite_as: guest, channels: [lobby]}`,
};
