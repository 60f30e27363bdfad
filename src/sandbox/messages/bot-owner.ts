import type { Call } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import { postDirectNotice } from "./post.ts";

/** Nobody reads the refusals that a bot gets, so the Notification Bot reports them to the bot's owner, but not too often. */

const QUIET_SECONDS = 300;

function tellOwner(call: Call, bot: User, reason: string): void {
  const owner = bot.is_bot && bot.bot_owner_id !== null ? call.state.users[bot.bot_owner_id] : undefined;
  if (owner === undefined) return;
  if (bot.owner_told_at !== undefined && call.now - bot.owner_told_at <= QUIET_SECONDS) return;
  const content = `Your bot \`${bot.delivery_email}\` tried to send a message to ${reason}`;
  if (owner.is_active) postDirectNotice(call, owner.user_id, content);
  call.ledger.assign(bot, { owner_told_at: call.now });
}

export function tellOfUnknownId(call: Call, sender: User, channelId: number): void {
  tellOwner(call, sender, `channel ID ${channelId}, but there is no channel with that ID.`);
}
export function tellOfUnknownName(call: Call, sender: User, name: string): void {
  const advice = "Click [here](#channels/new) to create it.";
  tellOwner(call, sender, `channel #**${name}**, but that channel does not exist. ${advice}`);
}
/** @param link a link to the channel */
export function tellOfNobody(call: Call, sender: User, link: string): void {
  tellOwner(call, sender, `channel ${link}. The channel exists but does not have any subscribers.`);
}

/** Commits, so that the owner stays notified even if the message is refused. Nothing else may have been written before. */
export function keepingNotices<T>(call: Call, action: () => T): T {
  try {
    return action();
  } finally {
    call.commit();
  }
}
