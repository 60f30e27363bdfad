import { isTree } from "../source/tree.ts";
import type { Shape } from "./shape.ts";

/** Whether an entry is named like a field, and has the value of one. */
export function isFieldOfAbove(shape: Shape, entry: string | number, raw: unknown): boolean {
  if (typeof entry !== "string" || raw === null || isTree(raw)) return false;
  return shape.pathsOf(entry).length > 0 || shape.fieldsAt([]).includes(entry);
}
