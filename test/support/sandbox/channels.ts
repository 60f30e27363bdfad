import { isList, isObject, type JsonObject } from "../../../src/model/json.ts";
import type { Reply, TestRealm } from "./realm.ts";

/** For tests only: channels that a test has created in its realm. */
export function testChannels(realm: () => TestRealm): {
  /** @returns the id of a new channel, whose creator is subscribed */
  create(as: string, name: string, params?: JsonObject): Promise<number>;
  /** The channel as an owner sees it, even if it is archived. */
  read(id: number): Promise<JsonObject>;
  patch(as: string, id: number, params: object): Promise<Reply>;
} {
  return {
    async create(as, name, params = {}) {
      const sent = { name, subscribers: [realm().id(as)], ...params };
      const { body } = await realm().call(as, "POST", "/channels/create", sent);
      if (body.msg !== "") throw new Error(`${name} was not made: ${body.msg}`);
      return Number(body.id);
    },
    async read(id) {
      const flags = { include_all: true, exclude_archived: false, include_default: true };
      const { body } = await realm().call("owner", "GET", "/streams", flags);
      const found = (isList(body.streams) ? body.streams : []).find((each) => isObject(each) && each.stream_id === id);
      if (!isObject(found)) throw new Error(`no channel ${id}`);
      return found;
    },
    patch: (as, id, params) => realm().call(as, "PATCH", `/streams/${id}`, { ...params }),
  };
}

/** Topic and text of every message that somebody received while listening. */
export async function messagesAmong(received: () => Promise<readonly JsonObject[]>): Promise<[unknown, string][]> {
  const events = (await received()).filter(({ type }) => type === "message");
  return events.map(({ message }) => [Object(message).subject, String(Object(message).content)]);
}
