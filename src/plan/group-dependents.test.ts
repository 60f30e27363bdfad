import { describe, expect, test } from "vitest";
import { Population } from "../access/people.ts";
import { groupAddress } from "../access/scope.ts";
import type { AccessPart } from "../access/state.ts";
import type { Address } from "../model/plan.ts";
import type { GroupValue } from "../model/realm.ts";
import { GroupDependents } from "./group-dependents.ts";

const g = groupAddress;
const HALL: Address = "channel:hall";
const settings = (...values: readonly GroupValue[]) =>
  new Map(values.map((value, index) => [`setting-${index}`, value]));
const channel = (...values: readonly GroupValue[]): AccessPart => ({
  kind: "channel",
  name: "hall",
  privacy: "public",
  archived: false,
  settings: settings(...values),
  subscribers: undefined,
});
const group = (name: string, subgroups: readonly string[], ...values: readonly GroupValue[]): AccessPart => ({
  kind: "user_group",
  name,
  deactivated: false,
  members: new Population([]).nobody,
  subgroups: [...subgroups],
  settings: settings(...values),
});
const dependentsOf = (...objects: readonly (readonly [Address, AccessPart | undefined])[]): GroupDependents => {
  const found = new GroupDependents();
  for (const [address, object] of objects) found.add(address, object);
  return found;
};

describe("dependencies of rights", () => {
  // top contains middle, middle contains low; the hall names middle and staff, and low is managed by boss.
  const made = () =>
    dependentsOf(
      [HALL, channel("middle", { groups: ["staff"], users: ["ada@example.org"] })],
      [g("top"), group("top", ["middle"])],
      [g("middle"), group("middle", ["low"])],
      [g("low"), group("low", [], "boss")],
      [g("gone"), undefined],
    );

  test("an object, and all objects whose rights depend on it", () => {
    const all = made();
    const around = (groups: readonly string[]) => all.groupsAround(groups);
    expect([...all.of([g("low")], around)].sort()).toEqual([HALL, g("low"), g("middle"), g("top")].sort());
    expect([...all.of([g("staff")], around)].sort()).toEqual([HALL, g("staff")].sort());
    expect([...all.of([g("boss")], around)].sort()).toEqual([g("boss"), g("low")].sort());
    // Nothing depends on a channel.
    for (const one of [HALL, "channel:my-staff"] as const) expect([...all.of([one], around)]).toEqual([one]);
  });

  test("an object, and all groups that its rights depend on", () => {
    const all = made();
    expect([...all.withGroupsOf([HALL])].sort()).toEqual([HALL, g("middle"), g("low"), g("staff")].sort());
    expect([...all.withGroupsOf([g("low")])].sort()).toEqual([g("boss"), g("low")].sort());
    expect([...all.withGroupsOf([g("gone")])]).toEqual([g("gone")]);
  });
});
