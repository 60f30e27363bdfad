import * as z from "zod";
import type { Diagnostic } from "./diagnostic.ts";

/** Whether every call succeeded, and the result matches the file. */
export const isClean = ({ failed, remaining }: Rehearsal): boolean => failed === undefined && remaining === undefined;

/** A refusal of the server that no reading excludes, as a warning of the plan says. */
export interface MayBeRefused {
  readonly why: "unseen-names" | "topics";
  /** Their names. */
  readonly channels: readonly string[];
}

export function mayBeRefused(warnings: readonly Diagnostic[]): readonly MayBeRefused[] {
  return warnings.flatMap((warning): readonly MayBeRefused[] => {
    if (warning.code === "channels/unseen-names")
      return [{ why: "unseen-names", channels: warning.fact.names.map(({ quoted }) => quoted) }];
    if (warning.code === "channels/empty-topic-only") return [{ why: "topics", channels: [warning.fact.name.quoted] }];
    return [];
  });
}

/** The limits of a rehearsal: the sandbox starts from a reading, which has only what the server shows to one account. */
const UNREHEARSED = [
  "subscribers",
  "memberships",
  "pictures",
  "webhooks",
  "mail-limits",
  "unseen-names",
  "topics",
  "workplace-group",
] as const;

const Address = z.templateLiteral([z.string(), ":", z.string()]);
// The forms of names and texts in facts, by which redaction finds them (diagnostics/values.ts).
const Named = z.strictObject({ address: Address, name: z.string() });
const Quoted = z.strictObject({ quoted: z.string(), of: z.string().optional() });
const Person = z.strictObject({ user_id: z.int(), full_name: z.string().optional() });

/**
 * The result of a plan that was carried out call by call on a copy of the organization, made from the reading that it was planned from.
 * Facts; `src/report/words/rehearsal.ts` makes sentences of them.
 */
export const Rehearsal = z
  .strictObject({
    calls: z.int().describe("Calls of the plan."),
    newer: z
      .strictObject({
        server: z.int().describe("The server's feature level."),
        known: z.int().describe("The newest level whose rules the copy follows."),
      })
      .optional()
      .describe("Only if the server is newer than the rules of the copy."),
    succeeded: z.int().describe("Calls that the copy carried out."),
    failed: z
      .strictObject({
        n: z.int().describe("The first call that was not carried out."),
        operation: z.string(),
        object: Named.optional(),
        code: z.string().describe("The server's code, or the reason why the call was not sent."),
        said: Quoted.describe("The server's own words."),
      })
      .optional(),
    remaining: z
      .strictObject({
        changes: z.int().describe("Changes that planning again on the copy still finds."),
        first: z.array(Named).readonly().describe("The first objects that they are about."),
        errors: z.array(z.string()).readonly().describe("Codes of errors, if it cannot be planned again."),
      })
      .optional()
      .describe("Absent if the result matches the file, or if a call failed."),
    opened: z
      .array(z.strictObject({ n: z.int(), object: Named, right: z.string(), people: z.int() }))
      .readonly()
      .describe("After which call people hold a right that they hold neither before nor after the plan."),
    notices: z
      .array(z.strictObject({ channel: Quoted, messages: z.int(), people: z.int() }))
      .readonly()
      .describe("Messages of the server in channels, and how many people get them."),
    direct: z.array(Person).readonly().describe("Who gets a direct message of the server."),
    mails: z.array(Quoted).readonly().describe("Addresses that an e-mail goes to."),
    not_rehearsed: z.array(z.enum(UNREHEARSED)).readonly(),
  })
  .describe("The result of the plan on a copy of the organization in memory.");
export type Rehearsal = Readonly<z.infer<typeof Rehearsal>>;
export type Unrehearsed = (typeof UNREHEARSED)[number];
