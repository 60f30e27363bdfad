import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

const invite = (realm: TestRealm, as: string, invitee_emails: string, more: object = {}) =>
  realm.call(as, "POST", "/invites", { invitee_emails, stream_ids: [], ...more });
const listed = async (realm: TestRealm, as = "owner"): Promise<readonly { readonly [key: string]: unknown }[]> => {
  const { invites } = (await realm.call(as, "GET", "/invites")).body;
  return Array.isArray(invites) ? invites : [];
};

/** The facts of zulip-api.md §9.3. */
describe("what happens to each address", () => {
  const invalid = "Some emails did not validate, so we didn't send any invitations.";
  const nobody = "We weren't able to invite anyone.";
  const some =
    "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!";
  const account = "Already has an account.";
  test.each<[string, string, readonly unknown[], boolean, readonly string[]]>([
    ["nonsense", invalid, [["nonsense", "Invalid address.", false]], false, []],
    ["a@b", invalid, [["a@b", "Invalid address.", false]], false, []],
    ["ok@a.example, bad", invalid, [["bad", "Invalid address.", false]], false, []],
    [
      "bad\ndmitri@acme.example",
      invalid,
      [
        ["bad", "Invalid address.", false],
        ["dmitri@acme.example", account, false],
      ],
      false,
      [],
    ],
    ["x@mailinator.com", invalid, [["x@mailinator.com", "Please use your real email address.", false]], false, []],
    ["DMITRI@acme.example", nobody, [["DMITRI@acme.example", account, false]], false, []],
    ["jana@acme.example", nobody, [["jana@acme.example", "Account has been deactivated.", true]], false, []],
    ["welcome-bot@zulip.com", nobody, [["welcome-bot@zulip.com", "Reserved for system bots.", false]], false, []],
    ["dmitri@acme.example,", some, [["dmitri@acme.example", account, false]], true, []],
    ["dmitri@acme.example, n@a.example", some, [["dmitri@acme.example", account, false]], true, ["n@a.example"]],
  ])("%j", async (emails, msg, errors, sent_invitations, invited) => {
    const realm = testRealm();
    const { status, body } = await invite(realm, "owner", emails);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        result: "error",
        msg,
        errors,
        sent_invitations,
        license_limit_reached: false,
        daily_limit_reached: false,
        code: "INVITATION_FAILED",
      },
    });
    expect((await listed(realm)).map(({ email }) => email)).toEqual(invited);
  });

  test.each<[string, readonly string[]]>([
    [" ", []],
    [",", []],
    ["a@a.example, a@a.example", ["a@a.example"]],
    ["A@a.example,a@a.example", ["A@a.example", "a@a.example"]],
    ["One <a@a.example>\n b@localhost ,", ["a@a.example", "b@localhost"]],
    ["user9@zulipdev.com", ["user9@zulipdev.com"]],
    ["a+b@a.example", ["a+b@a.example"]],
  ])("%j invites %j", async (emails, invited) => {
    const realm = testRealm();
    expect((await invite(realm, "owner", emails)).status).toBe(200);
    expect((await listed(realm)).map(({ email }) => email)).toEqual(invited);
  });

  test("a pending address can be invited again", async () => {
    const realm = testRealm();
    await invite(realm, "owner", "a@a.example");
    await invite(realm, "owner", "a@a.example");
    expect((await listed(realm)).map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe("who may invite whom, in the order of the checks", () => {
  const admins = "Must be an organization administrator";
  const owners = "Must be an organization owner";
  const addressless = { invitee_emails: "" };
  test.each<[string, object, string, string]>([
    ["guest", {}, "Not allowed for guest users", "BAD_REQUEST"],
    ["bot", {}, "This endpoint does not accept bot requests.", "BAD_REQUEST"],
    ["admin", { invite_as: 100, ...addressless }, owners, "UNAUTHORIZED_PRINCIPAL"],
    ["member", { invite_as: 100 }, owners, "UNAUTHORIZED_PRINCIPAL"],
    ["moderator", { invite_as: 200 }, admins, "BAD_REQUEST"],
    ["moderator", { invite_as: 300, ...addressless }, admins, "BAD_REQUEST"],
    ["member", { ...addressless, stream_ids: [9999] }, "You must specify at least one email address.", "BAD_REQUEST"],
    [
      "member",
      { stream_ids: [9999], group_ids: [9999] },
      "Invalid channel ID 9999. No invites were sent.",
      "BAD_REQUEST",
    ],
    ["owner", { group_ids: [9999], welcome_message_custom_text: "x" }, "Invalid user group", "BAD_REQUEST"],
    ["member", { group_ids: [9999], welcome_message_custom_text: "x" }, "Invalid user group", "BAD_REQUEST"],
    ["member", { welcome_message_custom_text: "" }, admins, "BAD_REQUEST"],
    ["owner", { invite_as: 500 }, "Invalid invite_as: Value error, Not in the list of possible values", "BAD_REQUEST"],
    ["owner", { invite_as: "member" }, "invite_as is not valid JSON", "BAD_REQUEST"],
    ["owner", { stream_ids: 1 }, "stream_ids is not a list", "BAD_REQUEST"],
    ["owner", { group_ids: ["crew"] }, "group_ids[0] is not an integer", "BAD_REQUEST"],
    ["owner", { invite_expires_in_minutes: 1.5 }, "invite_expires_in_minutes is not an integer", "BAD_REQUEST"],
    [
      "admin",
      { welcome_message_custom_text: "w".repeat(8001) },
      "welcome_message_custom_text is too long (limit: 8000 characters)",
      "BAD_REQUEST",
    ],
  ])("%s with %j: %s", async (as, more, msg, code) => {
    const reply = await invite(testRealm(), as, "a@a.example", more);
    expect(reply).toMatchObject({ status: 400, body: { msg, code } });
  });
  test.each<[string, object, string, string]>([
    ["owner", { invitee_emails: "a@a.example" }, "Missing 'stream_ids' argument", "REQUEST_VARIABLE_MISSING"],
    ["owner", { stream_ids: [] }, "Missing 'invitee_emails' argument", "REQUEST_VARIABLE_MISSING"],
  ])("%s with nothing but %j: %s", async (as, sent, msg, code) => {
    const reply = await testRealm().call(as, "POST", "/invites", { ...sent });
    expect(reply).toMatchObject({ status: 400, body: { msg, code } });
  });

  test.each([
    ["an active group, by an account that may add people to it", "owner", ""],
    ["by an account that may not", "member", "Insufficient permission"],
    ["a system group", "role:members", "Insufficient permission"],
    ["a deactivated group", "gone", "User group is deactivated."],
  ])("group_ids: %s", async (_, which, msg) => {
    const realm = testRealm();
    const sent = { name: "crew", description: "", members: [] };
    const made = await realm.call("owner", "POST", "/user_groups/create", sent);
    const crew = Number(made.body.group_id);
    if (which === "gone") await realm.call("owner", "POST", `/user_groups/${crew}/deactivate`);
    const group_ids = [which === "role:members" ? realm.group(which) : crew];
    const { body } = await invite(realm, which === "member" ? which : "owner", "a@a.example", { group_ids });
    expect(body.msg).toBe(msg);
  });
  test.each([
    ["member", 400],
    ["member", 600],
    ["admin", 300],
    ["admin", 200],
    ["owner", 100],
  ])("%s may invite as %i", async (as, invite_as) => {
    expect((await invite(testRealm(), as, "a@a.example", { invite_as })).status).toBe(200);
  });

  test("can_invite_users_group applies to owners too, and never to a guest", async () => {
    const realm = testRealm();
    const nobody = { can_invite_users_group: { new: realm.group("role:nobody") } };
    await realm.call("owner", "PATCH", "/realm", nobody);
    expect((await invite(realm, "owner", "a@a.example", { invite_as: 100 })).body.msg).toBe("Insufficient permission");
    const named = { direct_members: [realm.id("guest"), realm.id("member2")], direct_subgroups: [] };
    await realm.call("owner", "PATCH", "/realm", { can_invite_users_group: { new: named } });
    expect((await invite(realm, "member2", "a@a.example")).status).toBe(200);
    expect((await invite(realm, "guest", "a@a.example")).body.msg).toBe("Not allowed for guest users");
  });

  test.each([
    ["general", "role:administrators", 200],
    ["sandbox", "role:administrators", 200],
    ["yard", "role:administrators", 400],
    ["yard", "role:members", 200],
  ])("a member and the channel %s, where %s may add people: %i", async (channel, group, status) => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "yard" }] });
    await realm.call("owner", "PATCH", "/realm", { can_add_subscribers_group: { new: realm.group(group) } });
    const { body } = await realm.call("owner", "GET", "/get_stream_id", { stream: channel });
    expect((await invite(realm, "member", "a@a.example", { stream_ids: [body.stream_id] })).status).toBe(status);
  });
});

describe("channels and groups that an invitation may name", () => {
  const NOWHERE = /^Invalid channel ID \d+\. No invites were sent\.$/;
  const REFUSED = /^You do not have permission to subscribe other users to channels\.$/;
  test.each<[fact: string, maker: string, made: object, archived: boolean, msg: RegExp]>([
    ["a public channel of somebody else", "owner", {}, false, REFUSED],
    ["an archived channel", "owner", {}, true, NOWHERE],
    ["a private channel that the caller does not see", "owner", { invite_only: true }, false, NOWHERE],
    ["a channel that the caller administers", "member", {}, false, /^$/],
    ["a private channel that the caller administers and reads", "member", { invite_only: true }, false, /^$/],
  ])("a channel: %s", async (_fact, maker, made, archived, msg) => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", "/realm", {
      can_add_subscribers_group: { new: realm.group("role:administrators") },
    });
    const sent = { name: "yard", subscribers: [realm.id(maker)], ...made };
    const { body } = await realm.call(maker, "POST", "/channels/create", sent);
    if (archived) await realm.call("owner", "DELETE", `/streams/${body.id}`);
    expect((await invite(realm, "member", "a@a.example", { stream_ids: [body.id] })).body.msg).toMatch(msg);
  });
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
describe("who may create links, and for which roles", () => {
  test.each<[string, object, string]>([
    ["guest", {}, "Not allowed for guest users"],
    ["bot", {}, "This endpoint does not accept bot requests."],
    ["moderator", {}, "Insufficient permission"],
    ["member", { invite_as: 100 }, "Insufficient permission"],
    ["admin", {}, ""],
    ["admin", { invite_as: 100 }, "Must be an organization owner"],
    ["admin", { invite_as: 100, stream_ids: [9999] }, "Must be an organization owner"],
    ["admin", { stream_ids: [9999], group_ids: [9999] }, "Invalid channel ID 9999. No invites were sent."],
    ["admin", { group_ids: [9999] }, "Invalid user group"],
    ["owner", { invite_as: 100 }, ""],
  ])("%s with %j: %j", async (as, sent, msg) => {
    const { body } = await testRealm().call(as, "POST", "/invites/multiuse", { ...sent });
    expect(body.msg).toBe(msg);
  });
  test("the group decides, except about roles: moderators in it cannot invite moderators", async () => {
    const realm = testRealm();
    const group = { create_multiuse_invite_group: { new: realm.group("role:moderators") } };
    await realm.call("owner", "PATCH", "/realm", group);
    const link = async (invite_as: number) =>
      (await realm.call("moderator", "POST", "/invites/multiuse", { invite_as })).body.msg;
    expect([await link(300), await link(400)]).toEqual(["Must be an organization administrator", ""]);
  });
  test("administrators and its creator get an event about a link, and about its end", async () => {
    const realm = testRealm();
    const [admin, member] = [await realm.listen("admin"), await realm.listen("member")];
    await realm.call("owner", "POST", "/invites/multiuse");
    await realm.call("owner", "DELETE", "/invites/multiuse/1");
    const changed = { type: "invites_changed" };
    expect([await admin(), await member()]).toEqual([[changed, changed], []]);
  });
});

test("the referrer is notified of people who join, unless the invitation says otherwise", async () => {
  const realm = testRealm();
  await invite(realm, "owner", "a@a.example");
  expect(await listed(realm)).toMatchObject([{ notify_referrer_on_join: true }]);
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
  test("null never expires; with 0 and less an invitation is never shown", async () => {
    const realm = testRealm();
    for (const invite_expires_in_minutes of [null, 0, -5])
      expect((await invite(realm, "owner", "a@a.example", { invite_expires_in_minutes })).status).toBe(200);
    realm.advance(10 ** 12);
    expect((await listed(realm)).map((each) => each.expiry_date)).toEqual([null]);
  });
});

/** The facts of zulip-api.md §9.4. */
describe("revoking and resending", () => {
  const admins = ["Must be an organization administrator", "BAD_REQUEST"];
  const owners = ["Must be an organization owner", "UNAUTHORIZED_PRINCIPAL"];
  const gone = ["No such invitation", "BAD_REQUEST"];
  test.each<[string, string, string, readonly string[] | undefined]>([
    ["member", "DELETE", "/invites/1", admins],
    ["member", "DELETE", "/invites/2", owners],
    ["admin", "DELETE", "/invites/2", owners],
    ["admin", "DELETE", "/invites/1", undefined],
    ["member", "DELETE", "/invites/3", undefined],
    ["owner", "DELETE", "/invites/9", gone],
    ["moderator", "POST", "/invites/3/resend", admins],
    ["admin", "POST", "/invites/2/resend", owners],
    ["owner2", "POST", "/invites/2/resend", undefined],
    ["owner", "POST", "/invites/9/resend", gone],
    ["member", "DELETE", "/invites/multiuse/1", admins],
    ["admin", "DELETE", "/invites/multiuse/2", owners],
    ["admin", "DELETE", "/invites/multiuse/1", undefined],
    ["owner", "DELETE", "/invites/multiuse/9", gone],
    ["owner", "DELETE", "/invites/multiuse/3", ["Invitation has already been revoked", "BAD_REQUEST"]],
    ["moderator", "DELETE", "/invites/multiuse/3", admins],
  ])("%s %s %s: %s", async (as, method, path, refusal) => {
    const realm = testRealm();
    await invite(realm, "owner", "a@a.example");
    await invite(realm, "owner", "b@a.example", { invite_as: 100 });
    await invite(realm, "member", "c@a.example");
    for (const invite_as of [400, 100, 400]) await realm.call("owner", "POST", "/invites/multiuse", { invite_as });
    await realm.call("owner", "DELETE", "/invites/multiuse/3");
    const { status, body } = await realm.call(as, method, path);
    expect([status, body.msg, body.code]).toEqual(refusal === undefined ? [200, "", undefined] : [400, ...refusal]);
  });

  test("a deactivated person leaves no invitation behind", async () => {
    const realm = testRealm();
    await invite(realm, "member", "a@a.example");
    await invite(realm, "owner", "b@a.example");
    await realm.call("owner", "DELETE", `/users/${realm.id("member")}`);
    expect((await listed(realm)).map(({ email }) => email)).toEqual(["b@a.example"]);
  });
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
  test("a revoked link no longer exists", async () => {
    const realm = testRealm();
    for (const _ of [1, 2]) await realm.call("owner", "POST", "/invites/multiuse");
    await realm.call("owner", "DELETE", "/invites/multiuse/1");
    expect((await listed(realm)).map(({ id }) => id)).toEqual([2]);
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
