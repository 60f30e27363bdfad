import { defined, whenDefined } from "../../model/defined.ts";
import { isGuest, subscribersOf } from "../access.ts";
import { changeUploads } from "../attachments.ts";
import { among, type Call } from "../call.ts";
import type { Client } from "../events.ts";
import { ROLE } from "../rows/accounts.ts";
import type { Attachment, Message } from "../rows/messages.ts";
import { seesMessage } from "./access.ts";
import { emitDeletion, type Place } from "./delete.ts";
import { flagsWith, shownFlags, storedFlags } from "./flags.ts";
import { topicLinks } from "./links.ts";
import { rendered } from "./markdown.ts";
import { postMoveNotices, postResolveNotice } from "./notices.ts";
import { mentionsIn, participants, uploadsIn } from "./post.ts";
import { type Edit, isStatusMessage, type Move } from "./posting.ts";
import { countsAsMove } from "./render.ts";
import { messagesInTopic, topicFor } from "./topics.ts";
import { setVisibility, takePart, VISIBILITY, type Visibility, visibilitiesOf } from "./user-topics.ts";

/** Executes an edit that was allowed: the message, those that move with it, copies, events, notices. */

/** @returns the sender's files to which no message links after the move */
export function applyEdit(
  call: Call,
  target: Message,
  edit: Edit,
  notices: { readonly noticeInOld: boolean; readonly noticeInNew: boolean },
): readonly Attachment[] {
  const { state, user, now } = call;
  const { content, move } = edit;
  const old = { content: target.content, rendered: target.rendered_content };
  const place = move === undefined ? placeOf(call, target) : { channel: move.to, topic: move.after };
  const detached = content === undefined ? [] : changeContent(call, target, content, place);
  const moved = move === undefined ? [target] : movedWith(call, target, move, edit.propagateMode);
  const targetTopicExists = move !== undefined && messagesInTopic(state, move.to.stream_id, move.after).length > 0;
  const places = whenDefined(move, placeChange);
  for (const message of moved) {
    const isTarget = message.id === target.id;
    const changed = isTarget && content !== undefined ? old : undefined;
    const contentChange = defined({ prev_content: changed?.content, prev_rendered_content: changed?.rendered });
    call.ledger.set(message, "edit_history", [
      { user_id: user.user_id, timestamp: now, ...contentChange, ...places },
      ...message.edit_history,
    ]);
  }
  const { received, losingAccess } =
    move?.channelChanged === true
      ? moveBetweenChannels(call, moved, target, move)
      : { received: receiversOf(call, target, move), losingAccess: new Set<number>() };
  if (move !== undefined)
    for (const message of moved) {
      if (countsAsMove(move)) call.ledger.set(message, "last_moved_timestamp", now);
      call.ledger.assign(message, { channel_id: move.to.stream_id, topic: move.after });
    }
  const movedAll =
    move !== undefined &&
    (edit.propagateMode === "change_all" ||
      !messagesInTopic(state, move.from.stream_id, move.before).some((each) => seesMessage(state, user, each)));
  const followers =
    move === undefined
      ? new Set<number>()
      : moveVisibilities(call, target, move, { movedAll, targetTopicExists, moved, losingAccess });
  emitUpdate(call, target, edit, { moved, old, received });
  if (move !== undefined) {
    const resolveNotice =
      move.topicChanged && content === undefined && !move.channelChanged && (move.isResolved || move.isUnresolved)
        ? postResolveNotice(call, move, movedAll ? followers : undefined)
        : undefined;
    postMoveNotices(call, target, move, { ...notices, movedAll, moved, resolveNotice });
  }
  return detached;
}

function changeContent(call: Call, message: Message, content: string, place: Place | undefined): readonly Attachment[] {
  const { ledger, now } = call;
  const mentions = mentionsIn(call, content);
  // If the topic changes as well, the participants of the new topic are meant.
  const inTopic =
    place === undefined || !mentions.wholeTopic ? new Set<number>() : participants(call, place).add(message.sender_id);
  ledger.assign(message, { content, rendered_content: rendered(content, call), last_edit_timestamp: now });
  const flags: { [userId: number]: readonly string[] } = { ...message.flags };
  for (const id of message.received_by) {
    let own = flagsWith(storedFlags(message, id), "mentioned", mentions.users.has(id));
    own = flagsWith(own, "stream_wildcard_mentioned", mentions.wholeChannel);
    own = flagsWith(own, "topic_wildcard_mentioned", mentions.wholeTopic && inTopic.has(id));
    if (own.length > 0) flags[id] = own;
    else delete flags[id];
  }
  ledger.set(message, "flags", flags);
  const sender = call.state.users[message.sender_id] ?? call.user;
  return changeUploads(call, sender, message, uploadsIn(call, content));
}

function placeOf({ state }: Call, message: Message): Place | undefined {
  const channel = message.channel_id === null ? undefined : state.channels[message.channel_id];
  return channel === undefined ? undefined : { channel, topic: message.topic };
}

/** Only moves between channels can leave messages behind that the mover cannot see (§16.1). */
function movedWith(call: Call, target: Message, move: Move, mode: Edit["propagateMode"]): Message[] {
  if (mode === "change_one") return [target];
  return messagesInTopic(call.state, move.from.stream_id, move.before).filter((message) => {
    if (message.id === target.id) return true;
    if (mode === "change_later" && message.id < target.id) return false;
    return !move.channelChanged || seesMessage(call.state, call.user, message);
  });
}

function placeChange(move: Move) {
  return {
    ...defined({
      prev_stream: move.channelChanged ? move.from.stream_id : undefined,
      stream: move.channelChanged ? move.to.stream_id : undefined,
      prev_topic: move.topicChanged ? move.before : undefined,
      topic: move.topicChanged ? move.after : undefined,
    }),
  };
}

/** Who gets events about a change inside one channel: people with a copy, and subscribers who see the history. */
function receiversOf(call: Call, target: Message, move: Move | undefined): ReadonlySet<number> {
  const received = new Set(target.received_by);
  const channel = move?.from ?? (target.channel_id === null ? undefined : call.state.channels[target.channel_id]);
  if (channel?.history_public_to_subscribers === true)
    for (const id of subscribersOf(call.state, channel.stream_id)) received.add(id);
  return received;
}

/** Adds and removes copies by the right to read the new channel. @returns who gets the event about the move, and who gets a deletion */
function moveBetweenChannels(
  call: Call,
  moved: readonly Message[],
  target: Message,
  move: Move,
): { readonly received: ReadonlySet<number>; readonly losingAccess: ReadonlySet<number> } {
  const { state, ledger } = call;
  const everInOld = Object.keys(state.subscriptions[move.from.stream_id] ?? {}).map(Number);
  const inNew = new Set(
    Object.entries(state.subscriptions[move.to.stream_id] ?? {}).flatMap(([id, { active }]) =>
      active ? [Number(id)] : [],
    ),
  );
  const losingCopies = new Set(everInOld.filter((id) => !inNew.has(id)));
  const losingAccess = new Set(
    [...losingCopies].filter((id) => {
      const user = state.users[id];
      return move.to.invite_only || user === undefined || isGuest(user);
    }),
  );
  const gaining = move.to.history_public_to_subscribers ? [] : [...inNew];
  for (const message of moved) {
    const had = new Set(message.received_by);
    const flags: { [userId: number]: readonly string[] } = { ...message.flags };
    for (const id of gaining) if (!had.has(id)) flags[id] = ["read"];
    for (const id of losingCopies) delete flags[id];
    const receivers = [...new Set([...had, ...gaining])].filter((id) => !losingCopies.has(id));
    ledger.assign(message, { received_by: receivers, flags });
  }
  const ids = moved.map((message) => message.id);
  emitDeletion(call, losingAccess, ids, { channel: move.from, topic: move.before });
  const received = new Set(target.received_by);
  if (!move.from.history_public_to_subscribers) return { received, losingAccess };
  const inOld = new Set(subscribersOf(state, move.from.stream_id));
  // Guests who never saw the old channel could not interpret the event.
  const isGuestOfNew = (id: number): boolean => state.users[id]?.role === ROLE.guest && !inOld.has(id);
  for (const id of [...inOld, ...subscribersOf(state, move.to.stream_id)])
    if (!losingAccess.has(id) && !isGuestOfNew(id)) received.add(id);
  return { received, losingAccess };
}

function emitUpdate(
  call: Call,
  target: Message,
  edit: Edit,
  done: {
    readonly moved: readonly Message[];
    readonly old: { readonly content: string; readonly rendered: string };
    readonly received: ReadonlySet<number>;
  },
): void {
  const { move, content } = edit;
  const channel = move?.from ?? (target.channel_id === null ? undefined : call.state.channels[target.channel_id]);
  const event = defined({
    user_id: call.user.user_id,
    edit_timestamp: call.now,
    message_id: target.id,
    message_ids: done.moved.map((message) => message.id),
    rendering_only: false,
    ...defined({
      orig_content: content === undefined ? undefined : done.old.content,
      orig_rendered_content: content === undefined ? undefined : done.old.rendered,
      content,
      rendered_content: content === undefined ? undefined : target.rendered_content,
      is_me_message: content === undefined ? undefined : isStatusMessage(content),
    }),
    stream_name: channel?.name,
    stream_id: channel?.stream_id,
    propagate_mode: move === undefined ? undefined : edit.propagateMode,
    new_stream_id: move?.channelChanged === true ? move.to.stream_id : undefined,
    topic_links: move?.topicChanged === true ? topicLinks(call.state, move.after) : undefined,
  });
  const topics = (client: Client) =>
    defined({
      orig_subject: move === undefined ? undefined : topicFor(call.state, client, move.before),
      subject: move?.topicChanged === true ? topicFor(call.state, client, move.after) : undefined,
    });
  call.emit(among(done.received), (client) => ({
    type: "update_message",
    ...event,
    ...topics(client),
    flags: target.received_by.includes(client.userId) ? shownFlags(target, client.userId) : ["read"],
  }));
}

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
function moveVisibilities(
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
  takePart(call, sender, move.to.stream_id, move.after, { how: "moved", startsTopic: true });
}
