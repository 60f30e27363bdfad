import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  about:
    "Bots, by the part of their address before the @: `deploy-bot` for deploy-bot@example.org. Zulip shows the key of a bot to its owner; realmctl never shows or keeps one. A bot that somebody deactivated comes back only with `deactivated: false`. An address that was ever used stays taken.",
  who: "Making one, or bringing one back: people whom the organization's `can_create_bots_group` names (for `incoming_webhook` also `can_create_write_only_bots_group`); no role is exempt. All else: the bot's owner, administrators and owners; no guests, and bots may only deactivate.",
  whoMay: {
    role: "administrators and owners; giving or taking the role of an owner: owners",
    type: "nobody: it never changes",
  },
  defaults: {
    full_name: "the name that the bot is declared by",
    owner: "the account that runs realmctl",
    role: "`member`",
    type: "`generic`",
    deactivated: "`false`",
  },
  example: `bots:
  deploy-bot: {full_name: Deploy Bot, owner: ada@example.org}
  alerts-bot: {type: incoming_webhook}`,
};
