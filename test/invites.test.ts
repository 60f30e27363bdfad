import { describe, expect, test } from "vitest";
import type { Snapshot } from "../src/model/snapshot.ts";
import { realmOf } from "./support/realm.ts";
import { must, planAgainst, World } from "./support/world.ts";

const yamlOf = (...emails: readonly string[]) =>
  JSON.stringify({ version: 1, invites: [{ emails, send_until: "2099-01-01" }] });

/** As if the account had been created after the reading. */
function missing(snapshot: Snapshot, ...emails: readonly string[]): Snapshot {
  return { ...snapshot, users: snapshot.users.filter((user) => !emails.includes(user.delivery_email ?? "")) };
}

describe("an account that was created after the plan", () => {
  const start = realmOf({ invites: [] });

  test("is reported by address, and the others are invited once", async () => {
    const yaml = yamlOf("grace@acme.example", "dmitri@acme.example", "jana@acme.example");
    const world = new World(start);
    const plan = must(await planAgainst(yaml, missing(start, "dmitri@acme.example", "jana@acme.example")));
    const result = await world.apply(plan, yaml);
    expect(result.calls).toEqual([
      {
        n: 1,
        state: "failed",
        code: "INVITATION_FAILED",
        fact: {
          kind: "refused",
          message: { quoted: expect.any(String) },
          parts: [
            { address: { quoted: "dmitri@acme.example" }, reason: { quoted: "Already has an account" } },
            { address: { quoted: "jana@acme.example" }, reason: { quoted: "Account has been deactivated" } },
          ],
        },
        duration_ms: expect.any(Number),
        applied_parts: [{ address: "invite:grace@acme.example", fields: [] }],
      },
    ]);
    expect(result.outcome).toBe("in-part");
    expect(world.writes).toBe(1);
    const after = await world.read();
    expect(after.invites?.map(({ email }) => email)).toEqual(["grace@acme.example"]);
    // People with an account need no invitation: nothing is left to do.
    expect(must(await world.plan(yaml)).changes).toEqual([]);
  });

  test("on its own: nobody is invited, and the next plan is empty", async () => {
    const yaml = yamlOf("dmitri@acme.example");
    const world = new World(start);
    const plan = must(await planAgainst(yaml, missing(start, "dmitri@acme.example")));
    const result = await world.apply(plan, yaml);
    expect(result.calls).toMatchObject([{ state: "failed", code: "INVITATION_FAILED" }]);
    expect((await world.read()).invites).toEqual([]);
    expect(must(await world.plan(yaml)).changes).toEqual([]);
  });
});

test("an invitation that somebody else sent in the meantime is a conflict, and no second e-mail is sent", async () => {
  const yaml = yamlOf("grace@acme.example", "lin@acme.example");
  const world = new World(realmOf({ invites: [] }));
  const plan = must(await world.plan(yaml));
  const other = world.as("ben@acme.example");
  const params = { invitee_emails: "Grace@acme.example", stream_ids: [] };
  expect(await other.writer.send({ operation: "send-invites", path: {}, params })).toMatchObject({
    outcome: "applied",
  });
  const sent = world.writes;
  const result = await world.apply(plan, yaml);
  expect(result.outcome).toBe("conflict");
  expect(world.writes).toBe(sent);
  expect(must(await world.plan(yaml)).changes.map(({ name }) => name)).toEqual(["lin@acme.example"]);
});

test("five hundred addresses with the same invitation are one request", async () => {
  const yaml = yamlOf(...Array.from({ length: 500 }, (_, index) => `person-${index}@acme.example`));
  const world = new World(realmOf({ invites: [] }));
  const plan = must(await world.plan(yaml));
  expect(plan.side_effects.emails).toBe(500);
  expect(plan.calls.length).toBe(1);
  expect((await world.apply(plan, yaml)).outcome).toBe("applied");
  expect(must(await world.plan(yaml)).changes).toEqual([]);
});
