import { expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import { Realm } from "../../model/realm.ts";
import { impliedRights } from "../permissions.ts";
import { standingDefaults } from "./kind.ts";

const snapshot = realmOf({ user_groups: [{ name: "staff", members: [] }] });
const group = snapshot.user_groups.find(({ name }) => name === "staff");
const object = { key: "staff", name: "staff", id: group?.id ?? 0, fields: {}, inactive: false };

/** A server that gives new groups other values of some settings. */
function serverWith(defaults: { readonly [setting: string]: string }): Realm {
  const { permission_settings: rules } = snapshot;
  if (rules === null) throw new RangeError("no rules");
  const changed = Object.entries(rules.group).map(([setting, rule]) => [
    setting,
    { ...rule, default_group_name: defaults[setting] ?? rule.default_group_name },
  ]);
  return new Realm({ ...snapshot, permission_settings: { ...rules, group: Object.fromEntries(changed) } });
}

test("the values of a group that nobody configured are the server's own defaults", () => {
  const realm = serverWith({ can_leave_group: "role:members", can_join_group: "group_creator" });
  expect(standingDefaults(new Realm(snapshot), object)).toMatchObject({
    can_leave_group: "role:everyone",
    can_join_group: "role:nobody",
  });
  expect(standingDefaults(realm, object)).toMatchObject({
    can_leave_group: "role:members",
    can_join_group: standingDefaults(realm, object).can_manage_group,
  });
});

test("a new group names the account that creates it in the settings that the server gives to the creator", () => {
  const own = { groups: [], users: [new Realm(snapshot).userName(snapshot.account.user_id)] };
  expect(impliedRights("group")(new Realm(snapshot))).toEqual({ can_add_members_group: own, can_manage_group: own });
  expect(
    impliedRights("group")(serverWith({ can_join_group: "group_creator", can_manage_group: "role:owners" })),
  ).toEqual({
    can_add_members_group: own,
    can_join_group: own,
  });
});
