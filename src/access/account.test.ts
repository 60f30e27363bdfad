import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import { type AccessAccount, type Accounts, AccountTable, roleGroupsOf, withAccounts } from "./account.ts";
import { stateOf } from "./state.ts";

const [ADA, BEN, CHIARA, DMITRI, ELIF, IVO, JANA, KOFI] = [6, 7, 8, 9, 10, 14, 15, 16];
const [DEPLOY_BOT, CI_BOT, HOOK_BOT] = [17, 18, 19];
const member = (id: number, is: Partial<AccessAccount> = {}): AccessAccount => ({
  id,
  role: ROLE.member,
  active: true,
  full: true,
  ...is,
});

describe("the role groups that an account is a direct member of", () => {
  test.each([
    { who: "a member who still waits", role: ROLE.member, full: false, groups: ["role:members"] },
    { who: "somebody with a role that only a later server knows", role: 450, full: true, groups: [] },
  ])("$who", ({ role, full, groups }) => expect(roleGroupsOf({ role, full })).toEqual(groups));
});

describe("the accounts of a reading", () => {
  // Elif is the only member whose waiting period is over, and Chiara, a moderator, needs none.
  const base = realmOf({});
  const snapshot = {
    ...base,
    user_groups: base.user_groups.map((group) =>
      group.name === "role:fullmembers" ? { ...group, members: [ELIF] } : group,
    ),
  };
  const table = AccountTable.in(new Realm(snapshot));

  test.each<{ who: string; id: number; is: AccessAccount | undefined }>([
    { who: "a member who still waits", id: DMITRI, is: member(DMITRI, { full: false }) },
    { who: "an owner, who never waits", id: ADA, is: member(ADA, { role: ROLE.owner }) },
    { who: "nobody", id: 999, is: undefined },
  ])("$who", ({ id, is }) => {
    const found = table.get(id);
    expect(found).toEqual(is);
    expect(Object.keys(found ?? {})).toEqual(Object.keys(is ?? {}));
  });

  test.each<{ who: string; id: number; full: boolean }>([
    { who: "a guest who joined within the waiting period", id: IVO, full: false },
    { who: "a moderator who joined before", id: CHIARA, full: true },
  ])("$who is a full member as a member: $full", ({ id, full }) => {
    const young = realmOf({
      settings: { waiting_period_threshold: 30 },
      joined_days_ago: { "ivo@partner.example": 29, "chiara@acme.example": 30, "jana@acme.example": 7 },
    });
    expect(AccountTable.in(new Realm(young)).get(id)?.full).toBe(full);
    // Nobody waits without a period, and nobody is said to if the reading does not say when they joined.
    const ageless = { ...young, users: young.users.map(({ date_joined: _, ...user }) => user) };
    expect(AccountTable.in(new Realm(ageless)).get(id)?.full).toBe(true);
    const none = realmOf({
      joined_days_ago: { "ivo@partner.example": 1, "chiara@acme.example": 1, "jana@acme.example": 1 },
    });
    expect(AccountTable.in(new Realm(none)).get(id)?.full).toBe(true);
  });

  test("every member is a full member if the reading has no group of full members", () => {
    const without = {
      ...snapshot,
      user_groups: snapshot.user_groups.filter(({ name }) => name !== "role:fullmembers"),
    };
    expect(AccountTable.in(new Realm(without)).get(DMITRI)?.full).toBe(true);
  });
});

describe("a table of accounts", () => {
  const listed = AccountTable.of([member(ADA, { role: ROLE.owner }), member(BEN), member(KOFI, { role: ROLE.owner })]);
  const promoted = member(BEN, { role: ROLE.owner });
  const demoted = member(KOFI);

  test.each([
    { tables: "a list", read: listed },
    { tables: "a reading", read: AccountTable.in(new Realm(realmOf({}))) },
  ])("$tables: an account has the changed values, and its copies have the previous ones", ({ read }) => {
    const table = read.copy();
    table.set(promoted);
    const copy = table.copy();
    copy.set(demoted);
    expect([read, table, copy].map((each) => [...each.owners()])).toEqual([
      [ADA, KOFI],
      [ADA, KOFI, BEN],
      [ADA, BEN],
    ]);
    expect([read.get(BEN)?.role, table.get(BEN), copy.get(BEN), copy.get(KOFI)]).toEqual([
      read.get(BEN)?.role,
      promoted,
      promoted,
      demoted,
    ]);
    expect(read.get(BEN)).not.toEqual(promoted);
  });
});

describe("the sets of people after one account changed", () => {
  const base = realmOf({});
  const users = base.users.map((user) => (user.user_id === HOOK_BOT ? { ...user, is_active: false } : user));
  const { accounts, population } = stateOf(new Realm({ ...base, users }));
  const SETS = ["everybody", "members", "guests", "administrators", "bots"] as const;
  const setsOf = (all: Accounts, id: number) => [
    ...SETS.filter((set) => all[set].has(id)),
    ...(all.owners.has(id) ? [`owned by ${all.owners.get(id)}`] : []),
  ];
  const bot = member(CI_BOT, { owner: DMITRI });

  test.each<{ change: string; account: AccessAccount; sets: readonly string[] }>([
    { change: "a member becomes a guest", account: member(ELIF, { role: ROLE.guest }), sets: ["everybody", "guests"] },
    {
      change: "a member becomes an administrator",
      account: member(ELIF, { role: ROLE.administrator }),
      sets: ["everybody", "members", "administrators"],
    },
    {
      change: "a bot loses its owner and is still a bot",
      account: member(DEPLOY_BOT),
      sets: ["everybody", "members", "bots"],
    },
  ])("$change", ({ account, sets }) => {
    const after = withAccounts(accounts, [account], population);
    expect(setsOf(after, account.id)).toEqual(sets);
    const others = (all: Accounts) => SETS.map((set) => [...all[set]].filter((id) => id !== account.id));
    expect(others(after)).toEqual(others(accounts));
    for (const [id, owner] of accounts.owners) if (id !== account.id) expect(after.owners.get(id)).toBe(owner);
  });

  test("the map of owners stays the same object while no bot gets another owner, because results are cached by it", () => {
    const inactive = member(90, { active: false, owner: ADA });
    const same = withAccounts(accounts, [bot, member(ELIF, { role: ROLE.guest }), inactive], population);
    expect(same.owners).toBe(accounts.owners);
    const other = withAccounts(accounts, [bot, { ...inactive, active: true }], population);
    expect([other.owners.get(bot.id), other.owners.get(90)]).toEqual([DMITRI, ADA]);
  });
});

describe("the bots of an account", () => {
  const bot = (id: number, is: Partial<AccessAccount> = {}): AccessAccount => member(id, { owner: BEN, ...is });
  const listed = AccountTable.of([
    member(BEN),
    member(KOFI),
    bot(DEPLOY_BOT),
    bot(CI_BOT, { owner: KOFI }),
    bot(JANA, { active: false }),
  ]);
  const NEW_BOT = 90;
  const botsOf = (table: AccountTable, owner: number): readonly number[] => table.botsOf(owner).map(({ id }) => id);

  test("a bot that gets another owner, that is new, or that is deactivated", () => {
    const table = listed.copy();
    table.set(bot(DEPLOY_BOT, { owner: KOFI }));
    expect([botsOf(table, BEN), botsOf(table, KOFI)]).toEqual([[], [CI_BOT, DEPLOY_BOT]]);
    table.set(bot(NEW_BOT, { owner: KOFI }));
    table.set(bot(CI_BOT, { owner: KOFI, active: false }));
    expect(botsOf(table, KOFI)).toEqual([DEPLOY_BOT, NEW_BOT]);
    table.set(member(NEW_BOT));
    expect(botsOf(table, KOFI)).toEqual([DEPLOY_BOT]);
  });

  test("a copy has the bots that its original was given, and a later change of either leaves the other as it was", () => {
    const table = listed.copy();
    table.set(bot(DEPLOY_BOT, { owner: KOFI }));
    const copy = table.copy();
    copy.set(bot(NEW_BOT, { owner: KOFI }));
    table.set(bot(NEW_BOT, { owner: BEN }));
    expect([table, copy].map((each) => botsOf(each, KOFI))).toEqual([
      [CI_BOT, DEPLOY_BOT],
      [CI_BOT, DEPLOY_BOT, NEW_BOT],
    ]);
    expect([listed, table, copy].map((each) => botsOf(each, BEN))).toEqual([[DEPLOY_BOT], [NEW_BOT], []]);
  });
});
