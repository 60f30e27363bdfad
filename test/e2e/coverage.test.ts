import { beforeEach, describe, expect, test } from "vitest";
import type { Covered } from "../../src/model/coverage.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { flat, worldOfTests } from "./world.ts";

/** `drift --coverage`: which fields are compared with the file, and why not the others. */
const world = worldOfTests();
beforeEach(() => {
  world.file("realm.yaml", FILE);
});
const FILE = `version: 1
manage: {default_channels: exact}
settings: {name: Acme Foundry}
channels:
  general: {description: For team-wide conversations, privacy: public, subscribers: {users: [user:6]}}
user_groups:
  keepers: {members: [user:6]}
default_channels: [general, sandbox, Zulip]
`;
const json = async (as?: string) => {
  const { out, err } = await world.realmctl("drift --coverage --format json", as === undefined ? {} : { as });
  const found: {
    readonly coverage: readonly Covered[];
    readonly watches: { readonly [part: string]: { readonly watched: number; readonly all: number } };
    readonly exit_code: number;
  } = JSON.parse(out === "" ? err : out);
  return found;
};
const row = (rows: readonly Covered[], name: string, field?: string) =>
  rows.find((one) => one.name === name && one.field === field);

describe("every field", () => {
  test.each([
    ["is compared if the file has it", "general", "description", { compared: "yes", at: { line: 5 } }],
    ["is not, if the entry leaves it out", "general", "topics_policy", { compared: "no", why: "not-written" }],
    [
      "is compared in part, if the list is not exact",
      "general",
      "subscribers",
      { compared: "in-part", why: "only-adds" },
    ],
    [
      "is not, if no entry has the object",
      "sandbox",
      "description",
      { compared: "no", why: "not-in-file", policy: "additive" },
    ],
    ["is not, if there is no such section", "deploy-bot", "full_name", { compared: "no", why: "no-section" }],
    ["of settings", "organization", "name", { compared: "yes" }],
    ["that came later", "general", "default_push_notifications", { compared: "no", why: "too-old" }],
  ])("%s", async (_, name, field, expected) => {
    expect(row((await json()).coverage, name, field)).toMatchObject(expected);
  });

  test("of an object that manage leaves aside has a reason of its own", async () => {
    world.file("realm.yaml", FILE.replace("exact}", "exact, channels: {policy: exact, except: [sand*]}}"));
    const { coverage } = await json();
    expect(row(coverage, "sandbox", "description")).toMatchObject({ compared: "no", why: "left-aside" });
    expect(row(coverage, "Zulip", "description")).toMatchObject({ why: "not-in-file", policy: "exact" });
    const { out } = await world.realmctl("drift --coverage");
    expect(flat(out)).toContain("left aside by manage: #sandbox");
  });

  test("of an archived channel without an entry: the channel is named", async () => {
    await world.edit("owner", "DELETE", `/streams/${world.channel("sandbox").stream_id}`, {});
    expect(row((await json()).coverage, "sandbox")).toMatchObject({ compared: "no", why: "inactive" });
  });

  test("with a name that the account does not see, and what is not seen itself", async () => {
    world.file(
      "realm.yaml",
      "version: 1\nchannels: {board: {privacy: private_shared_history}}\nuser_groups: {}\nsettings: {moderation_request_channel: board}\n",
    );
    const { coverage } = await json("dmitri@acme.example");
    expect(row(coverage, "board")).toMatchObject({ compared: "no", why: "private-channels" });
    expect(row(coverage, "organization", "moderation_request_channel")).toMatchObject({ why: "names-unseen" });
  });
});

test("counts what every drift counts: its fields are the same walk", async () => {
  const { coverage, watches } = await json();
  const { why, ...known } = { why: new Set(["too-old", "not-told", "not-read", "inactive"]), watches };
  const inUse = coverage.filter((one) => one.why === undefined || !why.has(one.why));
  const of = (isPermission: boolean) => inUse.filter((one) => (one.is_permission === true) === isPermission);
  for (const [part, rows] of [
    ["permissions", of(true)],
    ["others", of(false)],
  ] as const)
    expect({ all: rows.length, watched: rows.filter(({ compared }) => compared !== "no").length }).toEqual(
      known.watches[part],
    );
});

test("the text has a summary, then each section; the page has the same", async () => {
  const { out, code } = await world.realmctl("drift --coverage");
  expect(code).toBe((await world.realmctl("drift")).code);
  expect(out.indexOf("Watches")).toBeLessThan(out.search(/^\d+ settings: \d+ of \d+ fields compared$/m));
  expect(flat(out)).toContain("the file has no such section");
  expect(flat(out)).toContain("not in the file (additive)");
  const all = await world.realmctl("drift --coverage --all");
  expect(flat(all.out)).toContain("description (general)");
  const page = await world.realmctl("drift --coverage --format html");
  expect(page.out).toContain("<table>");
  expect(page.out).toContain("#general");
  expect(page.out).toContain("the entry does not have it");
});

test("exits like a drift", async () => {
  world.file("realm.yaml", "version: 1\nchannels: {general: {description: Other}}\n");
  const { out, code } = await world.realmctl("drift --coverage");
  expect(code).toBe(EXIT.changesPending);
  expect(out).toContain("1 object differs");
});
