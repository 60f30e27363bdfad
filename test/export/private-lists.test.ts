import { expect, test } from "vitest";
import { planFiles } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { Realm } from "../../src/model/realm.ts";
import type { Snapshot, SnapshotChannel } from "../../src/model/snapshot.ts";
import { listed } from "../../src/model/texts.ts";
import { RUNS } from "../properties/arbitrary.ts";
import { together } from "../properties/together.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";

const changesOf = async (files: ReadonlyMap<string, string>, snapshot: Snapshot) => {
  const { changes, warnings } = must(await planFiles(files, "realm.yaml", { snapshot, kinds }));
  const fields = changes.flatMap(({ address, fields: own }) =>
    own.map(({ field, before, after }) => {
      const kept = new Set(listed(after));
      return [address, field, listed(before).filter((name) => !kept.has(name)), listed(after).length];
    }),
  );
  return { fields, named: warnings.filter(({ code }) => code === "channels/unlisted") };
};

test("an export names everybody who reads a private channel, and somebody whom a person subscribes by hand is the only difference", async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(together, fc.nat(), async ({ overlay }, choice) => {
      const snapshot = await new World(realmOf(overlay)).read();
      const { files } = await exportRealm({
        snapshot,
        kinds,
        sections: ["user_groups", "channel_folders", "channels"],
      });
      expect(await changesOf(files, snapshot)).toEqual({ fields: [], named: [] });
      const realm = new Realm(snapshot);
      const chances = snapshot.channels
        .filter(({ invite_only }) => invite_only)
        .flatMap(({ stream_id, name, is_archived }) => {
          const now = snapshot.subscribers?.[String(stream_id)] ?? [];
          const others = snapshot.users.filter(({ user_id, is_active }) => is_active && !now.includes(user_id));
          return others.map(({ user_id }) => ({ stream_id, name, is_archived, now, user_id }));
        });
      const chosen = chances[choice % Math.max(chances.length, 1)];
      fc.pre(chosen !== undefined);
      const { stream_id, name, is_archived, now, user_id } = chosen;
      const subscribers = { ...snapshot.subscribers, [String(stream_id)]: [...now, user_id] };
      const { fields, named } = await changesOf(files, { ...snapshot, subscribers });
      const active = realm.namesOfActive(now).length;
      expect(fields).toEqual(
        is_archived ? [] : [[`channel:${name}`, "subscribers", [realm.userName(user_id)], active]],
      );
      expect(named).toHaveLength(is_archived ? 1 : 0);
      made += 1;
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  );
  expect(made).toBeGreaterThan(0);
});

const MEMBERS = 14;
const OPENINGS: readonly Partial<SnapshotChannel>[] = [
  { invite_only: false, history_public_to_subscribers: true },
  { invite_only: false, is_web_public: true, history_public_to_subscribers: true },
  { can_subscribe_group: MEMBERS },
  { can_add_subscribers_group: MEMBERS },
  { can_administer_channel_group: MEMBERS },
];

test(
  "what opens a channel by hand differs from the file that `init` wrote, also if the channel is archived",
  async () => {
    const seen = { used: 0, archived: 0 };
    await fc.assert(
      fc.asyncProperty(together, fc.nat(), fc.constantFrom(...OPENINGS), async ({ overlay }, choice, opening) => {
        const from = realmOf({ ...overlay, settings: { ...overlay.settings, enable_spectator_access: true } });
        const snapshot = await new World(from).read();
        const { files } = await exportRealm({
          snapshot,
          kinds,
          sections: ["user_groups", "channel_folders", "channels"],
          unset: true,
        });
        expect(must(await planFiles(files, "realm.yaml", { snapshot, kinds })).changes).toEqual([]);
        const chances = snapshot.channels.filter(
          (channel) =>
            !channel.is_web_public &&
            (channel.invite_only || opening.is_web_public === true) &&
            Object.entries(opening).some(([field, value]) => channel[field] !== value),
        );
        const chosen = chances[choice % Math.max(chances.length, 1)];
        fc.pre(chosen !== undefined);
        const channels = snapshot.channels.map((channel) =>
          channel === chosen ? { ...channel, ...opening } : channel,
        );
        const { changes } = must(await planFiles(files, "realm.yaml", { snapshot: { ...snapshot, channels }, kinds }));
        expect(changes).toEqual([
          expect.objectContaining({ address: `channel:${chosen.name}`, fields: [expect.anything()] }),
        ]);
        seen[chosen.is_archived ? "archived" : "used"] += 1;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  },
  60_000 + RUNS * 500,
);
