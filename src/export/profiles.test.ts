import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findProfiles, type ProfiledItem } from "./profiles.ts";

/** Field → value; permissions as `can_…`. Small, so that many channels share something. */
const settings = fc.dictionary(
  fc.constantFrom("privacy", "topics_policy", "can_send_message_group", "can_resolve_topics_group"),
  fc.constantFrom("a", "b", "c"),
);
const channels = fc.array(settings, { maxLength: 25 }).map((all) =>
  all.map((own, at): ProfiledItem => {
    const entries = Object.entries(own).sort();
    const permissions = Object.fromEntries(entries.filter(([field]) => field.startsWith("can_")));
    const others = Object.fromEntries(entries.filter(([field]) => !field.startsWith("can_")));
    const named = { description: `Channel ${at}`, ...others };
    return { name: `c${at}`, value: Object.keys(permissions).length === 0 ? named : { ...named, permissions } };
  }),
);

test("a profile is the shared part of two channels that saves the most lines, which is counted again after each profile", () =>
  fc.assert(
    fc.property(channels, (items) => {
      const found = findProfiles(items).map(({ fields, members }) => ({ lines: linesOf(fields), members }));
      expect(found.map(({ members }) => [...members].sort())).toEqual(slowly(items));
      expect(found.every(({ lines, members }) => lines.size > 0 && members.size > 2)).toBe(true);
    }),
    { numRuns: 200 },
  ));

test("if there are too many bundles to compare all, the most frequent ones are compared", () => {
  const pair = (n: number, each: number): ProfiledItem => ({
    name: `c${n}-${each}`,
    value: { privacy: `p${n}`, topics_policy: `t${n}` },
  });
  const alone = Array.from({ length: 300 }, (_, n) => pair(n, 0));
  const often = Array.from({ length: 5 }, (_, each) => pair(299, each + 1));
  expect(findProfiles([...alone, ...often]).map(({ fields, members }) => [fields, members.size])).toEqual([
    [{ privacy: "p299", topics_policy: "t299" }, 6],
  ]);
});

test("settings that no two remaining channels share exactly do not become a profile", () => {
  const fields = (letters: string) => Object.fromEntries([...letters].map((letter) => [letter, 1]));
  const large = { one: "bcdefghi", other: "BCDEFGHI" };
  // The three remaining channels share u, v and w, but no two of them share only these.
  const written = [`uvw${large.one}`, large.one, large.one, `uvw${large.other}`, large.other, large.other];
  const items = [...written, "uvwpq", "uvwqr", "uvwpr"].map((letters, at) => ({
    name: `c${at}`,
    value: fields(letters),
  }));
  const found = findProfiles(items).map(({ members }) => [...members].sort());
  expect(found).toEqual(slowly(items));
  expect(found.map((members) => members.join())).toEqual(expect.arrayContaining(["c0,c1,c2", "c3,c4,c5"]));
  expect(found).toHaveLength(2);
});

/** The number of lines of a file without profiles. */
function linesOf({ description: _, ...fields }: ProfiledItem["value"]): ReadonlySet<string> {
  const { permissions = {}, ...others } = fields;
  const under = (prefix: string, values: object) =>
    Object.entries(values).map(([field, value]) => JSON.stringify([...(prefix === "" ? [] : [prefix]), field, value]));
  return new Set([...under("", others), ...under("permissions", Object(permissions))]);
}

/** The members of each profile, by comparing every pair again for each profile. */
function slowly(items: readonly ProfiledItem[]): readonly (readonly string[])[] {
  const open = new Map(items.map(({ name, value }) => [name, linesOf(value)]));
  const found: (readonly string[])[] = [];
  for (;;) {
    const candidates = new Map<string, number>();
    for (const one of open.values())
      for (const other of open.values()) {
        const shared = [...one].filter((line) => other.has(line)).sort();
        if (shared.length > 0) candidates.set(shared.join("\u0000"), saved(shared, open));
      }
    const [best] = [...candidates].sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1));
    if (best === undefined || best[1] <= 0) return found;
    const members = [...open].filter(([, lines]) => best[0].split("\u0000").every((line) => lines.has(line)));
    for (const [name] of members) open.delete(name);
    found.push(members.map(([name]) => name).sort());
  }
}

const isPermission = (line: string): boolean => line.startsWith('["permissions",');

function saved(shared: readonly string[], open: ReadonlyMap<string, ReadonlySet<string>>): number {
  const permissions = shared.filter(isPermission).length;
  const members = [...open.values()].filter((lines) => shared.every((line) => lines.has(line)));
  if (members.length < 3) return 0;
  const inChannels = members.map((lines) => {
    const hasNoOthers = permissions > 0 && [...lines].filter(isPermission).length === permissions;
    return shared.length + (hasNoOthers ? 1 : 0) - 1;
  });
  return inChannels.reduce((sum, lines) => sum + lines, 0) - shared.length - 1 - (permissions > 0 ? 1 : 0);
}
