import { expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import type { Json } from "../../model/json.ts";
import { Realm } from "../../model/realm.ts";
import { spansIn } from "../../model/span.ts";
import { needsSubscribers } from "./outcome.ts";

const at = { file: "realm.yaml", line: 1, column: 1, endLine: 1, endColumn: 1 };
const realm = new Realm(
  realmOf({
    channels: [
      { name: "open" },
      { name: "closed", invite_only: true, history_public_to_subscribers: true },
      { name: "asleep", invite_only: true, history_public_to_subscribers: true, is_archived: true },
    ],
  }),
);

// The cost of a yes is a second reading of the whole organization.
test.each<{ key: string; fields: { readonly [field: string]: Json }; was?: string; needs: boolean }>([
  { key: "OPEN", fields: { archived: false, privacy: "public" }, needs: false },
  { key: "OPEN", fields: { archived: false, description: "x" }, needs: false },
  { key: "CLOSED", fields: { archived: false, description: "x" }, needs: true },
  { key: "CLOSED", fields: { archived: false, privacy: "public" }, needs: true },
  { key: "CLOSED", fields: { archived: true }, needs: true },
  { key: "CLOSED", fields: { archived: false, can_subscribe_group: "role:nobody" }, needs: true },
  { key: "ASLEEP", fields: { archived: false }, needs: true },
  { key: "ASLEEP", fields: { archived: true }, needs: true },
  { key: "NEW NAME", was: "closed", fields: { archived: false, privacy: "public" }, needs: true },
  { key: "OPEN", fields: { archived: false, privacy: "private_shared_history" }, needs: true },
])("$key $was $fields: $needs", ({ key, fields, was, needs }) => {
  const declared = {
    key,
    name: key,
    absent: false,
    fields,
    at,
    spans: spansIn({}),
    ...(was === undefined ? {} : { was }),
  };
  expect(needsSubscribers(declared, realm)).toBe(needs);
});
