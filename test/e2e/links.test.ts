import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import * as memory from "../support/world.ts";
import { worldOfTest } from "./world.ts";

const DAY_MS = 86_400_000;
const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`) / 1000;

test.each([
  { later: 0, fact: "at once" },
  { later: 2 * DAY_MS, fact: "two days later" },
  // Past midnight, and past noon.
  { later: 9.4 * DAY_MS, fact: "on the second last day" },
])("a link lasts until the day that the plan says, although the plan is sent $fact", async ({ later }) => {
  const live = realmOf({ invites: [] });
  const plan = memory.must(await memory.planAgainst("version: 1\ninvite_links:\n  - {expires_on: 2026-12-01}\n", live));
  const world = new memory.World({ ...live, taken_at: new Date(Date.parse(live.taken_at) + later).toISOString() });
  const result = await world.apply(plan, "version: 1\ninvite_links:\n  - {expires_on: 2026-12-01}\n");
  expect(result).toMatchObject({ outcome: "applied", exitCode: EXIT.done, remaining: [] });
  const [link] = world.sandbox.state().invites;
  expect(Math.abs((link?.expiry_date ?? 0) - noon("2026-12-01"))).toBeLessThanOrEqual(60);
});

test("a link whose date has passed by the time of its call is not created", async () => {
  const yaml = "version: 1\ninvite_links:\n  - {expires_on: 2026-12-01}\n";
  const live = realmOf({ invites: [] });
  const plan = memory.must(await memory.planAgainst(yaml, live));
  const world = new memory.World({ ...live, taken_at: "2026-12-01T12:00:00.000Z" });
  const { calls, exitCode } = await world.apply(plan, yaml);
  expect(calls).toEqual([{ n: 1, state: "failed", fact: { kind: "too-late" } }]);
  expect(exitCode).toBe(EXIT.appliedInPart);
  expect(world.writes).toBe(0);
});

const LINK = { expires_in_days: null };
const TWINS = realmOf({ invites: [], links: [LINK, LINK, LINK] });

test.each([
  { file: "manage: {invite_links: exact}\ninvite_links: []\n", gone: 3, made: 1 },
  { file: "manage: {invite_links: exact}\ninvite_links: [{expires_on: never}]\n", gone: 2, made: 0 },
  { file: "invite_links: [{expires_on: never, absent: true}]\n", gone: 3, made: 1 },
])("equal links are removed in one run, and undoing it creates at most one: $file", async ({ file, gone, made }) => {
  const world = await worldOfTest({ from: TWINS });
  const open = (): number => world.sandbox.state().invites.filter(({ revoked }) => revoked !== true).length;
  await world.bringInLine(`version: 1\n${file}`);
  expect(open()).toBe(3 - gone);
  const [journal = ""] = world.journals();
  const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
  expect(undone.code, undone.out + undone.err).toBe(EXIT.done);
  expect(undone.err.replaceAll(/\s+/g, " ")).toMatch(
    /is not created again: another one like it exists|2 invitation links are not created again: others like them exist/,
  );
  expect(open()).toBe(3 - gone + made);
});
