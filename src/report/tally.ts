import type { Change } from "../model/plan.ts";
import type { ResultJson } from "../model/result.ts";
import { inactivityIn, isReactivation, isRemoval } from "../model/tally.ts";
import { grouped } from "../model/words.ts";
import { changeName, headingOf, nounOf, pluralOf } from "./layout.ts";
import { listed, type Style, shorten } from "./style.ts";
import { nameList } from "./values.ts";

/** How many objects change in each way, for programs. Every text counts so, too. */
export function tallyOf(changes: readonly Change[]): ResultJson["summary"]["planned"] {
  const number = (is: (change: Change) => boolean): number => changes.filter(is).length;
  return {
    changes: changes.length,
    create: number(({ action }) => action === "create"),
    update: number(isUpdate),
    rename: number(({ action, was, name }) => action === "update" && was !== undefined && was !== name),
    remove: number(isRemoval),
    update_and_remove: number((change) => isUpdate(change) && isRemoval(change)),
    reorder: number(({ action }) => action === "reorder"),
  };
}

/** Whether an object that is not deleted gets other values, besides being archived or deactivated. */
function isUpdate(change: Change): boolean {
  if (change.action !== "update") return false;
  const away = inactivityIn(change);
  return away === undefined || change.fields.some((field) => field !== away);
}

/** The verb for a removal of the kind. @param changes all of one kind */
export function removedWord(changes: readonly Change[]): string {
  return changes.flatMap((change) => inactivityIn(change)?.field ?? [])[0] ?? "removed";
}

interface Part {
  readonly number: number;
  readonly word: string;
}

/** "2 created", "3 changed (1 renamed, 1 reactivated)", "4 archived (1 is in both numbers)"; the section's order apart. */
function partsOf(changes: readonly Change[], removed: string): readonly Part[] {
  const { create, update, rename, remove, update_and_remove: both } = tallyOf(changes);
  const special = [
    { number: rename, word: "renamed" },
    { number: changes.filter(isReactivation).length, word: "reactivated" },
  ]
    .filter(({ number }) => number > 0)
    .map(({ number, word }) => (number === update ? word : `${grouped(number)} ${word}`));
  const specials = special.length === 0 ? "" : ` (${special.join(", ")})`;
  const twice = both === 0 ? "" : ` (${grouped(both)} ${both === 1 ? "is" : "are"} in both numbers)`;
  const parts = [
    { number: create, word: "created" },
    { number: update, word: `changed${specials}` },
    { number: remove, word: `${removed}${twice}` },
  ];
  return parts.filter(({ number }) => number > 0);
}

/** "3 channels changed (1 renamed), 2 archived", one text for each kind in the order of the changes. */
export function kindTallies(changes: readonly Change[]): readonly string[] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    const [first, ...rest] = partsOf(own, removedWord(own));
    const words =
      first === undefined
        ? []
        : [`${own[0]?.singleton === true ? headingOf(kind, own) : nounOf(kind, first.number)} ${first.word}`];
    words.push(...rest.map(({ number, word }) => `${grouped(number)} ${word}`));
    if (tallyOf(own).reorder > 0) words.push(`${pluralOf(kind)} reordered`);
    return words.join(", ");
  });
}

/** What a plan does, in the order of its totals; what takes objects away is last, with the word for it afterwards. */
const TO_DO = [
  { verb: "create" },
  { verb: "change" },
  { verb: "reorder" },
  { verb: "archive", removed: "archived" },
  { verb: "deactivate", removed: "deactivated" },
  { verb: "remove", removed: "removed" },
] as const;

/** Names of objects that go away; the others are counted. */
const MOST_GONE = 5;
const LONGEST_GONE = 40;

/** What the changes do to their objects, each counted once, and by name what goes away: "3 to create, 2 to change, 1 to archive (#sandbox)". */
export function totalsText(changes: readonly Change[], style: Style, all: boolean): string {
  const texts = TO_DO.flatMap((one) => {
    const own = changes.filter((change) =>
      isRemoval(change)
        ? "removed" in one && one.removed === removedWord([change])
        : one.verb === (change.action === "update" ? "change" : change.action),
    );
    if (own.length === 0) return [];
    const text = `${grouped(own.length)} to ${one.verb}`;
    if (!("removed" in one)) return [text];
    const names = own.map((change) => shorten(style, changeName(change), LONGEST_GONE));
    return [`${text} (${nameList(style, names, all ? names.length : MOST_GONE)})`];
  });
  return listed(texts);
}

/** The count over all kinds: "2 created, 3 changed, 1 removed, 1 reordered". */
export function wholeTally(changes: readonly Change[]): string {
  const { reorder } = tallyOf(changes);
  const words = partsOf(changes, "removed").map(({ number, word }) => `${grouped(number)} ${word}`);
  if (reorder > 0) words.push(`${grouped(reorder)} reordered`);
  return words.join(", ");
}
