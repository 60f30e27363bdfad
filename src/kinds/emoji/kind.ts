import type { MapKind } from "../../model/kind.ts";
import type { FinalFact } from "../../model/kind-facts.ts";
import type { Change } from "../../model/plan.ts";
import { emojiCalls, leastEmojiCalls } from "./calls.ts";
import { checkEmoji, emojiRisks } from "./check.ts";
import { decodeEmoji, emojiFiles, withReplacement } from "./decode.ts";
import { docs } from "./docs.ts";
import { emojiName, liveEmoji, newerOfEmoji } from "./rows.ts";
import { type Emoji, emojiForm } from "./schema.ts";
import { emojiWords } from "./synonyms.ts";
import { emojiPictures, emojiToYaml, withPicture } from "./to-yaml.ts";

/** The previous picture is not known. */
function whyStays({ action }: Change): FinalFact | undefined {
  if (action === "remove") return "picture-of-removed";
  return action === "update" ? "picture-replaced" : undefined;
}

/**
 * A custom emoji. Its name is its identity; removing it frees the name, and an emoji that is added with this name is another one. Pictures are not
 * compared, since servers re-encode them and do not return the original (docs/internals/decisions/0027-pictures-are-uploaded-by-version.md).
 * @see zulip-api.md §12.4 https://zulip.com/api/upload-custom-emoji
 */
export const emoji: MapKind<Emoji> = {
  name: "emoji",
  section: "emoji",
  shape: "map",
  noun: ["emoji", "emoji"],
  identity: { keyOf: emojiName, canonicalName: emojiName },
  file: {
    get schema() {
      return emojiForm();
    },
    get synonyms() {
      return emojiWords();
    },
    fields: { image: { about: "The picture." } },
    files: emojiFiles,
    decode: decodeEmoji,
  },
  live: { read: liveEmoji, newer: newerOfEmoji },
  diff: { resolveDerivedFields: withReplacement },
  review: { check: checkEmoji, risks: emojiRisks },
  calls: { draft: emojiCalls, least: leastEmojiCalls, canSet: (field) => field === "image" },
  undo: { whyStays },
  yaml: { item: emojiToYaml, pictures: { of: emojiPictures, put: withPicture } },
  secrecy: { name: "text", fields: { author: "groups", emoji_id: "word" }, snapshot: () => ({}) },
  docs,
};
