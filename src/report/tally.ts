import type { Change } from "../model/plan.ts";
import { inactivityIn, type Tally, tallyOf } from "../model/tally.ts";
import { headingOf, nounOf, pluralOf } from "./layout.ts";
import { grouped } from "./style.ts";

/** The verb for a removal of the kind. @param changes all of one kind */
export function removedWord(changes: readonly Change[]): string {
  return changes.flatMap((change) => inactivityIn(change)?.field ?? [])[0] ?? "removed";
}

interface Part {
  readonly number: number;
  readonly word: string;
}

/** "2 created", "3 changed (1 renamed, 1 reactivated)", "4 archived (1 is in both numbers)"; the section's order apart. */
function partsOf(tally: Tally, removed: string): readonly Part[] {
  const { created, updated, removed: gone, updatedAndRemoved: both } = tally;
  const special = [
    { number: tally.renamed, word: "renamed" },
    { number: tally.reactivated, word: "reactivated" },
  ]
    .filter(({ number }) => number > 0)
    .map(({ number, word }) => (number === updated ? word : `${grouped(number)} ${word}`));
  const specials = special.length === 0 ? "" : ` (${special.join(", ")})`;
  const twice = both === 0 ? "" : ` (${grouped(both)} ${both === 1 ? "is" : "are"} in both numbers)`;
  const parts = [
    { number: created, word: "created" },
    { number: updated, word: `changed${specials}` },
    { number: gone, word: `${removed}${twice}` },
  ];
  return parts.filter(({ number }) => number > 0);
}

/** "3 channels changed (1 renamed), 2 archived", one text for each kind in the order of the changes. */
export function kindTallies(changes: readonly Change[]): readonly string[] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    const tally = tallyOf(own);
    const [first, ...rest] = partsOf(tally, removedWord(own));
    const words =
      first === undefined
        ? []
        : [`${own[0]?.singleton === true ? headingOf(kind, own) : nounOf(kind, first.number)} ${first.word}`];
    words.push(...rest.map(({ number, word }) => `${grouped(number)} ${word}`));
    if (tally.reordered > 0) words.push(`${pluralOf(kind)} reordered`);
    return words.join(", ");
  });
}

/** The count over all kinds: "2 created, 3 changed, 1 removed, 1 reordered". */
export function wholeTally(changes: readonly Change[]): string {
  const tally = tallyOf(changes);
  const words = partsOf(tally, "removed").map(({ number, word }) => `${grouped(number)} ${word}`);
  if (tally.reordered > 0) words.push(`${grouped(tally.reordered)} reordered`);
  return words.join(", ");
}

/** The count for programs. */
export function tallyJson(changes: readonly Change[]): Readonly<Record<string, number>> {
  const tally = tallyOf(changes);
  return {
    changes: tally.changes,
    create: tally.created,
    update: tally.updated,
    rename: tally.renamed,
    remove: tally.removed,
    update_and_remove: tally.updatedAndRemoved,
    reorder: tally.reordered,
  };
}
