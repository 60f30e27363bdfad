import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { guards, hits } from "../../test/support/guards.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import { guardsOf } from "./guards.ts";

describe("owners", () => {
  const KOFI = "people:\n  kofi@acme.example: ";
  const ADA = "people:\n  ada@acme.example: ";
  const alone: Overlay = { users: { "kofi@acme.example": { is_active: false } } };
  const OWN_ROLE =
    "lockout | Ada Okafor, the account that runs this, becomes administrator, and cannot become owner again by itself | 3";
  const fewer = (person: string): string =>
    `min_owners | 1 owner left, at least 2 required: removing ${person} is one too many | 3`;
  // Ada, who runs the plan, and Kofi are owners.
  test.each<{ what: string; yaml: string; least?: number; live?: Overlay; found: readonly string[] }>([
    { what: "one of two owners is demoted", yaml: `${KOFI}{role: member}\n`, found: [] },
    {
      what: "one of two owners is demoted, and two must be left",
      yaml: `${KOFI}{role: member}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
    {
      what: "one of two owners is deactivated",
      yaml: `${KOFI}{deactivated: true}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
    {
      what: "one owner is removed and another one is added",
      yaml: `${KOFI}{deactivated: true}\n  ben@acme.example: {role: owner}\n`,
      least: 2,
      found: [],
    },
    {
      what: "an owner who is demoted and deactivated counts once",
      yaml: `${KOFI}{role: member, deactivated: true}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
    {
      what: "no owner is removed, although too few are left",
      yaml: "people:\n  elif@acme.example: {role: guest}\n",
      least: 5,
      found: [],
    },
    { what: "the running account, one of two owners", yaml: `${ADA}{role: administrator}\n`, found: [OWN_ROLE] },
    {
      what: "the running account, one of two owners, and two must be left",
      yaml: `${ADA}{role: administrator}\n`,
      least: 2,
      found: [OWN_ROLE, fewer("ada@acme.example")],
    },
    {
      what: "the running account, the last active owner: a deactivated owner does not count",
      yaml: `${ADA}{role: administrator}\n`,
      live: alone,
      found: [OWN_ROLE, "last_owner | no owner is left: ada@acme.example is the last | 3"],
    },
    {
      what: "a deactivated owner is demoted, and too few are left all the same",
      yaml: `${KOFI}{role: member}\n  ben@acme.example: {role: owner}\n`,
      live: alone,
      least: 3,
      found: [],
    },
    {
      what: "the last owner who is a person: a bot does not count",
      yaml: `${KOFI}{role: member}\nbots:\n  deploy-bot: {role: owner}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
  ])("$what", async ({ yaml, least, live = {}, found }) => {
    const policy = least === undefined ? {} : { minOwners: { least } };
    expect(await hits(yaml, policy, live)).toEqual(found);
  });

  test.each([{ owners: 3 }, { owners: 4 }])(
    "of $owners owners all but one are demoted: the last of them is one too many",
    async ({ owners }) => {
      const base = realmOf({});
      const made = base.users.filter(({ role, is_bot, is_active }) => role > 100 && !is_bot && is_active);
      const more = new Set(made.slice(0, owners - 2).map(({ user_id }) => user_id));
      const users = base.users.map((user) => (more.has(user.user_id) ? { ...user, role: 100 as const } : user));
      const snapshot = { ...base, users };
      const demoted = users.filter(
        ({ role, user_id, is_active }) => role === 100 && is_active && user_id !== base.account.user_id,
      );
      const lines = demoted.map(({ delivery_email }) => `  ${delivery_email}: {role: member}\n`);
      const plan = must(await planText(`version: 1\npeople:\n${lines.join("")}`, snapshot));
      const policies = [{ limits: {}, protect: [], minOwners: { least: 2 } }];
      const found = guardsOf({ plan, snapshot, kinds, policies, allow: [] }).find(({ name }) => name === "min_owners");
      const last = plan.changes.at(-1);
      expect(plan.changes).toHaveLength(owners - 1);
      expect(found).toMatchObject({
        violated: true,
        at: { line: last?.at?.line },
        fact: { about: { over: { address: last?.address } } },
      });
    },
  );

  test("of several policies the strictest applies, the first of equal ones, and the message gives its place", async () => {
    const snapshot = realmOf({});
    const plan = must(await planText(`version: 1\n${KOFI}{role: member}\n`, snapshot));
    const at = { file: "policy.yaml", line: 2, column: 1, endLine: 2, endColumn: 2, offset: 0, length: 1 };
    const policies = [{ least: 1 }, { least: 2, at }, { least: 2, at: { ...at, line: 9 } }, { least: 1 }].map(
      (minOwners) => ({
        limits: {},
        protect: [],
        minOwners,
      }),
    );
    const violated = guardsOf({ plan, snapshot, kinds, policies, allow: [] }).filter((guard) => guard.violated);
    expect(violated).toMatchObject([{ name: "min_owners", rule: at }]);
  });

  test.each([
    { yaml: `${KOFI}{role: member}\n`, live: {}, least: 2, allow: "min_owners", left: [] },
    { yaml: `${ADA}{role: administrator}\n`, live: alone, least: 1, allow: "last_owner", left: ["last_owner"] },
    { yaml: `${ADA}{role: administrator}\n`, live: alone, least: 1, allow: "min_owners", left: ["last_owner"] },
  ])("--allow $allow leaves $left", async ({ yaml, live, least, allow, left }) => {
    const found = await guards(yaml, { minOwners: { least }, lockout: "allow" }, live, [allow]);
    expect(found.filter(({ violated }) => violated).map(({ name }) => name)).toEqual(left);
  });
});

describe("demotions", () => {
  test.each<{ what: string; yaml: string; count: number; over?: string }>([
    {
      what: "a lower role",
      yaml: "people:\n  ben@acme.example: {role: moderator}\n",
      count: 1,
      over: "ben@acme.example",
    },
    { what: "a higher role is not a demotion", yaml: "people:\n  elif@acme.example: {role: moderator}\n", count: 0 },
    { what: "a bot's lower role", yaml: "bots:\n  ci-bot: {role: guest}\n", count: 1, over: "ci-bot" },
    {
      what: "people and bots together",
      yaml: "people:\n  elif@acme.example: {role: guest}\n  farah@acme.example: {role: guest}\nbots:\n  ci-bot: {role: guest}\n",
      count: 3,
      over: "elif@acme.example",
    },
    {
      what: "a deactivation is a removal, not a demotion",
      yaml: "people:\n  elif@acme.example: {deactivated: true}\n",
      count: 0,
    },
    {
      what: "a lower role and a deactivation",
      yaml: "people:\n  elif@acme.example: {role: guest, deactivated: true}\n",
      count: 1,
      over: "elif@acme.example",
    },
  ])("$what", async ({ yaml, count, over }) => {
    const limit = (name: string, most: number) => hits(yaml, { limits: { [name]: { most } } }, {});
    expect(await limit("demotions", count)).toEqual([]);
    if (over === undefined) return expect(await limit("demotions", 0)).toEqual([]);
    expect(await limit("demotions", 0)).toEqual([
      expect.stringMatching(
        new RegExp(`^demotions \\| demotions: ${count}, but none is allowed \\(${over} is one too many\\) \\| \\d+$`),
      ),
    ]);
    expect(await limit("demotions", count - 1)).toHaveLength(1);
    const section = yaml.startsWith("people") ? "people" : "bots";
    expect((await limit(`${section}.demotions`, 0)).join()).toContain(
      `${section}.demotions | demotions in ${section}: `,
    );
    expect((await limit("demotions_percent", 0)).join()).toContain("demotions_percent | demotions");
    expect(await limit("channels.demotions", 0)).toEqual([]);
  });

  test("without a limit, ten demotions are allowed, and an eleventh is not", async () => {
    const ten = `people:
  ben@acme.example: {role: member}
  chiara@acme.example: {role: member}
  dmitri@acme.example: {role: guest}
  elif@acme.example: {role: guest}
  farah@acme.example: {role: guest}
  gustavo@acme.example: {role: guest}
  hana@acme.example: {role: guest}
bots:
  deploy-bot: {role: guest}
  ci-bot: {role: guest}
  hook-bot: {role: guest}
`;
    expect(await hits(ten)).toEqual([]);
    expect(await hits(`${ten}`.replace("people:\n", "people:\n  kofi@acme.example: {role: member}\n"))).toEqual([
      expect.stringMatching(/^demotions \| demotions: 11, but at most 10 are allowed \(/),
    ]);
  });
});
