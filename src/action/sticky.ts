import { createHash } from "node:crypto";
import type { GitHub } from "./github.ts";
import { isMarked } from "./github-answers.ts";

export type CommentFate = "created" | "edited" | "unchanged";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** The text without differences in white space, since GitHub may change spaces and line ends. */
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * Marks our comment about one realm and one file: its last line, since its first lines are what a mail or a phone shows. The marker is a hash, so that
 * no name can break out of the comment.
 */
export function markerOf(purpose: string, realm: string, file: string): string {
  return `<!-- realmctl:${purpose}:${hash(`${realm}\n${file}`)} -->`;
}

/**
 * Keeps one comment per marker: creates it, edits it in place, or leaves it alone if it already says the same. Older ones of ours are minimised. If
 * somebody minimised the comment and there is something new to say, a new one is created. Comments of others that have the marker are ignored.
 * @param text decides whether the comment changed
 * @param footer may differ without an edit: when the snapshot was taken
 */
export async function keepComment(
  github: Pick<GitHub, "comments" | "createComment" | "updateComment" | "minimiseComment">,
  pull: number,
  marker: string,
  { text, footer }: { readonly text: string; readonly footer: string },
): Promise<CommentFate> {
  const stamp = `<!-- realmctl:digest:${hash(text)} -->`;
  const end = `${stamp}\n${marker}`;
  const body = `${text}\n${footer}\n${end}`;
  const own = (await github.comments(pull)).filter((comment) => comment.mine && isMarked(comment.body, marker));
  const newest = own.at(-1);
  for (const old of own) if (old !== newest && !old.minimised) await github.minimiseComment(old.nodeId);
  // Somebody may have edited it by hand: its text counts, not the digest that it states.
  const says = squeezed(newest?.body ?? "");
  if (newest !== undefined && says.startsWith(squeezed(text)) && says.endsWith(squeezed(end))) return "unchanged";
  // An edit of a minimised comment would not be noticed.
  if (newest === undefined || newest.minimised) {
    await github.createComment(pull, body);
    return "created";
  }
  await github.updateComment(newest.id, body);
  return "edited";
}
