import type { NoAnswer } from "./no-answer.ts";
import type { Quoted, Word } from "./values.ts";

/** The hosts for `realmctl comment`. GitHub is not among them, since the Action comments there. */
export type CommentHost = "forgejo" | "gitea" | "gitlab";

/** Errors of `realmctl comment`, and of the host that it comments on. */
export interface HostFacts {
  /** @property given the value of `--package`, if npm cannot install it */
  readonly "init/no-package": { readonly given?: Quoted };
  /**
   * @property missing variables of the environment that jobs of this host have
   * @property no_number all variables are set, but none of them has the number of a pull request
   */
  readonly "comment/no-job": {
    readonly host: CommentHost;
    readonly missing: readonly Word[];
    readonly no_number?: true;
  };
  readonly "comment/no-token": { readonly host: CommentHost };
  /** With this address of the API, the token would be sent unencrypted. */
  readonly "comment/plain-http": { readonly variable: Word };
  readonly "comment/refused": {
    readonly host: CommentHost;
    readonly work: CommentWork;
    readonly status: number;
    readonly answer: Quoted;
  };
  /** @property reason absent if an answer came that is not from the host's API */
  readonly "comment/unreachable": {
    readonly host: CommentHost;
    readonly work: CommentWork;
    readonly reason?: NoAnswer;
  };
}

export type CommentWork = "say-who" | "list" | "create" | "edit" | "delete";
