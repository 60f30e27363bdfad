/** The library: the same steps that the command line takes, for programs. Everything else is internal and may change. */

export type { Journal } from "./apply/journal.ts";
export type { ApplyOptions, Stop } from "./apply/options.ts";
export {
  type PlanFile,
  type PlanInputs,
  type PlanOrigin,
  type PlanSignature,
  planFileText,
} from "./apply/plan-file.ts";
export type { SnapshotRequest, ZulipReader, ZulipWriter } from "./model/api.ts";
export { type Checked, type Diagnostic, EXIT, type ExitCode, Failure, type Span } from "./model/diagnostic.ts";
export type { Answer, JournalEntry, WireCall } from "./model/journal.ts";
export type { Address, Call, Change, FieldChange, Guard, Plan, Risk } from "./model/plan.ts";
export type { ApplyOutcome, ApplyResult, CallResult, CallState, Conflict, Drift, Progress } from "./model/result.ts";
export { Snapshot } from "./model/snapshot.ts";
export { renderDiagnostics } from "./report/diagnostics.ts";
export { renderDrift } from "./report/drift.ts";
export { renderResult } from "./report/result.ts";
export { PLAIN, type Style } from "./report/style.ts";
export { renderPlan } from "./report/text.ts";
export { createSandbox, type Sandbox, type SandboxOptions, serve } from "./sandbox/index.ts";
export { VERSION } from "./version.ts";
export { holdAgainstToday, openSavedPlan, type SavedPlan } from "./workflow/saved.ts";
export {
  type ApplyPlanOptions,
  applyRealm,
  driftOf,
  findUnfinishedRun,
  type Planned,
  type PlanOptions,
  planRealm,
  type UnfinishedRun,
} from "./workflow/workflow.ts";
export { createClient, type ZulipClient } from "./zulip/client.ts";
export { type Credentials, readCredentials } from "./zulip/credentials.ts";
export { Secret } from "./zulip/secret.ts";
export { inProcess, type Transport } from "./zulip/transport.ts";
export { openNetwork } from "./zulip/undici-transport.ts";
