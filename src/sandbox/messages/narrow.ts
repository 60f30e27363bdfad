import { isList, isObject } from "../../model/json.ts";
import { isGuest } from "../access.ts";
import { channelNamed } from "../channels/names.ts";
import { ApiError, valueError } from "../errors.ts";
import type { Schema } from "../params.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { Message } from "../rows/messages.ts";
import type { RealmState } from "../state.ts";
import { accountShownAs } from "../users/access.ts";
import { seesHistory, seesMessage } from "./access.ts";
import { storedFlags } from "./flags.ts";
import { attribute } from "./markdown.ts";
import { displayNameToEmpty, RESOLVED_PREFIX, sameTopic } from "./topics.ts";
import { isMutedFor, VISIBILITY, visibilityOf } from "./user-topics.ts";

/** The search language of GET /messages, as far as clients need it. */

type Operand = string | number | readonly number[];
export interface Term {
  readonly operator: string;
  readonly operand: Operand;
  readonly negated: boolean;
}
type Test = (message: Message) => boolean;

/** Operators whose operand can be one id or several; all others need text. */
const TAKES_ID = new Set(["id", "stream", "channel", "sender", "group-pm-with", "dm-including", "with"]);
const TAKES_IDS = new Set(["dm", "pm-with"]);

/** One term: `{operator, operand, negated?}` or `[operator, operand]`. */
export const term: Schema<Term> = (value, path) => {
  const invalid = (why: string) => valueError(path, why);
  if (isList(value)) {
    const [operator, operand] = value;
    if (value.length !== 2 || typeof operator !== "string" || typeof operand !== "string")
      throw invalid("element is not a string pair");
    return { operator, operand, negated: false };
  }
  if (!isObject(value)) throw invalid("dict or list required");
  const { operator, operand, negated } = value;
  if (operand === undefined || operand === null) throw invalid("operand is missing");
  if (operator === undefined || operator === null) throw invalid("operator is missing");
  if (typeof operator !== "string") throw new ApiError(`${path}["operator"] is not a string`);
  if (negated !== undefined && typeof negated !== "boolean") throw new ApiError(`${path}["negated"] is not a boolean`);
  return { operator, operand: checkedOperand(operator, operand), negated: negated ?? false };
};
/** @throws ApiError in the words of an older parser, without a path */
function checkedOperand(operator: string, operand: unknown): Operand {
  if (typeof operand === "string") {
    if (operator === "search" && operand.trim() === "") throw new ApiError("operand cannot be blank.");
    return operand;
  }
  const isId = typeof operand === "number" && Number.isInteger(operand);
  if (TAKES_IDS.has(operator) && isList(operand)) {
    const ids = operand.filter((each) => typeof each === "number");
    if (ids.length === operand.length) return ids;
  }
  if (TAKES_ID.has(operator) && isId) return operand;
  if (TAKES_IDS.has(operator)) throw new ApiError("operand is not a string or an integer list");
  throw new ApiError(TAKES_ID.has(operator) ? "operand is not a string or integer" : "operand is not a string");
}

const CHANNEL = new Set(["channel", "stream"]);
const CHANNELS = new Set(["channels", "streams"]);
const DIRECT = new Set(["dm", "pm-with", "pm_with"]);
/** Direct messages with somebody; the older operators mean conversations of three or more people. */
const GROUPS_ONLY = new Set(["group-pm-with", "group_pm_with"]);
const WITH_SOMEBODY = new Set(["dm-including", ...GROUPS_ONLY]);

function badNarrow(description: string): ApiError {
  return new ApiError(`Invalid narrow operator: ${description}`, { code: "BAD_NARROW", extra: { desc: description } });
}
const shown = (operand: Operand): string => (typeof operand === "object" ? `[${operand.join(", ")}]` : String(operand));

/** The account that searches, and the level. */
interface Reader {
  readonly state: RealmState;
  readonly user: User;
  readonly level: number;
}
/** @throws ApiError BAD_NARROW */
export function narrowTest(reader: Reader, terms: readonly Term[]): Test {
  const sides = new Set<"channel" | "direct">();
  const tests = terms.map((each): Test => {
    const side = sideOf(each);
    if (side !== undefined) sides.add(side);
    if (sides.size > 1) throw badNarrow("No message can be both a channel message and direct message");
    const test = testOf(reader, each);
    // "Anywhere" is not a condition, so negating it has no effect. All searches are combined into one, which is never negated.
    return each.negated && !isNoCondition(each) && each.operator !== "search" ? (message) => !test(message) : test;
  });
  return (message) => tests.every((test) => test(message));
}
const isNoCondition = ({ operator, operand }: Term): boolean =>
  operator === "near" || (operator === "in" && operand === "all");

/** The kind of message that a term selects. */
function sideOf({ operator, operand, negated }: Term): "channel" | "direct" | undefined {
  if (operator === "is" && (operand === "dm" || operand === "private")) return negated ? "channel" : "direct";
  if (negated) return undefined;
  if (CHANNEL.has(operator) || CHANNELS.has(operator) || operator === "topic") return "channel";
  return DIRECT.has(operator) || WITH_SOMEBODY.has(operator) ? "direct" : undefined;
}

/** Terms that name a conversation. */
const PLACE = new Set([...CHANNEL, ...DIRECT, "topic"]);

/**
 * Replaces `with`, and the other terms that name a conversation, by the conversation that contains the message now, so that a link to it still works
 * after a move. If the reader cannot see the message and other terms name a conversation, `with` is ignored.
 * @throws ApiError BAD_NARROW
 */
export function whereItIsNow(reader: Reader, terms: readonly Term[]): readonly Term[] {
  const { state, user } = reader;
  const [asked, another] = terms.filter(({ operator }) => operator === "with");
  if (asked === undefined) return terms;
  if (another !== undefined) {
    const desc = "Duplicate 'with' operators.";
    throw new ApiError(`Invalid narrow operator combination: ${desc}`, { code: "BAD_NARROW", extra: { desc } });
  }
  const invalid = badNarrow("Invalid 'with' operator");
  if (!/^\s*[+-]?\d+\s*$/.test(String(asked.operand))) throw invalid;
  const others = terms.filter((each) => each !== asked);
  const message = state.messages[Number(asked.operand)];
  if (message === undefined || !seesMessage(state, user, message)) {
    const operators = new Set(others.map(({ operator }) => operator));
    const has = (some: ReadonlySet<string>) => [...some].some((operator) => operators.has(operator));
    if (has(DIRECT) || (has(CHANNEL) && operators.has("topic"))) return others;
    throw invalid;
  }
  const place: readonly Term[] =
    message.channel_id === null
      ? [{ operator: "dm", operand: message.to, negated: false }]
      : [
          { operator: "channel", operand: message.channel_id, negated: false },
          { operator: "topic", operand: message.topic, negated: false },
        ];
  return [...place, ...others.filter(({ operator }) => !PLACE.has(operator))];
}

/** Whether the search may find messages of which the user has no copy: only inside a channel whose history the user may read. */
export function includesHistory(state: RealmState, user: User, terms: readonly Term[]): boolean {
  let includes = false;
  for (const { operator, operand, negated } of terms) {
    if (negated) continue;
    if (CHANNEL.has(operator)) {
      const channel = channelFor(state, operand);
      includes = channel !== undefined && seesHistory(state, user, channel);
    } else if (CHANNELS.has(operator) && (operand === "public" || operand === "web-public") && !isGuest(user))
      includes = true;
  }
  return includes && !terms.some(({ operator, operand }) => operator === "is" && operand !== "resolved");
}

function channelFor(state: RealmState, operand: Operand): Channel | undefined {
  if (typeof operand === "number") return state.channels[operand];
  if (typeof operand !== "string") return undefined;
  return channelNamed(state, operand);
}

function testOf({ state, user, level }: Reader, { operator: op, operand }: Term): Test {
  const text = shown(operand);
  if (CHANNEL.has(op)) {
    const channel = channelFor(state, operand);
    if (channel === undefined) throw badNarrow(`unknown channel ${text}`);
    return (message) => message.channel_id === channel.stream_id;
  }
  if (CHANNELS.has(op)) {
    if (operand !== "public" && operand !== "web-public") throw badNarrow(`unknown channels operand ${text}`);
    return ({ channel_id: id }) => {
      const channel = id === null ? undefined : state.channels[id];
      return channel !== undefined && (operand === "public" ? !channel.invite_only : channel.is_web_public);
    };
  }
  if (op === "topic") {
    const topic = displayNameToEmpty({ state, level }, text);
    return (message) => message.channel_id !== null && sameTopic(message.topic, topic);
  }
  if (DIRECT.has(op)) {
    const people = peopleFor(state, operand).map((each) => each.user_id);
    const key = conversationKey([...people, user.user_id]);
    // An empty list of people does not mean the conversation with oneself.
    return (message) => people.length > 0 && message.channel_id === null && conversationKey(message.to) === key;
  }
  if (WITH_SOMEBODY.has(op)) {
    const { user_id } = knownUser(state, operand);
    const fewest = GROUPS_ONLY.has(op) ? 3 : 1;
    return (message) => message.channel_id === null && message.to.length >= fewest && message.to.includes(user_id);
  }
  if (op === "sender") {
    const sender = knownUser(state, operand);
    return (message) => message.sender_id === sender.user_id;
  }
  if (op === "id") {
    const id = Number(text);
    if (!/^\d+$/.test(text) || id > MAX_MESSAGE_ID) throw badNarrow("Invalid message ID");
    return (message) => message.id === id;
  }
  if (op === "near") return () => true;
  if (op === "is") return isTest(state, user, text);
  if (op === "has") return hasTest(text);
  if (op === "in") {
    if (text !== "home" && text !== "all") throw badNarrow(`unknown 'in' operand ${text}`);
    return (message) => text === "all" || !isMutedFor(state, user, message);
  }
  if (op === "search") return searchTest(text);
  throw badNarrow(`unknown operator ${op}`);
}
const MAX_MESSAGE_ID = 2_147_483_647;

const conversationKey = (ids: readonly number[]): string => [...new Set(ids)].sort((a, b) => a - b).join(",");

function userFor(state: RealmState, operand: string | number): User | undefined {
  if (typeof operand === "number") return state.users[operand];
  return accountShownAs(state, operand);
}
/** @throws ApiError BAD_NARROW */
function knownUser(state: RealmState, operand: Operand): User {
  const found = typeof operand === "object" ? undefined : userFor(state, operand);
  if (found === undefined) throw badNarrow(`unknown user ${shown(operand)}`);
  return found;
}
function peopleFor(state: RealmState, operand: Operand): User[] {
  const parts =
    typeof operand === "string"
      ? operand.split(",").map((part) => part.trim())
      : typeof operand === "number"
        ? [operand]
        : operand;
  return parts.map((part) => {
    const found = userFor(state, part);
    if (found === undefined) throw badNarrow(`unknown user in ${shown(operand)}`);
    return found;
  });
}

function isTest(state: RealmState, user: User, operand: string): Test {
  const flags = (message: Message) => storedFlags(message, user.user_id);
  const visibility = (message: Message) =>
    message.channel_id === null
      ? VISIBILITY.inherit
      : visibilityOf(state, user.user_id, message.channel_id, message.topic);
  switch (operand) {
    case "dm":
    case "private":
      return (message) => message.channel_id === null;
    case "starred":
      return (message) => flags(message).includes("starred");
    case "unread":
      return (message) => !flags(message).includes("read");
    case "mentioned":
      return (message) => flags(message).some((flag) => flag.endsWith("mentioned"));
    case "alerted":
      return (message) => flags(message).includes("has_alert_word");
    case "resolved":
      return (message) => message.topic.startsWith(RESOLVED_PREFIX);
    case "followed":
      return (message) => visibility(message) === VISIBILITY.followed;
    case "muted":
      return (message) => isMutedFor(state, user, message);
    default:
      throw badNarrow(`unknown 'is' operand ${operand}`);
  }
}
function hasTest(operand: string): Test {
  switch (operand) {
    case "attachment":
      return (message) => message.has_attachment;
    case "image":
      return (message) => /<img\b/.test(message.rendered_content);
    case "link":
      return (message) => /<a\b/.test(message.rendered_content);
    case "reaction":
      return (message) => message.reactions.length > 0;
    default:
      throw badNarrow(`unknown 'has' operand ${operand}`);
  }
}

/**
 * Full-text search, as far as possible without a database: whole words, ignoring case and the most common endings, in content and topic. Text in
 * double quotes must occur exactly.
 */
function searchTest(text: string): (message: Message) => boolean {
  const wanted = stemsOf(text);
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = ""]) => phrase.toLowerCase());
  return (message) => {
    const said = `${message.content} ${message.topic}`;
    const stems = stemsOf(said);
    const isThere = (phrase: string) => [message.content, message.topic].some((where) => lower(where).includes(phrase));
    return wanted.size > 0 && [...wanted].every((stem) => stems.has(stem)) && phrases.every(isThere);
  };
}

/** A search adds two fields to every message: its HTML and its topic, with the words found highlighted. */
export function searchFields(message: Message, text: string) {
  const wanted = stemsOf(text);
  return {
    match_content: marked(message.rendered_content, wanted),
    match_subject: marked(attribute(message.topic).replace(/'/g, "&#39;"), wanted),
  };
}

const WORD = /[\p{L}\p{N}_]+/gu;
const lower = (text: string): string => text.toLowerCase();
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set([...lower(text).matchAll(WORD)].map(([word]) => stem(word)));
const stem = (word: string): string => word.replace(/(?<=...)(?:ing|ed|ly|es|s|e)$/, "");

/** Matches words in text, not in tags. */
function marked(html: string, wanted: ReadonlySet<string>): string {
  return html.replace(/<[^>]*>|[\p{L}\p{N}_]+/gu, (part) =>
    !part.startsWith("<") && wanted.has(stem(lower(part))) ? `<span class="highlight">${part}</span>` : part,
  );
}
