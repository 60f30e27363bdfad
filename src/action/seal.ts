import { createHash } from "node:crypto";
import type { Commit } from "./github-branches.ts";

/** Marks a commit of ours that adopts values into the file; the rest of the line is a digest of the commit. */
export const TRAILER = "realmctl-adopt: ";
const SEAL = "realmctl-seal: ";

/** Adds to a commit's message a digest of the commit as it was made: its files, its parent, its message. */
export function sealed(message: string, tree: string, parents: readonly string[]): string {
  return `${message}${SEAL}${hash(JSON.stringify([message.trim(), tree, parents]))}\n`;
}

/** Is the commit as the Action made it? A commit that somebody amended keeps the trailer, but no longer matches the seal. */
export function isOurs({ message, tree, parents }: Pick<Commit, "message" | "tree" | "parents">): boolean {
  const own = message.lastIndexOf(`\n${SEAL}`);
  if (own === -1 || !message.includes(`\n${TRAILER}`)) return false;
  return sealed(message.slice(0, own + 1), tree, parents).trim() === message.trim();
}

export const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
