import { createHash, randomUUID } from "node:crypto";

/**
 * API keys are derived from the seed: the same realm and seed give the same keys, and the state never holds a key. Without a seed the keys cannot be
 * guessed.
 */
export function keyMaker(seed: string = randomUUID()): (userId: number, keysBefore: number) => string {
  const known = new Map<string, string>();
  return (userId, keysBefore) => {
    const whose = keysBefore === 0 ? `${userId}` : `${userId} ${keysBefore}`;
    const made = known.get(whose) ?? createHash("sha256").update(`${seed} ${whose}`).digest("hex").slice(0, 32);
    known.set(whose, made);
    return made;
  };
}
