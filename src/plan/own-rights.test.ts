import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { ORGANIZATION } from "../access/scope.ts";
import { type Dependency, exists, written } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { Realm } from "../model/realm.ts";
import { contextOf } from "./context.ts";
import { beforeRightsGo } from "./own-rights.ts";

// Ada is the account that reads: she loses one right, keeps one, gains one, and never has the last.
const ADA = 6;
const BEN = 7;
const named = (person: number) => ({ direct_members: [person], direct_subgroups: [] });
const now = new Realm(
  realmOf({
    settings: {
      can_create_groups: named(ADA),
      can_invite_users_group: named(ADA),
      can_add_custom_emoji_group: named(BEN),
    },
  }),
);
const [LOST, KEPT, GAINED, NEVER] = [
  "can_create_groups",
  "can_invite_users_group",
  "can_add_custom_emoji_group",
  "can_fly_group",
];
/** A plan that gives settings of the organization to one person each. */
function giving(people: { readonly [setting: string]: number }): PlanContext {
  const fields = Object.entries(people).map(([field, person]) => ({
    field,
    before: null,
    after: { groups: [], users: [now.userName(person)] },
  }));
  const change: Change = {
    kind: "settings",
    address: ORGANIZATION,
    name: "organization",
    action: "update",
    id: 0,
    fields,
    risks: [],
  };
  const realms = { now, named: now, matchings: new Map() };
  return { ...contextOf({ manage: {}, sections: new Map(), warnings: [] }, realms, [], new Set()), changes: [change] };
}
const context = giving({ [LOST]: BEN, [GAINED]: ADA });

const draft = (operation: string, more: Partial<DraftCall> = {}): DraftCall => ({
  operation,
  path: {},
  params: {},
  for: [{ address: `thing:${operation}`, fields: ["colour"] }],
  ...more,
});
const asks = (setting: string, more: Partial<DraftCall> = {}): DraftCall => draft("make", { uses: [setting], ...more });
const members = (params: DraftCall["params"], more: Partial<DraftCall> = {}): DraftCall =>
  draft("update-user-group-members", { params, ...more });
const softNeeds = (drafts: readonly DraftCall[]): readonly (readonly Dependency[] | undefined)[] =>
  beforeRightsGo(drafts, context).map((each) => each.softNeeds);

const leaving = members({ delete: [ADA, BEN] });

describe("a request that takes the account out of groups waits for the requests that need the account's right", () => {
  test.each<{ fact: string; last: DraftCall; waits: boolean }>([
    { fact: "it is removed itself", last: leaving, waits: true },
    { fact: "a subgroup is removed", last: members({ delete_subgroups: [30] }), waits: true },
    { fact: "others are removed", last: members({ delete: [BEN] }), waits: false },
    { fact: "it is added", last: members({ add: [ADA] }), waits: false },
    { fact: "another request names the setting", last: draft("other", { params: { delete: [ADA] } }), waits: false },
    {
      fact: "the setting itself changes",
      last: draft("settings", { for: [{ address: ORGANIZATION, fields: [LOST] }] }),
      waits: true,
    },
    {
      fact: "another setting changes",
      last: draft("settings", { for: [{ address: ORGANIZATION, fields: [KEPT] }] }),
      waits: false,
    },
    {
      fact: "another object has such a field",
      last: draft("x", { for: [{ address: "thing:x", fields: [LOST] }] }),
      waits: false,
    },
  ])("$fact: $waits", ({ last, waits }) =>
    expect(softNeeds([asks(LOST), last])).toEqual([undefined, waits ? [written("thing:make")] : undefined]),
  );

  test.each([
    { fact: "that it keeps", setting: KEPT },
    { fact: "that it gets", setting: GAINED },
    { fact: "that it never has", setting: NEVER },
  ])("but not for a right $fact", ({ setting }) => {
    const drafts = [asks(setting), leaving];
    expect(beforeRightsGo(drafts, context)).toBe(drafts);
    // A right that it loses does not affect others.
    expect(softNeeds([asks(setting), asks(LOST, { creates: ["thing:new"] }), leaving])[2]).toEqual([
      exists("thing:new"),
    ]);
  });
});

test("the request that takes rights away waits until created objects exist and changed ones are written", () => {
  const making = asks(LOST, { creates: ["thing:a", "thing:b"] });
  const changing = asks(LOST, {
    for: [
      { address: "thing:c", fields: [] },
      { address: "thing:d", fields: [] },
    ],
  });
  const waiting = [exists("thing:a"), exists("thing:b"), written("thing:c"), written("thing:d")];
  expect(softNeeds([making, changing, leaving])[2]).toEqual(waiting);
  // The other dependencies of the request stay.
  const other = exists("thing:other");
  expect(softNeeds([making, changing, { ...leaving, softNeeds: [other] }])[2]).toEqual([other, ...waiting]);
});

test("a setting that changes waits for requests that need this setting, and not for those that need another", () => {
  const losingTwo = giving({ [LOST]: BEN, [KEPT]: BEN });
  const first = asks(LOST, { creates: ["thing:a"] });
  const second = asks(KEPT, { creates: ["thing:b"] });
  const setting = draft("settings", { for: [{ address: ORGANIZATION, fields: [KEPT] }] });
  expect(beforeRightsGo([first, second, setting], losingTwo)[2]?.softNeeds).toEqual([exists("thing:b")]);
});

test("a setting that changes, but not for the account, waits for nothing", () => {
  const setting = draft("settings", { for: [{ address: ORGANIZATION, fields: [KEPT] }] });
  expect(softNeeds([asks(LOST), asks(KEPT), setting])).toEqual([undefined, undefined, undefined]);
});

test("the parts of a request that could be split wait separately", () => {
  const joining = members({ add: [BEN] });
  const whole = members(
    { add: [BEN], delete: [ADA] },
    { alternatives: [[joining, leaving]], parts: [joining, leaving] },
  );
  const [, split] = beforeRightsGo([asks(LOST), whole], context);
  const waiting = [written("thing:make")];
  expect(split?.softNeeds).toEqual(waiting);
  expect(split?.alternatives).toEqual([[joining, { ...leaving, softNeeds: waiting }]]);
  expect(split?.parts).toEqual([joining, { ...leaving, softNeeds: waiting }]);
});

test("a request without dependencies stays as it is", () => {
  const drafts = [asks(LOST), draft("other")];
  expect(beforeRightsGo(drafts, context)).toEqual(drafts);
});
