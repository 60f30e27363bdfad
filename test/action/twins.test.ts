import { expect, test } from "vitest";
import { driftItems, issueText } from "../../src/action/drift-issue.ts";
import { reviewedOf } from "../../src/action/reviewed.ts";
import { hiddenSnapshot, snapshotArtifactText } from "../../src/action/snapshot-source.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { Realm } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { renderPlanJson } from "../../src/report/json.ts";
import { isRedacted } from "../../src/report/markdown.ts";
import { type Redaction, redactionOf, redactPlan } from "../../src/report/redact.ts";
import { brokenDiagnostics } from "../../src/report/rules/facts.ts";
import { PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { testRules } from "../../src/workflow/rules.ts";
import { driftOf } from "../../src/workflow/workflow.ts";
import { planText } from "../support/cases.ts";
import { commentOf, HIDE, publishedOf } from "../support/published.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

// Two organizations that differ only in what is hidden: whatever others may read is equal byte by byte. It also has no order, length or hash that depends on it.

/** Names of one kind: a text that mentions one of them in some way is found to do so, whichever it is. */
const CLASSES = [
  ["merger", "kestrel", "aardvark", "zymurgy"],
  ["board room", "quiet attic", "acme zoo", "zeta beta"],
  ["hr", "qa", "zz", "aa"],
  ["x.*+?", "[a-z]{2}", "(?:b)", "^$|y"],
  ["Überbau", "Ärmel", "Žižek", "Øre"],
  ["経営会議", "合併", "案件一覧", "役員"],
  ["합병", "인사", "ประชุมลับ", "ແຜນລັບ"],
  ["town-secret", "open-plan", "general-x", "general-a"],
  ["constructor", "__proto__", "toString", "valueOf"],
  ["private channel 106", "private channel 999", "new channel 1", "person 10"],
  ["<b>x</b>", "`kode`", "**bold**", "| a | b |"],
  ["a".repeat(60), "b".repeat(30), "z".repeat(12), "mmmmm"],
  ["e\u0301tat", "o\u0308kon", "Straße", "ﬁnal"],
] as const;
const CHANGES = ["kept", "opened", "renamed", "removed", "archived"] as const;

/** How a text mentions a channel. */
const MENTIONS: readonly ((name: string, id: number) => string)[] = [
  (name) => `see #**${name}**`,
  (name) => `ask in #${name}`,
  (_, id) => `https://acme.example.org/#narrow/channel/${id}-x`,
  (name) => `of "${name.normalize("NFC")}"`,
];

interface Hidden {
  readonly names: readonly string[];
  readonly descriptions: readonly string[];
  /** Somebody's full name and address, by a number. */
  person(number: number): { readonly full_name: string; readonly address: string };
  readonly invited: readonly string[];
}

/** The same in both organizations. */
interface Shape {
  readonly changes: readonly (typeof CHANGES)[number][];
  readonly mentions: readonly number[];
  readonly role: string;
}

const FIRST = 106;
const NAMED = 7;
/** The id of role:moderators. */
const MODERATORS = 12;

function realm({ mentions, changes }: Shape, hidden: Hidden): Snapshot {
  let texts = 0;
  const text = (): string => {
    texts += 1;
    const at = texts % hidden.names.length;
    return MENTIONS[mentions[texts % mentions.length] ?? 0]?.(hidden.names[at] ?? "", FIRST + at) ?? "";
  };
  const field_data = { "0": { text: text(), order: "1" }, "1": { text: "Leeds", order: "2" } };
  const base = realmOf({
    channels: [
      { name: "general", description: text() },
      { name: "mmm", description: "nothing" },
      { name: "town-square", description: text() },
      { name: "lobby" },
      { name: "water-cooler" },
      ...hidden.names.map((name, at) => {
        return { name, invite_only: true, description: hidden.descriptions[at], can_subscribe_group: MODERATORS };
      }),
    ],
    settings: {
      description: text(),
      welcome_message_custom_text: text(),
      new_stream_announcements_stream_id: FIRST,
      ...(changes[0] === "opened" ? {} : { moderation_request_channel_id: FIRST }),
    },
    navigation_views: hidden.names.flatMap((name, at) => [
      { fragment: `narrow/channel/${FIRST + at}-x`, is_pinned: true, name: `In #${name}` },
      { fragment: `narrow/channel/${FIRST + at}-x/topic/t`, is_pinned: true },
    ]),
    linkifiers: hidden.names.map((name, at) => {
      return { pattern: `(?P<id>[0-9]+)${at}`, url_template: `https://example.org/?q="${name}"&{id}` };
    }),
    playgrounds: [{ language: "Go", name: text(), url_template: "https://example.org/?c={code}" }],
    profile_fields: [{ name: "Site", type: "select", hint: text(), field_data }],
    user_groups: [
      { name: "staff", description: text(), members: ["hana", "ada", "elif", "jana", "ben"].map(addressOf) },
      {
        name: "heads",
        description: "x",
        can_manage_group: { direct_members: [14, 9, 13, 10, 11], direct_subgroups: [] },
      },
    ],
    channel_folders: [{ name: "Works", description: text() }],
    invites: hidden.invited.map((email) => ({ email })),
  });
  const subscribers = base.channels.map(({ stream_id }) => [stream_id, stream_id < FIRST ? [] : [6, 13]]);
  return {
    ...base,
    users: base.users.map((user) => asHidden(user, hidden)),
    subscribers: Object.fromEntries(subscribers),
  };
}

const addressOf = (name: string): string => `${name}@acme.example`;

/** Nobody is named in the file but Ada, and an administrator who loses that role, and with it more channels than a risk names. */
function asHidden(user: Snapshot["users"][number], { person }: Hidden): Snapshot["users"][number] {
  if (user.is_bot || user.delivery_email === addressOf("ada")) return user;
  const { full_name, address } = person(user.user_id);
  const email = `user${user.user_id}@acme.example.org`;
  if (user.user_id === NAMED) return { ...user, full_name, email, delivery_email: addressOf("named") };
  return { ...user, full_name, email, delivery_email: address };
}

function file({ changes, role }: Shape): string {
  const lines = changes.map((what, at) => {
    if (what === "opened") return `  shown-${at}: {id: ${FIRST + at}, privacy: public}\n`;
    if (what === "renamed") return `  named-${at}: {id: ${FIRST + at}, description: other}\n`;
    return what === "archived" ? `  gone-${at}: {id: ${FIRST + at}, archived: true}\n` : "";
  });
  const channels = changes.includes("removed") ? "exact" : "additive";
  return `version: 1
manage: {navigation_views: exact, linkifiers: exact, channels: ${channels}, invites: exact, playgrounds: exact, profile_fields: exact}
policy: {limits: {removals: 20}, protect: ["channel:*"]}
navigation_views: {}
linkifiers: []
invites: []
playgrounds: []
profile_fields: [{name: Site, type: select, hint: where, options: [Leeds]}]
settings: {description: Something, welcome_message_custom_text: Hi, new_stream_announcements_channel: general}
user_groups:
  staff: {description: Who, members: [ada@acme.example]}
  heads: {description: x, permissions: {can_manage_group: role:moderators}}
people: {named@acme.example: {role: ${role}}}
channel_folders: {Works: {description: w}}
channels:
  general: {description: Everything}
  mmm: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}
  town-square: {description: Square}
${lines.join("")}`;
}

const RULES = `version: 1
tests:
  - {name: nobody, who: staff, cannot: {read: "*", post: "*", administer: "*"}}
  - {name: few, objects: "*", rights: {read: {at_most: 0}}}
  - {name: some, objects: "*", rights: {read: {only: [ada@acme.example]}}}
  - {name: fields, objects: "*", fields: {description: {is: nix}}}
  - {name: private, objects: "*", privacy: "private_*", rights: {read: {exactly: [role:owners]}}}
`;

const KNOWN = new Set([addressOf("ada"), addressOf("named")]);
const BOUND = { base: "main", commit: "0".repeat(40), configuration: "c" };

type Outputs = { readonly [format: string]: string };

/** Everything that others may read, of an organization and a file. */
async function published(shape: Shape, hidden: Hidden): Promise<Outputs> {
  const snapshot = realm(shape, hidden);
  const text = file(shape);
  const plan = must(await planText(text, snapshot));
  const redaction = redactionOf([plan], snapshot, { ...HIDE, known: KNOWN }, kinds);
  const shown = redactPlan(plan, redaction);
  const drift = driftOf(shown);
  const items = driftItems(drift, driftOf(plan), undefined, "");
  const source = { file: "realm.yaml", readFile: () => Promise.resolve(text), kinds, realm: new Realm(snapshot) };
  const stored = hiddenSnapshot(snapshot, must(await readConfig(source)), kinds);
  return {
    ...publishedOf({ plan, snapshot, redaction }),
    short: renderPlan(shown, { style: PLAIN }),
    "what is hidden": commentOf(shown, { hides: isRedacted(plan, shown) }),
    "little markdown": commentOf(shown, { budget: 3000 }),
    identities: items.map(({ identity }) => identity).join("\n"),
    issue: issueText("<!-- m -->", shown, items, 60_000).body,
    reviewed: JSON.stringify(reviewedOf(plan, snapshot, redaction, BOUND), null, 1),
    snapshot: snapshotArtifactText(stored).text,
    "plan from it": renderPlanJson(must(await planText(text, stored)), 0),
    rules: await brokenRules(snapshot, redaction),
  };
}

async function brokenRules(snapshot: Snapshot, redaction: Redaction): Promise<string> {
  const rules = { file: "realm.test.yaml", readFile: () => Promise.resolve(RULES) };
  const reader = { snapshot: () => Promise.resolve(snapshot) };
  const { outcomes, ground } = must(await testRules(rules, { what: "reading", reader }));
  return outcomes
    .flatMap((outcome) => brokenDiagnostics(outcome, ground, redaction).map(wordedDiagnostic))
    .map(({ message }) => message)
    .join("\n");
}

/** Each of the two has other names, in another order. */
const twins = fc
  .record({
    names: fc.constantFrom(...CLASSES).chain((all) => fc.shuffledSubarray([...all], { minLength: 4, maxLength: 4 })),
    changes: fc.array(fc.constantFrom(...CHANGES), { minLength: 1, maxLength: 2 }),
    mentions: fc.array(fc.nat(MENTIONS.length - 1), { minLength: 9, maxLength: 9 }),
    role: fc.constantFrom("moderator", "guest"),
    invited: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ names, invited, ...shape }) => {
    const one = names.slice(0, shape.changes.length);
    const other = names.slice(-shape.changes.length);
    return {
      shape,
      one: {
        names: one,
        descriptions: one.map((name) => `secret of #${name}`),
        person: (number: number) => ({ full_name: `Nora ${number}x`, address: addressOf(`nora${100 + number}`) }),
        invited: ["zoe0@x.example", "zoe1@x.example"].slice(0, invited),
      },
      other: {
        names: other,
        descriptions: other.map((name) => `quite another about "${name}"`),
        person: (number: number) => ({ full_name: `Bea ${number}yz`, address: addressOf(`zed.bea${500 - number}`) }),
        invited: ["zoe9@longer.example", "abe@y.example"].slice(0, invited),
      },
    };
  });

/** The first line that differs. */
function difference(one = "", other = ""): string {
  const [lines, others] = [one.split("\n"), other.split("\n")];
  const at = lines.findIndex((line, index) => line !== others[index]);
  return `${lines[at]} / ${others[at]}`;
}

test("two organizations that differ only in what is hidden have the same outputs", async () => {
  await fc.assert(
    fc.asyncProperty(twins, async ({ shape, one, other }) => {
      const [own, others] = [await published(shape, one), await published(shape, other)];
      for (const [format, text] of Object.entries(own))
        if (text !== others[format]) expect.fail(`${format}: ${difference(text, others[format])}`);
      // The names are there: otherwise all would be equal.
      expect(JSON.stringify(realm(shape, one))).not.toBe(JSON.stringify(realm(shape, other)));
    }),
    { numRuns: Number(process.env.REALMCTL_TWINS ?? 12) },
  );
});

test("which channels a risk names, of more than it names, depends on no hidden name", async () => {
  const file = `version: 1\npeople: {${addressOf("ben")}: {role: guest}}\n`;
  const named = async (...names: readonly string[]): Promise<readonly string[]> => {
    const secret = names.map((name) => ({ name, invite_only: true, can_subscribe_group: MODERATORS }));
    const snapshot = realmOf({ channels: [{ name: "lobby" }, ...secret, { name: "mmm" }, { name: "square" }] });
    const plan = must(await planText(file, snapshot));
    const redaction = redactionOf([plan], snapshot, HIDE, kinds);
    return redactPlan(plan, redaction).changes.flatMap(({ risks }) =>
      risks.flatMap(({ fact }) => (fact?.kind === "role" ? fact.lost.channels.map(({ name }) => name) : [])),
    );
  };
  const shown = await named("aa", "bb", "zy", "zz");
  expect(shown).toHaveLength(5);
  expect(await named("zz", "zy", "bb", "aa")).toEqual(shown);
  expect(await named("na", "nb", "nc", "nd")).toEqual(shown);
});
