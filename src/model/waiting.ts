/** Why nothing happens for a while: told to whoever looks at it, so that nobody takes waiting for hanging. */
export type Waiting =
  /** No answer yet; at `limitMs` it is given up. */
  | { readonly for: "answer"; readonly host: string; readonly sinceMs: number; readonly limitMs: number }
  /** The server asked for it, or would if realmctl did not wait by itself. */
  | { readonly for: "rate-limit" | "pace"; readonly host: string; readonly ms: number }
  /** A read failed, and is sent again. */
  | { readonly for: "retry"; readonly host: string; readonly ms: number };
