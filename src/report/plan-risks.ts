import { clean } from "../model/clean.ts";
import type { Plan, Risk } from "../model/plan.ts";
import { type Alike, alikeIn, likenessOf, othersText, subjectOf } from "./alike.ts";
import { below, type Line, placeText, shownMessage } from "./layout.ts";
import { paint, type Style } from "./style.ts";
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
