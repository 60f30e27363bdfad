import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import { strip } from "../names.ts";
import { optional, orNull } from "../optional.ts";
import { fieldsOf, isAffordable, MOST_PATTERN_STEPS } from "./fields.ts";
import { type Cause, causesOf } from "./pattern-causes.ts";

export const linkifierForm = once(() =>
  z.strictObject({
    pattern: z.string().describe("RE2 regular expression. The template gets what its named groups `(?P<id>…)` find."),
    was: optional(
      z.string(),
      "The pattern that the linkifier has now. The linkifier is changed; no new one is created.",
    ),
    id: optional(z.int().positive(), "Identifies the linkifier by its id instead of its pattern."),
    absent: optional(z.boolean(), "`true` removes the linkifier under any policy."),
    url_template: optional(
      z.string(),
      "RFC 6570 URL template that uses every named group: `https://bugs.example.org/{id}`.",
    ),
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
  return {
    ...defined({ was: item.was === undefined ? undefined : strip(item.was), id: item.id }),
    absent,
    fields,
  };
}

function report({ field, index, finding }: Cause, context: DecodeContext): void {
  context.report(index === undefined ? [field] : [field, index], finding);
}
