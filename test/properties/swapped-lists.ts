import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";
import type { Scenario } from "./arbitrary.ts";

const PATTERNS = ["#", "BUG-", "DOC-", "PR "].map((prefix) => `${prefix}(?P<id>[0-9]+)`);
const FIELDS = ["Site", "Shift", "Team", "Desk"] as const;
const OPTIONS = ["Leeds", "Porto", "Lyon"] as const;
const VIEWS = ["Mine", "Stars", "Later"] as const;
/** Three bots, and a name that none of them has yet. */
const BOTS = ["deploy-bot", "ci-bot", "hook-bot", "porter-bot"] as const;
const FULL_NAMES: { readonly [bot: string]: string } = {
  "deploy-bot": "Deploy Bot",
  "ci-bot": "CI Bot",
  "hook-bot": "Hook Bot",
  "porter-bot": "Porter",
};

/** Which object gets whose name, in which order the file has them, and what else changes. */
const shuffle = <T>(names: readonly T[]) =>
  fc.record({
    count: fc.integer({ min: 2, max: names.length }),
    names: fc.shuffledSubarray([...names], { minLength: names.length }),
    order: fc.shuffledSubarray([...names.keys()], { minLength: names.length }),
    edited: fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }),
    /** The index of an object that is removed; most often none. */
    gone: fc.nat({ max: 2 * names.length }),
    isNew: fc.boolean(),
  });
type Shuffle<T> = typeof shuffle<T> extends (...names: never) => fc.Arbitrary<infer S> ? S : never;

const drawn = fc.record({
  linkifiers: shuffle(PATTERNS),
  fields: shuffle(FIELDS),
  options: fc.shuffledSubarray([...OPTIONS], { minLength: OPTIONS.length }),
  views: fc.shuffledSubarray([...VIEWS], { minLength: VIEWS.length }),
  bots: shuffle(BOTS),
  /** Whether the names that people see are exchanged with the addresses. */
  areFullNamesSwapped: fc.boolean(),
});

/** The entries of a list after its objects exchanged their names, in the file's order. */
function entries<T>({ count, names, order, edited, gone, isNew }: Shuffle<T>, all: readonly T[], firstId: number) {
  const before = all.slice(0, count);
  // One name is new, and one is given up, in half of the lists that do not use all names.
  const after = names.filter((name) => (isNew ? all.slice(1, count + 1) : before).includes(name)).slice(0, count);
  return order
    .filter((index) => index < count && after[index] !== undefined)
    .map((index) => ({
      id: firstId + index,
      before: before[index],
      after: index === gone ? before[index] : after[index],
      isGone: index === gone,
      isEdited: edited[index] === true,
    }))
    .filter((entry, index, list) => !list.slice(0, index).some(({ after }) => after === entry.after));
}

/** Organizations whose linkifiers, profile fields, options, views and bots exchange their names, while the lists change their orders. */
export const swappedLists: fc.Arbitrary<Scenario> = drawn.map(
  ({ linkifiers, fields, options, views, bots, areFullNamesSwapped }) => {
    const renamed = entries({ ...bots, count: Math.min(bots.count, 3), gone: -1 }, BOTS, 17);
    const overlay: Overlay = {
      feature_level: 482,
      linkifiers: PATTERNS.slice(0, linkifiers.count).map((pattern, index) => ({
        pattern,
        url_template: `https://${index}.example.org/{id}`,
      })),
      profile_fields: FIELDS.slice(0, fields.count).map((name, index) =>
        index === 1
          ? {
              name,
              type: "select",
              field_data: Object.fromEntries(OPTIONS.map((text, at) => [String(at), { text, order: String(at + 1) }])),
            }
          : { name, type: "short_text", hint: `the ${index}` },
      ),
      navigation_views: VIEWS.map((name) => ({ fragment: `narrow/topic/${name}`, is_pinned: true, name })),
      settings: { bot_domain: "localhost" },
      user_groups: [{ name: "crew", members: BOTS.slice(0, 2).map((bot) => `${bot}@localhost`) }],
    };
    const file = {
      version: 1,
      linkifiers: entries(linkifiers, PATTERNS, 201).map(({ id, after, isGone, isEdited }) => ({
        pattern: after,
        id,
        ...(isGone ? { absent: true } : {}),
        ...(isEdited && !isGone ? { url_template: "https://new.example.org/{id}" } : {}),
      })),
      profile_fields: entries(fields, FIELDS, 501).map(({ id, after, isGone, isEdited }) => ({
        name: after,
        id,
        ...(isGone ? { absent: true } : {}),
        ...(isEdited && !isGone && id !== 502 ? { hint: "another" } : {}),
        ...(id === 502 && !isGone ? { options: options.map((text, at) => ({ text, was: OPTIONS[at] })) } : {}),
      })),
      navigation_views: Object.fromEntries(VIEWS.map((before, at) => [`narrow/topic/${before}`, { name: views[at] }])),
      bots: Object.fromEntries(
        renamed.map(({ id, after = "" }) => [
          after,
          { id, ...(areFullNamesSwapped ? { full_name: FULL_NAMES[after] } : {}) },
        ]),
      ),
      user_groups: {
        crew: { members: renamed.flatMap(({ after, isEdited }) => (isEdited ? [`${after}@localhost`] : [])) },
      },
    };
    return { overlay, yaml: JSON.stringify(file, null, 1) };
  },
);
