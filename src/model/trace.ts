import type { NoAnswer } from "./diagnostics/no-answer.ts";

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
