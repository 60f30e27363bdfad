import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import { hiddenSnapshot } from "./hidden-snapshot.ts";

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
