/** As the server stores most names: without white space at either end. */
export const stripped = (name: string): string => name.trim();

/** One character becomes one, or stays: STRAßE and straße are the same name, STRASSE is another (zulip-api.md §3.10). */
export function withoutCase(name: string): string {
  return [...name.trim()]
    .map((character) => {
      const upper = character.toUpperCase();
      return [...upper].length === 1 ? upper : character;
    })
    .join("");
}
