// Whoever owns a bot that administers the organization gives themselves its role, and then has what the role opens, also where bots are not let in (below level 496).
import { describe, expect, test } from "vitest";
import { holdersOf } from "../../src/access/grants.ts";
import { statesOf } from "../../src/access/of-plan.ts";
import type { Target } from "../../src/access/sources.ts";
import { Realm } from "../../src/model/realm.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst } from "../support/world.ts";

const DMITRI = 9;
const CHIARA = 8;
/** ci-bot is Dmitri's, a member. */
const CI_BOT = 18;

async function planned(level: number, yaml: string) {
  const snapshot = realmOf({
    feature_level: level,
    users: { "ci-bot@localhost": { bot_owner_id: DMITRI } },
    channels: [{ name: "vault", invite_only: true, can_subscribe_group: "keepers" }],
    subscribers: { vault: ["ada@acme.example"] },
    user_groups: [
      { name: "keepers", members: ["ada@acme.example"], subgroups: [], can_manage_group: "role:administrators" },
    ],
    settings: { can_manage_all_groups: 10, can_invite_users_group: 11 },
  });
  const plan = must(await planAgainst(yaml, snapshot));
  return statesOf(plan.changes, new Realm(snapshot));
}

describe.each([442, 500])("at level %i, a bot becomes an administrator", (level) => {
  test.each([
    ["of its owner", "{role: administrator}", [DMITRI]],
    // Whoever owned it has its key.
    ["and gets a new owner", "{role: administrator, owner: chiara@acme.example}", [CHIARA, DMITRI]],
  ])("%s, who gains what the role opens: groups, and the channels that these open", async (_, fields, owners) => {
    const { after, difference } = await planned(level, `version: 1\nbots: {ci-bot: ${fields}}\n`);
    const gains = (target: Target | undefined, right: string): readonly number[] => {
      const pair = difference.pairOf(target);
      return pair === undefined ? [] : [...difference.of(pair, right).gained].filter((id) => id !== CI_BOT);
    };
    expect([...difference.administrators().gained]).toEqual(expect.arrayContaining(owners));
    expect(gains(after.group("keepers"), "can_manage_group")).toEqual(owners);
    expect(gains("organization", "can_invite_users_group")).toEqual(owners);
    expect([...difference.joining("vault").gained]).toEqual(owners);
  });
});

test("an incoming webhook promotes nobody, and neither does a moderator", async () => {
  for (const change of ["hook-bot: {role: administrator, owner: dmitri@acme.example}", "ci-bot: {role: moderator}"]) {
    const { after } = await planned(442, `version: 1\nbots: {${change}}\n`);
    expect(after.promoted).toBeUndefined();
    const group = after.group("keepers");
    expect(group && holdersOf(after, group, "can_manage_group")?.people.has(DMITRI)).toBe(false);
  }
});
