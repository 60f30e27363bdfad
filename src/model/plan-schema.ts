import * as z from "zod";
import { type Covered, UnseenForm } from "./coverage.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { GuardFact, NamedForm, RiskFact, Span } from "./fact-forms.ts";
import { Address, type Alternatives, type Immutable, json, mark, maybe, written } from "./form.ts";
import { PLAN_VERSION } from "./own-format.ts";
import { Rehearsal } from "./rehearsal.ts";
import { Snapshot } from "./snapshot.ts";

/**
 * The objects that a plan is limited to, as somebody named them: a section (`channels`), or a kind and a name with wildcards
 * (`channel:team-*`).
 */
const TargetsForm = z
  .strictObject({
    only: z.array(z.string()).readonly().describe("Nothing but these; empty: everything."),
    except: z.array(z.string()).readonly().describe("Not these."),
    needs: z
      .enum(["refuse", "take"])
      .describe("What happens to other changes that these need: an error names them, or they are planned too."),
  })
  .describe("The part of the file that the plan was limited to.");
export type Targets = Readonly<z.infer<typeof TargetsForm>>;

const PatternForm = z.strictObject({ pattern: z.string() });

/** What a partial plan says about itself. */
export const PlanPartForm = z
  .strictObject({
    only: z.array(PatternForm).readonly(),
    except: z.array(PatternForm).readonly(),
    taken_along: z
      .array(z.strictObject({ object: NamedForm, for: NamedForm }))
      .readonly()
      .describe("Objects that were not named, each with one that needs it."),
    left_out: z
      .array(z.strictObject({ section: z.string(), changes: z.int() }))
      .readonly()
      .describe("How many changes of the file are not in this plan."),
  })
  .describe("Present only if the plan was limited with `--only` or `--except`.");
export type PlanPart = Readonly<z.infer<typeof PlanPartForm>>;

// A plan as data, its types and its form. Most code imports the types from plan.ts: only saved plans and journals are checked with the schemas.

/** The promise of an id: that of an object that the same plan creates. Allowed wherever an id is allowed in `path` or `params`. */
export type IdOf = Immutable<z.infer<typeof IdOf>>;
const IdOf = z.strictObject({ idOf: Address }).describe("The id of an object that this plan creates.");
const Id = z.union([z.string(), z.number(), IdOf]);
/** A moment (ISO 8601, UTC) that the server expects as minutes from the time of the call. */
export type MinutesUntil = Readonly<{ minutesUntil: string }>;
/** What a call sends: JSON with {@link IdOf} instead of ids, and {@link MinutesUntil} instead of numbers. */
export type Param =
  | string
  | number
  | boolean
  | null
  | IdOf
  | MinutesUntil
  | readonly Param[]
  | { readonly [key: string]: Param };

const head = {
  code: z.string().regex(/\//),
  severity: z.enum(["error", "warning"]),
  at: Span.optional(),
  unquotable: z.literal(true).optional(),
};
/** An error or a warning in words, as every output has it. */
export const DiagnosticForm = z.strictObject({
  ...head,
  message: z.string(),
  hint: z.string().optional(),
  footnotes: z.array(z.string()).optional(),
  notes: z.array(z.strictObject({ at: Span, message: z.string() })).optional(),
});
/** A diagnostic in a saved plan: a code and its facts. */
const FactForm = z.strictObject({
  ...head,
  fact: z.record(z.string(), z.json()),
  unresolved: z.record(z.string(), z.json()).optional(),
  isOfObject: z.literal(true).optional(),
  mayBeRenamed: z.literal(true).optional(),
  notes: z.array(z.strictObject({ at: Span, note: z.union([z.string(), z.record(z.string(), z.json())]) })).optional(),
});

// By their names: the package's declarations would repeat every fact wherever a form has one.
const AnyRiskFact: z.ZodType<RiskFact> = RiskFact;
const AnyGuardFact: z.ZodType<GuardFact> = GuardFact;

/** A risk, which a reviewer must see before anything else. */
export type Risk = Immutable<z.infer<typeof Risk>>;
const Risk = z.strictObject({
  kind: z.enum(["widens", "narrows", "removes", "irreversible", "noisy", "lockout"]),
  /** The data of the report's sentence, such as "#incidents becomes readable by 31 more people". */
  fact: AnyRiskFact,
  address: Address,
  at: Span.exactOptional(),
});

/** Marks two different values that look the same after redaction. */
export const Hidden = mark(
  "The values differ only in what is not shown here: a rename with both names hidden, for example.",
);

/** One field that differs. Values are canonical: names, words and sorted sets as a person would write them, never ids. */
export type FieldChange = Immutable<z.infer<typeof FieldChange>>;
const FieldChange = z.strictObject({
  field: z.string(),
  /** null also stands for "did not exist" in a create. */
  before: json(),
  after: json(),
  /** The place in the file that asks for the value; absent for a removal under `exact`. */
  at: Span.exactOptional(),
  unset: mark("The file does not name the field: `after` is the server's default (`unset: default`)."),
  keeps_messages: mark("With `before` the server deletes messages that it keeps with `after`."),
  renamed: maybe(
    z.record(z.string(), z.string()),
    "Texts of `after` by the texts that they replace in `before`: people who chose an option keep it.",
  ),
  implied: mark("The file does not name the field: the server gives `after` to the account that makes the object."),
  hidden: Hidden,
});

/** The common fields of all changes. */
export const AnyChange = {
  kind: z.string(),
  address: Address,
  /** The object's name as the file has it after the change. */
  name: z.string(),
  fields: z.array(FieldChange),
  at: Span.exactOptional().describe("What in the file asked for it: the item, or the entry of `manage:`."),
  risks: z.array(Risk),
};
/** The optional fields of changes. */
export const SomeChanges = {
  was: z.string().exactOptional().describe("Its name before, when it is renamed."),
  id: z.int().exactOptional().describe("The server's id; absent for kinds without ids."),
  undeclared: mark("The file does not mention the object: removed under `exact`."),
  singleton: mark("There is always exactly one object of this kind."),
};

/** The form of a change, with this form of its risks. */
const changeWith = <R extends z.ZodType>(risks: R) => {
  const any = { ...AnyChange, risks };
  const { was, id, undeclared, singleton } = SomeChanges;
  return z
    .discriminatedUnion("action", [
      z.strictObject({ action: z.literal("create"), ...any }),
      // It may be reactivated by its new values, or deactivated together with them.
      z.strictObject({ action: z.literal("update"), ...any, was, id, singleton }),
      // It is deleted, or only becomes inactive.
      z.strictObject({ action: z.literal("remove"), ...any, id, undeclared }),
      z.strictObject({ action: z.literal("reorder"), ...any }),
    ])
    .describe(
      "What a person approves: one object that is created, changed or removed, or one section that is reordered.",
    );
};
export const Change = changeWith(AnyChange.risks);

/** How somebody changed access; `both`: some people have more, others less. */
export type Drifted = z.infer<typeof DriftedForm>;
export const DriftedForm = z.enum(["widens", "narrows", "both", "same"]);

/** What a message of the server says about one field. */
export type ChangedBy = Immutable<z.infer<typeof ChangedByForm>>;
export const ChangedByForm = z.strictObject({
  field: z.string(),
  user_id: z.int(),
  full_name: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
});

/** What only the plan of a drift has (`comparesOnly`), and no saved one. */
export interface OfDrift {
  /** What was done to access. */
  readonly drifted?: Drifted;
  /** Of an object that was not found: the account does not see all of its kind, so it may be there. */
  readonly may_be_unseen?: true;
  /** If it was asked: who changed it last, as messages of the server say. A hint, and never a proof. */
  readonly changed_by?: readonly ChangedBy[];
}

/** What a person approves: one object that is created, changed or removed, or one section reordered. */
export type Change = Immutable<Alternatives<z.infer<typeof Change>>> & OfDrift;
export type Creation = Extract<Change, { readonly action: "create" }>;
export type Update = Extract<Change, { readonly action: "update" }>;
export type Removal = Extract<Change, { readonly action: "remove" }>;
export type Reorder = Extract<Change, { readonly action: "reorder" }>;
export type ObjectChange = Creation | Update | Removal;

/** The number of fields on the server, and the number of those for which a plan says whether they match the file. */
export type Watched = Immutable<z.infer<typeof Watched>>;
const Watched = z.strictObject({ watched: z.int(), all: z.int() });
/** How much of the organization a plan watches: fields of active objects, counted for each object. */
export type Watch = Immutable<z.infer<typeof WatchForm>>;
export const WatchForm = z
  .strictObject({ permissions: Watched, others: Watched })
  .describe(
    "Of the fields of objects in use, how many are checked against the file; permissions are counted separately.",
  );

/** The part of a change that a call carries out. */
export type Purpose = Immutable<z.infer<typeof Purpose>>;
export const Purpose = z.strictObject({ address: Address, fields: z.array(z.string()) });

/** A value that the server must still have right before the call is sent; otherwise the call is a conflict. */
export type Expectation = Immutable<z.infer<typeof Expectation>>;
const Expectation = z.strictObject({
  address: Address,
  /** Finds the object even if it was renamed in the meantime. */
  id: z.int().exactOptional(),
  /** A field of the live object, or `exists` (`value` true or false). */
  field: z.string(),
  value: json(),
});

const param = (): z.ZodType<Param> => json();
/** What the server receives: one request. `apply` sends these in order and decides nothing. */
export type Call = Immutable<z.infer<typeof Call>>;
const Call = z
  .strictObject({
    n: z.int().min(1),
    operation: z.string(),
    path: z.record(z.string(), Id),
    params: z.record(z.string(), param()),
    for: z.array(Purpose),
    expects: z.array(Expectation),
    after: z.array(z.int()).describe("Calls that must have been applied before this one is sent."),
    /** The objects that this call creates. */
    creates: z.array(Address),
  })
  .describe("What the server receives: one request.");

/** A limit that was checked, violated or not. */
export type Guard = Immutable<z.infer<typeof GuardForm>>;
const GuardForm = z.strictObject({
  name: z.string(),
  /** The data of the report's sentence, such as "removals 1 of 5" or "protected: #general untouched". */
  fact: AnyGuardFact,
  violated: z.boolean(),
  at: Span.exactOptional().describe("The place in the file that exceeds it."),
  rule: Span.exactOptional().describe("Where the limit or the protection is written; absent for a default."),
});

export type Unmanaged = Immutable<z.infer<typeof UnmanagedForm>>;
const UnmanagedForm = z.strictObject({
  section: z.string(),
  /** `except`: `manage` leaves these objects out, whatever the policy of the section is. */
  policy: z.enum(["ignore", "additive", "exact", "absent", "except"]),
  /** Names of live objects that the file does not mention; of a singleton, its fields. */
  names: z.array(z.string()),
  private: z.int().exactOptional().describe("How many of those that `except` leaves out are private."),
});

/** Side effects that people will notice. */
export type SideEffects = Immutable<z.infer<typeof SideEffectsForm>>;
const SideEffectsForm = z.strictObject({
  /** The number of e-mails that the server sends. */
  emails: z.int(),
  /** Channels in which the server posts a notice. */
  notices_in: z.array(z.string()),
  direct_messages: z
    .int()
    .positive()
    .exactOptional()
    .describe("Messages of the server to people who join or leave a group or channel; absent: none."),
});

const ExtraForm = z.strictObject({
  /** Kind → names in the server's order before the plan, if order has a meaning and objects can disappear from it. */
  order: z.record(z.string(), z.array(z.string())).exactOptional(),
  watch: WatchForm.exactOptional(),
  newer: z.array(z.string()).exactOptional().describe("Settings of the server that this version does not know."),
  unseen: UnseenForm.exactOptional(),
  /** Parts that the reading had in addition to the usual ones. */
  reads: z.record(z.string(), z.boolean()).exactOptional(),
  /** Hashes of the plan's inputs. */
  origin: z.record(z.string(), z.string()).exactOptional(),
  /** Absent if there was no rehearsal. */
  rehearsal: Rehearsal.exactOptional(),
  /** The objects that were left out, and why; absent for a whole plan. */
  partial: PlanPartForm.exactOptional(),
  /** The checksum of a saved plan. */
  checksum: z.string().exactOptional(),
  /** Whether names were replaced for other readers: such a plan cannot be carried out. */
  redacted: z.literal(true).exactOptional(),
});
/** Additional facts about a plan. */
export interface PlanExtra extends Immutable<z.infer<typeof ExtraForm>> {
  /** Of a drift that was asked for it: every field, and whether it is compared. Never in a saved plan. */
  readonly coverage?: readonly Covered[];
}

/** A plan as saved plans and journals hold it: facts, no sentences. */
export const PlanForm = z.strictObject({
  format: z.literal("realmctl.plan"),
  version: z.literal(PLAN_VERSION),
  tool_version: z.string(),
  snapshot_taken_at: z.string().describe("ISO 8601, UTC."),
  realm: z.strictObject({ url: z.string(), name: z.string(), sandbox_of: z.string().exactOptional() }),
  server: z.strictObject({ zulip_version: z.string(), feature_level: z.int() }),
  account: z.strictObject({
    email: z.string(),
    full_name: z.string(),
    role: z.int(),
    unknown_role: maybe(z.int(), "A role that this version does not know; `role` is what it counts as."),
    is_bot: z.boolean(),
  }),
  changes: z.array(Change),
  calls: z.array(Call),
  least_calls: z.int().describe("These changes need at least this number of requests."),
  matches: z.record(z.string(), z.int()).describe("Section → how many declared objects already are as declared."),
  unmanaged: z.array(UnmanagedForm),
  guards: z.array(GuardForm),
  warnings: z.array(written<Diagnostic>(z.union([DiagnosticForm, FactForm]))),
  side_effects: SideEffectsForm,
  extra: ExtraForm.exactOptional(),
});
/** Changes and the calls that make them. Plain data, so a saved plan is exactly the plan that is applied later. */
export interface Plan extends Omit<Immutable<z.infer<typeof PlanForm>>, "changes" | "warnings" | "extra"> {
  readonly changes: readonly Change[];
  readonly warnings: readonly Diagnostic[];
  readonly extra?: PlanExtra;
}

/** A file that the configuration names: everything that a plan has of it. Its bytes are read again when they are sent. */
export type RepositoryFile = Immutable<z.infer<typeof Upload>>;
const Upload = z.strictObject({
  /** In the same form as that of `realm.yaml`: relative to the working directory, or absolute. */
  path: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size_bytes: z.int(),
  /** The facts in its first bytes; null: not a picture of a format that servers accept. */
  image: z
    .strictObject({
      format: z.enum(["png", "jpeg", "gif", "webp"]),
      /** The size in pixels; for a picture with several frames, that of one frame. */
      width: z.int(),
      height: z.int(),
      /** Whether it has more than one frame. */
      animated: z.boolean(),
      /** Whether the file ends before its stated end, or before the end that its format requires. */
      cut_off: z.boolean(),
    })
    .nullable(),
  /** Whether the file contains only a pointer of Git LFS. */
  lfs_pointer: z.boolean(),
});

const NamedTexts = z.array(z.strictObject({ name: z.string(), text: z.string() }));

/** `--set`, `--values` and the environment, as a plan used them. */
export type KeptValues = Immutable<z.infer<typeof Outside>>;
const Outside = z.strictObject({
  set: NamedTexts.exactOptional(),
  files: z.array(z.string()).exactOptional(),
  environment: NamedTexts.exactOptional(),
});

/** All inputs of planning. The changes and the calls are worked out from them again wherever the saved plan is used. */
export interface PlanInputs extends Omit<Immutable<z.infer<typeof Inputs>>, "snapshot"> {
  readonly snapshot: Snapshot;
}
const Inputs = z
  .strictObject({
    file: z.string().describe("The configuration as the command line named it."),
    policy_file: z.string().exactOptional(),
    /** The guards of `--allow`. */
    allow: z.array(z.string()),
    /** Absent for a whole plan. */
    targets: TargetsForm.exactOptional(),
    /** Every file that was read, in the order of reading. */
    files: z.array(z.strictObject({ path: z.string(), text: z.string() })),
    /** Every directory that an include pattern was searched in. */
    directories: z.array(z.strictObject({ path: z.string(), names: z.array(z.string()) })),
    uploads: maybe(
      z.array(Upload),
      "Files that entries name (pictures): what is known of each. Its bytes are read again when they are sent.",
    ),
    places: maybe(
      z.array(z.strictObject({ directory: z.string(), place: z.string() })),
      "Where the directory of a file is in its repository, if an include leads out of it.",
    ),
    outside: Outside.exactOptional().describe(
      "Values of variables from `--set`, `--values` and the environment; of that, only those that were used.",
    ),
    snapshot: Snapshot,
  })
  .describe("Everything that planning looked at. Every command that uses the file works out the plan again from it.");

/** Proves that somebody who has a key saved this plan. */
export type PlanSignature = Immutable<z.infer<typeof Signature>>;
const Signature = z
  .strictObject({ method: z.enum(["hmac-sha256", "ssh"]), value: z.string() })
  .describe("Of the whole file, without this member and the checksum, as canonical JSON.");

/** The form of the file that `plan --out` writes. */
export const PlanFileForm = PlanForm.extend({ inputs: Inputs, signature: Signature.exactOptional() });

const message = z.string().describe("The fact as a sentence.");
const SaidRisk = Risk.extend({ message });
/** A change in outputs for programs: each risk with its sentence. */
export const SaidRisks = z.array(SaidRisk);
export const SaidChange = changeWith(SaidRisks);
export const SaidGuardForm = GuardForm.extend({ message });

/**
 * The form from which the JSON Schema in schemas/ is made. The members that only the file has are optional, and so are the sentences, which only
 * `--format json` has. Only that reads it, so its type, which would be a tenth of the package's declarations, is left out.
 */
export const AnyPlanForm: z.ZodType = PlanFileForm.partial({ inputs: true }).extend({
  changes: z.array(changeWith(z.array(SaidRisk.partial({ message: true })))),
  guards: z.array(SaidGuardForm.partial({ message: true })),
});
