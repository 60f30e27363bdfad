import type { Counts, OrganizationRow } from "../../model/organizations.ts";
import type { ConnectionFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import type { ManyFlags } from "./flags.ts";

/** What became of a command over one organization, and what else it knows about errors that it has shown itself. */
export type Told = Counts & Pick<OrganizationRow, "isDeclined"> & { readonly codes?: readonly string[] };

export type Flags = ConnectionFlags & ManyFlags & { readonly format: string };

export interface Work<F extends Flags> {
  readonly command: "plan" | "apply" | "drift" | "validate" | "test" | "whoami";
  /** As the command line names them: files, or a directory. */
  readonly paths: readonly string[];
  readonly flags: F;
  /** Options that were given and that several organizations cannot have. */
  readonly forOne: readonly (string | false)[];
  /** Does it talk to a server? Then each file has to say whose. */
  readonly talks: boolean;
  /** Whether somebody would be asked for each. */
  readonly isAsked?: boolean;
  /** The whole command for one file. */
  one(io: Io, file: string, flags: F): Promise<Told | undefined>;
}
