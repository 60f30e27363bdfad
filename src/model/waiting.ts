/** Why nothing happens for a while: shown to the user, so that a wait does not look like a hanging program. */
export type Waiting =
  /** No answer yet; after `limitMs` it is given up. */
  | { readonly for: "answer"; readonly host: string; readonly sinceMs: number; readonly limitMs: number }
  /** The server asked for it, or would if realmctl did not wait by itself. */
  | { readonly for: "rate-limit" | "pace"; readonly host: string; readonly ms: number }
  /** A read failed, and is sent again. */
  | { readonly for: "retry"; readonly host: string; readonly ms: number };
