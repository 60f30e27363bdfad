import type { DocsFacet } from "../../model/facets.ts";
import type { MapKind } from "../../model/kind.ts";
import type { FinalFact } from "../../model/kind-facts.ts";
import type { Change } from "../../model/plan.ts";
import { leastRemovedAndAdded } from "../requests.ts";
import { emojiCalls } from "./calls.ts";
import { checkEmoji, emojiRisks } from "./check.ts";
import { emojiName, emojiPictures, emojiToYaml, liveEmoji, newerOfEmoji, withPicture } from "./live.ts";
import { decodeEmoji, type Emoji, emojiFiles, emojiForm, withReplacement } from "./schema.ts";
import { emojiWords } from "./synonyms.ts";

const docs: DocsFacet = {
  about:
    "Custom emoji by name, each with the file of its picture. Servers change pictures and show only the address of the result, so realmctl never compares an existing picture. To replace the picture, use `replaces`.",
  who: "People whom `can_add_custom_emoji_group` names; bots may not add any. Administrators and the author may remove one.",
  whoMay: { overrides_builtin: "Administrators." },
  defaults: { image: "required", replaces: "nothing", overrides_builtin: "`false`" },
  unseen: {
    image:
      "Whether there is an emoji with the name, and its id. They cannot see what it looks like, or whether it differs from the file's picture. An emoji that somebody removed and added again has another id.",
  },
  example: `emoji:
  forge: {image: forge.png}`,
};

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
    schema: emojiForm,
    synonyms: emojiWords,
    fields: { image: { about: "The picture." } },
    files: emojiFiles,
    decode: decodeEmoji,
  },
  live: { read: liveEmoji, newer: newerOfEmoji },
  diff: { resolveDerivedFields: withReplacement },
  review: { check: checkEmoji, risks: emojiRisks },
  calls: { draft: emojiCalls, least: leastRemovedAndAdded, canSet: (field) => field === "image" },
  undo: { whyStays },
  yaml: { item: emojiToYaml, pictures: { of: emojiPictures, put: withPicture } },
  secrecy: { name: "text", fields: { author: "groups", emoji_id: "word" }, snapshot: () => ({}) },
  docs,
};
