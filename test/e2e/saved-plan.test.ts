import { beforeEach, describe, expect, test } from "vitest";
import { parsePlanFile, planFileText } from "../../src/apply/plan-file.ts";
import { sha256 } from "../../src/apply/sha256.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { isObject } from "../../src/model/json.ts";
import type { Plan, PlanExtra } from "../../src/model/plan.ts";
import { PlanFileForm } from "../../src/model/plan-schema.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { VERSION } from "../../src/version.ts";
import { planInputs } from "../../src/workflow/saved.ts";
import { jsonOf, withChecksum } from "../support/saved.ts";
import { worldOfTests } from "./world.ts";

/** Something to create, something to change, something to archive. */
const FILE = `version: 1
channels:
  announce: {description: News}
  general: {description: All about Zulip, permissions: {can_send_message_group: role:moderators}}
  sandbox: {archived: true}
`;

const world = worldOfTests();
beforeEach(async () => {
  world.file("realm.yaml", FILE);
  expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.done);
});

const general = () => `/streams/${world.channel("general").stream_id}`;

function plan(): Plan {
  const value: Plan = JSON.parse(world.read("realm.plan"));
  return value;
}

/** The plan as another realmctl, or another person, could have saved it: with a correct checksum. */
function resave(changed: (plan: Plan) => object): void {
  world.file(
    "realm.plan",
    withChecksum({ ...jsonOf(world.read("realm.plan")), ...jsonOf(JSON.stringify(changed(plan()))) }),
  );
}

/** The plan of another realm, or of another server, as realmctl itself would have made it there. */
async function resaveWith(changed: (snapshot: Snapshot) => Snapshot): Promise<void> {
  const { inputs } = parsePlanFile(world.read("realm.plan"), "realm.plan");
  const planned = await planInputs({ ...inputs, snapshot: changed(inputs.snapshot) });
  if (!planned.ok) throw new RangeError("no plan");
  world.file("realm.plan", await planFileText(planned.value.plan, planned.value));
}

test("the file says what is sent where, which preconditions hold, and what it was made from", () => {
  const { changes, calls, realm, server, tool_version, extra } = plan();
  expect(PlanFileForm.safeParse(plan()).success).toBe(true);
  expect(changes.map(({ action, name }) => [action, name])).toEqual([
    ["create", "announce"],
    ["update", "general"],
    ["remove", "sandbox"],
  ]);
  expect(calls.map(({ operation }) => operation)).toEqual(["subscribe", "update-stream", "archive-stream"]);
  expect(calls[1]?.expects.map(({ field, value }) => [field, value])).toEqual([
    ["description", expect.any(String)],
    ["can_send_message_group", "role:everyone"],
  ]);
  expect({ url: realm.url, level: server.feature_level, tool_version }).toEqual({
    url: world.url,
    level: 442,
    tool_version: VERSION,
  });
  const { checksum, origin }: PlanExtra = extra ?? {};
  expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  expect(origin).toEqual({ configuration: sha256(sha256(FILE)), snapshot: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test("another configuration or realm has other hashes", async () => {
  const before = plan().extra?.origin;
  world.file("realm.yaml", `${FILE}# a word\n`);
  await world.realmctl("plan --out other.plan");
  const other: Plan = JSON.parse(world.read("other.plan"));
  expect(isObject(before) && isObject(other.extra?.origin)).toBe(true);
  expect(other.extra?.origin).not.toMatchObject({ configuration: isObject(before) ? before.configuration : "" });
  await world.edit("admin", "PATCH", general(), { description: "theirs" });
  await world.realmctl("plan --out third.plan");
  const third: Plan = JSON.parse(world.read("third.plan"));
  expect(third.extra?.origin).not.toMatchObject({ snapshot: isObject(before) ? before.snapshot : "" });
});

test("apply sends exactly its calls, even if the file has changed since", async () => {
  world.file("realm.yaml", `${FILE}  Zulip: {description: Not in the plan}\n`);
  expect(await world.realmctl("apply realm.plan --yes")).toMatchObject({ code: EXIT.done, err: "" });
  expect(world.writes()).toEqual([
    "POST /users/me/subscriptions",
    `PATCH ${general()}`,
    `DELETE /streams/${world.channel("sandbox").stream_id}`,
  ]);
});

describe("changes by others between plan and apply", () => {
  test.each([
    {
      fact: "another object",
      edit: () => world.edit("admin", "PATCH", "/streams/1", { description: "theirs" }),
      theirs: (): unknown => world.sandbox.state().channels[1]?.description,
      value: (): unknown => "theirs",
    },
    {
      fact: "another field of the same object",
      edit: () => world.edit("owner", "PATCH", general(), { message_retention_days: 30 }),
      theirs: (): unknown => world.channel("general").message_retention_days,
      value: (): unknown => 30,
    },
    {
      fact: "another setting of the same object",
      edit: () =>
        world.edit("admin", "PATCH", general(), { can_add_subscribers_group: { new: world.group("role:moderators") } }),
      theirs: (): unknown => world.channel("general").can_add_subscribers_group,
      value: (): unknown => world.group("role:moderators"),
    },
    {
      fact: "a change that the plan would make as well",
      edit: () => world.edit("admin", "DELETE", `/streams/${world.channel("sandbox").stream_id}`, {}),
      theirs: (): unknown => world.channel("sandbox").is_archived,
      value: (): unknown => true,
    },
  ])("$fact does not block, and stays", async ({ edit, theirs, value }) => {
    await edit();
    expect(await world.realmctl("apply realm.plan --yes")).toMatchObject({ code: EXIT.done, err: "" });
    expect(theirs()).toEqual(value());
    expect(world.channel("general").description).toBe("All about Zulip");
    expect(world.channel("sandbox").is_archived).toBe(true);
  });

  test("every field that changed is shown with all three values, and nothing is sent", async () => {
    await world.edit("admin", "PATCH", general(), {
      description: "theirs",
      can_send_message_group: { new: world.group("role:fullmembers") },
    });
    const before = world.writes().length;
    const { code, out } = await world.realmctl("apply realm.plan --yes");
    expect(code).toBe(EXIT.conflict);
    expect(out).toMatch(/description[\s\S]*planned from[\s\S]*found +theirs[\s\S]*wanted +All about Zulip/);
    expect(out).toMatch(/planned from +role:everyone\n +found +role:fullmembers\n +wanted +role:moderators/);
    expect(world.writes()).toHaveLength(before);
    const json = await world.realmctl("apply realm.plan --yes --format json");
    expect(JSON.parse(json.out)).toMatchObject({
      exit_code: EXIT.conflict,
      conflicts: [
        { field: "description", found: "theirs", wanted: "All about Zulip" },
        { field: "can_send_message_group", planned: "role:everyone", found: "role:fullmembers" },
      ],
    });
  });

  test("an object that somebody else created under the planned name does not change", async () => {
    await world.edit("admin", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "announce" }] });
    const before = world.writes().length;
    expect((await world.realmctl("apply realm.plan --yes")).code).toBe(EXIT.conflict);
    expect(world.writes()).toHaveLength(before);
    expect(world.channel("announce").description).toBe("");
  });
});

describe("is refused, and nothing is sent:", () => {
  test.each([
    {
      fact: "another version of the format",
      changed: () => ({ version: 1 }),
      code: EXIT.conflict,
      says: "plan-file/other-version",
    },
    {
      fact: "an operation of another realmctl",
      changed: ({ calls }: Plan) => ({
        tool_version: "9.0.0",
        calls: calls.map((call, index) => (index === 2 ? { ...call, operation: "mute-stream" } : call)),
      }),
      code: EXIT.conflict,
      says: `realmctl 9.0.0: this one (${VERSION}) does not know the operation "mute-stream"`,
    },
    {
      fact: "a kind of another realmctl",
      changed: ({ changes }: Plan) => ({
        changes: changes.map((change, index) => (index === 0 ? { ...change, kind: "moon" } : change)),
      }),
      code: EXIT.conflict,
      says: 'the kind "moon"',
    },
    {
      fact: "a form of another realmctl",
      changed: ({ calls }: Plan) => ({ calls: calls.map((call) => ({ ...call, unless: "Sunday" })) }),
      code: EXIT.conflict,
      says: "plan-file/other-tool",
    },
  ])("$fact", async ({ changed, code, says }) => {
    resave(changed);
    const ran = await world.realmctl("apply realm.plan --yes");
    expect(ran.code).toBe(code);
    expect(`${ran.out}${ran.err}`.replace(/\s+/g, " ")).toContain(says);
    expect(world.writes()).toEqual([]);
  });

  test.each([
    {
      fact: "another realm",
      changed: (snapshot: Snapshot) => ({
        ...snapshot,
        realm: { ...snapshot.realm, url: "https://other.example.org" },
      }),
      code: EXIT.errors,
      says: "realm/other-realm",
    },
    {
      fact: "a server that was changed since",
      changed: (snapshot: Snapshot) => ({ ...snapshot, server: { ...snapshot.server, feature_level: 441 } }),
      code: EXIT.conflict,
      says: "plan/other-server",
    },
  ])("made for $fact", async ({ changed, code, says }) => {
    await resaveWith(changed);
    const ran = await world.realmctl("apply realm.plan --yes");
    expect(ran.code).toBe(code);
    expect(`${ran.out}${ran.err}`.replace(/\s+/g, " ")).toContain(says);
    expect(world.writes()).toEqual([]);
  });

  test("another account would become the subscriber of new channels", async () => {
    const { code, out } = await world.realmctl("apply realm.plan --yes", { as: "admin" });
    expect(code).toBe(EXIT.conflict);
    expect(out.replace(/\s+/g, " ")).toMatch(/plan\/other-account\]?: the plan was made as ada@acme\.example/);
    expect(world.writes()).toEqual([]);
  });
});

test("a saved plan that is missing is an error", async () => {
  const { code, err } = await world.realmctl("apply --yes --plan other.plan");
  expect(code).toBe(EXIT.errors);
  expect(err).toContain("error[input/unreadable]");
  expect(world.writes()).toEqual([]);
});

describe("--checksum", () => {
  test("is printed when the plan is saved and when it is shown, and is in the file", async () => {
    const { err } = await world.realmctl("plan --out again.plan");
    const text = JSON.parse(world.read("again.plan"));
    const shown = await world.realmctl("show --checksum again.plan");
    expect(shown.out).toBe(`${text.extra.checksum}\n`);
    expect(err).toContain(`checksum ${text.extra.checksum}`);
  });

  test("is required: a plan that was replaced by another unedited one is refused", async () => {
    const { checksum } = plan().extra ?? {};
    world.file("realm.yaml", FILE.replace("News", "Other news"));
    await world.realmctl("plan --out realm.plan");
    const { code, err } = await world.realmctl(`apply realm.plan --yes --checksum ${String(checksum)}`);
    expect(code).toBe(EXIT.conflict);
    expect(err).toContain("error[plan-file/other-checksum]");
    expect(world.writes()).toEqual([]);
  });

  test("is given as a whole: its beginning is refused, and is not told to be that of another plan", async () => {
    const checksum = String(plan().extra?.checksum);
    const { code, err } = await world.realmctl(`apply realm.plan --yes --checksum ${checksum.slice(0, 12)}`);
    expect(code).toBe(EXIT.conflict);
    expect(err).toContain("--checksum has only the first 12 of 64 characters");
    expect(err).not.toContain("is not the plan that was reviewed");
    expect(world.writes()).toEqual([]);
  });
});

test("a new object may have the id of a channel that changes: each kind has its own ids", async () => {
  world.file(
    "realm.yaml",
    `version: 1
channel_folders: {Works: {description: Where things are made}}
channels:
  Zulip: {description: Questions}
  general: {description: Everybody}
  sandbox: {archived: true}
linkifiers:
  - {pattern: 'W-(?P<id>[0-9]+)', url_template: 'https://w.example.org/{id}'}
`,
  );
  expect((await world.realmctl("plan --out both.plan")).code).toBe(EXIT.done);
  expect(await world.realmctl("apply both.plan --yes")).toMatchObject({ code: EXIT.done, err: "" });
  expect((await world.realmctl("drift")).code).toBe(EXIT.done);
});
