import { ApiError } from "../errors.ts";
import { decodedPath } from "../http.ts";
import { codePoints, optional, text } from "../params.ts";
import { stripped, strippedEnd } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import type { Destination } from "./access.ts";
import type { Visibility } from "./user-topics.ts";
import type { Widget } from "./widgets.ts";

export interface Posting {
  readonly sender: User;
  readonly to: Destination;
  /** The result of `normalizedContent`. */
  readonly content: string;
  readonly client: string;
  /** Replaces the widget that the content asks for. */
  readonly widget?: Widget | undefined;
  /** The people for whom the message is read from the start. */
  readonly readBy?: readonly number[];
  /** If present, the message is read from the start for everybody else. */
  readonly unreadFor?: ReadonlySet<number>;
  readonly isResolveNotice?: boolean;
}
export interface Posted {
  readonly id: number;
  /** The sender's new visibility policy for the topic, if it changed. */
  readonly visibility: Visibility | undefined;
}

/** `topic`, and its older name. Surrounding white space is dropped. */
export const topicParams = { topic: optional(text()), subject: optional(text()) };

/** @throws ApiError if both names are used */
export function topicSent(args: {
  readonly topic: string | undefined;
  readonly subject: string | undefined;
}): string | undefined {
  if (args.topic !== undefined && args.subject !== undefined)
    throw new ApiError("Can't decide between 'topic' and 'subject' arguments", {
      code: "REQUEST_CONFUSING_VAR",
      extra: { var_name1: "topic", var_name2: "subject" },
    });
  const sent = args.topic ?? args.subject;
  return sent === undefined ? undefined : stripped(sent);
}

/** The changes of an edit, already looked up and allowed. */

export interface Move {
  readonly from: Channel;
  readonly to: Channel;
  readonly before: string;
  readonly after: string;
  /** The requested value; for the channel this may be the current one. */
  readonly topicChanged: boolean;
  readonly channelChanged: boolean;
  readonly isResolved: boolean;
  readonly isUnresolved: boolean;
}
export interface Edit {
  readonly content: string | undefined;
  readonly move: Move | undefined;
  readonly propagateMode: "change_one" | "change_later" | "change_all";
}

/** A bot of the server, which sends its messages; undefined in a realm that was read without it. */
export const systemBot = (state: RealmState, name: "notification-bot" | "welcome-bot"): User | undefined =>
  rows(state.users).find((user) => user.is_system_bot && user.email.startsWith(`${name}@`));

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
