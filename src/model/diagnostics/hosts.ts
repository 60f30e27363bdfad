import type { NoAnswer } from "./no-answer.ts";
import type { Quoted, Word } from "./values.ts";

/** Where a comment goes, beside GitHub: that is the Action's. */
export type CommentHost = "forgejo" | "gitea" | "gitlab";

/** What a host of code does not do for `realmctl comment`. */
export interface HostFacts {
  /** @property given what `--package` names, where it is nothing that npm installs */
  readonly "init/no-package": { readonly given?: Quoted };
  /**
   * @property missing variables of the environment that jobs of this host have
   * @property no_number they are all there, and name no pull request
   */
  readonly "comment/no-job": {
    readonly host: CommentHost;
    readonly missing: readonly Word[];
    readonly no_number?: true;
  };
  readonly "comment/no-token": { readonly host: CommentHost };
  /** The address of the API would carry the token through the network in the clear. */
  readonly "comment/plain-http": { readonly variable: Word };
  readonly "comment/refused": {
    readonly host: CommentHost;
    readonly work: CommentWork;
    readonly status: number;
    readonly answer: Quoted;
  };
  /** @property reason absent: there was an answer, and not one of the host's API */
  readonly "comment/unreachable": {
    readonly host: CommentHost;
    readonly work: CommentWork;
    readonly reason?: NoAnswer;
  };
}

export type CommentWork = "say-who" | "list" | "create" | "edit";
