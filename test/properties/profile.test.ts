import { expect, test } from "vitest";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { RUNS } from "./arbitrary.ts";

/** Each run takes long enough: pictures go over the wire. */
const MOST = Math.ceil(RUNS / 5);
const policy = fc.constantFrom("additive", "exact", "ignore");
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const FIELD_NAMES = ["One", "Two", "Three", "Four"] as const;
const OPTIONS = ["a", "b", "c", "d"] as const;
const options = fc.uniqueArray(fc.constantFrom(...OPTIONS), { minLength: 1 });

const fields = fc.record({
  live: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...FIELD_NAMES),
      type: fc.constantFrom("short_text", "select", "date"),
      options,
      display_in_profile_summary: fc.boolean(),
    }),
    { selector: ({ name }) => name },
  ),
  items: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...FIELD_NAMES),
      was: fc.option(fc.constantFrom(...FIELD_NAMES), { nil: undefined, freq: 2 }),
      options: optional(options),
      in_profile_summary: optional(fc.boolean()),
      hint: optional(fc.constantFrom("x", "y")),
      absent: fc.option(fc.constant(true), { nil: undefined, freq: 4 }),
    }),
    { selector: ({ name }) => name },
  ),
});
const EMOJI = ["forge", "anvil", "hammer"] as const;
const emoji = fc.record({
  live: fc.uniqueArray(fc.constantFrom(...EMOJI)),
  items: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...EMOJI),
      replaces: optional(fc.integer({ min: 601, max: 603 })),
      absent: optional(fc.constant(true)),
    }),
    { selector: ({ name }) => name },
  ),
});
const place = fc.record({
  language: fc.constantFrom("Rust", "Go"),
  name: fc.constantFrom("x", "y"),
  url_template: fc.constantFrom("https://a.example.org/{code}", "https://b.example.org/?c={code}"),
});
const key = ({ language, name }: { readonly language: string; readonly name: string }): string => `${language} ${name}`;
const playgrounds = fc.record({
  live: fc.uniqueArray(place, { selector: key }),
  items: fc.uniqueArray(fc.tuple(place, optional(fc.constant(true))), { selector: ([item]) => key(item) }),
  language: fc.constantFrom("", "Rust"),
});
const everything = fc.record({
  fields,
  emoji,
  playgrounds,
  manage: fc.record({ profile_fields: policy, emoji: policy, playgrounds: policy }),
});
type Everything = typeof everything extends fc.Arbitrary<infer T> ? T : never;

/** The summary has room for two. */
const firstTwo = (shown: readonly boolean[]): readonly boolean[] =>
  shown.map((is, index) => is && shown.slice(0, index).filter(Boolean).length < 2);

function liveOf({ fields: { live }, emoji: { live: names }, playgrounds: places }: Everything) {
  const shown = firstTwo(live.map(({ display_in_profile_summary: is }) => is));
  return realmOf({
    profile_fields: live.map(({ name, type, options: texts }, index) => ({
      name,
      type,
      display_in_profile_summary: shown[index] === true,
      ...(type === "select"
        ? { field_data: Object.fromEntries(texts.map((text, n) => [String(n), { text, order: String(n + 1) }])) }
        : {}),
    })),
    emoji: Object.fromEntries(names.map((name) => [name, "ada@acme.example"])),
    playgrounds: [...places.live],
    settings: { default_code_block_language: places.language },
  });
}

/** JSON is YAML; what is undefined is left out. */
function fileOf({ fields: { live, items }, emoji: custom, playgrounds: places, manage }: Everything): string {
  const typeOf = (name: string): string | undefined => live.find((each) => each.name === name)?.type;
  return JSON.stringify({
    version: 1,
    manage,
    profile_fields: items.map(({ options: texts, was, ...item }) => {
      const type = typeOf(was ?? item.name) ?? typeOf(item.name) ?? "date";
      return {
        type,
        ...(was === undefined || item.absent === true ? {} : { was }),
        ...(type === "select" ? { options: texts } : {}),
        ...item,
      };
    }),
    emoji: Object.fromEntries(
      custom.items.map(({ name, absent, replaces }) => [
        name,
        absent ? { absent } : { image: `${name}.png`, replaces },
      ]),
    ),
    playgrounds: places.items.map(([item, absent]) => ({ ...item, absent })),
  });
}

test(
  "random profile fields, emoji and playgrounds are as the file says after one apply, in the least requests",
  async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(everything, async (all) => {
        const yaml = fileOf(all);
        const live = liveOf(all);
        const world = new World(live);
        const planned = await world.plan(yaml);
        // Files with mistakes are passed over: a field too many in the summary, a type that cannot change.
        if (!planned.ok) {
          expect(planned.diagnostics.map(({ code }) => code)).not.toContain("plan/cycle");
          return;
        }
        const plan = planned.value;
        if (plan.calls.length > 0) applied += 1;
        const result = await world.apply(plan, yaml);
        expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
        expect(world.writes).toBe(plan.least_calls);
        expect(must(await world.plan(yaml)).changes).toEqual([]);
        // A removed playground takes the default language with it; one that only changes does not.
        const isReplaced = plan.changes.some(({ kind, action }) => kind === "playground" && action === "update");
        const after = (await world.read()).settings.default_code_block_language;
        if (isReplaced || all.playgrounds.language === "")
          expect(["Rust", all.playgrounds.language, ""]).toContain(after);
        if (!plan.changes.some(({ action, kind }) => kind === "playground" && action === "remove"))
          expect(after).toBe(all.playgrounds.language);
      }),
      { numRuns: MOST },
    );
    expect(applied).toBeGreaterThan(MOST / 5);
  },
  60_000 + RUNS * 300,
);
