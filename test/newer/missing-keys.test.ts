import { afterAll, beforeAll, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { type Diagnostic, Failure } from "../../src/model/diagnostic.ts";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { NEWEST_KNOWN_LEVEL } from "../../src/model/releases.ts";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { decodeSnapshot } from "../../src/zulip/snapshot-decoding.ts";
import { World } from "../e2e/world.ts";
import { planAgainst } from "../support/world.ts";

/*
 * A server may leave out anything that it had before: a setting that a later version drops, or a changed server does not have. A file that matches the server
 * then still matches, or the plan says what is missing. It never plans a change that the server ignores, again and again.
 */

let world: World;
let yaml = "";
/** The answer to POST /register that has the whole organization. */
let answer: JsonObject = {};

beforeAll(async () => {
  world = await World.start({
    level: NEWEST_KNOWN_LEVEL,
    interceptors: [
      {
        async after({ path }, response) {
          const body: Json = path === "/register" ? JSON.parse(await response.clone().text()) : null;
          if (isObject(body)) answer = body;
          return undefined;
        },
      },
    ],
  });
  world.file("realm.yaml", FILE);
  const applied = await world.realmctl("apply --yes --allow opened,messages_deleted");
  expect(applied.code, applied.out + applied.err).toBe(0);
  const sections = kinds.map(({ section }) => section).filter((section) => !/emoji|invite/.test(section));
  const { code, err } = await world.realmctl(
    `export --complete --subscribers --kinds ${sections.join()} --out all.yaml`,
  );
  expect(code, err).toBe(0);
  yaml = world.read("all.yaml");
}, 60_000);
afterAll(() => world.end());

/** What the recorded organization does not have. */
const FILE = `version: 1
channel_folders: {Company: {description: For all of us}}
channels:
  general: {folder: Company, topics_policy: disable_empty_topic, default_push_notifications: true, message_retention_days: 90}
  inside: {privacy: private_shared_history}
linkifiers:
  - pattern: 'T-(?P<id>[0-9]+)'
    url_template: https://example.org/{id}
    example_input: T-1
    reverse_template: T-{id}
    alternative_url_templates: ['https://example.com/{id}']
profile_fields:
  - {name: Badge, type: short_text, hint: Number, use_for_user_matching: true, in_profile_summary: true, required: true}
  - {name: Team, type: select, options: [Furnace, Office], editable_by_user: false}
  - {name: Forge, type: external_account, url_pattern: 'https://forge.example.org/%(username)s'}
playgrounds: [{language: Go, name: Go playground, url_template: 'https://play.example.org/go?code={code}'}]
domains: {acme.example: {allow_subdomains: true}}
navigation_views: {narrow/channel/general: {name: Mine, is_pinned: true}}
settings: {description: Castings}
user_groups: {leads: {description: They lead, members: [ada@acme.example], subgroups: [role:owners]}}
`;

/** The answer without one key in every object of one of its parts; "" is the answer itself. */
function without(key: string, part: string): JsonObject {
  const bare = (object: Json): Json => (isObject(object) ? omit(object, key) : object);
  if (part === "") return omit(answer, key);
  const found = answer[part] ?? null;
  return { ...answer, [part]: isList(found) ? found.map(bare) : bare(found) };
}
const omit = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** Parts of the answer that no section is made of. */
const OTHER = /^(server_|max_|zulip_|realm_bots|cross_realm_bots|unsubscribed|never_subscribed|subscriptions)/;
/** The parts of the answer that are sections, or in which keys are the fields of objects. */
const WORDS: { readonly [key: string]: string } = {
  realm_user_settings_defaults: "user defaults",
  realm_default_streams: "default channels",
  custom_profile_fields: "profile fields",
  "custom_profile_fields.id": "profile fields",
  "custom_profile_fields.name": "profile fields",
  "custom_profile_fields.type": "profile fields",
  "custom_profile_fields.field_data": "profile fields",
  "realm_playgrounds.name": "playgrounds",
  "realm_playgrounds.pygments_language": "playgrounds",
  "realm_users.user_id": "account.role",
  "realm_users.bot_type": "is of a type that this version does not know",
  "realm_users.delivery_email": "does not see the addresses",
};
/** The server shows these only if they are true: without the key, nobody can tell. */
const FLAGS = ["custom_profile_fields.display_in_profile_summary", "custom_profile_fields.use_for_user_matching"];

/** Every key of the answer, and of the objects in it, by its place; and what an error calls it. */
function keysOf(
  body: JsonObject,
): ReadonlyMap<string, { readonly part: string; readonly key: string; readonly names: readonly string[] }> {
  const keys = Object.entries({ "": body, ...body }).flatMap(([part, value]) =>
    [...new Set((isList(value) ? value : [value]).flatMap((each) => (isObject(each) ? Object.keys(each) : [])))].map(
      (key) => ({ part, key }),
    ),
  );
  return new Map(
    keys.flatMap(({ part, key }) => {
      const place = part === "" ? key : `${part}.${key}`;
      if (OTHER.test(place) || FLAGS.includes(place) || (part === "" && !/^realm_|[a-z]_/.test(key))) return [];
      const own = key.replace(/^realm_|^display_/g, "");
      const ofFile = own.replace(/_stream_id$/, "_channel").replace(/_(seconds|id)$/, "");
      return [[place, { part, key, names: [own, ofFile, ofFile.replaceAll("_", " "), WORDS[place] ?? own] }] as const];
    }),
  );
}

/** The fields that a plan would change, or its errors. */
async function planned(body: JsonObject): Promise<{ readonly changes: readonly string[]; readonly errors: string }> {
  try {
    const reading = { invites: undefined, subscribers: true, site: world.url, takenAt: "2026-11-20T12:00:00.000Z" };
    const snapshot = decodeSnapshot({ body, ...reading });
    const plan = await planAgainst(yaml, snapshot);
    if (!plan.ok) return { changes: [], errors: said(plan.diagnostics) };
    return {
      changes: plan.value.changes.map(({ address, fields }) => `${address}: ${fields.map(({ field }) => field)}`),
      errors: said(plan.warnings),
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { changes: [], errors: said(thrown.diagnostics) };
  }
}
const said = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .filter(({ severity }) => severity === "error")
    .map((each) => wordedDiagnostic(each).message)
    .join("\n");

test("without any key of its answers, a server still matches the file, or the plan names what is missing", async () => {
  expect(await planned(answer)).toEqual({ changes: [], errors: "" });
  const keys = keysOf(answer);
  expect(keys.size).toBeGreaterThan(250);
  const errors = new Map<string, string>();
  for (const [place, { key, part, names }] of keys) {
    const found = await planned(without(key, part));
    expect({ place, ...found }).toMatchObject({ changes: [] });
    if (found.errors === "") continue;
    expect({ place, named: names.some((name) => found.errors.includes(name)), ...found }).toMatchObject({
      named: true,
    });
    errors.set(place, found.errors);
  }
  for (const key of [
    "realm_send_welcome_emails",
    "realm_media_preview_size",
    "realm_user_settings_defaults.web_font_size_px",
    "streams.default_push_notifications",
    "realm_user_groups.can_join_group",
    "realm_linkifiers.example_input",
  ])
    expect(errors.get(key), key).toContain(`(feature level ${NEWEST_KNOWN_LEVEL}) no longer has`);
}, 60_000);
