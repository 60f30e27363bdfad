import { isObject } from "../../model/json.ts";
import type { SecrecyFacet } from "../../model/secrecy.ts";
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
    folder: "word",
    subscribers: "groups",
    ...Object.fromEntries(PERMISSION_SETTINGS.map((setting) => [setting, "groups"])),
  },
  isHidden: ({ privacy }) => isPrivateWord(privacy),
  namesIn: ({ channels }) =>
    channels.map(({ name, stream_id, invite_only }) => ({ name, id: stream_id, isHidden: invite_only })),
  namesToHide: (section) => (isObject(section) ? Object.entries(section).flatMap(privateNames) : []),
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

/** A file with errors cannot be decoded: every word that begins like a private one counts, whatever its key is. */
function privateNames([name, fields]: readonly [string, unknown]): readonly string[] {
  if (!isObject(fields) || !Object.values(fields).some((value) => isPrivateWord(value))) return [];
  return [name, ...(typeof fields.was === "string" ? [fields.was] : [])];
}
