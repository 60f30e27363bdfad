import * as z from "zod";
import type { Diagnostic, ExitCode } from "./diagnostic.ts";
import { type Named, NamedForm } from "./fact-forms.ts";
import { Address, type Immutable, json, maybe } from "./form.ts";
import { OrganizationForm } from "./organizations.ts";
import {
  type Call,
  type Change,
  DiagnosticForm,
  Hidden,
  type Plan,
  Purpose,
  SaidChange,
  type Unmanaged,
} from "./plan-schema.ts";
import type { CallFact } from "./run-facts.ts";

// What a run and a drift found, and the JSON of a run. Other code imports only types.

export const SandboxOf = maybe(
  z.string(),
  "Of a sandbox that was made from a snapshot: URL of the organization; nothing was sent to it.",
);
export const ExitCodeForm = z
  .int()
  .min(0)
  .max(8)
  .describe("The exit code of the command (docs/reference/exit-codes.md).");
/**
 * The result of one call of a plan.
 * - `done`: the server said so, or a reading after a lost answer shows it
 * - `already-so`: the realm was already as the call would have made it; nothing was sent, or the request changed nothing
 * - `conflict`: a value that the call relies on changed since the plan; not sent, or refused by the server's own check of `old`
 * - `failed`: the server refused, or the result is unknown and a reading does not show the effect
 * - `skipped`: it needs a call that was not done (`because`)
 * - `not-attempted`: the run stopped before it
 */
export type CallState = z.infer<typeof CallStateForm>;
export const CallStateForm = z.enum(["done", "already-so", "conflict", "failed", "skipped", "not-attempted"]);

/** The result of a call, with its facts; outputs have words instead, and the objects. */
export type CallResult = Immutable<
  Pick<z.infer<typeof CallResultForm>, "n" | "state" | "code" | "duration_ms" | "because" | "applied_parts">
> & { readonly fact?: CallFact };
const CallResultForm = z.strictObject({
  n: z.int().min(1).describe("Number of the call in the plan."),
  operation: z.string().describe("The request: an operation of `realmctl api`."),
  objects: z
    .array(
      z.strictObject({
        address: Address,
        action: z.enum(["create", "update", "remove", "reorder"]).exactOptional(),
        fields: z.array(z.strictObject({ field: z.string(), before: json(), after: json(), hidden: Hidden })),
      }),
    )
    .describe("What the call changes, or would have changed."),
  state: CallStateForm,
  duration_ms: maybe(
    z.number(),
    "From its first request to its result, including readings in between; absent if nothing was sent.",
  ),
  message: z.string().exactOptional(),
  server_said: z.string().exactOptional().describe("The server's words, if it refused."),
  code: z.string().exactOptional().describe("The server's code of a refusal, or `unknown` when no answer came."),
  because: z.int().exactOptional().describe("`skipped`: the call that this one needs, and that was not carried out."),
  applied_parts: maybe(z.array(Purpose), "The parts of the call that the organization has nevertheless."),
});

/** A field with the planned, the found and the wanted value, in canonical form. `exists` is also a field here. */
export type Conflict = Immutable<z.infer<typeof ConflictForm>>;
const ConflictForm = z
  .strictObject({
    address: Address,
    kind: z.string(),
    /** The object's current name on the server, otherwise its planned name. */
    name: z.string(),
    field: z.string(),
    planned: json().describe("The value that the plan was made from."),
    found: json().describe("The value that the organization has now."),
    wanted: json().exactOptional().describe("The value that the plan would set."),
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

/** The result of the run as a whole: the basis of the last line and of the exit code. */
export type ApplyOutcome = z.infer<typeof ApplyOutcome>;
const ApplyOutcome = z.enum([
  "applied",
  "nothing-to-do",
  /** The plan was refused before the first write, because the realm changed since the plan was made. */
  "conflict",
  "in-part",
  /** Every call was carried out, and planning again still finds a change. */
  "differs",
  /** Interrupted by a signal, or because the journal could not be written. */
  "stopped",
  /** The person who was asked said no, or nobody answered: no call of this plan was sent. */
  "declined",
  "not-allowed",
  "unreachable",
]);

/** `realmctl apply --format json`. */
export const ResultForm = z.strictObject({
  format: z.literal("realmctl.result"),
  version: z.literal(3),
  realm: z.string().describe("URL of the organization."),
  sandbox_of: SandboxOf,
  outcome: ApplyOutcome,
  calls: z.array(CallResultForm),
  conflicts: z.array(ConflictForm),
  remaining: z
    .array(SaidChange)
    .nullable()
    .describe("What planning again still finds; null if the organization was not read again."),
  came_back: maybe(
    z.array(NamedForm),
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
  exit_code: ExitCodeForm,
});

export type ResultJson = Immutable<z.infer<typeof ResultForm>>;

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
export type ApplyEvent = Immutable<z.infer<typeof ApplyEventForm>>;
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

export interface ApplyResult {
  readonly plan: Plan;
  readonly outcome: ApplyOutcome;
  readonly exitCode: ExitCode;
  /** The result of each call of the plan, in its order. */
  readonly calls: readonly CallResult[];
  readonly conflicts: readonly Conflict[];
  /** Changes that planning again after the run still finds; empty if the realm matches the file; null if it was not read again. */
  readonly remaining: readonly Change[] | null;
  /**
   * Accounts that this run reactivated and that had old memberships again, although the file does not name them: no reading shows the memberships of a
   * deactivated account. The run removed them again, or `remaining` would. Absent without such accounts.
   */
  readonly came_back?: readonly Named[];
  /** Path of the journal; null when nothing was to be sent. */
  readonly journal: string | null;
  /** Milliseconds from the first read to the last. */
  readonly elapsedMs: number;
  /** Errors of the run that belong to no call: the journal's disk is full, the server is unreachable, … */
  readonly diagnostics: readonly Diagnostic[];
}

/** The progress of apply, for a terminal's one line. */
export interface Progress {
  readonly total: number;
  /** Calls with a result. */
  readonly settled: number;
  readonly call: Call;
  /** `sending` before, the state of the result after. */
  readonly state: "sending" | CallState;
  /** The result of the call, once it is settled. */
  readonly result?: CallResult;
}

/** The result of `drift`: what no longer matches the file. As in a plan, `after` is the file's value. */
export interface Drift {
  readonly plan: Plan;
  /** Objects that differ from their declarations in the file. */
  readonly differences: readonly Change[];
  /** Sections with live objects that the file does not mention and that are left alone. */
  readonly unmanaged: readonly Unmanaged[];
  /** Changes of values that are not compared, and that no apply reverts: accounts that are deactivated, pictures. */
  readonly uncompared: readonly Diagnostic[];
  /** 2 with any of these except unmanaged objects, which are not drift. */
  readonly exitCode: ExitCode;
}

/** The differences that appeared or ended between one reading and the next. */
export interface Moment {
  readonly drift: Drift;
  /** Objects that differ now and did not before, or that differ in another way. */
  readonly appeared: readonly Change[];
  /** Objects that differed and match the file again. */
  readonly ended: readonly Change[];
  /** Objects that the file does not mention, and that were not there before. */
  readonly unmanagedNew: readonly Unmanaged[];
  readonly unmanagedGone: readonly Unmanaged[];
  /** Objects that look renamed, and did not before. */
  readonly renamed: readonly Diagnostic[];
  /** New changes of values that are not compared. */
  readonly uncomparedNew: readonly Diagnostic[];
  readonly uncomparedGone: readonly Diagnostic[];
}
