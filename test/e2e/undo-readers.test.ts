import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { vault } from "./reproductions.ts";
import { type World, worldOfTest } from "./world.ts";

const DMITRI = "dmitri@acme.example";
const ELIF = "elif@acme.example";

const channel = (fields: string): string => `version: 1\nchannels: {vault: {${fields}}}\n`;

test.each([
  { how: "by its privacy", yaml: channel("privacy: public"), isIn: true },
  { how: "by a setting", yaml: channel("permissions: {can_subscribe_group: role:members}"), isIn: true },
  { how: "and nobody came in", yaml: channel("privacy: public"), isIn: false },
])(
  "the undo of a run that opened a private channel $how names who came in by it, and stays",
  async ({ yaml, isIn }) => {
    const world = await worldOfTest();
    await vault(world);
    world.file("realm.yaml", yaml);
    const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access");
    expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
    const [journal = ""] = world.journals();
    if (isIn)
      await world.edit("ben@acme.example", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "vault" }] });
    const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
    const said = undone.err.replaceAll(/\s+/g, " ");
    const names =
      "Not undone: #vault keeps subscribers who came in since the run and would still read it: Ben Lindqvist.";
    if (isIn) expect(said).toContain(names);
    else expect(said).not.toContain("Not undone");
    expect(undone.code, undone.err + undone.out).toBe(isIn ? EXIT.appliedInPart : EXIT.done);
  },
);

/** What the run opens; it lets Ben put himself into a group, and the channel admits the group or one around it. */
const OPENED: readonly {
  readonly how: string;
  readonly opens: string;
  readonly joins: string;
  readonly subscribes?: true;
  readonly isHarmless?: true;
  /** The sandbox serves no registration: the owner does what the link or the invitation does. */
  readonly isLetIn?: true;
}[] = [
  ...["can_join_group", "can_add_members_group", "can_manage_group"].map((setting) => ({
    how: setting,
    opens: `user_groups: {crew: {permissions: {${setting}: role:members}}}`,
    joins: "crew",
  })),
  {
    how: "can_manage_all_groups",
    opens: "settings: {permissions: {can_manage_all_groups: role:members}}",
    joins: "crew",
  },
  {
    how: "can_join_group of a group in it",
    opens: "user_groups: {leads: {permissions: {can_join_group: role:members}}}",
    joins: "leads",
  },
  {
    how: "can_join_group, and he subscribed, too",
    opens: "user_groups: {crew: {permissions: {can_join_group: role:members}}}",
    joins: "crew",
    subscribes: true,
  },
  {
    how: "an open link with the group",
    opens: "invite_links: [{expires_on: never, invite_as: member, groups: [crew]}]",
    joins: "crew",
    isLetIn: true,
  },
  {
    how: "an invitation with a group in it",
    opens: "invites: [{emails: [newcomer@acme.example], groups: [leads], send_until: 2099-01-01}]",
    joins: "leads",
    isLetIn: true,
  },
  {
    how: "can_join_group of a group that the channel does not admit",
    opens: "user_groups: {walkers: {permissions: {can_join_group: role:members}}}",
    joins: "walkers",
    isHarmless: true,
  },
];

/** Groups that only owners change. */
function closedGroupsOf(world: World) {
  const nobody = world.group("role:nobody");
  const closed = { can_join_group: nobody, can_add_members_group: nobody, can_manage_group: nobody };
  return (name: string, more: object = {}) => world.createGroup(name, { ...closed, ...more });
}

test.each(OPENED)(
  "the undo of a run that let people into a group that a private channel admits ($how) names who came into the group",
  async ({ opens, joins, subscribes = false, isHarmless = false, isLetIn = false }) => {
    const world = await worldOfTest();
    const group = closedGroupsOf(world);
    await group("leads");
    await group("walkers");
    await group("crew", { subgroups: [world.group("leads")] });
    await vault(world, { can_subscribe_group: world.group("crew") });
    world.file("realm.yaml", `version: 1\n${opens}\n`);
    const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access");
    expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
    const [journal = ""] = world.journals();
    const ben = "ben@acme.example";
    const add = { add: [world.person(ben)] };
    await world.edit(isLetIn ? "owner" : ben, "POST", `/user_groups/${world.group(joins)}/members`, add);
    if (subscribes) await world.edit(ben, "POST", "/users/me/subscriptions", { subscriptions: [{ name: "vault" }] });
    const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
    const said = undone.err.replaceAll(/\s+/g, " ");
    if (isHarmless) expect(said).not.toContain("Not undone");
    else
      expect(said).toContain(
        `#vault is still open to people who could not read it before the run: Ben Lindqvist (by ${joins}). Take out of the group or the permission, by hand, whoever must not`,
      );
    if (subscribes) expect(said).toContain("#vault keeps subscribers who came in since the run");
    expect(undone.code, undone.err + undone.out).toBe(isHarmless ? EXIT.done : EXIT.appliedInPart);
  },
);

/** Somebody uses what the run gave them, and makes a door for Dmitri that the run itself did not open. */
const STEPS: readonly {
  readonly how: string;
  readonly opens: string;
  readonly said: string;
  step(world: World): Promise<void>;
}[] = [
  {
    how: "came into a group by which he can join one that the channel admits",
    opens: "user_groups: {crew: {permissions: {can_join_group: role:members}}}",
    step: (world) =>
      world.edit(DMITRI, "POST", `/user_groups/${world.group("crew")}/members`, { add: [world.person(DMITRI)] }),
    said: "#vault is still open to people who could not read it before the run: Dmitri Volkov (by leads).",
  },
  {
    how: "was let in by an administrator of the channel",
    opens: "channels: {vault: {permissions: {can_administer_channel_group: role:members}}}",
    step: (world) =>
      world.edit(ELIF, "PATCH", `/streams/${world.channel("vault").stream_id}`, {
        can_subscribe_group: { new: { direct_members: [world.person(DMITRI)], direct_subgroups: [] } },
      }),
    said: "#vault is still open to people who could not read it before the run: Dmitri Volkov.",
  },
  {
    how: "came into a group that administers the channel",
    opens: "user_groups: {keepers: {permissions: {can_join_group: role:members}}}",
    step: (world) =>
      world.edit(DMITRI, "POST", `/user_groups/${world.group("keepers")}/members`, { add: [world.person(DMITRI)] }),
    said: "#vault is still administered by people who could not administer it before the run: Dmitri Volkov (by keepers).",
  },
  ...[
    { whose: "the organization's", opens: "settings: {permissions: {can_add_subscribers_group: role:members}}" },
    {
      whose: "the channel's",
      opens: `channels: {vault: {permissions: {can_add_subscribers_group: {users: [${ELIF}]}}}}`,
    },
  ].map(({ whose, opens }) => ({
    how: `was let in by somebody inside who got ${whose} right to add subscribers`,
    opens,
    step: (world: World) =>
      world.edit(ELIF, "POST", "/users/me/subscriptions", {
        subscriptions: [{ name: "vault" }],
        principals: [world.person(DMITRI)],
      }),
    said: "#vault keeps subscribers who came in since the run and would still read it: Dmitri Volkov.",
  })),
  {
    how: "was put into a group by somebody inside who got the right to add members",
    opens: `user_groups: {leads: {permissions: {can_add_members_group: {users: [${ELIF}]}}}}`,
    step: (world) =>
      world.edit(ELIF, "POST", `/user_groups/${world.group("leads")}/members`, { add: [world.person(DMITRI)] }),
    said: "#vault is still open to people who could not read it before the run: Dmitri Volkov (by leads).",
  },
];

test.each(STEPS)("the undo of a run names who $how", async ({ opens, said, step }) => {
  const world = await worldOfTest();
  const group = closedGroupsOf(world);
  await group("crew");
  await group("keepers");
  await group("leads", { can_manage_group: world.group("crew") });
  await vault(world, {
    can_subscribe_group: world.group("leads"),
    can_administer_channel_group: world.group("keepers"),
  });
  const owners = { new: world.group("role:owners"), old: world.group("role:members") };
  await world.edit("owner", "PATCH", "/realm", { can_add_subscribers_group: owners });
  // Who may administer a channel cannot open it without being in it.
  await world.subscribe("vault", { principals: [world.person(ELIF)] });
  world.file("realm.yaml", `version: 1\n${opens}\n`);
  const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access,administrators");
  expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
  const [journal = ""] = world.journals();
  await step(world);
  const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
  expect(undone.err.replaceAll(/\s+/g, " ")).toContain(said);
  expect(undone.code, undone.err + undone.out).toBe(EXIT.appliedInPart);
});

test.each([
  {
    how: "was put into the group",
    opens: `members: [${DMITRI}]`,
    said: "#vault keeps subscribers who came in since the run and would still read it: Dmitri Volkov.",
  },
  {
    how: "joined the group",
    opens: "permissions: {can_join_group: role:members}",
    joins: true,
    said: "#vault is still open to people who could not read it before the run: Dmitri Volkov (by walkers).",
  },
  { how: "was put into the group, and had been in the channel", opens: `members: [${DMITRI}]`, wasIn: true },
])("the undo of a run names who $how where a later run let the group in", async ({ opens, joins, wasIn, said }) => {
  const world = await worldOfTest();
  await closedGroupsOf(world)("walkers");
  await vault(world, wasIn === true ? { principals: [6, world.person(DMITRI)] } : {});
  const apply = async (yaml: string): Promise<string> => {
    world.file("realm.yaml", `version: 1\n${yaml}\n`);
    const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access,unlisted_subscribers");
    expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
    return world.journals()[0] ?? "";
  };
  const first = await apply(`user_groups: {walkers: {${opens}}}`);
  if (joins === true)
    await world.edit(DMITRI, "POST", `/user_groups/${world.group("walkers")}/members`, { add: [world.person(DMITRI)] });
  await apply("channels: {vault: {permissions: {can_subscribe_group: walkers}}}");
  await world.edit(DMITRI, "POST", "/users/me/subscriptions", { subscriptions: [{ name: "vault" }] });
  const undone = await world.realmctl(`apply --yes --allow people_losing_access --undo .realmctl/${first}`);
  if (said === undefined) expect(undone.err).not.toContain("Not undone");
  else expect(undone.err.replaceAll(/\s+/g, " ")).toContain(said);
  expect(undone.code, undone.err + undone.out).toBe(said === undefined ? EXIT.done : EXIT.appliedInPart);
});

test.each([
  { bot: "in a private channel", principals: [6, 18], isSeen: true },
  { bot: "in public channels only", principals: [6], isSeen: false },
])("the undo of a run that gave a bot ($bot) to somebody says who has its key", async ({ principals, isSeen }) => {
  const world = await worldOfTest();
  await vault(world, { principals });
  world.file("realm.yaml", "version: 1\nbots: {ci-bot: {owner: ben@acme.example}}\n");
  const applied = await world.realmctl("apply --yes --allow people_gaining_access");
  expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
  const [journal = ""] = world.journals();
  const undone = await world.realmctl(`apply --yes --allow people_gaining_access --undo .realmctl/${journal}`);
  const note =
    "ci-bot gets its owner back, but Ben Lindqvist has seen its key, and can use it until there is a new one (Settings > Bots)";
  const said = undone.err.replaceAll(/\s+/g, " ");
  if (isSeen) expect(said).toContain(note);
  else expect(said).not.toContain("Not undone");
  expect((undone.out + undone.err).replaceAll(/\s+/g, " ")).toContain("ben@acme.example has seen this key");
  expect(undone.code, undone.err + undone.out).toBe(isSeen ? EXIT.appliedInPart : EXIT.done);
});

test("the undo by an account that is no administrator names who came into a group that the run opened: an unseen channel may admit it", async () => {
  const world = await worldOfTest();
  const nobody = world.group("role:nobody");
  const manager = { direct_members: [world.person(DMITRI)], direct_subgroups: [] };
  await world.edit("owner", "POST", "/user_groups/create", {
    ...{ name: "crew", description: "", members: [6], can_join_group: nobody, can_add_members_group: nobody },
    can_manage_group: manager,
  });
  await vault(world, { can_subscribe_group: world.group("crew") });
  world.file("realm.yaml", "version: 1\nuser_groups: {crew: {permissions: {can_join_group: role:members}}}\n");
  const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access", { as: DMITRI });
  expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
  await world.edit(ELIF, "POST", `/user_groups/${world.group("crew")}/members`, { add: [world.person(ELIF)] });
  const undone = await world.realmctl("apply --yes --undo", { as: DMITRI });
  expect(undone.err.replaceAll(/\s+/g, " ")).toContain(
    "user group crew is still open to people who could not come into it before the run: Elif Demir.",
  );
  expect(undone.code, undone.err + undone.out).toBe(EXIT.appliedInPart);
});

test.each([
  {
    what: "a bot that reads a private channel",
    step: (world: World) =>
      world.edit(ELIF, "PATCH", `/bots/${world.person("ci-bot@localhost")}`, { bot_owner_id: world.person(ELIF) }),
    said: "bot ci-bot stays with Elif Demir, who has had it only since the run.",
  },
  {
    what: "a bot that reads nothing private",
    step: (world: World) =>
      world.edit(ELIF, "PATCH", `/bots/${world.person("deploy-bot@localhost")}`, { bot_owner_id: world.person(ELIF) }),
    said: undefined,
  },
  {
    what: "a link that makes administrators",
    step: (world: World) =>
      world.edit(ELIF, "POST", "/invites/multiuse", {
        invite_as: 200,
        invite_expires_in_minutes: null,
        stream_ids: [],
      }),
    said: "is open, and was made since the run began, by Elif Demir: whoever accepts joins as administrator",
  },
])("the undo of a run that made an administrator names what she took: $what", async ({ step, said }) => {
  const world = await worldOfTest();
  await vault(world, { principals: [6, 18] });
  world.file("realm.yaml", `version: 1\npeople: {${ELIF}: {role: administrator}}\n`);
  const applied = await world.realmctl("apply --yes --allow administrators,opened,people_gaining_access");
  expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
  await step(world);
  const undone = await world.realmctl("apply --yes --undo");
  if (said === undefined) expect(undone.err).not.toContain("Not undone");
  else expect(undone.err.replaceAll(/\s+/g, " ")).toContain(said);
  expect(undone.code, undone.err + undone.out).toBe(said === undefined ? EXIT.done : EXIT.appliedInPart);
});

test.each([
  { opens: "settings: {invite_required: false}", isNamed: true },
  { opens: "domains: {example.org: {}}", isNamed: true },
  { opens: "settings: {permissions: {create_multiuse_invite_group: role:members}}", isNamed: true },
  { opens: "settings: {permissions: {can_mention_many_users_group: role:members}}", isNamed: false },
  { opens: "channels: {general: {permissions: {can_delete_any_message_group: role:members}}}", isNamed: false },
])("the undo of a run ($opens) names who joined since, if the run let people join", async ({ opens, isNamed }) => {
  const from = realmOf({
    settings: { invite_required: true, emails_restricted_to_domains: true },
    invites: [],
    links: [],
    domains: [{ domain: "acme.example", allow_subdomains: false }],
    channels: [{ name: "general" }],
    joined_days_ago: { "farah@acme.example": -3650 },
  });
  const world = await worldOfTest({ from });
  world.file("realm.yaml", `version: 1\n${opens}\n`);
  const applied = await world.realmctl("apply --yes --allow opened");
  expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
  const undone = await world.realmctl("apply --yes --undo --allow removals");
  const said = undone.err.replaceAll(/\s+/g, " ");
  if (isNamed)
    expect(said).toContain("Not undone: person Farah Haddad joined since the run began, and stays as member.");
  else expect(said).not.toContain("Not undone");
  expect(undone.code, undone.err + undone.out).toBe(isNamed ? EXIT.appliedInPart : EXIT.done);
});

test("the undo of an opening names invitations that others made meanwhile, and not those of before or of the account that runs it", async () => {
  const world = await worldOfTest();
  await vault(world);
  const { stream_id } = world.channel("vault");
  const invite = (as: string, address: string) =>
    world.edit(as, "POST", "/invites", {
      ...{ invitee_emails: address, invite_expires_in_minutes: null, invite_as: 400 },
      stream_ids: as === "owner" ? [] : [stream_id],
    });
  world.file("realm.yaml", channel("privacy: public"));
  const applied = await world.realmctl("apply --yes --allow opened,people_gaining_access");
  expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
  await invite("owner", "own@example.org");
  await invite("ben@acme.example", "mallory@example.org");
  const undone = await world.realmctl("apply --yes --undo");
  const said = undone.err.replaceAll(/\s+/g, " ");
  expect(said).toContain("invitation mallory@example.org is open, and was made since the run began, by Ben Lindqvist");
  expect(said).not.toContain("own@example.org");
  expect(undone.code, undone.err + undone.out).toBe(EXIT.appliedInPart);
});
