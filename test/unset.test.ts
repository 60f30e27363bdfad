import { expect, test } from "vitest";
import { planFiles } from "../src/export/check.ts";
import { exportRealm } from "../src/export/export.ts";
import { kinds } from "../src/kinds/registry.ts";
import { standardSettings } from "../src/kinds/settings/live.ts";
import { apiName, PROPERTIES } from "../src/kinds/settings/properties.ts";
import type { Json } from "../src/model/json.ts";
import { keyOf, liveObjects, type ResourceKind } from "../src/model/kind.ts";
import { Realm } from "../src/model/realm.ts";
import { realmDefaults } from "../src/sandbox/defaults.ts";
import { driftOf } from "../src/workflow/workflow.ts";
import fc from "./support/random.ts";
import { realmOf } from "./support/realm.ts";
import { must, planAgainst, World } from "./support/world.ts";

/** An object of each kind with only its required fields, and the fields whose default nobody can know. */
const BARE: { readonly [section: string]: { readonly items: Json; readonly unknown: readonly string[] } } = {
  channels: { items: { "bare one": {}, "bare two": { subscribers: { users: [] } } }, unknown: ["subscribers"] },
  user_groups: { items: { bare: {} }, unknown: [] },
  channel_folders: { items: { Bare: {} }, unknown: [] },
  linkifiers: {
    items: [{ pattern: "BARE-(?P<id>[0-9]+)", url_template: "https://bare.example.org/{id}" }],
    unknown: ["url_template"],
  },
  domains: { items: { "bare.example": {} }, unknown: [] },
  bots: { items: { "bare-bot": {} }, unknown: ["owner", "type"] },
  profile_fields: {
    items: [
      { name: "Bare", type: "short_text" },
      { name: "GitHub username", type: "external_account", service: "github" },
    ],
    unknown: ["type", "options", "service", "url_pattern"],
  },
};
const LEVELS = [342, 389, 407, 427, 442, 478];
const withDefaults = kinds.filter((kind) => kind.shape !== "singleton" && kind.diff?.defaults !== undefined);

/** All of them in one file; one section can have other items, with manual changes. */
function file(sections: readonly string[], manage?: Json, byHand?: { readonly [section: string]: Json }): string {
  const managed =
    manage === undefined ? {} : { manage: Object.fromEntries(sections.map((section) => [section, manage])) };
  const items = sections.map((section) => [section, byHand?.[section] ?? BARE[section]?.items ?? {}]);
  return JSON.stringify({ version: 1, ...managed, ...Object.fromEntries(items) });
}
const DEFAULT = { policy: "additive", unset: "default" };

/** A field that an object can have, with a value other than the default. */
const BY_HAND: { readonly [section: string]: readonly { readonly [field: string]: Json }[] } = {
  channels: [
    { description: "by hand" },
    { privacy: "private_shared_history" },
    { topics_policy: "disable_empty_topic" },
    { message_retention_days: 30 },
    { permissions: { can_send_message_group: "role:moderators" } },
    { permissions: { can_administer_channel_group: "role:members" } },
    { permissions: { can_subscribe_group: { users: ["ada@acme.example"] }, can_add_subscribers_group: "staff" } },
  ],
  user_groups: [
    { description: "by hand" },
    { members: ["ada@acme.example"] },
    { subgroups: ["leads"] },
    { permissions: { can_join_group: "role:members" } },
    { permissions: { can_manage_group: "staff", can_mention_group: "role:nobody" } },
  ],
  channel_folders: [{ description: "by hand" }],
  domains: [{ allow_subdomains: true }],
  bots: [{ role: "moderator" }, { full_name: "By hand" }],
};

test("every kind with defaults is tested here", () =>
  expect(withDefaults.map(({ section }) => section).sort()).toEqual(Object.keys(BARE).sort()));

test.each(LEVELS)(
  "an object created at level %i without a field has the value that unset: default means",
  async (level) => {
    const world = new World(realmOf({ feature_level: level, user_groups: [], channel_folders: [] }));
    const here = withDefaults.filter((kind) => (kind.live.level ?? 0) <= level);
    const sections = here.map(({ section }) => section);
    const bare = file(sections);
    await world.apply(must(await world.plan(bare)), bare);
    const realm = new Realm(await world.read());
    for (const kind of here) {
      const { items = {}, unknown = [] } = BARE[kind.section] ?? {};
      for (const object of madeOf(kind, realm, items)) {
        const defaults = kind.diff?.defaults?.(realm, object) ?? {};
        for (const [field, value] of Object.entries(object.fields)) {
          if (field === kind.inactivity?.field || kind.file.fields[field] === undefined) continue;
          expect(`${field}: ${Object.hasOwn(defaults, field) || unknown.includes(field)}`).toBe(`${field}: true`);
          if (Object.hasOwn(defaults, field)) expect({ [field]: defaults[field] }).toEqual({ [field]: value });
        }
      }
    }
    // Depends on who reads: the creator is the account that created it.
    const other = await world.as("ben@acme.example").reader.snapshot({ invites: false, subscribers: true });
    for (const snapshot of [realm.snapshot, other])
      expect(must(await planAgainst(file(sections, DEFAULT), snapshot)).changes).toEqual([]);
  },
);

test("a manual change is drift under unset: default, and is reverted; otherwise it is not reported", async () => {
  const world = new World(realmOf({ settings: { zulip_plan_is_not_limited: true } }));
  const sections = withDefaults.map(({ section }) => section);
  const bare = file(sections);
  await world.apply(must(await world.plan(bare)), bare);
  const cases = Object.entries(BY_HAND).flatMap(([section, all]) => all.map((fields) => ({ section, fields })));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...cases), async ({ section, fields }) => {
      const [name = ""] = Object.keys(Object(BARE[section]?.items));
      const opened = file(sections, undefined, { [section]: { [name]: fields } });
      const plan = must(await world.plan(opened));
      await world.apply(plan, opened);
      const wanted = plan.changes.flatMap((change) => change.fields.map(({ field }) => field)).sort();
      expect(wanted.length).toBeGreaterThan(0);
      expect(driftOf(must(await world.plan(bare))).differences).toEqual([]);
      const watched = file(sections, DEFAULT);
      const drift = must(await world.plan(watched));
      const found = drift.changes.flatMap((change) => change.fields);
      expect(found.map(({ field }) => field).sort()).toEqual(wanted);
      expect(found.every(({ unset, at }) => unset === true && at?.line === 1)).toBe(true);
      await world.apply(drift, watched);
      expect(must(await world.plan(watched)).changes).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test("settings: unset: default means the values that the sandbox gives to a new organization", () => {
  const realm = new Realm(realmOf({}));
  const made = realmDefaults([]);
  let compared = 0;
  for (const [field, value] of Object.entries(standardSettings(realm))) {
    const property = PROPERTIES[field];
    const sandbox = property === undefined ? undefined : made[apiName(field, realm.level)];
    if (property === undefined || sandbox === undefined) continue;
    expect({ [field]: value }).toEqual({ [field]: property.type.fromApi(sandbox, realm) });
    compared += 1;
  }
  expect(compared).toBeGreaterThan(35);
});

const snapshot = realmOf({
  user_defaults: { enter_sends: true },
  channels: [{ name: "general" }, { name: "leadership", invite_only: true }],
  subscribers: { general: ["ada@acme.example"], leadership: ["ada@acme.example", "ben@acme.example"] },
  linkifiers: [{ pattern: "#(?P<id>[0-9]+)", url_template: "https://x.example.org/{id}" }],
  profile_fields: [{ name: "GitHub username", type: "external_account", field_data: { subtype: "github" } }],
});

test.each([
  { unset: true },
  { complete: true },
  { complete: true, unset: true, subscribers: true },
  { subscribers: true, inactive: true },
])("a file that export writes with %o plans no change, and leaves nothing out", async (options) => {
  const sections = kinds.map(({ section }) => section).filter((section) => !/^invite/.test(section));
  const exported = await exportRealm({ snapshot, kinds, sections, ...options });
  expect(exported.omitted).toEqual([]);
  const { changes, extra } = must(await planFiles(exported.files, "realm.yaml", { snapshot, kinds }));
  expect(changes).toEqual([]);
  const { permissions, others } = extra?.watch ?? { permissions: undefined, others: undefined };
  if ("complete" in options || "unset" in options) expect(permissions?.watched).toBe(permissions?.all);
  if ("complete" in options && "subscribers" in options) expect(others?.watched).toBe(others?.all);
  const text = exported.files.get("realm.yaml") ?? "";
  // The lists of private channels are always written.
  expect(/^ {2}general:\n( {4}.*\n)*? {4}subscribers:/m.test(text)).toBe("subscribers" in options);
  expect(/can_resolve_topics_group/.test(text)).toBe("complete" in options);
  expect(/authentication_methods/.test(text)).toBe("complete" in options || "unset" in options);
});

function madeOf(kind: ResourceKind, realm: Realm, items: Json) {
  const text = JSON.stringify(items);
  const keys = new Set(
    (Array.isArray(items) ? items.map(({ pattern, name }) => String(pattern ?? name)) : Object.keys(Object(items))).map(
      (name) => keyOf(kind, name),
    ),
  );
  const made = (liveObjects(kind, realm) ?? []).filter(({ key }) => keys.has(key));
  expect(`${made.length} of ${text}`).toBe(`${keys.size} of ${text}`);
  return made;
}
