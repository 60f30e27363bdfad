import { expect, test } from "vitest";
import { change, EMPTY_PLAN, field } from "../../test/support/example-plans.ts";
import { warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Plan } from "../model/plan.ts";
import type { Drift } from "../model/result.ts";
import { driftItems, issueText } from "./drift-issue.ts";

const driftOf = (changes: Plan["changes"]): Drift => ({
  plan: { ...EMPTY_PLAN, changes },
  differences: changes,
  unmanaged: [],
  uncompared: [],
  exitCode: 2,
});
const bodyOf = (drift: Drift): string =>
  issueText("<!-- m -->", drift.plan, driftItems(drift, drift, undefined, "secret"), 60_000).body;

const other = change({ action: "update", name: "a", id: 9, fields: [field("description", "theirs", "ours")] });
const retention = field("message_retention_days", 30, "unlimited");
const shortened = (keeps_messages?: true) =>
  change({
    action: "update",
    name: "archive",
    id: 2,
    fields: [keeps_messages === undefined ? retention : { ...retention, keeps_messages }],
  });

test("a shorter retention deletes messages until it is corrected: it is marked and comes first", () => {
  const body = bodyOf(driftOf([other, shortened(true)]));
  expect(body).toContain("### ⚠️ Deletes messages: 1\n\n- `#archive` `message_retention_days: unlimited → 30`");
  expect(body.indexOf("Deletes messages")).toBeLessThan(body.indexOf("Cosmetic"));
});

test("a retention that is longer than in the file deletes nothing", () =>
  expect(bodyOf(driftOf([other, shortened()]))).not.toContain("Deletes messages"));

test("somebody deactivated whom the file names in two places is one item", () => {
  const gone = warning("reference/deactivated-person", {
    person: { user_id: 9, full_name: "Elif Demir" },
    name: quote("elif@acme.example"),
  });
  const drift: Drift = { ...driftOf([]), uncompared: [gone, { ...gone }] };
  expect(driftItems(drift, drift, undefined, "secret").map((item) => item.class)).toEqual(["uncompared"]);
  expect(bodyOf(drift)).toContain("not reverted by apply: 1");
  expect(bodyOf(drift)).toContain("**Put it back:** run `realmctl apply`");
});

test("values that look alike, since what differs is hidden, are not shown as a change from one to itself", () => {
  const hidden = { ...field("description", "same", "same"), hidden: true as const };
  const body = bodyOf(driftOf([change({ action: "update", name: "a", id: 9, fields: [hidden] })]));
  expect(body).toContain("`description: changed; what differs is hidden`");
});
