import * as z from "zod";
import { Covered, UnseenForm } from "./coverage.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { JournalDoubt } from "./diagnostics/runs.ts";
import { Span } from "./fact-forms.ts";
import { Address, type Immutable, json, mark, maybe } from "./form.ts";
import { RunSourceForm } from "./journal.ts";
import {
  AnyChange,
  ChangedByForm,
  DiagnosticForm,
  DriftedForm,
  Hidden,
  PlanPartForm,
  SaidGuardForm,
  SaidRisks,
  SomeChanges,
  WatchForm,
} from "./plan-schema.ts";
import { ExitCodeForm, SandboxOf } from "./result.ts";

/** The forms of outputs of `--format json`. Tests check real outputs against them. result.ts and journal.ts have their own. */

const RefusedBy = z
  .array(SaidGuardForm.omit({ violated: true }))
  .describe("Guard rails that would refuse `realmctl apply`, with the file and the policy as they are.");

const LooksRenamed = z
  .array(DiagnosticForm)
  .describe(
    "An object that no longer exists under one name and exists under another, and the entry to write in the file.",
  );

/** One object that does not match the file, in the direction of the drift; only `put_back` has the opposite direction. */
export type Difference = Immutable<z.infer<typeof DifferenceForm>>;
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
    access: DriftedForm.describe("How access changed: `widens` if somebody opened it. `drift` says the same as text."),
    deletes_messages: mark("The change on the server deletes messages that the file would keep, until it is reverted."),
    fields: z.array(
      z.strictObject({
        field: z.string(),
        file: json().describe("What the file says."),
        realm: json().describe("What the organization has."),
        at: Span.exactOptional(),
        unset: mark("The file does not name the field: `file` is the server's default (`unset: default`)."),
        hidden: Hidden,
      }),
    ),
    may_be_unseen: mark("Of what is `missing`: the account does not see all objects of the kind, so it may be there."),
    changed_by: maybe(
      z.array(ChangedByForm),
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
  watches: WatchForm.exactOptional(),
  newer_settings: maybe(
    z.array(z.string()),
    "Settings of the server that this version does not know; absent if it knows all.",
  ),
  coverage: maybe(
    z.array(Covered),
    "`--coverage`: every field of every object, and whether it is compared with the file.",
  ),
  unseen: UnseenForm.exactOptional(),
  partial: PlanPartForm.exactOptional(),
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
      cannot_be_held: mark(
        "The rules have errors, or name something that the organization does not have: `messages` says which.",
      ),
      messages: z.array(z.string()),
    })
    .exactOptional()
    .describe(
      "Rules about access (realm.test.yaml), checked against the organization as it is. `realmctl test --live --as-is` says more.",
    ),
  exit_code: ExitCodeForm,
});

export type DriftJson = Immutable<z.infer<typeof DriftForm>>;

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
  exit_code: ExitCodeForm,
});

export type DriftMomentJson = Immutable<z.infer<typeof DriftMomentForm>>;

/** `realmctl validate --format json`, and what every command prints for errors when JSON was asked for. */
export const DiagnosticsForm = z.strictObject({
  format: z.literal("realmctl.diagnostics"),
  version: z.literal(2),
  errors: z.int(),
  warnings: z.int(),
  diagnostics: z.array(DiagnosticForm),
  exit_code: ExitCodeForm.optional(),
});

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

const at = z.string().describe("ISO 8601, UTC.");

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
/** A run of this directory, as its journal says. */
export type PastRun = Omit<HistoryJson["runs"][number], "proof"> & {
  /** Why nothing shows that a run of this account wrote it; undefined: it did. */
  readonly doubt?: JournalDoubt;
};
/** The runs of a directory, before anybody asks who wrote them. */
export interface History extends Pick<HistoryJson, "older" | "strays"> {
  readonly runs: readonly PastRun[];
  readonly unreadable: readonly Diagnostic[];
}
