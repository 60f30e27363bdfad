import { expect, test } from "vitest";
import { didYouMean, editDistance } from "./suggest.ts";

test.each([
  { word: "chanels", candidates: ["linkifiers", "channels", "domains"], meant: "channels" },
  { word: "Engineering", candidates: ["engineering", "Engine"], meant: "engineering" },
  { word: "enginering", candidates: ["contractors", "engineering"], meant: "engineering" },
  { word: "can-send-message-group", candidates: ["can_send_message_group"], meant: "can_send_message_group" },
  { word: "descirption", candidates: ["description"], meant: "description" },
  { word: "pubilc", candidates: ["public", "web_public"], meant: "public" },
  { word: "xyz", candidates: ["channels", "domains"], meant: undefined },
  { word: "a", candidates: ["b", "c"], meant: undefined },
  { word: "", candidates: ["a"], meant: undefined },
  { word: "public", candidates: ["public"], meant: undefined },
  { word: "staf", candidates: ["stuff", "staff"], meant: "staff" },
])("$word → $meant", ({ word, candidates, meant }) => expect(didYouMean(word, candidates)).toBe(meant));

test.each([
  { a: "", b: "abc", distance: 3 },
  { a: "abc", b: "abc", distance: 0 },
  { a: "ab", b: "ba", distance: 1 },
  { a: "kitten", b: "sitting", distance: 3 },
])("$a and $b are $distance apart", ({ a, b, distance }) => expect(editDistance(a, b)).toBe(distance));

test("a distance at or above the limit is the limit", () => expect(editDistance("kitten", "sitting", 2)).toBe(2));
