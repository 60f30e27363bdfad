import type { Policy } from "../../model/objects.ts";
import type { ConnectionFlags } from "../flags.ts";
import type { CiHost } from "./hosts.ts";

/** The options of `realmctl init`. */
export interface InitFlags extends ConnectionFlags {
  readonly file: string;
  readonly kinds?: string;
  readonly policy?: Policy;
  readonly unset?: "leave" | "default";
  readonly schema?: string;
  readonly workflows?: boolean | CiHost;
  readonly action?: string;
  readonly package?: string;
  readonly picturesFrom?: readonly string[];
  readonly yes?: boolean;
  readonly force?: boolean;
}
