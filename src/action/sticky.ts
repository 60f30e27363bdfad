import { createHash } from "node:crypto";
import type { GitHub } from "./github.ts";

export type CommentFate = "created" | "edited" | "unchanged";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Marks our comment of one realm and one file. A hash, so that no name can break out of the comment it stands in. */
export function markerOf(purpose: string, realm: string, file: string): string {
  return `<!-- realmctl:${purpose}:${hash(`${realm}\n${file}`)} -->`;
}

/**
 * One comment per marker: made, edited in place, or left alone when it says the same already. Older ones of ours are minimised;
 * comments of others that carry the marker are not looked at.
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
  if (newest === undefined) {
    await github.createComment(pull, body);
    return "created";
  }
  if (newest.body.startsWith(`${marker}\n${stamp}\n`)) return "unchanged";
  await github.updateComment(newest.id, body);
  return "edited";
}
