import { describe, expect, test } from "vitest";
import { type Overlay, realmOf, TAKEN_AT } from "../../test/support/realm.ts";
import type { Json } from "../model/json.ts";
import type { Address, Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { isRole } from "../model/roles.ts";
import { daysOf, fullMembersAfter } from "./account.ts";
import { accessIn, namesAccount, organizationNamesAccount } from "./of-plan.ts";
import { movedByWaitingPeriod, newObject, projectedState } from "./projected.ts";
import { type AccessState, stateOf } from "./state.ts";

const [ADA, BEN, DMITRI, ELIF, IVO, JANA, CI_BOT, HOOK_BOT] = [6, 7, 9, 10, 14, 15, 18, 19];

type Values = { readonly [field: string]: Json };
const change = (address: Address, after: Values, is: { readonly id?: number } = {}) => ({
  action: "update" as const,
  kind: address.replace(/:.*/, ""),
  address,
  name: address.replace(/^[^:]*:/, ""),
  fields: Object.entries(after).map(([field, value]) => ({ field, before: null, after: value })),
  risks: [],
  ...is,
});
const creation = (address: Address, fields: Change["fields"]): Change => ({
  action: "create",
  kind: address.replace(/:.*/, ""),
  address,
  name: address.replace(/^[^:]*:/, ""),
  fields,
  risks: [],
});
const person = (id: number, after: Values, kind = "person"): Change => change(`${kind}:${id}`, after, { id });

function projected(changes: readonly Change[], overlay: Overlay = {}): AccessState {
  const realm = new Realm(
    realmOf({ channels: [{ name: "hall" }], subscribers: { hall: ["ada@acme.example"] }, ...overlay }),
  );
  return projectedState(stateOf(realm), changes, realm);
}

describe("a group that a plan changes", () => {
  const staff = (after: Values) => {
    const group = projected([change("user_group:staff", after)]).group("staff");
    return { ...group, members: [...(group?.members ?? [])] };
  };

  test.each<{ what: string; after: Values; is: object }>([
    { what: "its members", after: { members: ["elif@acme.example"] }, is: { members: [ELIF], deactivated: false } },
    { what: "its deactivation", after: { deactivated: true }, is: { deactivated: true } },
    {
      what: "only its name and description",
      after: { description: "", members: null, subgroups: 3, deactivated: "no" },
      is: { members: [ADA, BEN, 8, DMITRI, ELIF], subgroups: [], deactivated: false },
    },
  ])("has $what", ({ after, is }) => expect(staff(after)).toMatchObject(is));
});

test("the organization's settings change", () => {
  const { organization } = projected([
    change("settings:organization", { can_create_groups: "role:owners", name: "role:x" }),
  ]);
  expect([organization.get("can_create_groups"), organization.has("name")]).toEqual(["role:owners", false]);
});

describe("an object that a plan creates", () => {
  const own = (field: string, implied?: true) => ({
    field,
    before: null,
    after: { groups: [], users: ["ada@acme.example"] },
    ...(implied === undefined ? {} : { implied }),
  });

  test("is a public channel of its creator, with the server's defaults", () => {
    const state = projected([
      creation("channel:new:one", [own("can_send_message_group", true), own("can_subscribe_group")]),
    ]);
    const channel = state.channel("new:one");
    expect({ ...channel, settings: undefined, subscribers: [...(channel?.subscribers ?? [])] }).toEqual({
      kind: "channel",
      name: "new:one",
      privacy: "public",
      archived: false,
      subscribers: [ADA],
      settings: undefined,
      implied: new Set(["can_send_message_group"]),
    });
    const creator = { groups: [], users: ["ada@acme.example"] };
    expect(channel?.settings.get("can_send_message_group")).toEqual(creator);
    expect(channel?.settings.get("can_administer_channel_group")).toEqual(creator);
    expect(channel?.settings.get("can_remove_subscribers_group")).toBe("role:administrators");
  });

  test("is a group without members, managed by its creator", () => {
    const group = projected([creation("user_group:crew", [])]).group("crew");
    expect({ ...group, settings: undefined, members: [...(group?.members ?? [0])] }).toEqual({
      kind: "user_group",
      name: "crew",
      members: [],
      subgroups: [],
      deactivated: false,
      settings: undefined,
    });
    expect(Object.fromEntries(group?.settings ?? [])).toMatchObject({
      can_manage_group: { groups: [], users: ["ada@acme.example"] },
      can_mention_group: "role:everyone",
    });
  });

  test.each<{ address: Address }>([{ address: "emoji:hall" }, { address: "linkifier:1" }])(
    "$address does not affect access",
    ({ address }) => {
      const realm = new Realm(realmOf({}));
      expect(newObject(address, realm, stateOf(realm))).toBeUndefined();
      expect([...projected([creation(address, [own("can_join_group")])]).channels()]).toHaveLength(1);
    },
  );

  test("has no settings if the reading does not have their defaults", () => {
    const realm = new Realm({ ...realmOf({}), permission_settings: null });
    expect(newObject("channel:x", realm, stateOf(realm))?.settings.size).toBe(0);
  });

  test("does not change before it exists", () =>
    expect(projected([change("channel:unknown", { privacy: "web_public" })]).channel("unknown")).toBeUndefined());
});

describe("an account that a plan changes", () => {
  test.each<{ what: string; changes: readonly Change[]; id: number; is: object | undefined }>([
    {
      what: "a value of `active` that is not a boolean",
      changes: [person(JANA, { deactivated: null })],
      id: JANA,
      is: { active: false },
    },
    {
      what: "the deactivation of its owner",
      changes: [person(DMITRI, { deactivated: true })],
      id: CI_BOT,
      is: { active: false },
    },
    {
      what: "a new owner, who stays when the previous one leaves",
      changes: [person(DMITRI, { deactivated: true }), person(CI_BOT, { owner: "elif@acme.example" }, "bot")],
      id: CI_BOT,
      is: { active: true, owner: ELIF },
    },
  ])("has $what", ({ changes, id, is }) => expect(projected(changes).account(id)).toMatchObject(is ?? {}));

  test("does not affect a bot whose owner is not in the reading", () => {
    const after = projected([person(ELIF, { deactivated: true })], {
      users: { "hook-bot@localhost": { bot_owner_id: 999 } },
    });
    expect([after.account(HOOK_BOT)?.active, after.account(ELIF)?.active]).toEqual([true, false]);
  });

  test("does not affect a bot whose owner was deactivated before", () => {
    const state = projected([person(ELIF, { role: "guest" })], {
      users: { "ben@acme.example": { is_active: false }, "ci-bot@localhost": { bot_owner_id: BEN } },
    });
    expect(state.account(CI_BOT)).toMatchObject({ owner: BEN, active: true });
  });

  test.each<{ value: Json; is: boolean }>([
    { value: "owner", is: true },
    { value: "toString", is: false },
    { value: 100, is: false },
  ])("$value is the word for a role: $is", ({ value, is }) => expect(isRole(value)).toBe(is));
});

describe("full members", () => {
  const joined: Overlay = {
    joined_days_ago: {
      "elif@acme.example": 5,
      "dmitri@acme.example": 3,
      "jana@acme.example": 5,
      "ivo@partner.example": 5,
    },
  };
  const waiting = (after: Json, more: readonly Change[] = []) =>
    projected([...more, change("settings:organization", { waiting_period_threshold: after })], joined).group(
      "role:fullmembers",
    )?.members;
  const among = [DMITRI, ELIF, IVO, JANA];

  test.each<{ days: Json; more?: readonly Change[]; people: readonly number[] }>([
    { days: "5d", more: [person(IVO, { role: "member" })], people: [ELIF, IVO, JANA] },
    { days: "5d", more: [person(ELIF, { role: "moderator" })], people: [JANA] },
  ])("after a waiting period of $days are $people", ({ days, more, people }) =>
    expect(among.filter((id) => waiting(days, more)?.has(id))).toEqual(people),
  );

  test("stay the same if the reading has no join dates, unless there is no waiting period", () => {
    const snapshot = realmOf({});
    const realm = new Realm({ ...snapshot, users: snapshot.users.map(({ date_joined: _, ...user }) => user) });
    const isMember = () => true;
    const isElif = (id: number) => id === ELIF;
    expect(fullMembersAfter(1, realm, isMember, isElif)).toEqual([ELIF]);
    expect(fullMembersAfter(0, realm, isMember, isElif)).toHaveLength(snapshot.users.length);
    const days = change("settings:organization", { waiting_period_threshold: "1d" });
    const state = stateOf(realm);
    const [moved] = movedByWaitingPeriod([days], realm, state);
    expect([...(moved?.members ?? [])]).toEqual(
      [...(state.group("role:fullmembers")?.members ?? [])].filter((id) => state.account(id)?.role === 400),
    );
    const users = snapshot.users.map(({ date_joined, ...user }) =>
      user.user_id === ELIF ? user : { ...user, date_joined },
    );
    // Invented people of rules have none, either: it stays theirs alone.
    const others = snapshot.users.map(({ user_id }) => user_id).filter((id) => id !== ELIF);
    expect(fullMembersAfter(1, new Realm({ ...snapshot, users }), isMember, () => false)).toEqual(others);
  });

  test("stay the same if another setting has a number of days", () => {
    const other = change("settings:organization", { other_setting: "none" });
    const realm = new Realm(realmOf(joined));
    expect(movedByWaitingPeriod([other], realm, stateOf(realm))).toEqual([]);
  });

  test("are counted from the time of the reading", () => {
    const { users, ...snapshot } = realmOf({});
    const date_joined = new Date(Date.parse(TAKEN_AT) - 86_400_000).toISOString();
    const realm = new Realm({ ...snapshot, users: users.map((user) => ({ ...user, date_joined })) });
    const never = () => false;
    expect(fullMembersAfter(1, realm, ({ user_id }) => user_id === ELIF, never)).toEqual([ELIF]);
    expect(fullMembersAfter(2, realm, () => true, never)).toEqual([]);
  });

  test("do not change on a server without this group", () => {
    const snapshot = realmOf({});
    const realm = new Realm({
      ...snapshot,
      user_groups: snapshot.user_groups.filter(({ name }) => name !== "role:fullmembers"),
    });
    const days = change("settings:organization", { waiting_period_threshold: "none" });
    expect(movedByWaitingPeriod([days], realm, stateOf(realm))).toEqual([]);
  });

  test.each([
    { written: "none", days: 0 },
    { written: "30d", days: 30 },
    { written: "3d or so", days: undefined },
    { written: "about 3d", days: undefined },
    { written: ["3d"], days: undefined },
  ])("$written is $days days", ({ written, days }) => expect(daysOf(written)).toBe(days));
});

test("the states before and after a plan are computed once", () => {
  const realm = new Realm(realmOf({ channels: [{ name: "hall" }] }));
  const changes = [change("channel:hall", { archived: true })];
  const context = { realm, changes };
  const access = accessIn(context);
  expect(accessIn(context)).toBe(access);
  expect([access.before.channel("hall")?.archived, access.after.channel("hall")?.archived]).toEqual([false, true]);
  expect([...access.changes]).toEqual([["channel:hall", changes[0]]]);
});

test("whether a setting names the account of the plan, directly or through its groups", () => {
  // Ada, an owner, who is in staff.
  const snapshot = realmOf({ settings: { can_create_groups: 10, can_manage_all_groups: 9 } });
  const state = stateOf(new Realm(snapshot));
  const context = { snapshot };
  const values = ["staff", "leads", { groups: [], users: ["ada@acme.example"] }, undefined];
  expect(values.map((value) => namesAccount(value, state, context))).toEqual([true, false, true, false]);
  const settings = ["can_create_groups", "can_manage_all_groups", "can_fly"];
  expect(settings.map((each) => organizationNamesAccount(each, state, context))).toEqual([true, false, false]);
});
