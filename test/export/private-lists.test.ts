import { expect, test } from "vitest";
import { planFiles } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { Realm } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
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
        .filter(({ invite_only, is_archived }) => invite_only && !is_archived)
        .flatMap(({ stream_id, name }) => {
          const now = snapshot.subscribers?.[String(stream_id)] ?? [];
          const others = snapshot.users.filter(({ user_id, is_active }) => is_active && !now.includes(user_id));
          return others.map(({ user_id }) => ({ stream_id, name, now, user_id }));
        });
      const chosen = chances[choice % Math.max(chances.length, 1)];
      fc.pre(chosen !== undefined);
      const { stream_id, name, now, user_id } = chosen;
      const subscribers = { ...snapshot.subscribers, [String(stream_id)]: [...now, user_id] };
      const { fields } = await changesOf(files, { ...snapshot, subscribers });
      const active = realm.namesOfActive(now).length;
      expect(fields).toEqual([[`channel:${name}`, "subscribers", [realm.userName(user_id)], active]]);
      made += 1;
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  );
  expect(made).toBeGreaterThan(0);
});
