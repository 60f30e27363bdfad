import EMOJI from "./emoji.json" with { type: "json" };

/**
 * Every Unicode emoji that the server knows by name: its code (dash-separated hexadecimal code points) → its names. Clients show the first name.
 * Names and codes are from February 2024, except the two smiles, which were renamed since; later emoji are not in the table.
 */
const NAMES = new Map(Object.entries(EMOJI));
const CODES = new Map([...NAMES].flatMap(([code, names]) => names.split(" ").map((name) => [name, code] as const)));

/** The code of a Unicode emoji by any of its names. */
export const emojiCode = (name: string): string | undefined => CODES.get(name);
export const isEmojiCode = (code: string): boolean => NAMES.has(code);

/** Newer names that are taken, as recorded uploads show; their emoji are unknown. */
const MORE_NAMES: ReadonlySet<string> = new Set(["late", "big"]);
/** Whether a Unicode emoji has the name, as its first or as another one. */
export const isBuiltIn = (name: string): boolean => CODES.has(name) || MORE_NAMES.has(name);
