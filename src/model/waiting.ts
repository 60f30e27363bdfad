/** The reason for a wait, which the user sees, so that the program does not seem to hang. */
export type Waiting =
  /** No answer has come yet. The request fails after `limitMs`. */
  | { readonly for: "answer"; readonly host: string; readonly sinceMs: number; readonly limitMs: number }
  /** The server asked for a wait, or would ask for one if realmctl did not wait. */
  | { readonly for: "rate-limit" | "pace"; readonly host: string; readonly ms: number }
  /** A read failed and will be sent again. */
  | { readonly for: "retry"; readonly host: string; readonly ms: number };
