import { accessibleChannel } from "../access.ts";
import type { Call } from "../call.ts";
import { only } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import type { Client } from "../events.ts";
import { int, json, possible, required, text } from "../params.ts";
import type { User } from "../rows/accounts.ts";
import type { Message } from "../rows/messages.ts";
import { type RealmState, settingOf } from "../state.ts";
import { displayNameToEmpty, MAX_TOPIC_LENGTH, sameTopic, topicFor } from "./topics.ts";

/** A user's visibility policy for a topic: muted, unmuted or followed. */
export const VISIBILITY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Visibility = (typeof VISIBILITY)[keyof typeof VISIBILITY];
/** When the server sets a policy by itself (`automatically_follow_topics_policy` and its counterpart for unmuting). */
const WHEN = { onParticipation: 1, onSend: 2, onInitiation: 3 } as const;

export function visibilityOf(state: RealmState, userId: number, channelId: number, topic: string): Visibility {
  const found = (state.user_topics[userId] ?? []).find(
    (row) => row.stream_id === channelId && sameTopic(row.topic_name, topic),
  );
  return Object.values(VISIBILITY).find((each) => each === found?.visibility_policy) ?? VISIBILITY.inherit;
}

/** Hiding muted people is left to the clients. */
export function isMutedFor(state: RealmState, user: User, message: Message): boolean {
  if (message.channel_id === null) return false;
  const visibility = visibilityOf(state, user.user_id, message.channel_id, message.topic);
  if (visibility === VISIBILITY.muted) return true;
  const channelMuted = state.subscriptions[message.channel_id]?.[user.user_id]?.is_muted === true;
  return channelMuted && visibility === VISIBILITY.inherit;
}

/** Everybody with a visibility policy for the topic. */
export function visibilitiesOf(state: RealmState, channelId: number, topic: string): Map<number, Visibility> {
  const found = new Map<number, Visibility>();
  for (const key of Object.keys(state.user_topics)) {
    const userId = Number(key);
    const visibility = visibilityOf(state, userId, channelId, topic);
    if (visibility !== VISIBILITY.inherit) found.set(userId, visibility);
  }
  return found;
}

/** The topics for which somebody has a visibility policy, except those in archived channels. */
export const decidedTopics = (state: RealmState, { user_id }: Pick<User, "user_id">) =>
  (state.user_topics[user_id] ?? []).filter(({ stream_id }) => state.channels[stream_id]?.is_archived === false);
/** The muted topics in the form for older clients: channel name, topic, time. */
export const mutedTopics = (state: RealmState, user: Pick<User, "user_id">, client: Pick<Client, "capabilities">) =>
  decidedTopics(state, user)
    .filter(({ visibility_policy }) => visibility_policy === VISIBILITY.muted)
    .map(({ stream_id, topic_name, last_updated }) => [
      state.channels[stream_id]?.name ?? "",
      topicFor(state, client, topic_name),
      last_updated,
    ]);

/** @param another a second change follows at once: older clients, which get the full list of muted topics, get an event only for that one */
export function setVisibility(
  call: Call,
  userId: number,
  channelId: number,
  topic: string,
  visibility: Visibility,
  another = false,
): void {
  const { state, now } = call;
  const had = state.user_topics[userId] ?? [];
  const others = had.filter((row) => !(row.stream_id === channelId && sameTopic(row.topic_name, topic)));
  if (visibility === VISIBILITY.inherit && others.length === had.length) return;
  const row = { stream_id: channelId, topic_name: topic, last_updated: now, visibility_policy: visibility };
  call.ledger.put(state.user_topics, userId, visibility === VISIBILITY.inherit ? others : [...others, row]);
  if (!another)
    call.emit(only(userId), (client) => ({
      type: "muted_topics",
      muted_topics: mutedTopics(state, { user_id: userId }, client),
    }));
  call.emit(only(userId), (client) => ({
    type: "user_topic",
    ...row,
    topic_name: topicFor(state, client, row.topic_name),
  }));
}

/** How somebody takes part in a topic: `moved`, if their message became its first without being sent there. */
interface Part {
  readonly how: "sent" | "reacted" | "moved";
  readonly startsTopic?: boolean;
}
/** For which of the person's policies each way counts, besides the start of a topic. */
const POLICIES: { readonly [how in Part["how"]]: readonly unknown[] } = {
  sent: [WHEN.onParticipation, WHEN.onSend],
  reacted: [WHEN.onParticipation],
  moved: [],
};
/** Follows or unmutes the topic for somebody who takes part in it and wants this. @returns their new visibility policy, if it changed */
export function takePart(call: Call, user: User, channelId: number, topic: string, part: Part): Visibility | undefined {
  const { state } = call;
  const { how, startsTopic = false } = part;
  const current = visibilityOf(state, user.user_id, channelId, topic);
  if (current === VISIBILITY.followed && how !== "moved") return undefined;
  // Somebody who set a visibility policy for the topic did not start it.
  const starts = startsTopic && (how === "moved" || current === VISIBILITY.inherit);
  const asksFor = (setting: string): boolean => {
    const policy = settingOf(state, user, setting);
    return (policy === WHEN.onInitiation && starts) || POLICIES[how].includes(policy);
  };
  const isMuted = state.subscriptions[channelId]?.[user.user_id]?.is_muted === true;
  const wanted = asksFor("automatically_follow_topics_policy")
    ? VISIBILITY.followed
    : isMuted && asksFor("automatically_unmute_topics_in_muted_streams_policy")
      ? VISIBILITY.unmuted
      : undefined;
  if (wanted === undefined || wanted === current) return undefined;
  setVisibility(call, user.user_id, channelId, topic, wanted);
  return wanted;
}

const visibilityNumber = possible(int(), ...Object.values(VISIBILITY));

/** Sets the caller's own policy for a topic. Removing a policy is allowed even in channels that the caller can no longer read. */
export const userTopicEndpoints = [
  defineEndpoint("POST /user_topics", {
    level: 170,
    params: {
      stream_id: required(json(int())),
      topic: required(text({ maxLength: MAX_TOPIC_LENGTH })),
      visibility_policy: required(json(visibilityNumber)),
    },
    handler(call, { stream_id, topic: sent, visibility_policy: visibility }) {
      const { state, user } = call;
      const topic = displayNameToEmpty(call, sent);
      if (visibility !== VISIBILITY.inherit) accessibleChannel(call, stream_id, "content");
      else if (state.channels[stream_id] === undefined) throw new ApiError("Invalid channel ID");
      if (visibilityOf(state, user.user_id, stream_id, topic) !== visibility)
        setVisibility(call, user.user_id, stream_id, topic, visibility);
    },
  }),
];
