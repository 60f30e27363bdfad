/** The words of a command line up to the cursor, as the shell would pass them. */
interface Line {
  /** The words; the last one is at the cursor, and may be empty. */
  readonly words: readonly string[];
  /** The open quotation mark at the cursor. */
  readonly quote: "" | "'" | '"';
}

/** Splits a line of bash at its spaces, quotation marks and backslashes. Nothing is expanded. */
export function splitLine(line: string): Line {
  const words: string[] = [];
  let word = "";
  let isOpen = false;
  let quote: Line["quote"] = "";
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    if (quote === "" && (letter === " " || letter === "\t")) {
      if (isOpen) words.push(word);
      word = "";
      isOpen = false;
      continue;
    }
    isOpen = true;
    if (letter === quote) quote = "";
    else if (quote === "" && (letter === "'" || letter === '"')) quote = letter;
    else if (letter === "\\" && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word += line.charAt(at);
    } else word += letter;
  }
  return { words: [...words, word], quote };
}

/** Characters at which bash splits the word that a completion replaces (COMP_WORDBREAKS), whatever the command needs. */
const BREAKS = /[:@=<>|&;(]/g;
/** Characters that have no meaning for any shell. */
const PLAIN = /[^\p{L}\p{N}_\-./:@=+,%]/gu;

/** A word in the form that bash needs: it replaces the part of the word after the last such character. */
export function bashReply(value: string, { words, quote }: Line): string {
  if (quote === "'") return value.replaceAll("'", "'\\''");
  if (quote === '"') return value.replace(/["$`\\]/g, "\\$&");
  const typed = words.at(-1) ?? "";
  const start = Math.max(-1, ...[...typed.matchAll(BREAKS)].map(({ index }) => index)) + 1;
  return value.slice(start).replace(PLAIN, "\\$&");
}
