import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import { hiddenSnapshot } from "./snapshot-source.ts";

test.each(["hint", "order", "name", "required"])(
  "a private channel called %j takes no key of a setting away",
  (name) => {
    const hidden = (called: string) =>
      hiddenSnapshot(
        realmOf({
          channels: [{ name: called, invite_only: true }],
          profile_fields: [{ name: "Home", type: "select", field_data: { 0: { text: "Leeds", order: "1" } } }],
        }),
        undefined,
        kinds,
      );
    expect(hidden(name)).toEqual(hidden("qz-canary"));
    expect(JSON.stringify(hidden("qz-canary"))).not.toContain("canary");
  },
);

test.each([
  { about: "one", keys: ["qz-canary"] },
  { about: "several that look the same when hidden", keys: ["lin@canary.example", "grace@canary.example", "0"] },
])("the keys of options are hidden if they mention a hidden name: $about", ({ keys }) => {
  const field_data = Object.fromEntries(keys.map((key, index) => [key, { text: `Site ${index}`, order: `${index}` }]));
  const hidden = hiddenSnapshot(
    realmOf({
      channels: [{ name: "qz-canary", invite_only: true }],
      profile_fields: [{ name: "Home", type: "select", field_data }],
      profile_values: { "501": Object.fromEntries(keys.map((key) => [key, 2])) },
    }),
    undefined,
    kinds,
  );
  const text = JSON.stringify(hidden);
  expect(text).not.toContain("canary");
  for (const index of keys.keys()) expect(text).toContain(`Site ${index}`);
  const counts = Object.values(hidden.profile_values?.["501"] ?? {});
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * keys.length);
});
