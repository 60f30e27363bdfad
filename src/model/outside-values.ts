import type { Diagnostic, Span } from "./diagnostic.ts";

/** Values of variables that are not in the files of the configuration (docs/writing.md). */
export interface OutsideValues {
  /** `--set name=value`, in their order: a later one wins over an earlier one, and each over every file. */
  readonly set?: readonly { readonly name: string; readonly text: string }[];
  /** `--values FILE`: each is a map from names to values. A later one wins over an earlier one, and each over `values:`. */
  readonly files?: readonly string[];
  /** The value of a variable of the environment that a declaration names with `from: env`. */
  readonly environment?: (name: string) => string | undefined;
  /** Whether the file may ask for this variable of the environment. Absent: for every one whose name is not that of a secret. */
  readonly mayAsk?: (name: string) => boolean;
  /** Whether a text is a secret of this process, whatever its form. */
  readonly isSecret?: (text: string) => boolean;
  /** They are meant for another version of the file: what this one does not declare, or does not have yet, is no error. */
  readonly isOfOther?: true;
}

/** A value from outside of the file: a text of the command line, or what a file of values has. */
export type Given =
  | { readonly by: "--set"; readonly text: string }
  | { readonly by: "--values"; readonly value: unknown; readonly at?: Span };

/** The values that a command names besides the file, and what is wrong with the files that have them. */
export interface ReadValues {
  readonly given: ReadonlyMap<string, Given>;
  readonly diagnostics: readonly Diagnostic[];
}
