import { describe, expect, test } from "vitest";
import { runCommandLine } from "../src/cli/test-io.ts";
import { snapshotText } from "../src/zulip/snapshot-file.ts";
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
