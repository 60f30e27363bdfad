import { firstInvalidCharacter } from "../channels/names.ts";
import { ApiError } from "../errors.ts";
import type { Client } from "../events.ts";
import { codePoints } from "../params.ts";
import { stripped } from "../python.ts";
import type { Channel } from "../rows/channels.ts";
import type { Message } from "../rows/messages.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

/** Which topic names are valid, and how the server normalizes them (zulip-api.md §16.3, §16.4). */
export const RESOLVED_PREFIX = "✔ ";
export const MAX_TOPIC_LENGTH = 60;
const OLD_NAME_OF_EMPTY = "(no topic)";

/** From this level on topics may be empty; before, clients sent the old name, which was an ordinary topic. */
const EMPTY_TOPICS = 334;
/** From this level on channels have their own policy; before, the realm decided whether topics were required. */
const TOPICS_POLICIES = 392;
/** The realm and the level. */
interface Where {
  readonly state: RealmState;
  readonly level: number;
}

/** The name that people see instead of the empty topic ("general chat"). */
export function emptyTopicName(state: RealmState): string {
  const name = state.realm.empty_topic_display_name;
  return typeof name === "string" ? name : "general chat";
}

/** The topic for clients that know empty topics, or do not: these get the name that people see. */
export const shownTopic = (state: RealmState, topic: string, emptyToo: boolean): string =>
  topic === "" && !emptyToo ? emptyTopicName(state) : topic;
export const topicFor = (state: RealmState, { capabilities }: Pick<Client, "capabilities">, topic: string): string =>
  shownTopic(state, topic, capabilities.has("empty_topic_name"));

/** Topics that differ only in case are the same topic. */
export const sameTopic = (a: string, b: string): boolean => a === b || a.toUpperCase() === b.toUpperCase();

/** A topic that is too long is truncated, not refused. */
export function truncateTopic(topic: string): string {
  if (codePoints(topic) <= MAX_TOPIC_LENGTH) return topic;
  return `${[...topic].slice(0, MAX_TOPIC_LENGTH - 3).join("")}...`;
}

/** @throws ApiError that names the position of the first non-printing character, counted from 1 */
export function checkTopicCharacters({ level }: Where, topic: string): void {
  if (topic === "" && level < EMPTY_TOPICS) throw new ApiError("Topic can't be empty!");
  const bad = firstInvalidCharacter(topic);
  if (bad !== undefined) throw new ApiError(`Invalid character in topic, at position ${bad}!`);
}

export function displayNameToEmpty({ state, level }: Where, topic: string): string {
  return level >= EMPTY_TOPICS && topic === emptyTopicName(state) ? "" : topic;
}

/** Both names of the empty topic mean the empty topic. */
export function namesToEmpty(where: Where, sent: string): string {
  const topic = displayNameToEmpty(where, stripped(sent));
  return where.level >= EMPTY_TOPICS && topic === OLD_NAME_OF_EMPTY ? "" : topic;
}
/** The topic in which a message with this one arrives. */
export function topicToSendTo(where: Where, sent: string): string {
  const named = namesToEmpty(where, sent);
  checkTopicCharacters(where, named);
  return truncateTopic(named);
}

/** In an edit, only one name of the empty topic means it; the other is refused where the empty topic is refused, otherwise it stays as it is. */
export const looksEmpty = (topic: string): boolean => topic === "" || topic === OLD_NAME_OF_EMPTY;

/** The channel's policy, or the realm's if the channel has none. */
export function topicsPolicy(state: RealmState, channel: Channel): string {
  if (channel.topics_policy !== "inherit") return channel.topics_policy;
  const policy = state.realm.topics_policy;
  return typeof policy === "string" ? policy : "allow_empty_topic";
}

export function emptyTopicRefused({ state, level }: Where): ApiError {
  if (level < EMPTY_TOPICS) return new ApiError("Topics are required in this organization");
  if (level < TOPICS_POLICIES) return new ApiError("Topics are required in this organization.");
  return new ApiError("Sending messages to the general chat is not allowed in this channel.", {
    extra: { empty_topic_display_name: emptyTopicName(state) },
  });
}
export function namedTopicRefused(state: RealmState): ApiError {
  return new ApiError("Only the general chat topic is allowed in this channel.", {
    extra: { empty_topic_display_name: emptyTopicName(state) },
  });
}
/** @throws ApiError if messages with this topic may not be sent to the channel */
export function checkTopicsPolicy(where: Where, channel: Channel, topic: string): void {
  const { state, level } = where;
  const policy = topicsPolicy(state, channel);
  const isEmpty = topic === (level < EMPTY_TOPICS ? OLD_NAME_OF_EMPTY : "");
  if (policy === "disable_empty_topic" && isEmpty) throw emptyTopicRefused(where);
  if (policy === "empty_topic_only" && topic !== "") throw namedTopicRefused(state);
}

/**
 * If the realm required topics, an edit was refused before all other checks.
 * @throws ApiError
 */
export function checkTopicDemanded(where: Where, topic: string): void {
  const { state, level } = where;
  if (level < EMPTY_TOPICS || level >= TOPICS_POLICIES) return;
  if (state.realm.topics_policy === "disable_empty_topic" && looksEmpty(topic)) throw emptyTopicRefused(where);
}
/** Whether the channel's policy applies to edits. */
export const editsMindPolicies = (level: number): boolean => level >= TOPICS_POLICIES;

export function fitsTopicsPolicy(state: RealmState, channel: Channel, topic: string): boolean {
  const policy = topicsPolicy(state, channel);
  return topic === "" ? policy !== "disable_empty_topic" : policy !== "empty_topic_only";
}

/** The messages of the topic, ascending by id; the comparison of topics ignores case. */
export function messagesInTopic(state: RealmState, channelId: number, topic: string): Message[] {
  return rows(state.messages).filter((message) => message.channel_id === channelId && sameTopic(message.topic, topic));
}

/** Whether the names differ only in an added or removed check mark (truncated or not). */
export function isResolveToggle(before: string, after: string): boolean {
  const wasResolved = before.startsWith(RESOLVED_PREFIX);
  if (wasResolved === after.startsWith(RESOLVED_PREFIX)) return false;
  return wasResolved ? before === RESOLVED_PREFIX + after : after === truncateTopic(RESOLVED_PREFIX + before);
}
