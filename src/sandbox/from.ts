import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { Snapshot } from "../model/snapshot.ts";
import { subscribersOf } from "./access.ts";
import { Recording, stateFromRecording } from "./from-recording.ts";
import { stateFromSnapshot } from "./from-snapshot.ts";
import { systemBot } from "./messages/posting.ts";
import { type Message, NEW_MESSAGE } from "./rows/messages.ts";
import { rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

/** The JSON of a recorded `realm.json`, of a realmctl snapshot, or of a sandbox's state. */
export type RealmSource = JsonObject | RealmState | Snapshot;

export interface StartingRealm {
  readonly state: RealmState;
  readonly level: number;
  /** The names of accounts in tests and recordings: `owner`, … */
  readonly names: { readonly [name: string]: number };
}

/** @throws ZodError if it has none of the three forms */
export function realmFrom(source: RealmSource): StartingRealm {
  if (isState(source)) return { state: source, level: levelOf(source), names: {} };
  const json: { readonly [key: string]: Json | unknown } = { ...source };
  if (isObject(json.register)) {
    const recording = Recording.parse(json);
    const names = Object.fromEntries(Object.entries(recording.accounts).map(([name, { user_id }]) => [name, user_id]));
    return { state: stateFromRecording(recording), level: recording.register.zulip_feature_level, names };
  }
  const snapshot = Snapshot.parse(json);
  return {
    state: withWelcome(stateFromSnapshot(snapshot), snapshot.taken_at),
    level: snapshot.server.feature_level,
    names: {},
  };
}

function isState(source: RealmSource): source is RealmState {
  return "next_id" in source && "user_settings_defaults" in source;
}
/** A state keeps the level from which it came among the facts about the server. */
const levelOf = (state: RealmState): number => z.int().parse(state.server.zulip_feature_level);

const TEXT = "This is a sandbox. It was made from a snapshot, which holds no messages: this is the first one.";

/**
 * A snapshot has no messages, and clients that were written for real organizations expect one: the public channel with most subscribers gets it, and everybody
 * who is not subscribed there gets it from the Welcome Bot.
 */
function withWelcome(state: RealmState, takenAt: string): RealmState {
  const people = rows(state.users);
  const sender = systemBot(state, "welcome-bot") ?? people[0];
  if (sender === undefined || rows(state.messages).length > 0) return state;
  const [channel] = rows(state.channels)
    .filter(({ invite_only, is_archived }) => !invite_only && !is_archived)
    .map(({ stream_id }) => ({ stream_id, subscribers: subscribersOf(state, stream_id) }))
    .sort((a, b) => b.subscribers.length - a.subscribers.length);
  const subscribed = new Set(channel?.subscribers);
  const others = people.filter(
    ({ user_id, is_active, is_system_bot }) => is_active && !is_system_bot && !subscribed.has(user_id),
  );
  const to = [
    ...(channel === undefined ? [] : [{ channel_id: channel.stream_id, to: [], received_by: channel.subscribers }]),
    ...others.map(({ user_id }) => {
      const both = [...new Set([sender.user_id, user_id])].sort((a, b) => a - b);
      return { channel_id: null, to: both, received_by: both };
    }),
  ];
  const first = state.next_id.message;
  const messages = to.map(
    (each, place): Message => ({
      ...each,
      id: first + place,
      sender_id: sender.user_id,
      type: each.channel_id === null ? "direct" : "channel",
      topic: "",
      content: TEXT,
      rendered_content: `<p>${TEXT}</p>`,
      timestamp: Math.floor(Date.parse(takenAt) / 1000) || 0,
      ...NEW_MESSAGE,
      client: "Internal",
      flags: {},
    }),
  );
  return {
    ...state,
    messages: Object.fromEntries(messages.map((each) => [each.id, each])),
    next_id: { ...state.next_id, message: first + messages.length },
  };
}
