import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { InviteLimits } from "../call.ts";
import { manualClock } from "../clock.ts";
import { ROLE } from "../rows/accounts.ts";
import { createSandbox, type SandboxOptions } from "../sandbox.ts";

const RECORDED = JSON.parse(readFileSync(new URL("../../../test/recordings/realm.json", import.meta.url), "utf8"));
const STANDARD_PLAN = 3;
const onCloud = (): TestRealm => testRealm(442, { realm_plan_type: STANDARD_PLAN });
const addresses = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `a${from + index}@a.example`).join(",");
const invite = (realm: TestRealm, as: string, invitee_emails: string) =>
  realm.call(as, "POST", "/invites", { invitee_emails, stream_ids: [] });

/** The facts of zulip-api.md §9.3. */
describe("a hundred invitations a day with a plan of Zulip Cloud", () => {
  const refusal = {
    result: "error",
    msg: "To protect users, Zulip limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.",
    errors: [],
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: true,
    code: "INVITATION_FAILED",
  };
  const DAY_MS = 86_400_000;

  test("a self-hosted server has no limit", async () => {
    expect((await invite(testRealm(), "owner", addresses(101))).status).toBe(200);
  });
  test.each([
    [100, 200],
    [101, 400],
  ])("%i at once: %i", async (count, status) => {
    const reply = await invite(onCloud(), "owner", addresses(count));
    expect(reply.status).toBe(status);
    if (status === 400) expect(reply.body).toEqual(refusal);
  });
  test("sent and resent invitations count for the whole organization, and a call sends all or none", async () => {
    const realm = onCloud();
    expect((await invite(realm, "owner", addresses(98))).status).toBe(200);
    expect((await invite(realm, "member", addresses(3, 98))).body).toEqual(refusal);
    expect((await realm.call("owner", "POST", "/invites/1/resend")).status).toBe(200);
    expect((await invite(realm, "member", addresses(1, 98))).status).toBe(200);
    expect((await invite(realm, "member", "b@a.example")).body).toEqual(refusal);
    expect((await realm.call("owner", "POST", "/invites/1/resend")).body).toEqual(refusal);
    expect((await realm.call("owner", "POST", "/invites/multiuse")).status).toBe(200);
  });
  test("resending an invitation counts as one", async () => {
    const realm = onCloud();
    await invite(realm, "owner", addresses(99));
    expect((await realm.call("owner", "POST", "/invites/1/resend")).status).toBe(200);
    expect((await realm.call("owner", "POST", "/invites/1/resend")).body).toEqual(refusal);
  });
  test("revoking does not reduce the count; it is reset after the next day", async () => {
    const realm = onCloud();
    await invite(realm, "owner", addresses(100));
    await realm.call("owner", "DELETE", "/invites/1");
    expect((await invite(realm, "owner", "b@a.example")).body).toEqual(refusal);
    realm.advance(DAY_MS);
    expect((await invite(realm, "owner", "b@a.example")).body).toEqual(refusal);
    realm.advance(DAY_MS);
    expect((await invite(realm, "owner", "b@a.example")).status).toBe(200);
  });
  test("addresses that are skipped count when the call is checked, and not afterwards", async () => {
    const realm = onCloud();
    expect((await invite(realm, "owner", `dmitri@acme.example,${addresses(100)}`)).body).toEqual(refusal);
    expect((await invite(realm, "owner", `dmitri@acme.example,${addresses(99)}`)).body.sent_invitations).toBe(true);
    expect((await invite(realm, "owner", "b@a.example")).status).toBe(200);
  });
});

/** One call that invites, to a sandbox of its own. */
async function inviteIn(options: Omit<SandboxOptions, "from">, as: string, params: object, facts: object = {}) {
  const from = { ...RECORDED, register: { ...RECORDED.register, ...facts } };
  const sandbox = createSandbox({ from, ...options });
  const { email = "", api_key = "" } = sandbox.accounts[as] ?? {};
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}` };
  const body = new URLSearchParams({ stream_ids: "[]", ...params });
  const response = await sandbox.fetch(
    new Request("http://localhost/api/v1/invites", { method: "POST", headers, body }),
  );
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

describe("young accounts in an organization that anybody may join", () => {
  const THREE_DAYS_MS = 3 * 86_400_000;
  const joinedAt = Date.parse(
    RECORDED.register.realm_users.find((user: { full_name: string }) => user.full_name === "Dmitri Volkov").date_joined,
  );
  test.each([
    ["Cloud, open", STANDARD_PLAN, false, 0, "member", 400],
    ["Cloud, nearly old enough", STANDARD_PLAN, false, THREE_DAYS_MS - 1000, "member", 400],
    ["Cloud, old enough", STANDARD_PLAN, false, THREE_DAYS_MS, "member", 200],
    ["Cloud, a moderator", STANDARD_PLAN, false, 0, "moderator", 400],
    ["Cloud, an administrator", STANDARD_PLAN, false, 0, "admin", 200],
    ["Cloud, closed", STANDARD_PLAN, true, 0, "member", 200],
    ["a server of one's own", 1, false, 0, "member", 200],
  ])("%s", async (_, realm_plan_type, realm_invite_required, ageMs, as, status) => {
    const clock = manualClock(joinedAt + ageMs);
    const facts = { realm_plan_type, realm_invite_required };
    const reply = await inviteIn({ clock }, as, { invitee_emails: "b@a.example" }, facts);
    expect(reply.status).toBe(status);
    if (status === 200) return;
    expect(await inviteIn({ clock }, as, { invitee_emails: "nonsense" }, facts)).toEqual(reply);
    expect(reply.body).toMatchObject({
      msg: "Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.",
      errors: [],
      sent_invitations: false,
      daily_limit_reached: false,
      code: "INVITATION_FAILED",
    });
  });
});

describe("licenses", () => {
  const humans = RECORDED.register.realm_users.filter((user: { is_bot: boolean }) => !user.is_bot);
  /** The only guest uses the seat of somebody else. */
  const taken: number = humans.filter((user: { role: number }) => user.role !== ROLE.guest).length;
  test.each<[string, InviteLimits, number, number, number]>([
    ["a seat left", { licenses: taken + 1 }, 1, 400, 200],
    ["none left", { licenses: taken }, 1, 400, 400],
    ["two more than there are licenses", { licenses: taken + 1 }, 2, 400, 400],
    ["five guests count as one license", { licenses: taken }, 5, 600, 200],
    ["guests who need another license", { licenses: taken }, 5 * taken, 600, 400],
    ["nobody counts", {}, 200, 400, 200],
  ])("%s", async (_, inviteLimits, count, invite_as, status) => {
    const reply = await inviteIn({ inviteLimits }, "owner", {
      invitee_emails: addresses(count),
      invite_as: String(invite_as),
    });
    expect(reply.status).toBe(status);
    if (status === 400)
      expect(reply.body).toMatchObject({
        msg: "Your organization does not have enough Zulip licenses. Invitations were not sent.",
        license_limit_reached: true,
        daily_limit_reached: false,
        sent_invitations: false,
      });
  });
});
