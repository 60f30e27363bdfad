/** As the server stores most names: without white space around them. */
export const stripped = (name: string): string => name.trim();

/** One character becomes one, or stays: STRAßE and straße are one name, STRASSE another (zulip-api.md §3.10). */
export function withoutCase(name: string): string {
  return [...name.trim()]
    .map((character) => {
      const upper = character.toUpperCase();
      return [...upper].length === 1 ? upper : character;
    })
    .join("");
}
