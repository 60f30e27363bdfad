import { describe, expect, test } from "vitest";
import { testRules } from "../../src/workflow/rules.ts";
import { realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

/** A rule that forbids reading forbids what leads to it: joining a group that the channel admits, and subscribing while the channel is archived. */
const VAULT = { name: "vault", invite_only: true, can_subscribe_group: "staff" };

async function brokenIn(overlay: object, rule: object): Promise<readonly string[]> {
  const text = JSON.stringify({ version: 1, tests: [{ name: "x", ...rule }] });
  const snapshot = realmOf({ subscribers: { vault: ["ada@acme.example"] }, ...overlay });
  const { outcomes } = must(
    await testRules(
      { file: "realm.test.yaml", readFile: async () => text },
      { what: "reading", reader: { snapshot: async () => snapshot } },
    ),
  );
  return outcomes.flatMap(({ violations }) =>
    violations.flatMap((violation) =>
      "id" in violation
        ? [
            `${violation.id} ${violation.paths.map((path) => ("groups" in path ? path.groups.join(",") : path.via)).join()}`,
          ]
        : [`${violation.kind} ${"found" in violation ? violation.found : ""}`],
    ),
  );
}

const staff = (settings: object) => [{ name: "staff", members: ["ada@acme.example"], subgroups: [], ...settings }];
/** Dmitri is a member. */
const DMITRI = { who: ["dmitri@acme.example"], cannot: { read: "vault" } };

describe("a rule that a member never reads a private channel", () => {
  test.each([
    ["holds if nobody may join the group", {}, {}, []],
    ["is broken if members may join it", { can_join_group: "role:members" }, {}, ["9 staff"]],
    ["is broken if the member may add people to it", { can_add_members_group: "role:members" }, {}, ["9 staff"]],
    ["is broken if the member manages it", { can_manage_group: "role:members" }, {}, ["9 staff"]],
    ["is broken if members manage all groups", {}, { can_manage_all_groups: 14 }, ["9 staff"]],
    ["holds if only administrators manage it", { can_manage_group: "role:administrators" }, {}, []],
  ])("%s", async (_, group, settings, broken) => {
    const overlay = {
      channels: [VAULT],
      user_groups: staff(group),
      settings: { can_manage_all_groups: 10, ...settings },
    };
    expect(await brokenIn(overlay, DMITRI)).toEqual(broken);
  });

  test("is broken if two steps lead into the channel", async () => {
    const overlay = {
      channels: [VAULT],
      user_groups: [
        { name: "crew", members: [], subgroups: [], can_join_group: "role:members" },
        { name: "staff", members: [], subgroups: [], can_join_group: "crew" },
      ],
      settings: { can_manage_all_groups: 10 },
    };
    expect(await brokenIn(overlay, DMITRI)).toEqual(["9 staff"]);
  });

  test("is broken by an archived channel to which the member may subscribe", async () => {
    const overlay = { channels: [{ ...VAULT, can_subscribe_group: "role:members", is_archived: true }] };
    expect(await brokenIn(overlay, DMITRI)).toEqual(["9 role:members"]);
  });
});

test("administrators may put themselves into every group: no rule is broken by that, and each setting that names them counts", async () => {
  const rule = { objects: "vault", rights: { read: { only: ["ada@acme.example", "staff"] } } };
  const overlay = { user_groups: staff({}), settings: { can_manage_all_groups: 11 } };
  expect(await brokenIn({ ...overlay, channels: [VAULT] }, rule)).toEqual([]);
  const named = { ...VAULT, can_subscribe_group: "role:administrators" };
  expect(await brokenIn({ ...overlay, channels: [named] }, rule)).not.toEqual([]);
});

test("who may join is not demanded to read, counts for at_most, and does not count for at_least", async () => {
  const overlay = {
    channels: [VAULT],
    user_groups: staff({ can_join_group: "role:members" }),
    settings: { can_manage_all_groups: 10 },
  };
  const right = (read: object) => ({ objects: "vault", rights: { read } });
  expect(await brokenIn(overlay, right({ allow: ["dmitri@acme.example"] }))).toEqual(["9 "]);
  expect(await brokenIn(overlay, right({ at_least: 2 }))).toEqual(["too-few 1"]);
  expect((await brokenIn(overlay, right({ at_most: 1 }))).join()).toMatch(/^too-many \d+$/);
});
