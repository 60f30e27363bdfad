import { describe, expect, test } from "vitest";
import { snapshotText } from "../src/zulip/snapshot.ts";
import { runCommandLine } from "./support/cli/command-line.ts";
import { realmOf } from "./support/realm.ts";

/* What `manage.<section>.except` leaves aside, in every report. */

const REALM = snapshotText(realmOf({ channels: [{ name: "general" }, { name: "tmp-a" }, { name: "old" }] }));

const ran = async (command: string, except: string, more = "") => {
  const file = `version: 1\nmanage: {channels: {policy: exact, except: [${except}]}}\nchannels: {general: {}${more}}\n`;
  const { out, err } = await runCommandLine(`${command} --snapshot realm.json`.split(" "), {
    files: { "realm.json": REALM, "realm.yaml": file },
  });
  return out + err;
};

describe("a pattern that leaves nothing out is told", () => {
  const nothing = (pattern: string) => `except of channels in manage leaves nothing out by "${pattern}"`;
  test.each(["plan", "drift", "validate"])("by %s", async (command) => {
    expect(await ran(command, "tmp_a, old")).toMatch(/leaves nothing out by "tmp_a"[\s\S]*did you mean "tmp-a"/);
  });
  test("with wildcards only if the plan removes something that it may mean", async () => {
    expect(await ran("plan", "tmp_*")).toContain(nothing("tmp_*"));
    expect(await ran("plan", "'tmp-*', old, 'inc-*'")).not.toContain("leaves nothing out");
  });
  test("a channel may be written with its sign", async () => {
    const out = await ran("plan", "'#old', '#tmp-*'");
    expect(out).toContain("No changes.");
    expect(out).not.toContain("leaves nothing out");
  });
});

test("what is left aside is no candidate for a rename", async () => {
  expect(await ran("plan", "old", ", new-one: {}")).toContain("did you rename");
  expect(await ran("plan", "'tmp-*', old", ", new-one: {}")).not.toContain("did you rename");
});

test.each([
  { told: "by its description", entry: "description: Words of the board", is: true },
  { told: "by its list", entry: "subscribers: {users: [ben@acme.example, hana@acme.example], exact: true}", is: true },
  { told: "by nothing but its privacy", entry: "privacy: private_shared_history", is: false },
])("what somebody renamed by hand into an excepted name looks renamed if it can be told: $told", async (row) => {
  const live = realmOf({
    channels: [{ name: "tmp-secret", invite_only: true, description: "Words of the board" }, { name: "tmp-other" }],
    subscribers: { "tmp-secret": ["ben@acme.example", "hana@acme.example"], "tmp-other": ["ada@acme.example"] },
  });
  const yaml = `version: 1\nmanage: {channels: {except: ['tmp-*']}}\nchannels: {secret: {${row.entry}}}\n`;
  const files = { "realm.json": snapshotText(live), "realm.yaml": yaml };
  const { out, err } = await runCommandLine("plan --snapshot realm.json".split(" "), { files });
  const text = `${out}${err}`;
  if (row.is) expect(text).toMatch(/plan\/looks-renamed[\s\S]*tmp-secret/);
  else expect(text).not.toContain("plan/looks-renamed");
});

test.each(["plan", "drift"])(
  "%s names who is in a list that is not exact although its except leaves them out",
  async (command) => {
    const [ben, hana] = ["ben@acme.example", "hana@acme.example"];
    const live = realmOf({ channels: [{ name: "general" }], subscribers: { general: [ben, hana] } });
    const said = async (more: string) => {
      const list = `{groups: [role:members], except: {users: [${hana}]}${more}}`;
      const yaml = `version: 1\nchannels: {general: {subscribers: ${list}}}\n`;
      const files = { "realm.json": snapshotText(live), "realm.yaml": yaml };
      const { out, err } = await runCommandLine(`${command} --snapshot realm.json`.split(" "), { files });
      return /has subscribers whom its except leaves out: .*/.exec(out + err)?.[0];
    };
    expect(await said("")).toMatch(/out: Hana\b/);
    expect(await said(", exact: true")).toBeUndefined();
  },
);
