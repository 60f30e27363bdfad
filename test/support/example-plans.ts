import { defined } from "../../src/model/defined.ts";
// Plans for the tests of the renderers: realistic ones, one with hostile texts, and a large one.
import type { Diagnostic, Span } from "../../src/model/diagnostic.ts";
import { warning } from "../../src/model/diagnostic.ts";
import { named, quote } from "../../src/model/diagnostics/values.ts";
import type { GuardAbout, RiskFact } from "../../src/model/facts.ts";
import {
  type Call,
  type Change,
  type FieldChange,
  type Guard,
  PLAN_VERSION,
  type Plan,
  type Risk,
} from "../../src/model/plan.ts";

export function line(number: number, file = "realm.yaml"): Span {
  return { file, line: number, column: 5, endLine: number, endColumn: 12 };
}

export function field(name: string, before: FieldChange["before"], after: FieldChange["after"]): FieldChange {
  return { field: name, before, after };
}

/** A change of one action, with the members of that action. */
type PartialChange<Of extends Change = Change> = Of extends Change ? Partial<Of> & Pick<Of, "action" | "name"> : never;

export function change(partial: PartialChange): Change {
  const kind = partial.kind ?? "channel";
  return { kind, address: `${kind}:${partial.name}`, fields: [], risks: [], ...partial };
}

/** A sentence about a channel; it has the text instead of a name. */
export function risk(kind: Risk["kind"], name: string, text: string, at?: Span): Risk {
  const fact: RiskFact = { kind: "invited-as", object: { address: `invite:${text}`, name: text }, role: "member" };
  return { kind, fact, address: `channel:${name}`, ...defined({ at }) };
}

/** A guard rail whose sentence begins with a text. */
export function protection(text: string, violated = true): Guard {
  const object = { address: "channel:general", name: "general" } as const;
  return {
    name: "protect",
    fact: { about: { kind: "protected", pattern: text, object, action: "remove", fields: [] } },
    violated,
  };
}

/** "removals 1 of 5" */
export function limit(counted: Extract<GuardAbout, { kind: "limit" }>["counted"], amount: number, most: number): Guard {
  return { name: counted, fact: { about: { kind: "limit", counted, amount, limit: most } }, violated: amount > most };
}

export function call(n: number, partial: Partial<Call> = {}): Call {
  return {
    n,
    operation: "update-stream",
    path: { stream_id: n },
    params: {},
    for: [],
    expects: [],
    after: [],
    creates: [],
    ...partial,
  };
}

export const EMPTY_PLAN: Plan = {
  format: "realmctl.plan",
  version: PLAN_VERSION,
  tool_version: "0.1.0",
  snapshot_taken_at: "2026-11-21T12:04:31.000Z",
  realm: { url: "https://chat.example.org", name: "Example" },
  server: { zulip_version: "12.1", feature_level: 482 },
  account: { email: "realmctl@example.org", full_name: "realmctl", role: 200, is_bot: true },
  changes: [],
  calls: [],
  least_calls: 0,
  matches: { channels: 41, user_groups: 9, linkifiers: 3, domains: 2, default_channels: 5 },
  unmanaged: [
    { section: "invites", policy: "absent", names: ["grace@example.org", "lin@example.org"] },
    { section: "navigation_views", policy: "absent", names: ["inbox"] },
  ],
  guards: [],
  warnings: [],
  side_effects: { emails: 0, notices_in: [] },
};

const incidents = { address: "channel:incidents", name: "incidents" } as const;
const widens: Risk = {
  kind: "widens",
  fact: { kind: "readers", object: incidents, shift: "gained", people: 31, at_most: false },
  address: incidents.address,
  at: line(40),
};
const oldWiki = { address: "channel:old-wiki", name: "old-wiki" } as const;

export const MIXED_PLAN: Plan = {
  ...EMPTY_PLAN,
  changes: [
    change({
      action: "update",
      name: "incidents",
      was: "outages",
      id: 7,
      at: line(38),
      fields: [
        field("name", "outages", "incidents"),
        field("privacy", "private_protected_history", "private_shared_history"),
        field("can_subscribe_group", "role:nobody", "engineering"),
        field(
          "can_administer_channel_group",
          { groups: ["staff"], users: ["ada@example.org"] },
          { groups: ["leads", "staff"], users: [] },
        ),
        field("description", "Page the on-call first", "Page the on-call first, then write here"),
        field("folder", "Company", null),
        field("message_retention_days", "realm_default", 90),
      ],
      risks: [widens],
    }),
    change({
      action: "create",
      name: "release-notes",
      at: line(52),
      fields: [
        field("name", null, "release-notes"),
        field("privacy", null, "public"),
        field("folder", null, "Company"),
        field("description", null, "What changed, every Friday"),
        field("can_send_message_group", null, "staff"),
      ],
    }),
    change({
      action: "remove",
      name: "old-wiki",
      at: line(58),
      fields: [field("archived", false, true)],
      risks: [
        {
          kind: "removes",
          fact: { kind: "archived", object: oldWiki, cleared: [] },
          address: oldWiki.address,
          at: line(58),
        },
      ],
    }),
    change({
      action: "create",
      kind: "domain",
      name: "example.org",
      at: line(80),
      fields: [field("allow_subdomains", null, false)],
    }),
    change({
      action: "reorder",
      kind: "linkifier",
      name: "linkifiers",
      at: line(70),
      fields: [field("order", ["#(?P<id>[0-9]+)", "T(?P<id>[0-9]+)"], ["T(?P<id>[0-9]+)", "#(?P<id>[0-9]+)"])],
    }),
  ],
  calls: [1, 2, 3, 4, 5].map((n) => call(n)),
  least_calls: 5,
  matches: { channels: 38 },
  unmanaged: [
    { section: "channels", policy: "additive", names: Array.from({ length: 12 }, (_, index) => `team-${index + 1}`) },
    { section: "user_groups", policy: "additive", names: ["contractors", "leads"] },
  ],
  guards: [
    limit("removals", 1, 5),
    limit("people_losing_access", 0, 20),
    {
      name: "protect",
      fact: {
        about: {
          kind: "untouched",
          patterns: ["#general", "#security"].map((pattern) => ({ pattern, is_there: true })),
        },
      },
      violated: false,
    },
  ],
  warnings: [warning("channels/nobody-left", { name: quote("release-notes", "channel"), cause: "creation" }, line(52))],
  side_effects: { emails: 0, notices_in: ["incidents", "old-wiki"] },
};

/** A warning that quotes this text in its message and in its hint. */
export const quoting = (text: string, at?: Span): Diagnostic =>
  warning(
    "plan/looks-renamed",
    { noun: "channel", object: named("channel", text), live: { name: quote(text), id: 4 }, more: 0 },
    at,
  );

const RED = "\u001b[31mred\u001b[0m";

/** Names and texts that would take effect in an unprotected terminal. */
export const HOSTILE_PLAN: Plan = {
  ...EMPTY_PLAN,
  realm: { url: "https://chat.example.org/\u001b]0;owned\u0007", name: "x" },
  account: { ...EMPTY_PLAN.account, full_name: `mallory\u202e${RED}` },
  changes: [
    change({
      action: "update",
      name: `evil\nNo changes.\u202e${RED}`,
      was: "b\u0000d",
      at: line(4, `realm${RED}.yaml`),
      fields: [field("description", `one ${RED} two`, `one\r\n\u2066${RED} three`), field(`f${RED}`, RED, null)],
      risks: [risk("widens", "evil", `#evil\n  ! ${RED} becomes fine`, line(4))],
    }),
  ],
  calls: [call(1)],
  least_calls: 1,
  matches: {},
  unmanaged: [{ section: "channels", policy: "additive", names: [RED] }],
  guards: [{ ...protection(`protected ${RED}`), name: `protect:channel:${RED}` }],
  warnings: [quoting(RED)],
  side_effects: { emails: 2, notices_in: [RED] },
};

/** Names that people choose: with spaces, brackets and signs of their own, and names that look like sentences of ours. */
const NAMES = [
  "R&D (Berlin): 2026/27",
  "It's `Q&A` @all",
  "Team  A becomes readable by 3 people",
  "foo_bar",
  "Zürich – Büro",
];

export const NAMES_PLAN: Plan = {
  ...EMPTY_PLAN,
  changes: [
    ...NAMES.map((name, index) =>
      change({
        action: "remove",
        name,
        at: line(10 + index),
        fields: [field("archived", false, true)],
        risks: [
          {
            kind: "removes",
            fact: { kind: "archived", object: named("channel", name), cleared: [] },
            address: `channel:${name}`,
            at: line(10 + index),
          },
        ],
      }),
    ),
    change({
      action: "update",
      name: "Helpers of all",
      was: "#help me",
      at: line(30),
      fields: [field("name", "#help me", "Helpers of all")],
      risks: [
        {
          kind: "widens",
          fact: {
            kind: "right",
            object: { ...named("channel", "Helpers of all"), was: "#help me" },
            setting: "can_delete_any_message_group",
            shift: "gained",
            people: 6,
            at_most: false,
          },
          address: "channel:Helpers of all",
          at: line(30),
        },
      ],
    }),
    change({
      action: "remove",
      kind: "linkifier",
      name: "T(?P<id>[0-9]+)",
      at: line(40),
      risks: [
        {
          kind: "removes",
          fact: { kind: "removed", object: named("linkifier", "T(?P<id>[0-9]+)"), noun: "linkifier" },
          address: "linkifier:T(?P<id>[0-9]+)",
          at: line(40),
        },
      ],
    }),
  ],
  calls: [call(1)],
  least_calls: 1,
  guards: [
    {
      name: "protect:channel:R&D (Berlin)*",
      fact: {
        about: {
          kind: "protected",
          pattern: "channel:R&D (Berlin)*",
          object: named("channel", "R&D (Berlin): 2026/27"),
          action: "remove",
          fields: [],
        },
      },
      violated: true,
      at: line(10),
      rule: line(3),
    },
    {
      name: "people_gaining_access",
      fact: {
        about: {
          kind: "limit",
          counted: "people_gaining_access",
          amount: 3,
          limit: null,
          over: named("channel", "Team  A becomes readable by 3 people"),
        },
        asks: true,
      },
      violated: false,
    },
  ],
  warnings: [quoting("Night shift (Berlin)", line(50))],
};

/** As after somebody opened a whole realm: 800 similar updates, 197 similar creations, three different ones. */
export const LARGE_PLAN: Plan = {
  ...EMPTY_PLAN,
  changes: [
    ...Array.from({ length: 800 }, (_, index) =>
      change({
        action: "update",
        name: `team-${index}`,
        at: line(10 + index * 3),
        fields: [
          field("can_send_message_group", "role:everyone", "staff"),
          field("description", `Team ${index}`, `The team ${index}`),
        ],
        risks: [risk("narrows", `team-${index}`, `somebody of #team-${index}`, line(10 + index * 3))],
      }),
    ),
    ...Array.from({ length: 197 }, (_, index) =>
      change({
        action: "create",
        name: `project-${index}`,
        at: line(3000 + index),
        fields: [field("name", null, `project-${index}`), field("privacy", null, "public")],
      }),
    ),
    ...MIXED_PLAN.changes.slice(0, 3),
  ],
  calls: Array.from({ length: 804 }, (_, index) => call(index + 1)),
  least_calls: 804,
  side_effects: { emails: 0, notices_in: Array.from({ length: 800 }, (_, index) => `team-${index}`) },
};
