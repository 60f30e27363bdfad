import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import { change as changeOf } from "../../test/support/example-plans.ts";
import { toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import { botOfLeavingPerson } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import { type DraftCall, exists, inactive, released } from "../model/draft-call.ts";
import type { Json } from "../model/json.ts";
import type { MapKind } from "../model/kind.ts";
import type { Address, Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { aroundAccounts } from "./accounts-moving.ts";

const snapshot = realmOf({});
const realm = new Realm(snapshot);
const bot = snapshot.users.find(({ is_bot, bot_owner_id }) => is_bot && bot_owner_id !== null);
const OWNER = bot?.bot_owner_id ?? 0;
const [BEN, BEN_ADDRESS] = [7, "ben@acme.example"];

const people: MapKind = { ...toyKind({ inactivity: { field: "deactivated" } }), name: "person", isAccount: true };
const groups: MapKind = { ...toyKind({ inactivity: { field: "deactivated" } }), name: "group" };
const person: Address = "person:ben";
const group: Address = "group:crew";
const moving = (id: number | undefined, after: boolean, address: Address = person, kind = "person") => {
  const fields = [{ field: "deactivated", before: !after, after }];
  return changeOf({ action: "update", kind, address, name: "ben", ...defined({ id }), fields });
};
const members = (before: Json, after: Json) => {
  const other = { field: "other", before: [BEN_ADDRESS], after: [BEN_ADDRESS] };
  return changeOf({
    action: "update",
    kind: "group",
    name: "crew",
    fields: [{ field: "members", before, after }, other],
  });
};
const write = draftOf("write", group, ["members"]);
const leave = draftOf("leave", person, ["deactivated"], { provides: [inactive(person)] });
const come: DraftCall = { ...leave, operation: "come", provides: [exists(person)] };
const placed = (drafts: readonly DraftCall[], changes: readonly Change[], kinds = [people, groups]) =>
  aroundAccounts(drafts, { changes, realm }, kinds);

describe("requests that name accounts", () => {
  test("wait for one account and are sent before another, also if they are for an object that does not change", () => {
    const next: Address = "person:next";
    const both = { ...write, for: [...write.for, { address: "group:same", fields: ["members"] }] } as const;
    const changes = [
      members([BEN_ADDRESS], [realm.userName(8)]),
      moving(BEN, true),
      { ...moving(8, false, next), name: "next" },
    ];
    const [first, last] = placed([both, leave], changes);
    expect(first).toEqual({ ...both, needs: [exists(next)], provides: [released(person)] });
    expect(last?.needs).toEqual([released(person)]);
  });

  test("are sent before an account is deactivated if they name it by its address", () => {
    const named = { ...write, params: { principals: [BEN_ADDRESS] } };
    expect(placed([named, leave], [members([BEN_ADDRESS], []), moving(BEN, true)])[0]?.provides).toEqual([
      released(person),
    ]);
  });

  test("are sent before an account is deactivated only if they are about it: those that subscribe others are not", () => {
    const about = (id: number): DraftCall => ({ ...write, params: { principals: [id] } });
    expect(placed([about(8), about(BEN), leave], [members([BEN_ADDRESS], []), moving(BEN, true)])).toEqual([
      about(8),
      { ...about(BEN), provides: [released(person)] },
      { ...leave, needs: [released(person)] },
    ]);
  });

  describe("if the account is named before and after, and still deactivated", () => {
    const kept = members([BEN_ADDRESS], [BEN_ADDRESS]);
    const expecting = (field: string, value: Json): DraftCall => ({
      ...write,
      expects: [
        { address: group, field: "other", value: [] },
        { address: group, field, value },
      ],
    });

    test("are sent before only if they expect the account in this value", () => {
      const expected = expecting("members", [BEN_ADDRESS]);
      expect(placed([expected, leave], [kept, moving(BEN, true)])).toEqual([
        { ...expected, provides: [released(person)] },
        { ...leave, needs: [released(person)] },
      ]);
    });

    test.each([
      { about: "another value", draft: expecting("members", ["ada@acme.example"]) },
      { about: "the account in another field", draft: expecting("topic", [BEN_ADDRESS]) },
    ])("do not change if they expect $about", ({ draft }) =>
      expect(placed([draft, leave], [kept, moving(BEN, true)])).toEqual([draft, leave]),
    );
  });

  test("find the account also if it is not the only field that changes", () => {
    const change = moving(BEN, false);
    const both = { ...change, fields: [{ field: "role", before: 1, after: 2 }, ...change.fields] };
    expect(placed([write], [members([], [BEN_ADDRESS]), both])).toEqual([{ ...write, needs: [exists(person)] }]);
  });

  test("are sent before a bot that can be deactivated ahead of its owner, if they remove its own name", () => {
    const id = bot?.user_id ?? 0;
    const ahead = (user: number): DraftCall => ({
      ...leave,
      operation: "end",
      provides: [inactive(botOfLeavingPerson(user))],
    });
    const owner = { ...leave, riders: [ahead(id), ahead(0)] };
    const [, last] = placed([write, owner], [members([realm.userName(id)], []), moving(OWNER, true)]);
    expect(last).toEqual({
      ...owner,
      needs: [released(person)],
      riders: [{ ...ahead(id), needs: [released(botOfLeavingPerson(id))] }, ahead(0)],
    });
    // A request that removes only the owner's name does not hold the bot back.
    const [, other] = placed([write, owner], [members([realm.userName(OWNER)], []), moving(OWNER, true)]);
    expect(other?.riders).toEqual(owner.riders);
  });

  test("get the dependency in each of their alternatives", () => {
    const split = { ...write, alternatives: [[write, come]] };
    expect(placed([split], [members([], [BEN_ADDRESS]), moving(BEN, false)])).toEqual([
      { ...split, needs: [exists(person)], alternatives: [[{ ...write, needs: [exists(person)] }, come]] },
    ]);
  });

  const same = (drafts: readonly DraftCall[], changes: readonly Change[], kinds?: MapKind[]) =>
    expect(placed(drafts, changes, kinds)).toEqual(drafts);
  test.each([
    {
      about: "the reactivated account was named only before",
      changes: [members([BEN_ADDRESS], []), moving(BEN, false)],
    },
    {
      about: "the object is not an account",
      changes: [members([], [BEN_ADDRESS]), moving(BEN, false, "group:x", "group")],
    },
    { about: "no request deactivates the account", changes: [members([BEN_ADDRESS], []), moving(BEN, true)] },
  ])("do not change if $about", ({ changes }) => same([write], changes));

  test("do not wait for a change that they make themselves", () => {
    const own: Change = {
      ...moving(BEN, false),
      fields: [...moving(BEN, false).fields, { field: "owner", before: null, after: BEN_ADDRESS }],
    };
    const both = { ...come, for: [{ address: person, fields: ["deactivated", "owner"] }] };
    same([both], [own]);
    const left: Change = {
      ...moving(BEN, true),
      fields: [...moving(BEN, true).fields, { field: "owner", before: BEN_ADDRESS, after: null }],
    };
    same([{ ...leave, for: [{ address: person, fields: ["deactivated", "owner"] }] }], [left]);
  });
});
