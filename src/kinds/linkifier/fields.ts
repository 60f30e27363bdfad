import { isList, type Json } from "../../model/json.ts";
import type { Pair } from "../../model/objects.ts";

/** A linkifier in canonical form: fields that are left out are null or the empty list. */
export interface LinkifierFields {
  readonly pattern: string;
  readonly url_template: string | null;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
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
