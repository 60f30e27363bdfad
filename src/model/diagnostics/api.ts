import type { WantedParam } from "../param-type.ts";
import type { NoAnswer } from "./no-answer.ts";
import type { Unreadable } from "./sources.ts";
import type { Quoted, Word } from "./values.ts";

/** Errors in requests that somebody asks `realmctl api` to send. */
export interface ApiFacts {
  readonly "api/argument": { readonly operation: Word; readonly word: Quoted };
  readonly "api/cannot-read": { readonly file: Word; readonly why: Unreadable };
  readonly "api/duplicate-parameter": { readonly parameter: Word };
  /** @property recovery how to find out whether the request was carried out, from the table of operations */
  readonly "api/fate-unknown": { readonly operation: Word; readonly recovery: Word } & (
    | { readonly cause: "no-answer"; readonly reason: NoAnswer }
    | { readonly cause: "answer"; readonly status?: number }
  );
  readonly "api/ignored": { readonly operation: Word; readonly parameters: readonly Word[] };
  readonly "api/no-image": { readonly file: Word };
  readonly "api/no-operation": Record<never, never>;
  readonly "api/no-value": { readonly parameter: Word };
  readonly "api/refused": { readonly operation: Word; readonly answer: Quoted; readonly code: Quoted };
  readonly "api/not-sent": { readonly operation: Word };
  readonly "api/missing-parameter": { readonly operation: Word; readonly parameter: Word; readonly about?: Word };
  readonly "api/unknown-operation": { readonly operation: Quoted; readonly meant?: Word };
  readonly "api/unknown-parameter": {
    readonly operation: Word;
    readonly parameter: Quoted;
    readonly meant?: Word;
    readonly takes_none: boolean;
  };
  readonly "api/parameter-type": { readonly operation: Word; readonly parameter: Word; readonly wanted: WantedParam };
}
