import { isList, isObject, type JsonObject } from "../../model/json.ts";
import type { TestRealm } from "../test-realm.ts";

/** Only tests import this: channels of the realm that a test has by now. */
export function testChannels(realm: () => TestRealm): {
  /** @returns the id of a new channel, with its maker in it */
  create(as: string, name: string, params?: JsonObject): Promise<number>;
  /** The channel as an owner sees it, archived or not. */
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
