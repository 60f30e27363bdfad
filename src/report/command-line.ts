import { clean } from "./style.ts";

/**
 * A word of a command line as a POSIX shell takes it: in single quotes when anything in it would mean something there. Control characters
 * are shown, not sent to the terminal.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${clean(word).replaceAll("'", "'\\''")}'`;
}

/** What to type to run realmctl with these words. */
export function commandLine(words: readonly string[]): string {
  return ["realmctl", ...words.map(shellWord)].join(" ");
}
