import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { keyOf, type ResourceKind } from "../../src/model/kind.ts";
import { matchesWildcard } from "../../src/model/wildcard.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { adopted, one } from "./files.ts";

/** Kinds whose objects have the names of channels: a new name of a channel is a new name of theirs. */
const named = kinds.filter(
  ({ section, secrecy: { name } }) => section === "channels" || (typeof name !== "string" && name.of === "channel"),
);

interface Channel {
  readonly was: string;
  readonly name: string;
  readonly isDefault: boolean;
}

const NAMES = ["hall", "Hall 2", "lobby", "a*", "room", "rooms", "éclair", "x?"];
const channels = fc
  .tuple(fc.shuffledSubarray(NAMES, { minLength: 2 }), fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }))
  .map(([names, isDefault]) =>
    names.flatMap((was, index): readonly Channel[] => {
      // Each second name is the new one of the channel before it.
      const name = names[index + 1];
      return index % 2 === 1 || name === undefined ? [] : [{ was, name, isDefault: isDefault[index] === true }];
    }),
  );
const pattern = fc
  .tuple(
    fc.constantFrom(...named.flatMap(({ name, section }) => [name, section])),
    fc.constantFrom(...NAMES, "HALL", "*o*", "*", "h*"),
  )
  .map((parts) => parts.join(":"));

const isProtected = (kind: ResourceKind, name: string, patterns: readonly string[]): boolean =>
  patterns.some((each) => {
    const colon = each.indexOf(":");
    return (
      [kind.name, kind.section].includes(each.slice(0, colon)) &&
      matchesWildcard(keyOf(kind, each.slice(colon + 1)), keyOf(kind, name))
    );
  });

describe("protections of channels with another name on the server", () => {
  test("cover every object that they covered, or are reported, whatever the names and patterns are", async () => {
    expect(named.map(({ name }) => name)).toEqual(["channel", "default_channel"]);
    await fc.assert(
      fc.asyncProperty(channels, fc.array(pattern, { minLength: 1, maxLength: 4 }), async (all, patterns) => {
        const live = realmOf({
          channels: all.map(({ name }) => ({ name })),
          default_channels: all.flatMap(({ name, isDefault }) => (isDefault ? [name] : [])),
        });
        const items = all.map(({ was }, index) => `  ${JSON.stringify(was)}: {id: ${101 + index}}\n`);
        const defaults = all.flatMap(({ was, isDefault }) => (isDefault ? [was] : []));
        const text = `version: 1\nchannels:\n${items.join("")}default_channels: ${JSON.stringify(defaults)}\npolicy: {protect: ${JSON.stringify([...new Set(patterns)])}}\n`;
        const { files, unprotected } = await adopted(one(text), live);
        const after = /protect: (\[[^\]]*\])/.exec(files.get("realm.yaml") ?? "")?.[1] ?? "[]";
        const kept: readonly string[] = JSON.parse(after);
        for (const kind of named)
          for (const { was, name, isDefault } of all) {
            if (kind.name === "default_channel" && !isDefault) continue;
            const isReported = unprotected.some(
              (lost) => lost.to === name && isProtected(kind, was, [lost.pattern]) && !isProtected(kind, name, kept),
            );
            expect([kind.name, was, name, isProtected(kind, name, kept) || isReported]).toEqual([
              kind.name,
              was,
              name,
              isProtected(kind, name, kept) || isProtected(kind, was, patterns),
            ]);
          }
      }),
    );
  });

  test("a default channel has the name of its channel, and its protection follows", async () => {
    const live = realmOf({ channels: [{ name: "lobby" }], default_channels: ["lobby"] });
    const text =
      'version: 1\nchannels:\n  room: {id: 101}\ndefault_channels: [room]\npolicy: {protect: ["default_channel:room"]}\n';
    const { files, unprotected } = await adopted(one(text), live);
    expect(files.get("realm.yaml")).toBe(text.replaceAll("room", "lobby"));
    expect(unprotected).toEqual([]);
  });

  test("a default channel whose protection cannot follow is reported; a channel that is no default channel is not", async () => {
    const live = realmOf({ channels: [{ name: "lobby" }, { name: "hall" }], default_channels: ["lobby"] });
    const text =
      "version: 1\nchannels:\n  room: {id: 101}\n  roof: {id: 102}\ndefault_channels: [room]\npolicy: {protect: ['default_channel:ro*']}\n";
    expect((await adopted(one(text), live)).unprotected).toEqual([
      { pattern: "default_channel:ro*", name: "room", to: "lobby" },
    ]);
  });
});
