import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { Snapshot } from "../model/snapshot.ts";
import { stateFromRecording } from "./from-recording.ts";
import { stateFromSnapshot } from "./from-snapshot.ts";
import { Recording } from "./recording.ts";
import type { RealmState } from "./state.ts";
import { withWelcome } from "./welcome-message.ts";

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
