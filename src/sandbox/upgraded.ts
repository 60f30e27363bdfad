import { isObject } from "../model/json.ts";
import { versionAt } from "../model/releases.ts";
import { upgradedFields } from "./profile/services.ts";
import type { RealmState } from "./state.ts";

/** The level that added sign-in with Discord; where it is not configured, it is off. */
export const DISCORD_LEVEL = 488;

/** The realm as a server of this level has it after its upgrade. */
export function upgraded(state: RealmState, level: number): RealmState {
  const { authentication_methods: methods } = state.realm;
  const isKnown = level < DISCORD_LEVEL || !isObject(methods) || Object.hasOwn(methods, "Discord");
  const off = { Discord: { enabled: false, available: true } };
  return {
    ...state,
    realm: isKnown ? state.realm : { ...state.realm, authentication_methods: { ...methods, ...off } },
    profile_fields: upgradedFields(state, level),
  };
}

/** The version that the server says: the one of the organization, unless it runs at another level. */
export const versionOf = ({ zulip_version, server }: RealmState, level: number): string =>
  server.zulip_feature_level === level ? zulip_version : versionAt(level);
