import { describe, expect, test } from "vitest";
import { readConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import { Realm } from "../src/model/realm.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { planChanges } from "../src/plan/plan.ts";
import { realmOf } from "./support/realm.ts";

/** What the plan of a file and a reading reports and sends. */
async function outcome(snapshot: Snapshot, entry: string) {
  const text = `version: 1\ninvites:\n  - ${entry}\n`;
  const desired = await readConfig({ file: "r.yaml", readFile: async () => text, kinds, realm: new Realm(snapshot) });
  if (!desired.ok) return { mails: 0, codes: desired.diagnostics.map(({ code }) => code), changes: 0 };
  const plan = planChanges({ desired: desired.value, snapshot, kinds, toolVersion: "0" });
  if (!plan.ok) return { mails: 0, codes: plan.diagnostics.map(({ code }) => code), changes: 0 };
  const { side_effects, warnings, changes } = plan.value;
  return { mails: side_effects.emails, codes: warnings.map(({ code }) => code), changes: changes.length };
}

const reading = (taken_at: string, invites: readonly { email: string }[] = []): Snapshot => ({
  ...realmOf({ invites: [...invites] }),
  taken_at,
});
const TODAY = "2026-11-21T12:00:00Z";

/** By what the organization shows about the address. Expired and revoked invitations look as if they had never existed. */
const ADDRESSES = [
  { who: "never invited, expired or revoked", email: "new@acme.example", invites: [] },
  { who: "invited", email: "new@acme.example", invites: [{ email: "new@acme.example" }] },
  { who: "here", email: "dmitri@acme.example", invites: [] },
] as const;

describe.each(ADDRESSES)("$who", ({ who, email, invites }) => {
  const isNew = who.startsWith("never");
  test.each([
    { ask: ", send_until: 2026-11-23", mails: isNew ? 1 : 0, codes: [] },
    { ask: ", send_until: 2026-11-21", mails: isNew ? 1 : 0, codes: [] },
    { ask: ", send_until: 2026-11-20", mails: 0, codes: isNew ? ["invites/not-asked-for"] : [] },
    { ask: "", mails: 0, codes: isNew ? ["invites/not-asked-for"] : [] },
    { ask: ", replace: true", mails: 0, codes: isNew ? ["invites/not-asked-for"] : [] },
  ])("{emails: […]$ask}: $mails e-mails", async ({ ask, mails, codes }) => {
    const found = await outcome(reading(TODAY, invites), `{emails: [${email}]${ask}}`);
    expect(found).toEqual({ mails, codes, changes: mails });
  });
});

test("replacing an invitation sends another e-mail, and needs the same consent", async () => {
  const open = reading(TODAY, [{ email: "new@acme.example" }]);
  const entry = "emails: [new@acme.example], invite_as: guest, replace: true";
  expect(await outcome(open, `{${entry}}`)).toMatchObject({ mails: 0, codes: ["invites/differs"] });
  expect(await outcome(open, `{${entry}, send_until: 2026-11-21}`)).toMatchObject({ mails: 1 });
});

test("time alone causes no e-mail: sent, expired after ten days, read every day for a month", async () => {
  const entry = "{emails: [new@acme.example], send_until: 2026-11-24}";
  let mails = 0;
  for (let day = 0; day < 30; day += 1) {
    const now = Date.parse(TODAY) + day * 86_400_000;
    // As the server shows it: the invitation of the first day is open for ten days.
    const invites = day > 0 && day < 10 ? [{ email: "new@acme.example" }] : [];
    const found = await outcome(reading(new Date(now).toISOString(), invites), entry);
    mails += found.mails;
    // Ten days later the invitation is gone, and nobody came: that is said.
    if (day > 0) expect(found).toEqual({ mails: 0, codes: day < 10 ? [] : ["invites/not-asked-for"], changes: 0 });
  }
  expect(mails).toBe(1);
});

test.each([
  { until: "soon", codes: ["invites/send-until"] },
  { until: "2026-02-30", codes: ["invites/send-until"] },
  { until: "2027-11-21", codes: ["invites/send-until"] },
])("send_until: $until is reported", async ({ until, codes }) => {
  const { codes: found } = await outcome(reading(TODAY), `{emails: [new@acme.example], send_until: ${until}}`);
  expect(found).toEqual(codes);
});
