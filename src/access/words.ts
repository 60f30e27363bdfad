import { own } from "../model/own.ts";
import { otherRights } from "../model/permission-settings.ts";
import type { Realm } from "../model/realm.ts";
import { type CHANNEL_RULES, type GROUP_RULES, READ, SEE } from "./rules.ts";
import { CHANNEL, GROUP, type Scope } from "./scope.ts";

/** A right, and the plain word that files and command lines may use instead of the API's name of its setting. */
export interface Right {
  readonly scope: Scope;
  /** The API's name of the setting; {@link READ} and {@link SEE} have none. */
  readonly right: string;
  readonly word: string;
}

const CHANNEL_WORDS = {
  [READ]: "read",
  can_send_message_group: "post",
  can_create_topic_group: "start topics",
  can_subscribe_group: "join",
  can_administer_channel_group: "administer",
  can_add_subscribers_group: "add subscribers",
  can_remove_subscribers_group: "remove subscribers",
  can_delete_any_message_group: "delete any message",
  can_delete_own_message_group: "delete own messages",
  can_move_messages_within_channel_group: "move messages",
  can_move_messages_out_of_channel_group: "move messages out",
  can_resolve_topics_group: "resolve topics",
  [SEE]: "know of",
} as const satisfies { readonly [right in keyof typeof CHANNEL_RULES | typeof READ | typeof SEE]: string };

const GROUP_WORDS = {
  can_join_group: "join",
  can_leave_group: "leave",
  can_manage_group: "manage",
  can_add_members_group: "add members",
  can_remove_members_group: "remove members",
  can_mention_group: "mention",
} as const satisfies { readonly [right in keyof typeof GROUP_RULES]: string };

const ORGANIZATION_WORDS = {
  can_invite_users_group: "invite",
  create_multiuse_invite_group: "create invitation links",
  can_create_public_channel_group: "create public channels",
  can_create_private_channel_group: "create private channels",
  can_create_web_public_channel_group: "create web-public channels",
  can_add_subscribers_group: "add subscribers anywhere",
  can_create_groups: "create groups",
  can_manage_all_groups: "manage all groups",
  can_create_bots_group: "create bots",
  can_create_write_only_bots_group: "create write-only bots",
  can_add_custom_emoji_group: "add emoji",
  can_access_all_users_group: "see everybody",
  can_mention_many_users_group: "mention everybody",
  can_delete_any_message_group: "delete any message anywhere",
  can_delete_own_message_group: "delete own messages anywhere",
  can_move_messages_between_channels_group: "move messages between channels",
  can_move_messages_between_topics_group: "move messages between topics",
  can_resolve_topics_group: "resolve topics anywhere",
  can_set_delete_message_policy_group: "set who deletes messages",
  can_set_topics_policy_group: "set the topics policy",
  can_summarize_topics_group: "summarize topics",
  can_manage_billing_group: "manage billing",
  workplace_users_group: "count as a workplace user",
  direct_message_initiator_group: "start direct messages",
  direct_message_permission_group: "send direct messages",
} as const satisfies { readonly [right: string]: string };

/** Other words that people use. */
const SYNONYMS: { readonly [word: string]: string } = {
  write: "post",
  send: "post",
  "send messages": "post",
  "send message": "post",
  "read messages": "read",
  subscribe: "join",
  see: "know of",
  unsubscribe: "remove subscribers",
  "unsubscribe others": "remove subscribers",
  "remove subscriber": "remove subscribers",
  "add subscriber": "add subscribers",
  "delete others' messages": "delete any message",
  "delete others messages": "delete any message",
  "delete messages": "delete any message",
  "delete any messages": "delete any message",
  "delete own message": "delete own messages",
  "move messages within": "move messages",
  "create topics": "start topics",
  "start topic": "start topics",
  "invite users": "invite",
  "invite people": "invite",
  "create channels": "create public channels",
  "create user groups": "create groups",
};

function rightsOf(scope: Scope, words: { readonly [right: string]: string }): readonly Right[] {
  return Object.entries(words).map(([right, word]) => ({ scope, right, word }));
}

/** Every right that has a word, in the order of reports. */
export const RIGHTS: readonly Right[] = [
  ...rightsOf(CHANNEL, CHANNEL_WORDS),
  ...rightsOf(GROUP, GROUP_WORDS),
  ...rightsOf("organization", ORGANIZATION_WORDS),
];

/** Rights that only a server knows, by the names of their settings. */
export const otherRightsOf = ({ snapshot }: Realm): readonly Right[] =>
  (
    [
      [CHANNEL, "stream"],
      [GROUP, "group"],
      ["organization", "realm"],
    ] as const
  ).flatMap(([scope, described]) => otherRights(described, snapshot).map((right) => ({ scope, right, word: right })));

/** Whether the right is one of {@link RIGHTS}, and not one that only a server knows. */
export const isKnown = ({ scope, right }: Pick<Right, "scope" | "right">): boolean =>
  RIGHTS.some((known) => known.scope === scope && known.right === right);

/** The form in which words are compared: `delete others' messages` for `Delete_others' messages`. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ")
    .replaceAll("’", "'")
    .trim();

/**
 * The rights that this word, or the API's name of a setting, means; one for each scope that has it.
 * @param others rights that only a server knows
 */
export function rightsCalled(text: string, others: readonly Right[] = []): readonly Right[] {
  const wanted = folded(text);
  const word = own(SYNONYMS, wanted) ?? wanted;
  const api = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return [...RIGHTS, ...others].filter((right) => right.word === word || right.right === api);
}

/** Every word that {@link rightsCalled} accepts for these scopes: for suggestions. */
export function rightWords(scopes: readonly Scope[]): readonly string[] {
  const own = RIGHTS.filter(({ scope }) => scopes.includes(scope));
  const words = new Set(own.map(({ word }) => word));
  return [
    ...words,
    ...own.flatMap(({ right, word }) => (right === word ? [] : [right])),
    ...Object.entries(SYNONYMS).flatMap(([synonym, word]) => (words.has(word) ? [synonym] : [])),
  ];
}

/** The plain word of a right; the name of the setting if a later server added it. */
export function wordOf(scope: Scope, right: string): string {
  return RIGHTS.find((known) => known.scope === scope && known.right === right)?.word ?? right;
}
