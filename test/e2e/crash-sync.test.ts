import { afterAll, expect, test } from "vitest";
import { parseJournal } from "../../src/apply/journal.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { oneIn } from "../support/sample.ts";
import { CrashSite, type Moment, seen } from "./crash.ts";

/** A `sync` that dies at any moment of any request: the next one brings everything to the state of the file, and sends nothing twice. */
const LIVE = realmOf({
  user_groups: [
    { name: "engineering", members: ["elif@acme.example"] },
    { name: "operations", members: ["ben@acme.example"] },
  ],
  channels: [
    { name: "design", stream_id: 71 },
    { name: "war-room", stream_id: 72, invite_only: true },
  ],
  subscribers: { design: ["ada@acme.example"], "war-room": ["ada@acme.example", "chiara@acme.example"] },
});
const FILE = `version: 1
policy:
  sync: [channels.*.subscribers, user_groups.*.members]
  limits: {people_gaining_access: 10}
user_groups:
  operations: {description: Never written by sync, members: [dmitri@acme.example]}
channels:
  design: {subscribers: {groups: [engineering], exact: true}}
  war-room: {privacy: private_shared_history, subscribers: {groups: [operations], users: [ada@acme.example], exact: true}}
`;

const site = await CrashSite.open({ name: "sync", live: LIVE, yaml: FILE });
afterAll(() => site.world.end());

/** `sync` until it waits for an event. */
async function untilIdle() {
  let interrupt = (): void => {};
  return site.world.realmctl("sync", {
    onStart: (how) => {
      interrupt = how;
    },
    // The first alarm of the interval is set when nothing is left to do.
    io: {
      alarm: (ms) => {
        if (ms > 500_000) setImmediate(interrupt);
        return () => {};
      },
    },
  });
}

const ran = await untilIdle();
const expected = { realm: seen(site.world), carriedOut: [...site.carriedOut] };

test("without a kill: one request for the group, and one for each list and direction", () => {
  expect(ran, ran.out + ran.err).toMatchObject({ code: EXIT.done });
  expect(expected.carriedOut).toHaveLength(5);
  expect(ran.out).toContain("#war-room subscribers  + dmitri@acme.example  - chiara@acme.example");
});

test("the rest of the file is left to apply", async () => {
  site.restart();
  await untilIdle();
  const { differences } = JSON.parse((await site.world.realmctl("drift --format json")).out);
  expect(differences.map(({ address }: { readonly address: string }) => address)).toEqual(["user_group:operations"]);
});

const MOMENTS: readonly Moment[] = ["before", "after", "announcing", "noting"];
const rows = MOMENTS.flatMap((moment) => [1, 2, 3, 4, 5].map((n) => ({ moment, n })));

test.each(oneIn(5, rows))("killed $moment request $n", async ({ moment, n }) => {
  site.restart();
  await site.kill("sync", moment, n);
  const again = await untilIdle();
  expect(again.code, again.out + again.err).toBe(EXIT.done);
  expect(again.out).toContain("did not finish");
  expect(seen(site.world)).toEqual(expected.realm);
  expect(site.carriedOut.toSorted()).toEqual(expected.carriedOut.toSorted());
  const journals = site.world.journals().map((name) => parseJournal(site.world.read(`.realmctl/${name}`), name));
  expect(journals.filter(({ entries }) => entries.at(-1)?.entry !== "end")).toEqual([]);
});
