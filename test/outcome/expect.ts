import { expect } from "vitest";
import type { World } from "../support/world.ts";
import { outcomeOf } from "./outcome.ts";
import { seenIn } from "./seen.ts";

/**
 * Call it before the first request; what it gives back holds the realm of then against what the documents say of the file. A planner
 * that means the wrong object leaves nothing to plan afterwards, and is found out here.
 */
export function outcomeIn(world: World, yaml: string): () => void {
  const before = world.sandbox.state();
  const expected = outcomeOf(yaml, before, world.account);
  return () => {
    const seen = seenIn(world.sandbox.state(), before, world.account);
    // Where the order of folders does not count, new ones may have come in any.
    const folderOrder = seen.folderOrder.filter((ref) => expected.folderOrder.includes(ref));
    const organization = Object.fromEntries(
      Object.entries(seen.organization).filter(([setting]) => setting in expected.organization),
    );
    expect({ ...seen, organization, folderOrder }).toEqual(expected);
  };
}
