import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { GuardFact } from "../model/facts.ts";
import { askingGuards, type Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { refuseOtherRealm } from "./realm.ts";

/** @throws Failure if guard rails refuse, with every one that does */
export function refuseGuards(plan: Plan): void {
  const [first, ...others] = plan.guards.filter(({ violated }) => violated).map(guardDiagnostic);
  if (first !== undefined) throw new Failure(EXIT.refusedByGuard, first, ...others);
}

/** @throws Failure for a plan in which names were replaced */
export function refuseRedacted({ extra }: Plan): void {
  if (extra?.redacted === true) throw new Failure(EXIT.errors, error("plan/redacted", {}));
}

/**
 * For a run in which nobody is asked.
 * @throws Failure if guard rails need a confirmation, with every one that does
 */
export function refuseUnasked(plan: Plan): void {
  const [first, ...others] = askingGuards(plan).map(guardDiagnostic);
  if (first !== undefined) throw new Failure(EXIT.refusedByGuard, first, ...others);
}

/** How much each guard rail of a plan asks about. */
export const askedOf = (plan: Plan): { readonly [guard: string]: number } =>
  Object.fromEntries(askingGuards(plan).map(({ name, fact }) => [name, amountOf(fact)]));

const amountOf = ({ about }: GuardFact): number => (about.kind === "limit" ? about.amount : 0);

/**
 * Whoever confirmed a plan saw its numbers. What is a question only today, or a larger one, nobody was asked about.
 * @throws Failure if guard rails ask about more than was confirmed
 */
export function refuseLarger(today: Plan, confirmed: { readonly [guard: string]: number }): void {
  const known = new Map(Object.entries(confirmed));
  refuseUnasked({ ...today, guards: today.guards.filter(({ name, fact }) => amountOf(fact) > (known.get(name) ?? 0)) });
}

function guardDiagnostic({ name, fact, at, rule }: Plan["guards"][number]): Diagnostic {
  const notes = rule === undefined ? [] : [{ at: rule, note: "rule-here" } as const];
  return error("guard/refused", { guard: { pattern: name }, fact, ...defined({ rule }) }, at, notes);
}

/** @throws Failure if a saved plan is used with another realm or another account than it was made for, or the server changed since */
export function refuseOther(plan: Plan, snapshot: Snapshot): void {
  refuseOtherRealm(plan, snapshot, "plan");
  // The account's rights were taken into account, new channels get it as a subscriber, and navigation views are its own.
  if (plan.account.email.toLowerCase() !== snapshot.account.email.toLowerCase()) {
    const fact = { planned: quote(plan.account.email), found: quote(snapshot.account.email) };
    throw new Failure(EXIT.conflict, error("plan/other-account", fact));
  }
  if (plan.server.feature_level === snapshot.server.feature_level) return;
  const fact = { planned_level: plan.server.feature_level, level: snapshot.server.feature_level };
  throw new Failure(EXIT.conflict, error("plan/other-server", fact));
}
