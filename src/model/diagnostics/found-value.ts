import type { FoundValue } from "./values.ts";
import { bare, q } from "./words.ts";

/** A found value, short enough for a sentence. */
export function foundText(found: FoundValue): string {
  switch (found.is) {
    case "nothing":
      return "empty (null)";
    case "list":
      return "a list";
    case "map":
      return "a map";
    case "number":
      return String(found.number);
    case "boolean":
      return String(found.boolean);
    case "text": {
      const text = bare(found.text);
      const [first = ""] = text.split("\n");
      const short = first.length > 40 ? `${first.slice(0, 40)}…` : first === text ? first : `${first}…`;
      return `the string ${JSON.stringify(short)}`;
    }
  }
}

/** A found value in the form of the file: texts are quoted. */
export function writtenText(found: FoundValue): string {
  switch (found.is) {
    case "nothing":
      return "null";
    case "list":
      return found.texts === undefined ? "a list" : `[${found.texts.map(q).join(",")}]`;
    case "text":
      return q(found.text);
    default:
      return foundText(found);
  }
}
