import { createHash } from "node:crypto";
import type { Commit } from "./github-branches.ts";

/** Names what a commit of ours takes into the file; the rest of the line is a digest of it. */
export const TRAILER = "realmctl-adopt: ";
const SEAL = "realmctl-seal: ";

/** A commit's message with what the commit was when it was made: its files, what it stands on, what it says. */
export function sealed(message: string, tree: string, parents: readonly string[]): string {
  return `${message}${SEAL}${hash(JSON.stringify([message.trim(), tree, parents]))}\n`;
}

/** Is the commit as the Action made it? One that somebody amended keeps the trailer, but not what the seal says. */
export function isOurs({ message, tree, parents }: Pick<Commit, "message" | "tree" | "parents">): boolean {
  const own = message.lastIndexOf(`\n${SEAL}`);
  if (own === -1 || !message.includes(`\n${TRAILER}`)) return false;
  return sealed(message.slice(0, own + 1), tree, parents).trim() === message.trim();
}

export const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
