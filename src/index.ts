/** The library: the steps of the command line, for programs (docs/internals/library.md). Everything else is internal and may change. */

import "./report/words/failure.ts";

export {
  type Adoptable,
  type Adopted,
  type AdoptOptions,
  adopt,
  adoptable,
  type Unmentioned,
} from "./adopt/adopt.ts";
export type { RenamedObject } from "./adopt/protections.ts";
export type { Journal } from "./apply/journal.ts";
export type { ApplyOptions, Stop } from "./apply/options.ts";
export {
  hmacOf,
  isSignedWith,
  type KeptValues,
  type PlanFile,
  type PlanInputs,
  type PlanOrigin,
  type PlanSignature,
  type PlanSource,
  parsePlanFile,
  planFileText,
} from "./apply/plan-file.ts";
export type { LeftUndone, Resumed } from "./apply/whole-run.ts";
export { CODES, type Example, type Page, pageOf, pageText } from "./explain/explain.ts";
export { defaultSections, type Exported, exportRealm } from "./export/export.ts";
export type { ExportOptions, Omission, Split } from "./export/options.ts";
export type { FoundProfile } from "./export/profiles.ts";
export { kinds } from "./kinds/registry.ts";
export type { CodeOf, SnapshotRequest, ZulipReader, ZulipWriter } from "./model/api.ts";
export { NoAnswerError } from "./model/api.ts";
export type { FactIn } from "./model/cases.ts";
export type { ListPart } from "./model/counted.ts";
export type { Covered, Unseen, UnseenWhat } from "./model/coverage.ts";
export type { DecodeContext, Decoded } from "./model/decoding.ts";
export type { Desired } from "./model/desired.ts";
export {
  type Checked,
  type Code,
  type Diagnostic,
  type DiagnosticHead,
  type Ending,
  EXIT,
  type ExitCode,
  type FactDiagnostic,
  Failure,
  type Finding,
  type Found,
  type Note,
  type NoteFact,
  type Path,
  type Span,
  type Unresolved,
} from "./model/diagnostic.ts";
export type {
  BrokenConnection,
  BrokenOff,
  NoAnswer,
  NoAnswerCause,
  OwnRefusal,
  ProxyFailure,
  UnclearAnswer,
} from "./model/diagnostics/calls.ts";
export type { DiagnosticFacts } from "./model/diagnostics/definitions.ts";
export type { AnswerBound, ConnectionDetail } from "./model/diagnostics/server.ts";
export type { ReadCause, Unreadable } from "./model/diagnostics/unreadable.ts";
export type { Person, Quoted, Word } from "./model/diagnostics/values.ts";
export type { Dependency, DraftCall, ObjectState, UseOfRight } from "./model/draft-call.ts";
export type {
  CallsFacet,
  DiffFacet,
  DocsFacet,
  EntryNameFacet,
  FieldSpec,
  FileCheck,
  FileFacet,
  FoundRisk,
  HistoryFacet,
  InactivityFacet,
  LastChange,
  LiveFacet,
  Move,
  NameFacet,
  ObjectDiffFacet,
  ReachFacet,
  ReviewFacet,
  SingletonDiffFacet,
  Topic,
  Trait,
  UndoFacet,
  YamlFacet,
} from "./model/facets.ts";
export type { GuardFact, Named as FactsNamed, RiskFact } from "./model/facts.ts";
export type { Alternatives, Immutable, KeysOf } from "./model/form.ts";
export type { Answer, AnswerInWords, JournalEntry, RunSource, WireCall } from "./model/journal.ts";
export type { Json, JsonObject } from "./model/json.ts";
export type { AnyKind, ListKind, MapKind, ResourceKind, SingletonKind } from "./model/kind.ts";
export type {
  ExportCaveat,
  FinalFact,
  InexpressibleFact,
  LossFact,
  ReachCaveat,
  SideEffectFact,
} from "./model/kind-facts.ts";
export type { DeclaredObject, Fields, Gap, LiveObject, Named, NamingObject, Pair, Policy } from "./model/objects.ts";
export type { OutsideValues } from "./model/outside-values.ts";
export type { OwnFormat, WrittenFile } from "./model/own-format.ts";
export type { RightScope } from "./model/permission-settings.ts";
export type {
  Address,
  Call,
  Change,
  ChangedBy,
  ChangesByOrigin,
  Creation,
  Drifted,
  Expectation,
  FieldChange,
  Guard,
  IdOf,
  MinutesUntil,
  ObjectChange,
  Param,
  Plan,
  PlanExtra,
  Purpose,
  Removal,
  Reorder,
  Risk,
  SideEffects,
  Unmanaged,
  Update,
  Watch,
  Watched,
} from "./model/plan.ts";
export type { Naming, PlanContext, PlannedChanges, PlannedMove } from "./model/plan-context.ts";
export type { OfDrift, PlanPart, Targets } from "./model/plan-schema.ts";
export type { GuardPolicy, Limit, LostProtection, PolicyEntry, SyncPart } from "./model/policy.ts";
export type { GroupValue as RealmGroupValue, Realm } from "./model/realm.ts";
export type { Rehearsal } from "./model/rehearsal.ts";
export type { ImageFormat, ImageHead, ReadUpload, RepositoryFile } from "./model/repository-file.ts";
export type {
  ApplyOutcome,
  ApplyResult,
  CallResult,
  CallState,
  Conflict,
  Drift,
  Moment,
  Progress,
} from "./model/result.ts";
export type { RoleWord } from "./model/roles.ts";
export type { CallFact, UndoFact, UndoNote } from "./model/run-facts.ts";
export type { FieldSecrecy, KnownName, NameSecrecy, SecrecyFacet, Shown, Written } from "./model/secrecy.ts";
export type {
  FetchedPicture,
  FetchedPictures,
  OmissionReason,
  ShownPicture,
  UnfetchedPicture,
} from "./model/shown-picture.ts";
export {
  type GroupSettingValue,
  type PermissionRule,
  Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
  type SnapshotUser,
} from "./model/snapshot.ts";
export type { FieldSpans } from "./model/span.ts";
export type { Patience } from "./model/suggest.ts";
export type { Synonyms } from "./model/synonyms.ts";
export type { InactivityField } from "./model/tally.ts";
export type { TraceEvent, TraceWait, Waiting } from "./model/trace.ts";
export {
  type AccessCell,
  type AccessMatrix,
  type AccessRow,
  accessMatrix,
  type Holders,
  type Shift,
} from "./report/access.ts";
export { type NotTaken, noLongerProtected, notTaken } from "./report/commands/adopt.ts";
export { type ExportSummary, exportNotes } from "./report/commands/files.ts";
export { type DiagnosticsInput, diagnosticsGithub, diagnosticsJson, renderDiagnostics } from "./report/diagnostics.ts";
export { type DriftTextOptions, renderDrift } from "./report/drift.ts";
export { type PlanHtmlOptions, renderPlanHtml } from "./report/html.ts";
export { type DriftHtmlOptions, renderDriftHtml } from "./report/html-drift.ts";
export { type DriftRules, renderDriftJson, renderPlanJson, renderResultJson } from "./report/json.ts";
export { type PlanMarkdownInput, renderPlanMarkdown } from "./report/markdown.ts";
export type { NamedText } from "./report/named-text.ts";
export {
  NO_REDACTION,
  type RedactionOptions,
  redactAccess,
  redactDiagnostic,
  redactionOf,
  redactPlan,
  redactResult,
  redactUndoNotes,
} from "./report/redact.ts";
export type { PlanSide, Redaction } from "./report/redaction.ts";
export { type ResultTextOptions, renderResult } from "./report/result.ts";
export { diagnosticsSarif, type SarifInput, type SarifRule } from "./report/sarif.ts";
export type { AdvisedWords } from "./report/style.ts";
export { PLAIN, type Style } from "./report/style.ts";
export { type PlanTextOptions, renderPlan } from "./report/text.ts";
export { renderUndoNotes } from "./report/undo-notes.ts";
export type { SaidDiagnostic, SaidNote } from "./report/words/diagnostics.ts";
export type { RuleCounts } from "./rules/result.ts";
export type { InviteLimits, PostWebhook, UploadedFile, WebhookRequest } from "./sandbox/call.ts";
export type { Clock as SandboxClock } from "./sandbox/clock.ts";
export type { RealmSource } from "./sandbox/from.ts";
export type { Interception, Interceptor, ParsedRequest } from "./sandbox/http.ts";
export { createSandbox, type Sandbox, type SandboxOptions, serve } from "./sandbox/index.ts";
export type { RateLimit } from "./sandbox/rate-limit.ts";
export type {
  Presence,
  ProfileField,
  ProfileValue,
  Role,
  SentUser,
  User,
  UserStatus,
} from "./sandbox/rows/accounts.ts";
export type {
  Channel,
  ChannelSetting,
  DefaultChannelGroup,
  Folder,
  SharedGroups,
  Subscription,
} from "./sandbox/rows/channels.ts";
export type {
  GroupSetting,
  OtherKeys,
  OtherRules,
  OtherValues,
  PermissionRule as SandboxPermissionRule,
  UserGroup,
} from "./sandbox/rows/groups.ts";
export type {
  Attachment,
  Draft,
  Message,
  MutedUser,
  Reminder,
  ScheduledMessage,
  UserTopic,
} from "./sandbox/rows/messages.ts";
export type {
  Domain,
  Emoji,
  Invite,
  Linkifier,
  NavigationView,
  Playground,
  RealmImage,
} from "./sandbox/rows/organization.ts";
export type { AnonymousGroup, GroupValue, Table } from "./sandbox/rows/values.ts";
export type { ServerSettings as SandboxServerSettings } from "./sandbox/running-realm.ts";
export type { Account, LogEntry } from "./sandbox/sandbox.ts";
export type { Control, Served } from "./sandbox/serve.ts";
export type { IdSpace, RealmState } from "./sandbox/state.ts";
export { formatYaml } from "./source/format.ts";
export type { LoadOptions } from "./source/load.ts";
export { VERSION } from "./version.ts";
export {
  type AccessBasis,
  type AccessQuestion,
  answerAccess,
  answerAccessChanges,
  type PlannedAccess,
} from "./workflow/access-answers.ts";
export {
  type ApplyPlanOptions,
  applyRealm,
  type EarlierRuns,
  type EarlierRunsOptions,
  findEarlierRuns,
  type UnfinishedRun,
} from "./workflow/apply.ts";
export type { FollowPorts } from "./workflow/follow.ts";
export { type GuardOptions, readWhole as validateRealm } from "./workflow/guards.ts";
export { type KnownOfNames, redactionOfFiles } from "./workflow/hidden-in-files.ts";
export { type GuardedUndo, guardUndo, type Made, type UndoGuardOptions } from "./workflow/later-guards.ts";
export { snapshotFor } from "./workflow/reading.ts";
export type { Against } from "./workflow/rules.ts";
export { answerRules, type RulesAnswer, type RulesShown, suggestRules } from "./workflow/rules-answers.ts";
export { checkSavedPlan, type OpenSavedOptions, openSavedPlan, type SavedPlan } from "./workflow/saved.ts";
export { type PlannedUndo, planUndo } from "./workflow/undo.ts";
export { type WatchPorts, watchDrift } from "./workflow/watch-drift.ts";
export { driftOf, type Planned, type PlanOptions, planRealm } from "./workflow/workflow.ts";
export { type ClientOptions, createClient, type ZulipClient } from "./zulip/client.ts";
export { type Clock, processClock } from "./zulip/clock.ts";
export type {
  Connection,
  ConnectionOptions,
  CredentialOrigin,
  Deadline,
} from "./zulip/connection.ts";
export {
  type CredentialFlags,
  type CredentialSource,
  type Credentials,
  readCredentials,
  type WantedOrganization,
} from "./zulip/credentials.ts";
export type { EventQueue, Heard } from "./zulip/event-queue.ts";
export { type Network, type NetworkOptions, openNetwork } from "./zulip/network.ts";
export type { RateRule } from "./zulip/pace.ts";
export type { HttpsProxy } from "./zulip/proxy.ts";
export type { Reply } from "./zulip/reply.ts";
export {
  type HttpRequest,
  type HttpResponse,
  inProcess,
  type Transport,
  type TransportDetail,
  type TransportError,
  type TransportFailure,
} from "./zulip/transport.ts";
export type { UnsentFile } from "./zulip/uploads.ts";
export { Secret } from "./zulip/zuliprc.ts";
