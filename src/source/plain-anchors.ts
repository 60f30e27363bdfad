import { MOST_ALIASED_VALUES } from "./limits.ts";
import { NOT_PLAIN } from "./plain-text.ts";

/** An anchor whose value is being read. */
export interface OpenAnchor {
  readonly name: string;
  /** Where its value starts, if it is on the same line. */
  readonly behind: number;
  /** {@link Anchors.size} when it was opened. */
  readonly before: number;
}

/** The values of anchors. Aliases share the value, so an alias bomb costs nothing; its expanded size is counted. */
export class Anchors {
  private readonly named = new Map<string, { readonly value: unknown; readonly size: number }>();
  /** The number of keys and values read so far, including those behind aliases: never fewer than the full parser counts. */
  size = 0;
  /** How often an anchor was set or used. */
  changes = 0;
  private aliased = 0;

  /** Binds the name to the value that is being read. An alias inside that value is not allowed. */
  open(name: string, behind: number): OpenAnchor {
    this.changes++;
    this.named.delete(name);
    return { name, behind, before: this.size };
  }

  close({ name, before }: OpenAnchor, value: unknown): void {
    this.named.set(name, { value, size: this.size - before + 1 });
  }

  alias(name: string): unknown {
    this.changes++;
    const anchored = this.named.get(name);
    if (anchored === undefined) throw NOT_PLAIN;
    this.aliased += anchored.size;
    this.size += anchored.size + 1;
    // The full parser decides how many are too many.
    if (this.aliased > MOST_ALIASED_VALUES) throw NOT_PLAIN;
    return anchored.value;
  }
}

/** The end of a name of letters, digits, `_` and `-`. */
export function nameEnd(text: string, at: number): number {
  let next = at;
  while (next < text.length && isNameCharacter(text.charCodeAt(next))) next++;
  if (next === at) throw NOT_PLAIN;
  return next;
}

const isNameCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45 || code === 95;
