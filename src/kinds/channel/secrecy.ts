import { isList, isObject } from "../../model/json.ts";
import { own } from "../../model/own.ts";
import type { SecrecyFacet, Written } from "../../model/secrecy.ts";
import { withShownTexts } from "../shown-texts.ts";
import { PERMISSION_SETTINGS } from "./schema.ts";

const isPrivateWord = (value: unknown): boolean => typeof value === "string" && value.startsWith("private");

/** A private channel is a secret, including its name and description. */
export const channelSecrecy: SecrecyFacet = {
  name: "own",
  fields: {
    description: "about",
    privacy: "word",
    topics_policy: "word",
    default_push_notifications: "word",
    message_retention_days: "word",
    folder: "word",
    subscribers: "groups",
    ...Object.fromEntries(PERMISSION_SETTINGS.map((setting) => [setting, "groups"])),
  },
  isHidden: ({ privacy }) => isPrivateWord(privacy),
  namesIn: ({ channels }) =>
    channels.map(({ name, stream_id, invite_only }) => ({ name, id: stream_id, isHidden: invite_only })),
  namesToHide: (section, written) =>
    isObject(section) ? Object.entries(section).flatMap(([name, item]) => privateNames(name, item, written)) : [],
  snapshot: ({ channels, subscribers }, { hiddenName, text }) => ({
    subscribers,
    channels: channels.map((channel) => {
      const hidden = hiddenName(channel.name);
      const kept = ["name", "topics_policy"];
      if (hidden !== undefined) return { ...withShownTexts(channel, () => "", kept), name: hidden };
      const shown = withShownTexts(channel, text, kept);
      return "rendered_description" in channel ? { ...shown, rendered_description: "" } : shown;
    }),
  }),
};

/**
 * A file with errors cannot be decoded: every word that begins like a private one counts, whatever its key is; a profile or defaults may have it, too.
 * An item without such a word can mean a channel that is private on the server.
 */
function privateNames(name: string, item: unknown, written: Written): readonly string[] {
  const fields = isObject(item) ? item : {};
  const { was, id } = fields;
  const isPrivate =
    hasPrivateWord(fields) ||
    (fields.privacy === undefined && (hasPrivateWord(written.defaults) || takesPrivacy(fields, written, new Set()))) ||
    written.isHidden(typeof was === "string" ? was : name, typeof id === "number" ? id : undefined);
  return isPrivate ? [name, ...(typeof was === "string" ? [was] : [])] : [];
}

const hasPrivateWord = (fields: unknown): boolean => isObject(fields) && Object.values(fields).some(isPrivateWord);

/** Whether one of its profiles says that it is private. */
function takesPrivacy({ profile }: { readonly profile?: unknown }, written: Written, seen: Set<string>): boolean {
  const names = isList(profile) ? profile : [profile];
  return names.some((name) => {
    if (typeof name !== "string" || seen.has(name)) return false;
    seen.add(name);
    const found = own(written.profiles, name);
    if (!isObject(found)) return false;
    return hasPrivateWord(found) || (found.privacy === undefined && takesPrivacy(found, written, seen));
  });
}
