import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { snapshotOf } from "../src/rehearsal/rehearse.ts";
import { controlOf, createSandbox, Faults, manualClock } from "../src/sandbox/index.ts";
import { snapshotText } from "../src/zulip/snapshot.ts";
import { sandboxClient } from "./support/sandbox-client.ts";
import { fakeClock } from "./support/zulip/scripted.ts";

const NOW_MS = Date.UTC(2027, 0, 1);

test.each([
  ["recordings/realm.json", undefined],
  ["recordings/realm.json", 421],
  ["recordings/realm.json", 333],
  ["recordings/realm.json", 320],
  ["recordings/level-384/realm.json", undefined],
  ["../fixtures/acme-realm.json", undefined],
])(
  "the snapshot of %s at level %s is the one that realmctl reads, and a sandbox made from it gives it again",
  async (file, featureLevel) => {
    const from = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
    const clock = manualClock(NOW_MS);
    const sandbox = createSandbox({ from, clock, ...(featureLevel === undefined ? {} : { featureLevel }) });
    const own = await snapshotOf(sandbox, NOW_MS);
    const client = sandboxClient(sandbox, "owner", { site: sandbox.url, clock: { ...fakeClock(), now: clock.now } });
    expect(snapshotText(own)).toBe(snapshotText(await client.reader.snapshot({ invites: true, subscribers: true })));
    const again = createSandbox({ from: own, clock });
    again.setUrl(sandbox.url);
    expect(snapshotText(await snapshotOf(again, NOW_MS))).toBe(snapshotText(own));
  },
);

test("GET /sandbox/snapshot is the organization as its owner sees it, without a trace in the log", async () => {
  const from = JSON.parse(readFileSync(new URL("recordings/realm.json", import.meta.url), "utf8"));
  const clock = manualClock(NOW_MS);
  const sandbox = createSandbox({ from, clock });
  await sandboxClient(sandbox, "owner").writer.send({
    operation: "update-stream",
    path: { stream_id: 3 },
    params: { description: "seen" },
  });
  const control = controlOf({ sandbox, faults: new Faults({ clock }), clock, snapshotOf });
  const response = await control(new Request("http://127.0.0.1:9911/sandbox/snapshot"));
  const body = JSON.parse((await response?.text()) ?? "");
  expect(body).toMatchObject({
    format: "realmctl.snapshot",
    server: { feature_level: 442 },
    realm: { url: sandbox.url },
  });
  expect(sandbox.log).toHaveLength(1);
  expect(createSandbox({ from: body }).state().channels[3]?.description).toBe("seen");
});
