import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { quickCheck } from "./quick-check.ts";
import { Snapshot, SnapshotChannel, SnapshotGroup, SnapshotUser } from "./snapshot.ts";

const USER = {
  user_id: 7,
  email: "user7@chat.example.org",
  delivery_email: null,
  full_name: "Kim",
  role: 400,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  is_active: true,
  date_joined: "2026-01-01T00:00+00:00",
};
const GROUP = {
  id: 3,
  name: "crowd",
  description: "",
  members: [1, 2, 3],
  direct_subgroup_ids: [],
  is_system_group: false,
  deactivated: false,
  creator_id: null,
  date_created: 5,
  can_leave_group: { direct_members: [], direct_subgroups: [1] },
};
const CHANNEL = {
  stream_id: 1,
  name: "general",
  description: "",
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  is_archived: false,
  message_retention_days: null,
  creator_id: 7,
  date_created: 5,
  topics_policy: "inherit",
  can_send_message_group: 3,
};
const SUBSCRIBERS = { "1": [1, 2], "2": [] };
const ROWS: readonly (readonly [string, z.ZodType, object])[] = [
  ["a person", SnapshotUser, USER],
  ["a group", SnapshotGroup, GROUP],
  ["a channel", SnapshotChannel, CHANNEL],
  ["subscribers", Snapshot.shape.subscribers, SUBSCRIBERS],
];

test("rejects a table with the key __proto__, which parsing would drop", () => {
  const table = z.record(z.string(), z.boolean());
  const value: unknown = JSON.parse('{"__proto__": true}');
  expect(table.parse(value)).toEqual({});
  expect(quickCheck(table)(value)).toBe(false);
});

test("rejects a table whose keys have rules, which only parsing checks", () => {
  const table = z.record(z.string().regex(/^a/), z.boolean());
  expect(table.safeParse({ b: true }).success).toBe(false);
  expect(quickCheck(table)({ b: true })).toBe(false);
});

describe.each(ROWS)("%s", (_, schema, row) => {
  const isQuicklyValid = quickCheck(schema);

  test("accepts a valid value, alone and in a list", () => {
    expect(isQuicklyValid(row)).toBe(true);
    expect(quickCheck(z.array(schema))([row, row])).toBe(true);
    expect(quickCheck(z.array(schema))([row, 1])).toBe(false);
  });

  test("never accepts a value that the schema refuses or changes", () => {
    const name = fc.constantFrom(...Object.keys(row), "another");
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(100, 600, -1, 1.5, 2 ** 53, "", null, true, [1], [1.5], {}));
    const change = fc.tuple(name, fc.option(value, { nil: undefined }));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = new Map(Object.entries(row));
        for (const [field, to] of changes) to === undefined ? changed.delete(field) : changed.set(field, to);
        const found = Object.fromEntries(changed);
        const parsed = schema.safeParse(found);
        // A key that the schema drops is a change.
        expect(isQuicklyValid(found)).toBe(parsed.success && isDeepStrictEqual(parsed.data, found));
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ["a text with a rule", z.string().min(3), "long enough", "no"],
  ["a text with a rule that is written out", z.string().refine((text) => text !== "no"), "yes", "no"],
  ["a text that a rule may change, and does not", z.string().trim(), "abc", " abc"],
  ["a whole number with a rule", z.int().min(1), 3, 0],
  ["one of some words", z.enum(["one", "two"]), "two", "three"],
  ["one of two types", z.union([z.string(), z.int()]), 3, 1.5],
  [
    "one of two types with rules",
    z.union([z.string().min(1), z.strictObject({ id: z.int().min(1) })]),
    { id: 1 },
    { id: 0 },
  ],
])("%s is accepted if the schema accepts it as it is", (_, schema, right, wrong) => {
  expect([schema.safeParse(right).data, quickCheck<unknown>(schema)(right)]).toEqual([right, true]);
  expect(schema.safeParse(wrong).data).not.toEqual(wrong);
  expect(quickCheck<unknown>(schema)(wrong)).toBe(false);
});

test.each([
  ["a number of any kind", z.number(), 1.5],
  ["a list with a rule", z.array(z.int()).min(1), [3]],
  ["a default", z.string().default("x"), "y"],
  ["an optional value with a default", z.string().default("x").optional(), undefined],
  ["a change on the way", z.string().transform((text) => text.length), "abc"],
  ["one of two forms of an object", z.union([z.object({ a: z.int() }), z.looseObject({ a: z.int() })]), { a: 1 }],
  ["a text or a word", z.union([z.string().trim(), z.literal(" x")]), " x"],
])("%s is left to the schema", (_, schema, value) => {
  expect(schema.safeParse(value).success).toBe(true);
  expect(quickCheck<unknown>(schema)(value)).toBe(false);
});

test("does not accept an object with keys that the schema drops, since parsing returns another value", () => {
  const isQuicklyValid = quickCheck(z.object({ a: z.int() }));
  expect([isQuicklyValid({ a: 1 }), isQuicklyValid({ a: 1, b: 2 })]).toEqual([true, false]);
});
