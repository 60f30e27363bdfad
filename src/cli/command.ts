import type { Command } from "commander";
import type { Io, ProcessIo } from "./io.ts";

/** Runs a command line of any other command than the one that asks: one that ran itself would never end. */
export type RunOther = (process: ProcessIo) => Promise<void>;
/** @param commands all of them, for those that speak about others */
type MakeCommand = (io: Io, runOther: RunOther, commands: readonly CommandEntry[]) => Command;

export interface CommandEntry {
  readonly name: string;
  /** One line of `realmctl --help`. */
  readonly summary: string;
  /** Loads the command's own file, so that no command pays for another. */
  load(): Promise<MakeCommand>;
}
