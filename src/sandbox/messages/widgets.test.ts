import { describe, expect, test } from "vitest";
import { edit, read, say } from "../../../test/support/sandbox/messages.ts";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import { sentWidget, widgetOf } from "./widgets.ts";

test.each<readonly [content: string, type: string, data: unknown]>([
  ["/poll", "poll", { question: "", options: [] }],
  ["/poll What?", "poll", { question: "What?", options: [] }],
  ["/poll  What? \n- a\n* b\nc\n\n-", "poll", { question: "What?", options: ["a", "b", "c"] }],
  ["/poll\nWhat?\na", "poll", { question: "", options: ["What?", "a"] }],
  [
    "/todo Trip\npack: two bags: small\n- go",
    "todo",
    {
      task_list_title: "Trip",
      tasks: [
        { task: "pack", desc: "two bags: small" },
        { task: "go", desc: "" },
      ],
    },
  ],
])("%j is a %s", (content, widget_type, extra_data) => {
  expect(widgetOf(content)).toEqual({ widget_type, extra_data });
});

test.each(["/polls x", " /poll x", "x /poll", "/Poll x", "/me votes"])("%j is not a widget", (content) => {
  expect(widgetOf(content)).toBeUndefined();
});

test.each([
  ["{", "Widgets: API programmer sent invalid JSON content"],
  ["[]", "Widgets: widget_content is not a dict"],
  ["{}", "Widgets: widget_type is not in widget_content"],
  ['{"widget_type": "zform"}', "Widgets: extra_data is not in widget_content"],
  ['{"widget_type": "zform", "extra_data": 4}', "Widgets: extra_data is not a dict"],
  ['{"widget_type": "chart", "extra_data": {}}', "Widgets: unknown widget type: chart"],
  ['{"widget_type": "zform", "extra_data": {}}', "Widgets: zform is missing type field"],
  ['{"widget_type": "zform", "extra_data": {"type": "x"}}', "Widgets: unknown zform type: x"],
])("%s is refused", (sent, message) => {
  expect(() => sentWidget(sent)).toThrow(message);
});

test("a poll has a submessage and cannot be edited; text that an edit turns into a command does not become a widget", async () => {
  const realm = testRealm();
  const poll = await say(realm, "member", "votes", "/poll Où?\n- là");
  const text = await say(realm, "member", "votes", "text");
  expect((await edit(realm, "member", poll, { content: "x" })).body.msg).toBe("Widgets cannot be edited.");
  expect((await edit(realm, "member", text, { content: "/poll x" })).body.msg).toBe("");
  expect((await edit(realm, "member", text, { content: "y" })).body.msg).toBe("");
  const content = '{"widget_type": "poll", "extra_data": {"question": "O\\u00f9?", "options": ["l\\u00e0"]}}';
  const expected = { id: 1, message_id: poll, sender_id: realm.id("member"), msg_type: "widget", content };
  expect((await read(realm, "member", "votes")).map(({ submessages }) => submessages)).toEqual([[expected], []]);
});

/** Votes and tasks: what is stored with a widget, and the server's words for refusals. */
const POLL = "/poll Where?\nhere\nthere";
const TODO = "/todo Trip\npack";
const vote = { type: "vote", key: "canned,0", vote: 1 };

describe("POST /submessage", () => {
  test.each<readonly [fact: string, as: string, message: string, content: unknown]>([
    ["a vote", "member2", POLL, vote],
    ["a vote taken back", "member2", POLL, { ...vote, vote: -1 }],
    ["an option", "guest", POLL, { type: "new_option", option: "nowhere", idx: 1 }],
    ["the author's other question", "member", POLL, { type: "question", question: "When?" }],
    ["a task", "member2", TODO, { type: "new_task", key: 2, task: "go", desc: "", completed: false }],
    ["a task that is done", "member2", TODO, { type: "strike", key: "0,canned" }],
    ["the author's other title", "member", TODO, { type: "new_task_list_title", title: "Way" }],
    // It is not known which submessages a sender may add to a plain text.
    ["anything to one's own text", "member", "text", "whatever"],
  ])("keeps %s", async (_fact, as, text, sent) => {
    const realm = testRealm();
    const heard = await realm.listen("member");
    const message_id = await say(realm, "member", "votes", text);
    const content = JSON.stringify(sent);
    const reply = await realm.call(as, "POST", "/submessage", { message_id, msg_type: "widget", content });
    expect([reply.status, reply.body.msg]).toEqual([200, ""]);
    const [message] = await read(realm, "member", "votes");
    const kept = Array.isArray(message?.submessages) ? message.submessages.at(-1) : undefined;
    expect(kept).toMatchObject({ message_id, sender_id: realm.id(as), msg_type: "widget", content });
    const { id: submessage_id, ...fields } = kept;
    expect((await heard()).at(-1)).toEqual({ type: "submessage", submessage_id, ...fields });
  });

  const only = (what: string) => `You can't edit ${what} unless you are the author.`;
  test.each<readonly [as: string, message: string, content: unknown, msg: string]>([
    ["member2", "text", vote, "You cannot attach a submessage to this message."],
    ["member2", POLL, "{", "Invalid json for submessage"],
    ["member2", POLL, [], "poll data is not a dict"],
    ["member2", POLL, {}, "type key is missing from poll data"],
    ["member2", POLL, { type: 3 }, 'poll data["type"] is not a string'],
    ["member2", POLL, { type: "strike", key: "0" }, "Unknown type for poll data: strike"],
    ["member2", POLL, { type: "toString" }, "Unknown type for poll data: toString"],
    ["member2", POLL, { type: "vote", vote: 1 }, "key key is missing from poll data"],
    ["member2", POLL, { ...vote, key: 3 }, 'poll data["key"] is not a string'],
    ["member2", POLL, { ...vote, vote: "1" }, 'poll data["vote"] is not an integer'],
    ["member2", POLL, { ...vote, vote: 0 }, 'Invalid poll data["vote"]'],
    ["member2", POLL, { ...vote, weight: 2, colour: "red" }, "Unexpected arguments: weight, colour"],
    ["member2", POLL, { type: "question", question: "When?" }, only("a question")],
    ["owner", TODO, { type: "new_task_list_title", title: "Way" }, only("the task list title")],
    ["member2", TODO, vote, "Unknown type for todo data: vote"],
    [
      "member2",
      TODO,
      { type: "new_task", key: 2, task: "go", desc: "", completed: "no" },
      'todo data["completed"] is not a boolean',
    ],
  ])("as %s to %j: %j is refused", async (as, text, sent, msg) => {
    const realm = testRealm();
    const message_id = await say(realm, "member", "votes", text);
    const content = typeof sent === "string" ? sent : JSON.stringify(sent);
    const reply = await realm.call(as, "POST", "/submessage", { message_id, msg_type: "widget", content });
    expect([reply.status, reply.body.msg]).toEqual([400, msg]);
  });

  test("is refused for people who cannot see the message", async () => {
    const realm = testRealm();
    const direct = { type: "direct", to: [realm.id("member2")], content: POLL };
    const message_id = (await realm.call("member", "POST", "/messages", direct)).body.id;
    const sent = { message_id, msg_type: "widget", content: JSON.stringify(vote) };
    expect((await realm.call("owner", "POST", "/submessage", sent)).body.msg).toBe("Invalid message(s)");
    expect((await realm.call("member2", "POST", "/submessage", sent)).status).toBe(200);
  });
});
