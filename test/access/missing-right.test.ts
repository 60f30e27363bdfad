import { expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";

// A newer server may drop a right, or have a value that this version does not know: both are said, and once.

const LIVE = realmOf({ feature_level: 512, channels: [{ name: "general" }], subscribers: { general: [] } });

test("a right that was asked for and that the server does not have is named", async () => {
  const channels = LIVE.channels.map(({ can_send_message_group: _, ...channel }) => channel);
  const files = { "s.json": snapshotText({ ...LIVE, channels }) };
  const asked = ["access", "#general", "--snapshot", "s.json", "--right"];
  expect((await runCommandLine([...asked, "post"], { files })).out).toContain(
    "This server does not have post (can_send_message_group).",
  );
  expect((await runCommandLine([...asked, "read"], { files })).out).not.toContain("does not have");
});

test("an export says once why a field is left out", async () => {
  const channels = LIVE.channels.map((channel) => ({ ...channel, topics_policy: "by_vote" }));
  const files = { "s.json": snapshotText({ ...LIVE, channels }) };
  const { out, err } = await runCommandLine(["export", "--snapshot", "s.json", "--kinds", "channels"], { files });
  expect(`${out}${err}`.match(/topics_policy is left out/g)).toHaveLength(1);
});
