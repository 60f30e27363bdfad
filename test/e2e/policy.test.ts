import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { DriftForm } from "../../src/model/output-schemas.ts";
import { worldOfTests } from "./world.ts";

const world = worldOfTests();

// A default channel: it counts there, too.
const ARCHIVE = "channels: {sandbox: {archived: true}}\n";
const POLICY = "version: 1\npolicy: {limits: {removals: 0}}\n";
const isArchived = (): boolean => world.channel("sandbox").is_archived;

describe("locations of a policy: plan shows the violated guard, apply sends nothing, both exit with 3", () => {
  test.each([
    {
      where: "in the file",
      file: `version: 1\npolicy: {limits: {removals: 0}}\n${ARCHIVE}`,
      policy: undefined,
      flags: "",
      at: "realm.yaml:3",
    },
    {
      where: "in another file that the file names",
      file: `version: 1\npolicy: guards.yaml\n${ARCHIVE}`,
      policy: POLICY,
      flags: "",
      at: "realm.yaml:3",
    },
    {
      where: "in another file that the command names",
      file: `version: 1\n${ARCHIVE}`,
      policy: POLICY,
      flags: " --policy guards.yaml",
      at: "realm.yaml:2",
    },
    {
      where: "in the command, stricter than in the file",
      file: `version: 1\npolicy: {limits: {removals: 50}}\n${ARCHIVE}`,
      policy: POLICY,
      flags: " --policy guards.yaml",
      at: "realm.yaml:3",
    },
    {
      where: "in the file, stricter than in the command",
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
    // With the change that caused it, and the place that requires it.
    const [, place] =
      /refused by a guard: removals: 2, but none is allowed \(#sandbox is one too many\) +(\S+)/.exec(planned.out) ??
      [];
    expect(place, planned.out).toBe(at);
    const applied = await world.realmctl(`apply --yes${flags}`);
    expect(applied.code).toBe(EXIT.refusedByGuard);
    // Somebody who reads only the error knows which change it was.
    expect(applied.err).toMatch(/error\[guard\/[\w-]+\]: [\s\S]*sandbox/);
    expect(applied.err).toContain(at);
    expect(world.writes()).toEqual([]);
  });
});

describe("a saved plan", () => {
  test("is checked against the current policy", async () => {
    world.file("realm.yaml", `version: 1\n${ARCHIVE}`);
    world.file("guards.yaml", POLICY);
    expect((await world.realmctl("plan --out saved.plan")).code).toBe(EXIT.done);
    const refused = await world.realmctl("apply --yes --plan saved.plan --policy guards.yaml");
    expect(refused.code).toBe(EXIT.refusedByGuard);
    expect(world.writes()).toEqual([]);
    expect((await world.realmctl("apply --yes --plan saved.plan")).code).toBe(EXIT.done);
    expect(isArchived()).toBe(true);
  });

  test("stays refused after a guard refused it, without the policy too", async () => {
    world.file("realm.yaml", `version: 1\npolicy: {limits: {removals: 0}}\n${ARCHIVE}`);
    expect((await world.realmctl("plan --out saved.plan")).code).toBe(EXIT.refusedByGuard);
    expect((await world.realmctl("apply --yes --plan saved.plan")).code).toBe(EXIT.refusedByGuard);
    expect(world.writes()).toEqual([]);
  });
});

describe("undoing", () => {
  const PROTECTS = "policy: {protect: [channel:sandbox]}\n";
  const undo = async (argument = "") => {
    const [journal = ""] = world.journals();
    return world.realmctl(`apply${argument} --yes --undo .realmctl/${journal}`);
  };
  beforeEach(async () => {
    await world.bringInLine(`version: 1\n${ARCHIVE}`);
  });

  test.each([
    { where: "the usual file, which exists", files: { "realm.yaml": `version: 1\n${PROTECTS}` }, argument: "" },
    {
      where: "a policy file that it names",
      files: { "realm.yaml": "version: 1\npolicy: guards.yaml\n", "guards.yaml": `version: 1\n${PROTECTS}` },
      argument: "",
    },
    {
      where: "a file that the command names",
      files: { "prod.yaml": `version: 1\n${PROTECTS}` },
      argument: " prod.yaml",
    },
    {
      where: "--policy",
      files: { "guards.yaml": `version: 1\n${PROTECTS}` },
      argument: " --policy guards.yaml",
    },
    {
      where: "a file whose sections have errors",
      files: { "realm.yaml": `version: 1\n${PROTECTS}channels: {sandbox: {descirption: x}}\n` },
      argument: "",
    },
    {
      where: "this organization's file",
      files: { "realm.yaml": `version: 1\nrealm: URL\n${PROTECTS}` },
      argument: "",
    },
  ])("obeys the policy of $where, and says so", async ({ files, argument }) => {
    const sent = world.writes().length;
    for (const [name, text] of Object.entries(files)) world.file(name, text.replace("URL", world.url));
    const refused = await undo(argument);
    expect(refused.code, refused.out + refused.err).toBe(EXIT.refusedByGuard);
    expect(refused.err).toMatch(/The guard rails of \S+\.yaml apply to this undo\./);
    expect(refused.err).toMatch(
      /error\[guard\/refused\]: .*channel:sandbox is protected, and this\s+plan\s+changes\s+archived\s+of\s+sandbox/,
    );
    expect(world.writes()).toHaveLength(sent);
    const allowed = await undo(`${argument} --allow protect:channel:sandbox`);
    expect(allowed.code, allowed.err).toBe(EXIT.done);
    expect(isArchived()).toBe(false);
  });

  test("is checked with the default limits, and shows the counts", async () => {
    world.file("realm.yaml", "version: 1\n");
    const ran = await undo(" --verbose");
    expect(ran.code, ran.err).toBe(EXIT.done);
    expect(ran.err).toContain("No policy found: the default limits apply to this undo.");
    expect(ran.out).toMatch(
      /Guards +removals 0 of 10 · people losing access 0 of 50 · e-mails 0 of 50 ·\s+irreversible steps 0/,
    );
  });

  test("skips another organization's policy, unless the command names it", async () => {
    world.file("realm.yaml", `version: 1\nrealm: https://other.example.org\n${PROTECTS}`);
    const refused = await undo(" realm.yaml");
    expect(refused.code).toBe(EXIT.errors);
    expect(refused.err).toMatch(/error\[realm\/other-realm\][\s\S]*realm\.yaml:2/);
    expect((await undo()).code).toBe(EXIT.done);
  });

  test.each([
    {
      what: "a policy with an error",
      text: "version: 1\npolicy: {limits: {removal: 1}}\n",
      code: /policy\/unknown-limit/,
    },
    { what: "a file that cannot be parsed", text: "version: 1\npolicy: {limits: {\n", code: /yaml\// },
  ])("is refused under $what: its guard rails are unknown", async ({ text, code }) => {
    const sent = world.writes().length;
    world.file("realm.yaml", text);
    const ran = await undo();
    expect(ran.code, ran.err).toBe(EXIT.errors);
    expect(ran.err).toMatch(code);
    expect(world.writes()).toHaveLength(sent);
  });

  test("requires a named policy file to exist", async () => {
    expect((await undo(" nosuch.yaml")).code).toBe(EXIT.errors);
  });
});

describe("drift", () => {
  test.each([
    { where: "the file's", file: `version: 1\npolicy: {limits: {removals: 0}}\n${ARCHIVE}`, flags: "" },
    { where: "the command's", file: `version: 1\n${ARCHIVE}`, flags: " --policy guards.yaml" },
  ])("is reported, together with the guard that would refuse apply: $where", async ({ file, flags }) => {
    world.file("realm.yaml", file);
    world.file("guards.yaml", POLICY);
    const text = await world.realmctl(`drift${flags}`);
    expect(text.code, text.err).toBe(EXIT.changesPending);
    expect(text.out).toMatch(
      /apply would be refused by a guard: removals: 2, but none is allowed \(#sandbox is one too many\)/,
    );
    const json = DriftForm.parse(JSON.parse((await world.realmctl(`drift --format json${flags}`)).out));
    expect(json.refused_by.map(({ name }) => name)).toEqual(["removals"]);
  });
});

test("an object that is no longer in the file is still protected: the policy is applied to the organization", async () => {
  world.file(
    "realm.yaml",
    "version: 1\npolicy: {protect: [channel:sandbox]}\nmanage: {channels: exact}\nchannels: {general: {}, Zulip: {}, announce: {}}\n",
  );
  const ran = await world.realmctl("apply --yes");
  expect(ran.code).toBe(EXIT.refusedByGuard);
  expect(ran.err).toMatch(/channel:sandbox/);
  expect(world.writes()).toEqual([]);
});

describe("an invalid policy file: every error with its place, exit 1, nothing sent", () => {
  test.each([
    { what: "is missing", policy: undefined, says: [/guards\.yaml/] },
    { what: "is empty", policy: "version: 1\n", says: [/error\[policy\/missing\]/] },
    {
      what: "contains something else",
      policy: "version: 1\nwidgets: {}\npolicy: {}\n",
      says: [/error\[policy\/unknown\][\s\S]*guards\.yaml:2:1/],
    },
    { what: "names another file", policy: "version: 1\npolicy: other.yaml\n", says: [/error\[policy\/missing\]/] },
    {
      what: "has an error in every part",
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
    expect(ran).toMatchObject({ code: EXIT.errors, out: "" });
    for (const text of says) expect(ran.err).toMatch(text);
    expect(ran.err).not.toMatch(/\n\s+at /);
    expect(world.writes()).toEqual([]);
  });
});
