import { describe, expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import { channelMessage, nothing, type Prepare } from "../../../test/support/sandbox/sending.ts";

describe("DELETE /messages/{message_id}", () => {
  const rows: readonly (readonly [fact: string, as: string, prepare: Prepare, message: string | null])[] = [
    ["one's own", "member", nothing, null],
    ["another's", "member2", nothing, "You don't have permission to delete this message"],
    ["moderators are not in such a group", "moderator", nothing, "You don't have permission to delete this message"],
    ["administrators are in such a group", "admin", nothing, null],
    [
      "too late",
      "member",
      async (realm) => realm.advance(601_000),
      "The time limit for deleting this message has passed",
    ],
    ["at the last moment", "member", async (realm) => realm.advance(600_000), null],
    ["never too late for administrators", "admin", async (realm) => realm.advance(601_000), null],
    [
      "own ones forbidden",
      "member",
      (realm) =>
        realm.call("owner", "PATCH", "/realm", { can_delete_own_message_group: { new: realm.group("role:nobody") } }),
      "You don't have permission to delete this message",
    ],
    [
      "the channel allows any",
      "member2",
      (realm) =>
        realm.call("owner", "PATCH", "/streams/3", {
          can_delete_any_message_group: { new: realm.group("role:members") },
        }),
      null,
    ],
    [
      "archived channels do not change",
      "admin",
      (realm) => realm.call("owner", "DELETE", "/streams/3"),
      "Invalid message(s)",
    ],
  ];
  test.each(rows)("%s", async (_fact, as, prepare, message) => {
    const realm = testRealm();
    const sent = await realm.call("member", "POST", "/messages", channelMessage({}));
    await prepare(realm);
    const { body } = await realm.call(as, "DELETE", `/messages/${Number(sent.body.id)}`);
    expect(body.result === "success" ? null : body.msg).toBe(message);
  });

  test("an event names the channel's new first message", async () => {
    const realm = testRealm();
    const made = { name: "x", subscribers: [realm.id("member")] };
    const to = Number((await realm.call("member", "POST", "/channels/create", made)).body.id);
    const ids = [];
    for (const content of ["a", "b", "c"])
      ids.push((await realm.call("member", "POST", "/messages", channelMessage({ to, content }))).body.id);
    const received = async (id: unknown) => {
      const events = await realm.listen("member");
      await realm.call("owner", "DELETE", `/messages/${String(id)}`);
      return (await events()).filter(({ type }) => type === "stream");
    };
    const change = { op: "update", property: "first_message_id", stream_id: to, name: "x" };
    expect(await received(ids[1])).toEqual([]);
    expect(await received(ids[0])).toMatchObject([{ ...change, value: ids[2] }]);
    expect(await received(ids[2])).toMatchObject([{ ...change, value: null }]);
  });
  test("a bot's owner may delete the bot's messages", async () => {
    const realm = testRealm();
    const sent = await realm.call("memberbot", "POST", "/messages", channelMessage({}));
    expect((await realm.call("member", "DELETE", `/messages/${Number(sent.body.id)}`)).status).toBe(200);
  });
});
