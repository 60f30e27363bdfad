import { clean } from "../model/clean.ts";
import type { GuardAbout, RiskFact } from "../model/facts.ts";
import { askingGuards, type Guard } from "../model/plan.ts";
import { type Alike, alikeIn, likenessOf, othersText, subjectOf } from "./alike.ts";
import { wayThrough } from "./guards.ts";
import { below, type Line, placeText, shownMessage } from "./layout.ts";
import { dotted, paint, type Style, sign } from "./style.ts";
import { guardText } from "./words/guards.ts";

/** What a guard says of its object: a lock-out is a risk. */
const aboutOf = ({ fact: { about } }: Guard): RiskFact | GuardAbout => (about.kind === "lockout" ? about.risk : about);

/** Guards that differ only in their object are one. */
export const guardsAlike = (guards: readonly Guard[], each: boolean): readonly Alike<Guard>[] =>
  alikeIn(guards, (guard) =>
    each
      ? undefined
      : JSON.stringify([guard.fact, guard.name, wayThrough(guard)], (key, value: unknown) =>
          key === "about" ? likenessOf(aboutOf(guard)) : value,
        ),
  );

/** The objects of the guards that are like the first one. */
export const sameGuardFor = (style: Style, group: Alike<Guard>): string =>
  othersText(style, group, (guard) => subjectOf(aboutOf(guard)));

/**
 * Whether a guard rail that neither asks nor refuses says something new: what was allowed, what could not be read, and a protection that protects nothing
 * (probably its name is misspelt, and nobody would notice before it is needed).
 */
function isNews({ fact: { about, excused } }: Guard): boolean {
  if (excused !== undefined) return true;
  if (about.kind === "limit") return about.unread !== undefined;
  return about.kind === "untouched" && about.patterns.some(({ is_there }) => !is_there);
}

/**
 * The guard rails of a plan: the satisfied ones in one line, then those that need a confirmation, then those that refuse.
 * @param all also those that hold
 */
export function guardLines(guards: readonly Guard[], style: Style, all = false): readonly Line[] {
  const violated = guards.filter((guard) => guard.violated);
  const asking = askingGuards({ guards });
  const quiet = guards
    .filter((guard) => !guard.violated && !asking.includes(guard) && (all || isNews(guard)))
    .map((guard) => clean(shownMessage(guardText(guard))));
  const refused = guardsAlike(violated, all).flatMap((group) => {
    const guard = group.first;
    const text = `refused by a guard: ${clean(shownMessage(guardText(guard)))}`;
    return [
      { lead: `${paint(style, "risk", sign(style, "failed"))} `, text, place: placeText(guard.at) },
      ...[sameGuardFor(style, group), wayThrough(guard)].map((line) => below(clean(line))),
    ];
  });
  const asked = asking.map((guard) => ({
    lead: `${paint(style, "risk", "!")} `,
    text: clean(shownMessage(guardText(guard))),
    place: placeText(guard.at),
  }));
  return [{ label: "Guards", text: dotted(style, quiet) }, ...asked, ...refused];
}
