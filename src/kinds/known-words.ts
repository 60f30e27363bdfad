// Written by `npm run generate` from the registry. A plan asks the server before the kinds themselves are loaded.
import type { ResourceKind } from "../model/kind.ts";

/** Kinds as command lines name them, in the order of the registry. */
export const KNOWN: readonly Pick<ResourceKind, "name" | "section">[] = [
  { name: "settings", section: "settings" },
  { name: "user_defaults", section: "user_defaults" },
  { name: "person", section: "people" },
  { name: "bot", section: "bots" },
  { name: "user_group", section: "user_groups" },
  { name: "channel_folder", section: "channel_folders" },
  { name: "channel", section: "channels" },
  { name: "default_channel", section: "default_channels" },
  { name: "linkifier", section: "linkifiers" },
  { name: "domain", section: "domains" },
  { name: "profile_field", section: "profile_fields" },
  { name: "emoji", section: "emoji" },
  { name: "playground", section: "playgrounds" },
  { name: "navigation_view", section: "navigation_views" },
  { name: "invite", section: "invites" },
  { name: "invite_link", section: "invite_links" },
];

/** A configuration with one of these words may need more than what is always read of an organization (`live.requestWords`). */
export const REQUEST_WORDS: readonly string[] = ["subscribers", "private", "invites", "invite_links"];
