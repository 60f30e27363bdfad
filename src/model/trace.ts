import type { NoAnswer } from "./diagnostics/calls.ts";

/** The content of `--verbose`. It holds no query, form or header, so nothing that could be a secret. */
export type TraceEvent =
  | {
      readonly event: "answer";
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
    }
  | {
      readonly event: "no-answer";
      readonly method: string;
      readonly path: string;
      readonly reason: NoAnswer;
      readonly ms: number;
    }
  | { readonly event: "wait"; readonly why: TraceWait; readonly ms: number };

/** The reason for a wait: the server asked for it, it would otherwise ask for it, or a read is sent again. */
export type TraceWait = "rate-limit" | "pace" | "retry";

/** The reason for a wait, which the user sees, so that the program does not seem to hang. */
export type Waiting =
  /** No answer has come yet. The request fails after `limitMs`. */
  | { readonly for: "answer"; readonly host: string; readonly sinceMs: number; readonly limitMs: number }
  /** The server asked for a wait, or would ask for one if realmctl did not wait. */
  | { readonly for: "rate-limit" | "pace"; readonly host: string; readonly ms: number }
  /** A read failed and will be sent again. */
  | { readonly for: "retry"; readonly host: string; readonly ms: number };
