import { describe, expect, test } from "vitest";
import { codePoints, foldCase, forbiddenCharacter, strip } from "./names.ts";

describe("foldCase", () => {
  test.each([
    { one: "Announce", other: "aNNOUNCE", same: true },
    { one: "STRAßE", other: "straße", same: true },
    { one: "straße", other: "STRASSE", same: false },
    { one: "İstanbul", other: "istanbul", same: false },
    { one: "ΣΊΣΥΦΟΣ", other: "σίσυφοσ", same: true },
    { one: "a b", other: "a  b", same: false },
  ])("$one and $other", ({ one, other, same }) => {
    expect(foldCase(one) === foldCase(other)).toBe(same);
  });
});

describe("strip", () => {
  test.each([
    { text: "  a b ", stripped: "a b" },
    { text: "\u00a0\u2003a\u3000", stripped: "a" },
    { text: "\u001fa\u0085", stripped: "a" },
    { text: "\ufeffa\u200b", stripped: "\ufeffa\u200b" },
    { text: " \t\n", stripped: "" },
  ])("$text", ({ text, stripped }) => {
    expect(strip(text)).toBe(stripped);
  });
});

describe("forbiddenCharacter", () => {
  test.each([
    { name: "fine · 😀 \u200b \ue000", position: undefined },
    { name: "a\u0000b", position: 2 },
    { name: "😀\n", position: 2 },
    { name: "ab\ud800", position: 3 },
    { name: "\ufdd0", position: 1 },
    { name: "a\u{1fffe}", position: 2 },
  ])("$name", ({ name, position }) => {
    expect(forbiddenCharacter(name)).toBe(position);
  });
});

test("lengths are counted in code points", () => {
  expect(codePoints("a😀é")).toBe(3);
});
