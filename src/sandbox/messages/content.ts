import { ApiError } from "../errors.ts";
import { codePoints } from "../params.ts";
import { strippedEnd } from "../white-space.ts";

/** What a message says: its length, and the files it links. */
const MAX_MESSAGE_LENGTH = 10_000;
const TRUNCATED = "\n[message truncated]";

/**
 * Content as the server stores it: newlines before it and white space after it are dropped, too long a text is cut.
 * @throws ApiError when it is empty or holds null bytes
 */
export function normalizedContent(sent: string): string {
  const content = strippedEnd(sent).replace(/^\n+/, "");
  if (content === "") throw new ApiError("Message must not be empty");
  if (content.includes("\0")) throw new ApiError("Message must not contain null bytes");
  return truncated(content, MAX_MESSAGE_LENGTH);
}
export function truncated(content: string, maxLength: number): string {
  if (codePoints(content) <= maxLength) return content;
  return [...content].slice(0, maxLength - TRUNCATED.length).join("") + TRUNCATED;
}
export const MAX_CONTENT_LENGTH = MAX_MESSAGE_LENGTH;

const LINK = /\]\(\s*<?([^\s()<>]+)/g;
const BARE_ADDRESS = /https?:\/\/[^\s<>"')\]]+/g;
const UPLOADS = "/user_uploads/";
/**
 * Paths of the uploaded files that the text links, each once; a path that is no link counts for nothing.
 * @param hosts under which the server is known
 */
export function linkedUploads(content: string, serverUrl: string, hosts: ReadonlySet<string>): string[] {
  const text = withoutCode(content);
  const addresses = [...text.matchAll(LINK)].map(([, address = ""]) => address);
  for (const [address] of text.matchAll(BARE_ADDRESS)) addresses.push(address);
  const found = new Set<string>();
  for (const address of addresses) {
    if (!URL.canParse(address, serverUrl)) continue;
    const { host, pathname } = new URL(address, serverUrl);
    if (hosts.has(host) && pathname.startsWith(UPLOADS)) found.add(decoded(pathname.slice(UPLOADS.length)));
  }
  return [...found];
}
function withoutCode(content: string): string {
  return content.replace(/(^|\n) {0,3}```(?!quote|spoiler)[\s\S]*?(\n {0,3}```|$)/g, "\n").replace(/`[^`\n]*`/g, " ");
}
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `/me` at the start and a single paragraph make a status message. */
export const isStatusMessage = (content: string): boolean => content.startsWith("/me ") && !content.includes("\n\n");
