import { isList, isObject } from "../model/json.ts";
import { readableValue } from "./yaml.ts";

/** In a file, an address can also be between braces. */
const RUNS_IN_FILES = /[^\s<>"'(),;:[\]{}]+/g;

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
    replaceAddresses(text, note, { runs: RUNS_IN_FILES });
  }
  return known;
}

/** A run of characters between these separators can be an address: alone, or as part of a sentence, a list or a link. */
const RUNS = /[^\s<>"'(),;:[\]]+/g;

/**
 * The text with each `name@host` in it replaced. A search for `[^…]+@` would go through the rest of a long text without `@` once for each of its
 * characters; this looks at each character a fixed number of times.
 *
 * @param runs the characters of an address without its `@`, as a global pattern: one class of characters, repeated
 * @param isHost whether what follows the `@` makes it an address
 */
export function replaceAddresses(
  text: string,
  replace: (address: string) => string,
  { runs = RUNS, isHost = () => true }: { readonly runs?: RegExp; readonly isHost?: (host: string) => boolean } = {},
): string {
  return text.replace(runs, (run) => {
    const parts = run.split("@");
    const said: string[] = [];
    for (let at = 0; at < parts.length; at += 1) {
      const name = parts[at] ?? "";
      const host = parts[at + 1] ?? "";
      if (name !== "" && host !== "" && isHost(host)) {
        said.push(replace(`${name}@${host}`));
        at += 1;
      } else said.push(name);
    }
    return said.join("@");
  });
}

/** Whether a host has a dot with something before and after it, as hosts of the Internet have. */
export function hasDomain(host: string): boolean {
  const dot = host.indexOf(".", 1);
  return dot !== -1 && dot < host.length - 1;
}
