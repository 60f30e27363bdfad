import { listNames } from "../words.ts";
import type { Quoted } from "./values.ts";
import { bare, didYouMean, q, say, type Words } from "./words.ts";

/** What may be meant by the name of a channel that does not exist. */
export interface UnknownChannel {
  readonly meant?: Quoted;
  /** Channels that the file does not declare: one of them may have had the name. The first, and the number of the others. */
  readonly known: readonly Quoted[];
  readonly more: number;
}

/** A name that does not resolve any more is more often renamed than never created: the advice to declare it would make a second object. */
export function ifRenamed(known: readonly Quoted[], more: number, declare: string): string {
  const names = [...known.map(bare), ...(more === 0 ? [] : [`${more} more`])];
  return names.length === 0
    ? declare
    : `if it was renamed, write its name of today: ${listNames(names).replace(/ and (?!.* and )/, " or ")}; to create a new one, ${declare}`;
}

export const unknownChannel = ({ name, meant, known, more }: { readonly name: Quoted } & UnknownChannel): Words =>
  say(`there is no channel ${q(name)} here`, didYouMean(meant, ifRenamed(known, more, "declare it under channels")));
