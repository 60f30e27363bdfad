import { expect, test } from "vitest";
import { stringify } from "yaml";
import { EXIT } from "../../src/model/diagnostic.ts";
import { Draw } from "../properties/draw.ts";
import fc from "../support/random.ts";
import { WORDS } from "../support/random-words.ts";
import { worldOfTests } from "./world.ts";

/*
 * People have values of random profile fields. Fields and options are removed, renamed, sorted and added, in the settings page and in the file: whatever
 * `apply --yes` does or refuses, every value is still there, and still means something.
 */

const RUNS = Number(process.env.REALMCTL_RUNS ?? 2);
const TIMEOUT_MS = 120_000 + RUNS * 20_000;
const PEOPLE = ["admin", "member", "member2", "member3"] as const;

const world = worldOfTests();

interface Field {
  readonly name: string;
  readonly type: string;
  readonly hint?: string;
  readonly options?: readonly string[];
}

const fields = () => Object.values(world.sandbox.state().profile_fields);

/** The values that everybody has, and the options that there are for them. */
function values(): readonly string[] {
  const options = new Map(fields().map(({ id, field_data }) => [String(id), String(field_data)]));
  return Object.values(world.sandbox.state().users).flatMap(({ user_id, profile_data }) =>
    Object.entries(profile_data).map(([id, { value }]) => {
      const data = options.get(id) ?? "no such field";
      const isOption = data.startsWith("{") && data !== "{}";
      return `${user_id} ${id} ${isOption && !data.includes(`"${value}":`) ? "no such option" : value}`;
    }),
  );
}

/** Fields after some edits: of names, hints, options and places. */
function edited(draw: Draw, before: readonly Field[], word: () => string): readonly Field[] {
  const kept = before
    .filter(() => !draw.chance(6))
    .map((field) => {
      const { options } = field;
      const name = draw.chance(5) ? word() : field.name;
      if (options === undefined) return { ...field, name };
      const texts = options.filter(() => !draw.chance(5)).map((text) => (draw.chance(5) ? word() : text));
      const more = draw.chance(4) ? [word()] : [];
      const next = [...(draw.chance(4) ? texts.toReversed() : texts), ...more];
      return { ...field, name, options: next.length === 0 ? options : next };
    });
  return draw.chance(4) ? [...kept, { name: word(), type: "short_text" }] : kept;
}

/** Fields after edits that cost nobody a value. */
const added = (draw: Draw, before: readonly Field[], word: () => string): readonly Field[] =>
  [...before, { name: word(), type: "short_text" }].map(({ options, ...field }) =>
    options === undefined
      ? { ...field, hint: word() }
      : { ...field, options: [...(draw.chance(2) ? options.toReversed() : options), word()] },
  );

/** Some people enter values of some fields. */
async function enterValues(draw: Draw): Promise<void> {
  for (const as of PEOPLE) {
    const data = fields().flatMap(({ id, field_data }) => {
      const keys = String(field_data).startsWith('{"') ? Object.keys(JSON.parse(String(field_data))) : undefined;
      return draw.chance(3) ? [] : [{ id, value: keys === undefined ? "mine" : draw.one(keys) }];
    });
    await world.edit(as, "PATCH", "/users/me/profile_data", { data });
  }
}

async function editByHand(draw: Draw, word: () => string): Promise<void> {
  for (const { id, name, field_data } of fields()) {
    if (!draw.chance(4)) continue;
    const params = String(field_data).startsWith('{"0"')
      ? { name, field_data: { ...JSON.parse(String(field_data)), 9: { text: word(), order: "9" } } }
      : { name: word() };
    await world.edit("owner", "PATCH", `/realm/profile_fields/${id}`, params);
  }
}

test(
  "apply --yes alone deletes no values",
  async () => {
    let refused = false;
    await fc.assert(
      fc.asyncProperty(
        fc.noBias(fc.array(fc.nat({ max: 10_000 }), { minLength: 200, maxLength: 200 })),
        async (numbers) => {
          world.restart();
          const draw = new Draw(numbers);
          const left = [...WORDS];
          const word = (): string => left.splice(draw.upTo(left.length - 1), 1)[0] ?? "spare";
          const start: readonly Field[] = [
            { name: word(), type: "short_text", hint: word() },
            { name: word(), type: "long_text" },
            { name: word(), type: "select", options: [word(), word(), word(), word()] },
            { name: word(), type: "select", options: [word(), word()] },
          ];
          const write = (profile_fields: readonly Field[], policy: string): void =>
            world.file("realm.yaml", stringify({ version: 1, manage: { profile_fields: policy }, profile_fields }));
          write(start, "additive");
          expect(await world.realmctl("apply --yes")).toMatchObject({ code: EXIT.done });
          await enterValues(draw);
          const entered = values();
          const more = added(draw, start, word);
          write(more, "exact");
          expect(await world.realmctl("apply --yes")).toMatchObject({ code: EXIT.done });
          expect(values()).toEqual(entered);

          if (draw.chance(2)) await editByHand(draw, word);
          await enterValues(draw);
          const before = values();
          write(edited(draw, more, word), draw.one(["additive", "exact"]));
          // Whoever says that nothing is renamed has not said that values may be deleted.
          const { code, err } = await world.realmctl(`apply --yes ${draw.chance(2) ? "--allow renames" : ""}`);
          refused ||= code === EXIT.refusedByGuard;
          expect([EXIT.done, EXIT.refusedByGuard], err).toContain(code);
          expect(values()).toEqual(before);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(refused).toBe(true);
  },
  TIMEOUT_MS,
);
