import { describe, expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

const no = "Invalid domain: ";

/** The facts of zulip-api.md §7.2. */
describe("which domains can be added", () => {
  test.each([
    ["", 400, `${no}Domain can't be empty.`],
    ["   ", 400, `${no}Domain can't be empty.`],
    ["nodot", 400, `${no}Domain must have at least one dot (.)`],
    [".a.example", 400, `${no}Domain cannot start or end with a dot (.)`],
    ["a.example.", 400, `${no}Domain cannot start or end with a dot (.)`],
    ["a..example", 400, `${no}Consecutive '.' are not allowed.`],
    ["-a.example", 400, `${no}Subdomains cannot start or end with a '-'.`],
    ["a-.example", 400, `${no}Subdomains cannot start or end with a '-'.`],
    ["a_b.example", 400, `${no}Domain can only have letters, numbers, '.' and '-'s.`],
    ["größe.example", 400, `${no}Domain can only have letters, numbers, '.' and '-'s.`],
    [`${"a".repeat(248)}.example`, 400, `${no}Domain is too long`],
    [`${"a".repeat(247)}.example`, 500, "Internal server error"],
    [`${"a".repeat(73)}.example`, 500, "Internal server error"],
    [`${"a".repeat(72)}.example`, 200, ""],
    ["127.0.0.1", 200, ""],
    ["taken.example", 400, "The domain taken.example is already a part of your organization."],
    [" TAKEN.example ", 400, "The domain taken.example is already a part of your organization."],
  ])("%j: %i %s", async (domain, status, msg) => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/realm/domains", { domain: "taken.example", allow_subdomains: false });
    const reply = await realm.call("owner", "POST", "/realm/domains", { domain, allow_subdomains: false });
    expect(reply).toMatchObject({ status, body: { msg } });
  });

  test("surrounding white space is dropped, capitals become lower case", async () => {
    const realm = testRealm();
    const added = await realm.call("owner", "POST", "/realm/domains", {
      domain: " A.Example ",
      allow_subdomains: true,
    });
    expect(added.body.new_domain).toEqual([1, "a.example"]);
    const list = await realm.call("guest", "GET", "/realm/domains");
    expect(list.body.domains).toEqual([{ domain: "a.example", allow_subdomains: true }]);
  });
});

test.each([
  ["POST", "/realm/domains", { domain: "a.example" }, "Missing 'allow_subdomains' argument"],
  ["POST", "/realm/domains", { allow_subdomains: true }, "Missing 'domain' argument"],
  ["POST", "/realm/domains", { domain: "a.example", allow_subdomains: 1 }, "allow_subdomains is not a boolean"],
  ["PATCH", "/realm/domains/a.example", {}, "Missing 'allow_subdomains' argument"],
  ["PATCH", "/realm/domains/A.example", { allow_subdomains: true }, "No entry found for domain A.example."],
  ["DELETE", "/realm/domains/A.example", {}, "No entry found for domain A.example."],
])("%s %s %j: %s", async (method, path, params, msg) => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/realm/domains", { domain: "a.example", allow_subdomains: false });
  expect(await realm.call("owner", method, path, params)).toMatchObject({ status: 400, body: { msg } });
});

test.each(["admin", "moderator", "member", "guest", "bot"])("the %s may not change them", async (as) => {
  const realm = testRealm();
  const refusal = { msg: "Must be an organization owner", code: "UNAUTHORIZED_PRINCIPAL" };
  for (const method of ["PATCH", "DELETE"])
    expect((await realm.call(as, method, "/realm/domains/a.example")).body).toMatchObject(refusal);
  expect((await realm.call(as, "POST", "/realm/domains")).body).toMatchObject(refusal);
});

test.each([
  ["PATCH", { allow_subdomains: true, zebra: 1 }],
  ["DELETE", { zebra: 1 }],
])("%s with an unknown parameter reports it", async (method, params) => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/realm/domains", { domain: "a.example", allow_subdomains: false });
  const { body } = await realm.call("owner", method, "/realm/domains/a.example", params);
  expect(body.ignored_parameters_unsupported).toEqual(["zebra"]);
});

test("sending the current value is a success, and causes an event", async () => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/realm/domains", { domain: "a.example", allow_subdomains: false });
  const events = await realm.listen("member");
  const reply = await realm.call("owner", "PATCH", "/realm/domains/a.example", { allow_subdomains: false });
  expect(reply.status).toBe(200);
  expect(await events()).toHaveLength(1);
});

test("if the realm is restricted but has no domain, nobody can be invited", async () => {
  const realm = testRealm();
  const on = await realm.call("owner", "PATCH", "/realm", { emails_restricted_to_domains: true });
  expect(on.status).toBe(200);
  const sent = { invitee_emails: "y@a.example", stream_ids: [] };
  const { body } = await realm.call("owner", "POST", "/invites", sent);
  expect(body.errors).toEqual([["y@a.example", "Outside your domain.", false]]);
});

/** The facts of zulip-api.md §7.3. */
describe("emails_restricted_to_domains", () => {
  test.each([
    ["y@a.example", "a.example", false, undefined],
    ["y@A.EXAMPLE", "a.example", false, undefined],
    ["y@sub.a.example", "a.example", false, "Outside your domain."],
    ["y@sub.a.example", "a.example", true, undefined],
    ["y@x.y.a.example", "a.example", true, undefined],
    ["y@nota.example", "a.example", true, "Outside your domain."],
    ["y+z@a.example", "a.example", true, "Email addresses containing + are not allowed."],
    ["y@mailinator.com", "mailinator.com", false, undefined],
  ])("%s with %s (subdomains: %s): %s", async (invitee_emails, domain, allow_subdomains, reason) => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/realm/domains", { domain, allow_subdomains });
    await realm.call("owner", "PATCH", "/realm", { emails_restricted_to_domains: true });
    const { status, body } = await realm.call("member", "POST", "/invites", { invitee_emails, stream_ids: [] });
    expect([status, body.errors]).toEqual(
      reason === undefined ? [200, undefined] : [400, [[invitee_emails, reason, false]]],
    );
  });

  test("is switched off with the last domain, and stays off when another is added", async () => {
    const realm = testRealm();
    const events = await realm.listen("member");
    for (const domain of ["a.example", "b.example"])
      await realm.call("owner", "POST", "/realm/domains", { domain, allow_subdomains: false });
    await realm.call("owner", "PATCH", "/realm", { emails_restricted_to_domains: true });
    await realm.call("owner", "DELETE", "/realm/domains/a.example");
    await realm.call("owner", "DELETE", "/realm/domains/b.example");
    await realm.call("owner", "POST", "/realm/domains", { domain: "c.example", allow_subdomains: false });
    expect((await events()).slice(2)).toEqual([
      { type: "realm", op: "update", property: "emails_restricted_to_domains", value: true },
      { type: "realm_domains", op: "remove", domain: "a.example" },
      { type: "realm", op: "update", property: "emails_restricted_to_domains", value: false },
      { type: "realm_domains", op: "remove", domain: "b.example" },
      { type: "realm_domains", op: "add", realm_domain: { domain: "c.example", allow_subdomains: false } },
    ]);
  });
});
