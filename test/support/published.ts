import { kinds } from "../../src/kinds/registry.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { ApplyResult } from "../../src/model/result.ts";
import type { UndoNote } from "../../src/model/run-facts.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { accessMatrix } from "../../src/report/access.ts";
import { renderDrift } from "../../src/report/drift.ts";
import { renderPlanHtml } from "../../src/report/html.ts";
import { renderDriftHtml } from "../../src/report/html-drift.ts";
import { renderDriftJson, renderPlanJson, renderResultJson } from "../../src/report/json.ts";
import { renderPlanMarkdown } from "../../src/report/markdown.ts";
import {
  type Redaction,
  redactAccess,
  redactionOf,
  redactPlan,
  redactResult,
  redactUndoNotes,
} from "../../src/report/redact.ts";
import { renderResult } from "../../src/report/result.ts";
import { PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";
import { renderUndoNotes } from "../../src/report/undo-notes.ts";
import { driftOf } from "../../src/workflow/workflow.ts";

/** Everything that can be hidden. */
export const HIDE = { privateNames: true, invitations: true, people: true };

/** The comment on a pull request that asks for all of a plan. */
export function commentOf(plan: Plan, more: Partial<Parameters<typeof renderPlanMarkdown>[0]> = {}): string {
  const origin = { mine: plan.changes, earlier: [], adopted: [] };
  return renderPlanMarkdown({ plan, origin, budget: 60_000, elsewhere: "there", ...more });
}

/** A run that sent nothing, with a conflict about each field. */
export function unsent(plan: Plan, more: Partial<ApplyResult> = {}): ApplyResult {
  return {
    plan,
    outcome: "in-part",
    exitCode: 5,
    calls: plan.calls.map(({ n }) => ({ n, state: "not-attempted" })),
    conflicts: plan.changes.flatMap(({ address, kind, name, fields }) =>
      fields.map(({ field, before, after }) => {
        return { address, kind, name, field, planned: before, found: after, wanted: after, calls: [1] };
      }),
    ),
    remaining: plan.changes,
    journal: null,
    elapsedMs: 1,
    diagnostics: [],
    ...more,
  };
}

interface Published {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  readonly redaction?: Redaction;
  readonly result?: ApplyResult;
  readonly notes?: readonly UndoNote[];
}

/** Everything that others may read of a plan and a run of it: format → text. */
export function publishedOf({
  plan,
  snapshot,
  redaction = redactionOf([plan], snapshot, HIDE, kinds),
  result = unsent(plan),
  notes = [],
}: Published): { readonly [format: string]: string } {
  const shown = redactPlan(plan, redaction);
  const access = redactAccess(accessMatrix(plan, snapshot), redaction);
  const drift = driftOf(shown);
  const ended = redactResult(result, redaction);
  return {
    text: renderPlan(shown, { style: PLAIN, all: true }),
    markdown: commentOf(shown, { calls: true }),
    json: renderPlanJson(shown, 0),
    html: renderPlanHtml(shown, access, { applyWith: "", all: true }),
    drift: renderDrift(drift, { style: PLAIN, all: true }),
    "drift html": renderDriftHtml(drift, access, { elsewhere: "" }),
    "drift json": renderDriftJson(drift, undefined),
    result: renderResult(ended, { style: PLAIN, all: true }),
    "result json": renderResultJson(ended),
    undo: renderUndoNotes(redactUndoNotes(notes, redaction), PLAIN, true),
  };
}
