import { expect } from "vitest";
import type { World } from "../support/world.ts";
import { outcomeOf } from "./outcome.ts";
import { seenIn } from "./seen.ts";

/**
 * Call it before the first request. It returns a function that compares the realm, when it is called, with what the documents say about the file. A
 * planner that means the wrong object would leave nothing to plan afterwards; this check finds it.
 */
export function outcomeIn(world: World, yaml: string): () => void {
  const before = world.sandbox.state();
  const expected = outcomeOf(yaml, before, world.account);
  return () => {
    const seen = seenIn(world.sandbox.state(), before, world.account);
    // If the order of folders does not count, new ones may have any order.
    const folderOrder = seen.folderOrder.filter((ref) => expected.folderOrder.includes(ref));
    const organization = Object.fromEntries(
      Object.entries(seen.organization).filter(([setting]) => setting in expected.organization),
    );
    expect({ ...seen, organization, folderOrder }).toEqual(expected);
  };
}
