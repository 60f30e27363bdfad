import type { NoAnswer, OwnRefusal, UnclearAnswer } from "./diagnostics/no-answer.ts";
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

/** The result of one request. */
export type Answer =
  /**
   * The server accepted it. `ignored`: parameters that it does not know (`ignored_parameters_unsupported`); the others took effect, these did not, so
   * the call did not have its whole effect and counts as failed. Never an empty list.
   */
  | { readonly outcome: "applied"; readonly body: JsonObject; readonly ignored?: readonly string[] }
  /** The server refused: nothing changed, or (PATCH /streams, zulip-api.md §3.5.2) only the parts before the refused one. */
  | {
      readonly outcome: "refused";
      readonly status: number;
      readonly code: string;
      /** The server's words. */
      readonly message: string;
      readonly details: JsonObject;
      /** Present if the refusal is not an answer of the server; `message` is then empty. */
      readonly own?: OwnRefusal;
    }
  /** The request may or may not have been carried out: there was no answer, or an unreadable one. Only a reading shows it. */
  | { readonly outcome: "unknown"; readonly reason: UnclearAnswer }
  /** The request certainly did not reach the server: the run was stopped before, or there was no connection. */
  | { readonly outcome: "not-attempted"; readonly reason: NoAnswer };

/** An answer in a journal of the first versions, with a sentence instead of the reason. */
export interface AnswerInWords {
  readonly outcome: "unknown" | "not-attempted";
  readonly message: string;
}

/**
 * Version of the journal's format: 1 had sentences for the results of calls, 2 for missing answers; 3 had facts for both, and only checksums; 4 has
 * codes. All are read, but those without codes only for an undo that was requested in so many words.
 */
export const JOURNAL_VERSION = 4;

/** What a run carried out, if `apply` did not plan it from a file. */
export interface RunSource {
  readonly is: "undo" | "saved-plan" | "sync";
  /** The journal that was undone, the saved plan, or the file whose lists `sync` keeps. */
  readonly file: string;
}

/** One line of the journal (JSON Lines), written and flushed before the next call goes out. Never holds credentials. */
export type JournalEntry =
  | {
      readonly entry: "start";
      readonly at: string;
      readonly format: "realmctl.journal";
      readonly version: 1 | 2 | 3 | typeof JOURNAL_VERSION;
      /** The name of the journal itself: a copy under another name is not continued. Absent in older journals. */
      readonly file?: string;
      readonly tool_version: string;
      readonly realm: string;
      readonly account: string;
      readonly plan: Json;
      /** Address → id, of the objects that values of the plan name and that it does not change. Absent in older journals. */
      readonly names?: { readonly [address: Address]: number };
      /** By the id of a private channel that the run opens: who was subscribed when it began. Absent in older journals. */
      readonly inside?: { readonly [id: string]: readonly number[] };
      /** Name of the unfinished journal that this run continues. */
      readonly resumes?: string;
      readonly source?: RunSource;
    }
  | { readonly entry: "sending"; readonly at: string; readonly n: number; readonly call: WireCall }
  | { readonly entry: "answer"; readonly at: string; readonly n: number; readonly answer: Answer | AnswerInWords }
  | { readonly entry: "learned"; readonly at: string; readonly ids: { readonly [address: Address]: number } }
  /** The final result of call `n`, including a reading after a lost answer. */
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
      /** The journal of the run that took over; absent if that run found nothing left to do. */
      readonly by?: string;
      readonly done: number;
      readonly left: number;
      /** Written when a later run took over: the calls that may or may not have been carried out. */
      readonly open?: readonly number[];
    };
