import { scenario } from "../properties/arbitrary.ts";
import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";

const LINKIFIERS = [
  { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" },
  { pattern: "\\bPR-(?P<number>\\d+)\\b", url_template: "https://code.example.org/pull/{number}" },
  { pattern: "(?P<sha>[0-9a-f]{40})", url_template: "https://code.example.org/commit/{sha}" },
  { pattern: "'(?P<word>\\w+)'", url_template: "https://words.example.org/{word}" },
];
const DOMAINS = [
  { domain: "example.org", allow_subdomains: false },
  { domain: "acme.example", allow_subdomains: true },
  { domain: "partner.example", allow_subdomains: false },
];
const VIEWS = [
  { fragment: "inbox", is_pinned: false },
  { fragment: "narrow/topic/mentions", is_pinned: true, name: "Marked: for later" },
];

/** Open invitations; some for people who already have an account, some twice. */
const invites = fc.array(
  fc.record({
    email: fc.constantFrom(
      "grace@example.org",
      "Lin@Example.org",
      "ada@acme.example",
      "o'neil+x@example.org",
      "yes@y.example",
    ),
    invited_as: fc.constantFrom(100, 200, 300, 400, 600),
    expires_in_days: fc.constantFrom(10, null),
    notify_referrer_on_join: fc.boolean(),
  }),
  { maxLength: 6 },
);

/** A realm with something of every kind that can be exported to a file. */
export const wholeRealm: fc.Arbitrary<Overlay> = fc
  .record({
    channels: scenario,
    alike: fc.nat({ max: 6 }),
    linkifiers: fc.shuffledSubarray(LINKIFIERS),
    domains: fc.subarray(DOMAINS),
    views: fc.subarray(VIEWS),
    defaults: fc.array(fc.nat(), { maxLength: 3 }),
    groups: fc.option(groups(), { nil: undefined }),
    invites,
  })
  .map(({ channels: { overlay }, alike, linkifiers, domains, views, defaults, groups, invites }) => {
    const [model] = overlay.channels ?? [];
    const copies = Array.from({ length: model === undefined ? 0 : alike }, (_, index) => ({
      ...model,
      name: `team ${index}`,
      is_archived: false,
    }));
    const channels: NonNullable<Overlay["channels"]> = [...(overlay.channels ?? []), ...copies];
    const open = channels.filter((channel) => channel.invite_only !== true && channel.is_archived !== true);
    return {
      ...overlay,
      channels,
      // The scenario names default groups in channels, so others may only be added.
      ...(groups === undefined ? {} : { user_groups: groups }),
      subscribers: Object.fromEntries(channels.map(({ name }) => [name, ["ada@acme.example"]])),
      linkifiers,
      domains,
      invites,
      navigation_views: (overlay.feature_level ?? 442) >= 390 ? views : [],
      default_channels: [
        ...new Set(defaults.flatMap((pick) => (open.length === 0 ? [] : [open[pick % open.length]?.name ?? ""]))),
      ],
    };
  });

/** The three groups that channels of a scenario name, and more; their subgroups form no cycle. */
function groups() {
  const people = fc.subarray(["ada@acme.example", "ben@acme.example", "farah@acme.example"]);
  const description = fc.constantFrom(
    "",
    "Employees",
    "Two\nlines",
    "yes",
    "# no comment",
    "costs ${price} or $${price}",
  );
  return fc
    .array(fc.record({ members: people, description, more: fc.nat({ max: 9 }), rest: fc.boolean() }), {
      minLength: 3,
      maxLength: 6,
    })
    .map((list) =>
      list.map(({ members, description, more, rest }, index) => ({
        name: ["staff", "engineering", "leads", "null", "night: shift", "Ärzte"][index] ?? "",
        members,
        description,
        subgroups: index > 0 && more > 4 ? ["staff"] : [],
        deactivated: index > 2 && rest,
      })),
    );
}
