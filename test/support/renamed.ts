import { isList, isObject, type Json } from "../../src/model/json.ts";

/**
 * The twin of a recording: the same realm, requests and answers with other names in them. A sandbox that answers the original by rules also answers
 * the twin; one that knows the names does not.
 *
 * Every word that people chose (in names of channels, groups, folders and people, in addresses and domains) gets a suffix, the same one wherever the
 * word occurs. The suffix begins with a digit, which sorts before every letter and after the separators of words, so the order of names stays the
 * same. The server's own words (in its messages, keys and fixed values) stay as they are.
 */
const SUFFIX = "0zz";
/** Names of the recordings' variables, and the server's name for the topic without a name, are not words. */
const WORD = /\{\{[^}]*\}\}|general chat|\p{L}+/giu;
/** Shorter words are parts of too many others; longer ones are about limits. */
const LENGTHS = { min: 3, max: 20 };

/** Somebody chose the values of these keys. */
const NAMES = new Set(
  (
    "name new_name channel_name full_name sender_full_name display_recipient email delivery_email sender_email invitee_emails " +
    "domain new_domain short_name username bot_owner new_email group_name new_group_name stream_names default_sending_stream " +
    "default_events_register_stream subscriptions add principals to"
  ).split(" "),
);
/** Free text: its words are neither names nor the server's. */
const TEXTS = new Set(
  (
    "topic subject topic_name orig_subject content description rendered_content rendered_description status_text note hint text " +
    "pattern url_template data drafts draft example_input avatar_url realm_name realm_description realm_bot_domain string_id realm_uri " +
    "realm_url url link_url subscribed already_subscribed removed not_removed unauthorized errors narrow operand fragment invite_link " +
    "stream about queue_id save vars group_ids stream_ids new_stream_announcements_stream_id signup_announcements_stream_id " +
    "moderation_request_channel_id zulip_update_announcements_stream_id welcome_message_custom_text new_description"
  ).split(" "),
);

/** The recording itself names the values of these keys, for its own use. */
const VARIABLES = new Set(["save", "vars"]);

/** Words that can be renamed in a realm and in the recordings that start from it. */
export function wordsToRename(documents: readonly Json[]): ReadonlySet<string> {
  const chosen = new Set<string>();
  const servers = new Set<string>();
  const visit = (value: Json, key: string): void => {
    if (isList(value)) for (const each of value) visit(each, key);
    else if (isObject(value)) {
      if (isServersNotice(value)) addWords(withoutNames(String(value.content)), servers);
      for (const [name, each] of Object.entries(value)) {
        if (!VARIABLES.has(key)) addWords(name, servers);
        if (name === "cross_realm_bots") addWords(JSON.stringify(each), servers);
        else visit(each, NAMES.has(key) || TEXTS.has(key) ? key : name);
      }
    } else if (typeof value === "string") {
      if (key === "msg") addWords(withoutNames(value), servers);
      else if (key === "path") addWords(fixedSegments(value), servers);
      // The reason why an address was not invited, next to the address.
      else if (key === "errors" && value.endsWith(".")) addWords(value, servers);
      else if (NAMES.has(key)) addWords(value, isFixed(value) ? servers : chosen);
      else if (!TEXTS.has(key)) addWords(value, servers);
    }
  };
  for (const document of documents) visit(document, "");
  return new Set([...chosen].filter((word) => !servers.has(word)));
}

/** Refusals name the position of a bad character and the length limit; some names belong to the server. */
const isFixed = (name: string): boolean =>
  (!name.includes("@") && ([...name].length > 40 || /\p{C}/u.test(name))) ||
  SYSTEM_GROUP.test(name) ||
  name.includes(DISPOSABLE);
const SYSTEM_GROUP = /^role:(nobody|owners|administrators|moderators|fullmembers|members|everyone|internet)$/;
/** The server knows the names of services for temporary addresses. */
const DISPOSABLE = "@mailinator.";
const isServersNotice = (value: { readonly [key: string]: Json }): boolean =>
  value.sender_full_name === "Notification Bot" && typeof value.content === "string";
/** The server's words around the names that it quotes. */
const withoutNames = (text: string): string =>
  text.replace(/'[^']*'|\([^)]*\)|\*\*[^*]*\*\*|```[\s\S]*?```|`[^`]*`|\S+[@.]\S+/g, " ");
const fixedSegments = (path: string): string =>
  path
    .replace(/\?.*/, "")
    .split("/")
    .filter((segment) => /^[a-z0-9_]+$/.test(segment))
    .join(" ");

const isWord = (match: string): boolean =>
  match.length >= LENGTHS.min && match.length <= LENGTHS.max && !/[{ ]/.test(match);
function addWords(text: string, to: Set<string>): void {
  for (const [word] of text.matchAll(WORD)) if (isWord(word)) to.add(word.toLowerCase());
}

/** The text of a JSON document, with every such word in its values renamed. */
export function renamed(value: Json, words: ReadonlySet<string>): Json {
  if (typeof value === "string")
    return value.replace(WORD, (word) => (words.has(word.toLowerCase()) ? word + SUFFIX : word));
  if (isList(value)) return value.map((each) => renamed(each, words));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamed(each, words)]));
}
