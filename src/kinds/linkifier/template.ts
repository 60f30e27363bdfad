import type { ReverseCause } from "../../model/diagnostics/linkifiers.ts";
import { quote } from "../../model/diagnostics/values.ts";

export { readTemplate } from "../url-template.ts";

/**
 * A `reverse_template` with its fields filled in: `{name}` stands for a group, `{{` and `}}` for braces (zulip-api.md §6.2).
 */
export function expandReverse(
  template: string,
  groups: ReadonlyMap<string, string>,
): { readonly text: string } | { readonly cause: ReverseCause } {
  let text = "";
  let at = 0;
  while (at < template.length) {
    const pair = template.slice(at, at + 2);
    if (pair === "{{" || pair === "}}") {
      text += pair.charAt(0);
      at += 2;
      continue;
    }
    if (template[at] !== "{") {
      text += template.charAt(at);
      at += 1;
      continue;
    }
    const close = template.indexOf("}", at);
    if (close === -1) return { cause: { cause: "open-brace", position: at + 1 } };
    const name = template.slice(at + 1, close);
    const value = groups.get(name);
    if (name === "") return { cause: { cause: "no-name" } };
    if (value === undefined) return { cause: { cause: "no-group", name: quote(name) } };
    text += value;
    at = close + 1;
  }
  return { text };
}
