import { createHash } from "node:crypto";
import type { GitHub } from "./github.ts";

export type CommentFate = "created" | "edited" | "unchanged";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** GitHub need not keep blanks and line ends as they were sent. */
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Marks our comment of one realm and one file. A hash, so that no name can break out of the comment it stands in. */
export function markerOf(purpose: string, realm: string, file: string): string {
  return `<!-- realmctl:${purpose}:${hash(`${realm}\n${file}`)} -->`;
}

/**
 * One comment per marker: made, edited in place, or left alone when it says the same already. Older ones of ours are minimised, and
 * one that somebody minimised is followed by a new one when there is something new to say; comments of others that carry the marker are not looked at.
 * @param text what decides whether it changed
 * @param footer what may differ without an edit: when the snapshot was taken
 */
export async function keepComment(
  github: Pick<GitHub, "comments" | "createComment" | "updateComment" | "minimiseComment">,
  pull: number,
  marker: string,
  { text, footer }: { readonly text: string; readonly footer: string },
): Promise<CommentFate> {
  const stamp = `<!-- realmctl:digest:${hash(text)} -->`;
  const body = `${marker}\n${stamp}\n${text}\n${footer}`;
  const own = (await github.comments(pull)).filter((comment) => comment.mine && comment.body.startsWith(marker));
  const newest = own.at(-1);
  for (const old of own) if (old !== newest && !old.minimised) await github.minimiseComment(old.nodeId);
  // Somebody may have edited it by hand: what counts is what it says, not what it says of itself.
  if (newest !== undefined && squeezed(newest.body).startsWith(squeezed(`${marker}\n${stamp}\n${text}`)))
    return "unchanged";
  // One that somebody hid would be changed where nobody looks.
  if (newest === undefined || newest.minimised) {
    await github.createComment(pull, body);
    return "created";
  }
  await github.updateComment(newest.id, body);
  return "edited";
}
