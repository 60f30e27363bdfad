import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf } from "../../model/facts.ts";
import type { ListKind } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { strip } from "../names.ts";
import { unusual, withShownTexts } from "../readings.ts";
import { renamesAsMoves } from "../requests.ts";
import { linkifierCalls, patternInBetween, withNumberedGroups } from "./calls.ts";
import { checkLinkifiers, overlapsInFile } from "./check.ts";
import { decodeLinkifier, type Linkifier, linkifierForm, liveLinkifiers, newerOfLinkifiers } from "./schema.ts";

const docs: DocsFacet = {
  about: "The server tries them in this order. Linkifiers that the file does not mention keep their places.",
  who: "Administrators.",
  defaults: {
    pattern: "–",
    url_template: "required",
    example_input: "none",
    reverse_template: "none",
    alternative_url_templates: "none",
  },
  example: `linkifiers:
  - pattern: '#(?P<id>[0-9]+)'
    url_template: https://bugs.example.org/{id}
    example_input: '#1234'`,
};

const USUAL = { example_input: null, reverse_template: null, alternative_url_templates: [] };

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
    schema: linkifierForm,
    fields: {
      url_template: {},
      example_input: { level: 471 },
      reverse_template: { level: 471 },
      alternative_url_templates: { level: 478 },
    },
    decode: decodeLinkifier,
    check: overlapsInFile,
  },
  live: { read: liveLinkifiers, newer: newerOfLinkifiers },
  diff: {
    ordered: true,
    traits: { url_template: "value", example_input: "words", reverse_template: "value" },
    compared: withNumberedGroups,
    defaults: () => USUAL,
  },
  review: { check: checkLinkifiers, risks: linkifierRisks },
  calls: { draft: linkifierCalls, moves: renamesAsMoves },
  yaml: { item: ({ name, fields }) => ({ pattern: name, ...unusual(fields, USUAL) }) },
  secrecy: {
    name: "text",
    snapshot: ({ linkifiers }, { text }) => ({
      linkifiers: linkifiers?.map((linkifier) => withShownTexts(linkifier, text)) ?? null,
    }),
  },
  reach: { role: "administrator" },
  docs,
};

/** A linkifier is removed: new messages get no links from it. Existing messages keep theirs. */
function linkifierRisks(change: Change): readonly FoundRisk[] {
  if (change.action !== "remove") return [];
  return [{ kind: "removes", fact: { kind: "removed", object: namedOf(change), noun: "linkifier" } }];
}
