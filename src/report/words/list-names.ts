/** `a, b and c`; more than `most` names are cut: `a, b, c and 9 more`. */
export function listNames(names: readonly string[], most = 8): string {
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown[shown.length - 1];
  if (last === undefined) return "";
  const first = rest > 0 ? shown : shown.slice(0, -1);
  return first.length === 0 ? last : `${first.join(", ")} and ${last}`;
}
