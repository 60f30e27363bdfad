import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { field } from "../../test/support/example-plans.ts";
import fc from "../../test/support/random.ts";
import type { Json } from "../model/json.ts";
import type { FieldChange } from "../model/plan.ts";
import { valueText } from "../model/value-text.ts";
import { PLAIN } from "./style.ts";
import { arrowText, changeLines, diffLines, nameList, orderLines } from "./values.ts";

describe("values are written as in the file", () => {
  test.each<{ value: Json; text: string }>([
    { value: "staff", text: "staff" },
    { value: "role:members", text: "role:members" },
    { value: "ada@example.org", text: "ada@example.org" },
    { value: "", text: '""' },
    { value: " outer ", text: '" outer "' },
    { value: "true", text: '"true"' },
    { value: "No", text: '"No"' },
    { value: "12", text: '"12"' },
    { value: "1e3", text: '"1e3"' },
    { value: "#1234", text: '"#1234"' },
    { value: "a: b", text: '"a: b"' },
    { value: "a #b", text: '"a #b"' },
    { value: 'say "hi"', text: 'say "hi"' },
    { value: '"hi"', text: '"\\"hi\\""' },
    { value: "two\nlines", text: '"two\\nlines"' },
    { value: "back\\slash", text: "back\\slash" },
    { value: "back\\slash\n", text: '"back\\\\slash\\n"' },
    { value: "\u202eabc", text: '"\\u202eabc"' },
    { value: "東京", text: "東京" },
    { value: null, text: "null" },
    { value: true, text: "true" },
    { value: 90, text: "90" },
    { value: [], text: "[]" },
    { value: ["a", "b, c"], text: '[a, "b, c"]' },
    { value: { groups: ["staff"], users: ["ada@example.org"] }, text: "{groups: [staff], users: [ada@example.org]}" },
  ])("$text", ({ value, text }) => {
    expect(valueText(value)).toBe(text);
    expect(parse(text)).toEqual(value);
  });

  test("an empty list is left out of a group value", () => {
    expect(valueText({ groups: ["leads", "staff"], users: [] })).toBe("{groups: [leads, staff]}");
  });
});

const of = (groups: readonly string[], users: readonly string[] = []): Json => ({ groups, users });

describe("differences", () => {
  test.each<{ name: string; before: Json; after: Json; lines: readonly string[] }>([
    { name: "words", before: "public", after: "web_public", lines: ["public → web_public"] },
    { name: "cleared", before: "Company", after: null, lines: ["Company → null"] },
    { name: "a number instead of a word", before: "unlimited", after: 90, lines: ["unlimited → 90"] },
    { name: "an emptied text", before: "Anything", after: "", lines: ['Anything → ""'] },
    { name: "a group is added", before: "staff", after: of(["leads", "staff"]), lines: ["+ leads  = staff"] },
    {
      name: "people are added and removed",
      before: of(["staff"], ["ada@x", "bob@x"]),
      after: of(["staff"], ["bob@x", "eve@x"]),
      lines: ["+ eve@x  - ada@x  = staff, bob@x"],
    },
    {
      name: "nothing in common",
      before: "role:nobody",
      after: of(["a", "b"]),
      lines: ["role:nobody → {groups: [a, b]}"],
    },
    { name: "an extended list", before: ["a"], after: ["a", "b"], lines: ["+ b  = a"] },
    { name: "an emptied list", before: ["a", "b"], after: [], lines: ["- a, b"] },
    { name: "a list is turned", before: ["a", "b"], after: ["b", "a"], lines: ["now in this order: [b, a]"] },
    {
      name: "many join",
      before: ["x"],
      after: ["x", "a", "b", "c", "d", "e", "f", "g", "h", "i"],
      lines: ["+ a, b, c, d, e, f … and 3 more  = x"],
    },
    {
      name: "prose",
      before: "Page the on-call",
      after: "Page the lead",
      lines: ["- Page the on-call", "+ Page the lead"],
    },
    {
      name: "prose that gains a blank at its end",
      before: 'Page the "lead"',
      after: 'Page the "lead" ',
      lines: ['- "Page the \\"lead\\""', '+ "Page the \\"lead\\" "'],
    },
    {
      name: "prose that loses a blank at its start",
      before: " Page the lead",
      after: "Page the lead",
      lines: ['- " Page the lead"', '+ "Page the lead"'],
    },
    {
      name: "a long text that is emptied",
      before: "Page the lead, and whoever has the phone this week, in this order",
      after: "",
      lines: ["- Page the lead, and whoever has the phone this week, in this order", '+ ""'],
    },
    {
      name: "prose that loses the end of its line, which has an escape",
      before: "Page the lead\n",
      after: "Page the lead",
      lines: ["- Page the lead\\n", "+ Page the lead"],
    },
  ])("$name", ({ before, after, lines }) => {
    expect(changeLines(PLAIN, field("f", before, after), 60, false)).toEqual(lines);
  });

  const long = Array.from({ length: 80 }, (_, index) => `w${index}`).join(" ");

  test("in a long text, parts far from the difference are left out", () => {
    const lines = changeLines(PLAIN, field("f", long, long.replace("w40", "NEW")), 60, false);
    expect(lines).toEqual(["- … w37 w38 w39 w40 w41 w42 w43 …", "+ … w37 w38 w39 NEW w41 w42 w43 …"]);
  });

  test.each([
    { start: "y".repeat(995), removed: "yyyyy", added: "EVIL" },
    { start: `https://a.example/?${"c-1%2C/".repeat(200)}`, removed: "good", added: "evil" },
    { start: "a".repeat(1000), removed: "", added: "a" },
  ])("a long text without spaces is shown around the difference, too: $added", ({ start, removed, added }) => {
    const [before, after, shared] = [start + removed, start + added, start.slice(-40)];
    const lines = changeLines(PLAIN, field("f", before, after), 60, false);
    expect(lines).toEqual([`- …${shared}${removed}`, `+ …${shared}${added}`]);
  });

  const odd = fc
    .array(
      fc.oneof(
        fc.constantFrom("a", "b", " ", "  ", "\n", "\\n", '"', "…", "\u200b", "😀", "é"),
        fc.constantFrom("x".repeat(200), "ab".repeat(150), "w ".repeat(90)),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(""));

  test("different values never look alike", () => {
    const value = fc.oneof(odd, fc.array(fc.record({ a: odd }), { maxLength: 3 }));
    fc.assert(
      fc.property(value, value, odd, odd, (one, two, start, end) => {
        const whole = (middle: typeof one) => (typeof middle === "string" ? start + middle + end : middle);
        const [before, after] = [whole(one), whole(two)];
        fc.pre(JSON.stringify(before) !== JSON.stringify(after) && typeof before === typeof after);
        for (const lines of [
          changeLines(PLAIN, field("f", before, after), 60, false),
          diffLines(PLAIN, field("f", before, after), 60, false, 500),
        ]) {
          const texts = lines.map((line) => line.replace(/^[-+]/, "").trim());
          expect(new Set(texts).size, lines.join("\n")).toBe(texts.length);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("all of it on request", () => {
    const lines = changeLines(PLAIN, field("f", long, long.replace("w40", "NEW")), 60, true);
    expect(lines).toEqual([`- ${long}`, `+ ${long.replace("w40", "NEW")}`]);
  });

  test("with colour the differing words are marked", () => {
    const [, line] = changeLines({ ...PLAIN, colour: true }, field("f", "the old text", "the new text"), 60, false);
    expect(line).toContain("the \u001b[32;4mnew\u001b[0m text");
  });
});

test("a new order says which items moved", () => {
  expect(orderLines(PLAIN, ["a", "b", "c"], ["b", "a", "c", "d"], 9)).toEqual(["2  a  (was 1)", "4  d  (new)"]);
});

describe("one difference", () => {
  const lines = (before: Json, after: Json, more: Partial<FieldChange> = {}, columns = 60): readonly string[] =>
    changeLines(PLAIN, { ...field("f", before, after), ...more }, columns, false);

  test("of hidden values shows neither of them", () => {
    expect(lines("secret", "secret too", { hidden: true })).toEqual(["changed; what differs is hidden"]);
    expect(lines("secret", "secret too", { hidden: true, field: "name" })).toEqual(["renamed; both names are hidden"]);
    expect(arrowText({ ...field("f", "secret", "s"), hidden: true }, PLAIN)).toBe("changed; what differs is hidden");
    expect(arrowText(field("f", "a", "b"), PLAIN)).toBe("a → b");
  });

  test("that the file does not ask for says so at its end", () => {
    expect(lines("a", "b", { unset: true })).toEqual(["a → b (not in the file: default)"]);
    expect(lines(of(["a", "b"]), of(["a"]), { unset: true })).toEqual(["- b  = a (not in the file: default)"]);
  });

  test.each<{ name: string; before: Json; after: Json; columns?: number; shown: readonly string[] }>([
    { name: "without a previous value: only the new one", before: null, after: of(["a"]), shown: ["{groups: [a]}"] },
    { name: "an arrow that just fits", before: "abc", after: "de", columns: 8, shown: ["abc → de"] },
    { name: "other values that do not fit", before: 123456, after: null, columns: 8, shown: ["- 123456", "+ null"] },
    { name: "one text with spaces, one without", before: "a b", after: "c", shown: ["a b → c"] },
    {
      name: "three members stay",
      before: of(["a", "b", "c"]),
      after: of(["a", "b", "c", "d"]),
      shown: ["+ d  = a, b, c"],
    },
    {
      name: "four members stay",
      before: of(["a", "b", "c", "d"]),
      after: of(["a", "b", "c", "d", "e"]),
      shown: ["+ e  = 4 others stay"],
    },
    {
      name: "a list with an object in it is not a set",
      before: [{ a: 1 }, 2],
      after: [2],
      shown: ["[{a: 1}, 2] → [2]"],
    },
    {
      name: "members that do not fit beside each other",
      before: of(["abc", "d"]),
      after: of(["abc", "e"]),
      columns: 14,
      shown: ["+ e", "- d", "= abc"],
    },
    {
      name: "an object with another key is not a set",
      before: { groups: ["a"], other: [] },
      after: { groups: ["a", "b"], other: [] },
      shown: ["{groups: [a]} → {groups: [a, b]}"],
    },
  ])("$name", ({ before, after, columns, shown }) => {
    expect(lines(before, after, {}, columns)).toEqual(shown);
  });

  test("lists of names say how many they leave out, but never only one", () => {
    expect(nameList(PLAIN, ["a", "b", "c"], 2)).toBe("a, b, c");
    expect(nameList(PLAIN, ["a", "b", "c", "d"], 2)).toBe("a, b … and 2 more");
  });
});
