import { expect, test } from "vitest";
import { crew, hall, strictState, wordsOf } from "../../test/support/strict-organization.ts";
import { sourcesOf, type Target } from "./sources.ts";

const sources = (target: Target, right: string) =>
  sourcesOf(strictState, target, right).map(({ people, source }) => [source().via, wordsOf(people)]);

test("a source names everybody, whether or not they meet the condition of the right", () => {
  const settings = { can_delete_any_message_group: ["dmitri"] };
  const target = hall(settings, { privacy: "private_shared_history" });
  expect(sources(target, "can_delete_any_message_group")).toEqual([
    ["setting", ["dmitri"]],
    ["setting", []],
  ]);
});

test.each<{ what: string; target: Target; right: string }>([
  { what: "a word that is no right on a channel", target: hall({}), right: "can_fly_group" },
  { what: "a word that is no right on a group", target: crew({}), right: "can_fly_group" },
  { what: "a setting that the channel does not have", target: hall({}), right: "can_send_message_group" },
  { what: "a setting that the group does not have", target: crew({}), right: "can_mention_group" },
  { what: "a setting that the organization does not have", target: "organization", right: "can_fly_group" },
])("$what has no source", ({ target, right }) => expect(sources(target, right)).toEqual([]));

test("people without bots give none of them a right", () => {
  const target = hall({ can_send_message_group: ["elif"] });
  expect(sources(target, "can_send_message_group")).toEqual([["setting", ["elif"]]]);
});
