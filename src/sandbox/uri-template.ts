const VARIABLE_START = /^[A-Za-z0-9_]/;
/** Characters of a variable name; a slash separates the name that is shown from the key that is looked up. */
const VARIABLE_NAME = /^(?:[A-Za-z0-9_./]|%[0-9A-Fa-f]{2})*$/;
const OPERATORS = "+#./;?&,";
const TRAILING_JOINERS = ",./;&";

/**
 * The variables of an RFC 6570 template, or undefined if the server's library calls it invalid. The library knows a few extensions: defaults, `[]`, a
 * trailing joiner (zulip-api.md §6.3, §12.5).
 */
export function templateVariables(template: string): readonly string[] | undefined {
  const names = new Set<string>();
  const literals = template.replace(/\{([^}]*)\}/g, (_, expression: string) => {
    const variables = expressionVariables(expression);
    // An invalid expression leaves a brace, which no literal may contain.
    if (variables === undefined) return "{";
    for (const name of variables) names.add(name);
    return "";
  });
  return /[{}]/.test(literals) ? undefined : [...names];
}

function expressionVariables(expression: string): readonly string[] | undefined {
  const startsWithName = VARIABLE_START.test(expression);
  const operator = startsWithName ? "" : expression.slice(0, expression.startsWith(",+") ? 2 : 1);
  if (!startsWithName && (operator === "" || !OPERATORS.includes(operator.charAt(0)))) return undefined;
  let list = expression.slice(operator.length);
  if (list !== "" && TRAILING_JOINERS.includes(list.slice(-1))) list = list.slice(0, -1);
  const names: string[] = [];
  for (const spec of list.split(",")) {
    const name = variableName(spec);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

function variableName(spec: string): string | undefined {
  if (!VARIABLE_START.test(spec)) return undefined;
  let name = spec.replace(/=.*$/s, "");
  const colon = name.indexOf(":");
  if (colon !== -1) {
    if (!/^\d{1,3}$/.test(name.slice(colon + 1)) || Number(name.slice(colon + 1)) === 0) return undefined;
    name = name.slice(0, colon);
  } else {
    name = name.replace(/(\*|\[\])$/, "");
  }
  if (!VARIABLE_NAME.test(name)) return undefined;
  const parts = name.split("/");
  const key = parts.pop() ?? "";
  return parts.pop() || key;
}
