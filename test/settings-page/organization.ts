import type { Snapshot } from "../../src/model/snapshot.ts";
import { realmOf } from "../support/realm.ts";

const ADA = "ada@acme.example";
const BEN = "ben@acme.example";

/** An organization that has each thing which a settings page can change; ids as `realmOf` counts them. */
export const ORGANIZATION: Snapshot = realmOf({
  feature_level: 482,
  channels: [
    { name: "general", description: "Everything else", folder_id: 1 },
    { name: "vault", description: "Contracts", invite_only: true, history_public_to_subscribers: true },
    { name: "yard", description: "Outside", folder_id: 2, can_send_message_group: "staff" },
    { name: "lobby", description: "Guests" },
    { name: "attic", description: "Old", is_archived: true },
    { name: "ledger", description: "Numbers", invite_only: true, history_public_to_subscribers: true },
  ],
  subscribers: { general: [ADA, BEN], vault: [ADA], yard: [ADA], lobby: [ADA, BEN], attic: [], ledger: [ADA, BEN] },
  user_groups: [
    { name: "staff", description: "Employees", members: [ADA, BEN] },
    { name: "leads", description: "Decide", members: [BEN] },
    { name: "engineering", description: "Builds things", members: [], subgroups: ["leads"] },
    { name: "spare", description: "For later", members: [] },
  ],
  channel_folders: [
    { name: "Company", description: "All of us" },
    { name: "Projects", description: "Work" },
    { name: "Attic", is_archived: true },
  ],
  default_channels: ["general", "lobby"],
  linkifiers: [
    { pattern: "BUG-(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" },
    { pattern: "DOC-(?P<id>[0-9]+)", url_template: "https://docs.example.org/{id}" },
  ],
  profile_fields: [
    {
      name: "Site",
      type: "select",
      field_data: { "0": { text: "Leeds", order: "1" }, "1": { text: "Porto", order: "2" } },
    },
    { name: "Pronouns", type: "pronouns", hint: "What people call you" },
  ],
  profile_values: { "501": { "0": 2, "1": 1 } },
  emoji: { forge: ADA, anvil: BEN },
  playgrounds: [
    { language: "Rust", name: "Rust playground", url_template: "https://play.example.org/?code={code}" },
    { language: "Python", name: "Python playground", url_template: "https://py.example.org/?code={code}" },
  ],
  domains: [
    { domain: "acme.example", allow_subdomains: false },
    { domain: "b.example", allow_subdomains: true },
  ],
  navigation_views: [
    { fragment: "inbox", is_pinned: true },
    { fragment: "narrow/topic/mentions", is_pinned: true, name: "Mine" },
  ],
  invites: [{ email: "grace@acme.example" }, { email: "lin@acme.example" }],
  links: [{ invited_as: 600 }],
  user_defaults: {},
  settings: { icon_source: "U", icon_url: "/user_avatars/2/realm/icon.png?version=3" },
});
