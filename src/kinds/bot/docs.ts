import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "Bots, named by the part of their address before the @: `deploy-bot` for deploy-bot@example.org. Zulip shows the key of a bot to its owner; realmctl never shows or keeps one. A bot that somebody deactivated comes back only with `deactivated: false`. An address stays taken while its bot has it, also if the bot is deactivated. From feature level 447 on, `was` renames a bot: it keeps its key and gets the address of its new name, which ends in `-bot`, on the domain of new bots. Other entries name it by that address, and programs that sign in as it need it. Below 447 a bot with another name is a new one.",
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
