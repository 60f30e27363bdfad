import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import { change as changeOf } from "../../test/support/example-plans.ts";
import { realmOf } from "../../test/support/realm.ts";
import { ORGANIZATION } from "../access/scope.ts";
import { type DraftCall, exists, rightUsed, settingWritten } from "../model/draft-call.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { Realm } from "../model/realm.ts";
import { contextOf } from "./context.ts";
import { withRightsInTime } from "./own-rights.ts";

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
  const change = changeOf({
    action: "update",
    kind: "settings",
    address: ORGANIZATION,
    name: "organization",
    id: 0,
    fields,
  });
  const realms = { now, named: now, matchings: new Map() };
  return { ...contextOf({ manage: {}, sections: new Map(), warnings: [] }, realms, [], new Set()), changes: [change] };
}
const context = giving({ [LOST]: BEN, [GAINED]: ADA });

const draft = (operation: string, more: Partial<DraftCall> = {}) =>
  draftOf(operation, `thing:${operation}`, ["colour"], more);
const asks = (setting: string, more: Partial<DraftCall> = {}): DraftCall => draft("make", { uses: [setting], ...more });
const members = (params: DraftCall["params"], more: Partial<DraftCall> = {}): DraftCall =>
  draft("update-user-group-members", { params, ...more });
const inTime = (drafts: readonly DraftCall[], plan = context): readonly DraftCall[] => withRightsInTime(drafts, plan);
const settings = (fields: readonly string[], more: Partial<DraftCall> = {}): DraftCall =>
  draft("settings", { for: [{ address: ORGANIZATION, fields }], provides: fields.map(settingWritten), ...more });

const leaving = members({ delete: [ADA, BEN] });

describe("a request that takes a right from the account comes after the requests that use it", () => {
  const used = [rightUsed(LOST)];
  test.each<{ fact: string; last: DraftCall; waits?: Partial<DraftCall> }>([
    { fact: "a subgroup is removed", last: members({ delete_subgroups: [30] }), waits: { softNeeds: used } },
    { fact: "it is added", last: members({ add: [ADA] }) },
    { fact: "another request names the setting", last: draft("other", { params: { delete: [ADA] } }) },
    { fact: "another setting changes", last: settings([KEPT]) },
    { fact: "another object has such a field", last: draft("x", { for: [{ address: "thing:x", fields: [LOST] }] }) },
  ])("$fact", ({ last, waits = {} }) => {
    const [first, second] = inTime([asks(LOST), last]);
    expect(first?.provides).toEqual(used);
    expect(second).toMatchObject({ needs: [], ...waits });
    expect(second?.softNeeds).toEqual(waits.softNeeds);
  });

  test.each([
    { fact: "that it keeps", setting: KEPT },
    { fact: "that it never has", setting: NEVER },
  ])("but not for a right $fact", ({ setting }) => {
    const drafts = [asks(setting), leaving, settings([setting])];
    expect(inTime(drafts)).toBe(drafts);
  });
});

test("a request that uses a right which the plan gives needs the setting", () => {
  const [making, setting] = inTime([asks(GAINED, { needs: [exists("thing:a")] }), settings([GAINED])]);
  expect(making?.needs).toEqual([exists("thing:a"), settingWritten(GAINED)]);
  expect(setting?.needs).toEqual([]);
});

test("a request that adds accounts comes after all settings other than those whose right is still used", () => {
  const asked = { uses: [LOST] };
  const drafts = [draft("send-invites", asked), draft("make", asked), settings([LOST, KEPT])];
  const [inviting, making] = inTime(drafts, giving({ [LOST]: BEN, [KEPT]: ADA }));
  expect(inviting?.needs).toEqual([settingWritten(KEPT)]);
  expect(making?.needs).toEqual([]);
});

test("the parts of a request that could be split wait separately", () => {
  const whole = settings([LOST, KEPT], {
    alternatives: [[settings([KEPT]), settings([LOST])]],
    parts: [settings([KEPT]), settings([LOST])],
  });
  const [, split] = inTime([asks(LOST), whole]);
  expect(split?.needs).toEqual([rightUsed(LOST)]);
  expect(split?.alternatives?.[0]?.map(({ needs }) => needs)).toEqual([[], [rightUsed(LOST)]]);
  expect(split?.parts?.map(({ needs }) => needs)).toEqual([[], [rightUsed(LOST)]]);
});
