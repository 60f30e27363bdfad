import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Counts, OrganizationRow } from "../../model/organizations.ts";
import {
  askingGuards,
  type Change,
  countUncompared,
  type Plan,
  uncomparedIn,
  violatedGuards,
} from "../../model/plan.ts";
import type { Context } from "../context.ts";
import type { ConnectionFlags, MANY } from "../flags.ts";
import type { FlagsOf } from "../options.ts";

/** The result of a command over one organization, and facts about errors that it has shown itself. */
export interface OrganizationOutcome extends Counts, Pick<OrganizationRow, "isDeclined"> {
  readonly codes?: readonly string[];
  /** Ends when the connection is closed; only the end of the command waits for that. */
  readonly closed?: Promise<void>;
}

export type Flags = ConnectionFlags & FlagsOf<typeof MANY> & { readonly format: string };

export interface Work<F extends Flags> {
  readonly command: "plan" | "apply" | "drift" | "validate" | "test" | "whoami";
  /** As the command line names them: files, or a directory. */
  readonly paths: readonly string[];
  /** Options that were given and are not possible with several organizations. */
  readonly forOne: readonly (string | false)[];
  /** Whether it talks to a server. Then each file must name its organization. */
  readonly talks: boolean;
  /** Whether the command asks for each organization. */
  readonly isAsked?: boolean;
  /** Whether it works without a file: then the usual one need not exist. */
  readonly isFileLess?: boolean;
  /** The whole command for one file. */
  one(context: Context<F>): Promise<OrganizationOutcome | undefined>;
}

/** Of a command, or an error, without a plan. */
export const NO_COUNTS: Counts = { changes: null, uncompared: null, risks: null, guards: null };

/** The codes of the errors, for the summary of many organizations. */
export const errorCodes = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);

/** The counts of a plan for the summary of many organizations. */
export function countsOf(plan: Plan, changes: readonly Change[] = plan.changes): Counts {
  return {
    changes: changes.length,
    uncompared: countUncompared(uncomparedIn(plan)),
    risks: changes.reduce((sum, { risks }) => sum + risks.length, 0),
    guards: violatedGuards(plan).length > 0 ? "refuse" : askingGuards(plan).length > 0 ? "ask" : "ok",
  };
}
