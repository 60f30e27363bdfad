import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { channelMessage, messages, type Params } from "../../../test/support/sandbox/sending.ts";

describe("GET /messages", () => {
  async function three(realm: TestRealm): Promise<number[]> {
    const ids: number[] = [];
    for (const content of ["a", "b", "c"])
      ids.push(
        Number((await realm.call("member", "POST", "/messages", channelMessage({ topic: "range", content }))).body.id),
      );
    return ids;
  }
  const narrow = [{ operator: "topic", operand: "range" }];
  test.each<readonly [anchor: string, params: Params, contents: string, found: string]>([
    ["newest", { num_before: 2 }, "bc", "newest"],
    ["oldest", { num_after: 2 }, "ab", "oldest"],
    ["the second", { num_before: 1, num_after: 1 }, "abc", "anchor"],
    ["the second", { num_before: 5, num_after: 5 }, "abc", "anchor oldest newest"],
    ["the second", { num_after: 1, include_anchor: false }, "c", ""],
    ["the second", {}, "b", "anchor"],
  ])("around %s with %j", async (anchor, params, contents, found) => {
    const realm = testRealm();
    const ids = await three(realm);
    const at = anchor === "the second" ? String(ids[1]) : anchor;
    const { body } = await realm.call("member", "GET", "/messages", {
      anchor: at,
      narrow,
      apply_markdown: false,
      ...params,
    });
    const texts = Array.isArray(body.messages) ? body.messages.map((message) => message.content).join("") : "";
    const said = ["anchor", "oldest", "newest"].filter((each) => body[`found_${each}`] === true).join(" ");
    expect([texts, said]).toEqual([contents, found]);
  });

  test.each<readonly [fact: string, params: Params, message: string]>([
    ["no anchor", { num_before: 1 }, "Missing 'anchor' argument."],
    ["a word for an anchor", { anchor: "soon" }, "Invalid anchor"],
    ["too many", { anchor: "newest", num_before: 5001 }, "Too many messages requested (maximum 5000)."],
    [
      "an unknown channel",
      { anchor: "newest", narrow: [{ operator: "stream", operand: 77 }] },
      "Invalid narrow operator: unknown channel 77",
    ],
    [
      "an unknown operator",
      { anchor: "newest", narrow: [{ operator: "colour", operand: "red" }] },
      "Invalid narrow operator: unknown operator colour",
    ],
    [
      "an unknown person",
      { anchor: "newest", narrow: [{ operator: "dm", operand: [99] }] },
      "Invalid narrow operator: unknown user in [99]",
    ],
    [
      "a term without operand",
      { anchor: "newest", narrow: [{ operator: "is" }] },
      "Invalid narrow[0]: Value error, operand is missing",
    ],
    [
      "a number for a topic",
      { anchor: "newest", narrow: [{ operator: "topic", operand: 3 }] },
      "operand is not a string",
    ],
    ["a narrow that is not a list", { anchor: "newest", narrow: "x" }, "narrow is not valid JSON"],
    ["a negative number", { anchor: "newest", num_before: -1 }, "num_before is too small"],
  ])("refuses %s", async (_fact, params, message) => {
    expect((await testRealm().call("member", "GET", "/messages", params)).body.msg).toBe(message);
  });

  test("people who join a public channel later read its messages as history", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/channels/create", { name: "new", subscribers: [realm.id("owner")] });
    await realm.call("owner", "POST", "/messages", channelMessage({ to: "new" }));
    const inChannel = { narrow: [{ operator: "channel", operand: "new" }] };
    expect((await messages(realm, "member", inChannel)).map(({ flags }) => flags)).toEqual([["read", "historical"]]);
    expect(await messages(realm, "guest", inChannel)).toEqual([]);
  });

  test.each([
    ["a direct message has the id of the other person", "direct", [10]],
    ["a conversation of three has its own id", "direct", [10, 11]],
  ])("%s", async (_fact, type, to) => {
    const realm = testRealm();
    for (const content of ["a", "b"]) await realm.call("member", "POST", "/messages", { type, to, content });
    const seen = await messages(realm, "member", { narrow: [{ operator: "is", operand: "dm" }] });
    const [first, second] = seen.slice(-2).map(({ recipient_id }) => recipient_id);
    expect(first).toBe(second);
    expect(first).not.toBe(seen[0]?.recipient_id);
  });
});

test("every conversation has its own recipient_id", async () => {
  const realm = testRealm();
  const recipient = async (as: string, ...names: readonly string[]) => {
    const to = names.map((name) => realm.id(name));
    const { id } = (await realm.call(as, "POST", "/messages", { type: "direct", to, content: "x" })).body;
    const { message } = (await realm.call(as, "GET", `/messages/${String(id)}`)).body;
    return typeof message === "object" && message !== null && "recipient_id" in message ? message.recipient_id : null;
  };
  const first = await recipient("member", "member2", "member3");
  const second = await recipient("member", "member2", "member4");
  expect(new Set([first, second, await recipient("member", "member2")]).size).toBe(3);
  expect(await recipient("member3", "member2", "member")).toBe(first);
  expect(await recipient("member2", "member4", "member")).toBe(second);
});
