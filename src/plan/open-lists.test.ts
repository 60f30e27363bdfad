import { expect, test } from "vitest";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { desiredOf, must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { openLists, openListsSince } from "./open-lists.ts";
import { planChanges } from "./plan.ts";

const LIVE = realmOf({
  channels: [{ name: "secret", invite_only: true }],
  subscribers: { secret: ["ada@acme.example"] },
});
const PART = [{ pattern: "channels.*.subscribers", section: "channels", name: "*", field: "subscribers" }];
const MEMBERS = [{ pattern: "user_groups.*.members", section: "user_groups", name: "*", field: "members" }];

const CLOSED = "can_join_group: role:nobody, can_add_members_group: role:nobody, can_manage_group: role:nobody";
const OPEN = CLOSED.replace("can_join_group: role:nobody", "can_join_group: role:members");
const crew = (permissions: string): string =>
  `user_groups: {crew: {members: [ada@acme.example], subgroups: [], permissions: {${permissions}}}}`;
const secret = (list: string, admits = "role:nobody"): string =>
  `channels: {secret: {privacy: private_shared_history, permissions: {can_subscribe_group: ${admits}, can_add_subscribers_group: role:nobody}, subscribers: ${list}}}`;
const CREW = "{groups: [crew], exact: true}";

async function foundIn(yaml: string, parts = PART) {
  const desired = must(await desiredOf(`version: 1\n${yaml}`, LIVE));
  const { changes } = must(planChanges({ desired, snapshot: LIVE, kinds, toolVersion: "0.0.0" }));
  const found = openLists({ desired, snapshot: LIVE, changes, kinds, parts: [parts] });
  expect(found.every(({ code }) => code === "channels/open-list")).toBe(true);
  return found.map(({ fact }) => fact);
}

test.each<{ what: string; yaml: string; by: readonly string[]; parts?: typeof PART }>([
  { what: "nobody can enter the group", yaml: `${crew(CLOSED)}\n${secret(CREW)}`, by: [] },
  { what: "every member can join the group", yaml: `${crew(OPEN)}\n${secret(CREW)}`, by: ["entering"] },
  {
    what: "every member can join a group, and the channel itself admits it: that is counted",
    yaml: `${crew(OPEN)}\n${secret(CREW, "crew")}`,
    by: [],
  },
  {
    what: "a link leads into the group",
    yaml: `${crew(CLOSED)}\n${secret(CREW)}\ninvite_links: [{invite_as: member, groups: [crew], expires_on: never}]`,
    by: ["link"],
  },
  { what: "everybody who joins is a member", yaml: secret("{groups: [role:members], exact: true}"), by: ["joining"] },
  { what: "a list of people", yaml: `${crew(OPEN)}\n${secret("{users: [ada@acme.example], exact: true}")}`, by: [] },
  {
    what: "a public channel",
    yaml: `${crew(OPEN)}\nchannels: {secret: {privacy: public, subscribers: {groups: [crew]}}}`,
    by: [],
  },
  {
    what: "a kept group that a private channel admits takes its members from one that every member can join",
    yaml: `${crew(OPEN).replace("{crew:", "{top: {members: {groups: [crew]}, subgroups: []}, crew:")}\n${secret("{users: [ada@acme.example], exact: true}", "top")}`,
    by: ["entering"],
    parts: MEMBERS,
  },
])("$what", async ({ yaml, by, parts }) => {
  expect((await foundIn(yaml, parts)).map((fact) => fact !== undefined && "by" in fact && fact.by)).toEqual(by);
});

const snapshotWith = (
  members: readonly string[],
  can_join_group: readonly number[],
  { user_groups = [], ...more }: Overlay = {},
) =>
  realmOf({
    ...{ channels: [{ name: "secret", invite_only: true }], subscribers: { secret: ["ada@acme.example"] } },
    user_groups: [
      {
        name: "crew",
        members: [...members],
        can_join_group: { direct_members: can_join_group, direct_subgroups: [] },
        can_add_members_group: NO_ONE,
        can_manage_group: NO_ONE,
      },
      ...user_groups,
    ],
    ...more,
  });
/** Hana is in `contractors`, which is in `partners`. */
const contractors = (own: object, outer: object = {}): Overlay => {
  const closed = { can_leave_group: NO_ONE, can_remove_members_group: NO_ONE, can_manage_group: NO_ONE };
  return {
    user_groups: [
      { name: "contractors", members: ["hana@acme.example"], ...closed, ...own },
      { name: "partners", members: [], subgroups: ["contractors"], ...closed, ...outer },
    ],
  };
};
const NO_ONE = { direct_members: [], direct_subgroups: [] };
const HANA = 13;

/** What `sync` reads: the file is not applied. */
async function whileSyncing(list: string, snapshot: Snapshot, before: readonly string[] = []) {
  const desired = must(await desiredOf(`version: 1\nuser_groups: {crew: {}}\n${secret(list)}`, snapshot));
  const input = { desired, snapshot, changes: [], kinds, parts: [PART] };
  return openListsSince(input, new Set(before)).map(({ isShut, list: key, warning: { fact } }) => ({
    ...{ key, isShut, by: "by" in fact && fact.by, people: "people" in fact && fact.people },
  }));
}

const WAITS = { key: "channel:secret subscribers", isShut: false, by: "entering", people: [HANA] };

test.each<{ what: string; list?: string; snapshot: Snapshot; before?: readonly string[]; found: readonly object[] }>([
  { what: "who came in alone", snapshot: snapshotWith(["hana@acme.example"], [HANA]), found: [WAITS] },
  { what: "who can come in", snapshot: snapshotWith(["ada@acme.example"], [HANA]), found: [WAITS] },
  {
    what: "who can come in and is in the channel, since somebody applied the list",
    snapshot: snapshotWith(["hana@acme.example"], [HANA], {
      subscribers: { secret: ["ada@acme.example", "hana@acme.example"] },
    }),
    found: [],
  },
  {
    what: "who can come in and has to leave the channel now",
    snapshot: snapshotWith(["ada@acme.example"], [HANA], {
      subscribers: { secret: ["ada@acme.example", "hana@acme.example"] },
    }),
    found: [WAITS],
  },
  {
    what: "who can come in and is named",
    list: "{groups: [crew], users: [hana@acme.example], exact: true}",
    snapshot: snapshotWith(["hana@acme.example"], [HANA]),
    found: [],
  },
  { what: "a group that is shut", snapshot: snapshotWith(["hana@acme.example"], []), found: [] },
  {
    what: "a group that is shut and was open",
    snapshot: snapshotWith(["hana@acme.example"], []),
    before: [WAITS.key],
    found: [{ ...WAITS, isShut: true, by: "before", people: [] }],
  },
  {
    what: "who is excepted by a group that they can leave",
    list: "{groups: [crew], except: {groups: [contractors]}, exact: true}",
    snapshot: snapshotWith(["hana@acme.example"], [], contractors({ can_leave_group: "role:members" })),
    found: [{ ...WAITS, by: "leaving" }],
  },
  {
    what: "who is named, and excepted by a group that they can take their subgroup out of",
    list: "{users: [hana@acme.example], except: {groups: [partners]}, exact: true}",
    snapshot: snapshotWith(
      ["ada@acme.example"],
      [],
      contractors({}, { can_manage_group: { direct_members: [HANA], direct_subgroups: [] } }),
    ),
    found: [{ ...WAITS, by: "leaving" }],
  },
  {
    what: "who is excepted by a group that they can leave, and by another one that they cannot",
    list: "{groups: [crew], except: {groups: [contractors, partners]}, exact: true}",
    snapshot: snapshotWith(
      ["hana@acme.example"],
      [],
      contractors({ can_leave_group: "role:members" }, { members: ["hana@acme.example"] }),
    ),
    found: [],
  },
  {
    what: "who is excepted by a group that they can leave, and by name",
    list: "{groups: [crew], except: {groups: [contractors], users: [hana@acme.example]}, exact: true}",
    snapshot: snapshotWith(["hana@acme.example"], [], contractors({ can_leave_group: "role:members" })),
    found: [],
  },
  {
    what: "who is excepted by a group that only others can take them out of",
    list: "{groups: [crew], except: {groups: [contractors]}, exact: true}",
    snapshot: snapshotWith(["hana@acme.example"], [], contractors({ can_remove_members_group: "role:owners" })),
    found: [],
  },
  {
    what: "who can come in, and is excepted by a group that they can leave",
    list: "{groups: [crew], except: {groups: [contractors]}, exact: true}",
    snapshot: snapshotWith(["ada@acme.example"], [HANA], contractors({ can_leave_group: "role:members" })),
    found: [WAITS],
  },
  {
    what: "the owner of a bot that is in the group, which the bot cannot change",
    snapshot: snapshotWith(["ada@acme.example", "ci-bot@localhost"], []),
    found: [],
  },
])("sync: $what", async ({ list = CREW, snapshot, before, found }) => {
  expect(await whileSyncing(list, snapshot, before)).toEqual(found);
});

test("people in `except` are not among those who come in", async () => {
  const [all] = await foundIn(`${crew(OPEN)}\n${secret(CREW)}`);
  const [fewer] = await foundIn(
    `${crew(OPEN)}\n${secret("{groups: [crew], except: {users: [dmitri@acme.example]}, exact: true}")}`,
  );
  const count = (fact: typeof all): number =>
    fact !== undefined && "people" in fact ? [fact.people].flat().length : 0;
  expect(count(all) - count(fewer)).toBe(1);
});
