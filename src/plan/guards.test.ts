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
  const two = "channels:\n  news: {archived: true}\n  general:\n    archived: true\n";

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
});

describe("what the account could not read is said beside the number", () => {
  const board = (count: number): Overlay => ({
    channels: Array.from({ length: count }, (_, index) => ({ name: `board${index}`, invite_only: true })),
    user_groups: [],
  });
  const letIn = (count: number): string =>
    `channels: {${Array.from({ length: count }, (_, index) => `board${index}: {permissions: {can_subscribe_group: role:administrators}}`).join(", ")}}\n`;
  const NOT_READ = "open invitations and links with higher roles were not read: who accepts one may come to read";

  test.each([
    [1, "#board0"],
    [5, "#board0, #board1, #board2, #board3 and #board4"],
    [7, "#board0, #board1, #board2, #board3 and #board4"],
  ])("invitations, for %i channels: named up to five, not counted, and nothing is asked", async (count, names) => {
    const [opened] = (await guards(letIn(count), {}, board(count))).filter(({ name }) => name === "opened");
    expect([opened && guardText(opened), opened?.fact.asks]).toEqual([
      `channels opened 0; ${NOT_READ} ${names}`,
      undefined,
    ]);
  });

  test("nothing is said of invitations that were read", async () => {
    const found = await guards(letIn(1), {}, { ...board(1), invites: [], links: [] });
    expect(found.map(({ name }) => name)).not.toContain("opened");
  });

  test("channels that an account does not see, which is no administrator", async () => {
    const crew = { name: "crew", members: [], can_manage_group: "role:moderators" };
    const overlay: Overlay = { account: "chiara@acme.example", user_groups: [crew], invites: [] };
    const found = await guards("user_groups: {crew: {members: [elif@acme.example]}}\n", {}, overlay);
    const [gaining] = found.filter(({ name }) => name === "people_gaining_access");
    expect(gaining && guardText(gaining)).toMatch(/^people gaining .* 1 \(crew\); this account is no administrator/);
  });
});
