/** Messages of the process itself. Every command loads this. */

export const READING_STANDARD_INPUT = "Reading standard input; Ctrl-D ends it.\n";
export const NO_DIRECTORY = "realmctl: the current directory does not exist any more: change to another one (cd)\n";
export const outputBroken = (reason: string): string => `realmctl: the output cannot be written: ${reason}\n`;

export const bugText = (version: string, what: string): string =>
  `realmctl ${version} has a bug: ${what}\nPlease report it with this line, the command and, if possible, the file. REALMCTL_DEBUG=1 adds where it happened.\n`;
