import type {
  AccessBasis,
  AccessMatrix,
  AccessQuestion,
  AdoptOptions,
  Against,
  ApplyPlanOptions,
  ApplyResult,
  Change,
  ClientOptions,
  Clock,
  CredentialFlags,
  CredentialSource,
  Diagnostic,
  DiagnosticsInput,
  Drift,
  DriftHtmlOptions,
  DriftRules,
  DriftTextOptions,
  EarlierRunsOptions,
  Example,
  ExportOptions,
  GuardOptions,
  KnownOfNames,
  LoadOptions,
  NetworkOptions,
  NotTaken,
  Page,
  Plan,
  PlanFile,
  PlanHtmlOptions,
  PlanInputs,
  PlanMarkdownInput,
  Planned,
  PlannedAccess,
  PlanOptions,
  PlanOrigin,
  PlanSource,
  PlanTextOptions,
  Redaction,
  RedactionOptions,
  ResourceKind,
  ResultTextOptions,
  SaidDiagnostic,
  Sandbox,
  SandboxOptions,
  SarifInput,
  SavedPlan,
  Secret,
  Snapshot,
  Stop,
  Style,
  Targets,
  UndoGuardOptions,
  UndoNote,
  WatchPorts,
  ZulipReader,
  ZulipWriter,
} from "../index.ts";
import { type ArgumentCheck, aString, oneOf, wrong } from "../model/argument.ts";

import { PLAN_VERSION } from "../model/plan.ts";
import {
  aFlag,
  aFunction,
  aMap,
  aNumber,
  anObject,
  aSet,
  aSignal,
  type Checks,
  fields,
  listOf,
  maybe,
  objects,
  orNull,
  variants,
} from "./checks.ts";

// The forms of arguments. The library makes plans, snapshots and results itself, so only their outermost fields are checked.

export const strings = listOf(aString);
const place = fields<{ url: string; name: string }>({ url: aString, name: aString });

export const aSnapshot = fields<Snapshot>({
  format: oneOf("realmctl.snapshot"),
  version: oneOf(1),
  taken_at: aString,
  server: fields<Snapshot["server"]>({ zulip_version: aString, feature_level: aNumber }),
  realm: place,
  account: anObject,
  permission_settings: orNull(anObject),
  settings: anObject,
  facts: maybe(anObject),
  users: objects,
  profile_values: maybe(anObject),
  system_bots: maybe(objects),
  user_groups: objects,
  channels: objects,
  default_channels: orNull(listOf(aNumber)),
  channel_folders: orNull(objects),
  linkifiers: orNull(objects),
  domains: orNull(objects),
  navigation_views: orNull(objects),
  subscribers: orNull(anObject),
  invites: orNull(objects),
});

type ShownChange = Pick<Change, "action" | "address" | "kind" | "name" | "fields" | "risks" | "at">;
export const aChange = fields<ShownChange>({
  action: aString,
  address: aString,
  kind: aString,
  name: aString,
  fields: objects,
  risks: objects,
  at: maybe(anObject),
});
const changes = listOf(aChange);

export const aPlan = fields<Plan>({
  format: oneOf("realmctl.plan"),
  version: oneOf(PLAN_VERSION),
  tool_version: aString,
  snapshot_taken_at: aString,
  realm: place,
  server: anObject,
  account: anObject,
  changes,
  calls: objects,
  least_calls: aNumber,
  matches: anObject,
  unmanaged: objects,
  guards: objects,
  warnings: objects,
  side_effects: anObject,
  extra: maybe(anObject),
});

type KindForm = Pick<ResourceKind, keyof ResourceKind>;
const facet = maybe(anObject);
const kind = fields<KindForm>({
  name: aString,
  section: aString,
  shape: oneOf("map", "list", "singleton"),
  noun: strings,
  isPartial: maybe(aFlag),
  isAccount: maybe(aFlag),
  file: anObject,
  live: anObject,
  calls: anObject,
  secrecy: anObject,
  docs: anObject,
  review: facet,
  undo: facet,
  yaml: facet,
  reach: facet,
  identity: facet,
  inactivity: facet,
  diff: facet,
});
export const kindList = listOf(kind);

export const aReader = fields<ZulipReader>({ snapshot: aFunction });
export const aWriter = fields<ZulipWriter>({
  codeOf: maybe(aFunction),
  send: aFunction,
  ready: maybe(aFunction),
  standApart: maybe(aFunction),
});

const LOAD: Checks<LoadOptions> = {
  file: aString,
  readFile: aFunction,
  listFiles: maybe(aFunction),
  lookAt: maybe(aFunction),
};
export const load = fields<LoadOptions>(LOAD);
export const loadWithKinds = fields<LoadOptions & { readonly kinds: readonly ResourceKind[] }>({
  ...LOAD,
  kinds: kindList,
});
export const loadWithReader = fields<LoadOptions & Pick<PlanOptions, "reader" | "kinds">>({
  ...LOAD,
  reader: aReader,
  kinds: maybe(kindList),
});

const GUARDS: Checks<GuardOptions> = {
  policyFile: maybe(aString),
  policies: maybe(objects),
  allow: maybe(strings),
  alsoKnown: maybe(strings),
};

export const planOptions = fields<PlanOptions>({
  ...LOAD,
  ...GUARDS,
  reader: aReader,
  kinds: maybe(kindList),
  targets: maybe(fields<Targets>({ only: strings, except: strings, needs: oneOf("refuse", "take") })),
  leavesUnread: maybe(aFlag),
  comparesOnly: maybe(aFlag),
});

export const undoGuardOptions = fields<UndoGuardOptions>({
  ...LOAD,
  ...GUARDS,
  named: aFlag,
  isForeign: maybe(aFlag),
  kinds: maybe(kindList),
});

export const adoptOptions = fields<AdoptOptions>({
  ...LOAD,
  snapshot: aSnapshot,
  kinds: kindList,
  policyFile: maybe(aString),
  choice: maybe(fields<NonNullable<AdoptOptions["choice"]>>({ addresses: strings, fields: maybe(strings) })),
});

const policies: ArgumentCheck<NonNullable<ExportOptions["policies"]>> = (value) => {
  const found = anObject(value);
  if (found !== undefined || typeof value !== "object" || value === null) return found;
  const check = oneOf("ignore", "additive", "exact");
  return fields<object>(Object.fromEntries(Object.keys(value).map((section) => [section, check])))(value);
};

export const exportOptions = fields<ExportOptions>({
  snapshot: aSnapshot,
  kinds: kindList,
  sections: maybe(strings),
  policies: maybe(policies),
  unset: maybe(aFlag),
  complete: maybe(aFlag),
  subscribers: maybe(aFlag),
  inactive: maybe(aFlag),
  foundBy: maybe(oneOf("init", "export")),
  pictures: maybe(aMap),
  explain: maybe(aFlag),
  split: maybe(oneOf("none", "kind", "folder")),
  schema: maybe(aString),
  file: maybe(aString),
});

const stop = fields<Stop>({ requested: aFlag, sendNoMore: maybe(aSignal), signal: aSignal });

export const earlierRunsOptions = fields<EarlierRunsOptions>({
  writer: maybe(aWriter),
  temporary: maybe(aString),
  plan: maybe(aPlan),
});

export const applyOptions = fields<ApplyPlanOptions>({
  reader: aReader,
  writer: aWriter,
  directory: aString,
  now: aFunction,
  temporary: maybe(aString),
  kinds: maybe(kindList),
  planAgain: maybe(aFunction),
  complete: maybe(aFunction),
  planWhole: maybe(aFunction),
  hold: maybe(aFunction),
  onAside: maybe(aFunction),
  confirmed: maybe(aFlag),
  readUpload: maybe(aFunction),
  onProgress: maybe(aFunction),
  stop: maybe(stop),
});

const planInputs = fields<PlanInputs>({
  file: aString,
  policy_file: maybe(aString),
  allow: strings,
  targets: maybe(anObject),
  files: listOf(fields<PlanInputs["files"][number]>({ path: aString, text: aString })),
  directories: listOf(fields<PlanInputs["directories"][number]>({ path: aString, names: strings })),
  uploads: maybe(objects),
  snapshot: aSnapshot,
});
export const planSource = fields<PlanSource>({
  inputs: planInputs,
  origin: fields<PlanOrigin>({ configuration: aString, snapshot: aString }),
});
export const planFile = fields<Pick<PlanFile, "signature" | "signedText">>({
  signature: maybe(fields<NonNullable<PlanFile["signature"]>>({ method: oneOf("hmac-sha256", "ssh"), value: aString })),
  signedText: aString,
});
export const savedPlan = fields<Pick<SavedPlan, "plan" | "inputs" | "planned">>({
  plan: aPlan,
  inputs: planInputs,
  planned: fields<Pick<Planned, "plan" | "hold">>({ plan: aPlan, hold: aFunction }),
});

export const undoNotes = listOf(
  fields<Pick<UndoNote, "kind" | "name" | "fact">>({ kind: aString, name: aString, fact: anObject }),
);

const example = fields<Example>({ file: aString, output: aString });
export const page = fields<Page>({ code: aString, means: aString, out: aString, example: maybe(example) });

export const style = fields<Style>({ colour: aFlag, width: aNumber, unicode: aFlag, advised: maybe(anObject) });

const SAID = { code: aString, severity: aString, at: maybe(anObject), notes: maybe(objects) };
type Said = Pick<SaidDiagnostic, "code" | "severity" | "at"> & { readonly notes?: readonly object[] };
const aSaidDiagnostic = fields<Said & { readonly message: string }>({ ...SAID, message: aString });
export const aDiagnostic = fields<Said & { readonly fact: object }>({ ...SAID, fact: anObject });
export const diagnostics = listOf<Diagnostic | SaidDiagnostic>((value) =>
  aSaidDiagnostic(value) === undefined ? undefined : aDiagnostic(value),
);
export const diagnosticsInput = fields<DiagnosticsInput>({
  diagnostics,
  sources: aMap,
  style,
  ending: maybe(orNull(aString)),
});
export const sarifInput = fields<SarifInput>({ diagnostics, version: aString, ruleOf: aFunction });

export const whyNotTaken = fields<NotTaken>({
  reasons: objects,
  order: strings,
  open: diagnostics,
  breaks: maybe(aDiagnostic),
});

export const aDrift = fields<Drift>({
  plan: aPlan,
  differences: changes,
  unmanaged: objects,
  uncompared: objects,
  exitCode: aNumber,
});
export const driftTextOptions = fields<DriftTextOptions>({
  style,
  all: maybe(aFlag),
  argument: maybe(aString),
  adoptWith: maybe(aString),
});
export const driftRules = fields<DriftRules>({
  held: aNumber,
  broken: aNumber,
  cannotBeHeld: maybe(aFlag),
  messages: strings,
});
export const planHtmlOptions = fields<PlanHtmlOptions>({
  applyWith: aString,
  all: maybe(aFlag),
  elsewhere: maybe(aString),
});
export const driftHtmlOptions = fields<DriftHtmlOptions>({ all: maybe(aFlag), elsewhere: maybe(aString) });
export const accessMatrixForm = fields<AccessMatrix>({
  rights: strings,
  rows: objects,
  countedAt: maybe(aString),
  reads: maybe(oneOf("plan", "drift")),
  leftOut: maybe(aNumber),
});

export const planMarkdownInput = fields<PlanMarkdownInput>({
  plan: aPlan,
  origin: fields<PlanMarkdownInput["origin"]>({ mine: changes, earlier: changes, adopted: changes }),
  notCompared: maybe(aString),
  notes: maybe(strings),
  budget: aNumber,
  elsewhere: aString,
  link: maybe(aFunction),
  all: maybe(aFlag),
  calls: maybe(aFlag),
  hidden: maybe(aNumber),
});
export const planTextOptions = fields<PlanTextOptions>({
  style,
  all: maybe(aFlag),
  applyWith: maybe(aString),
  calls: maybe(aFlag),
  who: maybe(aFunction),
  undoes: maybe(aFlag),
  done: maybe(aNumber),
  textOf: maybe(aFunction),
  cost: maybe(fields<NonNullable<PlanTextOptions["cost"]>>({ requests: aNumber, seconds: aNumber })),
});

const hide: Checks<Pick<RedactionOptions, "privateNames" | "invitations">> = {
  privateNames: aFlag,
  invitations: aFlag,
};
export const hideInFiles = fields(hide);
export const redactionOptions = fields<RedactionOptions>({ ...hide, people: aFlag, known: maybe(aSet) });
export const aRedaction = fields<Redaction>({
  name: aFunction,
  value: aFunction,
  pattern: aFunction,
  fieldSecrecy: aFunction,
  isPublic: aFunction,
  people: aFlag,
  size: aNumber,
});
export const knownOfNames = fields<KnownOfNames>({ realm: maybe(listOf(aRedaction)), addresses: maybe(aMap) });

export const aResult = fields<ApplyResult>({
  plan: aPlan,
  outcome: aString,
  exitCode: aNumber,
  calls: objects,
  conflicts: objects,
  remaining: orNull(changes),
  came_back: maybe(objects),
  journal: orNull(aString),
  elapsedMs: aNumber,
  diagnostics,
});
export const resultTextOptions = fields<ResultTextOptions>({
  style,
  all: maybe(aFlag),
  argument: maybe(aString),
  adoptWith: maybe(aString),
  undoWith: maybe(aString),
  goOnWith: maybe(aString),
  wholeArgument: maybe(aString),
  matches: maybe(oneOf("file", "plan")),
  undoes: maybe(aString),
});

export const accessQuestion = fields<AccessQuestion>({
  question: maybe(aString),
  as: maybe(aString),
  groups: maybe(strings),
  rights: maybe(strings),
  format: maybe(oneOf("text", "json", "csv", "html")),
  style: maybe(style),
  all: maybe(aFlag),
});
export const plannedAccess = fields<PlannedAccess>({
  from: oneOf("plan"),
  file: aString,
  plan: aPlan,
  snapshot: aSnapshot,
});
const live = fields<{ readonly snapshot: Snapshot }>({ snapshot: aSnapshot });
const onFile = fields<{ readonly config: LoadOptions }>({ config: load });
export const accessBasis = variants<AccessBasis>("from", oneOf("server", "snapshot", "file", "plan"), {
  server: live,
  snapshot: live,
  file: onFile,
  plan: plannedAccess,
});
export const against = variants<Against>("what", oneOf("file", "plan", "reading"), {
  file: onFile,
  plan: fields<{ readonly config: LoadOptions; readonly reader: ZulipReader }>({ config: load, reader: aReader }),
  reading: fields<{ readonly reader: ZulipReader; readonly invitations?: LoadOptions }>({
    reader: aReader,
    invitations: maybe(load),
  }),
});

export const watchPorts = fields<WatchPorts>({
  open: aFunction,
  read: aFunction,
  started: aFunction,
  changed: aFunction,
  hindered: aFunction,
  recovered: aFunction,
  sleep: aFunction,
  random: aFunction,
  signal: aSignal,
});

const aClock = fields<Clock>({ now: aFunction, sleep: aFunction, alarm: aFunction, random: aFunction });
const aSecret: ArgumentCheck<Secret> = (value) =>
  anObject(value) === undefined && aFunction(Reflect.get(Object(value), "reveal")) === undefined
    ? undefined
    : wrong(value, "Secret");
export const clientOptions = fields<ClientOptions>({
  site: aString,
  email: aString,
  key: aSecret,
  origin: maybe(
    fields<NonNullable<ClientOptions["origin"]>>({ email: aString, key: aString, certBundle: maybe(aString) }),
  ),
  transport: aFunction,
  clock: aClock,
  version: aString,
  rateRules: maybe(
    listOf(fields<NonNullable<ClientOptions["rateRules"]>[number]>({ limit: aNumber, windowMs: aNumber })),
  ),
  timeoutMs: maybe(aNumber),
  trace: maybe(aFunction),
  onWaiting: maybe(aFunction),
  deadline: maybe(fields<NonNullable<ClientOptions["deadline"]>>({ limitMs: aNumber, signal: aSignal })),
  onLink: maybe(aFunction),
});
export const networkOptions = fields<NetworkOptions>({
  certBundle: maybe(aString),
  clientCert: maybe(aString),
  clientCertKey: maybe(aString),
  insecure: maybe(aFlag),
  proxy: maybe(fields<NonNullable<NetworkOptions["proxy"]>>({ url: aString, except: aString })),
  timeoutMs: maybe(aNumber),
  connectTimeoutMs: maybe(aNumber),
  headersTimeoutMs: maybe(aNumber),
  bodyTimeoutMs: maybe(aNumber),
  maxResponseBytes: maybe(aNumber),
});
export const credentialSource = fields<CredentialSource>({
  env: anObject,
  readFile: aFunction,
  rightsOf: maybe(aFunction),
});
export const credentialFlags = fields<CredentialFlags>({
  site: maybe(aString),
  email: maybe(aString),
  key: maybe(aString),
  zuliprc: maybe(aString),
  certBundle: maybe(aString),
  insecure: maybe(aFlag),
  typed: maybe(strings),
  organization: maybe(
    fields<NonNullable<CredentialFlags["organization"]>>({ name: aString, realm: aFunction, isOneOfMany: aFlag }),
  ),
});

export const sandboxOptions = fields<SandboxOptions>({
  from: anObject,
  featureLevel: maybe(aNumber),
  clock: maybe(fields<NonNullable<SandboxOptions["clock"]>>({ now: aFunction, sleep: aFunction })),
  rateLimits: maybe(objects),
  seed: maybe(aString),
  postWebhook: maybe(aFunction),
  inviteLimits: maybe(anObject),
  interceptors: maybe(objects),
});
export const aSandbox = fields<Pick<Sandbox, "fetch" | "setUrl">>({ fetch: aFunction, setUrl: aFunction });
