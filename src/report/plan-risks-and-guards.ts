import { clean } from "../model/clean.ts";
import type { GuardAbout, RiskFact } from "../model/facts.ts";
import { askingGuards, type Guard, type Plan, type Risk } from "../model/plan.ts";
import { type Alike, alikeIn, likenessOf, othersText, subjectOf } from "./alike.ts";
import { wayThrough } from "./guards.ts";
import { below, type Line, placeText, shownMessage } from "./layout.ts";
import { dotted, paint, type Style, sign } from "./style.ts";
import { guardText } from "./words/guards.ts";
import { riskText } from "./words/risks.ts";

/** The maximum number of risks that are shown without `all`. */
const MOST_RISKS = 12;

const RISK_ORDER = [
  "lockout",
  "irreversible",
  "widens",
  "removes",
  "narrows",
  "noisy",
] as const satisfies readonly Risk["kind"][];

/** For one risk, and for several. */
const RISK_COUNTED = {
  lockout: ["may lock somebody out", "may lock somebody out"],
  irreversible: ["cannot be undone", "cannot be undone"],
  widens: ["widens access", "widen access"],
  removes: ["removes something", "remove something"],
  narrows: ["takes access away", "take access away"],
  noisy: ["notifies people", "notify people"],
} as const satisfies Record<Risk["kind"], readonly [one: string, several: string]>;

/** Every risk of the plan, the worst first, then in the order of the changes. */
export function risksOf(plan: Plan): readonly Risk[] {
  const risks = plan.changes.flatMap((change) => change.risks);
  return RISK_ORDER.flatMap((kind) => risks.filter((risk) => risk.kind === kind));
}

/** The risks that no refusal says already. */
export function unrefusedRisks(plan: Plan): readonly Risk[] {
  const refused = new Set(
    plan.guards.flatMap(({ violated, fact: { about } }) =>
      violated && about.kind === "lockout" ? [JSON.stringify(about.risk)] : [],
    ),
  );
  return risksOf(plan).filter(({ fact }) => !refused.has(JSON.stringify(fact)));
}

/**
 * Risks that differ only in their object are one: a plan of many similar changes has one for each of them.
 * @param besides what a report says of a risk besides its sentence
 */
export const risksAlike = (
  risks: readonly Risk[],
  each: boolean,
  besides: (risk: Risk) => string = () => "",
): readonly Alike<Risk>[] =>
  alikeIn(risks, (risk) => (each ? undefined : JSON.stringify([risk.kind, likenessOf(risk.fact), besides(risk)])));

/** The objects of the risks that are like the first one. */
export const sameFor = (style: Style, group: Alike<Risk>): string =>
  othersText(style, group, ({ fact }) => subjectOf(fact));

/** Chooses at least three risks of each kind, so that many similar ones never hide a different one. The worst ones fill the rest. */
function someOfEachKind(risks: readonly Alike<Risk>[]): readonly Alike<Risk>[] {
  const first = new Set(RISK_ORDER.flatMap((kind) => risks.filter((risk) => risk.first.kind === kind).slice(0, 3)));
  for (const risk of risks) if (first.size < MOST_RISKS) first.add(risk);
  return risks.filter((risk) => first.has(risk));
}

interface RiskTextOptions {
  readonly style: Style;
  /** Whether to show every risk, instead of some of each kind. */
  readonly all?: boolean;
  /** The people that a risk is about, if it is about people; shown below the risk. */
  readonly who?: (risk: Risk) => string;
}

/** The plan's risks, the worst first, as a reviewer sees them above everything else. */
export function riskLines(plan: Plan, { style, all = false, who = () => "" }: RiskTextOptions): readonly Line[] {
  const risks = risksAlike(unrefusedRisks(plan), all, who);
  const shown = all || risks.length <= MOST_RISKS + 1 ? risks : someOfEachKind(risks);
  const lead = `  ${paint(style, "risk", "!")} `;
  const lines = shown.flatMap((group) => [
    { lead, text: clean(shownMessage(riskText(group.first))), place: placeText(group.first.at) },
    ...[who(group.first), clean(sameFor(style, group))].map((text) => below(paint(style, "dim", text), 6)),
  ]);
  const left = risks
    .filter((risk) => !shown.includes(risk))
    .flatMap(({ first, others }) => [first, ...others.map(() => first)]);
  if (left.length === 0) return lines;
  const kinds = RISK_ORDER.flatMap((kind) => {
    const number = left.filter((risk) => risk.kind === kind).length;
    return number === 0 ? [] : [`${number} ${RISK_COUNTED[kind][number === 1 ? 0 : 1]}`];
  });
  return [...lines, { lead, text: `${left.length} more: ${kinds.join(", ")} (--all names each)` }];
}

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
