/** `a, b and c`; more than `most` names are cut: `a, b, c and 9 more`. */
export function listNames(names: readonly string[], most = 8): string {
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown[shown.length - 1];
  if (last === undefined) return "";
  const first = rest > 0 ? shown : shown.slice(0, -1);
  return first.length === 0 ? last : `${first.join(", ")} and ${last}`;
}

/** "1 channel", "3 channels". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** 12345 → "12,345". */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

export const who = ({
  user_id,
  full_name,
}: {
  readonly user_id: number;
  readonly full_name?: string | undefined;
}): string => full_name ?? `account ${user_id}`;

export const people = (number: number, more = ""): string => count(number, `${more}person`, `${more}people`);

/** "2 people", "1 bot", "2 people and 1 bot" */
export const peopleAndBots = ({ people: some, bots }: { readonly people: number; readonly bots: number }): string =>
  [...(some > 0 || bots === 0 ? [people(some)] : []), ...(bots > 0 ? [count(bots, "bot", "bots")] : [])].join(" and ");
