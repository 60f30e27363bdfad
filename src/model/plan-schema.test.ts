import { expect, test } from "vitest";
import { Change } from "./plan-schema.ts";

const common = { kind: "channel", address: "channel:a", name: "a", fields: [], risks: [] };

test.each([
  { action: "create", may: [] },
  { action: "update", may: ["was", "id"] },
  { action: "remove", may: ["id", "undeclared"] },
  { action: "reorder", may: [] },
])("$action has $may and none of the other fields that only some changes have", ({ action, may }) => {
  const some: { readonly [field: string]: unknown } = { was: "b", id: 3, undeclared: true };
  expect(Change.safeParse({ action, ...common }).success).toBe(true);
  for (const [field, value] of Object.entries(some))
    expect([field, Change.safeParse({ action, ...common, [field]: value }).success]).toEqual([
      field,
      may.includes(field),
    ]);
});
