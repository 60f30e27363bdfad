import { defined } from "../../model/defined.ts";
import { isList, type Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { keysBeyond } from "../rows.ts";

/** What a linkifier of a reading has (zulip-api.md §6). */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  "id",
  "pattern",
  "url_template",
  "example_input",
  "reverse_template",
  "alternative_url_templates",
]);
/** The settings of linkifiers that this version does not know. */
export const newerOfLinkifiers = ({ snapshot }: Realm): readonly string[] =>
  keysBeyond(snapshot.linkifiers ?? [], KNOWN_KEYS);

/** Linkifiers in the order in which the server tries them. Fields that the level does not have are left out. */
export function liveLinkifiers({ snapshot }: Realm): readonly LiveObject[] | undefined {
  return snapshot.linkifiers?.map((linkifier) => ({
    key: linkifier.pattern,
    name: linkifier.pattern,
    id: linkifier.id,
    fields: fieldsOf(linkifier),
    inactive: false,
  }));
}

function fieldsOf(linkifier: NonNullable<Snapshot["linkifiers"]>[number]): { readonly [field: string]: Json } {
  const { url_template, example_input, reverse_template, alternative_url_templates: alternatives } = linkifier;
  return {
    url_template,
    ...optional("example_input", example_input),
    ...optional("reverse_template", reverse_template),
    ...defined({ alternative_url_templates: isList(alternatives) ? alternatives : undefined }),
  };
}

function optional(field: string, value: unknown): { readonly [field: string]: Json } {
  if (value === null || value === "") return { [field]: null };
  return typeof value === "string" ? { [field]: value } : {};
}
