import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "Bots, named by the part of their address before the @: `deploy-bot` for deploy-bot@example.org. Zulip shows the key of a bot to its owner; realmctl never shows or keeps one. A bot that somebody deactivated comes back only with `deactivated: false`. An address that was ever used stays taken. From feature level 447 on, somebody can change the address of a bot in Zulip: to the file it is then a new bot, and under `exact` the one with the new address is deactivated; write the new name in the file instead.",
  who: "To create or reactivate one: people whom the organization's `can_create_bots_group` names (for `incoming_webhook` also `can_create_write_only_bots_group`); no role is exempt. For everything else: the bot's owner, administrators and owners. Guests may do nothing, and bots may only deactivate.",
  whoMay: {
    role: "administrators and owners; to give or take the role of an owner: owners",
    type: "nobody: it never changes",
  },
  defaults: {
    full_name: "its name in the file",
    owner: "the account that runs realmctl",
    role: "`member`",
    type: "`generic`",
    deactivated: "`false`",
  },
  example: `bots:
  deploy-bot: {full_name: Deploy Bot, owner: ada@example.org}
  alerts-bot: {type: incoming_webhook}`,
};
