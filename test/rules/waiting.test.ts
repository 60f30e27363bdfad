import { expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";

/** A file that makes people wait is held to rules as it is afterwards, also where a rule invents somebody. */
const liveWith = (waiting_period_threshold: number) =>
  realmOf({
    settings: { waiting_period_threshold },
    channels: [{ name: "hr", invite_only: true, can_subscribe_group: "role:fullmembers" }],
    subscribers: { hr: ["ada@acme.example"] },
    joined_days_ago: { "elif@acme.example": 7, "dmitri@acme.example": 400 },
  });

test.each([
  { rule: "who: {role: member}, can: {read: hr}", days: 30, file: "", holds: false },
  { rule: "who: elif@acme.example, can: {read: hr}", holds: false },
  { rule: "who: dmitri@acme.example, can: {read: hr}", holds: true },
  { rule: "who: {role: member}, can: {read: hr}", holds: false },
  { rule: "who: {role: member}, can: {read: hr}", file: "", holds: true },
])("a waiting period of 30 days: $rule", async ({ rule, holds, days, file }) => {
  const others = ["who: {role: guest}, cannot: {read: hr}", "who: {role: moderator}, can: {read: hr}"];
  const files = {
    "realm.yaml": `version: 1\n${file ?? "settings: {waiting_period_threshold: 30d}\n"}`,
    "realm.test.yaml": `version: 1\ntests:\n${[rule, ...others].map((each, at) => `  - {name: r${at}, ${each}}\n`).join("")}`,
    "s.json": snapshotText(liveWith(days ?? 0)),
  };
  const { out } = await runCommandLine(["test", "--snapshot", "s.json", "--format", "json"], { files });
  const json: { readonly rules?: readonly { readonly holds: boolean | null }[] } = JSON.parse(out);
  expect(json.rules?.[0]?.holds).toBe(holds);
});
