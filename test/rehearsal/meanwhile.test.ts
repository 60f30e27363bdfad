import { expect, test } from "vitest";
import { Ids } from "../../src/apply/ids.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { copyOf, rehearse } from "../../src/rehearsal/rehearse.ts";
import { planRealm } from "../../src/workflow/workflow.ts";
import { lookAt } from "../support/pictures.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";
import { general, recordedRefusals } from "./recorded-refusals.ts";
import { UNMET } from "./unmet-refusals.ts";

/**
 * What the server refuses after somebody else's change, and what `apply` therefore does not ask: if the plan is sent without another reading, the
 * answer is the recorded refusal; if `apply` carries it out, it ends before the first request, with a conflict or because the wanted state already
 * exists.
 */
interface Meanwhile {
  readonly words: string;
  readonly before?: Overlay;
  readonly after?: Overlay;
  readonly edit?: (snapshot: Snapshot) => Snapshot;
  readonly yaml: string;
  readonly ends: "conflict" | "already so";
  /** No reading shows what is refused in these words: the plan itself sent it before. */
  readonly isSentTwice?: true;
}

const G: Overlay = { channels: [{ name: "general" }], subscribers: { general: ["ada@acme.example"] } };
const ARCHIVED: Overlay = { ...G, channels: [{ name: "general", is_archived: true }] };
const FORGE: Overlay = { emoji: { forge: "ada@acme.example" } };
const PHONE: Overlay = { profile_fields: [{ name: "Phone", type: "short_text" }] };
const LINKIFIER = { pattern: "x(?P<n>[0-9]+)", url_template: "https://acme.example/{n}" };
const OTHER = { ...LINKIFIER, url_template: "https://other.example/{n}" };
const PLAY = { language: "Python", name: "P", url_template: "https://acme.example/{code}" };
const DOMAIN = { domain: "acme.example", allow_subdomains: false };
const VIEW = { fragment: "inbox", is_pinned: false };
const groups = (crew: readonly string[], members: readonly string[] = [], below: readonly string[] = []): Overlay => ({
  user_groups: [
    { name: "night", subgroups: [...below] },
    { name: "crew", subgroups: [...crew], members: [...members] },
  ],
});
const ADA = "ada@acme.example";
const BEN = "ben@acme.example";
const LINK: Overlay = { invites: [], links: [{ invited_as: 600, expires_in_days: null }] };

const ROWS: readonly Meanwhile[] = [
  {
    words: "… value does not match the expected value.",
    yaml: "settings: {permissions: {can_add_custom_emoji_group: leads}}",
    edit: (snapshot) => ({ ...snapshot, settings: { ...snapshot.settings, can_add_custom_emoji_group: 9 } }),
    ends: "conflict",
  },
  {
    words: "A custom emoji with this name already exists.",
    yaml: "emoji: {forge: {image: emoji/forge.png}}",
    after: FORGE,
    ends: "conflict",
  },
  {
    words: "A field with that label already exists.",
    yaml: "profile_fields: [{name: Phone, type: short_text}]",
    after: { profile_fields: [{ name: "Phone", type: "long_text" }] },
    ends: "conflict",
  },
  {
    words: "Channel … already exists",
    yaml: "channels: {general: {subscribers: {users: [], exact: true}}}",
    after: G,
    ends: "conflict",
  },
  {
    words: "Channel already has that name.",
    yaml: "channels: {news: {was: general}}",
    before: G,
    after: { channels: [{ name: "news" }], subscribers: { news: [ADA] } },
    ends: "already so",
  },
  {
    words: "Channel name is already in use.",
    yaml: "channels: {news: {was: general}}",
    before: { ...G, feature_level: 384 },
    after: { ...G, feature_level: 384, channels: [{ name: "general" }, { name: "news" }] },
    ends: "conflict",
  },
  {
    words: "Channel is already deactivated",
    yaml: "channels: {general: {archived: true}}",
    before: G,
    after: ARCHIVED,
    ends: "already so",
  },
  {
    words: "Channel is not currently deactivated",
    yaml: "channels: {general: {archived: false}}",
    before: ARCHIVED,
    after: G,
    ends: "already so",
  },
  {
    words: "Email is already in use.",
    yaml: "bots: {new-bot: {}}",
    edit: (snapshot) => ({
      ...snapshot,
      users: snapshot.users.map((user) =>
        user.user_id === 18 ? { ...user, email: "new-bot@localhost", delivery_email: "new-bot@localhost" } : user,
      ),
    }),
    ends: "conflict",
    isSentTwice: true,
  },
  {
    words: "Emoji … does not exist",
    yaml: "emoji: {forge: {absent: true}}",
    before: FORGE,
    after: {},
    ends: "already so",
  },
  {
    words: "Field id … not found.",
    yaml: "profile_fields: [{name: Phone, hint: x}]",
    before: PHONE,
    after: {},
    ends: "conflict",
  },
  {
    words: "Linkifier not found.",
    yaml: `linkifiers: [${JSON.stringify(LINKIFIER)}]`,
    before: { linkifiers: [OTHER] },
    after: {},
    ends: "conflict",
  },
  {
    words: "Realm filter with this Realm and Pattern already exists.",
    yaml: `linkifiers: [${JSON.stringify(LINKIFIER)}]`,
    after: { linkifiers: [OTHER] },
    ends: "conflict",
  },
  {
    words: "Invalid playground",
    yaml: "playgrounds: [{name: P, language: Python, absent: true}]",
    before: { playgrounds: [PLAY] },
    after: {},
    ends: "already so",
  },
  {
    words: "Realm playground with this Realm, Pygments language and Name already exists.",
    yaml: `playgrounds: [${JSON.stringify(PLAY)}]`,
    after: { playgrounds: [{ ...PLAY, url_template: "https://other.example/{code}" }] },
    ends: "conflict",
  },
  {
    words: "Invitation has already been revoked",
    yaml: "invite_links: [{expires_on: never, invite_as: guest, absent: true}]",
    before: LINK,
    after: { invites: [] },
    ends: "already so",
    isSentTwice: true,
  },
  {
    words: "No such invitation",
    yaml: "invites: [{emails: [lin@b.example], absent: true}]",
    before: { invites: [{ email: "lin@b.example" }] },
    after: { invites: [] },
    ends: "already so",
  },
  {
    words: "No entry found for domain acme.example.",
    yaml: "domains: {acme.example: {allow_subdomains: true}}",
    before: { domains: [DOMAIN] },
    after: {},
    ends: "conflict",
  },
  {
    words: "The domain acme.example is already a part of your organization.",
    yaml: "domains: {acme.example: {allow_subdomains: true}}",
    after: { domains: [DOMAIN] },
    ends: "conflict",
  },
  {
    words: "Navigation view does not exist.",
    yaml: "navigation_views: {inbox: {is_pinned: true}}",
    before: { navigation_views: [VIEW] },
    after: {},
    ends: "conflict",
  },
  {
    words: "There is no member … in this user group",
    yaml: `user_groups: {crew: {members: [${ADA}]}}`,
    before: groups([], [ADA, BEN]),
    after: groups([], [ADA]),
    ends: "already so",
  },
  {
    words: "User … is already a member of this group",
    yaml: `user_groups: {crew: {members: [${ADA}, ${BEN}]}}`,
    before: groups([], [ADA]),
    after: groups([], [ADA, BEN]),
    ends: "already so",
  },
  { words: "User group … already exists.", yaml: "user_groups: {crew: {}}", after: groups([]), ends: "conflict" },
  {
    words: "User group … is already a subgroup of this group.",
    yaml: "user_groups: {crew: {subgroups: [night]}}",
    before: groups([]),
    after: groups(["night"]),
    ends: "already so",
  },
  {
    words: "User group … is not a subgroup of this group.",
    yaml: "user_groups: {crew: {subgroups: []}}",
    before: groups(["night"]),
    after: groups([]),
    ends: "already so",
  },
  {
    words: "Channel(s) (…) do not exist",
    yaml: `channels: {general: {subscribers: {users: [${ADA}], exact: true}}}`,
    before: { ...G, subscribers: { general: [ADA, BEN] } },
    after: { channels: [{ name: "news" }], subscribers: { news: [ADA, BEN] } },
    ends: "conflict",
  },
];

test("every recorded refusal that a second reading prevents is listed here", () => {
  const patterns = UNMET.flatMap(({ meanwhile, words }) => (meanwhile === true ? words : []));
  const said = recordedRefusals().flatMap(({ words }) => (patterns.some((each) => each.test(words)) ? [words] : []));
  // Each domain has its own sentence.
  const alike = (words: string): string => words.replace(/(domain) \S+/, "$1 …");
  expect(said.length).toBeGreaterThan(25);
  expect([...new Set(ROWS.map(({ words }) => alike(words)))].sort()).toEqual([...new Set(said.map(alike))].sort());
});

test.each(ROWS)(
  "$words: $ends",
  async ({ words, before = {}, after = before, edit = (same) => same, yaml, ends, isSentTwice }) => {
    const found = await planRealm({
      file: "realm.yaml",
      readFile: async () => `version: 1\n${yaml}\n`,
      lookAt,
      reader: { snapshot: async () => realmOf({ subscribers: {}, invites: [], ...before }) },
    });
    const { plan, planAgain } = must(found);
    const meanwhile = edit(realmOf({ subscribers: {}, invites: [], ...after }));

    // Sent without another reading.
    const ids = new Ids();
    const calls = plan.calls.map((call) => ids.fill(call, Date.parse(plan.snapshot_taken_at)));
    const copy = copyOf(isSentTwice === true ? realmOf({ subscribers: {}, invites: [], ...before }) : meanwhile);
    const answers = [];
    for (const call of isSentTwice === true ? [...calls, ...calls] : calls) answers.push(await copy.send(call));
    const refused = answers.flatMap((answer) => (answer.outcome === "refused" ? [general(answer.message)] : []));
    expect(refused[0]).toBe(words);

    // Carried out.
    const reads = { invites: true, subscribers: true };
    const { failed, succeeded } = await rehearse({ plan, snapshot: meanwhile, reads, kinds, planAgain });
    if (ends === "already so") expect({ failed, succeeded }).toEqual({ failed: undefined, succeeded: calls.length });
    else expect(failed).toMatchObject({ code: "conflict" });
  },
);
