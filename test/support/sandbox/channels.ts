import { isList, isObject, type JsonObject } from "../../../src/model/json.ts";
import type { TestRealm } from "./realm.ts";

/** For tests only: channels that a test has created in its realm. */
export function testChannels(realm: () => TestRealm): {
  /** @returns the id of a new channel, whose creator is subscribed */
  create(as: string, name: string, params?: JsonObject): Promise<number>;
  /** The channel as an owner sees it, even if it is archived. */
  read(id: number): Promise<JsonObject>;
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
  };
}
