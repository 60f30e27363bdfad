import type { Call } from "../call.ts";
import type { Message } from "../rows/messages.ts";
import { seesMessage } from "./access.ts";
import type { Move } from "./posting.ts";
import { messagesInTopic } from "./topics.ts";
import {
  setVisibility,
  VISIBILITY,
  type Visibility,
  visibilitiesOf,
  visibilityAfterSending,
  visibilityOf,
} from "./user-topics.ts";

/** The more visible of two policies: moved messages are shown rather than hidden. */
function merged(a: Visibility, b: Visibility): Visibility {
  for (const visibility of [VISIBILITY.followed, VISIBILITY.unmuted, VISIBILITY.inherit])
    if (a === visibility || b === visibility) return visibility;
  return VISIBILITY.muted;
}

/**
 * Visibility policies move with a topic if all of it (that the mover sees) is moved; otherwise the sender of the target message may become the one
 * who started the new topic.
 * @returns who followed the topic before
 */
export function moveVisibilities(
  call: Call,
  target: Message,
  move: Move,
  done: {
    readonly movedAll: boolean;
    readonly targetTopicExists: boolean;
    readonly moved: readonly Message[];
    readonly losingAccess: ReadonlySet<number>;
  },
): ReadonlySet<number> {
  const followers = new Set<number>();
  if (!done.movedAll) {
    if (!done.losingAccess.has(target.sender_id)) startsNewTopic(call, target, move, done.moved);
    return followers;
  }
  const before = visibilitiesOf(call.state, move.from.stream_id, move.before);
  const after = visibilitiesOf(call.state, move.to.stream_id, move.after);
  const losing = done.losingAccess;
  for (const [id, visibility] of before) if (visibility === VISIBILITY.followed && !losing.has(id)) followers.add(id);
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const had = before.get(id) ?? VISIBILITY.inherit;
    const there = after.get(id) ?? VISIBILITY.inherit;
    if (had !== VISIBILITY.inherit)
      setVisibility(call, id, move.from.stream_id, move.before, VISIBILITY.inherit, !losing.has(id));
    if (losing.has(id)) continue;
    const becomes = done.targetTopicExists ? merged(had, there) : had;
    // If only the case changes, the policy is removed from the old name and not given to the new one, as on the server.
    if (becomes !== there) setVisibility(call, id, move.to.stream_id, move.after, becomes);
  }
  return followers;
}
function startsNewTopic(call: Call, target: Message, move: Move, moved: readonly Message[]): void {
  const { state } = call;
  const sender = state.users[target.sender_id];
  if (sender === undefined || sender.is_bot) return;
  const movedIds = new Set(moved.map((message) => message.id));
  const first = messagesInTopic(state, move.to.stream_id, move.after).find(
    (message) => !movedIds.has(message.id) && seesMessage(state, sender, message),
  );
  if (first !== undefined && first.id < target.id) return;
  const current = visibilityOf(state, sender.user_id, move.to.stream_id, move.after);
  const channelMuted = state.subscriptions[move.to.stream_id]?.[sender.user_id]?.is_muted === true;
  const visibility = visibilityAfterSending(state, sender, {
    startsTopic: true,
    channelMuted,
    current,
    onlyStarting: true,
  });
  if (visibility !== undefined) setVisibility(call, sender.user_id, move.to.stream_id, move.after, visibility);
}
