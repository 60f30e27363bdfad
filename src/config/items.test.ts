import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { kinds } from "../kinds/registry.ts";
import { isQuicklyValid } from "../model/quick-check.ts";

const person = fc.constantFrom<unknown>("ada@example.org", { id: 7 }, { id: 0 }, { id: 7, name: "Ada" });
const who = fc.constantFrom<unknown>(
  "staff",
  { groups: ["staff"], users: ["ada@example.org", { id: 7 }] },
  { groups: 1 },
);
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 30, -1, 1.5, 2 ** 53, "", "a name", "unlimited", "x".repeat(2000)),
  person,
  who,
  fc.array(fc.oneof(person, fc.constantFrom<unknown>("staff", 3, null)), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("can_send_message_group", "can_manage_group", "groups", "users"), who),
);

test.each(kinds.map((kind) => [kind.section, kind] as const))(
  "an entry of %s that is accepted unchanged equals the result of its schema",
  (_, kind) => {
    const schema = kind.file.schema();
    const names = [...(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []), "permissions", "another"];
    const entry = fc.oneof(value, fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }));
    fc.assert(
      fc.property(entry, (written) => {
        if (isQuicklyValid(schema, written))
          expect(schema.safeParse(written)).toEqual({ success: true, data: written });
      }),
      { numRuns: 400 },
    );
  },
);

test("nearly every entry of a file is accepted unchanged", () => {
  const form = (section: string) => kinds.find((kind) => kind.section === section)?.file.schema() ?? z.never();
  const channel = {
    description: "What we do",
    privacy: "private_shared_history",
    folder: "Engineering",
    message_retention_days: 30,
    permissions: { can_send_message_group: "staff", can_subscribe_group: { groups: ["staff"], users: [{ id: 7 }] } },
    subscribers: { users: ["ada@example.org"], exact: true },
  };
  expect(isQuicklyValid(form("channels"), channel)).toBe(true);
  expect(isQuicklyValid(form("channels"), { ...channel, message_retention_days: "unlimited" })).toBe(true);
  const group = { description: "", members: ["ada@example.org", { id: 7 }], subgroups: ["staff"], permissions: {} };
  expect(isQuicklyValid(form("user_groups"), group)).toBe(true);
});
