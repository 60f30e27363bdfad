import type { Quoted, Word } from "./values.ts";

/** Requests of the API as somebody asks for them: names of operations and parameters. */
export interface ApiFacts {
  readonly "api/not-sent": { readonly operation: Word };
  readonly "api/missing-parameter": { readonly operation: Word; readonly parameter: Word; readonly about?: Word };
  readonly "api/unknown-operation": { readonly operation: Quoted; readonly meant?: Word };
  readonly "api/unknown-parameter": {
    readonly operation: Word;
    readonly parameter: Quoted;
    readonly meant?: Word;
    readonly takes_none: boolean;
  };
  readonly "api/parameter-type": { readonly operation: Word; readonly parameter: Word; readonly wanted: Word };
}
