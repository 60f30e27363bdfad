import type { Word } from "./values.ts";

/** Errors of commands for several files, one for each organization. */
export interface OrganizationFacts {
  /** @property is_one_file the same file was named more than once */
  readonly "organizations/same-realm": {
    readonly files: readonly Word[];
    readonly realm: Word;
    readonly is_one_file?: true;
  };
  readonly "organizations/no-realm": { readonly file: Word };
  readonly "organizations/same-name": { readonly files: readonly Word[]; readonly name: Word };
  readonly "organizations/none": { readonly directory: Word; readonly passed_over: readonly Word[] };
  /** An option, or a value of an option, that is only possible for one organization. */
  readonly "organizations/for-one": { readonly option: Word };
  readonly "organizations/unasked": {
    readonly organizations: number;
    readonly why: "no-terminal" | "format" | "jobs";
  };
  readonly "organizations/shard-of-one": { readonly shard: Word };
  readonly "organizations/too-many": { readonly files: number; readonly most: number };
}
