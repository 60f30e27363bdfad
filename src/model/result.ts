import type { Diagnostic, ExitCode } from "./diagnostic.ts";
import type { Named } from "./facts.ts";
import type { Json } from "./json.ts";
import type { Address, Call, Change, Plan, Purpose, Unmanaged } from "./plan.ts";
import type { CallFact } from "./run-facts.ts";

/**
 * The result of one call of a plan.
 * - `done`: the server said so, or a reading after a lost answer shows it
 * - `already-so`: the realm was already as the call would have made it; nothing was sent, or the request changed nothing
 * - `conflict`: a value that the call relies on changed since the plan; not sent, or refused by the server's own check of `old`
 * - `failed`: the server refused, or the result is unknown and a reading does not show the effect
 * - `skipped`: it needs a call that was not done (`because`)
 * - `not-attempted`: the run stopped before it
 */
export type CallState = "done" | "already-so" | "conflict" | "failed" | "skipped" | "not-attempted";

export interface CallResult {
  readonly n: number;
  readonly state: CallState;
  /** Further facts; absent for most calls that are `done`. */
  readonly fact?: CallFact;
  /** The server's code of a refusal (`BAD_REQUEST`, …), or `unknown` if no answer came. */
  readonly code?: string;
  /** Milliseconds from its first request to its result, including readings in between; absent if nothing was sent. */
  readonly duration_ms?: number;
  /** `skipped`: the call that failed or is in conflict, and that this one needs, directly or indirectly. */
  readonly because?: number;
  /** `failed` or `conflict`: the parts of the call that took effect nevertheless (PATCH /streams is not atomic, zulip-api.md §3.5.2). */
  readonly applied_parts?: readonly Purpose[];
}

/** A field with the planned, the found and the wanted value, in canonical form. `exists` is also a field here. */
export interface Conflict {
  readonly address: Address;
  readonly kind: string;
  /** The object's current name on the server, otherwise its planned name. */
  readonly name: string;
  readonly field: string;
  /** The value from which the plan was made. */
  readonly planned: Json;
  /** The current value of the realm. */
  readonly found: Json;
  /** The value that the plan would set; absent if the plan only relies on the field. */
  readonly wanted?: Json;
  /** The calls that the conflict stops, without their dependents. */
  readonly calls: readonly number[];
  /** Whether redaction made `planned` and `found` look the same: they differ only in names that the readers must not see. */
  readonly hidden?: true;
}

/** The result of the run as a whole: the basis of the last line and of the exit code. */
export type ApplyOutcome =
  | "applied"
  | "nothing-to-do"
  /** The plan was refused before the first write, because the realm changed since the plan was made. */
  | "conflict"
  | "in-part"
  /** Every call was carried out, and planning again still finds a change. */
  | "differs"
  /** Interrupted by a signal, or because the journal could not be written. */
  | "stopped"
  /** The person who was asked said no, or nobody answered: no call of this plan was sent. */
  | "declined"
  | "not-allowed"
  | "unreachable";

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
