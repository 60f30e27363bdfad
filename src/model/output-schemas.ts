import * as z from "zod";
import { Covered } from "./coverage.ts";
import { NamedForm } from "./fact-forms.ts";
import { JOURNAL_VERSION } from "./journal.ts";
import { OrganizationForm } from "./organizations.ts";
import {
  Address,
  AnyChange,
  DiagnosticForm,
  Hidden,
  SaidChange,
  SaidGuardForm,
  SaidRisks,
  SomeChanges,
  Span,
  UnseenForm,
  WatchForm,
} from "./plan-schema.ts";
import { PlanPartForm } from "./target-forms.ts";

/** The forms of the outputs of `--format json`, and of the journal. Tests check real outputs against them. */

const ExitCode = z.int().min(0).max(8).describe("The exit code of the command (docs/reference/exit-codes.md).");
const SandboxOf = z
  .string()
  .optional()
  .describe("Of a sandbox that was made from a snapshot: URL of the organization; nothing was sent to it.");
const Purpose = z.strictObject({ address: Address, fields: z.array(z.string()) });
const CallStateForm = z.enum(["done", "already-so", "conflict", "failed", "skipped", "not-attempted"]);

const CallResultForm = z.strictObject({
  n: z.int().min(1).describe("Number of the call in the plan."),
  operation: z.string().describe("The request: an operation of `realmctl api`."),
  objects: z
    .array(
      z.strictObject({
        address: Address,
        action: z.enum(["create", "update", "remove", "reorder"]).optional(),
        fields: z.array(z.strictObject({ field: z.string(), before: z.json(), after: z.json(), hidden: Hidden })),
      }),
    )
    .describe("What the call changes, or would have changed."),
  state: CallStateForm,
  duration_ms: z
    .number()
    .optional()
    .describe("From its first request to its result, including readings in between; absent if nothing was sent."),
  message: z.string().optional(),
  server_said: z.string().optional().describe("The server's words, if it refused."),
  code: z.string().optional().describe("The server's code of a refusal, or `unknown` when no answer came."),
  because: z.int().optional().describe("`skipped`: the call that this one needs, and that was not carried out."),
  applied_parts: z.array(Purpose).optional().describe("The parts of the call that the organization has nevertheless."),
});

const ConflictForm = z
  .strictObject({
    address: Address,
    kind: z.string(),
    name: z.string(),
    field: z.string(),
    planned: z.json().describe("The value that the plan was made from."),
    found: z.json().describe("The value that the organization has now."),
    wanted: z.json().optional().describe("The value that the plan would set."),
    calls: z.array(z.int()).describe("The calls that it stops."),
    hidden: Hidden,
  })
  .describe("One field seen three ways.");

const TallyForm = z
  .strictObject({
    changes: z.int().describe("Objects that change, and sections that are reordered."),
    create: z.int(),
    update: z.int().describe("Get other values. An object that is also archived or deactivated is in `remove` too."),
    rename: z.int().describe("Of `update`."),
    remove: z.int().describe("Deleted, archived or deactivated."),
    update_and_remove: z.int().describe("In both numbers."),
    reorder: z.int().describe("Sections that are reordered."),
  })
  .describe("The same count as in the text, the guard rails and every other format.");

const TotalsForm = z
  .strictObject({
    calls: z.int(),
    done: z.int(),
    already_so: z.int(),
    conflict: z.int(),
    failed: z.int(),
    skipped: z.int(),
    not_attempted: z.int(),
  })
  .describe("Calls by their result.");

/** `realmctl apply --format json`. */
export const ResultForm = z.strictObject({
  format: z.literal("realmctl.result"),
  version: z.literal(3),
  realm: z.string().describe("URL of the organization."),
  sandbox_of: SandboxOf,
  outcome: z.enum([
    "applied",
    "nothing-to-do",
    "conflict",
    "in-part",
    "differs",
    "stopped",
    "declined",
    "not-allowed",
    "unreachable",
  ]),
  calls: z.array(CallResultForm),
  conflicts: z.array(ConflictForm),
  remaining: z
    .array(SaidChange)
    .nullable()
    .describe("What planning again still finds; null if the organization was not read again."),
  came_back: z
    .array(NamedForm)
    .optional()
    .describe(
      "Accounts that were reactivated and were again in groups, permissions or channels that the file gives without them. The run removed them there; if not, `remaining` does.",
    ),
  journal: z.string().nullable().describe("Path of the journal; null if there was nothing to send."),
  diagnostics: z.array(DiagnosticForm).describe("Errors of the run that belong to no call."),
  totals: TotalsForm,
  summary: z.strictObject({
    planned: TallyForm,
    done: TallyForm.describe("Changes of which every call was carried out, or was not needed."),
  }),
  elapsed_ms: z.number(),
  exit_code: ExitCode,
});

const event = {
  format: z.literal("realmctl.apply-event"),
  version: z.literal(2),
  at: z.string().describe("ISO 8601, UTC."),
  organization: z
    .strictObject({ file: z.string(), realm: z.string().nullable() })
    .optional()
    .describe("The organization of the line, if the command is given several files."),
};
const { organization: _organization, ...eventOfAll } = event;
const { format: _format, version: _version, ...resultFields } = ResultForm.shape;

/** One line of `realmctl apply --format jsonl`. */
export const ApplyEventForm = z
  .discriminatedUnion("event", [
    z.strictObject({
      ...event,
      event: z.literal("start"),
      realm: z.string().describe("URL of the organization."),
      calls: z.int(),
      summary: TallyForm.describe("What the plan changes."),
      estimated_seconds: z.number().describe("At the server's pace."),
    }),
    z.strictObject({ ...event, event: z.literal("sending"), n: z.int(), operation: z.string() }),
    z.strictObject({
      ...event,
      event: z.literal("call"),
      settled: z.int().describe("Calls with a result."),
      total: z.int(),
      seconds_left: z.number().describe("At the server's pace."),
      call: CallResultForm,
    }),
    z.strictObject({ ...event, event: z.literal("end"), ...resultFields }),
    z
      .strictObject({
        ...event,
        event: z.literal("refused"),
        diagnostics: z.array(DiagnosticForm),
        exit_code: z.int(),
      })
      .describe("The command ended without a result."),
    z
      .strictObject({
        ...eventOfAll,
        event: z.literal("organizations"),
        organizations: z.array(OrganizationForm),
        passed_over: z.array(z.string()).describe("Files of a directory that name no organization."),
        exit_code: z.int().describe("The highest of all."),
      })
      .describe("The end of a command that was given several files."),
  ])
  .describe(
    "One line of JSON for each event. The last one is `end` or `refused`; with several files each organization has one, and the very last line is `organizations`.",
  );

const RefusedBy = z
  .array(SaidGuardForm.omit({ violated: true }))
  .describe("Guard rails that would refuse `realmctl apply`, with the file and the policy as they are.");

const LooksRenamed = z
  .array(DiagnosticForm)
  .describe(
    "An object that no longer exists under one name and exists under another, and the entry to write in the file.",
  );

const DifferenceForm = z
  .strictObject({
    kind: AnyChange.kind,
    address: AnyChange.address,
    name: AnyChange.name,
    ...SomeChanges,
    at: AnyChange.at,
    state: z
      .enum(["missing", "extra", "different", "reordered"])
      .describe("`missing`: in the file only; `extra`: on the server, and the file removes it."),
    access: z
      .enum(["widens", "narrows", "both", "same"])
      .describe("How access changed: `widens` if somebody opened it. `drift` says the same as text."),
    deletes_messages: z
      .literal(true)
      .optional()
      .describe("The change on the server deletes messages that the file would keep, until it is reverted."),
    fields: z.array(
      z.strictObject({
        field: z.string(),
        file: z.json().describe("What the file says."),
        realm: z.json().describe("What the organization has."),
        at: Span.optional(),
        unset: z
          .literal(true)
          .optional()
          .describe("The file does not name the field: `file` is the server's default (`unset: default`)."),
        hidden: Hidden,
      }),
    ),
    may_be_unseen: z
      .literal(true)
      .exactOptional()
      .describe("Of what is `missing`: the account does not see all objects of the kind, so it may be there."),
    changed_by: z
      .array(z.strictObject({ field: z.string(), user_id: z.int(), full_name: z.string(), at: z.string() }))
      .exactOptional()
      .describe(
        "`--who`: who changed a field last, and when, as the server's messages in the channel say. A hint, no proof.",
      ),
    put_back: z
      .strictObject({ action: z.enum(["create", "update", "remove", "reorder"]), risks: SaidRisks })
      .describe("What `realmctl apply` would do about it, and the risks of that: the opposite direction."),
  })
  .describe("One object that does not match the file, described by what was done to the organization.");

/** Objects of a section that the file does not mention. */
const UnmanagedForm = z.strictObject({
  section: z.string(),
  policy: z.string(),
  names: z.array(z.string()),
  private: z.int().optional().describe("How many of those that `except` of `manage` leaves out are private."),
});

/** `realmctl drift --format json`. */
export const DriftForm = z.strictObject({
  format: z.literal("realmctl.drift"),
  version: z.literal(2),
  realm: z.string().describe("URL of the organization."),
  sandbox_of: SandboxOf,
  snapshot_taken_at: z.string().describe("ISO 8601, UTC."),
  differences: z.array(DifferenceForm),
  unmanaged: z.array(UnmanagedForm),
  matches: z.record(z.string(), z.int()),
  watches: WatchForm.optional(),
  newer_settings: z
    .array(z.string())
    .optional()
    .describe("Settings of the server that this version does not know; absent if it knows all."),
  coverage: z
    .array(Covered)
    .exactOptional()
    .describe("`--coverage`: every field of every object, and whether it is compared with the file."),
  unseen: UnseenForm.exactOptional(),
  partial: PlanPartForm.optional(),
  looks_renamed: LooksRenamed,
  uncompared: LooksRenamed.meta({
    description:
      "Changes on the server that are drift although realmctl does not compare these values, so that apply leaves them as they are: accounts that somebody deactivated, pictures that somebody changed.",
  }),
  warnings: LooksRenamed.meta({
    description:
      "What this account could not put back, and why. In a drift of a part of the file also what would be in `uncompared` otherwise.",
  }),
  refused_by: RefusedBy,
  rules: z
    .strictObject({
      held: z.int().describe("How many rules hold."),
      broken: z.int().describe("How many rules do not hold; errors in the rules count, too."),
      undecided: z.int().describe("Of how many rules it is not known whether they hold."),
      cannot_be_held: z
        .literal(true)
        .optional()
        .describe(
          "The rules have errors, or name something that the organization does not have: `messages` says which.",
        ),
      messages: z.array(z.string()),
    })
    .optional()
    .describe(
      "Rules about access (realm.test.yaml), checked against the organization as it is. `realmctl test --live --as-is` says more.",
    ),
  exit_code: ExitCode,
});

/** One line of `realmctl drift --watch --format json`: the first reading, or the changes since the last line. */
export const DriftMomentForm = z.strictObject({
  format: z.literal("realmctl.drift-moment"),
  version: z.literal(2),
  event: z.enum(["start", "change"]),
  at: z.string().describe("ISO 8601, UTC: when the organization was read."),
  realm: z.string().describe("URL of the organization."),
  appeared: z.array(DifferenceForm).describe("Objects that differ now, or differ in another way."),
  ended: z
    .array(z.strictObject({ kind: z.string(), address: Address, name: z.string() }))
    .describe("Objects that match the file again."),
  unmanaged_new: z.array(UnmanagedForm),
  unmanaged_gone: z.array(UnmanagedForm),
  looks_renamed: LooksRenamed.meta({ description: "What looks renamed now and did not before." }),
  uncompared_new: LooksRenamed.meta({
    description: "What changed without being compared (`uncompared` of a drift), and had not before.",
  }),
  uncompared_gone: LooksRenamed.meta({ description: "Of those, what is no longer so." }),
  differences: z.int().describe("How many objects differ."),
  refused_by: RefusedBy,
  exit_code: ExitCode,
});

/** `realmctl validate --format json`, and what every command prints for errors when JSON was asked for. */
export const DiagnosticsForm = z.strictObject({
  format: z.literal("realmctl.diagnostics"),
  version: z.literal(2),
  errors: z.int(),
  warnings: z.int(),
  diagnostics: z.array(DiagnosticForm),
  exit_code: ExitCode.optional(),
});

const WireCallForm = z.strictObject({
  operation: z.string(),
  path: z.record(z.string(), z.union([z.string(), z.number()])),
  params: z.record(z.string(), z.json()),
});
/** The facts, as data: `is` says which reason it is, `quoted` has the system's message. */
const ReasonForm = z.record(z.string(), z.json());
const AnswerForm = z.union([
  z.strictObject({
    outcome: z.literal("applied"),
    body: z.record(z.string(), z.json()),
    ignored: z.array(z.string()).optional(),
  }),
  z.strictObject({
    outcome: z.literal("refused"),
    status: z.int(),
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.json()),
    own: ReasonForm.optional().describe("The refusal is not an answer of the server."),
  }),
  z.strictObject({ outcome: z.literal("unknown"), reason: ReasonForm }),
  z.strictObject({ outcome: z.literal("not-attempted"), reason: ReasonForm }),
  z
    .strictObject({ outcome: z.enum(["unknown", "not-attempted"]), message: z.string() })
    .describe("In journals of versions 1 and 2."),
]);
const at = z.string().describe("ISO 8601, UTC.");

const OpenCalls = z
  .array(z.int())
  .optional()
  .describe("A later run took over here: these calls may or may not have been carried out.");
const sum = z.string().optional().describe("The first 16 hex digits of SHA-256 of the line without `sum` and `code`.");
const code = z
  .string()
  .optional()
  .describe(
    "32 hex digits of HMAC-SHA256 of the line before (its code) and this line, with a key derived from the account's API key. Since version 4.",
  );

const RunSourceForm = z
  .strictObject({ is: z.enum(["undo", "saved-plan", "sync"]), file: z.string() })
  .describe(
    "What a run carried out, if `apply` did not plan it from a file: the undo of a journal, a saved plan, or the lists of a file that `sync` keeps.",
  );

/** One line of a journal in .realmctl/: written before the next call goes out. */
export const JournalEntryForm = z
  .discriminatedUnion("entry", [
    z.strictObject({
      entry: z.literal("start"),
      at,
      format: z.literal("realmctl.journal"),
      version: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(JOURNAL_VERSION)]),
      file: z.string().optional().describe("The name of the journal itself. Absent before version 4."),
      tool_version: z.string(),
      realm: z.string(),
      account: z.string(),
      plan: z.json(),
      names: z
        .record(z.string().regex(/^[a-z_]+:/), z.int())
        .optional()
        .describe("Address → id, of the objects that values of the plan name and that it does not change."),
      inside: z
        .record(z.string().regex(/^\d+$/), z.array(z.int()))
        .optional()
        .describe("By the id of a private channel that the run opens: who was subscribed when it began."),
      resumes: z.string().optional(),
      source: RunSourceForm.optional(),
      sum,
      code,
    }),
    z.strictObject({ entry: z.literal("sending"), at, n: z.int(), call: WireCallForm, sum, code }),
    z.strictObject({ entry: z.literal("answer"), at, n: z.int(), answer: AnswerForm, sum, code }),
    z.strictObject({
      entry: z.literal("learned"),
      at,
      ids: z.record(z.string().regex(/^[a-z_]+:/), z.int()),
      sum,
      code,
    }),
    z.strictObject({
      entry: z.literal("settled"),
      at,
      n: z.int(),
      state: CallStateForm,
      fact: z.record(z.string(), z.json()).optional(),
      message: z.string().optional().describe("In journals of version 1, instead of `fact`."),
      sum,
      code,
    }),
    z.strictObject({
      entry: z.literal("end"),
      at,
      outcome: z.string(),
      by: z
        .string()
        .optional()
        .describe("`taken-over`: the journal of the later run; absent if that run found nothing left to do."),
      done: z.int(),
      left: z.int(),
      open: OpenCalls,
      sum,
      code,
    }),
  ])
  .describe("One line of a journal (JSON Lines).");

/** JSON of `realmctl whoami`. */
export const WhoamiForm = z.strictObject({
  format: z.literal("realmctl.whoami"),
  version: z.literal(1),
  realm: z.strictObject({ url: z.string(), name: z.string() }),
  server: z.strictObject({ zulip_version: z.string(), feature_level: z.int() }),
  account: z.strictObject({
    user_id: z.int(),
    email: z.string(),
    full_name: z.string(),
    role: z
      .string()
      .describe("owner, administrator, moderator, member or guest; a sentence with its number if it is another"),
    is_bot: z.boolean(),
  }),
  sections: z
    .array(z.string())
    .describe("sections of realm.yaml that the account can manage, those of partial limits included"),
  limits: z.array(
    z.strictObject({
      sections: z.array(z.string()),
      message: z.string(),
      partial: z.boolean().describe("only some objects or fields of the sections are out of reach"),
    }),
  ),
  newer_settings: z
    .array(z.string())
    .optional()
    .describe("settings of the server that this version does not know; absent if it knows all"),
  exit_code: z.literal(0),
});
export type WhoamiJson = z.infer<typeof WhoamiForm>;

/** JSON of `realmctl history`. */
export const HistoryForm = z.strictObject({
  format: z.literal("realmctl.history"),
  version: z.literal(1),
  runs: z
    .array(
      z.strictObject({
        journal: z.string(),
        started_at: at,
        ended_at: at.optional(),
        realm: z.string(),
        account: z.string(),
        source: RunSourceForm.optional(),
        changes: z.strictObject({ created: z.int(), changed: z.int(), removed: z.int() }),
        calls: z.strictObject({
          all: z.int(),
          done: z.int(),
          open: z.int().describe("Sent, and the result is not known."),
        }),
        outcome: z.string().optional().describe("Absent: the run never reached its end, or is not over."),
        taken_over_by: z.string().optional(),
        resumes: z.string().optional(),
        proof: z
          .enum(["own", "no-code", "other-code", "other-name", "edited", "no-key"])
          .describe("own: a run of this account wrote it; no-key: there are no credentials to find out."),
      }),
    )
    .describe("Newest first."),
  older: z.int().describe("Older journals that were not read."),
  unreadable: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  strays: z.array(z.string()).describe("Files beside the journals that are none."),
  exit_code: z.literal(0),
});
export type HistoryJson = z.infer<typeof HistoryForm>;
