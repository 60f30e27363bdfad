import type { Command } from "commander";
import type { Io, ProcessIo } from "./io.ts";

/** Runs the command line of another command. A command must not run itself, which would never end. */
export type RunOther = (process: ProcessIo) => Promise<void>;
/** @param commands all commands, for those that describe others */
type MakeCommand = (io: Io, runOther: RunOther, commands: readonly CommandEntry[]) => Command;

export interface CommandEntry {
  readonly name: string;
  /** One line of `realmctl --help`. */
  readonly summary: string;
  /** Loads the command's own file: no command loads the code of another. */
  load(): Promise<MakeCommand>;
}
