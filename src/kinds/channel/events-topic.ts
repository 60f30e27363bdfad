import type { LastChange, Topic } from "../../model/facets.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";

/*
 * The Notification Bot's messages about a channel, in the topic "channel events" (zulip-api.md §3.5.4): raw Markdown, in the language of the organization.
 * Only `drift --who` reads them, so it is loaded when it is called (scripts/on-call.mjs).
 */

const TOPIC = "channel events";
/** From this level on, the organization may switch the messages off. */
const SWITCH_LEVEL = 434;

export function topicOfEvents(id: number, realm: Realm): Topic | undefined {
  const { system_bots = [] } = realm.snapshot;
  const bot = system_bots.find(({ email }) => email.startsWith("notification-bot@"));
  const isOn = realm.level < SWITCH_LEVEL || realm.setting("send_channel_events_messages") === true;
  // In other languages the topic has another name.
  const isEnglish = String(realm.setting("default_language") ?? "en").startsWith("en");
  if (bot === undefined || !isOn || !isEnglish) return undefined;
  const topic = realm.channel(id)?.topics_policy === "empty_topic_only" ? "" : TOPIC;
  return { channel: id, topic, sender: bot.user_id };
}

/** A silent mention: the server refuses names with these signs. */
const WHO = String.raw`@_\*\*(?<name>[^*]+)\|(?<id>\d+)\*\*`;

const POLICIES: { readonly [word: string]: string } = {
  web_public: "Web-public",
  public: "Public",
  private_shared_history: "Private, shared history",
  private_protected_history: "Private, protected history",
};

/** Each sentence, the field that it is about, and the end of the message if the server still has the value that it tells. */
const SENTENCES: readonly {
  readonly field: string;
  readonly starts: RegExp;
  readonly ends?: (live: LiveObject) => string;
}[] = [
  { field: "name", starts: new RegExp(`^${WHO} renamed channel \\*\\*`), ends: ({ name }) => ` to **${name}**.` },
  {
    field: "description",
    starts: new RegExp(`^${WHO} changed the description for this channel\\.`),
    ends: ({ fields: { description } }) =>
      `\n\`\`\`\` quote\n${description === "" ? "*No description.*" : String(description)}\n\`\`\`\``,
  },
  {
    field: "privacy",
    starts: new RegExp(`^${WHO} changed the \\[access permissions\\]`),
    ends: ({ fields: { privacy } }) => ` to **${POLICIES[String(privacy)] ?? ""}**.`,
  },
  { field: "can_send_message_group", starts: new RegExp(`^${WHO} changed the \\[posting permissions\\]`) },
  { field: "message_retention_days", starts: new RegExp(`^${WHO} has changed the \\[message retention period\\]`) },
  { field: "topics_policy", starts: new RegExp(`^${WHO} changed the "[^"]*general chat[^"]*" setting`) },
];

export function lastChangeIn(content: string, live: LiveObject): LastChange | undefined {
  for (const { field, starts, ends } of SENTENCES) {
    const { name, id } = starts.exec(content)?.groups ?? {};
    if (name === undefined) continue;
    return content.trimEnd().endsWith(ends?.(live) ?? "") ? { field, user_id: Number(id), full_name: name } : undefined;
  }
  return undefined;
}
