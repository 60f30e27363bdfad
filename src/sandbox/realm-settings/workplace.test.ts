import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** Level 477: the part of the server's rule that is known for certain (`workplace_users_group`). */
const MSG =
  "'workplace_users_group' must be a group whose membership can only be managed by organization administrators.";
const STRICT = {
  can_add_members_group: "role:administrators",
  can_join_group: "role:nobody",
  can_leave_group: "role:owners",
  can_manage_group: "role:administrators",
  can_remove_members_group: "role:owners",
};
type Rights = { readonly [right: string]: string };

async function made(
  realm: TestRealm,
  name: string,
  rights: Rights,
  subgroups: readonly number[] = [],
): Promise<number> {
  const values = Object.entries(rights).map(([right, role]) => [right, realm.group(role)]);
  const sent = { name, description: "", members: [realm.id("member")], subgroups, ...Object.fromEntries(values) };
  const { body } = await realm.call("owner", "POST", "/user_groups/create", sent);
  expect(body.msg).toBe("");
  return Number(body.group_id);
}
const set = async (realm: TestRealm, value: unknown): Promise<unknown> =>
  (await realm.call("owner", "PATCH", "/realm", { workplace_users_group: { new: value } })).body.msg;
const restricted = async (realm: TestRealm, role: string): Promise<void> => {
  const sent = { can_manage_all_groups: { new: realm.group(role) } };
  expect((await realm.call("owner", "PATCH", "/realm", sent)).body.msg).toBe("");
};

test.each<[fact: string, role: string, rights: Rights, msg: string]>([
  ["strict rights", "role:administrators", STRICT, ""],
  ["owners manage all groups", "role:owners", STRICT, ""],
  ["others manage all groups", "role:moderators", STRICT, MSG],
  ["the rights of a new group", "role:administrators", {}, MSG],
  ["the rights of a new group, but nobody joins or is removed", "role:owners", { can_join_group: "role:nobody" }, MSG],
  // It is not known which of these a server counts: the plan warns, and the rehearsal says that it did not try it.
  ["members may leave", "role:administrators", { ...STRICT, can_leave_group: "role:everyone" }, ""],
  ["members may join", "role:administrators", { ...STRICT, can_join_group: "role:members" }, ""],
])("a group, %s (%s): %j → %j", async (_, role, rights, msg) => {
  const realm = testRealm(477);
  await restricted(realm, role);
  const group = await made(realm, "staff", rights);
  const owner = realm.id("owner");
  expect(await set(realm, group)).toBe(msg);
  expect(await set(realm, { direct_members: [owner], direct_subgroups: [realm.group("role:owners"), group] })).toBe(
    msg,
  );
});

test("groups in the group count, too", async () => {
  const realm = testRealm(512);
  await restricted(realm, "role:owners");
  const [strict, loose] = [await made(realm, "strict", STRICT), await made(realm, "loose", {})];
  const withSystemGroup = await made(realm, "managers", STRICT, [realm.group("role:moderators"), strict]);
  expect(await set(realm, withSystemGroup)).toBe("");
  const outer = await made(realm, "outer", STRICT, [withSystemGroup, loose]);
  expect(await set(realm, outer)).toBe(MSG);
});

test("roles and people alone are never refused, and nothing is while the value stays", async () => {
  const realm = testRealm(477);
  const loose = await made(realm, "loose", STRICT);
  await restricted(realm, "role:administrators");
  expect(await set(realm, loose)).toBe("");
  await restricted(realm, "role:members");
  expect(await set(realm, loose)).toBe("");
  for (const value of [
    realm.group("role:members"),
    { direct_members: [realm.id("member")], direct_subgroups: [] },
    { direct_members: [realm.id("member")], direct_subgroups: [realm.group("role:moderators")] },
  ])
    expect(await set(realm, value)).toBe("");
});

test("the request that narrows can_manage_all_groups sets it first", async () => {
  const realm = testRealm(477);
  await restricted(realm, "role:moderators");
  const staff = await made(realm, "staff", STRICT);
  const both = (role: string) =>
    realm.call("owner", "PATCH", "/realm", {
      workplace_users_group: { new: staff },
      can_manage_all_groups: { new: realm.group(role) },
    });
  expect((await both("role:owners")).body.msg).toBe("");
  await set(realm, realm.group("role:everyone"));
  expect((await both("role:moderators")).body.msg).toBe(MSG);
});
