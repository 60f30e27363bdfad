import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { isList, type Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { LiveObject, Pair } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { strip } from "../names.ts";
import { flag, optional, orNull, string } from "../optional.ts";
import { keysBeyond, liveObject } from "../readings.ts";
import { LONGEST_PATTERN, sizeOf } from "./pattern.ts";
import { type Cause, causesOf, type LinkifierFields } from "./pattern-causes.ts";

export const linkifierForm = once(() =>
  z.strictObject({
    pattern: z.string().describe("RE2 regular expression. The template gets what its named groups `(?P<id>…)` find."),
    was: string("The pattern that the linkifier has now. The linkifier is changed; no new one is created."),
    id: optional(z.int().positive(), "Identifies the linkifier by its id instead of its pattern."),
    absent: flag("`true` removes the linkifier under any policy."),
    url_template: string("RFC 6570 URL template that uses every named group: `https://bugs.example.org/{id}`."),
    example_input: orNull(z.string(), "A text that the pattern finds. Feature level 471. `null` removes it."),
    reverse_template: orNull(
      z.string(),
      "Turns a URL back into the text: `#{id}`. Needs example_input. Feature level 471. `null` removes it.",
    ),
    alternative_url_templates: orNull(
      z.array(z.string()),
      "More URL templates that are turned back into the text. Feature level 478. `null` and `[]` mean none.",
    ),
  }),
);
export type Linkifier = z.infer<ReturnType<typeof linkifierForm>>;

/** Strips texts as the server does, and reports every error that the item alone shows. */
export function decodeLinkifier(item: Linkifier, name: string, context: DecodeContext): Decoded {
  const fields: { [field: string]: Json } = {};
  if (item.url_template !== undefined) fields.url_template = strip(item.url_template);
  if (item.example_input !== undefined) fields.example_input = strip(item.example_input ?? "") || null;
  if (item.reverse_template !== undefined) fields.reverse_template = strip(item.reverse_template ?? "") || null;
  if (item.alternative_url_templates !== undefined)
    fields.alternative_url_templates = item.alternative_url_templates ?? [];

  const absent = item.absent === true;
  const linkifier = fieldsOf(name, fields);
  if (!absent && !isAffordable(linkifier, context))
    context.report(["pattern"], finding("linkifiers/pattern", { cause: "too-much", limit: MOST_PATTERN_STEPS }));
  else if (!absent) for (const cause of causesOf(linkifier, new Set(Object.keys(fields)))) report(cause, context);
  const template = linkifier.url_template ?? "";
  if (!absent && /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(template)) {
    const fact = { cause: "no-scheme", template: quote(template) } as const;
    context.report(["url_template"], finding("linkifiers/template", fact, { severity: "warning" }));
  }
  if (item.was !== undefined && absent) {
    context.report(["was"], finding("linkifiers/was", { cause: "absent" }));
  } else if (item.was !== undefined && strip(item.was) === name) {
    context.report(["was"], finding("linkifiers/was", { cause: "same" }, { severity: "warning" }));
  }
  return defined({ was: whenDefined(item.was, strip), id: item.id, absent, fields });
}

function report({ field, index, finding }: Cause, context: DecodeContext): void {
  context.report(index === undefined ? [field] : [field, index], finding);
}

/** The fields of an item or an object; `pattern` is its name. */
export function fieldsOf(pattern: string, fields: { readonly [field: string]: Json }): LinkifierFields {
  const { alternative_url_templates: alternatives = null } = fields;
  return {
    pattern,
    url_template: textOf(fields.url_template),
    example_input: textOf(fields.example_input),
    reverse_template: textOf(fields.reverse_template),
    alternative_url_templates: isList(alternatives) ? alternatives.map(String) : [],
  };
}

const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

/** A linkifier once the plan is applied; undefined if the plan removes it. */
export function fieldsAfter({ declared, live, change }: Pair): LinkifierFields | undefined {
  if (change?.action === "remove") return undefined;
  const pattern = change?.name ?? live?.name;
  if (pattern === undefined) return undefined;
  return fieldsOf(pattern, { ...live?.fields, ...declared?.fields });
}

/**
 * The limit for the cost of all patterns of a file and their examples, in steps of a search. A pattern of a few characters (`a{0,1000}`) compiles to
 * thousands of instructions, and each of them is tried at each character of an example.
 */
export const MOST_PATTERN_STEPS = 50_000_000;
/** The number of steps that compiling an instruction takes, and the number of searches of an example in a run. */
const COMPILING = 250;
const SEARCHES = 10;

const spent = new WeakMap<object, number>();

/** Whether this linkifier still fits into the budget of the file. Its cost is counted in either case. */
function isAffordable({ pattern, example_input }: LinkifierFields, context: DecodeContext): boolean {
  // A pattern that is too long is refused before it is compiled.
  if (pattern.length > LONGEST_PATTERN) return true;
  const owner = context.patience ?? context;
  const size = sizeOf(pattern);
  const cost = size * (COMPILING + SEARCHES * (example_input?.length ?? 0));
  const total = (spent.get(owner) ?? 0) + cost;
  spent.set(owner, total);
  return total <= MOST_PATTERN_STEPS;
}

/** The settings of linkifiers that this version does not know (zulip-api.md §6). */
export const newerOfLinkifiers = keysBeyond(
  ({ snapshot }) => snapshot.linkifiers,
  ["id", "pattern", "url_template", "example_input", "reverse_template", "alternative_url_templates"],
);

/** Linkifiers in the order in which the server tries them. Fields that the level does not have are left out. */
export function liveLinkifiers({ snapshot }: Realm): readonly LiveObject[] | undefined {
  return snapshot.linkifiers?.map((linkifier) =>
    liveObject(linkifier.pattern, liveFields(linkifier), { id: linkifier.id }),
  );
}

function liveFields(linkifier: NonNullable<Snapshot["linkifiers"]>[number]): { readonly [field: string]: Json } {
  const { url_template, example_input, reverse_template, alternative_url_templates: alternatives } = linkifier;
  return {
    url_template,
    ...textField("example_input", example_input),
    ...textField("reverse_template", reverse_template),
    ...defined({ alternative_url_templates: isList(alternatives) ? alternatives : undefined }),
  };
}

function textField(field: string, value: unknown): { readonly [field: string]: Json } {
  if (value === null || value === "") return { [field]: null };
  return typeof value === "string" ? { [field]: value } : {};
}
