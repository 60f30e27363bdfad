/** Messages of the process itself. Every command loads this. */

export const READING_STANDARD_INPUT = "Reading standard input; Ctrl-D ends it.\n";
export const NO_DIRECTORY = "realmctl: the current directory does not exist any more: change to another one (cd)\n";
export const outputBroken = (reason: string): string => `realmctl: the output cannot be written: ${reason}\n`;

export const bugText = (version: string, what: string): string =>
  `realmctl ${version} has a bug: ${what}\nPlease report it with this line, the command and, if possible, the file. REALMCTL_DEBUG=1 adds where it happened.\n`;

/** The required form of an option's value. The message shows the wrong value before it. */
export const ARGUMENT_FORMS = {
  port: "Write a number from 0 to 65535.",
  limit: "Write a number from 1 to 10000.",
  set: "Write the name of a variable, = and its value: site=berlin.",
  listen: "Write an address of this machine and a port: 127.0.0.1:9750; 0 takes any free port.",
  rateLimits: "Write on, off, or REQUESTS/SECONDS, several with commas: 20/60,500/3600.",
} as const;

export const jobsForm = (most: number): string => `Write a number from 1 to ${most}.`;
export const noShard = (part: number, of: number): string =>
  `There is no part ${part} of ${of}. Write 1/${of} to ${of}/${of}.`;
export const shardForm = (most: number): string => `Write which part of how many, such as 3/8; at most ${most} parts.`;

export const levelForm = (oldest: number): string => `Write a whole number of at least ${oldest}.`;
export const timeForm = (longest: string): string =>
  `Write a time, such as 90s, 10m or 2h (a number alone means seconds): more than 0, at most ${longest}.`;

export const bothGiven = (option: string, opposite: string): string => `${option} and ${opposite} cannot be combined`;
export const noEffect = (option: string, other: string): string => `${option} has no effect with ${other}`;
