/** The characters of both alphabets of base64 in the order of the six bits that they encode: the last two differ. */
const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"].map((character) => [character]);
const CHARACTERS: readonly (readonly string[])[] = [...ALPHABET, ["+", "-"], ["/", "_"]];

/** The bit that distinguishes a small letter of ASCII from its capital. */
const CASE = 0x20;

/**
 * The pattern of a text within something that was encoded in base64, in any case of letters, with spaces or line ends between characters. Base64
 * splits bytes into groups of six bits, so the text can begin at the start of a group, or two or four bits later. So there are three patterns, in
 * which each group is the class of all characters whose bits match. Nothing has to be decoded for the search.
 * @returns the source of a regular expression
 */
export function base64Pattern(text: string): string {
  // `\s{0,3}` would be enough, but V8 unrolls such repetitions and then takes 100 ms to compile the pattern.
  return [0, 2, 4].map((before) => piecesOf(Buffer.from(text), before).join("\\s*")).join("|");
}

/** @param before how many bits of the first group belong to something else */
function piecesOf(bytes: Buffer, before: number): readonly string[] {
  const classes: string[] = [];
  // The bits of the group so far, and which of them are known.
  let [value, given, bits] = [0, 0, before];
  const push = (bit: number, isGiven: number) => {
    [value, given, bits] = [(value << 1) | bit, (given << 1) | isGiven, bits + 1];
    if (bits < 6) return;
    classes.push(`[${charactersOf(value, given)}]`);
    [value, given, bits] = [0, 0, 0];
  };
  for (const byte of bytes) {
    const free = isLetter(byte) ? CASE : 0;
    for (let bit = 0x80; bit > 0; bit >>= 1) push((byte & bit) === 0 ? 0 : 1, (free & bit) === 0 ? 1 : 0);
  }
  while (bits > 0) push(0, 0);
  return classes;
}

function charactersOf(value: number, given: number): string {
  const fitting = CHARACTERS.filter((_, piece) => ((piece ^ value) & given) === 0);
  return fitting.flat().join("").replace("-", "\\-");
}

const isLetter = (byte: number): boolean => /[a-z]/i.test(String.fromCharCode(byte));
