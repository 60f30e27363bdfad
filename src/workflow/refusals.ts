import { COUNTING, type Counted } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, error, failIfAny, failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { GuardFact } from "../model/facts.ts";
import { once } from "../model/lazy.ts";
import { askingGuards, type Guard, type Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type GuardedPlan, type GuardPart, GuardParts } from "../plan/guard-parts.ts";
import { refuseOtherRealm } from "./realm.ts";

export const refusalsOf = ({ guards }: Plan): readonly Diagnostic[] =>
  guards.filter(({ violated }) => violated).map(guardDiagnostic);

/** The guard rails that a run is refused for, by {@link refuseGuards} or else by {@link refuseUnasked}. */
export function refusingGuards(plan: Plan, isUnattended: boolean): readonly Guard[] {
  const violated = plan.guards.filter((guard) => guard.violated);
  return violated.length > 0 || !isUnattended ? violated : askingGuards(plan);
}

/** @throws Failure if guard rails refuse, with every one that does */
export const refuseGuards = (plan: Plan): void => failIfAny(EXIT.refusedByGuard, refusalsOf(plan));

/** @throws Failure for a plan in which names were replaced */
export function refuseRedacted({ extra }: Plan): void {
  if (extra?.redacted === true) throw failure("plan/redacted", {});
}

/**
 * For a run in which nobody is asked.
 * @throws Failure if guard rails need a confirmation, with every one that does
 */
export const refuseUnasked = (plan: Plan): void =>
  failIfAny(EXIT.refusedByGuard, askingGuards(plan).map(guardDiagnostic));

/** What somebody confirmed: of each guard rail how much, and of what it consisted. */
export interface Confirmed {
  readonly amounts: { readonly [guard: string]: number };
  /** Whether a part of a guard rail's number was among those that were confirmed. */
  readonly knows: (part: GuardPart) => boolean;
}

/** How much each guard rail of a plan counts. */
export const amountsOf = ({ guards }: Pick<Plan, "guards">): Confirmed["amounts"] =>
  Object.fromEntries(guards.map((guard) => [guardKey(guard), amountOf(guard.fact)]));

const amountOf = ({ about }: GuardFact): number => {
  if (about.kind === "owners") return about.least - about.after;
  return about.kind === "limit" ? about.amount : 0;
};

/** Several guard rails against lock-outs have one name. */
export function guardKey({ name, fact: { about } }: Pick<Guard, "name" | "fact">): string {
  if (about.kind === "unreachable") return `${name} ${about.object.address}`;
  return about.kind === "lockout" ? `${name} ${JSON.stringify(about.risk)}` : name;
}

/** Guard rails that say who comes to have something: those that refuse or ask, and limits that hold. A limit lets so many people in, and the plan shows which. */
export const showingWho = ({ guards }: Pick<Plan, "guards">): readonly Guard[] =>
  guards.filter(({ violated, fact: { about, asks, excused } }) => {
    if (violated || asks === true) return true;
    return excused !== "allow" && about.kind === "limit" && about.amount > 0 && COUNTING[about.counted].gains === true;
  });

/**
 * Whoever confirmed a plan, or allowed a guard rail of it, saw its numbers and its people. Nobody was asked about more, or about others; and nobody saw others
 * within a limit.
 * @param today the plan as it is now, with the guard rails that refuse or ask without what was confirmed
 * @param parts of what the numbers of today consist
 * @throws Failure if guard rails refuse or ask about more than was confirmed, or any count other people than the plan showed
 */
export function refuseBeyond(today: Plan, parts: () => GuardParts, { amounts, knows }: Confirmed): void {
  const known = new Map(Object.entries(amounts));
  const open = today.guards.filter(({ violated, fact }) => violated || fact.asks === true);
  const isLarger = (guard: Guard): boolean => {
    const most = known.get(guardKey(guard));
    return most === undefined || amountOf(guard.fact) > most;
  };
  const larger = { ...today, guards: open.filter(isLarger) };
  refuseGuards(larger);
  refuseUnasked(larger);
  refuseOthers(showingWho(today), parts, knows);
}

/** @throws Failure if some of what these guard rails count was not shown */
function refuseOthers(guards: readonly Guard[], parts: () => GuardParts, knows: Confirmed["knows"]): void {
  if (guards.length === 0) return;
  const own = parts();
  refuseCounted(guards, (counted) => {
    let others = 0;
    for (const part of own.of(counted)) if (!knows(part)) others += 1;
    return others;
  });
}

/** @throws Failure with the guard rails that count others */
function refuseCounted(guards: readonly Guard[], othersIn: (counted: Counted) => number): void {
  const found = guards.flatMap(({ name, fact, at }) => {
    const others = fact.about.kind === "limit" ? othersIn(fact.about.counted) : 0;
    return others === 0 ? [] : [error("guard/others", { guard: { pattern: name }, fact, others }, at)];
  });
  failIfAny(EXIT.refusedByGuard, found);
}

/**
 * Counts the guard rails of a plan again, right before it is carried out: what was shown, and confirmed or allowed, is the most that it may do.
 * @param today the plan as it is now
 * @throws Failure if it would do more, or the same to others
 */
export function refuseMoreThanShown(shown: GuardedPlan, today: GuardedPlan): void {
  const known = once(() => new GuardParts(shown));
  const parts = once(() => new GuardParts(today));
  const knows = (part: GuardPart): boolean => known().has(part);
  refuseBeyond(today.plan, parts, {
    // Nobody confirmed what is within a limit: another reading may give the limit another base.
    amounts: amountsOf({
      guards: shown.plan.guards.filter(({ fact }) => fact.asks === true || fact.excused === "allow"),
    }),
    knows,
  });
}

/**
 * Counts the guard rails again while a plan is sent.
 * @param today what is left of it
 * @throws Failure if somebody gains by it who has nothing of it after the plan as it was shown
 */
export async function refuseStrangers(shown: GuardedPlan, today: GuardedPlan): Promise<void> {
  const open = today.plan.guards.filter(({ violated, fact }) => violated || fact.asks === true);
  if (open.length === 0) return;
  // Only a long run needs it.
  const { strangersIn } = await import("../plan/guard-parts.ts");
  const strangers = strangersIn(shown, today);
  refuseCounted(open, (counted) => strangers.get(counted) ?? 0);
}

export function guardDiagnostic({ name, fact, at, rule }: Plan["guards"][number]): Diagnostic {
  const notes = rule === undefined ? [] : [{ at: rule, note: "rule-here" } as const];
  return error("guard/refused", { guard: { pattern: name }, fact, ...defined({ rule }) }, at, notes);
}

/** @throws Failure if a saved plan is used with another realm or another account than it was made for, or the server changed since */
export function refuseOther(plan: Plan, snapshot: Snapshot): void {
  refuseOtherRealm(plan, snapshot, "plan");
  // The account's rights were taken into account, new channels get it as a subscriber, and navigation views are its own.
  if (plan.account.email.toLowerCase() !== snapshot.account.email.toLowerCase()) {
    const fact = { planned: quote(plan.account.email), found: quote(snapshot.account.email) };
    throw failure("plan/other-account", fact, EXIT.conflict);
  }
  if (plan.server.feature_level === snapshot.server.feature_level) return;
  const fact = { planned_level: plan.server.feature_level, level: snapshot.server.feature_level };
  throw failure("plan/other-server", fact, EXIT.conflict);
}
