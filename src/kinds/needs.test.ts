import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { must, planAgainst } from "../../test/support/world.ts";

test.each([
  {
    about: "a subgroup is created before the group that contains it",
    yaml: "user_groups:\n  a: {subgroups: [b]}\n  b: {subgroups: [c]}\n  c: {description: Last}\n",
    order: ["c", "b", "a"],
  },
  {
    about: "a group is created before the group whose setting names it",
    yaml: "user_groups:\n  a: {permissions: {can_manage_group: z}}\n  z: {description: Last}\n",
    order: ["z", "a"],
  },
])("$about", async ({ yaml, order }) => {
  const plan = must(await planAgainst(`version: 1\n${yaml}`, realmOf({ feature_level: 482 })));
  const creating = plan.calls.filter(({ operation, creates }) => creates.length > 0 && /group/.test(operation));
  expect(creating.flatMap(({ creates }) => creates)).toEqual(order.map((name) => `user_group:${name}`));
  // Not by chance: each waits for the one before.
  for (const [index, call] of creating.entries()) if (index > 0) expect(call.after).toContain(creating[index - 1]?.n);
});

test.each(["can_manage_group: retired", "can_mention_group: {groups: [retired, staff]}"])(
  "a group is reactivated before another group gets %s: this follows only from its needs, because no new id is involved",
  async (setting) => {
    const yaml = `version: 1\nuser_groups:\n  staff: {permissions: {${setting}}}\n  fresh: {permissions: {${setting}}}\n  retired: {deactivated: false}\n`;
    const plan = must(await planAgainst(yaml.replaceAll("staff]", "leads]"), realmOf({ feature_level: 482 })));
    const back = plan.calls.find((call) => call.for.some(({ address }) => address === "user_group:retired"));
    for (const name of ["staff", "fresh"]) {
      const giving = plan.calls.find((call) =>
        [...call.creates, ...call.for.map(({ address }) => address)].includes(`user_group:${name}`),
      );
      expect(giving?.after, name).toContain(back?.n);
    }
  },
);

test.each([
  { about: "joins", groups: [{ name: "board" }, { name: "staff" }], item: "members: [ada@acme.example]" },
  { about: "creates", groups: [{ name: "board" }], item: "members: [ada@acme.example]" },
  {
    about: "joins through a subgroup",
    groups: [{ name: "board" }, { name: "staff" }],
    item: "subgroups: [role:owners]",
  },
])(
  "an invitation waits for the group that the account $about, if the plan gives that group the right to invite",
  async (row) => {
    // Before the plan, only the empty group has the right.
    const live = realmOf({
      feature_level: 482,
      user_groups: [...row.groups],
      settings: { can_invite_users_group: 30 },
      invites: [],
    });
    const right = "settings: {permissions: {can_invite_users_group: staff}}";
    const invite = "invites:\n  - {emails: [new@acme.example], send_until: '2026-12-20'}";
    const plan = must(
      await planAgainst(`version: 1\n${right}\nuser_groups:\n  staff: {${row.item}}\n${invite}\n`, live),
    );
    const numberOf = (name: RegExp) => plan.calls.find(({ operation }) => name.test(operation))?.n;
    const sending = plan.calls.find(({ operation }) => operation === "send-invites");
    expect(sending?.after).toEqual(expect.arrayContaining([numberOf(/user-group/), numberOf(/^update-realm$/)]));
  },
);
