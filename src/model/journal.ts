import * as z from "zod";
import type { NoAnswer, OwnRefusal, UnclearAnswer } from "./diagnostics/calls.ts";
import { address, type Immutable, json, jsonObject, maybe, written } from "./form.ts";
import { JOURNAL_VERSION } from "./own-format.ts";
import { CallStateForm } from "./result.ts";
import type { CallFact } from "./run-facts.ts";

// Only code that reads a journal imports the schema; all other code imports the types.

/** A call with every id filled in, as the client encodes and sends it. */
export type WireCall = Immutable<z.infer<typeof WireCallForm>>;
const WireCallForm = z.strictObject({
  operation: z.string(),
  path: z.record(z.string(), z.union([z.string(), z.number()])),
  params: jsonObject(),
});
/** The facts, as data: `is` says which reason it is, `quoted` has the system's message. */
const ReasonForm = z.record(z.string(), z.json());

/** The result of one request. */
export type Answer = Immutable<z.infer<typeof AnswerForm>>;
const AnswerForm = z.union([
  /** The server accepted it. */
  z.strictObject({
    outcome: z.literal("applied"),
    body: jsonObject(),
    /**
     * Parameters that it does not know (`ignored_parameters_unsupported`); the others took effect, these did not, so the call did not have its whole
     * effect and counts as failed. Never an empty list.
     */
    ignored: z.array(z.string()).exactOptional(),
  }),
  /** The server refused: nothing changed, or (PATCH /streams, zulip-api.md §3.5.2) only the parts before the refused one. */
  z.strictObject({
    outcome: z.literal("refused"),
    status: z.int(),
    code: z.string(),
    /** The server's words; empty with `own`. */
    message: z.string(),
    details: jsonObject(),
    own: written<OwnRefusal>(ReasonForm).exactOptional().describe("The refusal is not an answer of the server."),
  }),
  /** The request may or may not have been carried out: there was no answer, or an unreadable one. Only a reading shows it. */
  z.strictObject({ outcome: z.literal("unknown"), reason: written<UnclearAnswer>(ReasonForm) }),
  /** The request certainly did not reach the server: the run was stopped before, or there was no connection. */
  z.strictObject({ outcome: z.literal("not-attempted"), reason: written<NoAnswer>(ReasonForm) }),
]);
/** An answer with a sentence instead of the reason. */
export type AnswerInWords = Immutable<z.infer<typeof AnswerInWordsForm>>;
const AnswerInWordsForm = z
  .strictObject({ outcome: z.enum(["unknown", "not-attempted"]), message: z.string() })
  .describe("In journals of versions 1 and 2.");
const at = z.string().describe("ISO 8601, UTC.");

const sum = maybe(z.string(), "The first 16 hex digits of SHA-256 of the line without `sum` and `code`.");
const code = maybe(
  z.string(),
  "32 hex digits of HMAC-SHA256 of the line before (its code) and this line, with a key derived from the account's API key. Since version 4.",
);

/** What a run carried out, if `apply` did not plan it from a file. */
export type RunSource = Immutable<z.infer<typeof RunSourceForm>>;
export const RunSourceForm = z
  .strictObject({ is: z.enum(["undo", "saved-plan", "sync"]), file: z.string() })
  .describe(
    "What a run carried out, if `apply` did not plan it from a file: the undo of a journal, a saved plan, or the lists of a file that `sync` keeps.",
  );

const AccountsById = z.record(z.string().regex(/^\d+$/), z.array(z.int())).exactOptional();

const line = <E extends string, F extends z.ZodRawShape>(entry: E, fields: F) =>
  z.strictObject({ entry: z.literal(entry), at, ...fields, sum, code });

/** One line of a journal in .realmctl/ (JSON Lines), written and flushed before the next call goes out. Never holds credentials. */
export type JournalEntry = Immutable<z.infer<typeof JournalEntryForm>>;
export const JournalEntryForm = z
  .discriminatedUnion("entry", [
    line("start", {
      format: z.literal("realmctl.journal"),
      version: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(JOURNAL_VERSION)]),
      file: z.string().exactOptional().describe("The name of the journal itself. Absent before version 4."),
      tool_version: z.string(),
      realm: z.string(),
      account: z.string(),
      plan: json(),
      names: maybe(
        z.record(z.string().regex(/^[a-z_]+:/), z.int()),
        "Address → id, of the objects that values of the plan name and that it does not change.",
      ),
      inside: AccountsById.describe(
        "By the id of a private channel that the run opens: who was subscribed when it began.",
      ),
      readers: AccountsById.describe(
        "The same of who read it, could let themselves in, or could come to by joining groups.",
      ),
      administrators: AccountsById.describe("The same of who administered it."),
      groups: AccountsById.describe(
        "By the id of a group that the run opens: who was in it, or could put themselves into it. Before, only of an account that is no administrator.",
      ),
      already: AccountsById.describe(
        "By the id of a private channel that the run does not open: who could read it, of the people who can come into these groups by the run.",
      ),
      owners: AccountsById.describe("Of a run that makes administrators, by the id of an active bot: its owner."),
      /** Name of the journal that this run continues: its run never reached its end, or ended with requests left. */
      resumes: z.string().exactOptional(),
      source: RunSourceForm.exactOptional(),
    }),
    line("sending", { n: z.int(), call: WireCallForm }),
    line("answer", { n: z.int(), answer: z.union([...AnswerForm.options, AnswerInWordsForm]) }),
    line("learned", { ids: z.record(address(), z.int()) }),
    line("settled", {
      n: z.int(),
      /** The final one, including a reading after a lost answer. */
      state: CallStateForm,
      fact: written<CallFact>(z.record(z.string(), z.json())).exactOptional(),
      message: z.string().exactOptional().describe("In journals of version 1, instead of `fact`."),
    }),
    line("end", {
      outcome: z.string(),
      by: maybe(z.string(), "`taken-over`: the journal of the later run; absent if that run found nothing left to do."),
      done: z.int(),
      left: z.int(),
      open: maybe(z.array(z.int()), "A later run took over here: these calls may or may not have been carried out."),
    }),
  ])
  .describe("One line of a journal (JSON Lines).");
