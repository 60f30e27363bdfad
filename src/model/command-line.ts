import { clean } from "./clean.ts";

/**
 * A word of a command line in the form of a POSIX shell: in single quotes if it contains a special character. Control characters are shown, and not
 * sent to the terminal.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${clean(word).replaceAll("'", "'\\''")}'`;
}

export function commandLine(words: readonly string[]): string {
  return ["realmctl", ...words.map(shellWord)].join(" ");
}
