import type { Json } from "../../model/json.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { Message } from "../rows/messages.ts";
import type { RealmState } from "../state.ts";
import { emptyTopicName } from "./topics.ts";

/** How the server writes links and names in the messages of its own bots. */

/** A mention that notifies nobody. */
export const silentMention = (user: User): string => `@_**${user.full_name}|${user.user_id}**`;

/** One component of the part after `#`: dots replace percent signs. */
function hashComponent(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/\./g, "%2E")
    .replace(/%/g, ".");
}
const channelComponent = (channel: Channel): string =>
  `${channel.stream_id}-${hashComponent(channel.name.replaceAll(" ", "-"))}`;

/** `#narrow/channel/3-general` */
export const channelHash = (channel: Channel): string => `#narrow/channel/${channelComponent(channel)}`;
/** `#narrow/channel/3-general/topic/plans`, and `/near/24` for one message */
export function topicHash(channel: Channel, topic: string, near?: number): string {
  const hash = `${channelHash(channel)}/topic/${hashComponent(topic)}`;
  return near === undefined ? hash : `${hash}/near/${near}`;
}

/** `#**general**`, or a Markdown link if the name requires it. */
export function channelLink(channel: Channel): string {
  if (!breaksSyntax(channel.name)) return `#**${channel.name}**`;
  return `[#${entities(channel.name)}](${channelHash(channel)})`;
}
/** `#**general>plans**`; names that would break this syntax become a Markdown link. */
export function topicLink(state: RealmState, channel: Channel, topic: string, near?: number): string {
  if (!breaksSyntax(channel.name) && !breaksSyntax(topic))
    return `#**${channel.name}>${topic}${near === undefined ? "" : `@${near}`}**`;
  const shown = topic === "" ? emptyTopicName(state) : topic;
  const text = `#${entities(channel.name)} > ${entities(shown)}${near === undefined ? "" : " @ 💬"}`;
  return `[${text}](${topicHash(channel, topic, near)})`;
}
const breaksSyntax = (name: string): boolean => /[`>*&[\]]|\$\$/.test(name);
function entities(name: string): string {
  return name
    .replace(/&/g, "&amp;")
    .replace(/`/g, "&#96;")
    .replace(/>/g, "&gt;")
    .replace(/\*/g, "&#42;")
    .replace(/\[/g, "&#91;")
    .replace(/\]/g, "&#93;")
    .replace(/\$\$/g, "&#36;&#36;");
}

/** The full URL of a message, with its current channel and topic. */
export function messageUrl(serverUrl: string, state: RealmState, message: Message): string {
  const channel = message.channel_id === null ? undefined : state.channels[message.channel_id];
  if (channel !== undefined) return `${serverUrl}/${topicHash(channel, message.topic, message.id)}`;
  const people = [...message.to].sort((a, b) => a - b);
  const operand = people.length > 2 ? `${people.join(",")}-group` : people.join(",");
  return `${serverUrl}/#narrow/dm/${operand}/near/${message.id}`;
}

/** The characters allowed before and after a linkifier's match. */
const BEFORE = `(?<before_>^|\\s|['"(,:<])`;
const AFTER = "(?<after_>$|[^\\p{L}\\p{N}])";
const ADDRESS = /https?:\/\/[^\s<>"'()]*[^\s<>"'().,:;!?]/g;

interface Link {
  readonly text: string;
  readonly url: string;
  readonly at: number;
}

/** Links in a topic: linkifier matches and URLs. If two overlap, the linkifier's takes precedence, otherwise the earlier one. */
export function topicLinks(state: RealmState, topic: string): Json {
  const links: Link[] = [];
  for (const linkifier of Object.values(state.linkifiers))
    for (const found of foundBy(linkifier, topic)) if (!links.some((other) => overlap(other, found))) links.push(found);
  for (const { 0: text, index: at } of topic.matchAll(ADDRESS)) {
    const found = { text, url: text, at };
    if (!links.some((other) => overlap(other, found))) links.push(found);
  }
  return links.sort((a, b) => a.at - b.at).map(({ text, url }) => ({ text, url }));
}
const overlap = (a: Link, b: Link): boolean => a.at < b.at + b.text.length && b.at < a.at + a.text.length;

function foundBy(linkifier: { readonly pattern: string; readonly url_template: string }, topic: string): Link[] {
  const pattern = asRegExp(`${BEFORE}(?<outer_>${linkifier.pattern})${AFTER}`);
  const links: Link[] = [];
  if (pattern === undefined) return links;
  for (let match = pattern.exec(topic); match !== null; match = pattern.exec(topic)) {
    const groups = match.groups ?? {};
    const { before_ = "", outer_ = "", after_ = "" } = groups;
    if (outer_ === "") break;
    links.push({ text: outer_, url: expanded(linkifier.url_template, groups), at: match.index + before_.length });
    // The character after one match can be the one before the next.
    pattern.lastIndex -= after_.length;
  }
  return links;
}
function expanded(template: string, groups: { readonly [name: string]: string | undefined }): string {
  return template.replace(/\{([+#./;?&]?)(\w+)\}/g, (_, operator: string, name: string) => {
    const value = groups[name] ?? "";
    return operator === "+" || operator === "#" ? encodeURI(value) : encodeURIComponent(value);
  });
}
function asRegExp(re2: string): RegExp | undefined {
  try {
    return new RegExp(re2.replaceAll("(?P<", "(?<"), "gu");
  } catch {
    return undefined;
  }
}
