import { expect, test } from "vitest";
import { realmOf } from "./support/realm.ts";
import { must, World } from "./support/world.ts";

/** Two runs on two machines, where no lock separates them (docs/internals/decisions/0019-own-files-only-no-lock-across-machines.md). */
const LIVE = realmOf({
  channels: [{ name: "general" }, { name: "attic" }],
  user_groups: [{ name: "crew", members: [] }],
  linkifiers: [],
});
const FILE = `version: 1
user_groups:
  crew: {description: All hands, members: [ada@acme.example]}
  night: {}
channels:
  general: {description: Hello, permissions: {can_send_message_group: crew}}
  books: {permissions: {can_send_message_group: night}}
  attic: {archived: true}
linkifiers:
  - {pattern: 'BUG-(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}'}
`;

test("a run of the same file at any moment of another run: nothing is created twice, and both end with the state of the file", async () => {
  const world = new World(LIVE);
  const { calls } = must(await world.plan(FILE));
  expect(calls.length).toBeGreaterThan(4);
  for (const [at] of calls.entries()) {
    world.restart();
    const [mine, others] = [must(await world.plan(FILE)), must(await world.plan(FILE))];
    let sent = 0;
    const result = await world.apply(mine, FILE, async () => {
      sent += 1;
      if (sent === at + 1) await world.apply(others, FILE);
    });
    expect(result.remaining).toEqual([]);
    // Somebody else created it first: this is reported, and nothing has to be repaired.
    expect(result.conflicts.filter(({ field }) => field !== "exists")).toEqual([]);
    const { channels, user_groups, linkifiers } = world.sandbox.state();
    expect(Object.values(channels).filter(({ name }) => name === "books")).toHaveLength(1);
    expect(Object.values(user_groups).filter(({ name }) => name === "night")).toHaveLength(1);
    expect(Object.values(linkifiers)).toHaveLength(1);
  }
});

test("changes of an earlier run of another file are not overwritten if the server or a reading shows them", async () => {
  const world = new World(LIVE);
  const other = "version: 1\nchannels: {general: {permissions: {can_send_message_group: role:moderators}}}\n";
  const mine = must(await world.plan(FILE));
  const theirs = must(await world.plan(other));
  let isFirst = true;
  const result = await world.apply(mine, FILE, async () => {
    if (!isFirst) return;
    isFirst = false;
    await world.apply(theirs, other);
  });
  expect(result.conflicts.map(({ address, field }) => `${address} ${field}`)).toContain(
    "channel:general can_send_message_group",
  );
  expect(must(await world.plan(other)).changes).toEqual([]);
});
