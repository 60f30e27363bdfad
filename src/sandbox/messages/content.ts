import { ApiError } from "../errors.ts";
import { codePoints } from "../params.ts";
import { type RealmState, rows } from "../state.ts";
import { strippedEnd } from "../white-space.ts";

/** What a message says: its length, what it mentions and links, and its HTML (a simple rendering, clients do their own). */
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

export interface Mentions {
  /** Named one by one or as members of a mentioned group. */
  readonly users: ReadonlySet<number>;
  readonly groups: readonly number[];
  /** @all, @everyone, @stream, @channel */
  readonly wholeChannel: boolean;
  /** @topic */
  readonly wholeTopic: boolean;
}

const CHANNEL_WILDCARDS = new Set(["all", "everyone", "stream", "channel"]);
const USER_MENTION = /(?<![^\s'"({[/<])@(_?)\*\*([^*]+)\*\*/g;
const GROUP_MENTION = /(?<![^\s'"({[/<])@(_?)\*([^*]+)\*(?!\*)/g;

/** Whom the text mentions. Silent mentions, quotes and code mention nobody. */
export function mentionsOf(
  state: RealmState,
  content: string,
  membersOf: (groupId: number) => readonly number[],
): Mentions {
  const spoken = spokenText(content);
  const users = new Set<number>();
  const groups = new Set<number>();
  let wholeChannel = false;
  let wholeTopic = false;
  for (const [, silent, name = ""] of spoken.matchAll(USER_MENTION)) {
    if (silent === "_") continue;
    const user = userNamed(state, name);
    if (CHANNEL_WILDCARDS.has(name)) wholeChannel = true;
    else if (name === "topic") wholeTopic = true;
    else if (user !== undefined) users.add(user);
  }
  for (const [, silent, name = ""] of spoken.matchAll(GROUP_MENTION)) {
    if (silent === "_") continue;
    const group = rows(state.user_groups).find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (group === undefined || group.deactivated) continue;
    groups.add(group.id);
    for (const member of membersOf(group.id)) users.add(member);
  }
  return { users, groups: [...groups], wholeChannel, wholeTopic };
}

/** `Full Name`, `Full Name|7` or `|7` */
function userNamed(state: RealmState, name: string): number | undefined {
  const byId = /^(.*)\|(\d+)$/s.exec(name);
  if (byId !== null) {
    const user = state.users[Number(byId[2])];
    const named = byId[1] === "" || user?.full_name.toLowerCase() === byId[1]?.toLowerCase();
    return user?.is_active === true && named ? user.user_id : undefined;
  }
  const lower = name.toLowerCase();
  return rows(state.users).find((user) => user.is_active && user.full_name.toLowerCase() === lower)?.user_id;
}

const FENCE = /^(`{3,}|~{3,}) *\{?\.?([\w+\-./#]*)[^~`]*$/;
/** The text without code and quotes; what a spoiler hides is said all the same. */
function spokenText(content: string): string {
  const kept: string[] = [];
  const open: { readonly marks: string; readonly isSpoken: boolean }[] = [];
  let isQuote = false;
  for (const line of content.split("\n")) {
    const inner = open.at(-1);
    const [, marks, kind] = FENCE.exec(line) ?? [];
    if (inner !== undefined && line.trimEnd() === inner.marks) open.pop();
    else if (inner?.isSpoken === false) continue;
    else if (marks !== undefined) open.push({ marks, isSpoken: kind === "spoiler" });
    else {
      // A quote goes on to the next empty line.
      isQuote = line.trim() !== "" && (isQuote || /^ {0,3}>/.test(line));
      if (!isQuote) kept.push(line);
    }
  }
  return kept.join("\n").replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, " ");
}

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

/** Enough HTML to read: paragraphs, breaks, code, quotes, emphasis, links. */
export function rendered(content: string): string {
  const html: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const text = paragraph.join("\n").trim();
    if (text !== "") html.push(`<p>${inline(text).replace(/\n/g, "<br>\n")}</p>`);
    paragraph = [];
  };
  const lines = content.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = /^ {0,3}(`{3,}|~{3,}) *(\S*)/.exec(line);
    if (fence !== null) {
      endParagraph();
      const end = lines.findIndex((other, index) => index > at && other.trim() === fence[1]);
      const inner = lines.slice(at + 1, end < 0 ? lines.length : end).join("\n");
      html.push(
        fence[2] === "quote"
          ? `<blockquote>\n${rendered(inner)}\n</blockquote>`
          : `<div class="codehilite"><pre><code>${escaped(inner)}\n</code></pre></div>`,
      );
      at = end < 0 ? lines.length : end;
    } else if (line.trim() === "") endParagraph();
    else paragraph.push(line);
  }
  endParagraph();
  return html.join("\n");
}
function inline(block: string): string {
  return escaped(block)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, '<a href="$2">$1</a>')
    .replace(/@(_?)\*\*([^*]+)\*\*/g, (_, silent: string, name: string) => {
      const shown = name.replace(/\|\d+$/, "");
      return silent === "_"
        ? `<span class="user-mention silent">${shown}</span>`
        : `<span class="user-mention">@${shown}</span>`;
    })
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");
}
export function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** `/me` at the start and a single paragraph make a status message. */
export const isStatusMessage = (content: string): boolean => content.startsWith("/me ") && !content.includes("\n\n");
