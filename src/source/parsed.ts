import type { Diagnostic } from "../model/diagnostic.ts";

/** The result of reading a text. */
export interface Parsed {
  /** Plain maps, lists, texts, numbers, booleans and null; undefined when there is nothing or it cannot be read. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}
