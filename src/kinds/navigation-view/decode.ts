import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import { strip } from "../names.ts";
import { fragmentCause, isBuiltIn, viewName } from "./fragment.ts";
import type { NavigationView } from "./schema.ts";

export function decodeView(item: NavigationView, fragment: string, context: DecodeContext): Decoded {
  const cause = fragmentCause(fragment);
  if (cause !== undefined) context.report([], finding("navigation_views/fragment", cause));
  const fields: { [field: string]: Json } = {};
  if (item.is_pinned !== undefined) fields.is_pinned = item.is_pinned;
  const name = item.name === undefined || item.absent === true ? undefined : decodeName(item.name, fragment, context);
  if (name !== undefined) fields.name = name;
  return { absent: item.absent === true, fields };
}

function decodeName(written: string | null, fragment: string, context: DecodeContext): string | undefined {
  const name = strip(written ?? "");
  if (isBuiltIn(fragment)) {
    if (written !== null)
      context.report(["name"], finding("navigation_views/built-in-name", { view: viewName(fragment) }));
    return undefined;
  }
  if (name !== "") return name;
  context.report(["name"], finding("navigation_views/no-name", { view: viewName(fragment), is_new: false }));
  return undefined;
}
