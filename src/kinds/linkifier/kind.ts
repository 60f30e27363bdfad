import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, placed, warning } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { DocsFacet, FileCheck, FoundRisk } from "../../model/facets.ts";
import { namedOf } from "../../model/facts.ts";
import { isList } from "../../model/json.ts";
import type { ListKind } from "../../model/kind.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, Fields, Pair } from "../../model/objects.ts";
import { type Change, type Param, serverId, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { roleDiagnostics, sharingName } from "../checks.ts";
import { strip } from "../names.ts";
import { unusual, withShownTexts } from "../readings.ts";
import { namedRequests, orderedCalls, renamesAsMoves, staying } from "../requests.ts";
import { findInText, type Pattern, readPattern, readPatternInText, sizeOf } from "./pattern.ts";
import { causesOf, type LinkifierFields, type PlaceOf } from "./pattern-causes.ts";
import {
  decodeLinkifier,
  fieldsAfter,
  fieldsOf,
  type Linkifier,
  linkifierForm,
  liveLinkifiers,
  MOST_PATTERN_STEPS,
  newerOfLinkifiers,
} from "./schema.ts";

/** A linkifier is removed: new messages get no links from it. Existing messages keep theirs. */
function linkifierRisks(change: Change): readonly FoundRisk[] {
  if (change.action !== "remove") return [];
  return [{ kind: "removes", fact: { kind: "removed", object: namedOf(change), noun: "linkifier" } }];
}

/** Errors that the server would refuse, and errors that only the whole list shows. */
function checkLinkifiers(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...roleDiagnostics("linkifiers/not-allowed", context.realm.isAdmin, changes, context),
    ...context.pairs("linkifiers").flatMap((pair) => pairDiagnostics(pair)),
    ...twice(context),
    ...overlapWarnings(context),
  ];
}

/** Errors that the item alone did not show, because a part of the linkifier is only on the server. */
function pairDiagnostics(pair: Pair): readonly Diagnostic[] {
  const { declared, change } = pair;
  const fields = fieldsAfter(pair);
  if (declared === undefined || change === undefined || fields === undefined) return [];
  if (fields.url_template === null) return [error("linkifiers/no-template", {}, declared.at)];
  const alone = new Set(Object.keys(declared.fields));
  const whole = new Set(["url_template", "example_input", "reverse_template"]);
  const placeOf: PlaceOf = (field) => {
    const value = field === "pattern" || alone.has(field) ? null : fields[field];
    return defined({ on_server: value === null ? undefined : { field, value: quote(String(value)) } });
  };
  const known = new Set(causesOf(fields, alone).map(({ finding }) => JSON.stringify(finding)));
  return causesOf(fields, whole, placeOf)
    .filter(({ finding }) => finding.severity !== "warning" && !known.has(JSON.stringify(finding)))
    .map(({ field, finding }) => placed(finding, spanOfField(change, field)));
}

/** Two linkifiers that would have one pattern: an item that is renamed to the pattern of another one. */
const twice = (context: PlanContext): readonly Diagnostic[] =>
  sharingName(context.pairs("linkifiers"), (pair) => fieldsAfter(pair)?.pattern).map(({ pair, name }) =>
    error("linkifiers/pattern-taken", { pattern: quote(name) }, pair.declared?.at ?? pair.change?.at),
  );

/**
 * Linkifiers that never match their own example, because an earlier one matches it. Only linkifiers that the file declares with an example can be
 * checked.
 */
function overlapWarnings(context: PlanContext): readonly Diagnostic[] {
  return overlapsIn(finalOrder(context).map((pair) => ({ fields: fieldsAfter(pair), declared: pair.declared })));
}

/** The same for the file alone: linkifiers that are only on the server may come before all of these. */
const overlapsInFile: FileCheck = (declared, _section, realm) => {
  if (realm !== undefined) return [];
  const staying = declared.filter(({ absent }) => !absent);
  return overlapsIn(staying.map((object) => ({ fields: fieldsOf(object.name, object.fields), declared: object })));
};

interface Row {
  readonly fields: LinkifierFields | undefined;
  readonly declared: DeclaredObject | undefined;
}

interface Compiled {
  readonly size: number;
  readonly pattern: Pattern;
}

function compiledInText(source: string): Compiled | undefined {
  const pattern = readPatternInText(source);
  return pattern && { size: sizeOf(source), pattern };
}

const placeIn = (text: string, compiled: Compiled | undefined) => compiled && findInText(compiled.pattern, text);

/** @param rows in the order in which the server tries them */
function overlapsIn(rows: readonly Row[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  // The number of comparisons grows with the square of the list: only the first thousands are checked.
  let left = MOST_PATTERN_STEPS;
  const earlier: { readonly source: string; readonly compiled: () => Compiled | undefined }[] = [];
  for (const { fields, declared } of rows) {
    if (fields === undefined) continue;
    const { pattern: source, example_input: example } = fields;
    // Few have an example: what is tried on none is never compiled.
    const compiled = once(() => compiledInText(source));
    if (example !== null && declared !== undefined) {
      const own = placeIn(example, compiled());
      const taker = earlier.find((candidate) => {
        const other = own && candidate.compiled();
        if (own === undefined || other === undefined) return false;
        left -= other.size * example.length;
        if (left < 0) return false;
        const taken = placeIn(example, other);
        return taken !== undefined && taken.start < own.end && own.start < taken.end;
      });
      if (taker !== undefined) {
        const fact = { pattern: quote(taker.source, "linkifier"), example: quote(example) };
        found.push(warning("linkifiers/overlap", fact, declared.spans.of("example_input") ?? declared.at));
      }
    }
    earlier.push({ source, compiled });
  }
  return found;
}

/** Removed first, then changed, then added (new ones go last, in the order of these requests), then reordered once. */
const RANK = { remove: 40, update: 41, create: 42, reorder: 43 } as const;

/** It is not known whether the server keeps fields that are omitted. */
const ownCalls = namedRequests({
  kind: "linkifier",
  overwritesAll: true,
  create: (change, context) => ({
    operation: "add-linkifier",
    params: paramsOf(change, context),
    rank: RANK.create,
  }),
  update: (change, _fields, pattern, context) => ({
    operation: "update-linkifier",
    path: { filter_id: serverId(change) },
    params: { ...paramsOf(change, context), ...defined({ pattern }) },
    rank: RANK.update,
  }),
  remove: (change) => ({
    operation: "remove-linkifier",
    path: { filter_id: serverId(change) },
    rank: RANK.remove,
  }),
});

const linkifierCalls = orderedCalls("linkifier", ownCalls, (_, context) => ({
  operation: "reorder-linkifiers",
  params: { ordered_linkifier_ids: finalOrder(context).map(({ live, address }) => live?.id ?? { idOf: address }) },
  rank: RANK.reorder,
}));

/**
 * Every field that the level has: it is not known whether the server keeps omitted ones, and pattern and template are always required (zulip-api.md
 * §6.2).
 */
function paramsOf(change: Change, context: PlanContext): { readonly [name: string]: Param } {
  const pair = context.pair(change.address);
  const fields = pair === undefined ? undefined : fieldsAfter(pair);
  if (fields === undefined) throw new RangeError(`${change.address} is not in the plan`);
  const { level } = context.realm;
  return {
    pattern: fields.pattern,
    url_template: fields.url_template ?? "",
    ...defined({
      example_input: level < 471 ? undefined : (fields.example_input ?? ""),
      reverse_template: level < 471 ? undefined : (fields.reverse_template ?? ""),
      alternative_url_templates: level < 478 ? undefined : fields.alternative_url_templates,
    }),
  };
}

/** Every linkifier after the plan, in the order in which the server will try them. */
function finalOrder(context: PlanContext): readonly Pair[] {
  const all = staying("linkifiers", context);
  const byName = new Map(all.map((pair) => [pair.change?.name ?? pair.live?.name ?? "", pair]));
  const reorder = context.changes.find(({ kind, action }) => kind === "linkifier" && action === "reorder");
  const after = reorder?.fields[0]?.after;
  if (after !== undefined && isList(after)) return after.flatMap((name) => byName.get(String(name)) ?? []);

  const byLiveName = new Map(all.flatMap((pair) => (pair.live === undefined ? [] : [[pair.live.name, pair]])));
  const existing = (context.snapshot.linkifiers ?? []).flatMap(({ pattern }) => byLiveName.get(pattern) ?? []);
  return [...existing, ...all.filter((pair) => pair.live === undefined)];
}

/**
 * The temporary pattern of a linkifier while others take its own. It still matches everything that the new pattern matches, so the example and the
 * templates that are sent with it stay valid. Patterns have no maximum length.
 */
function patternInBetween(target: string, id: number, spare?: number): string {
  return temporaryName(`${target}|`, id, Number.POSITIVE_INFINITY, spare);
}

/** The templates with the groups of the pattern by their numbers: a group with another name is no other link. */
function withNumberedGroups(pattern: string, fields: Fields): Fields {
  const read = readPattern(pattern);
  if ("cause" in read) return fields;
  const numbers = new Map(read.pattern.groups.map((name, index) => [name, String(index)]));
  const numbered = (expression: string): string => expression.replace(/\w+/g, (word) => numbers.get(word) ?? word);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      field.endsWith("_template") && typeof value === "string" ? value.replace(/\{[^}]*\}/g, numbered) : value,
    ]),
  );
}

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
