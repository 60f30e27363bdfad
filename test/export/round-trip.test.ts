import fc from "fast-check";
import { expect, test } from "vitest";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { RUNS } from "../properties/arbitrary.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { wholeRealm } from "./realms.ts";

const SECTIONS = ["channels", "linkifiers", "domains", "channel_folders", "default_channels"];

test(
  "a file exported from one organization and applied to an empty one makes it export the same file",
  async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(wholeRealm, async ({ user_groups: _, ...overlay }) => {
        const first = await exportRealm({ snapshot: realmOf(overlay), kinds, sections: SECTIONS });
        const text = first.files.get("realm.yaml") ?? "";
        const { feature_level, settings } = overlay;
        const world = new World(
          realmOf({
            ...(feature_level === undefined ? {} : { feature_level }),
            ...(settings === undefined ? {} : { settings }),
          }),
        );
        const planned = await world.plan(text);
        fc.pre(planned.ok);
        const result = await world.apply(must(planned), text);
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

/** Which realm it was, when, and what slept there is all that may differ. */
function withoutOrigin(text: string): string {
  return text.replace(/^(?:# .*found it on.*|realm: .*|# \d+ archived channels? not listed)\n/gm, "");
}
