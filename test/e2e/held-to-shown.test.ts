import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { textOf, worldOfTests } from "./world.ts";

/*
 * What a plan showed is the most that it may do: whoever confirmed it at the terminal, or let it through with `--allow`, saw its numbers and its people. What
 * others did since then is counted right before the first request.
 */

const KEY = "0123456789abcdef0123456789abcdef";
const OPENING = "version: 1\nchannels: {vault: {permissions: {can_subscribe_group: keepers}}}\n";
const CLOSING = "version: 1\nchannels: {vault: {permissions: {can_subscribe_group: role:nobody}}}\n";
const LIMIT = "policy: {limits: {people_gaining_access: 2}}\n";

const world = worldOfTests({
  from: realmOf({
    user_groups: [{ name: "keepers", members: ["elif@acme.example", "chiara@acme.example"] }],
    channels: [{ name: "vault", invite_only: true }, { name: "lobby" }],
    subscribers: { vault: ["ada@acme.example"], lobby: ["ada@acme.example"] },
  }),
});
beforeEach(() => {
  world.file("realm.yaml", OPENING);
});

const members = (add: readonly string[], remove: readonly string[] = []) =>
  world.changeMembers("keepers", { add, remove });
const more = () => members(["dmitri", "farah"]);
const swap = () => members(["dmitri"], ["chiara"]);
const fewer = () => members([], ["chiara"]);

const run = (line: string, between?: () => Promise<unknown>) =>
  world.realmctl(line, {
    env: { PLAN_KEY: KEY },
    ...(between === undefined
      ? {}
      : {
          answer: async (): Promise<string> => {
            await between();
            return world.sandbox.url.replace("http://", "");
          },
        }),
  });

/** Somebody may have changed the group since: then nothing is sent. */
const MOVED = [
  { moved: "more people", between: more, said: "people gaining access to what is private 5" },
  {
    moved: "one person for another",
    between: swap,
    said: "error[guard/others]: others than the plan showed, 1 of them new",
  },
];

describe("a saved plan that was made with --allow allows what it showed", () => {
  const CHECKSUM = "--checksum";
  const checksum = async (held: string): Promise<string> =>
    held === CHECKSUM ? `${held} ${(await run("show realm.plan --checksum")).out.trim()}` : held;
  const WAYS = [
    { what: "saved", flags: "", file: OPENING, held: CHECKSUM },
    { what: "signed", flags: "--sign-with env:PLAN_KEY", file: OPENING, held: "--verify-with env:PLAN_KEY" },
    { what: "with a limit", flags: "", file: `${OPENING}${LIMIT}`, held: CHECKSUM },
  ];
  test.each(WAYS.flatMap((way) => MOVED.map((moved) => ({ ...way, ...moved }))))("$what: $moved", async (of) => {
    world.file("realm.yaml", of.file);
    const saved = await run(`plan --out realm.plan --allow people_gaining_access ${of.flags}`);
    expect(saved.code, saved.err).toBe(EXIT.done);
    await of.between();
    const before = world.writes().length;
    const ran = await run(`apply realm.plan --yes ${await checksum(of.held)}`);
    expect(ran.code, ran.out).toBe(EXIT.refusedByGuard);
    // With a limit, the number stands before it.
    expect(textOf(ran).replace("private: 5, but at most 2 are allowed", "private 5")).toContain(of.said);
    expect(world.writes().length).toBe(before);
  });

  test.each([
    { what: "the same people", between: async () => {} },
    { what: "fewer people", between: fewer },
  ])("$what pass", async ({ between }) => {
    await run("plan --out realm.plan --allow people_gaining_access");
    await between();
    const ran = await run(`apply realm.plan --yes ${await checksum(CHECKSUM)}`);
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
  });

  test("--allow of the apply itself lets more pass, and says how many", async () => {
    await run("plan --out realm.plan");
    await more();
    const ran = await run("apply realm.plan --yes --allow people_gaining_access");
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
    expect(textOf(ran)).toContain("More than the plan shows: people gaining access to what is private 5");
  });
});

describe("what a saved plan allows itself", () => {
  const saves = (more = "") => run(`plan --out realm.plan --allow people_gaining_access ${more}`);

  test.each([
    { what: "", file: OPENING },
    { what: ", also beyond a limit", file: `${OPENING}${LIMIT}` },
  ])("does not count with --yes, and is said$what", async ({ file }) => {
    world.file("realm.yaml", file);
    await saves();
    const before = world.writes().length;
    const ran = await run("apply --plan realm.plan --yes");
    expect(ran.code, textOf(ran)).toBe(EXIT.refusedByGuard);
    expect(textOf(ran)).toContain(
      "realm.plan was saved with --allow people_gaining_access. With --yes, this counts if",
    );
    expect(world.writes().length).toBe(before);
  });

  test.each([
    { what: "the command repeats it", flags: "--yes --allow people_gaining_access" },
    { what: "somebody confirms it", flags: "" },
  ])("counts if $what", async ({ flags }) => {
    await saves();
    const ran = await run(`apply realm.plan ${flags}`, async () => {});
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
    expect(textOf(ran)).not.toContain("was saved with");
    expect(textOf(ran)).toContain("(allowed with --allow people_gaining_access)");
  });

  test("says nothing if it was not needed", async () => {
    world.file("realm.yaml", CLOSING);
    await run("plan --out realm.plan --allow opened");
    const ran = await run("apply realm.plan --yes");
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
    expect(textOf(ran)).not.toContain("was saved with");
  });
});

describe("the limits of a saved plan's own policy", () => {
  const NUMBERS = "policy: {limits: {people_gaining_access: 999, opened: 999}}\n";
  const saves = async (file = `${OPENING}${NUMBERS}`) => {
    world.file("realm.yaml", file);
    const saved = await run("plan --out realm.plan");
    expect(saved.code, saved.err).toBe(EXIT.done);
  };
  const SAID = "realm.plan has limits of its own for people_gaining_access. With --yes, these count if";

  test.each([
    { what: "the file has none today", file: OPENING },
    { what: "the file is gone", file: undefined },
    { what: "the file cannot be read", file: "policy: [\n" },
    { what: "the file is for another organization", file: `realm: https://other.example.org\n${OPENING}${NUMBERS}` },
    { what: "--policy leaves it open", file: OPENING, flags: "--policy rails.yaml" },
  ])("answer nothing with --yes if $what", async ({ file, flags = "" }) => {
    await saves();
    world.file("rails.yaml", "version: 1\npolicy: {limits: {removals: 5}}\n");
    if (file === undefined) rmSync(join(world.directory, "realm.yaml"));
    else world.file("realm.yaml", file);
    const before = world.writes().length;
    const ran = await run(`apply realm.plan --yes ${flags}`);
    expect(ran.code, textOf(ran)).toBe(EXIT.refusedByGuard);
    expect(textOf(ran)).toContain(SAID);
    expect(world.writes().length).toBe(before);
  });

  test.each([
    { what: "the file has them, too", flags: "--yes", file: `${OPENING}${NUMBERS}` },
    { what: "--policy has them", flags: "--yes --policy rails.yaml", file: OPENING },
    { what: "the command allows it", flags: "--yes --allow people_gaining_access", file: OPENING },
    { what: "somebody confirms it", flags: "", file: OPENING },
    { what: "the command names the plan", flags: "--yes --checksum", file: OPENING },
  ])("count if $what", async ({ flags, file }) => {
    await saves();
    world.file("rails.yaml", `version: 1\n${NUMBERS}`);
    world.file("realm.yaml", file);
    const named = flags.endsWith("--checksum") ? ` ${(await run("show realm.plan --checksum")).out.trim()}` : "";
    const ran = await run(`apply realm.plan ${flags}${named}`, async () => {});
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
    expect(textOf(ran)).not.toContain(SAID);
  });

  test("do not raise those of the file as it is today", async () => {
    const archiving = (removals: number) =>
      `version: 1\npolicy: {limits: {removals: ${removals}}}\nchannels: {lobby: {archived: true}}\n`;
    await saves(archiving(9));
    world.file("realm.yaml", archiving(0));
    const ran = await run("apply realm.plan --yes");
    expect(ran.code, textOf(ran)).toBe(EXIT.refusedByGuard);
    expect(textOf(ran)).toContain("removals: 1, but none is allowed (#lobby is one too many)");
  });
});

/*
 * Jobs name the file of a checkout. Whoever may commit it could bring a plan in its place, with policy and --allow of its own: every command reads it as
 * a configuration, and refuses it.
 */
test.each(["realm.yaml", "acme.YML", "acme", "realm.conf"])("a saved plan in place of %s is no plan", async (file) => {
  const saved = await run("plan --out saved.plan --allow people_gaining_access");
  expect(saved.code, saved.err).toBe(EXIT.done);
  world.file(file, world.read("saved.plan"));
  const before = world.writes().length;
  for (const line of [`apply ${file} --yes`, `apply ${file}`, `plan ${file}`, `validate ${file}`, `drift ${file}`]) {
    const ran = await run(line, async () => {});
    expect(ran.code, textOf(ran)).toBe(EXIT.errors);
    expect(textOf(ran), line).toContain("it is a plan that realmctl saved, not a configuration");
  }
  expect(world.writes().length).toBe(before);
});

describe("an answer at the terminal is about what was shown", () => {
  test.each(MOVED)("apply: $moved", async ({ between, said }) => {
    const { length } = world.writes();
    const ran = await run("apply", between);
    expect(ran.code, ran.out).toBe(EXIT.refusedByGuard);
    expect(textOf(ran)).toContain(said);
    expect(world.writes().length).toBe(length + 1);
  });

  test.each(MOVED)("apply of a saved plan: $moved before it", async ({ between, said }) => {
    await run("plan --out realm.plan");
    await between();
    const before = world.writes().length;
    const ran = await run("apply realm.plan", async () => {});
    expect(ran.code, ran.out).toBe(EXIT.refusedByGuard);
    expect(textOf(ran)).toContain(said);
    expect(world.writes().length).toBe(before);
  });

  test.each(MOVED)("apply --undo: $moved", async ({ between, said }) => {
    const { stream_id } = world.channel("vault");
    const opened = { can_subscribe_group: { new: world.group("keepers") } };
    await world.edit("ada@acme.example", "PATCH", `/streams/${stream_id}`, opened);
    world.file("realm.yaml", CLOSING);
    expect((await run("apply --yes")).code).toBe(EXIT.done);
    const before = world.writes().length;
    const ran = await run(`apply --undo .realmctl/${world.journals()[0]}`, between);
    expect(ran.code, ran.out).toBe(EXIT.refusedByGuard);
    expect(textOf(ran)).toContain(said);
    expect(world.writes().length).toBe(before + 1);
  });

  test("a limit that holds when the plan is shown, and not after the answer", async () => {
    world.file("realm.yaml", `${OPENING}policy: {limits: {people_gaining_access: 3}}\n`);
    const before = world.writes().length;
    const ran = await run("apply", more);
    expect(ran.code, ran.out).toBe(EXIT.refusedByGuard);
    expect(textOf(ran)).toContain(
      "people gaining access to what is private: 5, but at most 3 are allowed (#vault is one too many)",
    );
    expect(world.writes().length).toBe(before + 1);
  });

  test("nobody moved", async () => {
    const ran = await run("apply", async () => {});
    expect(ran.code, textOf(ran)).toBe(EXIT.done);
  });
});
