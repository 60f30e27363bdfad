import type { Diagnostic } from "./diagnostic.ts";
import type { Rehearsal } from "./rehearsal-form.ts";

export type { Rehearsal, Unrehearsed } from "./rehearsal-form.ts";

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
