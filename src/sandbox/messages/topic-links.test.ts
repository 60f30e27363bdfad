import { expect, test } from "vitest";
import { edit, read, say } from "../../../test/support/sandbox/messages.ts";
import { testRealm } from "../../../test/support/sandbox/realm.ts";

const issue = (id: number) => ({ text: `#${id}`, url: `https://i.example/${id}` });

test.each<readonly [topic: string, links: unknown]>([
  ["plain", []],
  ["#12", [issue(12)]],
  ["fix #12 and (#13), '#14'", [issue(12), issue(13), issue(14)]],
  ["#12 #13", [issue(12), issue(13)]],
  ["a#12", []],
  ["#12b", []],
  [
    "see https://a.example/x?y=1, #12",
    [{ text: "https://a.example/x?y=1", url: "https://a.example/x?y=1" }, issue(12)],
  ],
])("the links in %j", async (topic, links) => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/realm/filters", {
    pattern: "#(?P<id>[0-9]+)",
    url_template: "https://i.example/{id}",
  });
  const id = await say(realm, "member", "x", "c");
  const events = await realm.listen("member");
  await edit(realm, "member", id, { topic, send_notification_to_new_thread: false });
  expect((await read(realm, "member", topic)).map((message) => message.topic_links)).toEqual([links]);
  expect((await events()).map((event) => event.topic_links)).toContainEqual(links);
});
