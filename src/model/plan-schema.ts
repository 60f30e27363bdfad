import * as z from "zod";
import { GuardFact, RiskFact, Span } from "./fact-forms.ts";
import { PLAN_VERSION } from "./plan.ts";
import { Rehearsal } from "./rehearsal-form.ts";
import { Snapshot } from "./snapshot.ts";
import { PlanPartForm, TargetsForm } from "./target-forms.ts";
import { UNSEEN } from "./unseen.ts";

/**
 * The schema of a saved plan, for programs that read one:
 * {@link import("./plan.ts").Plan} as JSON. A test holds example plans against it.
 */
export { Span };
export const Address = z
  .string()
  .regex(/^[a-z_]+:/)
  .describe("Kind and name of an object: `channel:announce`.");
const IdOf = z.strictObject({ idOf: Address }).describe("The id of an object that this plan creates.");
const Id = z.union([z.string(), z.number(), IdOf]);

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
/** A diagnostic in a saved plan: a code and its facts. Planning again produces the same facts, so their form needs no check. */
const FactForm = z.strictObject({
  ...head,
  fact: z.record(z.string(), z.json()),
  unresolved: z.record(z.string(), z.json()).optional(),
  isOfObject: z.literal(true).optional(),
  mayBeRenamed: z.literal(true).optional(),
  notes: z.array(z.strictObject({ at: Span, note: z.string() })).optional(),
});
const StoredDiagnosticForm = z.union([DiagnosticForm, FactForm]);

const Risk = z.strictObject({
  kind: z.enum(["widens", "narrows", "removes", "irreversible", "noisy", "lockout"]),
  fact: RiskFact,
  address: Address,
  at: Span.optional(),
});

/** Marks two different values that look the same after redaction. */
/** The same in a plan and in a drift. */
export const UnseenForm = z
  .array(
    z.strictObject({
      what: z.enum(UNSEEN).exactOptional().describe("Absent for what names something of the file that is not seen."),
      section: z.string(),
      names: z
        .array(z.strictObject({ quoted: z.string(), of: z.string().exactOptional() }))
        .describe("What the file has of it: objects, addresses, or fields of settings."),
    }),
  )
  .describe(
    "What the account that reads does not see, so that it is neither compared nor created; absent if it sees all that the file has.",
  );

export const Hidden = z
  .literal(true)
  .optional()
  .describe("The values differ only in what is not shown here: a rename with both names hidden, for example.");

/** The common fields of all changes. */
export const AnyChange = {
  kind: z.string(),
  address: Address,
  name: z.string(),
  fields: z.array(
    z.strictObject({
      field: z.string(),
      before: z.json(),
      after: z.json(),
      at: Span.optional(),
      unset: z
        .literal(true)
        .optional()
        .describe("The file does not name the field: `after` is the server's default (`unset: default`)."),
      keeps_messages: z
        .literal(true)
        .optional()
        .describe("With `before` the server deletes messages that it keeps with `after`."),
      renamed: z
        .record(z.string(), z.string())
        .optional()
        .describe("Texts of `after` by the texts that they replace in `before`: people who chose an option keep it."),
      implied: z
        .literal(true)
        .optional()
        .describe("The file does not name the field: the server gives `after` to the account that makes the object."),
      hidden: Hidden,
    }),
  ),
  at: Span.optional().describe("What in the file asked for it: the item, or the entry of `manage:`."),
  risks: z.array(Risk),
};
/** The optional fields of changes. */
export const SomeChanges = {
  was: z.string().optional().describe("Its name before, when it is renamed."),
  id: z.int().optional().describe("The server's id; absent for kinds without ids."),
  undeclared: z.literal(true).optional().describe("The file does not mention the object: removed under `exact`."),
  singleton: z.literal(true).optional().describe("There is always exactly one object of this kind."),
};

/** The form of a change, with this form of its risks. */
const changeWith = <R extends z.ZodType>(risks: R) => {
  const any = { ...AnyChange, risks };
  const { was, id, undeclared, singleton } = SomeChanges;
  return z
    .discriminatedUnion("action", [
      z.strictObject({ action: z.literal("create"), ...any }),
      z.strictObject({ action: z.literal("update"), ...any, was, id, singleton }),
      z.strictObject({ action: z.literal("remove"), ...any, id, undeclared }),
      z.strictObject({ action: z.literal("reorder"), ...any }),
    ])
    .describe(
      "What a person approves: one object that is created, changed or removed, or one section that is reordered.",
    );
};
export const Change = changeWith(AnyChange.risks);

const Watched = z.strictObject({ watched: z.int(), all: z.int() });
/** How much of the organization the plan watches. */
export const WatchForm = z
  .strictObject({ permissions: Watched, others: Watched })
  .describe(
    "Of the fields of objects in use, how many are checked against the file; permissions are counted separately.",
  );

const Call = z
  .strictObject({
    n: z.int().min(1),
    operation: z.string(),
    path: z.record(z.string(), Id),
    params: z.record(z.string(), z.json()),
    for: z.array(z.strictObject({ address: Address, fields: z.array(z.string()) })),
    expects: z.array(z.strictObject({ address: Address, id: z.int().optional(), field: z.string(), value: z.json() })),
    after: z.array(z.int()).describe("Calls that must have been applied before this one is sent."),
    creates: z.array(Address),
  })
  .describe("What the server receives: one request.");

/** A limit that was checked, violated or not. */
const GuardForm = z.strictObject({
  name: z.string(),
  fact: GuardFact,
  violated: z.boolean(),
  at: Span.optional().describe("The place in the file that exceeds it."),
  rule: Span.optional().describe("Where the limit or the protection is written; absent for a default."),
});

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
    unknown_role: z.int().optional().describe("A role that this version does not know; `role` is what it counts as."),
    is_bot: z.boolean(),
  }),
  changes: z.array(Change),
  calls: z.array(Call),
  least_calls: z.int().describe("These changes need at least this number of requests."),
  matches: z.record(z.string(), z.int()).describe("Section → how many declared objects already are as declared."),
  unmanaged: z.array(
    z.strictObject({
      section: z.string(),
      policy: z.enum(["ignore", "additive", "exact", "absent", "except"]),
      names: z.array(z.string()),
      private: z.int().optional().describe("How many of those that `except` leaves out are private."),
    }),
  ),
  guards: z.array(GuardForm),
  warnings: z.array(StoredDiagnosticForm),
  side_effects: z.strictObject({
    emails: z.int(),
    notices_in: z.array(z.string()),
    direct_messages: z
      .int()
      .positive()
      .exactOptional()
      .describe("Messages of the server to people who join or leave a group or channel; absent: none."),
  }),
  extra: z
    .strictObject({
      order: z.record(z.string(), z.array(z.string())).optional(),
      watch: WatchForm.optional(),
      newer: z.array(z.string()).exactOptional().describe("Settings of the server that this version does not know."),
      unseen: UnseenForm.exactOptional(),
      reads: z.record(z.string(), z.boolean()).optional(),
      origin: z.record(z.string(), z.string()).optional(),
      rehearsal: Rehearsal.optional(),
      partial: PlanPartForm.exactOptional(),
      checksum: z.string().optional(),
      redacted: z.literal(true).exactOptional(),
    })
    .optional(),
});

const Upload = z.strictObject({
  path: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size_bytes: z.int(),
  image: z
    .strictObject({
      format: z.enum(["png", "jpeg", "gif", "webp"]),
      width: z.int(),
      height: z.int(),
      animated: z.boolean(),
      cut_off: z.boolean(),
    })
    .nullable(),
  lfs_pointer: z.boolean(),
});

const NamedTexts = z.array(z.strictObject({ name: z.string(), text: z.string() }));

const Inputs = z
  .strictObject({
    file: z.string().describe("The configuration as the command line named it."),
    policy_file: z.string().optional(),
    allow: z.array(z.string()),
    targets: TargetsForm.optional(),
    files: z.array(z.strictObject({ path: z.string(), text: z.string() })),
    directories: z.array(z.strictObject({ path: z.string(), names: z.array(z.string()) })),
    uploads: z
      .array(Upload)
      .optional()
      .describe(
        "Files that entries name (pictures): what is known of each. Its bytes are read again when they are sent.",
      ),
    places: z
      .array(z.strictObject({ directory: z.string(), place: z.string() }))
      .optional()
      .describe("Where the directory of a file is in its repository, if an include leads out of it."),
    outside: z
      .strictObject({
        set: NamedTexts.optional(),
        files: z.array(z.string()).optional(),
        environment: NamedTexts.optional(),
      })
      .optional()
      .describe(
        "Values of variables from `--set`, `--values` and the environment; of that, only those that were used.",
      ),
    snapshot: Snapshot,
  })
  .describe("Everything that planning looked at. Every command that uses the file works out the plan again from it.");

const Signature = z
  .strictObject({ method: z.enum(["hmac-sha256", "ssh"]), value: z.string() })
  .describe("Of the whole file, without this member and the checksum, as canonical JSON.");

/** The form of the file that `plan --out` writes. */
export const PlanFileForm = PlanForm.extend({ inputs: Inputs, signature: Signature.optional() });

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
