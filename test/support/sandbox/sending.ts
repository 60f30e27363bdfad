import type { JsonObject } from "../../../src/model/json.ts";
import type { TestRealm } from "./realm.ts";

// Functions that the tests of messages share.
export type Params = { readonly [name: string]: unknown };
export type Prepare = (realm: TestRealm) => Promise<unknown>;
/** No preparation needed. */
export const nothing: Prepare = async () => {};

export const channelMessage = (params: Params): Params => ({
  type: "channel",
  to: 3,
  topic: "t",
  content: "c",
  ...params,
});
/** The messages that `as` finds, newest last, as Markdown. */
export async function messages(realm: TestRealm, as: string, params: Params): Promise<readonly JsonObject[]> {
  const { body } = await realm.call(as, "GET", "/messages", {
    anchor: "newest",
    num_before: 100,
    apply_markdown: false,
    ...params,
  });
  return Array.isArray(body.messages) ? body.messages : [];
}
