import { describe, expect, test } from "vitest";
import { channelIdsIn, NameSearch, spellings } from "./name-search.ts";

// Whether a text that somebody wrote reveals a hidden name, in any form, but not as a part of another word.

describe("a hidden name in a text", () => {
  const search = new NameSearch();
  for (const name of ["hr", "Kilimanjaro", "plan b", "合併計画", "人事", "社", "합병", "ประชุมลับ"])
    search.add(name, "name", true);
  for (const address of ["bob@example.org"]) search.add(address, "address", true);
  for (const name of ["Bob Mora", "Bo", "Mora", "山田太郎"]) search.add(name, "full-name", true);
  for (const name of ["kilimanjaro plans", "#hr desk"]) search.add(name, "name", false);
  search.add("", "name", true);

  test.each<{ text: string; found: boolean }>([
    { text: "", found: false },
    { text: "no hidden name", found: false },
    // A word of four letters or more, whole.
    { text: "about kilimanjaro.", found: true },
    { text: "KILIMANJARO", found: true },
    { text: "kilimanjaros", found: false },
    { text: "xkilimanjaro", found: false },
    { text: "pre-kilimanjaro", found: false },
    { text: "pre_kilimanjaro", found: false },
    { text: "kilimanjaro-2", found: false },
    { text: "kilimanjaro_two", found: false },
    { text: "kilimanjaro- two", found: true },
    { text: "kilimanjaro_", found: true },
    { text: "a kilimanjaros kilimanjaro", found: true },
    { text: "the plan b", found: true },
    // Two letters count as a name only after a sign or in quotes.
    { text: "the hr team", found: false },
    { text: "hr", found: false },
    { text: "#hr", found: true },
    { text: "#hr-2", found: false },
    { text: "#hr-", found: true },
    { text: "#hrs", found: false },
    { text: "channel:hr", found: true },
    { text: " :hr", found: false },
    { text: 'of "hr"', found: true },
    { text: "of 'hr'", found: true },
    { text: "of `hr`", found: true },
    { text: "of “hr”", found: true },
    { text: "of ‘hr’", found: true },
    { text: "of *hr*", found: true },
    { text: "of 'hr`", found: false },
    { text: 'of "hr', found: false },
    { text: 'of hr"', found: false },
    // Words without spaces between them, or with endings.
    { text: "明日の合併計画会議", found: true },
    { text: "人事について", found: true },
    { text: "明日Kilimanjaroへ", found: true },
    { text: "社内", found: false },
    { text: "#社", found: true },
    { text: "합병은 비밀", found: true },
    { text: "วันประชุมลับนี้", found: true },
    // A hidden name is not found inside a name that may be shown.
    { text: "the kilimanjaro plans", found: false },
    { text: "the kilimanjaro plan", found: true },
    // Addresses end where an address ends.
    { text: "bob@example.org", found: true },
    { text: "mail <Bob@Example.org>.", found: true },
    { text: "abob@example.org", found: false },
    { text: "a.bob@example.org", found: false },
    { text: "a+bob@example.org", found: false },
    { text: "a-bob@example.org", found: false },
    { text: "bob@example.organ", found: false },
    // Full names are searched as words, except short ones.
    { text: "asked Bob Mora", found: true },
    { text: "山田太郎さんに聞く", found: true },
    { text: "asked Moras", found: false },
    { text: "asked mora", found: true },
    { text: "#Bo", found: false },
  ])("$text: $found", ({ text, found }) => expect(search.has(text)).toBe(found));

  test.each([
    [true, false],
    [false, true],
  ])("stays hidden if another object has the same name (%s first)", (first, second) => {
    const both = new NameSearch();
    both.add("kilimanjaro", "name", first);
    both.add("Kilimanjaro", "name", second);
    expect(both.has("kilimanjaro")).toBe(true);
  });

  test("letters whose lower-case form has several letters stay unchanged", () => {
    const search = new NameSearch();
    search.add("İzmir", "name", true);
    expect([search.has("in İzmir"), search.has("in xİzmir")]).toEqual([true, false]);
  });
});

test.each<{ text: string; also: string }>([
  { text: "\\u0062oard", also: "board" },
  { text: '\\"board\\"', also: '"board"' },
  { text: "a\\\\b", also: "a\\b" },
  { text: "a &amp; b", also: "a & b" },
  { text: "&lt;b&gt;&quot;&apos;", also: "<b>\"'" },
  { text: "a&nbsp;b", also: "a b" },
  { text: "&AMP;", also: "&" },
  { text: "&#98;&#x6F;ard", also: "board" },
  { text: "&#X10FFFF;", also: "\u{10ffff}" },
  { text: "%C3%BCber%20uns", also: "über uns" },
  { text: ".C3.BCber.20uns", also: "über uns" },
  { text: "4-board_room", also: "4 board room" },
  { text: "&amp;#98;oard", also: "&#98;oard" },
])("$text is also read as $also", ({ text, also }) => {
  expect(spellings(text)).toContain(also);
  expect(spellings(text)).toContain(text);
});

test.each(["&zz;", "&#x110000;", "&#;", "a %zz b", "&toolong;"])("%s is read unchanged", (text) =>
  expect(spellings(text)[0]).toBe(text),
);
test("the number of a character that does not exist stays unchanged", () =>
  expect(spellings("&#x110000;")).toContain("&#x110000;"));

test.each([
  ["#narrow/channel/4-Two-words", [4]],
  ["#narrow/stream/12", [12]],
  ["#channels/4/Two and streams/17.", [4, 17]],
  ["Channel/123456789012345", [123456789012345]],
  ["channel/4x", []],
  ["channel/1234567890123456", []],
  ["channels 4", []],
])("channels in the link %s", (text, ids) => expect(channelIdsIn(text)).toEqual(ids));
