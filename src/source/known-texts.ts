import { isList, isObject } from "../model/json.ts";
import { replaceAddresses } from "./addresses.ts";
import { readableValue } from "./document-value.ts";

/** In a file, an address can also be between braces. */
const RUNS = /[^\s<>"'(),;:[\]{}]+/g;

/** Every string and every address in these files, in lower case: everybody who reads the repository can read them. */
export function knownTexts(texts: Iterable<string>): ReadonlySet<string> {
  const known = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string") known.add(value.toLowerCase());
    else if (isList(value)) value.forEach(add);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) {
        known.add(key.toLowerCase());
        add(item);
      }
  };
  for (const text of texts) {
    add(readableValue(text));
    const note = (address: string): string => {
      known.add(address.toLowerCase());
      return address;
    };
    replaceAddresses(text, note, { runs: RUNS });
  }
  return known;
}
