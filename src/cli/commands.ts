import type { Command } from "commander";
import type { Io } from "./io.ts";

export interface CommandEntry {
  readonly name: string;
  /** One line of `realmctl --help`. */
  readonly summary: string;
  /** Loads the command's own file, so that no command pays for another. */
  load(): Promise<(io: Io) => Command>;
}

/** Every command, in the order of `realmctl --help`. A new one is a file and an entry here. */
export const COMMANDS: readonly CommandEntry[] = [];
