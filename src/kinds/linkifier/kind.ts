import type { ListKind } from "../../model/kind.ts";
import { renamesAsMoves } from "../moves.ts";
import { strip } from "../names.ts";
import { withShownTexts } from "../shown-texts.ts";
import { linkifierCalls } from "./calls.ts";
import { checkLinkifiers } from "./check.ts";
import { decodeLinkifier } from "./decode.ts";
import { docs } from "./docs.ts";
import { liveLinkifiers, newerOfLinkifiers } from "./live.ts";
import { overlapsInFile } from "./overlap.ts";
import { patternInBetween, withNumberedGroups } from "./renames.ts";
import { linkifierRisks } from "./risks.ts";
import { type Linkifier, linkifierForm } from "./schema.ts";
import { linkifierWords } from "./synonyms.ts";
import { linkifierToYaml } from "./to-yaml.ts";

/**
 * A pattern that becomes a link in messages. The server allows a pattern once, so the pattern is the identity; `was:` changes it. The list has an
 * order: if patterns overlap, the earlier one wins (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md).
 * @see zulip-api.md §6 https://zulip.com/api/update-linkifier
 */
export const linkifier: ListKind<Linkifier> = {
  name: "linkifier",
  section: "linkifiers",
  shape: "list",
  noun: ["linkifier", "linkifiers"],
  identity: {
    keyOf: strip,
    canonicalName: strip,
    nameOf: (item) => item.pattern,
    temporaryName: patternInBetween,
  },
  file: {
    get schema() {
      return linkifierForm();
    },
    get synonyms() {
      return linkifierWords();
    },
    fields: {
      url_template: { about: "Where the link leads." },
      example_input: { level: 471, about: "A text that the pattern finds." },
      reverse_template: { level: 471, about: "Turns a URL back into the text." },
      alternative_url_templates: { level: 478, about: "More URL templates that are turned back into the text." },
    },
    decode: decodeLinkifier,
    check: overlapsInFile,
  },
  live: { read: liveLinkifiers, newer: newerOfLinkifiers },
  diff: {
    ordered: true,
    traits: { url_template: "value", example_input: "words", reverse_template: "value" },
    compared: withNumberedGroups,
    defaults: () => ({ example_input: null, reverse_template: null, alternative_url_templates: [] }),
  },
  review: { check: checkLinkifiers, risks: linkifierRisks },
  calls: { draft: linkifierCalls, moves: renamesAsMoves },
  yaml: { item: linkifierToYaml },
  secrecy: {
    name: "text",
    snapshot: ({ linkifiers }, { text }) => ({
      linkifiers: linkifiers?.map((linkifier) => withShownTexts(linkifier, text)) ?? null,
    }),
  },
  reach: { role: "administrator" },
  docs,
};
