import type { Diagnostic } from "../model/diagnostic.ts";

/** What became of a text. */
export interface Parsed {
  /** Plain maps, lists, texts, numbers, booleans and null; undefined when there is nothing or it cannot be read. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}
