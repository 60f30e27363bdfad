import { defined } from "../model/defined.ts";
import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import type { DriftJson } from "../model/output-schemas.ts";
import { looksRenamed, type Plan, violatedGuards, warningsOfDrift } from "../model/plan.ts";
import type { ApplyResult, CallResult, CallState, Drift, ResultJson } from "../model/result.ts";
import type { RuleCounts } from "../rules/result.ts";
import { driftDifference, saidCall, saidChange, saidGuard } from "./drift-view.ts";
import { estimatedSeconds } from "./plan-cost.ts";
import { risksOf } from "./plan-risks-and-guards.ts";
import { changesMade } from "./result.ts";
import { cleanJson } from "./style.ts";
import { tallyOf } from "./tally.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";

/**
 * The plan as JSON for other programs: the plan itself, the counts that its text starts with, and the exit code of the run.
 * Control and direction characters are escaped, so that the text is safe on a terminal too.
 */
export function renderPlanJson(plan: Plan, exitCode: ExitCode): string {
  const summary = {
    ...tallyOf(plan.changes),
    risks: risksOf(plan).length,
    writes: plan.calls.length,
    estimated_seconds: Math.round(estimatedSeconds(plan) * 10) / 10,
    guards_violated: plan.guards.filter((guard) => guard.violated).length,
  };
  return renderJson({
    ...plan,
    changes: plan.changes.map(saidChange),
    guards: plan.guards.map(saidGuard),
    warnings: plan.warnings.map(wordedDiagnostic),
    summary,
    exit_code: exitCode,
  });
}

/** Any plain data as indented JSON that is safe on a terminal. */
export function renderJson(value: object): string {
  return `${cleanJson(JSON.stringify(value, null, 2))}\n`;
}

/** The result of apply, without the plan, which the caller has: one entry for each call, conflicts, remaining changes. */
export function renderResultJson(result: ApplyResult): string {
  const json: ResultJson = { format: "realmctl.result", version: 3, ...resultData(result) };
  return renderJson(json);
}

export function resultData(result: ApplyResult) {
  const { plan, exitCode, elapsedMs, ...rest } = result;
  const said = saidCalls(plan);
  return {
    realm: plan.realm.url,
    ...defined({ sandbox_of: plan.realm.sandbox_of }),
    ...rest,
    calls: rest.calls.map(said),
    remaining: rest.remaining === null ? null : rest.remaining.map(saidChange),
    diagnostics: rest.diagnostics.map(wordedDiagnostic),
    totals: totalsOf(result),
    summary: { planned: tallyOf(plan.changes), done: tallyOf(changesMade(result)) },
    elapsed_ms: elapsedMs,
    exit_code: exitCode,
  };
}

export function saidCalls(plan: Plan): (result: CallResult) => ReturnType<typeof saidCall> {
  const calls = new Map(plan.calls.map((call) => [call.n, call]));
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  return (result) => saidCall(result, calls.get(result.n), changes);
}

function totalsOf({ calls }: ApplyResult) {
  const number = (state: CallState): number => calls.filter((call) => call.state === state).length;
  return {
    calls: calls.length,
    done: number("done"),
    already_so: number("already-so"),
    conflict: number("conflict"),
    failed: number("failed"),
    skipped: number("skipped"),
    not_attempted: number("not-attempted"),
  };
}

export interface DriftRules extends RuleCounts {
  /** Present if the rules could not be checked: their file has errors, or names something that the organization does not have. */
  readonly cannotBeHeld?: true;
  /** A sentence for each person or field that violates a rule. */
  readonly messages: readonly string[];
}

/** Drift has precedence: the exit code is 2 whatever the results of the rules are. Without drift their errors count as those of a file. */
export function driftExitCode(drift: ExitCode, rules: DriftRules | undefined): ExitCode {
  if (drift !== EXIT.done || rules === undefined) return drift;
  if (rules.cannotBeHeld === true) return EXIT.errors;
  return rules.broken > 0 ? EXIT.ruleBroken : EXIT.done;
}

/** The JSON of a drift, in the same direction as its text: what was done to the organization. */
export function renderDriftJson(drift: Drift, rules?: DriftRules): string {
  const { plan, differences, uncompared, unmanaged, exitCode } = drift;
  const json: DriftJson = {
    format: "realmctl.drift",
    version: 2,
    realm: plan.realm.url,
    ...defined({ sandbox_of: plan.realm.sandbox_of }),
    snapshot_taken_at: plan.snapshot_taken_at,
    differences: differences.map(driftDifference),
    unmanaged,
    matches: plan.matches,
    ...defined({
      coverage: plan.extra?.coverage,
      watches: plan.extra?.watch,
      newer_settings: plan.extra?.newer,
      unseen: plan.extra?.unseen,
      partial: plan.extra?.partial,
    }),
    looks_renamed: looksRenamed(plan).map(wordedDiagnostic),
    uncompared: uncompared.map(wordedDiagnostic),
    warnings: warningsOfDrift(plan).map(wordedDiagnostic),
    refused_by: violatedGuards(plan).map(saidGuard),
    ...defined({
      rules:
        rules === undefined
          ? undefined
          : {
              held: rules.held,
              broken: rules.broken,
              undecided: rules.undecided,
              ...defined({ cannot_be_held: rules.cannotBeHeld }),
              messages: rules.messages,
            },
    }),
    exit_code: driftExitCode(exitCode, rules),
  };
  return renderJson(json);
}
