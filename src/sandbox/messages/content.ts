import { ApiError } from "../errors.ts";
import { decodedPath } from "../http.ts";
import { codePoints } from "../params.ts";
import { strippedEnd } from "../python.ts";

/** The content of a message: its length, and the files to which it links. */
const MAX_MESSAGE_LENGTH = 10_000;
const TRUNCATED = "\n[message truncated]";

/**
 * The content as the server stores it: without leading newlines and trailing white space, and truncated if it is too long.
 * @throws ApiError if it is empty or contains null bytes
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
 * The paths of the uploaded files to which the text links, without duplicates; a path outside a link does not count.
 * @param hosts the host names of the server
 */
export function linkedUploads(content: string, serverUrl: string, hosts: ReadonlySet<string>): string[] {
  const text = withoutCode(content);
  const addresses = [...text.matchAll(LINK)].map(([, address = ""]) => address);
  for (const [address] of text.matchAll(BARE_ADDRESS)) addresses.push(address);
  const found = new Set<string>();
  for (const address of addresses) {
    if (!URL.canParse(address, serverUrl)) continue;
    const { host, pathname } = new URL(address, serverUrl);
    if (hosts.has(host) && pathname.startsWith(UPLOADS)) found.add(decodedPath(pathname.slice(UPLOADS.length)));
  }
  return [...found];
}
function withoutCode(content: string): string {
  return content.replace(/(^|\n) {0,3}```(?!quote|spoiler)[\s\S]*?(\n {0,3}```|$)/g, "\n").replace(/`[^`\n]*`/g, " ");
}
/** `/me` at the start and only one paragraph make a status message. */
export const isStatusMessage = (content: string): boolean => content.startsWith("/me ") && !content.includes("\n\n");
