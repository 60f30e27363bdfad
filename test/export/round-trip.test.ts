import { expect, test } from "vitest";
import { readConfig } from "../../src/config/read-config.ts";
import { planFiles } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { unresolvedIn } from "../../src/model/plan.ts";
import { Realm } from "../../src/model/realm.ts";
import { omissionText } from "../../src/report/words/export.ts";
import { RUNS } from "../properties/arbitrary.ts";
import { together } from "../properties/together.ts";
import { lookAt } from "../support/pictures.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { wholeRealm } from "./realms.ts";

const ALL = kinds.map(({ section }) => section);
// Readings of these realms do not contain the defaults of new accounts; a sandbox has some.
const SECTIONS = ALL.filter((section) => section !== "user_defaults");

test(
  "a file exported from one organization and applied to an empty one makes that organization export the same file",
  async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(wholeRealm, async (overlay) => {
        const full = realmOf(overlay);
        // No file makes an archived channel.
        const snapshot = { ...full, channels: full.channels.filter(({ is_archived }) => !is_archived) };
        const first = await exportRealm({ snapshot, kinds, sections: SECTIONS });
        const text = first.files.get("realm.yaml") ?? "";
        const { feature_level, settings } = overlay;
        const world = new World(
          realmOf({
            ...(feature_level === undefined ? {} : { feature_level }),
            ...(settings === undefined ? {} : { settings }),
            user_groups: [],
            channel_folders: [],
            invites: [],
          }),
        );
        // An exported file sends no e-mail: people who want it sent must say so.
        const asking = text.replaceAll(/^( *)- emails:/gm, '$1- send_until: "2099-01-01"\n$1  emails:');
        const planned = await world.plan(asking);
        fc.pre(planned.ok);
        const result = await world.apply(must(planned), asking);
        expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
        const second = await exportRealm({ snapshot: await world.read(), kinds, sections: SECTIONS });
        expect(second.omitted).toEqual([]);
        expect(withoutOrigin(second.files.get("realm.yaml") ?? "")).toBe(withoutOrigin(text));
        made += 1;
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
    expect(made).toBeGreaterThan(0);
  },
  60_000 + RUNS * 300,
);

test(
  "an organization that any file was applied to exports a file that plans no change, and that has the content of the first one",
  async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(together, async ({ overlay, yaml }) => {
        const world = new World(realmOf(overlay));
        const planned = await world.plan(yaml);
        // A file with names that do not resolve is applied in part, and cannot be exported again.
        fc.pre(planned.ok && unresolvedIn(planned.value).length === 0);
        const { calls } = await world.apply(must(planned), yaml);
        expect(calls.filter(({ state }) => state !== "done")).toEqual([]);
        const snapshot = await world.read();
        const policies = Object.fromEntries(ALL.map((section) => [section, "exact" as const]));
        const exported = await exportRealm({ snapshot, kinds, sections: ALL, policies, inactive: true });
        // An archived channel may still name a group that was deactivated later; no file can.
        for (const { reason } of exported.omitted)
          expect(omissionText(reason)).toMatch(
            /^the group ".*" is deactivated$|^another entry of the file says the same$/,
          );
        const plan = must(await planFiles(exported.files, "realm.yaml", { snapshot, kinds }));
        expect(plan).toMatchObject({ changes: [], calls: [] });
        const realm = new Realm(snapshot);
        const desired = async (text: string) =>
          must(await readConfig({ file: "realm.yaml", readFile: async () => text, lookAt, kinds, realm })).sections;
        const [wanted, found] = [await desired(yaml), await desired(exported.files.get("realm.yaml") ?? "")];
        for (const [section, objects] of wanted) {
          const keys = new Set(
            found
              .get(section)
              ?.filter(({ absent }) => !absent)
              .map(({ key }) => key),
          );
          for (const { key, absent } of objects) expect(keys.has(key)).toBe(!absent);
        }
        made += 1;
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
    expect(made).toBeGreaterThan(0);
  },
  60_000 + RUNS * 300,
);

/** Only the realm's identity, the time and the inactive objects may differ. */
function withoutOrigin(text: string): string {
  return text.replace(/^(?:# .*found it on.*|realm: .*|# \d+ (?:archived|deactivated) [a-z ]+ not listed)\n/gm, "");
}
