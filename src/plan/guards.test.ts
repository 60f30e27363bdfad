import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { channels, guards, hits } from "../../test/support/guards.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { GuardPolicy } from "../model/policy.ts";
import { guardText } from "../report/words/guards.ts";
import { guardsOf } from "./guards.ts";

describe("limits", () => {
  test("are listed if none is violated", async () => {
    const found = await guards("channels:\n  news: {archived: true}\n");
    expect(found.map(guardText)).toEqual([
      "removals 1 of 10",
      "people losing access 0 of 50",
      "e-mails 0 of 50",
      "irreversible steps 0",
      "nobody is locked out",
    ]);
    expect(found.filter(({ violated }) => violated)).toEqual([]);
  });

  const two = "channels:\n  news: {archived: true}\n  general:\n    archived: true\n";
  const hide = "channels:\n  news: {privacy: private_shared_history, permissions: {can_subscribe_group: leads}}\n";
  test.each([
    { limits: { removals: { most: 2 } }, yaml: two, found: [] },
    {
      limits: { removals: { most: 1 } },
      yaml: two,
      found: ["removals | removals: 2, but at most 1 is allowed (#general is one too many) | 5"],
    },
    {
      limits: { removals: { most: 0 } },
      yaml: two,
      found: ["removals | removals: 2, but none is allowed (#news is one too many) | 3"],
    },
    {
      limits: { "channels.removals_percent": { most: 25 } },
      yaml: two,
      found: [
        "channels.removals_percent | removals in channels: 2, but at most 1 (25 % of 4) is allowed (#general is one too many) | 5",
      ],
    },
    { limits: { "channels.removals_percent": { most: 50 } }, yaml: two, found: [] },
    {
      // Of four objects, 1.6 is rounded down to one: otherwise the limit would allow more than it says.
      limits: { "channels.removals_percent": { most: 40 } },
      yaml: two,
      found: [
        "channels.removals_percent | removals in channels: 2, but at most 1 (40 % of 4) is allowed (#general is one too many) | 5",
      ],
    },
    { limits: { "user_groups.removals": { most: 0 } }, yaml: two, found: [] },
    {
      limits: { changes: { most: 1 } },
      yaml: two,
      found: ["changes | changes: 2, but at most 1 is allowed (#general is one too many) | 4"],
    },
    {
      limits: { irreversible: { most: 0 } },
      yaml: "channels:\n  news: {message_retention_days: 30}\n",
      found: ["irreversible | irreversible steps: 1, but none is allowed (#news is one too many) | 3"],
    },
  ])("$limits", async ({ limits, yaml, found }) => expect(await hits(yaml, { limits })).toEqual(found));

  test("everybody who can no longer read counts once", async () => {
    const found = await guards(hide, { limits: { people_losing_access: { most: 3 } }, lockout: "allow" });
    const guard = found.find(({ name }) => name === "people_losing_access");
    expect(guard).toMatchObject({ violated: true, at: { line: 3 } });
    expect(guard && guardText(guard)).toMatch(
      /^people losing access: \d+, but at most 3 are allowed \(#news is one too many\)$/,
    );
  });

  test("a group that loses a member closes the channels that it opened", async () => {
    const overlay: Overlay = {
      channels: [{ name: "ops", invite_only: true, can_subscribe_group: 32 }],
      subscribers: { ops: ["ada@acme.example"] },
    };
    const yaml = "user_groups:\n  leads: {members: [ben@acme.example]}\n";
    expect(await hits(yaml, { limits: { "channels.people_losing_access": { most: 0 } } }, overlay)).toEqual([
      "channels.people_losing_access | people losing access in channels: 1, but none is allowed (#ops is one too many) | undefined",
    ]);
  });

  test("of several policies the lowest limit applies, and each has the defaults for its missing limits", async () => {
    const snapshot = realmOf({ channels });
    const plan = must(await planText(`version: 1\n${two}`, snapshot));
    const loose = { limits: { removals: { most: 1000 } }, protect: [] };
    const strict = { limits: { removals: { most: 1 } }, protect: [] };
    const limitsOf = (policies: readonly GuardPolicy[]) =>
      guardsOf({ plan, snapshot, kinds, policies, allow: [] }).map(guardText)[0];
    expect(limitsOf([loose, strict])).toContain(": 2, but at most 1 is allowed");
    expect(limitsOf([loose, { limits: {}, protect: [] }])).toBe("removals 2 of 10");
  });

  test("--allow allows one guard and says so", async () => {
    const found = await guards(two, { limits: { removals: { most: 1 } } }, { channels }, ["removals"]);
    expect(found[0]?.violated).toBe(false);
    expect(found.map(guardText)[0]).toContain("allowed with --allow removals");
  });
});

describe("protection", () => {
  const protect = [{ pattern: "channel:security-*" }, { pattern: "channels:general" }];
  test.each([
    ["a new description", "channels:\n  general: {description: New}\n", ["protect:channels:general"]],
    ["a new name", "channels:\n  public: {was: general}\n", ["protect:channels:general"]],
    [
      "missing from the file, under exact",
      "manage: {channels: exact}\nchannels: {general: {}, news: {}, security-one: {}}\n",
      ["protect:channel:security-*"],
    ],
    ["another object", "channels:\n  news: {description: New}\n", []],
    ["a new object with such a name", "channels:\n  security-three: {}\n", []],
  ])("%s", async (_, yaml, names) => {
    const found = await guards(yaml, { protect });
    expect(found.filter(({ violated }) => violated).map(({ name }) => name)).toEqual(names);
  });

  test("protected objects without a change are listed, and so are names that match nothing", async () => {
    const found = await guards("channels: {}\n", {
      protect: [...protect, { pattern: "channel:nosuch" }, { pattern: "channel:genral" }],
    });
    expect(found.filter(({ name }) => name === "protect").map(guardText)).toEqual([
      'protected: channel:security-*, channels:general, channel:nosuch (none there), channel:genral (none there: did you mean "general"?) untouched',
    ]);
  });
});

describe("lock-outs", () => {
  const overlay: Overlay = { channels: [{ name: "ops", invite_only: true }], subscribers: { ops: [] } };
  test("a private channel whose only group is emptied", async () => {
    const live: Overlay = {
      channels: [{ name: "ops", invite_only: true, can_subscribe_group: 32 }],
      subscribers: { ops: [] },
    };
    const yaml = "user_groups:\n  leads: {members: []}\n";
    expect(await hits(yaml, {}, live)).toEqual(["lockout | nobody can reach #ops afterwards | undefined"]);
    expect(await hits(yaml, { lockout: "allow" }, live)).toEqual([]);
  });
  test.each([
    {
      what: "through the setting",
      yaml: "user_groups:\n  crew: {permissions: {can_manage_group: role:nobody}}\n",
      line: 3,
    },
    {
      what: "by leaving the group that the setting names",
      yaml: "user_groups:\n  crew: {members: [ben@acme.example]}\n",
      line: 3,
    },
  ])("the account gives away its right to manage a group: $what", async ({ yaml, line }) => {
    const live: Overlay = {
      account: "dmitri@acme.example",
      settings: { can_manage_all_groups: 10 },
      user_groups: [{ name: "crew", members: ["ben@acme.example", "dmitri@acme.example"], can_manage_group: 30 }],
    };
    const text = "lockout | Dmitri Volkov, the account that runs this, no longer manages crew afterwards | ";
    expect(await hits(yaml, {}, live)).toEqual([`${text}${line}`]);
    expect(await hits(yaml, { lockout: "allow" }, live)).toEqual([]);
    // The change is no lock-out: everybody who manages all groups can undo it.
    expect(await hits(yaml, {}, { ...live, settings: { can_manage_all_groups: 14 } })).toEqual([]);
  });
  test("a channel that nobody could reach before is not a lock-out of the plan", async () => {
    const found = await guards("user_groups:\n  leads: {description: New}\n", {}, overlay);
    expect(found.filter(({ violated }) => violated)).toEqual([]);
  });
});
