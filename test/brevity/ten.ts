import { planText } from "../support/cases.ts";
import { realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

const CREW = ["ada@acme.example", "ben@acme.example", "chiara@acme.example", "kofi@acme.example"];

/** Three channels, a group, a linkifier and a domain are changed, created and removed. */
export const TEN = `version: 1
channels:
  announcements: {permissions: {can_send_message_group: role:moderators}}
  random: {description: Anything else}
  town-square: {was: general}
  casting: {description: Moulds and pours}
  incidents: {privacy: private_shared_history, folder: Company, subscribers: {users: [ada@acme.example]}}
  sandbox: {archived: true}
user_groups:
  crew: {members: [ada@acme.example, chiara@acme.example, elif@acme.example, farah@acme.example]}
  hosts: {members: [ada@acme.example]}
linkifiers:
  - {pattern: 'BUG-(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}'}
domains:
  partner.example: {absent: true}
`;

const live = realmOf({
  channels: [
    { name: "announcements" },
    { name: "random", description: "Anything" },
    { name: "general" },
    { name: "sandbox" },
  ],
  channel_folders: [{ name: "Company" }],
  user_groups: [
    { name: "crew", members: CREW.map((email) => (email.startsWith("kofi") ? "farah@acme.example" : email)) },
  ],
  domains: [
    { domain: "partner.example", allow_subdomains: false },
    { domain: "acme.example", allow_subdomains: false },
  ],
});

export const planOf = async (yaml: string) => must(await planText(yaml, live));
