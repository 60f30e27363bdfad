import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseJournal } from "../../src/apply/journal.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type Bundle, buildBundle, start } from "./child.ts";
import { type CalmRun, calmRun, fingerprint, MIXED_FILE } from "./example.ts";
import { isWrite, World } from "./world.ts";

let bundle: Bundle;
beforeAll(() => {
  bundle = buildBundle();
});
afterAll(() => bundle.remove());

/** Kills the process at the n-th write: before the server carries it out, or when it has, and the answer is lost. */
async function killed(n: number, when: "before" | "after", line = "apply --yes") {
  let count = 0;
  let kill: (() => Promise<void>) | undefined;
  const strike = async (request: { readonly method: string; readonly path: string }): Promise<undefined> => {
    if (kill === undefined || !isWrite(request)) return undefined;
    count += 1;
    if (count !== n) return undefined;
    await kill();
    throw new Error("nobody listens any more");
  };
  const world = await World.start({ interceptors: [when === "before" ? { before: strike } : { after: strike }] });
  world.file("realm.yaml", MIXED_FILE);
  await world.realmctl("plan --out realm.plan");
  const child = start(bundle, world, line);
  kill = async () => {
    child.process.kill("SIGKILL");
    await child.ended;
    kill = undefined;
  };
  await child.ended;
  return world;
}

async function recovers(world: World, expected: CalmRun, line = "apply --yes"): Promise<void> {
  const [name = ""] = world.journals();
  expect(parseJournal(world.read(`.realmctl/${name}`), name).entries.length).toBeGreaterThan(0);
  const again = await world.realmctl(line);
  expect(again.code).toBe(EXIT.done);
  expect(again.err).toContain("did not come to its end");
  expect(fingerprint(world)).toEqual(expected.realm);
  const quiet = await world.realmctl("apply --yes");
  expect(quiet).toMatchObject({ code: EXIT.done, err: "" });
}

describe("a killed process", async () => {
  const expected = await calmRun(MIXED_FILE);
  const calls = expected.writes.map((_, index) => index + 1);

  test.each(calls)("before call %i reached the server: the next run does it, and the rest", async (n) => {
    const world = await killed(n, "before");
    try {
      await recovers(world, expected);
    } finally {
      await world.end();
    }
  });

  test.each(calls)("after the server carried out call %i: nothing is done twice", async (n) => {
    const world = await killed(n, "after");
    try {
      await recovers(world, expected);
      expect(world.writes()).toHaveLength(calls.length);
    } finally {
      await world.end();
    }
  });

  test.each(calls)("after call %i of a saved plan: the same plan goes on", async (n) => {
    const line = "apply --yes --plan realm.plan";
    const world = await killed(n, "after", line);
    try {
      await recovers(world, expected, line);
      expect(world.writes()).toEqual(expected.writes);
    } finally {
      await world.end();
    }
  });

  test("in the middle of a line of the journal", async () => {
    const world = await killed(2, "after");
    try {
      const [name = ""] = world.journals();
      const path = join(world.directory, ".realmctl", name);
      truncateSync(path, readFileSync(path).length - 20);
      appendFileSync(path, "\u0000");
      await recovers(world, expected);
    } finally {
      await world.end();
    }
  });
});
