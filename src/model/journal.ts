import type { Json, JsonObject } from "./json.ts";
import type { Address } from "./plan.ts";
import type { CallState } from "./result.ts";
import type { CallFact } from "./run-facts.ts";

/** A call with every id filled in, as the client encodes and sends it. */
export interface WireCall {
  readonly operation: string;
  readonly path: { readonly [name: string]: string | number };
  readonly params: { readonly [name: string]: Json };
}

/** What became of one request. */
export type Answer =
  /**
   * The server said yes. `ignored`: parameters that it does not know (`ignored_parameters_unsupported`); the others took
   * effect, these did not, so the call did not do what it was sent for and counts as failed. Never an empty list.
   */
  | { readonly outcome: "applied"; readonly body: JsonObject; readonly ignored?: readonly string[] }
  /** The server said no: nothing changed, or (PATCH /streams, zulip-api.md §3.5.2) only what precedes the refusal. */
  | {
      readonly outcome: "refused";
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details: JsonObject;
    }
  /** It may or may not have happened: no answer came, or one that nobody can read. Re-read before deciding. */
  | { readonly outcome: "unknown"; readonly message: string }
  /** It certainly did not reach the server: stopped before, or no connection. */
  | { readonly outcome: "not-attempted"; readonly message: string };

/** Version of the journal's format: 1 had sentences where 2 has facts. Both are read; journals of older realmctl have no version and are still read. */
export const JOURNAL_VERSION = 2;

/** One line of the journal (JSON Lines), written and flushed before the next call goes out. Never holds credentials. */
export type JournalEntry =
  | {
      readonly entry: "start";
      readonly at: string;
      /** Absent in journals of a realmctl from before the format had a version. */
      readonly format?: "realmctl.journal";
      readonly version?: 1 | typeof JOURNAL_VERSION;
      readonly tool_version: string;
      readonly realm: string;
      readonly account: string;
      readonly plan: Json;
      /** Name of the unfinished journal that this run goes on from. */
      readonly resumes?: string;
    }
  | { readonly entry: "sending"; readonly at: string; readonly n: number; readonly call: WireCall }
  | { readonly entry: "answer"; readonly at: string; readonly n: number; readonly answer: Answer }
  | { readonly entry: "learned"; readonly at: string; readonly ids: { readonly [address: Address]: number } }
  /** The fate of call `n` once everything is known, a re-read after a lost answer included. */
  | {
      readonly entry: "settled";
      readonly at: string;
      readonly n: number;
      readonly state: CallState;
      readonly fact?: CallFact;
    }
  | {
      readonly entry: "end";
      readonly at: string;
      readonly outcome: string;
      readonly done: number;
      readonly left: number;
      /** Where a later run took over: calls that may or may not have been carried out. */
      readonly open?: readonly number[];
    };
