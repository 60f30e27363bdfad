import { createHash } from "node:crypto";

/** API keys that follow from the seed: the same realm and seed give the same keys, and the state never holds one. */
export function keyMaker(seed: string): (userId: number) => string {
  const known = new Map<number, string>();
  return (userId) => {
    const made = known.get(userId) ?? createHash("sha256").update(`${seed} ${userId}`).digest("hex").slice(0, 32);
    known.set(userId, made);
    return made;
  };
}
