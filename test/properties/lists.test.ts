import { expect, test } from "vitest";
import fc from "../support/random.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { RUNS } from "./arbitrary.ts";

const LETTERS = ["A", "B", "C", "D", "E"] as const;
const patternOf = (letter: string): string => `${letter}(?P<n>[0-9]+)`;
const templates = fc.constantFrom(
  "https://x.example.org/{n}",
  "https://y.example.org/{n}",
  "https://z.example.org/?q={n}",
);
const policy = fc.constantFrom("additive", "exact", "ignore");
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const linkifiers = fc.record({
  live: fc.uniqueArray(fc.record({ letter: fc.constantFrom(...LETTERS), url_template: templates }), {
    selector: ({ letter }) => letter,
  }),
  items: fc.uniqueArray(
    fc.record({
      letter: fc.constantFrom(...LETTERS),
      was: fc.option(fc.constantFrom(...LETTERS), { nil: undefined, freq: 1 }),
      url_template: optional(templates),
      absent: optional(fc.constant(true)),
    }),
    { selector: ({ letter }) => letter },
  ),
});

const FRAGMENTS = ["inbox", "recent", "a/b", "c d/#?", "narrow/is/dm"] as const;
const NAMES = ["One", "Two", "Three", "one"] as const;
const isBuiltIn = (fragment: string): boolean => fragment === "inbox" || fragment === "recent";
const view = fc.record({
  fragment: fc.constantFrom(...FRAGMENTS),
  is_pinned: fc.boolean(),
  name: fc.constantFrom(...NAMES),
});
const views = fc.record({
  live: fc.uniqueArray(view, { comparator: (a, b) => a.fragment === b.fragment || a.name === b.name }),
  items: fc.uniqueArray(
    fc.record({
      fragment: fc.constantFrom(...FRAGMENTS),
      is_pinned: optional(fc.boolean()),
      name: optional(fc.constantFrom(...NAMES)),
      absent: optional(fc.constant(true)),
    }),
    { selector: ({ fragment }) => fragment },
  ),
});

const DOMAINS = ["acme.example", "b.example", "c.example"] as const;
const domains = fc.record({
  restricted: fc.constantFrom(false, false, true),
  live: fc.uniqueArray(fc.record({ domain: fc.constantFrom(...DOMAINS), allow_subdomains: fc.boolean() }), {
    selector: ({ domain }) => domain,
  }),
  items: fc.uniqueArray(
    fc.record({
      domain: fc.constantFrom(...DOMAINS),
      allow_subdomains: optional(fc.boolean()),
      absent: optional(fc.constant(true)),
    }),
    { selector: ({ domain }) => domain },
  ),
});

const EMAILS = ["grace@acme.example", "lin@b.example", "moe@sub.c.example", "dmitri@acme.example"] as const;
const role = fc.constantFrom("administrator", "member", "guest");
const ROLES: { readonly [word: string]: number } = { administrator: 200, member: 400, guest: 600 };
const invites = fc.record({
  live: fc.array(
    fc.record({
      email: fc.constantFrom(...EMAILS),
      role,
      expires_in_days: fc.constantFrom(null, 10),
      notify_referrer_on_join: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  items: fc.uniqueArray(
    fc.record({
      email: fc.constantFrom(...EMAILS),
      invite_as: optional(role),
      expires_in: optional(fc.constantFrom("never", "10d", "3h")),
      notify_referrer_on_join: optional(fc.boolean()),
      replace: optional(fc.constant(true)),
      absent: optional(fc.constant(true)),
    }),
    { selector: ({ email }) => email },
  ),
});

const everything = fc.record({
  level: fc.constantFrom(390, 442, 471, 482),
  linkifiers,
  views,
  domains,
  invites,
  manage: fc.record({ linkifiers: policy, navigation_views: policy, domains: policy, invites: policy }),
});
type Everything = typeof everything extends fc.Arbitrary<infer T> ? T : never;

function liveOf(all: Everything): Overlay {
  return {
    feature_level: all.level,
    settings: { emails_restricted_to_domains: all.domains.restricted },
    linkifiers: all.linkifiers.live.map(({ letter, url_template }) => ({ pattern: patternOf(letter), url_template })),
    navigation_views: all.views.live.map(({ name, ...rest }) => ({
      ...rest,
      name: isBuiltIn(rest.fragment) ? null : name,
    })),
    domains: all.domains.live,
    invites: all.invites.live.map(({ role: word, ...rest }) => ({ ...rest, invited_as: ROLES[word] ?? 400 })),
  };
}

/** JSON is YAML; undefined values are left out. */
function fileOf(all: Everything): string {
  const withoutKey = <T extends object, K extends keyof T>(items: readonly T[], key: K) =>
    Object.fromEntries(items.map(({ [key]: name, ...rest }) => [String(name), rest]));
  return JSON.stringify({
    version: 1,
    manage: all.manage,
    // A new item has everything that the server requires.
    linkifiers: all.linkifiers.items.map(({ letter, was, ...rest }) => ({
      pattern: patternOf(letter),
      ...(all.linkifiers.live.some((each) => each.letter === letter)
        ? {}
        : { url_template: "https://new.example.org/{n}" }),
      ...(was === undefined || rest.absent === true ? {} : { was: patternOf(was) }),
      ...rest,
    })),
    navigation_views: withoutKey(
      all.views.items.map((item) => {
        const isNew = !all.views.live.some(({ fragment }) => fragment === item.fragment);
        const { is_pinned = isNew ? true : undefined, name = isNew ? item.fragment : undefined } = item;
        return { ...item, is_pinned, name: isBuiltIn(item.fragment) ? undefined : name };
      }),
      "fragment",
    ),
    domains: withoutKey(all.domains.items, "domain"),
    invites: all.invites.items.map(({ email, ...rest }) => ({ emails: [email], send_until: "2099-01-01", ...rest })),
  });
}

/** A slow machine needs a tenth of it; more runs need more time. */
const TIMEOUT_MS = 60_000 + RUNS * 300;

test(
  "random linkifiers, views, domains and invitations match the file after one apply, with the fewest requests",
  async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(everything, async (all) => {
        const yaml = fileOf(all);
        const world = new World(realmOf(liveOf(all)));
        const planned = await world.plan(yaml);
        // Files with errors are skipped.
        if (!planned.ok) return;
        const plan = planned.value;
        if (plan.calls.length > 0) applied += 1;
        const result = await world.apply(plan, yaml);
        expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
        expect(world.writes).toBe(plan.least_calls);
        expect(must(await world.plan(yaml)).changes).toEqual([]);
      }),
      { numRuns: RUNS },
    );

    expect(applied).toBeGreaterThan(RUNS / 3);
  },
  TIMEOUT_MS,
);
