import { describe, expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import { LEFT_OUT, redactionBy } from "./redaction.ts";

const CHANNELS = new Map([
  ["security", "private channel 4"],
  ["it", "private channel 5"],
  ["hr", "private channel 6"],
  ["here", "private channel 7"],
  ["Kilimanjaro Merger", "private channel 8"],
  ['say "hi"', "private channel 9"],
  ["back\\slash", "private channel 10"],
  ["über-uns", "private channel 11"],
]);
const redaction = redactionBy(
  {
    names: new Map([["channel", CHANNELS]]),
    ids: new Map([[8, "private channel 8"]]),
    addresses: new Map([["ada@example.org", "person 1"]]),
    people: ["Grace Hopper", "Will"],
    visible: ["hr-public", "general", "it crowd"],
    known: new Set(["ask grace hopper"]),
  },
  kinds,
);

describe("texts that people write are left out completely", () => {
  test.each([
    ["security", "private channel 4"],
    ["Ada@example.org", "person 1"],
    ["See #**Kilimanjaro Merger>plans**", LEFT_OUT],
    ["See [there](#narrow/channel/8-Kilimanjaro-Merger/topic/plans)", LEFT_OUT],
    ["https://chat.example.org/#narrow/channel/8", LEFT_OUT],
    ["https://chat.example.org/#narrow/stream/Kilimanjaro.20Merger", LEFT_OUT],
    ["https://chat.example.org/#narrow/stream/Kilimanjaro%20Merger", LEFT_OUT],
    [
      "https://chat.example.org/#narrow/stream/Kilimanjaro%252520Merger",
      "https://chat.example.org/#narrow/stream/Kilimanjaro%252520Merger",
    ],
    ["#channels/8/anything/general", LEFT_OUT],
    ["say &quot;hi&quot; to them", LEFT_OUT],
    ['answered: {"msg": "no say \\"hi\\" there"}', LEFT_OUT],
    ["back%5Cslash", LEFT_OUT],
    ["%C3%BCber-uns", LEFT_OUT],
    ["Be here at nine", LEFT_OUT],
    ["Ask Grace Hopper", "Ask Grace Hopper"],
    ["Ask Grace Hopper first", LEFT_OUT],
    ["Write to ada@example.org", LEFT_OUT],
    ["For hr-public and the it crowd", "For hr-public and the it crowd"],
    ["It is for hr", "It is for hr"],
    ["It is for #hr", LEFT_OUT],
    ["general", "general"],
    ["channel/80-Other", "channel/80-Other"],
  ])("%s → %s", (from, to) => expect(redaction.value(from)).toBe(to));
});

describe("names as data", () => {
  test.each([
    ["channel", "hr", "private channel 6"],
    ["channel", "HR", "private channel 6"],
    ["default_channel", "hr", "private channel 6"],
    ["user_group", "hr", "hr"],
    ["channel_folder", "here", "here"],
    ["channel", "general", "general"],
    ["invite", "ada@example.org", "person 1"],
    ["navigation_view", "narrow/channel/8-Kilimanjaro-Merger", "narrow/channel/8"],
    ["navigation_view", "inbox", "inbox"],
    ["linkifier", "#(?P<id>[0-9]+)", "#(?P<id>[0-9]+)"],
    ["linkifier", "Kilimanjaro Merger (?P<id>[0-9]+)", LEFT_OUT],
    ["emoji", "kilimanjaro_merger", LEFT_OUT],
    ["emoji", "old_kilimanjaro_merger_2", LEFT_OUT],
    ["emoji", "say_hi_there", LEFT_OUT],
    ["bot", "kilimanjaro-merger-bot", LEFT_OUT],
    ["bot", "grace.hopper-bot", LEFT_OUT],
    ["bot", "deploy-bot", "deploy-bot"],
  ])("%s %s → %s", (kind, from, to) => expect(redaction.name(kind, from)).toBe(to));
});

test.each([
  ["hr", "private channel 6"],
  ["Kili*", "(private)"],
  ["*", "*"],
  ["hr-*", "hr-*"],
])("a pattern %s → %s", (from, to) => expect(redaction.pattern("channels", from)).toBe(to));

test("a long text with many partial matches of names is searched once", () => {
  const names = new Map(Array.from({ length: 60 }, (_, at) => [`${"a".repeat(at + 1)}-b`, "hidden"] as const));
  const text = "a".repeat(200_000);
  expect(redactionBy({ names: new Map([["channel", names]]), addresses: new Map() }, kinds).value(text)).toBe(text);
});
