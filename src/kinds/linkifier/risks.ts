import type { Change, Risk } from "../../model/plan.ts";

/** A linkifier that goes: what is written from now on gets no link any more. Messages that are there keep theirs. */
export function linkifierRisks({ action, name, address, at }: Change): readonly Risk[] {
  if (action !== "remove") return [];
  return [
    { kind: "removes", message: `the linkifier ${name} is removed`, address, ...(at === undefined ? {} : { at }) },
  ];
}
