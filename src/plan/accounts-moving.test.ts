import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { exists, inactive, letGo } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Json } from "../model/json.ts";
import type { MapKind } from "../model/kind.ts";
import type { Address, Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { aroundAccounts } from "./accounts-moving.ts";
import { toyKind } from "./toy-kind.ts";

const snapshot = realmOf({});
const realm = new Realm(snapshot);
const bot = snapshot.users.find(({ is_bot, bot_owner_id }) => is_bot && bot_owner_id !== null);
const OWNER = bot?.bot_owner_id ?? 0;
const [BEN, BEN_ADDRESS] = [7, "ben@acme.example"];

const people: MapKind = { ...toyKind({ inactivity: { field: "deactivated" } }), name: "person", isAccount: true };
const groups: MapKind = { ...toyKind({ inactivity: { field: "deactivated" } }), name: "group" };
const person: Address = "person:ben";
const group: Address = "group:crew";
const moving = (id: number | undefined, after: boolean, address: Address = person, kind = "person"): Change => ({
  action: "update",
  kind,
  address,
  name: "ben",
  ...(id === undefined ? {} : { id }),
  fields: [{ field: "deactivated", before: !after, after }],
  risks: [],
});
const members = (before: Json, after: Json): Change => ({
  action: "update",
  kind: "group",
  address: group,
  name: "crew",
  fields: [
    { field: "members", before, after },
    { field: "other", before: [BEN_ADDRESS], after: [BEN_ADDRESS] },
  ],
  risks: [],
});
const write: DraftCall = { operation: "write", path: {}, params: {}, for: [{ address: group, fields: ["members"] }] };
const leave: DraftCall = {
  operation: "leave",
  path: {},
  params: {},
  for: [{ address: person, fields: ["deactivated"] }],
  provides: [inactive(person)],
};
const come: DraftCall = { ...leave, operation: "come", provides: [exists(person)] };
const placed = (drafts: readonly DraftCall[], changes: readonly Change[], kinds = [people, groups]) =>
  aroundAccounts(drafts, { changes, realm }, kinds);

describe("requests that name accounts", () => {
  test("wait for an account that is reactivated", () =>
    expect(placed([write, come], [members([], [BEN_ADDRESS]), moving(BEN, false)])).toEqual([
      { ...write, needs: [exists(person)] },
      come,
    ]));

  test("keep their other dependencies", () => {
    const waiting = { ...write, needs: [exists("group:other")] };
    expect(placed([waiting], [members([], [BEN_ADDRESS]), moving(BEN, false)])).toEqual([
      { ...waiting, needs: [exists("group:other"), exists(person)] },
    ]);
  });

  test("are sent before an account is deactivated", () =>
    expect(placed([write, leave], [members([BEN_ADDRESS], []), moving(BEN, true)])).toEqual([
      { ...write, provides: [letGo(person)] },
      { ...leave, needs: [letGo(person)] },
    ]));

  test("keep what they provide and what they wait for", () => {
    const writing = { ...write, provides: [exists(group)] };
    const leaving = { ...leave, needs: [exists("group:other")] };
    expect(placed([writing, leaving], [members([BEN_ADDRESS], []), moving(BEN, true)])).toEqual([
      { ...writing, provides: [exists(group), letGo(person)] },
      { ...leaving, needs: [exists("group:other"), letGo(person)] },
    ]);
  });

  test("are sent before the owner of a bot that is deactivated with its owner", () => {
    const name = bot === undefined ? "" : realm.userName(bot.user_id);
    expect(placed([write, leave], [members([name], []), moving(OWNER, true)])[1]).toEqual({
      ...leave,
      needs: [letGo(person)],
    });
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
    { about: "nobody comes or leaves", changes: [members([], [BEN_ADDRESS])] },
    { about: "who comes back is named before only", changes: [members([BEN_ADDRESS], []), moving(BEN, false)] },
    { about: "another comes back", changes: [members([], [BEN_ADDRESS]), moving(8, false)] },
    { about: "one without an id", changes: [members([], [BEN_ADDRESS]), moving(undefined, false)] },
    { about: "no account", changes: [members([], [BEN_ADDRESS]), moving(BEN, false, "group:x", "group")] },
    {
      about: "another field of the account",
      changes: [
        members([], [BEN_ADDRESS]),
        { ...moving(BEN, false), fields: [{ field: "role", before: true, after: false }] },
      ],
    },
    { about: "one who leaves, by no request", changes: [members([BEN_ADDRESS], []), moving(BEN, true)] },
  ])("are as they were where $about", ({ changes }) => same([write], changes));

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

  test("do not wait if no request removes the deactivated account from a value", () =>
    same([write, leave], [members([], []), moving(BEN, true)]));
});
