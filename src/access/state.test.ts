import { describe, expect, test } from "vitest";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { isRightName } from "../model/permission-settings.ts";
import { type GroupValue, groupValue, Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import type { AccessAccount } from "./account.ts";
import type { People } from "./people.ts";
import { type AccessState, addressesIn, isPrivate, objectAt, PRIVACIES, partAt, privacyOf, stateOf } from "./state.ts";

const [ADA, BEN, CHIARA, DMITRI, ELIF, HANA, IVO, JANA, KOFI, CI_BOT] = [6, 7, 8, 9, 10, 13, 14, 15, 16, 18];
const EMAIL = { ben: "ben@acme.example", elif: "elif@acme.example", jana: "jana@acme.example" };

// Read again for each test, since values computed from a reading are cached with it.
const stateFrom = (overlay: Overlay = {}): AccessState => stateOf(new Realm(realmOf(overlay)));
const ids = (people: People | undefined): readonly number[] | undefined => people && [...people].sort((a, b) => a - b);

/** staff has Ada to Elif, engineering has Dmitri, Elif and Farah and contains leads, leads has Ben and Chiara. */
const group = (state: AccessState, name: string) => {
  const found = state.group(name);
  if (found === undefined) throw new RangeError(`no group ${name}`);
  return found;
};
const account = (state: AccessState, id: number): AccessAccount => {
  const found = state.account(id);
  if (found === undefined) throw new RangeError(`no account ${id}`);
  return found;
};

describe("a reading", () => {
  test("has the sets of its active people", () => {
    const { accounts } = stateFrom();
    const bots = [17, 18, 19];
    const members = [ADA, BEN, CHIARA, DMITRI, ELIF, 11, 12, HANA, KOFI, ...bots];
    expect({
      everybody: ids(accounts.everybody),
      members: ids(accounts.members),
      guests: ids(accounts.guests),
      administrators: ids(accounts.administrators),
      bots: ids(accounts.bots),
      owners: [...accounts.owners],
    }).toEqual({
      everybody: [...members, IVO].sort((a, b) => a - b),
      members: members.sort((a, b) => a - b),
      guests: [IVO],
      administrators: [ADA, BEN, KOFI],
      bots,
      owners: [
        [17, ADA],
        [18, DMITRI],
        [19, ADA],
      ],
    });
  });

  test.each([
    { where: "listed", listed: ["elif@acme.example"], count: undefined, subscribers: [ELIF] },
    { where: "counted as 0", listed: undefined, count: 0, subscribers: [] },
    { where: "counted, but not listed", listed: undefined, count: 3, subscribers: undefined },
    { where: "neither listed nor counted", listed: undefined, count: undefined, subscribers: undefined },
    {
      where: "listed, although counted as 0",
      listed: ["elif@acme.example"],
      count: 0,
      subscribers: [ELIF],
    },
  ])("has the subscribers of a channel where they are $where", ({ listed, count, subscribers }) => {
    const channel = { name: "hall", ...(count === undefined ? {} : { subscriber_count: count }) };
    const state = stateFrom({ channels: [channel], subscribers: listed === undefined ? null : { hall: listed } });
    expect(ids(state.channel("hall")?.subscribers)).toEqual(subscribers);
  });

  test("has the settings of channels, groups and the organization in the form of a file", () => {
    const state = stateFrom({
      channels: [{ name: "hall", can_send_message_group: "staff", description: "can_send_message_group" }],
      settings: { can_create_groups: { direct_members: [BEN], direct_subgroups: [30] }, can_odd_group: "words" },
    });
    const hall = state.channel("hall");
    expect(hall?.settings.get("can_send_message_group")).toBe("staff");
    expect([...(hall?.settings.keys() ?? [])].filter((name) => !name.startsWith("can_"))).toEqual([]);
    expect(state.organization.get("can_create_groups")).toEqual({ groups: ["staff"], users: [EMAIL.ben] });
    expect(state.organization.has("can_odd_group")).toBe(false);
    expect(group(state, "staff").settings.get("can_leave_group")).toBe("role:everyone");
  });

  test("has its groups, including inactive ones", () => {
    const { name, subgroups, deactivated } = group(stateFrom(), "engineering");
    expect({ name, subgroups, deactivated }).toEqual({ name: "engineering", subgroups: ["leads"], deactivated: false });
    expect(group(stateFrom(), "retired").deactivated).toBe(true);
  });

  test.each([
    { invite_only: false, is_web_public: false, history_public_to_subscribers: true, privacy: "public" },
    { invite_only: false, is_web_public: true, history_public_to_subscribers: true, privacy: "web_public" },
    { invite_only: true, is_web_public: false, history_public_to_subscribers: true, privacy: "private_shared_history" },
    {
      invite_only: true,
      is_web_public: false,
      history_public_to_subscribers: false,
      privacy: "private_protected_history",
    },
  ])("has a channel as $privacy", ({ privacy, ...is }) => {
    const [channel] = realmOf({ channels: [{ name: "hall" }] }).channels;
    if (channel === undefined) throw new RangeError("no channel");
    expect(privacyOf({ ...channel, ...is })).toBe(privacy);
  });
});

test.each([
  { name: "can_send_message_group", is: true },
  { name: "create_multiuse_invite_group", is: true },
  { name: "direct_message_initiator_group", is: true },
  { name: "direct_message_permission_group", is: true },
  { name: "can_create_groups", is: true },
  { name: "can_manage_all_groups", is: true },
  // No server has these today; a field of this form is one that only a server knows.
  { name: "who_may_pin_topics_group", is: true },
  { name: "can_pin_topics", is: true },
  { name: "subgroups", is: false },
  { name: "members", is: false },
  { name: "privacy", is: false },
  { name: "can_Pin_group", is: false },
  { name: "constructor", is: false },
])("$name is the name of a permission setting: $is", ({ name, is }) => expect(isRightName(name)).toBe(is));

describe("the people whom a setting names", () => {
  test.each<{ value: string; is: GroupValue | undefined; people: readonly number[] }>([
    { value: "nothing", is: undefined, people: [] },
    { value: "a group with its subgroups", is: "engineering", people: [BEN, CHIARA, DMITRI, ELIF, 11] },
    { value: "a group that does not exist", is: "unknown", people: [] },
    {
      value: "groups and people",
      is: groupValue(["leads"], [EMAIL.elif]),
      people: [BEN, CHIARA, ELIF],
    },
    { value: "somebody who is deactivated", is: groupValue([], [EMAIL.jana, EMAIL.elif]), people: [ELIF] },
  ])("$value", ({ is, people }) => expect(ids(stateFrom().peopleIn(is))).toEqual(people));

  const both = groupValue(["engineering", "staff"], [EMAIL.jana]);

  test("are computed once", () => {
    const state = stateFrom();
    expect(state.peopleIn(both)).toBe(state.peopleIn(groupValue(["engineering", "staff"], [EMAIL.jana])));
    expect(state.copy().peopleIn(both)).toBe(state.peopleIn(both));
  });

  test("are computed again after a group in it changes, in this state and not in its copies", () => {
    const state = stateFrom();
    const before = ids(state.peopleIn(both));
    const copy = state.copy();
    state.put({ ...group(state, "leads"), members: state.population.of([HANA]) });
    expect(ids(state.peopleIn(both))).toEqual([ADA, BEN, CHIARA, DMITRI, ELIF, 11, HANA]);
    expect(ids(copy.peopleIn(both))).toEqual(before);
    copy.put({ ...group(copy, "staff"), members: copy.population.of([]) });
    expect(ids(copy.peopleIn(both))).toEqual([BEN, CHIARA, DMITRI, ELIF, 11]);
    state.remove(group(state, "leads"));
    expect(ids(state.peopleIn(both))).toEqual([ADA, BEN, CHIARA, DMITRI, ELIF, 11]);
  });

  test("also change with groups that contain each other", () => {
    const state = stateFrom();
    const leads = group(state, "leads");
    const cycle = groupValue(["leads", "staff"], []);
    state.put({ ...leads, subgroups: ["engineering"] });
    expect(ids(state.peopleIn(cycle))).toEqual([ADA, BEN, CHIARA, DMITRI, ELIF, 11]);
    state.put({ ...leads, members: state.population.of([HANA]), subgroups: ["engineering"] });
    expect(ids(state.peopleIn(cycle))).toContain(HANA);
  });
});

describe("an account that changes", () => {
  const rolesOf = (state: AccessState, id: number) =>
    [...state.groups()]
      .filter(({ name, members }) => name.startsWith("role:") && members.has(id))
      .map((each) => each.name);

  test.each<{ change: string; id: number; is: Partial<AccessAccount>; groups: readonly string[] }>([
    { change: "to an owner", id: ELIF, is: { role: ROLE.owner }, groups: ["role:owners"] },
    { change: "to a guest", id: BEN, is: { role: ROLE.guest }, groups: ["role:everyone"] },
    { change: "to a member", id: IVO, is: { role: ROLE.member }, groups: ["role:fullmembers", "role:members"] },
    {
      change: "to a member who still waits",
      id: IVO,
      is: { role: ROLE.member, full: false },
      groups: ["role:members"],
    },
    { change: "by reactivation", id: JANA, is: { active: true }, groups: ["role:fullmembers", "role:members"] },
    { change: "only of its owner", id: CI_BOT, is: { owner: ADA }, groups: ["role:fullmembers", "role:members"] },
    { change: "of its role while deactivated", id: JANA, is: { role: ROLE.guest }, groups: ["role:everyone"] },
    // It keeps its groups for a later reactivation; members are only active accounts.
    { change: "by deactivation", id: ELIF, is: { active: false }, groups: ["role:fullmembers", "role:members"] },
  ])("$change: is in these role groups", ({ id, is, groups }) => {
    const state = stateFrom();
    const changed = { ...account(state, id), ...is };
    state.putAccount(changed);
    expect(rolesOf(state, id)).toEqual(groups);
    expect(state.account(id)).toEqual(changed);
  });

  test("stays in its previous role groups if it is only deactivated", () => {
    const state = stateFrom();
    state.put({ ...group(state, "role:members"), members: state.population.of([DMITRI]) });
    state.putAccount({ ...account(state, ELIF), active: false });
    expect(rolesOf(state, ELIF)).toEqual(["role:fullmembers"]);
    state.putAccount({ ...account(state, DMITRI), owner: ADA });
    expect(rolesOf(state, DMITRI)).toEqual(["role:fullmembers", "role:members"]);
  });

  test("changes twice before anybody asks: its role groups and the members of other groups follow both changes", () => {
    const state = stateFrom();
    expect(state.membersOf("engineering").has(ELIF)).toBe(true);
    state.putAccount({ ...account(state, ELIF), role: ROLE.guest, active: false });
    state.putAccount({ ...account(state, ELIF), owner: ADA });
    expect(rolesOf(state, ELIF)).toEqual(["role:everyone"]);
    expect(state.membersOf("engineering").has(ELIF)).toBe(false);
  });

  test("is deactivated together with a change of somebody else's role", () => {
    const state = stateFrom();
    expect(state.membersOf("engineering").has(ELIF)).toBe(true);
    state.putAccount({ ...account(state, ELIF), active: false });
    state.putAccount({ ...account(state, DMITRI), role: ROLE.guest });
    expect([state.membersOf("engineering").has(ELIF), rolesOf(state, DMITRI)]).toEqual([false, ["role:everyone"]]);
  });

  test("joins its role groups when it is new", () => {
    const state = stateFrom();
    state.putAccount({ id: 99, role: ROLE.moderator, active: true, full: true });
    expect(rolesOf(state, 99)).toEqual(["role:moderators"]);
    expect(state.membersOf("role:members").has(99)).toBe(true);
  });

  test("is not affected by roles whose group is not in the reading", () => {
    const snapshot = realmOf({});
    const user_groups = snapshot.user_groups.filter(({ name }) => name !== "role:moderators");
    const state = stateOf(new Realm({ ...snapshot, user_groups }));
    state.putAccount({ ...account(state, ELIF), role: ROLE.moderator });
    expect([rolesOf(state, ELIF), [...state.groups()].length]).toEqual([[], user_groups.length]);
  });

  test("changes the people of each setting that names it, if it is deactivated or reactivated, but not in copies", () => {
    const state = stateFrom();
    const value = groupValue(["engineering"], [EMAIL.jana]);
    const everywhere = (each: AccessState) => [ids(each.peopleIn(value)), ids(each.membersOf("engineering"))];
    const before = everywhere(state);
    const copy = state.copy();
    state.putAccount({ ...account(state, ELIF), active: false });
    state.putAccount({ ...account(state, JANA), active: true });
    expect(everywhere(state)).toEqual([
      [BEN, CHIARA, DMITRI, 11, JANA],
      [BEN, CHIARA, DMITRI, 11],
    ]);
    expect(everywhere(copy)).toEqual(before);
    expect([copy.account(ELIF)?.active, copy.accounts.everybody.has(ELIF)]).toEqual([true, true]);
  });

  test("does not cause members of other groups to be computed again if only its role changes", () => {
    const state = stateFrom();
    const value = groupValue(["leads", "staff"], []);
    const before = state.peopleIn(value);
    state.putAccount({ ...account(state, DMITRI), role: ROLE.guest });
    expect(state.peopleIn(value)).toBe(before);
  });

  test("is an owner while it is active", () => {
    const state = stateFrom();
    expect(state.owners.size).toBe(2);
    state.putAccount({ ...account(state, CI_BOT), role: ROLE.owner });
    state.putAccount({ ...account(state, JANA), role: ROLE.owner });
    expect(state.owners.size).toBe(3);
    state.putAccount({ ...account(state, JANA), active: true });
    expect(state.owners.size).toBe(4);
    state.putAccount({ ...account(state, ADA), active: false });
    expect(state.owners.size).toBe(3);
  });
});

describe("the parts of a state", () => {
  const overlay: Overlay = { channels: [{ name: "hall" }, { name: "attic" }] };

  test("have addresses", () => {
    const state = stateFrom(overlay);
    expect(addressesIn(state).filter((address) => !address.startsWith("user_group:role:"))).toEqual([
      "settings:organization",
      "channel:hall",
      "channel:attic",
      "user_group:staff",
      "user_group:engineering",
      "user_group:leads",
      "user_group:retired",
    ]);
  });

  test.each([
    { address: "channel:hall", kind: "channel", name: "hall" },
    { address: "user_group:staff", kind: "user_group", name: "staff" },
    { address: "settings:organization", kind: "organization", name: "organization" },
    { address: "channel:staff", kind: undefined, name: undefined },
    { address: "user_group:hall", kind: undefined, name: undefined },
    { address: "emoji:hall", kind: undefined, name: undefined },
    { address: "emoji:staff", kind: undefined, name: undefined },
  ] as const)("$address is found by its address", ({ address, kind, name }) => {
    const found = partAt(stateFrom(overlay), address);
    expect([found?.kind, found?.name]).toEqual([kind, name]);
    if (kind !== "organization") expect(objectAt(stateFrom(overlay), address)?.name).toBe(name);
  });

  test("the organization's part has its settings", () => {
    const state = stateFrom(overlay);
    expect(partAt(state, "settings:organization")?.settings).toBe(state.organization);
    expect(objectAt(state, "settings:organization")).toBeUndefined();
  });

  test("are replaced and removed only in one state, not in its copies", () => {
    const state = stateFrom(overlay);
    const copy = state.copy();
    const [hall, attic] = [state.channel("hall"), state.channel("attic")];
    if (hall === undefined || attic === undefined) throw new RangeError("no channels");
    state.put({ ...hall, archived: true });
    state.remove(attic);
    state.remove(group(state, "staff"));
    const settings = new Map([["can_create_groups", "role:owners"]]);
    state.put({ kind: "organization", name: "organization", settings });
    expect([state.channel("hall")?.archived, state.channel("attic"), state.group("staff"), state.organization]).toEqual(
      [true, undefined, undefined, settings],
    );
    expect([copy.channel("hall"), copy.channel("attic"), copy.group("staff")?.name]).toEqual([hall, attic, "staff"]);
    expect(copy.organization).not.toBe(state.organization);
  });

  test("a channel does not affect a group with its name", () => {
    const state = stateFrom({ channels: [{ name: "staff" }] });
    const channel = state.channel("staff");
    if (channel === undefined) throw new RangeError("no channel");
    state.put({ ...channel, archived: true });
    expect(group(state, "staff").kind).toBe("user_group");
    state.remove(channel);
    expect([state.channel("staff"), group(state, "staff").kind]).toEqual([undefined, "user_group"]);
    state.remove(group(state, "staff"));
    expect(state.group("staff")).toBeUndefined();
  });
});

test("both kinds of private channels are private, and no others", () =>
  expect(PRIVACIES.filter((privacy) => isPrivate({ privacy }))).toEqual([
    "private_shared_history",
    "private_protected_history",
  ]));

test("each caller has an independent state of the reading to change", () => {
  const realm = new Realm(realmOf({}));
  const one = stateOf(realm);
  one.remove(group(one, "staff"));
  expect(stateOf(realm).group("staff")?.name).toBe("staff");
});

test("the groups around a group are all that contain it", () =>
  expect([...stateFrom().groupsAround(["leads"])]).toEqual(["leads", "engineering"]));
