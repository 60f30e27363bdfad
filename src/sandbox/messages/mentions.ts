import type { User } from "../rows/accounts.ts";
import type { UserGroup } from "../rows/groups.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

/** The people whom a message mentions. */

export interface Mentions {
  /** People who are mentioned directly, or as members of a mentioned group. */
  readonly users: ReadonlySet<number>;
  readonly groups: readonly number[];
  /** Whether the text contains @all, @everyone, @stream or @channel. */
  readonly wholeChannel: boolean;
  /** Whether the text contains @topic. */
  readonly wholeTopic: boolean;
}

export const CHANNEL_WILDCARDS = new Set(["all", "everyone", "stream", "channel"]);
const USER_MENTION = /(?<![^\s'"({[/<])@(_?)\*\*([^*]+)\*\*/g;
const GROUP_MENTION = /(?<![^\s'"({[/<])@(_?)\*([^*]+)\*(?!\*)/g;

/** Finds everybody whom the text mentions. Silent mentions, quotes and code mention nobody. */
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
    else if (user !== undefined) users.add(user.user_id);
  }
  for (const [, silent, name = ""] of spoken.matchAll(GROUP_MENTION)) {
    if (silent === "_") continue;
    const group = groupNamed(state, name);
    if (group === undefined) continue;
    groups.add(group.id);
    for (const member of membersOf(group.id)) users.add(member);
  }
  return { users, groups: [...groups], wholeChannel, wholeTopic };
}

/** `Full Name`, `Full Name|7` or `|7` */
export function userNamed(state: RealmState, name: string): User | undefined {
  const byId = /^(.*)\|(\d+)$/s.exec(name);
  if (byId !== null) {
    const user = state.users[Number(byId[2])];
    const named = byId[1] === "" || user?.full_name.toLowerCase() === byId[1]?.toLowerCase();
    return user?.is_active === true && named ? user : undefined;
  }
  const lower = name.toLowerCase();
  return rows(state.users).find((user) => user.is_active && user.full_name.toLowerCase() === lower);
}
/** An active user group. */
export function groupNamed(state: RealmState, name: string): UserGroup | undefined {
  const lower = name.toLowerCase();
  return rows(state.user_groups).find((group) => !group.deactivated && group.name.toLowerCase() === lower);
}

const FENCE = /^(`{3,}|~{3,}) *\{?\.?([\w+\-./#]*)[^~`]*$/;
/** The text without code and quotes; the content of a spoiler counts. */
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
      // A quote continues until the next empty line.
      isQuote = line.trim() !== "" && (isQuote || /^ {0,3}>/.test(line));
      if (!isQuote) kept.push(line);
    }
  }
  return kept.join("\n").replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, " ");
}
