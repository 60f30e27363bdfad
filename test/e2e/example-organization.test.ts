import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { SINGLETON } from "../../src/model/kind.ts";
import type { Plan } from "../../src/model/plan.ts";
import { formatYaml } from "../../src/source/format.ts";
import { World } from "./world.ts";

/** The organization that `realmctl sandbox` starts with, and the example that has every section. */
let world: World;
const ROOT = join(import.meta.dirname, "../..");
beforeAll(async () => {
  world = await World.start({ from: JSON.parse(readFileSync(join(ROOT, "fixtures/acme-realm.json"), "utf8")) });
  cpSync(join(ROOT, "examples/organization"), world.directory, { recursive: true });
});
afterAll(() => world.end());

const done = async (line: string): Promise<string> => {
  const { code, out, err } = await world.realmctl(line);
  expect({ line, code, err }).toMatchObject({ code: EXIT.done });
  return `${out}${err}`;
};
const sectionOf = (yaml: string, section: string): string =>
  new RegExp(`^${section}:\\n(?:  .*\\n|\\n(?=  ))*`, "m").exec(yaml)?.[0] ?? "";

test("init explains each difference from a new organization in one line", async () => {
  await done("init --yes --no-workflows --unset leave --file first.yaml");
  expect(sectionOf(world.read("first.yaml"), "settings")).toBe(`settings:
  # The name of the organization.
  name: Acme Foundry
  # What people read about the organization before they sign in, as Markdown. \`null\` empties it.
  description: Castings and forgings
`);
});

test("the example has every section, is applied with the fewest requests, and then nothing differs", async () => {
  const example = world.read("realm.yaml");
  for (const { section } of kinds) expect(example).toMatch(new RegExp(`^${section}:`, "m"));
  const valid = await done("validate");
  expect(valid).not.toContain("warning");
  const page = await done("plan --format html");
  const { changes }: Plan = JSON.parse(await done("plan --format json"));
  expect([...new Set(changes.map(({ kind }) => kind))].sort()).toEqual(kinds.map(({ name }) => name).sort());
  for (const { name } of changes.filter(({ name }) => name !== SINGLETON && !name.includes("<")))
    expect(page).toContain(name);
  expect(page).toMatch(/<h2[^>]*>settings: 1<[\s\S]*<h2[^>]*>user defaults: 1</);
  expect(await done("apply --yes --allow administrators,opened")).toMatch(/Applied (\d+) of \1 writes/);
  expect(await done("drift")).toContain("No drift.");
});

test("its export plans no change, pictures included, and reads like a file written by hand", async () => {
  await done(`export --out-dir out --kinds ${kinds.map(({ section }) => section).join(",")}`);
  await done("plan out/realm.yaml --detailed-exit-code");
  const text = world.read("out/realm.yaml");
  expect(formatYaml(text)).toBe(text);
  expect(sectionOf(text, "emoji")).toBe("emoji:\n  anvil: emoji/anvil.png\n  molten: emoji/molten.png\n");
  expect(sectionOf(text, "settings")).toBe(`settings:
  # What the organization is
  name: Acme Foundry
  description: Castings and forgings, and the people who make them
  org_type: business
  icon:
    image: branding/icon.png
    version: 2
  logo:
    image: branding/logo.png
    version: 2
  night_logo:
    image: branding/night-logo.png
    version: 2

  # Who may join, and how they sign in
  emails_restricted_to_domains: true
  waiting_period_threshold: 3d

  # What people may change about themselves
  email_changes_disabled: true
  require_unique_names: true

  # Messages
  message_content_edit_limit: 1h
  message_content_delete_limit: 1h
  message_edit_history_visibility_policy: moves
  move_messages_between_streams_limit: 30d
  default_code_block_language: python

  # Notices and e-mails
  welcome_message_custom_text: Welcome to the foundry! **#help** is for questions, **#announce** is worth reading.
  digest_weekday: monday
  message_content_allowed_in_email_notifications: false
  moderation_request_channel: reports
  new_stream_announcements_channel: announce
  zulip_update_announcements_channel: null

  permissions:
    can_invite_users_group: role:moderators
    can_create_public_channel_group: role:fullmembers
    can_create_private_channel_group: leads
    can_delete_any_message_group: role:moderators
    can_mention_many_users_group: role:moderators
    can_create_groups: role:administrators
    can_add_custom_emoji_group: {groups: [leads, role:administrators]}
`);
});

test("init then explains every difference, permissions included", async () => {
  await done("init --yes --no-workflows --file second.yaml");
  const lines = sectionOf(world.read("second.yaml"), "settings").split("\n");
  // `permissions:` itself needs no text; sign-in methods belong to the server.
  const settings = lines.flatMap((line, at) =>
    /^ {2}(?!permissions)[a-z_]+:|^ {4}[a-z_]+_group[s]?:/.test(line) ? [{ line, above: lines[at - 1] }] : [],
  );
  expect(settings.length).toBeGreaterThan(25);
  expect(settings.filter(({ above }) => !/^ +# [A-Z].*\.$/.test(above ?? ""))).toEqual([]);
  expect(settings).toContainEqual({
    line: "    can_delete_any_message_group: role:moderators",
    above: "    # Who may delete any message.",
  });
});
