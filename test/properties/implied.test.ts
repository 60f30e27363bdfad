import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { liveObjects } from "../../src/model/kind.ts";
import { Realm } from "../../src/model/realm.ts";
import fc from "../support/random.ts";
import { RUNS } from "./arbitrary.ts";
import { begin } from "./begin.ts";
import { together } from "./together.ts";

/** Each run applies a plan, which is most of its cost. */
const options = { numRuns: Math.ceil(RUNS / 12) };
/** Membership and ownership of an object, which are not permission settings. */
const BELONGING: ReadonlySet<string> = new Set(["subscribers", "owner"]);

test(
  "everybody who holds a right on a created object holds it by a field of the plan, named or implied; everybody else by their role",
  async () => {
    let implied = 0;
    await fc.assert(
      fc.asyncProperty(together, async (input) => {
        const { world, plan } = await begin(input);
        for (const call of plan.calls) expect((await world.send(call)).outcome).toBe("applied");
        const realm = new Realm(await world.read());
        for (const kind of kinds) {
          const live = new Map((liveObjects(kind, realm) ?? []).map(({ name, fields }) => [name, fields]));
          for (const change of plan.changes.filter(
            ({ action, kind: own }) => action === "create" && own === kind.name,
          )) {
            const planned = new Map(change.fields.map((field) => [field.field, field]));
            for (const [field, value] of Object.entries(live.get(change.name) ?? {})) {
              if (kind.file.fields[field]?.isPermission !== true && !BELONGING.has(field)) continue;
              const found = planned.get(field);
              if (found?.implied === true) implied += 1;
              const where = `${change.address} ${field}`;
              if (found === undefined) expect(value, where).toMatch(/^role:/);
              else expect(value, where).toEqual(found.after);
            }
          }
        }
      }),
      options,
    );
    // If nothing were implied, the plan would show nothing.
    expect(implied).toBeGreaterThan(0);
  },
  60_000 + options.numRuns * 1000,
);
