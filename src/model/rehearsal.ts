import type { Diagnostic } from "./diagnostic.ts";
import type { Address } from "./plan.ts";
import type { Rehearsal } from "./rehearsal-form.ts";

export type { Rehearsal, Unrehearsed } from "./rehearsal-form.ts";

/** Whether every call succeeded, and the result matches the file. */
export const isClean = ({ failed, remaining }: Rehearsal): boolean => failed === undefined && remaining === undefined;

/** A refusal of the server that no reading excludes, as a warning of the plan says. */
export interface MayBeRefused {
  readonly why: "unseen-names" | "topics";
  readonly channels: readonly Address[];
}

export function mayBeRefused(warnings: readonly Diagnostic[]): readonly MayBeRefused[] {
  return warnings.flatMap((warning): readonly MayBeRefused[] => {
    if (warning.code === "channels/unseen-names")
      return [{ why: "unseen-names", channels: warning.fact.names.map(({ quoted }): Address => `channel:${quoted}`) }];
    if (warning.code === "channels/empty-topic-only")
      return [{ why: "topics", channels: [`channel:${warning.fact.name.quoted}`] }];
    return [];
  });
}
