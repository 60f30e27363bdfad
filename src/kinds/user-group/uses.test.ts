import { expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import { planAgainst } from "../../../test/support/world.ts";
import type { Snapshot } from "../../model/snapshot.ts";

const STAFF = 30;
const base = realmOf({ channels: [{ name: "plans" }], user_groups: [{ name: "staff" }, { name: "board" }] });

test.each<{ where: string; more: Partial<Snapshot>; use: object }>([
  {
    where: "a channel",
    more: { channels: base.channels.map((channel) => ({ ...channel, can_juggle_group: STAFF })) },
    use: { field: "can_juggle_group", object: { address: "channel:plans", name: "plans" } },
  },
  {
    where: "another group",
    more: {
      user_groups: base.user_groups.map((group) => ({
        ...group,
        ...(group.name === "board" && { can_juggle_group: { direct_members: [], direct_subgroups: [STAFF] } }),
      })),
    },
    use: { field: "can_juggle_group", object: { address: "user_group:board", name: "board" } },
  },
  ...["can_juggle_group", "can_juggle_groups"].map((field) => ({
    where: `${field} of the organization`,
    more: { settings: { ...base.settings, [field]: STAFF } },
    use: { field },
  })),
])("a group is in use by a setting of a newer server, which no file can have: $where", async ({ more, use }) => {
  const yaml = "version: 1\nuser_groups: {staff: {deactivated: true}}\n";
  const plan = await planAgainst(yaml, { ...base, ...more });
  const found = (plan.ok ? plan.warnings : plan.diagnostics).filter(({ code }) => code === "user_groups/in-use");
  expect(found.map(({ fact }) => fact)).toEqual([{ name: { quoted: "staff", of: "user_group" }, uses: [use] }]);
});
