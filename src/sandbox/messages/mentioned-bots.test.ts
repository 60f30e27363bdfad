import { expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";

test.each<[invite_only: boolean, content: string, heard: readonly (readonly string[])[]]>([
  [false, "@**Deploy Bot** hello", [["mentioned"]]],
  [false, "@**all** hello", []],
  [false, "hello", []],
  [true, "@**Deploy Bot** hello", []],
])(
  "in a channel that is private: %s, a bot outside it hears %j with the flags %j",
  async (invite_only, content, heard) => {
    const realm = testRealm();
    const subscriptions = [{ name: "forge" }];
    await realm.call("owner", "POST", "/users/me/subscriptions", {
      subscriptions,
      invite_only,
      principals: [realm.id("owner")],
    });
    const events = await realm.listen("bot");
    const to = { type: "stream", to: "forge", topic: "heat", content };
    expect((await realm.call("owner", "POST", "/messages", to)).status).toBe(200);
    const messages = (await events()).filter(({ type }) => type === "message");
    expect(messages.map(({ flags }) => flags)).toEqual(heard);
  },
);
