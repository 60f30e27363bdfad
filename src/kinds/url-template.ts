import type { TemplateCause } from "../model/diagnostics/linkifiers.ts";
import { quote } from "../model/diagnostics/values.ts";

const NAME = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*";
const VARIABLE = `${NAME}(?::[1-9][0-9]{0,2}|\\*)?`;
const EXPRESSION = new RegExp(`^[+#./;?&]?(${VARIABLE}(?:,${VARIABLE})*)$`);

/** The variables of an RFC 6570 template without duplicates, or why it is not a template. */
export function readTemplate(
  template: string,
): { readonly variables: readonly string[] } | { readonly cause: TemplateCause } {
  const variables = new Set<string>();
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf("{", at);
    const stray = template.slice(at, open === -1 ? undefined : open).indexOf("}");
    if (stray !== -1) return { cause: { cause: "stray-brace", position: at + stray + 1 } };
    if (open === -1) break;
    const close = template.indexOf("}", open);
    if (close === -1) return { cause: { cause: "open-brace", position: open + 1 } };
    const expression = template.slice(open + 1, close);
    const list = EXPRESSION.exec(expression)?.[1];
    if (list === undefined) return { cause: { cause: "expression", expression: quote(expression) } };
    for (const variable of list.split(",")) variables.add(variable.replace(/(?::\d+|\*)$/, ""));
    at = close + 1;
  }
  return { variables: [...variables] };
}
