import { expect, test } from "vitest";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

/** German, with dark screens for new people; everything else is as in a new organization. */
const live = realmOf({
  settings: { default_language: "de", description: "", can_create_groups: 12 },
  user_defaults: { color_scheme: 2 },
});
const SETTINGS = "settings:organization" as const;
const DEFAULTS = "user_defaults:organization" as const;

test.each<{
  what: string;
  file: string;
  addresses: readonly `${string}:${string}`[];
  fields?: string[];
  after: string;
}>([
  {
    what: "one field, of a section that is not in the file",
    file: "",
    addresses: [SETTINGS],
    fields: ["default_language"],
    after: "settings:\n  default_language: de\n",
  },
  {
    what: "one additional field, beside those in the file",
    file: "settings:\n  name: Acme Foundry # ours\n",
    addresses: [SETTINGS],
    fields: ["default_language"],
    after: "settings:\n  name: Acme Foundry # ours\n  default_language: de\n",
  },
  {
    what: "a permission, in its place",
    file: "settings:\n  permissions: {can_manage_all_groups: role:owners}\n",
    addresses: [SETTINGS],
    fields: ["can_create_groups"],
    after: "settings:\n  permissions: {can_manage_all_groups: role:owners, can_create_groups: role:moderators}\n",
  },
  {
    what: "a field with the value of a new organization, because it was requested",
    file: "user_defaults:\n  color_scheme: dark\n",
    addresses: [DEFAULTS],
    fields: ["twenty_four_hour_time"],
    after: "user_defaults:\n  color_scheme: dark\n  twenty_four_hour_time: false\n",
  },
  {
    what: "a whole section: the fields that differ from a new organization's",
    file: "",
    addresses: [DEFAULTS],
    after: "user_defaults:\n  color_scheme: dark\n",
  },
  {
    what: "of a section in the file, fields that it leaves out are adopted only by name",
    file: "settings:\n  name: Other\n",
    addresses: [SETTINGS],
    after: "settings:\n  name: Acme Foundry\n",
  },
  {
    what: "with unset: default, fields that the file leaves out are differences like others",
    file: "manage: {user_defaults: {unset: default}}\nuser_defaults:\n  enter_sends: false\n",
    addresses: [DEFAULTS],
    after: "manage: {user_defaults: {unset: default}}\nuser_defaults:\n  enter_sends: false\n  color_scheme: dark\n",
  },
  {
    what: "with exact, too",
    file: "manage: {user_defaults: exact}\nuser_defaults: {}\n",
    addresses: [DEFAULTS],
    after: "manage: {user_defaults: exact}\nuser_defaults:\n  color_scheme: dark\n",
  },
])("$what", async ({ file, addresses, fields, after }) => {
  const result = await adopted(one(`version: 1\n${file}`), live, {
    addresses,
    ...(fields === undefined ? {} : { fields }),
  });
  expect(result.files.get("realm.yaml")).toBe(`version: 1\n${after}`);
  expect(result.left).toBe(0);
  const again = await planned(result.files, live);
  const isAsked = (change: { readonly address: string }): boolean => addresses.some((each) => each === change.address);
  if (fields === undefined) expect(again.changes.filter(isAsked)).toEqual([]);
});

test("settings that the file does not mention are adopted only on request", async () => {
  const result = await adopted(one("version: 1\nsettings:\n  name: Other\n"), live);
  expect(result.files.get("realm.yaml")).toBe("version: 1\nsettings:\n  name: Acme Foundry\n");
});
