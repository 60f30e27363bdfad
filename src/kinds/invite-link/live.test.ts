import { expect, test } from "vitest";
import { planText } from "../../../test/support/cases.ts";
import { realmOf } from "../../../test/support/realm.ts";
import { must } from "../../../test/support/world.ts";

test.each([
  ["2026-11-20", []],
  ["2026-11-21", [{ minutesUntil: "2026-11-21T12:00:00.000Z" }]],
  ["2026-11-22", [{ minutesUntil: "2026-11-22T12:00:00.000Z" }]],
  ["never", [null]],
])("a link until %s, at nine on November 21: minutes %j", async (day, minutes) => {
  const yaml = `version: 1\ninvite_links:\n  - {expires_on: ${day}, channels: [general]}\n`;
  const plan = must(await planText(yaml, realmOf({ invites: [], channels: [{ name: "general" }] })));
  expect(plan.calls.map(({ params }) => params.invite_expires_in_minutes)).toEqual(minutes);
});
