import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { quote } from "../../src/model/diagnostics/values.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { ApplyResult } from "../../src/model/result.ts";
import type { UndoNote } from "../../src/model/run-facts.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { guarded } from "../../src/plan/guards.ts";
import { diagnosticsGithub, diagnosticsJson, renderDiagnostics } from "../../src/report/diagnostics.ts";
import { redactDiagnostic, redactionOf } from "../../src/report/redact.ts";
import { PLAIN } from "../../src/report/style.ts";
import { redactionOfFiles } from "../../src/workflow/hidden-in-files.ts";
import { planText } from "../support/cases.ts";
import { HIDE, publishedOf, unsent } from "../support/published.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { Draw } from "./draw.ts";

// Whatever private channels are called, what others read is the same: no name is shown, and no word of the format, of the API or of a sentence is lost.

/** Words of the format, of the API, of Zulip and of sentences, names of groups and folders, short names, and signs. */
const NAMES = [
  ..."hr here of role a the id x é & @ % $& ' < -".split(" "),
  ..."name new old text subtype file groups users members direct_members description order".split(" "),
  ..."unlimited realm_default never member guest inherit public inbox narrow topic recent github".split(" "),
  ..."staff owners channel Company nobody everyone role:owners private was people limit removals protect archived".split(
    " ",
  ),
  ..."general-hr hr-general gen eral constructor toString true null ada".split(" "),
  "private channel",
  "(hidden name)",
  "Ada Okafor",
] as const;

/** Private channels before or after: the first stays, the second is renamed, the third becomes private, the fourth is new, the fifth becomes public. */
type Names = Readonly<Record<"stays" | "from" | "to" | "closes" | "made" | "opens", string>>;
const NEUTRAL: Names = {
  stays: "qz-alpha",
  from: "qz-bravo",
  to: "qz-charlie",
  closes: "qz-delta",
  made: "qz-echo",
  opens: "qz-foxtrot",
};

const ADA = "ada@acme.example";
type Fields = { readonly [field: string]: unknown };

/** An organization and a file with these names; the same numbers give the same ones but for the names. */
class Scenario extends Draw {
  private readonly names: Names;

  constructor(numbers: readonly number[], names: Names) {
    super(numbers);
    this.names = names;
  }

  /** Only in signs: as a bare word, a short name is not searched for. */
  private text(name: string, id: number): string {
    const slug = encodeURIComponent(name).replaceAll("%", ".");
    return this.one([
      `about #${name}, or so`,
      `See #**${name}** now`,
      `See #**${name}>plans** now`,
      `#narrow/channel/${id}-${slug}`,
      "plain",
    ]);
  }

  private who(): unknown {
    return this.one<unknown>(["staff", "hr", "owners", "channel", "role:moderators", { groups: ["hr"], users: [ADA] }]);
  }

  private fields(): Fields {
    return {
      ...this.perhaps(2, () => ({ topics_policy: this.one(["inherit", "allow_empty_topic"]) })),
      ...this.perhaps(2, () => ({ message_retention_days: this.one(["unlimited", 30]) })),
      ...this.perhaps(2, () => ({ folder: this.one(["Company", "of", null]) })),
      ...this.perhaps(2, () => ({
        permissions: { can_send_message_group: this.who(), can_subscribe_group: this.who() },
      })),
      ...this.perhaps(2, () => ({ subscribers: { users: this.one([[ADA], [ADA, "ben@acme.example"]]), exact: true } })),
    };
  }

  live(): Snapshot {
    const { stays, from, closes, opens } = this.names;
    const hidden = { invite_only: true, history_public_to_subscribers: this.chance(2) };
    return realmOf({
      feature_level: 482,
      channels: [
        { name: stays, ...hidden, description: this.text(stays, 101) },
        { name: from, ...hidden, description: this.text(from, 102) },
        { name: closes, description: this.text(stays, 101) },
        { name: opens, ...hidden, description: this.text(opens, 104) },
        { name: "general", description: this.text(stays, 101) },
        { name: "news" },
      ],
      user_groups: [
        { name: "staff", members: [ADA], description: this.text(stays, 101) },
        { name: "hr", members: ["farah@acme.example"] },
        { name: "owners", subgroups: ["hr"] },
        { name: "channel" },
      ],
      channel_folders: [{ name: "Company", description: this.text(from, 102) }, { name: "of" }],
      subscribers: Object.fromEntries([stays, from, closes, opens, "general", "news"].map((name) => [name, [ADA]])),
      navigation_views: [
        { fragment: "narrow/channel/101-slug", is_pinned: true, name: `In #${stays}` },
        { fragment: "inbox", is_pinned: false },
        { fragment: "narrow/topic/mentions", is_pinned: false, name: "Mine" },
      ],
      profile_fields: [
        { name: "Team", type: "select", field_data: { 0: { text: `#${stays}`, order: "1" } } },
        { name: "Code", type: "external_account", field_data: { subtype: "github" } },
      ],
      settings: { new_stream_announcements_stream_id: this.one([101, 102, -1]), description: this.text(stays, 101) },
      invites: [],
    });
  }

  yaml(): string {
    const { stays, from, to, closes, made, opens } = this.names;
    const invited = { channels: this.one([[stays], ["general", stays], ["general"]]), groups: ["hr"] };
    const sections: readonly Fields[] = [
      {
        user_groups: {
          staff: { description: this.text(stays, 101), members: this.one([[ADA], [ADA, "ben@acme.example"]]) },
          hr: { subgroups: ["channel"], permissions: { can_mention_group: this.who() } },
          role2: { was: "owners" },
          members: { description: "Who belongs" },
        },
      },
      { channel_folders: { Company: { description: this.text(stays, 101) }, general: {} } },
      { default_channels: ["general", { channel: "news", absent: true }] },
      { invites: [{ emails: ["moe@acme.example"], ...invited, expires_in: "never", send_until: "2099-01-01" }] },
      { invite_links: [{ expires_on: "never", ...invited, welcome_message_custom_text: this.text(stays, 101) }] },
      {
        settings: {
          new_stream_announcements_channel: this.one([stays, "general", null]),
          topics_policy: "allow_empty_topic",
        },
      },
      { user_defaults: { web_home_view: "recent", emojiset: "twitter" } },
      {
        navigation_views: {
          "narrow/channel/101-slug": { is_pinned: false, name: `At #${stays}` },
          inbox: { is_pinned: true },
        },
      },
      {
        profile_fields: [
          { name: "Team", options: [{ text: `in #${stays}`, was: `#${stays}` }] },
          { name: "Code", service: "gitlab", type: "external_account" },
        ],
      },
      { people: { "farah@acme.example": { role: "moderator" } } },
    ];
    const file = Object.assign({}, ...sections.filter(() => this.chance(2)));
    const removed = this.chance(4) ? { archived: true } : { description: this.text(stays, 101), ...this.fields() };
    // As pairs: a map of JavaScript puts names that are numbers first.
    const channels: readonly (readonly [string, Fields])[] = [
      [stays, removed],
      [to, { was: from, description: this.text(to, 102), ...this.fields() }],
      [closes, { privacy: "private_protected_history", ...this.fields() }],
      [made, { privacy: "private_shared_history", description: this.text(made, 105), ...this.fields() }],
      [opens, { privacy: "public", ...this.fields() }],
      ["general", { description: this.text(stays, 101), ...this.fields() }],
    ];
    const lines = channels.map(([name, item]) => `${JSON.stringify(name)}: ${JSON.stringify(item)}`);
    return `${JSON.stringify({ version: 1, ...file }).slice(0, -1)},\n"channels": {\n${lines.join(",\n")}\n}}`;
  }
}

const guards = (plan: Plan, snapshot: Snapshot, { stays, from }: Names): Plan =>
  guarded({
    plan,
    snapshot,
    kinds,
    policies: [
      {
        limits: {
          removals: { most: 0 },
          people_losing_access: { most: 0 },
          irreversible: { most: 0 },
          changes: { most: 0 },
        },
        protect: [stays, from, "general"]
          .map((name) => ({ pattern: `channel:${name}` }))
          .concat({ pattern: "user_group:hr" }, { pattern: "navigation_view:inbox" }),
      },
    ],
    allow: [`protect:channel:${stays}`],
  });

const resultOf = (plan: Plan, { stays }: Names): ApplyResult =>
  unsent(plan, {
    calls: plan.calls.map(({ n }) => {
      const fact = { kind: "refused", message: quote(`Not while #${stays} is there`), parts: [] } as const;
      return { n, state: "failed", code: "BAD_REQUEST", fact };
    }),
  });

const notesOf = (plan: Plan): readonly UndoNote[] =>
  plan.changes.map(({ kind, name }): UndoNote => ({ kind, name, fact: { why: "deleted" } }));

/** Places in the file depend on the length of names, and so does the width of columns. Ids are sent in the order of names. */
const leveled = (text: string): string =>
  text
    .replaceAll(/(column|Column|col)("?[:=] ?)\d+/g, "$1$2")
    .replaceAll(/(realm\.yaml:\d+):\d+/g, "$1")
    .replaceAll(/-+>/g, "")
    .replaceAll(/(stream_ids(?:"?: |=|&#61;)\[)[\d,\s]+/g, "$1");

/** Everything that others may read. */
async function published(numbers: readonly number[], names: Names): Promise<Readonly<Record<string, string>>> {
  const scenario = new Scenario(numbers, names);
  const snapshot = scenario.live();
  const yaml = scenario.yaml();
  const found = await planText(yaml, snapshot);
  if (!found.ok) {
    const realm = redactionOf([], snapshot, HIDE, kinds);
    const file = redactionOfFiles([yaml], HIDE, kinds, { realm: [realm] });
    const diagnostics = found.diagnostics.map((one) => redactDiagnostic(redactDiagnostic(one, realm), file));
    const errors = {
      text: renderDiagnostics({ diagnostics, sources: new Map(), style: PLAIN }),
      json: JSON.stringify(diagnosticsJson(diagnostics)),
      github: diagnosticsGithub(diagnostics),
    };
    return Object.fromEntries(Object.entries(errors).map(([format, text]) => [`errors ${format}`, leveled(text)]));
  }
  const plan = guards(found.value, snapshot, names);
  const outputs = publishedOf({ plan, snapshot, result: resultOf(plan, names), notes: notesOf(plan) });
  return Object.fromEntries(Object.entries(outputs).map(([format, text]) => [format, leveled(text)]));
}

const names: fc.Arbitrary<Names> = fc
  .shuffledSubarray([...NAMES], { minLength: 6, maxLength: 6 })
  .map(([stays = "", from = "", to = "", closes = "", made = "", opens = ""]) => ({
    stays,
    from,
    to,
    closes,
    made,
    opens,
  }));

test("six private channels with any names: every output for others is the same, in every format", async () => {
  const formats = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(9999), { minLength: 90, maxLength: 90 }), names, async (numbers, chosen) => {
      const neutral = await published(numbers, NEUTRAL);
      for (const format of Object.keys(neutral)) formats.add(format);
      expect(await published(numbers, chosen)).toEqual(neutral);
      expect(Object.values(neutral).join("\n")).not.toContain("qz-");
    }),
    { numRuns: Number(process.env.REALMCTL_RUNS ?? 5) },
  );
  expect(formats).toContain("html");
});
