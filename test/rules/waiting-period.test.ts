import { describe, expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";

/*
 * A new waiting period moves people into or out of role:fullmembers. Rules and guards see that also beside invented accounts: the new members that rules
 * are about, and the bots that the plan creates.
 */

const ELIF = "elif@acme.example";
const live = (days: number) =>
  realmOf({
    joined_days_ago: { [ELIF]: 7 },
    settings: { waiting_period_threshold: days },
    channels: [{ name: "hr", invite_only: true, can_subscribe_group: "role:fullmembers" }],
    subscribers: { hr: ["ada@acme.example"] },
  });
const period = (days: number, more = ""): string =>
  `version: 1\nsettings: {waiting_period_threshold: ${days}d}\n${more}`;

async function run(line: string, from: number, file: string, rule = "who: ada@acme.example, can: {read: hr}") {
  const files = {
    "realm.yaml": file,
    "realm.test.yaml": `version: 1\ntests:\n  - {name: x, ${rule}}\n  - {name: y, who: {role: member}, can: {read: hr}}\n`,
    "s.json": snapshotText(live(from)),
  };
  return runCommandLine([...line.split(" "), "--snapshot", "s.json", "--format", "json"], { files });
}

describe("rules see who is a full member after the plan", () => {
  test.each([
    { what: "she reads no more", from: 0, to: 30, rule: `who: ${ELIF}, can: {read: hr}`, holds: false },
    { what: "she goes on reading", from: 0, to: 3, rule: `who: ${ELIF}, can: {read: hr}`, holds: true },
    { what: "too few read", from: 0, to: 30, rule: "objects: hr, rights: {read: {at_least: 9}}", holds: false },
    { what: "she comes to read", from: 30, to: 3, rule: `who: ${ELIF}, cannot: {read: hr}`, holds: false },
  ])("$what", async ({ from, to, rule, holds }) => {
    const { out, err } = await run("test", from, period(to), rule);
    const json: { readonly rules?: readonly { readonly holds: boolean | null }[] } = JSON.parse(out);
    expect(json.rules?.[0]?.holds, err).toBe(holds);
  });
});

test("guards count who gains by a shorter period, also if the plan creates a bot", async () => {
  const count = async (more: string) => {
    const { out, err } = await run("plan", 30, period(3, more));
    const json: { readonly guards?: readonly { readonly name: string; readonly fact: object }[] } = JSON.parse(out);
    return [json.guards?.find(({ name }) => name === "people_gaining_access")?.fact, err];
  };
  const [alone] = await count("");
  expect(alone).toMatchObject({ about: { amount: 1 }, asks: true });
  const [beside, err] = await count("bots: {new-bot: {full_name: New, type: generic}}\n");
  expect(beside, String(err)).toMatchObject({ about: { amount: 1 }, asks: true });
});
