import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { flat, worldOfTests } from "./world.ts";

/**
 * Chiara is a moderator and Dmitri a member: they do not see the private channel #vault, which the group keepers opens. Dmitri manages the group (zulip-api.md
 * §3.6: administrators see every channel, others only those that they can read or administer).
 */
const [ADA, DMITRI, OWNERS] = [6, 9, 10] as const;
const dmitri = { as: "dmitri@acme.example" };
const world = worldOfTests();
beforeEach(async () => {
  for (const name of ["keepers", "seen"])
    await world.createGroup(name, {
      members: name === "seen" ? [ADA, DMITRI] : [ADA],
      can_manage_group: { direct_members: [DMITRI], direct_subgroups: [] },
      can_join_group: OWNERS,
    });
  const can_subscribe_group = world.group("keepers");
  await world.subscribe("vault", { principals: [ADA], invite_only: true, can_subscribe_group });
});

describe("a plan of somebody who does not see a private channel", () => {
  test.each([
    ["somebody comes into the group that opens it", "keepers: {members: [user:6, user:10]}", 1],
    ["the account comes into the group", "keepers: {members: [user:6, user:9]}", 1],
    [
      "somebody's bot comes into the group",
      "keepers: {members: [user:6, user:18]}", // Dmitri's
      1,
    ],
    ["members may put themselves into the group", "keepers: {permissions: {can_join_group: role:moderators}}", 2],
    ["a group is nested in the group", "keepers: {members: [user:6], subgroups: [seen]}", 1],
  ])("counts, if %s", async (_, group, amount) => {
    world.file("realm.yaml", `version: 1\nuser_groups:\n  ${group}\n`);
    const { out } = await world.realmctl("plan", dmitri);
    expect(flat(out)).toContain(`people gaining access to what is private ${amount}`);
    expect(flat(out)).toContain("private channels that it does not see may admit these groups");
    const sent = world.writes().length;
    const refused = await world.realmctl("apply --yes", dmitri);
    expect(refused.code, refused.out + refused.err).toBe(EXIT.refusedByGuard);
    expect(flat(refused.err)).toContain("--allow people_gaining_access");
    expect(world.writes()).toHaveLength(sent);
    expect((await world.realmctl("apply --yes --allow people_gaining_access", dmitri)).code).toBe(EXIT.done);
  });

  test("a limit of the policy counts it", async () => {
    world.file(
      "realm.yaml",
      "version: 1\npolicy: {limits: {people_gaining_access: 0}}\nuser_groups: {keepers: {members: [user:6, user:10]}}\n",
    );
    const { out, code } = await world.realmctl("plan", dmitri);
    expect(code).toBe(EXIT.refusedByGuard);
    expect(flat(out)).toContain("people gaining access to what is private: 1, but none is allowed");
  });

  test("does not count what the account would see: it is in the group itself", async () => {
    world.file("realm.yaml", "version: 1\nuser_groups: {seen: {members: [user:6, user:9, user:10]}}\n");
    const { code, err } = await world.realmctl("apply --yes", dmitri);
    expect(code, err).toBe(EXIT.done);
  });

  test("an administrator sees the channel, and is told nothing more", async () => {
    world.file("realm.yaml", "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, elif@acme.example]}}\n");
    const { out } = await world.realmctl("plan");
    expect(flat(out)).toContain("people gaining access to what is private 1");
    expect(flat(out)).not.toContain("does not see");
    await world.bringInLine(
      "version: 1\nuser_groups: {seen: {members: [ada@acme.example, dmitri@acme.example, elif@acme.example]}}\n",
    );
  });

  test("an invitation into the group counts", async () => {
    await world.edit("owner", "PATCH", "/realm", { can_invite_users_group: { new: 14 } });
    world.file(
      "realm.yaml",
      "version: 1\ninvites: [{emails: [zoe@acme.example], send_until: 2099-12-31, groups: [keepers]}]\n",
    );
    const { out, err } = await world.realmctl("plan", dmitri);
    expect(flat(out), err).toContain("people gaining access to what is private 1");
    expect((await world.realmctl("apply --yes", dmitri)).code).toBe(EXIT.refusedByGuard);
  });
});

describe.each([
  ["a member", "dmitri@acme.example"],
  ["a moderator", "chiara@acme.example"],
])("rules checked by %s", (_, as) => {
  const tested = async (rule: string, flags = "") => {
    world.file("realm.yaml", "version: 1\n");
    world.file("realm.test.yaml", `version: 1\ntests:\n  - {name: Closed, ${rule}}\n`);
    const ran = await world.realmctl(`test --live ${flags}`, { as });
    return { ...ran, out: flat(ran.out), err: flat(ran.err) };
  };

  test.each([
    "objects: '*', rights: {read: {deny: user:10}}, privacy: private_*",
    "who: user:10, cannot: {read: 'v*'}",
    "who: guest, cannot: {read: ['va*', 'zz*']}",
    "objects: vault, rights: {read: {only: user:6}}",
    "objects: 'vau*', fields: {can_subscribe_group: {not: keepers}}",
    "objects: 'v*', rights: {read: {at_most: 0}}",
  ])("do not hold where they may be about it: %s", async (rule) => {
    for (const flags of ["", "--as-is"]) {
      const { out, err, code } = await tested(rule, flags);
      expect(out, err).toContain("Closed: cannot be checked");
      expect(out).toContain("private channels that it does not see");
      expect(out).toContain("0 of 1 rule holds");
      expect(code).toBe(EXIT.done);
    }
    const json = JSON.parse((await world.realmctl("test --live --format json", { as })).out);
    expect(json.rules[0]).toMatchObject({ holds: null, because: [expect.stringContaining("does not see")] });
  });

  test.each([
    "who: guest, cannot: {administer: general}",
    "objects: '*', privacy: public, rights: {administer: {deny: guest}}",
    "objects: 'user_group:*', rights: {add members: {deny: guest}}",
    "objects: organization, rights: {invite: {deny: guest}}",
  ])("hold where they cannot be about it: %s", async (rule) => {
    const { out, err } = await tested(rule);
    expect(out, err).toContain("1 rule holds");
  });

  test("are broken by what the account sees", async () => {
    const { out, code } = await tested("who: role:members, cannot: {read: '*'}");
    expect(code).toBe(EXIT.ruleBroken);
    expect(out).toContain("a member can read #Zulip");
  });
});

test("what a rule of an administrator says is not changed: it is broken, or holds", async () => {
  world.file("realm.yaml", "version: 1\n");
  world.file(
    "realm.test.yaml",
    "version: 1\ntests:\n  - {name: Closed, objects: vault, rights: {read: {only: [user:6]}}}\n",
  );
  expect((await world.realmctl("test --live")).out).not.toContain("cannot be checked");
});

test.each([
  [
    "a name that may be taken",
    "vault: {}",
    dmitri,
    "a channel that this account does not see may have the name",
    "whether a channel that the account does not see has the name",
  ],
  [
    "topics that nobody read",
    "general: {topics_policy: empty_topic_only}",
    {},
    "messages of this channel have topics",
    "whether messages of the channel have topics",
  ],
])("%s: the rehearsal leaves it open, and the refusal is explained", async (_, channel, as, why, open) => {
  await world.edit("owner", "POST", "/messages", {
    type: "stream",
    to: "general",
    topic: "t",
    content: "c",
  });
  world.file("realm.yaml", `version: 1\nchannels: {${channel}}\n`);
  const { out, err, code } = await world.realmctl("apply --yes", as);
  expect(code, out + err).toBe(EXIT.appliedInPart);
  expect(flat(out + err)).toContain(`not rehearsed: ${open}`);
  expect(flat(out + err)).toContain(why);
  expect(out + err).toContain("Nothing was applied");
  expect(out + err).not.toContain("Continue with the rest");
});

test.each([
  ["a member", dmitri, true],
  ["an administrator", {}, false],
])("an export of invitations by %s says whose they are", async (_, as, isSaid) => {
  const { err } = await world.realmctl("export --kinds invites,channels", as);
  expect(err.includes("Only this account's own invitations")).toBe(isSaid);
  expect((await world.realmctl("export --kinds channels", as)).err).not.toContain("own invitations");
});
