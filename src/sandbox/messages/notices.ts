import { subscribersOf } from "../access.ts";
import type { Call } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import type { Message } from "../rows/messages.ts";
import { settingOf } from "../state.ts";
import { seesMessage } from "./access.ts";
import { removeMessage } from "./delete.ts";
import { messageUrl, silentMention, topicLink } from "./links.ts";
import { postDirectNotice, postNotice } from "./post.ts";
import type { Move } from "./posting.ts";
import { messagesInTopic } from "./topics.ts";
import { VISIBILITY, visibilitiesOf } from "./user-topics.ts";

/** The Notification Bot's messages about moves. */

const UNDO_SECONDS = 60;

/**
 * Posts that the topic was resolved or unresolved. If this is reversed at once, the last such notice is deleted instead.
 * @param followers the people who followed the topic under its old name, if all of it was moved
 * @returns the id of the notice
 */
export function postResolveNotice(
  call: Call,
  move: Move,
  followers: ReadonlySet<number> | undefined,
): number | undefined {
  const { state, user } = call;
  const last = messagesInTopic(state, move.from.stream_id, move.after).at(-1);
  if (last?.is_resolve_notice === true && call.now - last.timestamp <= UNDO_SECONDS) {
    removeMessage(call, last, user);
    return undefined;
  }
  const word = move.isResolved ? "resolved" : "unresolved";
  return postNotice(call, move.from, move.after, `${silentMention(user)} has marked this topic as ${word}.`, {
    readBy: [user.user_id],
    unreadFor: unreadFor(call, move, followers),
    isResolveNotice: true,
  });
}

/** The people for whom the notice is unread, by each subscriber's setting. Below 385: people who took part in the topic. */
function unreadFor(call: Call, move: Move, followers: ReadonlySet<number> | undefined): ReadonlySet<number> {
  const { state } = call;
  const following =
    followers ??
    new Set(
      [...visibilitiesOf(state, move.from.stream_id, move.after)].flatMap(([id, visibility]) =>
        visibility === VISIBILITY.followed ? [id] : [],
      ),
    );
  if (call.level < 385)
    return new Set(messagesInTopic(state, move.from.stream_id, move.after).map((each) => each.sender_id));
  return new Set(
    subscribersOf(state, move.from.stream_id).filter((id) => {
      const subscriber = state.users[id];
      if (subscriber === undefined || subscriber.is_bot) return false;
      const policy = settingOf(state, subscriber, "resolved_topic_notice_auto_read_policy");
      return policy === "never" || (policy === "except_followed" && following.has(id));
    }),
  );
}

/** Posts in the new topic where the messages came from, and in the old one where they went, as far as requested. */
export function postMoveNotices(
  call: Call,
  target: Message,
  move: Move,
  done: {
    readonly noticeInOld: boolean;
    readonly noticeInNew: boolean;
    readonly movedAll: boolean;
    readonly moved: readonly Message[];
    readonly resolveNotice: number | undefined;
  },
): void {
  const { state, user } = call;
  const by = silentMention(user);
  const count = done.moved.length;
  const details = { readBy: [user.user_id] };
  // Resolving is not a move about which people need a notice.
  const tellsNew = move.channelChanged || (move.topicChanged && !move.isResolved && !move.isUnresolved);
  if (done.noticeInNew && tellsNew) {
    const ids = new Set([...done.moved.map((message) => message.id), done.resolveNotice]);
    const others = messagesInTopic(state, move.to.stream_id, move.after).some(
      (message) => !ids.has(message.id) && seesMessage(state, user, message),
    );
    const origin = `moved here from ${topicLink(state, move.from, move.before)} by ${by}.`;
    const url = messageUrl(call.server.url, state, target);
    const subject = count === 1 ? `[A message](${url}) was` : `${count} messages were`;
    postNotice(
      call,
      move.to,
      move.after,
      `${done.movedAll && !others ? "This topic was" : subject} ${origin}`,
      details,
    );
  }
  if (done.noticeInOld) {
    const subject =
      count === 1 ? "A message was moved from this topic" : `${count} messages were moved from this topic`;
    const what = done.movedAll ? "This topic was moved" : subject;
    postNotice(call, move.from, move.before, `${what} to ${topicLink(state, move.to, move.after)} by ${by}.`, details);
  }
}

/** Nobody reads the refusals that a bot gets, so the Notification Bot reports them to the bot's owner, but not too often. */

const QUIET_SECONDS = 300;

/** @param destination the channel, and what was wrong with it */
export function tellOwner(call: Call, bot: User, destination: string): void {
  const owner = bot.is_bot && bot.bot_owner_id !== null ? call.state.users[bot.bot_owner_id] : undefined;
  if (owner === undefined) return;
  if (bot.owner_told_at !== undefined && call.now - bot.owner_told_at <= QUIET_SECONDS) return;
  const content = `Your bot \`${bot.delivery_email}\` tried to send a message to ${destination}`;
  if (owner.is_active) postDirectNotice(call, owner.user_id, content);
  call.ledger.assign(bot, { owner_told_at: call.now });
}

/** Commits, so that the owner stays notified even if the message is refused. Nothing else may have been written before. */
export function keepingNotices<T>(call: Call, action: () => T): T {
  try {
    return action();
  } finally {
    call.commit();
  }
}
