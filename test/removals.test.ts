import { describe, expect, test } from "vitest";
import { readConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import type { Diagnostic } from "../src/model/diagnostic.ts";
import { Realm } from "../src/model/realm.ts";
import { planChanges } from "../src/plan/plan.ts";
import { type SaidDiagnostic, wordedDiagnostic } from "../src/report/words/diagnostics.ts";
import { realmOf } from "./support/realm.ts";

const snapshot = {
  ...realmOf({
    feature_level: 482,
    channels: [
      { name: "sandbox", stream_id: 6 },
      { name: "general", stream_id: 7 },
    ],
    user_groups: [{ name: "contractors" }],
    channel_folders: [{ name: "Projects" }],
    default_channels: ["sandbox"],
    invites: [{ email: "grace@acme.example" }],
    profile_fields: [{ name: "Pronouns", type: "pronouns" }],
    emoji: { anvil: "ada@acme.example" },
    playgrounds: [{ language: "Rust", name: "Bench", url_template: "https://play.example.org/?code={code}" }],
  }),
  domains: [{ domain: "partner.example", allow_subdomains: false }],
  linkifiers: [{ id: 3, pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" }],
  navigation_views: [{ fragment: "narrow/topic/mentions", is_pinned: true, name: "Mine" }],
};

async function warningsOf(text: string): Promise<readonly SaidDiagnostic[]> {
  return (await foundIn(text)).map(wordedDiagnostic);
}

async function foundIn(text: string): Promise<readonly Diagnostic[]> {
  const realm = new Realm(snapshot);
  const desired = await readConfig({ file: "realm.yaml", readFile: async () => `version: 1\n${text}\n`, kinds, realm });
  if (!desired.ok) return desired.diagnostics;
  const plan = planChanges({ desired: desired.value, snapshot, kinds, toolVersion: "0" });
  return (plan.ok ? plan.warnings : plan.diagnostics).filter(({ code }) => code !== "navigation_views/personal");
}

/** Every form in which a kind lets an object be removed, with a misspelt name. */
const SLIPS: readonly { readonly section: string; readonly item: string; readonly meant: string }[] = [
  { section: "channels", item: "{sandbx: {archived: true}}", meant: "sandbox" },
  { section: "channels", item: "{sandbx: {absent: true}}", meant: "sandbox" },
  { section: "channels", item: "{old: {was: sandbx, archived: true}}", meant: "sandbox" },
  { section: "channels", item: "{'#sandbox': {archived: true}}", meant: "sandbox" },
  { section: "user_groups", item: "{contractor: {deactivated: true}}", meant: "contractors" },
  { section: "user_groups", item: "{Contractors: {absent: true}}", meant: "contractors" },
  { section: "channel_folders", item: "{Project: {archived: true}}", meant: "Projects" },
  { section: "channel_folders", item: "{Project: {absent: true}}", meant: "Projects" },
  { section: "default_channels", item: "[{channel: sandbx, absent: true}]", meant: "sandbox" },
  { section: "domains", item: "{partners.example: {absent: true}}", meant: "partner.example" },
  { section: "linkifiers", item: "[{pattern: '#(?P<id>[0-9]*)', absent: true}]", meant: "#(?P<id>[0-9]+)" },
  { section: "navigation_views", item: "{narrow/topic/mention: {absent: true}}", meant: "narrow/topic/mentions" },
  { section: "profile_fields", item: "[{name: Pronoun, absent: true}]", meant: "Pronouns" },
  { section: "emoji", item: "{anvl: {absent: true}}", meant: "anvil" },
  { section: "playgrounds", item: "[{language: Rust, name: Bnch, absent: true}]", meant: "Rust: Bench" },
  { section: "bots", item: "{hook-bott: {absent: true}}", meant: "hook-bot" },
  { section: "invites", item: "[{emails: [grce@acme.example], absent: true}]", meant: "grace@acme.example" },
];

/** A link has no name, and a person who does not exist is an error, not a misspelt name. */
const NEVER_MISSPELT = new Set(["invite_links", "people"]);

test.each(SLIPS)("$section: $item is a misspelt name and gets a warning", async ({ section, item, meant }) => {
  const found = await warningsOf(`${section}: ${item}`);
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([["plan/nothing-to-remove", "warning"]]);
  expect(found[0]?.hint).toContain(`did you mean ${JSON.stringify(meant)}?`);
  expect(found[0]?.at?.line).toBe(2);
});

test("every kind has its forms of removal in the table", () =>
  expect([...new Set(SLIPS.map(({ section }) => section))].sort()).toEqual(
    kinds
      .flatMap(({ section, shape }) => (shape === "singleton" || NEVER_MISSPELT.has(section) ? [] : [section]))
      .sort(),
  ));

describe("archived objects stay on the server, so a missing one always gets a warning", () => {
  test.each([
    { text: "channels: {unheard-of: {archived: true}}", codes: ["plan/nothing-to-remove"] },
    { text: "user_groups: {unheard-of: {deactivated: true}}", codes: ["plan/nothing-to-remove"] },
    { text: "channels: {unheard-of: {absent: true}}", codes: [] },
    { text: "domains: {elsewhere.org: {absent: true}}", codes: [] },
    // The other entry means the other channel.
    { text: "channels: {sandbox: {}, sandbox2: {absent: true}}", codes: [] },
    { text: "channels: {sandbox: {archived: true}}", codes: [] },
    { text: "invites: [{emails: [ada@acme.example]}]", codes: [] },
  ])("$text: $codes", async ({ text, codes }) =>
    expect((await warningsOf(text)).map(({ code }) => code)).toEqual(codes),
  );
});

test.each([
  { text: "channels: {a: {absent: false, archived: true}}" },
  { text: "channels: {a: {absent: true, archived: false}}" },
  { text: "user_groups: {a: {absent: false, deactivated: true}}" },
  { text: "channel_folders: {a: {absent: true, archived: false}}" },
  { text: "profiles: {gone: {archived: true}}\nchannels: {a: {profile: gone, absent: false}}" },
])("$text: refused", async ({ text }) => {
  const found = await warningsOf(text);
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([["config/contradiction", "error"]]);
  expect(found[0]?.notes).toHaveLength(1);
});

test.each([
  { text: "channels: {'#general': {}, sandbox: {}, general: {}}", said: '"general" is another one' },
  { text: "channels: {'#news': {}, news: {}}", said: '"news" is another one' },
  { text: "channels: {'#fresh': {}}", said: 'this creates a channel "#fresh"' },
])("$text: the sign is not part of a name", async ({ text, said }) => {
  const found = await warningsOf(text);
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([["channels/sign", "warning"]]);
  expect(found[0]?.message).toContain(said);
});

test("the sign before the name of a channel that the file does not have is said once, and asked about", async () => {
  const found = await warningsOf("channels: {'#general': {}}");
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([["plan/looks-renamed", "warning"]]);
  expect(found[0]?.message).toContain('differs from "general" only in a sign');
  expect(found[0]?.hint).toContain('if "general" is meant, write it so');
});
