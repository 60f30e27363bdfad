import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.end());

const ARCHIVE = "channels: {sandbox: {archived: true}}\n";
const POLICY = "version: 1\npolicy: {limits: {removals: 0}}\n";
const isArchived = (): boolean => world.channel("sandbox").is_archived;

describe("where a policy may stand: plan shows the hit guard, apply sends nothing, both exit with 3", () => {
  test.each([
    {
      where: "in the file",
      file: `version: 1\npolicy: {limits: {removals: 0}}\n${ARCHIVE}`,
      policy: undefined,
      flags: "",
      at: "realm.yaml:3",
    },
    {
      where: "in another that the file names",
      file: `version: 1\npolicy: guards.yaml\n${ARCHIVE}`,
      policy: POLICY,
      flags: "",
      at: "realm.yaml:3",
    },
    {
      where: "in another that the command names",
      file: `version: 1\n${ARCHIVE}`,
      policy: POLICY,
      flags: " --policy guards.yaml",
      at: "realm.yaml:2",
    },
    {
      where: "the command's is stricter than the file's",
      file: `version: 1\npolicy: {limits: {removals: 50}}\n${ARCHIVE}`,
      policy: POLICY,
      flags: " --policy guards.yaml",
      at: "realm.yaml:3",
    },
    {
      where: "the file's is stricter than the command's",
      file: `version: 1\npolicy: {limits: {removals: 0}}\n${ARCHIVE}`,
      policy: "version: 1\npolicy: {limits: {removals: 50}}\n",
      flags: " --policy guards.yaml",
      at: "realm.yaml:3",
    },
  ])("$where", async ({ file, policy, flags, at }) => {
    world.file("realm.yaml", file);
    if (policy !== undefined) world.file("guards.yaml", policy);
    const planned = await world.realmctl(`plan${flags}`);
    expect(planned.code, planned.err).toBe(EXIT.refusedByGuard);
    // With the change that caused it, and where that is asked for.
    const [, place] = /refused by a guard: removals 1 of 0: sandbox goes over it +(\S+)/.exec(planned.out) ?? [];
    expect(place, planned.out).toBe(at);
    const applied = await world.realmctl(`apply --yes${flags}`);
    expect(applied.code).toBe(EXIT.refusedByGuard);
    // Who reads only the error knows which change it was.
    expect(applied.err).toMatch(/error\[guard\/[\w-]+\]: [\s\S]*sandbox/);
    expect(applied.err).toContain(at);
    expect(world.writes()).toEqual([]);
  });
});

describe("--allow", () => {
  beforeEach(() => {
    world.file("realm.yaml", `version: 1\n${ARCHIVE}`);
    world.file("guards.yaml", POLICY);
  });

  test("lets that guard through, in words that stay in the plan", async () => {
    const planned = await world.realmctl("plan --policy guards.yaml --allow removals");
    expect(planned).toMatchObject({ code: EXIT.done, err: "" });
    expect(planned.out).toMatch(/removals 1\b.*let through/);
    expect(await world.realmctl("apply --yes --policy guards.yaml --allow removals")).toMatchObject({
      code: EXIT.done,
    });
    expect(isArchived()).toBe(true);
  });

  test("lets no other through", async () => {
    const ran = await world.realmctl("apply --yes --policy guards.yaml --allow lockout");
    expect(ran.code).toBe(EXIT.refusedByGuard);
    expect(isArchived()).toBe(false);
  });

  test("lets a protected object through by its pattern, and only by it", async () => {
    world.file("guards.yaml", 'version: 1\npolicy: {protect: ["channel:sand*"]}\n');
    const refused = await world.realmctl("apply --yes --policy guards.yaml --allow removals");
    expect(refused.code).toBe(EXIT.refusedByGuard);
    expect(refused.err).toMatch(/channel:sand\*/);
    expect(world.writes()).toEqual([]);
    const ran = await world.realmctl("apply --yes --policy guards.yaml --allow protect:channel:sand*");
    expect(ran.code, ran.err).toBe(EXIT.done);
  });
});

describe("a saved plan", () => {
  test("is held against the policy of today", async () => {
    world.file("realm.yaml", `version: 1\n${ARCHIVE}`);
    world.file("guards.yaml", POLICY);
    expect((await world.realmctl("plan --out saved.plan")).code).toBe(EXIT.done);
    const refused = await world.realmctl("apply --yes --plan saved.plan --policy guards.yaml");
    expect(refused.code).toBe(EXIT.refusedByGuard);
    expect(world.writes()).toEqual([]);
    expect((await world.realmctl("apply --yes --plan saved.plan")).code).toBe(EXIT.done);
    expect(isArchived()).toBe(true);
  });

  test("that a guard refused stays refused without the policy at hand", async () => {
    world.file("realm.yaml", `version: 1\npolicy: {limits: {removals: 0}}\n${ARCHIVE}`);
    expect((await world.realmctl("plan --out saved.plan")).code).toBe(EXIT.refusedByGuard);
    expect((await world.realmctl("apply --yes --plan saved.plan")).code).toBe(EXIT.refusedByGuard);
    expect(world.writes()).toEqual([]);
  });
});

test("what is no longer in the file is still protected: the policy looks at the organization", async () => {
  world.file(
    "realm.yaml",
    "version: 1\npolicy: {protect: [channel:sandbox]}\nmanage: {channels: exact}\nchannels: {general: {}, Zulip: {}, announce: {}}\n",
  );
  const ran = await world.realmctl("apply --yes");
  expect(ran.code).toBe(EXIT.refusedByGuard);
  expect(ran.err).toMatch(/channel:sandbox/);
  expect(world.writes()).toEqual([]);
});

describe("a policy file that is no policy: every mistake with its place, exit 1, nothing sent", () => {
  test.each([
    { what: "is not there", policy: undefined, says: [/guards\.yaml/] },
    { what: "is empty", policy: "version: 1\n", says: [/error\[policy\/missing\]/] },
    {
      what: "holds something else",
      policy: "version: 1\nchannels: {}\npolicy: {}\n",
      says: [/error\[policy\/unknown\][\s\S]*guards\.yaml:2:1/],
    },
    { what: "names another file", policy: "version: 1\npolicy: other.yaml\n", says: [/error\[policy\/missing\]/] },
    {
      what: "has a mistake in every part",
      policy:
        "version: 1\npolicy:\n  limits: {removal: 1, emails: -1, changes_percent: 101}\n  protect: [general]\n  lockout: never\n",
      says: [
        /error\[policy\/unknown-limit\][\s\S]*guards\.yaml:3:12[\s\S]*did you mean "removals"\?/,
        /error\[policy\/limit\][\s\S]*guards\.yaml:3:32/,
        /error\[policy\/limit\][\s\S]*guards\.yaml:3:53/,
        /error\[policy\/protect\][\s\S]*guards\.yaml:4:13/,
        /error\[policy\/lockout\][\s\S]*guards\.yaml:5:12/,
      ],
    },
  ])("$what", async ({ policy, says }) => {
    world.file("realm.yaml", `version: 1\n${ARCHIVE}`);
    if (policy !== undefined) world.file("guards.yaml", policy);
    const ran = await world.realmctl("apply --yes --policy guards.yaml");
    expect(ran).toMatchObject({ code: EXIT.mistakes, out: "" });
    for (const text of says) expect(ran.err).toMatch(text);
    expect(ran.err).not.toMatch(/\n\s+at /);
    expect(world.writes()).toEqual([]);
  });
});
