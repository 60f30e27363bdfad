import { describe, expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

/** The facts of zulip-api.md §7.2. */
describe("which domains can be added", () => {
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

test("sending the current value is a success, and causes an event", async () => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/realm/domains", { domain: "a.example", allow_subdomains: false });
  const events = await realm.listen("guest");
  const reply = await realm.call("owner", "PATCH", "/realm/domains/a.example", { allow_subdomains: false });
  expect(reply.status).toBe(200);
  const realm_domain = { domain: "a.example", allow_subdomains: false };
  expect(await events()).toEqual([{ type: "realm_domains", op: "change", realm_domain }]);
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
    const events = await realm.listen("guest");
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
