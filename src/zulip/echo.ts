import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";

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

const MASK = "********";
/** The minimum length of a key to search for: a shorter one would be found in many texts, and no server has one. */
const SHORTEST = 20;
/** The maximum number of cached names of fields. The same few names appear in every answer. */
const MOST_NAMES = 5_000;

/** Removes credentials from the answers of a server that sends them back. */
export interface EchoFilter {
  text(text: string): string;
  json(value: JsonObject): JsonObject;
}

/**
 * Servers and proxies may repeat a request in their answer, including its credentials. This masks the key as it is, in any case of letters, as
 * hexadecimal digits, in base64 of either alphabet (alone or within other text, as in `Authorization`), all of these percent-encoded any number of
 * times, and with spaces or line ends in between.
 */
export function echoFilter(email: string, key: string): EchoFilter {
  const search = keySearch(email, key);
  return { text: search.clean, json: jsonFilter(search) };
}

/** How one key is found in texts. */
interface KeySearch {
  /** No shorter text contains the key. */
  readonly shortest: number;
  /** One check, which nearly every text passes: it contains no form of the key, and nothing that could be encoded further. */
  isHarmless(text: string): boolean;
  /** The text with every form of the key masked. */
  clean(text: string): string;
}

function keySearch(email: string, key: string): KeySearch {
  const pair = `${email}:${key}`;
  const plain = [key, Buffer.from(key).toString("hex"), Buffer.from(pair).toString("hex")];
  const forms = new RegExp(plain.map((form) => [...form].join("\\s*")).join("|"), "gi");
  const wanted = key.toLowerCase();
  const packed = new RegExp(base64Pattern(key));
  // No form is shorter than the key itself, and base64 uses four characters for three.
  const shortest = Math.max(SHORTEST, key.length);
  const shortestRun = Math.floor((key.length * 4) / 3);

  /** Base64 encodes a text in three ways, by its offset, so everything that looks like base64 is searched. */
  const inBase64 = (text: string): string =>
    text.length < shortestRun
      ? text
      : text.replace(/[A-Za-z0-9+/_-](?:\s{0,3}[A-Za-z0-9+/_-])*={0,2}/g, (run) =>
          run.length >= shortestRun && encodes(run, wanted) ? MASK : run,
        );

  const isHarmless = (text: string): boolean =>
    text.length < shortest || !(text.includes("%") || packed.test(text) || text.search(forms) !== -1);

  const clean = (text: string): string => {
    if (isHarmless(text)) return text;
    const shown = inBase64(text.replace(forms, MASK));
    if (!shown.includes("%")) return shown;
    const decoded = percentDecoded(shown);
    // The text around the key is encoded as well: nobody could have read it, so nothing is lost.
    return decoded !== shown && inBase64(decoded.replace(forms, MASK)) !== decoded ? MASK : shown;
  };
  return { shortest, isHarmless, clean };
}

/** Masks the key in the texts and names of fields of a JSON value. */
function jsonFilter({ shortest, isHarmless, clean }: KeySearch): EchoFilter["json"] {
  function cleanValue(value: Json): Json {
    if (typeof value === "string") return clean(value);
    if (isList(value)) return unlessSame(value, value.map(cleanValue));
    return isObject(value) ? cleanObject(value) : value;
  }

  const namesKept = new Map<string, string>();
  function cleanName(name: string): string {
    if (name.length < shortest) return name;
    const known = namesKept.get(name);
    if (known !== undefined) return known;
    const shown = clean(name);
    if (namesKept.size < MOST_NAMES) namesKept.set(name, shown);
    return shown;
  }

  /** Whether there is nothing to mask. This is checked first, without copying, since it is true of nearly every answer. */
  function isClean(value: Json): boolean {
    if (typeof value === "string") return isHarmless(value) || clean(value) === value;
    if (typeof value !== "object" || value === null) return true;
    if (isList(value)) {
      // By index: an iterator creates an object for each item until V8 optimises the loop, and a million subscribers are in an answer.
      for (let at = 0; at < value.length; at += 1) {
        const item = value[at];
        if (item !== undefined && typeof item !== "number" && !isClean(item)) return false;
      }
      return true;
    }
    for (const name in value) {
      const item = value[name];
      if (name.length >= shortest && cleanName(name) !== name) return false;
      if (item !== undefined && typeof item !== "number" && !isClean(item)) return false;
    }
    return true;
  }

  /** Only values with something to mask are copied. */
  function cleanObject(value: JsonObject): JsonObject {
    const entries = Object.entries(value);
    let cleaned: [string, Json][] | undefined;
    for (const [at, [name, item]] of entries.entries()) {
      const [shownName, shown] = [cleanName(name), cleanValue(item)];
      if (cleaned === undefined && (shownName !== name || shown !== item)) cleaned = entries.slice(0, at);
      cleaned?.push([shownName, shown]);
    }
    return cleaned === undefined ? value : Object.fromEntries(cleaned);
  }

  return (value) => (isClean(value) ? value : cleanObject(value));
}

function unlessSame(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

function encodes(run: string, wanted: string): boolean {
  const packed = run.replace(/\s/g, "");
  return [0, 1, 2, 3].some((offset) =>
    Buffer.from(packed.slice(offset), "base64").toString("latin1").toLowerCase().includes(wanted),
  );
}

/** How many times a text may be encoded. */
const MOST_ROUNDS = 3;

function percentDecoded(text: string): string {
  let decoded = text;
  for (let round = 0; round < MOST_ROUNDS && decoded.includes("%"); round += 1)
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded;
}
