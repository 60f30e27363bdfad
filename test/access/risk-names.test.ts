import { expect, test } from "vitest";
import { statesOf } from "../../src/access/of-plan.ts";
import { peopleOfRisk } from "../../src/access/opened-channels.ts";
import { Realm } from "../../src/model/realm.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { planAgainst } from "../support/world.ts";
import { realms } from "./realms.ts";

const RUNS = { numRuns: Number(process.env.REALMCTL_RUNS ?? 4) };
const GROUPS = ["role:nobody", "role:moderators", "role:members", "staff", "crew"] as const;
const wishes = fc.record({
  read: fc.constantFrom(...GROUPS),
  post: fc.constantFrom(...GROUPS),
  invite: fc.constantFrom(...GROUPS),
  members: fc.subarray(["elif@acme.example", "hana@acme.example", "ivo@partner.example"]),
});

test("a risk names as many people as it counts, for any realm and plan", async () => {
  const named = new Set<string>();
  await fc.assert(
    fc.asyncProperty(realms, wishes, async (overlay, { read, post, invite, members }) => {
      const snapshot = realmOf(overlay);
      const planned = await planAgainst(
        `version: 1
channels:
  vault:
    archived: false
    privacy: private_shared_history
    permissions: {can_subscribe_group: ${read}, can_send_message_group: ${post}}
user_groups:
  staff: {members: ${JSON.stringify(members)}}
settings: {permissions: {can_invite_users_group: ${invite}}}
`,
        snapshot,
      );
      if (!planned.ok) return;
      const { difference } = statesOf(planned.value.changes, new Realm(snapshot));
      for (const { fact } of planned.value.changes.flatMap(({ risks }) => risks)) {
        const people = peopleOfRisk(fact, difference);
        if (people === undefined || !("people" in fact)) continue;
        expect({ fact, size: people.size }).toEqual({ fact, size: fact.people });
        named.add(fact.kind);
      }
    }),
    RUNS,
  );
  expect(named.size).toBe(5);
});
