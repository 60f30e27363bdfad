const NAME = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*";
const VARIABLE = `${NAME}(?::[1-9][0-9]{0,2}|\\*)?`;
const EXPRESSION = new RegExp(`^[+#./;?&]?(${VARIABLE}(?:,${VARIABLE})*)$`);

/** The variables of an RFC 6570 template, each once, or why it is none, in half a sentence. */
export function readTemplate(
  template: string,
): { readonly variables: readonly string[] } | { readonly problem: string } {
  const variables = new Set<string>();
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf("{", at);
    const stray = template.slice(at, open === -1 ? undefined : open).indexOf("}");
    if (stray !== -1) return { problem: `the "}" at position ${at + stray + 1} closes nothing` };
    if (open === -1) break;
    const close = template.indexOf("}", open);
    if (close === -1) return { problem: `the "{" at position ${open + 1} is not closed` };
    const expression = template.slice(open + 1, close);
    const list = EXPRESSION.exec(expression)?.[1];
    if (list === undefined) return { problem: `"{${expression}}" is no expression of RFC 6570` };
    for (const variable of list.split(",")) variables.add(variable.replace(/(?::\d+|\*)$/, ""));
    at = close + 1;
  }
  return { variables: [...variables] };
}

/**
 * A `reverse_template` with its fields filled in: `{name}` stands for a group, `{{` and `}}` for braces (zulip-api.md §6.2).
 */
export function expandReverse(
  template: string,
  groups: ReadonlyMap<string, string>,
): { readonly text: string } | { readonly problem: string } {
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
    if (close === -1) return { problem: `the "{" at position ${at + 1} is not closed` };
    const name = template.slice(at + 1, close);
    const value = groups.get(name);
    if (name === "") return { problem: "{} names no group" };
    if (value === undefined) return { problem: `{${name}} is not a named group of the pattern` };
    text += value;
    at = close + 1;
  }
  return { text };
}
