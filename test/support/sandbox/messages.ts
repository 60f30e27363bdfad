import type { JsonObject } from "../../../src/model/json.ts";
import type { TestRealm } from "./realm.ts";

/** For tests only: short functions for sending, editing and reading. */
export type Params = { readonly [name: string]: unknown };
export const say = async (
  realm: TestRealm,
  as: string,
  topic: string,
  content: string,
  channel = "general",
): Promise<number> => {
  const to = realm.channel(channel);
  const { body } = await realm.call(as, "POST", "/messages", { type: "channel", to, topic, content });
  return Number(body.id);
};
export const edit = (realm: TestRealm, as: string, id: number, params: Params) =>
  realm.call(as, "PATCH", `/messages/${id}`, params);
export async function read(
  realm: TestRealm,
  as: string,
  topic: string,
  channel = "general",
): Promise<readonly JsonObject[]> {
  const narrow = [
    { operator: "channel", operand: realm.channel(channel) },
    { operator: "topic", operand: topic },
  ];
  const params = { anchor: "newest", num_before: 50, narrow, apply_markdown: false, allow_empty_topic_name: true };
  const { body } = await realm.call(as, "GET", "/messages", params);
  return Array.isArray(body.messages) ? body.messages : [];
}
export const contents = async (realm: TestRealm, as: string, topic: string, channel?: string) =>
  (await read(realm, as, topic, channel)).map((message) => message.content);
export const set = (realm: TestRealm, params: Params) => realm.call("owner", "PATCH", "/realm", params);
