import { isObject, type JsonObject } from "../../model/json.ts";
import type { RealmState } from "../state.ts";

/** The level from which on the built-in list is that of Zulip 12; it came between 443 and 453 (zulip-api.md §12.3). */
const ZULIP_12 = 453;

/** What the server shows of the services that it supports by itself: its own list, unless a newer level is simulated. */
export function externalAccounts({ realm: { default_external_accounts: own } }: RealmState, level: number): JsonObject {
  const known = own !== undefined && isObject(own) ? own : {};
  return level >= ZULIP_12 && Object.hasOwn(known, "twitter") ? NEWER : known;
}

/**
 * The profile fields once a server of this level has them: the upgrade to Zulip 12 renames the fields that still have the name and the service `twitter`, and people
 * keep their values (migration 0769).
 */
export function upgradedFields(state: RealmState, level: number): RealmState["profile_fields"] {
  if (externalAccounts(state, level) !== NEWER) return state.profile_fields;
  const fields = Object.entries(state.profile_fields).map(([id, field]) => {
    const isOld = field.name === "Twitter username" && /^\{"subtype": ?"twitter"\}$/.test(field.field_data);
    return [id, isOld ? { ...field, name: "X username", field_data: '{"subtype":"x"}' } : field];
  });
  return Object.fromEntries(fields);
}

/** Name and hint of a field for the service; undefined if the server does not support it. */
export function knownService(
  state: RealmState,
  level: number,
  subtype: unknown,
): { readonly name: string; readonly hint: string } | undefined {
  const known = externalAccounts(state, level);
  const said = Object.hasOwn(known, String(subtype)) ? known[String(subtype)] : undefined;
  return said !== undefined && isObject(said) ? { name: String(said.name), hint: String(said.hint ?? "") } : undefined;
}

/** Subtype, name of the service, what the field asks for, address; people at Mastodon write the whole address. */
const SERVICES: readonly (readonly [subtype: string, text: string, what: string, address: string])[] = [
  ["atlassian", "Atlassian", "account ID", ""],
  ["behance", "Behance", "username", "www.behance.net/"],
  ["bitbucket", "Bitbucket", "username", "bitbucket.org/"],
  ["bluesky", "Bluesky", "handle", "bsky.app/profile/"],
  ["codeberg", "Codeberg", "username", "codeberg.org/"],
  ["discord", "Discord", "tag", ""],
  ["dribbble", "Dribbble", "username", "dribbble.com/"],
  ["facebook", "Facebook", "username", "www.facebook.com/"],
  ["github", "GitHub", "username", "github.com/"],
  ["gitlab", "GitLab", "username", "gitlab.com/"],
  ["instagram", "Instagram", "username", "www.instagram.com/"],
  ["linkedin", "LinkedIn", "profile name", "www.linkedin.com/in/"],
  ["medium", "Medium", "username", "medium.com/@"],
  ["pinterest", "Pinterest", "username", "www.pinterest.com/"],
  ["reddit", "Reddit", "username", "www.reddit.com/user/"],
  ["snapchat", "Snapchat", "username", "www.snapchat.com/add/"],
  ["threads", "Threads", "username", "www.threads.com/@"],
  ["tiktok", "TikTok", "username", "www.tiktok.com/@"],
  ["twitch", "Twitch", "username", "www.twitch.tv/"],
  ["x", "X", "username", "x.com/"],
  ["youtube", "YouTube", "handle", "www.youtube.com/@"],
];
const NEWER: JsonObject = {
  ...Object.fromEntries(
    SERVICES.map(([subtype, text, what, address]) => [
      subtype,
      {
        text,
        url_pattern: address === "" ? "" : `https://${address}%(username)s`,
        name: `${text} ${what}`,
        hint: "",
      },
    ]),
  ),
  mastodon: {
    text: "Mastodon",
    url_pattern: "%(username)s",
    name: "Mastodon profile",
    hint: "The full URL to your profile",
  },
};
