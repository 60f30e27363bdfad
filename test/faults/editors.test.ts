import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import type { WireCall } from "../../src/model/journal.ts";
import { isList, isObject, type Json, sameJson } from "../../src/model/json.ts";
import type { Plan } from "../../src/model/plan.ts";
import { fileParam } from "../../src/model/repository-file.ts";
import type { RealmState } from "../../src/sandbox/index.ts";
import { betweenRequests } from "../support/between-requests.ts";
import { lookAt, readPicture } from "../support/pictures.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst, World } from "../support/world.ts";

/** Somebody else changes objects of every kind while a plan of every kind is carried out: many times, and half as often between any two requests. */
const RUNS = Number(process.env.REALMCTL_RUNS ?? 4) * 5;
const BETWEEN_ANY_TWO_REQUESTS = Math.ceil(RUNS / 2);
const BEFORE_A_REQUEST_REPLACES = Math.ceil(RUNS / 8);

const [ADA, BEN, CHIARA, FARAH, GUSTAVO, HANA, DEPLOY_BOT, CI_BOT] = [6, 7, 8, 11, 12, 13, 17, 18];
const VIEW = "narrow/is/dm";

const live = realmOf({
  feature_level: 442,
  channels: [
    { name: "one", description: "Old", can_send_message_group: 30, can_remove_subscribers_group: 30 },
    { name: "two", description: "Old", folder_id: null },
    { name: "three" },
    { name: "four" },
  ],
  subscribers: {
    one: ["ada@acme.example", "ben@acme.example"],
    two: ["ada@acme.example"],
    three: ["ada@acme.example"],
    four: ["ada@acme.example"],
  },
  linkifiers: [
    { pattern: "JOB-(?P<id>[0-9]+)", url_template: "https://old.example.org/{id}" },
    { pattern: "OLD-(?P<id>[0-9]+)", url_template: "https://old.example.org/{id}" },
  ],
  domains: [
    { domain: "acme.example", allow_subdomains: false },
    { domain: "c.example", allow_subdomains: false },
  ],
  navigation_views: [{ fragment: VIEW, is_pinned: false, name: "Talks" }],
  invites: [{ email: "lin@b.example" }, { email: "moe@b.example" }],
  links: [{ invited_as: 600 }, { invited_as: 400 }],
  settings: { description: "Old", icon_source: "U", icon_url: "/user_avatars/2/realm/icon.png?version=3" },
  user_defaults: {},
  profile_fields: [
    { name: "Phone", type: "short_text", hint: "Old" },
    { name: "Birthday", type: "date" },
  ],
  emoji: { anvil: "ada@acme.example", forge: "ada@acme.example" },
  playgrounds: [
    { language: "Rust", name: "Play", url_template: "https://old.example.org/{code}" },
    { language: "Go", name: "Play", url_template: "https://old.example.org/go/{code}" },
  ],
});

/** What a file may ask for: any combination of these. */
const WISHES: { readonly [wish: string]: { readonly [key: string]: Json } } = {
  "channel description": { channels: { one: { description: "New" } } },
  "channel setting": { channels: { one: { permissions: { can_send_message_group: "leads" } } } },
  "channel privacy": { channels: { one: { privacy: "private_shared_history" } } },
  "channel retention": { channels: { one: { message_retention_days: 30 } } },
  "channel subscribers": {
    channels: { one: { subscribers: { users: ["ada@acme.example", "farah@acme.example"], exact: true } } },
  },
  "channel folder": { channels: { two: { folder: "Company" } } },
  "channel name": { channels: { third: { was: "three" } } },
  "channel archived": { channels: { four: { archived: true } } },
  "channel made": { channels: { fresh: {} } },
  "default channel": { default_channels: ["two"] },
  "group description": { user_groups: { leads: { description: "New" } } },
  "group setting": { user_groups: { leads: { permissions: { can_mention_group: "staff" } } } },
  "group members": { user_groups: { leads: { members: ["ada@acme.example", "chiara@acme.example"] } } },
  "group name": { user_groups: { makers: { was: "engineering" } } },
  "group made": { user_groups: { crew: { members: ["ada@acme.example"] } } },
  "folder description": { channel_folders: { Company: { description: "New" } } },
  "folder name": { channel_folders: { Works: { was: "Projects" } } },
  "linkifier template": {
    linkifiers: [{ pattern: "JOB-(?P<id>[0-9]+)", url_template: "https://new.example.org/{id}" }],
  },
  "linkifier made": { linkifiers: [{ pattern: "BUG-(?P<id>[0-9]+)", url_template: "https://new.example.org/{id}" }] },
  "linkifier gone": { linkifiers: [{ pattern: "OLD-(?P<id>[0-9]+)", absent: true }] },
  "domain subdomains": { domains: { "acme.example": { allow_subdomains: true } } },
  "domain made": { domains: { "b.example": {} } },
  "domain gone": { domains: { "c.example": { absent: true } } },
  "view pinned": { navigation_views: { [VIEW]: { is_pinned: true } } },
  "view name": { navigation_views: { [VIEW]: { name: "Mine" } } },
  "invitation replaced": {
    invites: [{ emails: ["lin@b.example"], send_until: "2099-01-01", invite_as: "guest", replace: true }],
  },
  "invitation made": { invites: [{ emails: ["newcomer@b.example"], send_until: "2099-01-01" }] },
  "invitation gone": { invites: [{ emails: ["moe@b.example"], absent: true }] },
  "link made": { invite_links: [{ expires_on: "never" }] },
  "link gone": { invite_links: [{ expires_on: "2026-11-30", invite_as: "guest", absent: true }] },
  "organization's description": { settings: { description: "New" } },
  "organization's language": { settings: { default_language: "de" } },
  "organization's right": { settings: { permissions: { can_create_groups: "staff" } } },
  "organization's icon": { settings: { icon: { image: "icon.png", replaces: 3 } } },
  "default of new people": { user_defaults: { color_scheme: "dark" } },
  "person's role": { people: { "hana@acme.example": { role: "moderator" } } },
  "person gone": { people: { "gustavo@acme.example": { deactivated: true } } },
  "bot's name": { bots: { "deploy-bot": { full_name: "New" } } },
  "bot made": { bots: { "fresh-bot": {} } },
  "bot gone": { bots: { "ci-bot": { absent: true } } },
  "profile field's hint": { profile_fields: [{ name: "Phone", hint: "New" }] },
  "profile field made": { profile_fields: [{ name: "Team", type: "short_text" }] },
  "profile field gone": { profile_fields: [{ name: "Birthday", absent: true }] },
  "emoji replaced": { emoji: { anvil: { image: "anvil.png", replaces: 601 } } },
  "emoji made": { emoji: { molten: "molten.png" } },
  "emoji gone": { emoji: { forge: { absent: true } } },
  "playground's template": {
    playgrounds: [{ language: "Rust", name: "Play", url_template: "https://new.example.org/{code}" }],
  },
  "playground made": {
    playgrounds: [{ language: "C", name: "Play", url_template: "https://new.example.org/c/{code}" }],
  },
  "playground gone": { playgrounds: [{ language: "Go", name: "Play", absent: true }] },
};

const channel = (stream_id: number, params: WireCall["params"]): WireCall => ({
  operation: "update-stream",
  path: { stream_id },
  params,
});
const group = (params: WireCall["params"], user_group_id = 32): WireCall => ({
  operation: "update-user-group",
  path: { user_group_id },
  params,
});
const members = (params: WireCall["params"]): WireCall => ({
  ...group(params),
  operation: "update-user-group-members",
});
const folder = (channel_folder_id: number, params: WireCall["params"]): WireCall => ({
  operation: "update-channel-folder",
  path: { channel_folder_id },
  params,
});
const linkifier = (filter_id: number, host: string, pattern = "JOB"): WireCall => ({
  operation: "update-linkifier",
  path: { filter_id },
  params: { pattern: `${pattern}-(?P<id>[0-9]+)`, url_template: `https://${host}.example.org/{id}` },
});
const plain = (operation: string, params: WireCall["params"], path: WireCall["path"] = {}): WireCall => ({
  operation,
  path,
  params,
});

const picture = fileParam(await lookAt("theirs.png"));
const user = (user_id: number, params: WireCall["params"]): WireCall => plain("update-user", params, { user_id });
const profileField = (field_id: number, hint: string): WireCall =>
  plain("update-custom-profile-field", { hint }, { field_id });
const playground = (pygments_language: string, host: string): WireCall =>
  plain("add-code-playground", { name: "Play", pygments_language, url_template: `https://${host}.example.org/{code}` });

/** What somebody else may do, including what the file wants and what reverts another's change. */
const EDITS: readonly WireCall[] = [
  ...["Theirs", "New", "Old"].map((description) => channel(101, { description })),
  ...[31, 32, 30].map((id) => channel(101, { can_send_message_group: { new: id } })),
  ...[99, 30, "realm_default"].map((message_retention_days) => channel(101, { message_retention_days })),
  channel(101, { is_private: true, history_public_to_subscribers: true }),
  plain("subscribe", { subscriptions: [{ name: "one" }], principals: [FARAH, CHIARA] }),
  plain("unsubscribe", { subscriptions: ["one"], principals: [BEN] }),
  ...[1, 2].map((folder_id) => channel(102, { folder_id })),
  ...["theirs", "third"].map((new_name) => channel(103, { new_name })),
  channel(104, { description: "Theirs" }),
  plain("archive-stream", {}, { stream_id: 104 }),
  plain("subscribe", { subscriptions: [{ name: "fresh" }] }),
  plain("add-default-stream", { stream_id: 102 }),
  ...["Theirs", "New", "Decide"].map((description) => group({ description })),
  ...[30, 31].map((id) => group({ can_mention_group: { new: id } })),
  members({ add: [ADA] }),
  members({ add: [FARAH], delete: [BEN] }),
  ...["theirs", "makers"].map((name) => group({ name }, 31)),
  plain("create-user-group", { name: "crew", description: "Theirs", members: [BEN] }),
  ...["Theirs", "New"].map((description) => folder(1, { description })),
  ...["Theirs", "Works"].map((name) => folder(2, { name })),
  ...["their", "new", "old"].map((host) => linkifier(201, host)),
  linkifier(202, "their", "OLD"),
  plain("remove-linkifier", {}, { filter_id: 202 }),
  plain("add-linkifier", { pattern: "BUG-(?P<id>[0-9]+)", url_template: "https://their.example.org/{id}" }),
  plain("update-realm-domain", { allow_subdomains: true }, { domain: "acme.example" }),
  plain("update-realm-domain", { allow_subdomains: true }, { domain: "c.example" }),
  plain("remove-realm-domain", {}, { domain: "c.example" }),
  plain("add-realm-domain", { domain: "b.example", allow_subdomains: true }),
  ...[{ is_pinned: true }, { name: "Theirs" }, { name: "Mine" }].map((params) =>
    plain("edit-navigation-view", params, { fragment: VIEW }),
  ),
  plain("revoke-email-invite", {}, { invite_id: 401 }),
  plain("revoke-email-invite", {}, { invite_id: 402 }),
  plain("send-invites", { invitee_emails: "newcomer@b.example", stream_ids: [], invite_as: 600 }),
  plain("create-invite-link", { invite_as: 400, invite_expires_in_minutes: null }),
  plain("revoke-invite-link", {}, { invite_id: 501 }),
  plain("revoke-invite-link", {}, { invite_id: 502 }),
  ...["Theirs", "New", "Old"].map((description) => plain("update-realm", { description })),
  ...["fr", "de"].map((default_language) => plain("update-realm", { default_language })),
  ...[12, 30].map((id) => plain("update-realm", { can_create_groups: { new: id } })),
  plain("upload-realm-icon", { file: picture }),
  plain("remove-realm-icon", {}),
  ...[2, 3].map((color_scheme) => plain("update-realm-user-settings-defaults", { color_scheme })),
  ...[200, 300, 600].map((role) => user(HANA, { role })),
  plain("deactivate-user", {}, { user_id: GUSTAVO }),
  user(GUSTAVO, { role: 300 }),
  ...["Theirs", "New"].map((full_name) => plain("update-bot", { full_name }, { bot_id: DEPLOY_BOT })),
  plain("deactivate-bot", {}, { bot_id: CI_BOT }),
  plain("update-bot", { full_name: "Theirs" }, { bot_id: CI_BOT }),
  plain("create-bot", { full_name: "Theirs", short_name: "fresh", bot_type: 1 }),
  ...["Theirs", "New", "Old"].map((hint) => profileField(501, hint)),
  profileField(502, "Theirs"),
  plain("remove-custom-profile-field", {}, { field_id: 502 }),
  plain("create-custom-profile-field", { name: "Team", field_type: 1, hint: "Theirs" }),
  ...["anvil", "forge"].map((emoji_name) => plain("deactivate-custom-emoji", {}, { emoji_name })),
  ...["anvil", "molten"].map((emoji_name) => plain("upload-custom-emoji", { file: picture }, { emoji_name })),
  ...[701, 702].map((playground_id) => plain("remove-code-playground", {}, { playground_id })),
  ...["Rust", "Go", "C"].map((language) => playground(language, "their")),
];

/** Settings that the server itself compares with the `old` value in the request: nobody's change of them is lost, at any moment. */
const COMPARED = EDITS.filter(({ params }) => Object.values(params).some((value) => isObject(value) && "new" in value));

/** Changed and changed back before our call: the call is carried out. Reverted after our call: the reverted value stays. */
const [away, , back] = COMPARED.filter(({ params }) => "can_send_message_group" in params);
if (away === undefined || back === undefined) throw new RangeError("nothing to change back");
const CHANGED_BACK = [1, 2, 3].flatMap((first) =>
  [first + 1, first + 2].map((second): [string[], { moment: number; edit: WireCall }[]] => [
    ["channel setting", "folder description", "group description", "linkifier template"],
    [
      { moment: first, edit: away },
      { moment: second, edit: back },
    ],
  ]),
);

/** One sandbox for all interleavings: each starts from a copy of the same realm. */
const world = new World(live);
const other = world.as("kofi@acme.example").writer;
const self = world.as("ada@acme.example").writer;

/** Views belong to the account that runs this: the other editor is the same person, at another machine. */
const carryOut = (edit: WireCall) =>
  (edit.operation.includes("navigation") ? self : other).send(edit, undefined, undefined, readPicture);

/** The realm's values, one text for each thing that a change can concern: `channel one|description`. */
function facts({ channels, ...state }: RealmState): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { stream_id: id, ...item } of Object.values(channels)) {
    for (const field of ["name", "description", "can_send_message_group", "message_retention_days", "folder_id"])
      found.set(`channel ${id}|${NAMES[field] ?? field}`, Object.entries(item).find(([key]) => key === field)?.[1]);
    found.set(`channel ${id}|privacy`, item.invite_only);
    found.set(`channel ${id}|archived`, item.is_archived);
    found.set(`default_channel ${id}|exists`, state.default_channels.includes(id));
    for (const [user, { active }] of Object.entries(state.subscriptions[id] ?? {}))
      found.set(`channel ${id}|subscribers ${user}`, active);
  }
  for (const item of Object.values(state.user_groups).filter((each) => !each.is_system_group)) {
    for (const field of ["name", "description", "can_mention_group"])
      found.set(`user_group ${item.id}|${field}`, Object.entries(item).find(([key]) => key === field)?.[1]);
    for (const user of item.members) found.set(`user_group ${item.id}|members ${user}`, true);
  }
  for (const { id, name, description } of Object.values(state.channel_folders)) {
    found.set(`channel_folder ${id}|name`, name);
    found.set(`channel_folder ${id}|description`, description);
  }
  for (const { id, url_template } of Object.values(state.linkifiers))
    found.set(`linkifier ${id}|url_template`, url_template);
  for (const { domain, allow_subdomains } of state.domains)
    found.set(`domain ${domain}|allow_subdomains`, allow_subdomains);
  for (const { fragment, name, is_pinned } of state.navigation_views[ADA] ?? []) {
    found.set(`navigation_view ${fragment}|name`, name);
    found.set(`navigation_view ${fragment}|is_pinned`, is_pinned);
  }
  for (const { id, invited_as, email, is_multiuse, revoked } of state.invites) {
    if (is_multiuse) found.set(`invite_link ${id}|exists`, revoked !== true);
    else found.set(`invite ${email} ${id}|invite_as`, invited_as);
  }
  for (const [name, value] of ownFacts(state)) found.set(name, value);
  return found;
}

/** The organization's own settings. */
function* ownFacts(state: Omit<RealmState, "channels">): Generator<[string, unknown]> {
  for (const field of ["description", "default_language", "can_create_groups"])
    yield [`settings organization|${field}`, state.realm[field]];
  yield ["settings organization|icon", state.realm.icon_url];
  yield ["user_defaults organization|color_scheme", state.user_settings_defaults.color_scheme];
  for (const { user_id, is_bot, role, full_name, is_active } of Object.values(state.users)) {
    const kind = is_bot ? "bot" : "person";
    yield [`${kind} ${user_id}|${is_bot ? "full_name" : "role"}`, is_bot ? full_name : role];
    yield [`${kind} ${user_id}|deactivated`, !is_active];
  }
  for (const { id, hint } of Object.values(state.profile_fields)) yield [`profile_field ${id}|hint`, hint];
  for (const { id, name, deactivated, author_id } of Object.values(state.emoji)) {
    if (deactivated) continue;
    yield [`emoji ${name}|emoji_id`, id];
    yield [`emoji ${name}|author`, author_id];
  }
  for (const { pygments_language, name, url_template } of Object.values(state.playgrounds))
    yield [`playground ${pygments_language}: ${name}|url_template`, url_template];
}
const NAMES: { readonly [field: string]: string } = { folder_id: "folder" };

const START = facts(world.sandbox.state());
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The value that somebody else gave a thing, and its value before; `undefined` if it does not exist. */
interface Theirs {
  readonly from: unknown;
  readonly value: unknown;
}

/**
 * What these edits changed, computed from the server's state before and after them. An edit that is reverted before anybody else touches the value
 * has changed nothing: no server can tell.
 */
async function noted(edits: readonly WireCall[], theirs: Map<string, Theirs>): Promise<void> {
  const before = facts(world.sandbox.state());
  for (const edit of edits) await carryOut(edit);
  const after = facts(world.sandbox.state());
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const value = after.get(name);
    if (isSame(value, before.get(name))) continue;
    const known = theirs.get(name);
    const from = known !== undefined && isSame(known.value, before.get(name)) ? known.from : before.get(name);
    if (isSame(value, from) && isSame(from, START.get(name))) theirs.delete(name);
    else theirs.set(name, { from, value });
  }
}

function merged(a: Json | undefined, b: Json): Json {
  if (isList(a) && isList(b)) return [...a, ...b];
  if (typeof a !== "object" || a === null || isList(a)) return b;
  if (typeof b !== "object" || b === null || isList(b)) return b;
  const whole: { [key: string]: Json } = { ...a };
  for (const [key, value] of Object.entries(b)) whole[key] = merged(whole[key], value);
  return whole;
}

/** All start from the same realm, so equal files have equal plans. */
const plans = new Map<string, Promise<Plan>>();
function planOf(wishes: readonly string[]): { readonly yaml: string; readonly plan: Promise<Plan> } {
  const file = wishes.map((wish) => WISHES[wish] ?? {}).reduce<Json>((sum, wish) => merged(sum, wish), { version: 1 });
  const yaml = JSON.stringify(file);
  const plan = plans.get(yaml) ?? planAgainst(yaml, live).then(must);
  plans.set(yaml, plan);
  return { yaml, plan };
}

function expectKept(theirs: ReadonlyMap<string, Theirs>): void {
  const after = facts(world.sandbox.state());
  for (const [name, { value }] of theirs) expect({ name, value: after.get(name) }).toEqual({ name, value });
}

/** Does the refusal name this thing? A thing that names a group or a folder shows another value once that object has another name. */
function isAbout(key: string, kind: string, field: string): boolean {
  if (/_group$|^subgroups$/.test(field) && /^user_group .*\|name$/.test(key)) return true;
  if (field === "folder" && /^channel_folder .*\|name$/.test(key)) return true;
  return key.startsWith(`${kind} `) && (field === "exists" || key.endsWith(`|${field}`));
}

/** Enough requests for somebody else to act in between. */
const busy = fc.subarray(Object.keys(WISHES), { minLength: 6, maxLength: 12 });
const wished = fc.subarray(Object.keys(WISHES), { minLength: 1, maxLength: 9 });

test(
  "changes that somebody else made since the plan, of any kind, are kept; refusals name them",
  async () => {
    let interleavings = 0;
    let conflicts = 0;
    const refused = new Set<string>();
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        wished,
        fc.array(fc.constantFrom(...EDITS), { minLength: 1, maxLength: 5 }),
        async (wishes, edits) => {
          world.restart();
          const { yaml, plan } = planOf(wishes);
          const planned = await plan;
          for (const { kind } of planned.changes) met.add(kind);
          const theirs = new Map<string, Theirs>();
          await noted(edits, theirs);
          const result = await world.apply(planned, yaml);
          interleavings += 1;
          expectKept(theirs);
          // No unchanged value causes a refusal, and a refusal names which field of which object changed, and how.
          const touched = [...theirs.keys()].map((key) => key.replace(/ \d+$/, ""));
          for (const { state, fact, n } of result.calls) {
            if (state !== "conflict") continue;
            conflicts += 1;
            const moved = result.conflicts.filter(({ calls }) => calls.includes(n));
            expect(moved.length).toBeGreaterThan(0);
            for (const { kind, name, field, planned: before, found } of moved) {
              refused.add(kind);
              expect(fact).toMatchObject({
                changed: expect.arrayContaining([{ object: expect.objectContaining({ name }), field }]),
              });
              expect(sameJson(before, found)).toBe(false);
              expect(touched.some((key) => isAbout(key, kind, field))).toBe(true);
            }
          }
        },
      ),
      {
        numRuns: RUNS,
        examples: [[["domain gone"], EDITS.filter(({ path }) => path.domain === "c.example").slice(0, 1)]],
      },
    );
    expect(interleavings).toBeGreaterThanOrEqual(RUNS);
    expect(conflicts).toBeGreaterThan(RUNS / 50);
    if (RUNS < 500) return;
    const all = kinds.map(({ name }) => name).sort();
    expect([...met].sort()).toEqual(all);
    // A default channel, or a link, exists or does not: somebody else's change leaves it as the file wants it, or as it was.
    expect([...refused].sort()).toEqual(all.filter((name) => name !== "default_channel" && name !== "invite_link"));
  },
  120_000 + RUNS * 100,
);

test(
  "values that the server itself compares are not overwritten even between two requests",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        wished,
        fc.array(fc.record({ moment: fc.integer({ min: 1, max: 6 }), edit: fc.constantFrom(...COMPARED) }), {
          minLength: 1,
          maxLength: 3,
        }),
        async (wishes, edits) => {
          world.restart();
          const { yaml, plan } = planOf(wishes);
          const theirs = new Map<string, Theirs>();
          let sent = 0;
          await world.apply(await plan, yaml, async () => {
            sent += 1;
            const now = edits.filter(({ moment }) => moment === sent).map(({ edit }) => edit);
            if (now.length > 0) await noted(now, theirs);
          });
          expectKept(theirs);
        },
      ),
      { numRuns: BETWEEN_ANY_TWO_REQUESTS, examples: CHANGED_BACK },
    );
  },
  120_000 + RUNS * 50,
);

test(
  "changes that somebody else makes during a run, two seconds before a request would replace them, are kept",
  async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(
        busy,
        fc.array(fc.record({ moment: fc.integer({ min: 1, max: 5 }), edit: fc.constantFrom(...EDITS) }), {
          minLength: 4,
          maxLength: 10,
        }),
        async (wishes, edits) => {
          world.restart();
          const { yaml, plan } = planOf(wishes);
          const theirs = new Map<string, Theirs>();
          const { onSend, clock } = betweenRequests(async (sent) => {
            const due = edits.filter(({ moment }) => moment === sent).map(({ edit }) => edit);
            if (due.length > 0) await noted(due, theirs);
          });
          const result = await world.apply(await plan, yaml, onSend, undefined, clock);
          conflicts += result.conflicts.length;
          expectKept(theirs);
        },
      ),
      { numRuns: BEFORE_A_REQUEST_REPLACES },
    );
    // Otherwise nobody conflicted with anybody, and nothing was tested.
    expect(conflicts).toBeGreaterThan(RUNS / 100);
  },
  120_000 + RUNS * 50,
);
