import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { isObject, type Json } from "../../src/model/json.ts";
import type { Overlay } from "./realm.ts";

type Fields = { readonly [field: string]: Json };

/** A section, with every field, in the form of a case, so that a new field also becomes part of a mixed plan. */
function everyField(kind: string, section: string): Fields {
  const path = new URL(`../../src/kinds/${kind}/cases/every-field/realm.yaml`, import.meta.url);
  const file = z.record(z.string(), z.json()).parse(parse(readFileSync(path, "utf8")));
  const fields = file[section];
  if (!isObject(fields)) throw new RangeError(`no ${section} in ${path.pathname}`);
  return fields;
}

const SETTINGS = everyField("settings", "settings");
const PERMISSIONS = isObject(SETTINGS.permissions) ? SETTINGS.permissions : {};

/** A first version of everything that is the organization's own. */
export const SET_UP: Overlay = {
  feature_level: 442,
  channels: [{ name: "announce" }, { name: "reports", invite_only: true }],
  subscribers: { announce: [], reports: ["ada@acme.example"] },
  domains: [{ domain: "acme.example", allow_subdomains: false }],
  settings: { default_code_block_language: "Rust" },
  user_defaults: {},
  playgrounds: [{ language: "Rust", name: "Rust playground", url_template: "https://play.example.org/?code={code}" }],
  users: { "hook-bot@localhost": { is_active: false, bot_owner_id: 15 } },
  invites: [],
};
export const SET_UP_FILE = JSON.stringify({
  version: 1,
  settings: {
    ...SETTINGS,
    icon: "icon.png",
    logo: "logo.png",
    night_logo: "night.png",
    default_code_block_language: "Go",
    // The account that applies creates a link, too.
    permissions: { ...PERMISSIONS, create_multiuse_invite_group: "role:owners" },
  },
  user_defaults: everyField("user-defaults", "user_defaults"),
  people: {
    "hana@acme.example": { role: "moderator" },
    "jana@acme.example": { role: "guest", deactivated: false },
  },
  bots: {
    "relay-bot": { full_name: "Relay", owner: "ben@acme.example", role: "guest" },
    "alerts-bot": { type: "incoming_webhook" },
    "ci-bot": { full_name: "Builds", owner: "elif@acme.example", role: "moderator" },
    // It becomes a bot of the account that reactivates it, and is then given away.
    "hook-bot": { deactivated: false, owner: "elif@acme.example" },
  },
  profile_fields: [
    { name: "Team", type: "select", options: ["Furnace", "Office"], in_profile_summary: true, hint: "Where" },
    { name: "Phone", type: "short_text", required: true, editable_by_user: false },
    { name: "Forge", type: "external_account", url_pattern: "https://forge.example.org/%(username)s" },
  ],
  emoji: { anvil: "anvil.png", tada: { image: "party.gif", overrides_builtin: true } },
  playgrounds: [
    { language: "Rust", name: "Rust playground", absent: true },
    { language: "Go", name: "Go playground", url_template: "https://play.example.org/go?code={code}" },
  ],
  invite_links: [
    {
      expires_on: "2099-12-31",
      invite_as: "guest",
      channels: ["announce"],
      groups: ["staff"],
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: "Welcome",
    },
    { expires_on: "never" },
  ],
});

/** Its parts change, are replaced by others, and are removed. */
export const TURNED_OVER: Overlay = {
  feature_level: 482,
  channels: [{ name: "announce" }, { name: "general" }],
  subscribers: { announce: ["ada@acme.example"], general: ["ada@acme.example"] },
  settings: {
    new_stream_announcements_stream_id: 101,
    default_code_block_language: "Rust",
    icon_source: "U",
    icon_url: "/user_avatars/2/realm/icon.png?version=3",
    logo_source: "U",
    logo_url: "/user_avatars/2/realm/logo.png?version=2",
    night_logo_source: "U",
    night_logo_url: "/user_avatars/2/realm/night_logo.png?version=2",
  },
  playgrounds: [
    { language: "Rust", name: "Rust playground", url_template: "https://old.example.org/{code}" },
    { language: "Rust", name: "Nightly", url_template: "https://nightly.example.org/{code}" },
    { language: "Go", name: "Go playground", url_template: "https://old.example.org/go/{code}" },
  ],
  profile_fields: [
    { name: "Team", type: "select", field_data: { "0": { text: "Office", order: "1" } } },
    { name: "Phone", type: "short_text", hint: "With the country" },
    { name: "Birthday", type: "date" },
  ],
  profile_values: {},
  // The first is deactivated alone, the second with its owner.
  users: { "ci-bot@localhost": { bot_owner_id: 10 }, "hook-bot@localhost": { bot_owner_id: 9 } },
  emoji: { anvil: "ada@acme.example", forge: "dmitri@acme.example", molten: "ada@acme.example" },
  // Two invitations and a link, which end with the account that created them.
  invites: [
    { email: "newcomer@acme.example", invited_by: "dmitri@acme.example" },
    { email: "other@acme.example", invited_by: "dmitri@acme.example" },
  ],
  links: [
    { invited_as: 600 },
    { invited_as: 400, expires_in_days: null },
    { invited_as: 300, expires_in_days: null, invited_by: "dmitri@acme.example" },
  ],
};
export const TURNED_OVER_FILE = JSON.stringify({
  version: 1,
  policy: { lockout: "allow", limits: { removals: 20 } },
  settings: {
    new_stream_announcements_channel: null,
    default_code_block_language: "Rust",
    icon: null,
    logo: { image: "logo.png", replaces: 2 },
    night_logo: null,
  },
  channels: { announce: { archived: true } },
  people: {
    "kofi@acme.example": { role: "member" },
    "gustavo@acme.example": { deactivated: true },
    "dmitri@acme.example": { role: "guest", deactivated: true },
  },
  bots: {
    "ci-bot": { absent: true },
    "deploy-bot": { role: "guest", deactivated: true },
    "hook-bot": { role: "guest", deactivated: true },
  },
  // By then, groups and settings that name the person who leaves must have dropped that name.
  user_groups: {
    staff: { members: ["ada@acme.example", "ben@acme.example", "chiara@acme.example", "elif@acme.example"] },
    engineering: { members: ["elif@acme.example", "farah@acme.example"] },
  },
  profile_fields: [
    {
      name: "Telephone",
      was: "Phone",
      hint: "Without",
      required: true,
      editable_by_user: false,
      in_profile_summary: true,
      use_for_user_matching: true,
    },
    { name: "Team", options: ["Furnace", { text: "The office", was: "Office" }] },
    { name: "Birthday", absent: true },
  ],
  emoji: { anvil: { image: "anvil.png", replaces: 601 }, forge: { absent: true } },
  playgrounds: [
    { language: "Rust", name: "Rust playground", url_template: "https://new.example.org/{code}" },
    { language: "Rust", name: "Nightly", absent: true },
    { language: "Go", name: "Go playground", absent: true },
  ],
  invites: [
    { emails: ["newcomer@acme.example"], invite_as: "moderator", replace: true, send_until: "2099-01-01" },
    { emails: ["other@acme.example"], absent: true },
  ],
  invite_links: [
    { expires_on: "2026-11-30", invite_as: "guest", absent: true },
    { expires_on: "never", invite_as: "moderator", absent: true },
  ],
});
