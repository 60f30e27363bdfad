import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

const invite = (realm: TestRealm, as: string, invitee_emails: string, more: object = {}) =>
  realm.call(as, "POST", "/invites", { invitee_emails, stream_ids: [], ...more });
const listed = async (realm: TestRealm, as = "owner"): Promise<readonly { readonly [key: string]: unknown }[]> => {
  const { invites } = (await realm.call(as, "GET", "/invites")).body;
  return Array.isArray(invites) ? invites : [];
};

/** The facts of zulip-api.md §9.3. */
describe("the addresses of a request", () => {
  test.each<[string, readonly string[]]>([
    ["a@a.example, a@a.example", ["a@a.example"]],
    ["A@a.example,a@a.example", ["A@a.example", "a@a.example"]],
    ["One <a@a.example>\n b@localhost ,", ["a@a.example", "b@localhost"]],
  ])("%j invites %j", async (emails, invited) => {
    const realm = testRealm();
    expect((await invite(realm, "owner", emails)).status).toBe(200);
    expect((await listed(realm)).map(({ email }) => email)).toEqual(invited);
  });
});

describe("channels and groups that an invitation may name", () => {
  test.each([
    ["can_manage_group", ""],
    ["can_add_members_group", ""],
    ["can_join_group", "Insufficient permission"],
  ])("a group whose %s is the caller alone: %j", async (setting, msg) => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", "/realm", { can_manage_all_groups: { new: realm.group("role:owners") } });
    const nobody = realm.group("role:nobody");
    const sent = {
      name: "crew",
      description: "",
      members: [],
      can_manage_group: nobody,
      can_add_members_group: nobody,
      [setting]: { direct_members: [realm.id("member")], direct_subgroups: [] },
    };
    const { body } = await realm.call("owner", "POST", "/user_groups/create", sent);
    expect((await invite(realm, "member", "a@a.example", { group_ids: [body.group_id] })).body.msg).toBe(msg);
  });
});

/** The facts of zulip-api.md §9.4. */
describe("links", () => {
  test("administrators and its creator get an event about a link, and about its end", async () => {
    const realm = testRealm();
    const [admin, member] = [await realm.listen("admin"), await realm.listen("member")];
    await realm.call("owner", "POST", "/invites/multiuse");
    await realm.call("owner", "DELETE", "/invites/multiuse/1");
    const changed = { type: "invites_changed" };
    expect([await admin(), await member()]).toEqual([[changed, changed], []]);
  });
});

describe("the two id spaces", () => {
  test("an e-mail invitation and a link may both have id 1, in two forms", async () => {
    const realm = testRealm();
    const made = await realm.call("owner", "POST", "/invites/multiuse", { invite_expires_in_minutes: null });
    await invite(realm, "owner", "a@a.example", { notify_referrer_on_join: false });
    const common = { id: 1, invited_as: 400, invited_by_user_id: realm.id("owner"), invited: expect.any(Number) };
    expect(await listed(realm)).toEqual([
      {
        ...common,
        email: "a@a.example",
        is_multiuse: false,
        expiry_date: expect.any(Number),
        notify_referrer_on_join: false,
      },
      { ...common, is_multiuse: true, expiry_date: null, link_url: made.body.invite_link },
    ]);
    await realm.call("owner", "DELETE", "/invites/1");
    expect((await listed(realm)).map((each) => each.is_multiuse)).toEqual([true]);
  });
});

describe("time", () => {
  const MINUTE_MS = 60_000;
  test.each([
    [undefined, 14_400],
    [60, 60],
    [1, 1],
  ])("with validity %s an invitation disappears after %i minutes", async (invite_expires_in_minutes, minutes) => {
    const realm = testRealm();
    await invite(realm, "owner", "a@a.example", { invite_expires_in_minutes });
    await realm.call(
      "owner",
      "POST",
      "/invites/multiuse",
      invite_expires_in_minutes === undefined ? {} : { invite_expires_in_minutes },
    );
    realm.advance(minutes * MINUTE_MS - 1000);
    expect(await listed(realm)).toHaveLength(2);
    realm.advance(1000);
    expect(await listed(realm)).toEqual([]);
  });
});

/** The facts of zulip-api.md §9.4. */
describe("accounts and events", () => {
  test("an invitation that expired with its account can still be revoked, and does not come back with the account", async () => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", "/realm", {
      create_multiuse_invite_group: { new: realm.group("role:members") },
    });
    await invite(realm, "member", "a@a.example");
    await realm.call("member", "POST", "/invites/multiuse");
    await realm.call("owner", "DELETE", `/users/${realm.id("member")}`);
    await realm.call("owner", "POST", `/users/${realm.id("member")}/reactivate`);
    expect(await listed(realm)).toEqual([]);
    for (const path of ["/invites/1", "/invites/multiuse/1"])
      expect((await realm.call("admin", "DELETE", path)).status).toBe(200);
  });
  test.each<[invites: number, received: number]>([
    [0, 0],
    [1, 1],
    [2, 1],
  ])("of %i invitations that end with their account, administrators are told %i times", async (invites, received) => {
    const realm = testRealm();
    for (let index = 0; index < invites; index += 1) await invite(realm, "member", `a${index}@a.example`);
    const admin = await realm.listen("admin");
    await realm.call("owner", "DELETE", `/users/${realm.id("member")}`);
    expect((await admin()).filter(({ type }) => type === "invites_changed")).toHaveLength(received);
  });
  test("administrators and the referrer get an event, and see what they may see", async () => {
    const realm = testRealm();
    const [admin, member, other] = [
      await realm.listen("admin"),
      await realm.listen("member"),
      await realm.listen("member2"),
    ];
    await invite(realm, "member", "a@a.example");
    await realm.call("admin", "DELETE", "/invites/1");
    const changed = { type: "invites_changed" };
    expect([await admin(), await member(), await other()]).toEqual([[changed, changed], [changed, changed], []]);
    await invite(realm, "owner", "b@a.example");
    expect([await listed(realm, "admin"), await listed(realm, "moderator")]).toEqual([[expect.anything()], []]);
  });
});
