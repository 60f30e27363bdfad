import type { Counts, OrganizationRow } from "../../model/organizations.ts";
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
