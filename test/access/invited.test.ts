import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { guardsOf } from "../../src/plan/guards.ts";
import { guardText } from "../../src/report/words/guards.ts";
import type { Overlay } from "../support/realm.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst } from "../support/world.ts";

/** What guards say of people who join by invitations and links. */
async function guardsFor(overlay: Overlay, yaml: string, policies: Parameters<typeof guardsOf>[0]["policies"] = []) {
  const snapshot = realmOf({ subscribers: { vault: ["ada@acme.example"] }, ...overlay });
  const plan = must(await planAgainst(`version: 1\n${yaml}`, snapshot));
  return guardsOf({ plan, snapshot, kinds, policies, allow: [] });
}
const vault = (more: object) => ({ name: "vault", invite_only: true, ...more });
const link = (terms: string) => `invite_links: [{invite_as: ${terms}, expires_on: never}]\n`;

describe("a link to what full members read", () => {
  const invited = async (days: number, terms: string, more: object = {}) => {
    const guards = await guardsFor(
      {
        channels: [vault({ can_subscribe_group: "role:fullmembers" })],
        settings: { waiting_period_threshold: days },
        invites: [],
        ...more,
      },
      link(terms),
    );
    return guards.some(({ name, fact }) => name === "people_gaining_access" && fact.asks === true);
  };

  test.each([
    // A moderator is a full member at once; a member waits (zulip-api.md §12.1).
    ["moderator", 7, true],
    ["administrator", 7, true],
    ["owner", 7, true],
    ["member", 7, false],
    ["guest", 7, false],
    // Without a waiting period, everybody who joins reads it at once.
    ["moderator", 0, false],
    ["member", 0, false],
  ])("as %s, with a waiting period of %i days, counts: %s", async (role, days, counts) =>
    expect(await invited(days, role)).toBe(counts),
  );

  test("as a member in a group that reads it at once counts, too", async () => {
    const group = { name: "leads", members: [], subgroups: [] };
    const channels = [vault({ can_subscribe_group: "role:fullmembers", can_add_subscribers_group: "leads" })];
    const more = { channels, user_groups: [group] };
    expect(await invited(7, "member, groups: [leads]", more)).toBe(true);
    expect(await invited(0, "member, groups: [leads]", more)).toBe(false);
  });
});

describe("a channel is opened to moderators, of whom none gains it", () => {
  const opened = (invites: Overlay["invites"], links: Overlay["links"] = [], more: Overlay = {}) =>
    guardsFor(
      {
        channels: [vault({})],
        subscribers: { vault: ["ada@acme.example", "ben@acme.example", "chiara@acme.example", "kofi@acme.example"] },
        ...(invites === undefined ? {} : { invites }),
        links,
        ...more,
      },
      "channels: {vault: {permissions: {can_subscribe_group: role:moderators}}}\n",
    );
  const openedOf = (guards: Awaited<ReturnType<typeof opened>>) => guards.find(({ name }) => name === "opened");

  test("without a reading of invitations, the guard says that they were not read", async () => {
    const guard = openedOf(await opened(undefined));
    expect(guard && guardText(guard)).toBe(
      "channels opened 0; open invitations and links with higher roles were not read: who accepts one may come to read #vault",
    );
    expect(guard?.fact.asks).toBeUndefined();
  });

  test("with one, it counts those that are open, and says nothing if there are none", async () => {
    expect(openedOf(await opened([]))).toBeUndefined();
    const guard = openedOf(await opened([], [{ invited_as: 300 }]));
    expect(guard?.fact).toMatchObject({ asks: true, about: { amount: 1 } });
    expect(guard && guardText(guard)).not.toContain("not read");
  });

  test("a limit says it, too", async () => {
    const [policy] = [{ limits: { opened: { most: 3 } }, protect: [] }];
    const guards = await guardsFor(
      { channels: [vault({})], subscribers: { vault: ["ada@acme.example"] } },
      "channels: {vault: {permissions: {can_subscribe_group: role:moderators}}}\n",
      [policy],
    );
    const guard = openedOf(guards);
    expect(guard && guardText(guard)).toContain("channels opened 0 of 3; open invitations and links");
  });

  test("what every member may do says nothing of invitations: it is counted for everybody who joins", async () => {
    const guards = await guardsFor(
      { channels: [vault({})] },
      "channels: {vault: {permissions: {can_subscribe_group: role:members}}}\n",
    );
    expect(openedOf(guards)?.fact).toMatchObject({ asks: true, about: { amount: 1 } });
    expect(openedOf(guards)?.fact.about).not.toHaveProperty("unread");
  });
});
