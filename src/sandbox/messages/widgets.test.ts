import { expect, test } from "vitest";
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

test("a poll can be moved", async () => {
  const realm = testRealm();
  const poll = await say(realm, "member", "votes", "/poll What?");
  expect((await edit(realm, "member", poll, { topic: "elsewhere" })).body.msg).toBe("");
});
