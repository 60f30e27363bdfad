import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { realmOf } from "../support/realm.ts";
import { worldOfTest, worldOfTests } from "./world.ts";

/*
 * Rights that only the server knows: it describes them in `server_supported_permission_settings`, and this program has no table for them.
 */

const RULE = {
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: true,
  allow_everyone_group: true,
  default_group_name: "role:everyone",
  default_for_system_groups: null,
  allowed_system_groups: [],
};

/** The organization with one such right of each scope. */
function withOtherRights(snapshot: Snapshot): Snapshot {
  const { permission_settings: known } = snapshot;
  if (known === null) throw new RangeError("this server describes nothing");
  const id = (name: string): number => snapshot.user_groups.find((group) => group.name === name)?.id ?? 0;
  return {
    ...snapshot,
    permission_settings: {
      realm: {
        ...known.realm,
        can_invented_brew_coffee_group: { ...RULE, allow_everyone_group: false, default_group_name: "role:members" },
      },
      stream: {
        ...known.stream,
        can_invented_pin_messages_group: { ...RULE, default_group_name: "role:nobody" },
        can_invented_paint_channel_group: { ...RULE, default_group_name: "channel_creator" },
      },
      group: { ...known.group, can_invented_rename_group: { ...RULE, default_group_name: "group_creator" } },
    },
    settings: { ...snapshot.settings, can_invented_brew_coffee_group: id("role:moderators") },
    channels: snapshot.channels.map((channel) => ({
      ...channel,
      can_invented_pin_messages_group: id("role:administrators"),
      can_invented_paint_channel_group: { direct_members: [snapshot.account.user_id], direct_subgroups: [] },
    })),
    user_groups: snapshot.user_groups.map((group) => ({ ...group, can_invented_rename_group: id("role:nobody") })),
  };
}

const world = worldOfTests({ from: withOtherRights(realmOf({ channels: [{ name: "general" }] })) });

const FILE = `version: 1
settings:
  permissions:
    can_invented_brew_coffee_group: {groups: [role:moderators], users: [elif@acme.example]}
channels:
  general:
    permissions: {can_invented_pin_messages_group: role:everyone}
  new-one:
    permissions: {can_invented_pin_messages_group: role:moderators, can_invented_paint_channel_group: role:nobody}
user_groups:
  bakers:
    members: []
    permissions: {can_invented_rename_group: role:moderators}
`;

test("a right that only the server knows is written by its name: planned, applied, watched, undone", async () => {
  world.file("realm.yaml", FILE);
  const start = JSON.stringify(world.sandbox.state().realm);
  const planned = await world.realmctl("plan");
  expect(planned.err + planned.out).toContain("can_invented_brew_coffee_group");
  expect(planned.out).toContain("a right that this version does not know");
  const refused = await world.realmctl("apply --yes");
  expect(refused.code, refused.out + refused.err).toBe(EXIT.refusedByGuard);
  expect(refused.err + refused.out).toContain("--allow opened");
  const applied = await world.realmctl("apply --yes --allow opened");
  expect(applied.code, applied.out + applied.err).toBe(EXIT.done);
  const again = await world.realmctl("plan --detailed-exit-code");
  expect(again.code, again.out + again.err).toBe(EXIT.done);
  const undone = await world.realmctl(`apply --undo .realmctl/${world.journals()[0]} --yes`);
  expect(undone.code, undone.out + undone.err).toBe(EXIT.done);
  expect(JSON.stringify(world.sandbox.state().realm)).toBe(start);
  const drift = await world.realmctl("drift");
  expect(drift.code).toBe(EXIT.changesPending);
  expect(drift.out).toContain("can_invented_brew_coffee_group");
});

test("a change by somebody else since the plan is a conflict: such a request has the old value, too", async () => {
  world.file("realm.yaml", FILE);
  await world.realmctl("plan --out realm.plan");
  const change = { new: world.group("role:members") };
  await world.edit("ada@acme.example", "PATCH", "/realm", { can_invented_brew_coffee_group: change });
  const sent = await world.realmctl("apply --plan realm.plan --yes --allow opened");
  expect(sent.code, sent.out + sent.err).toBe(EXIT.conflict);
  expect(world.sandbox.state().realm.can_invented_brew_coffee_group).toBe(change.new);
  world.restart();
  world.file("realm.yaml", FILE);
  await world.realmctl("apply --yes --allow opened");
  const sentValues = world.sandbox.log.flatMap(({ params }) => params.can_invented_brew_coffee_group ?? []);
  expect(sentValues.join()).toMatch(/"old":/);
});

/** Settings that no file can have: a switch, and a field of channels. */
function withOtherSettings(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    settings: { ...snapshot.settings, invented_switch: true },
    channels: snapshot.channels.map((channel) => ({ ...channel, invented_word: "soft" })),
  };
}

test("what a server has and this version does not know is named once, by every command, and is no error", async () => {
  const snapshot = withOtherSettings(withOtherRights(realmOf({ channels: [{ name: "general" }] })));
  world.file("newer.json", JSON.stringify(snapshot));
  world.file("realm.yaml", "version: 1\nchannels: {general: {}}\n");
  const names = /6 settings of this server are newer than realmctl [^:]+: can_invented_brew_coffee_group/g;
  for (const line of ["plan --snapshot newer.json", "export --snapshot newer.json --out out.yaml"]) {
    const { code, out, err } = await world.realmctl(line);
    expect(code, `${line}: ${err}`).toBe(EXIT.done);
    expect((out + err).replaceAll(/\s+/g, " ").match(names), `${line}: ${out}${err}`).toHaveLength(1);
  }
  const known = /4 settings of this server are newer than realmctl [^:]+: can_invented_brew_coffee_group/g;
  for (const line of ["whoami", "drift", "snapshot --out read.json"]) {
    const { code, out, err } = await world.realmctl(line);
    expect(code, `${line}: ${err}`).toBe(EXIT.done);
    expect((out + err).replaceAll(/\s+/g, " ").match(known), `${line}: ${out}${err}`).toHaveLength(1);
  }
  const drift = await world.realmctl("drift");
  expect(drift.out).not.toContain("Watches all");
  const json = JSON.parse((await world.realmctl("whoami --format json")).out);
  expect(json.newer_settings).toHaveLength(4);
});

test("access shows such a right beside the known ones, and answers questions about it", async () => {
  const whole = await world.realmctl("access organization");
  expect(whole.out).toContain("rights that this version does not know");
  expect(whole.out).toContain("can_invented_brew_coffee_group");
  const one = await world.realmctl("access #general --right can_invented_pin_messages_group");
  expect(one.out).toContain("Ada Okafor");
  expect(one.code).toBe(EXIT.done);
  const none = await world.realmctl("access #general --right can_invented_other_group");
  expect(none.err).toContain("access/unknown-right");
});

test("a file without such rights is the file that it was; export writes them on request, and validate asks for a server", async () => {
  const short = await world.realmctl("export --out short.yaml");
  expect(short.code, short.err).toBe(EXIT.done);
  expect(world.read("short.yaml")).not.toContain("invented");
  const long = await world.realmctl("export --complete --out realm.yaml");
  expect(long.code, long.err).toBe(EXIT.done);
  for (const right of ["brew_coffee", "pin_messages", "paint_channel", "rename"])
    expect(world.read("realm.yaml")).toContain(`can_invented_${right}_group`);
  const plan = await world.realmctl("plan --detailed-exit-code");
  expect(plan.code, plan.out + plan.err).toBe(EXIT.done);
  const offline = await world.realmctl("validate");
  expect(offline.code).toBe(EXIT.errors);
  expect(offline.err + offline.out).toContain("realmctl validate --live");
  expect((await world.realmctl("validate --live")).code).toBe(EXIT.done);
});

test("a name that neither this version nor the server knows is an error, as any other field", async () => {
  world.file("realm.yaml", "version: 1\nsettings: {permissions: {can_invented_other_group: role:members}}\n");
  const plan = await world.realmctl("plan");
  expect(plan.code).toBe(EXIT.errors);
  expect(plan.err).toContain("field/unknown");
  expect(plan.err).not.toContain("--live");
});

test("a snapshot has them, and a sandbox made from it", async () => {
  await world.realmctl("snapshot --out realm.json");
  expect(JSON.parse(world.read("realm.json")).settings.can_invented_brew_coffee_group).toBeTypeOf("number");
});

test("a right that the server no longer has is an error with the level", async () => {
  const { permission_settings: known, ...rest } = withOtherRights(realmOf({}));
  const { can_summarize_topics_group: _, ...realm } = known?.realm ?? {};
  const { can_summarize_topics_group: __, ...settings } = rest.settings;
  const gone = await worldOfTest({ from: { ...rest, settings, permission_settings: known && { ...known, realm } } });
  gone.file("snapshot.json", JSON.stringify({ ...rest, settings, permission_settings: known && { ...known, realm } }));
  gone.file("realm.yaml", "version: 1\nsettings: {permissions: {can_summarize_topics_group: role:members}}\n");
  const plan = await gone.realmctl("plan --snapshot snapshot.json");
  expect(plan.code).toBe(EXIT.errors);
  expect(plan.out).toContain("error[plan/setting-gone]");
  expect(plan.out.replaceAll(/\s+/g, " ")).toContain("No other changes.");
  expect(plan.out.replaceAll(/\s+/g, " ")).toContain(
    "this server (feature level 442) no longer has can_summarize_topics_group, which came with Zulip 10",
  );
});
