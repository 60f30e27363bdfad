import { own } from "../model/defined.ts";
import { otherRights, PERMISSIONS, type RightScope } from "../model/permission-settings.ts";
import type { Realm } from "../model/realm.ts";
import type { Synonyms } from "../model/synonyms.ts";
import { READ, SEE } from "./rules.ts";
import { CHANNEL, GROUP, type Scope } from "./scope.ts";

/** A right, and the plain word that files and command lines may use instead of the API's name of its setting. */
export interface Right {
  readonly scope: Scope;
  /** The API's name of the setting; {@link READ} and {@link SEE} have none. */
  readonly right: string;
  readonly word: string;
}

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

const rightsOf = (scope: Scope, described: RightScope): readonly Right[] =>
  Object.entries(PERMISSIONS[described])
    .sort(([, a], [, b]) => a.words.listed - b.words.listed)
    .map(([right, { words }]) => ({ scope, right, word: words.word }));

const SCOPES = [
  [CHANNEL, "stream"],
  [GROUP, "group"],
  ["organization", "realm"],
] as const;

/** Every right that has a word, in the order of reports. */
export const RIGHTS: readonly Right[] = [
  { scope: CHANNEL, right: READ, word: "read" },
  ...rightsOf(CHANNEL, "stream"),
  { scope: CHANNEL, right: SEE, word: "know of" },
  ...rightsOf(GROUP, "group"),
  ...rightsOf("organization", "realm"),
];

/** Rights that only a server knows, by the names of their settings. */
export const otherRightsOf = ({ snapshot }: Realm): readonly Right[] =>
  SCOPES.flatMap(([scope, described]) =>
    otherRights(described, snapshot).map((right) => ({ scope, right, word: right })),
  );

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

/** Other words for the privacy of channels, in files and in rules. */
export const PRIVACY_SYNONYMS = {
  fields: {
    privacy: [
      "visibility",
      "type",
      "access",
      "access_level",
      "history_public_to_subscribers",
      "stream_privacy",
      "history",
    ],
  },
  lines: {
    private: ["privacy: private_shared_history", "privacy: public"],
    is_private: ["privacy: private_shared_history", "privacy: public"],
    invite_only: ["privacy: private_shared_history", "privacy: public"],
    is_secret: ["privacy: private_shared_history", "privacy: public"],
    secret: ["privacy: private_shared_history", "privacy: public"],
    hidden: ["privacy: private_shared_history", "privacy: public"],
    // What is not public may have its history or not, and what is not on the web may be private.
    public: ["privacy: public", "privacy"],
    is_public: ["privacy: public", "privacy"],
    web_public: ["privacy: web_public", "privacy"],
    is_web_public: ["privacy: web_public", "privacy"],
  },
} as const satisfies Synonyms;
