import type { Call, Plan } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { SET_UP, SET_UP_FILE, TURNED_OVER, TURNED_OVER_FILE } from "./mixed-organization.ts";
import { type Overlay, realmOf } from "./realm.ts";
import { isSoak } from "./sample.ts";

/** A realm, and a file that changes a lot of it at once. */
export interface MixedPlan {
  readonly name: string;
  readonly live: Snapshot;
  readonly yaml: string;
  /** CI tries one in this many of its calls, `npm run soak` every one; default: 1. */
  readonly oneIn?: number;
}

/** Is a fault at this call to be tried? */
export function isTried(n: number, { oneIn = 1 }: MixedPlan): boolean {
  return isSoak || n % oneIn === Math.floor(oneIn / 2);
}
/**
 * The calls of a plan at which faults are tried: of calls that differ only in names, the first one, and the first one that writes a field again; all
 * of them in `npm run soak`.
 */
export function callsTried(plan: Plan, mixed: MixedPlan): readonly Call[] {
  const known = new Set<string>();
  const written = new Set<string>();
  return plan.calls.filter((call) => {
    const fields = call.for.flatMap(({ address, fields }) => fields.map((field) => `${address} ${field}`));
    const isAgain = fields.some((field) => written.has(field));
    const likes = requestsIn({ ...plan, calls: [call] }).map((request) => `${request} ${isAgain}`);
    const isNew = likes.some((like) => !known.has(like));
    for (const like of likes) known.add(like);
    for (const field of fields) written.add(field);
    return isTried(call.n, mixed) && (isSoak || isNew);
  });
}

/** One in this many requests meets each fault: a 48th of them; its neighbours meet the other faults. */
export const strideOf = ({ oneIn = 1 }: MixedPlan): number => (isSoak ? 1 : 48 * oneIn);

const CHANNEL_SETTINGS = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_create_topic_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_move_messages_out_of_channel_group",
  "can_move_messages_within_channel_group",
  "can_remove_subscribers_group",
  "can_resolve_topics_group",
  "can_send_message_group",
  "can_subscribe_group",
];
const GROUP_SETTINGS = [
  "can_add_members_group",
  "can_join_group",
  "can_leave_group",
  "can_manage_group",
  "can_mention_group",
  "can_remove_members_group",
];
const settings = (names: readonly string[], value: string): string =>
  `{${names.map((name) => `${name}: ${value}`).join(", ")}}`;

const LINKIFIER = { pattern: "BUG-(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" };
const OTHER_LINKIFIER = { pattern: "DOC-(?P<id>[0-9]+)", url_template: "https://docs.example.org/{id}" };

const MADE: Overlay = {
  feature_level: 482,
  channels: [{ name: "general" }],
  subscribers: { general: ["ada@acme.example"] },
  linkifiers: [LINKIFIER],
  invites: [],
};
const MADE_FILE = `version: 1
user_groups:
  welders:
    description: Weld
    members: [ada@acme.example]
    subgroups: [staff]
    permissions: {can_manage_group: role:administrators, can_mention_group: role:members}
  day-shift: {permissions: {can_manage_group: night-shift}}
  night-shift: {permissions: {can_manage_group: day-shift}}
channel_folders:
  Yard: {description: Outside}
channels:
  incidents:
    description: Page first
    privacy: private_shared_history
    folder: Yard
    topics_policy: allow_empty_topic
    message_retention_days: 30
    subscribers: {users: [ada@acme.example, ben@acme.example]}
    permissions: ${settings(CHANNEL_SETTINGS, "welders")}
  one: {subscribers: {users: [], groups: [], exact: true}}
  two: {subscribers: {users: [], exact: true}}
  three: {topics_policy: allow_empty_topic, subscribers: {users: [], exact: true}}
  four: {topics_policy: allow_empty_topic, subscribers: {users: [], exact: true}}
  mine: {}
  general: {}
default_channels: [general, mine]
linkifiers:
  - pattern: 'JOB-(?P<id>[0-9]+)'
    url_template: 'https://jobs.example.org/{id}'
    example_input: JOB-12
    reverse_template: 'JOB-{id}'
    alternative_url_templates: ['https://old.example.org/{id}']
  - pattern: '${LINKIFIER.pattern}'
domains:
  acme.example: {}
navigation_views:
  is/starred: {name: Starred, is_pinned: true}
invites:
  - emails: [newcomer@acme.example, other@acme.example]
    invite_as: guest
    channels: [general, incidents]
    groups: [welders]
    expires_in: 36h
    notify_referrer_on_join: false
    include_realm_default_subscriptions: true
    welcome_message_custom_text: "Welcome **aboard**"
    send_until: 2099-01-01
`;

const CHANGED: Overlay = {
  feature_level: 482,
  // A bot whose owner leaves while rights of both are given to others is deactivated first, by a request of its own.
  users: { "deploy-bot@localhost": { is_active: true, bot_owner_id: 12 } },
  settings: { can_create_private_channel_group: { direct_members: [6, 12], direct_subgroups: [] } },
  channels: [
    { name: "general" },
    { name: "announce", description: "Old" },
    { name: "board", description: "Minutes" },
    { name: "asleep", is_archived: true },
  ],
  subscribers: {
    general: ["ada@acme.example", "dmitri@acme.example"],
    announce: ["ada@acme.example"],
    board: ["ada@acme.example"],
    asleep: ["ada@acme.example"],
  },
  channel_folders: [
    { name: "Company" },
    { name: "Projects" },
    { name: "Attic", is_archived: true },
    { name: "Cellar" },
  ],
  default_channels: ["board"],
  linkifiers: [LINKIFIER, OTHER_LINKIFIER],
  domains: [{ domain: "acme.example", allow_subdomains: false }],
  navigation_views: [
    { fragment: "inbox", is_pinned: false },
    { fragment: "narrow/topic/mentions", is_pinned: true, name: "Mine" },
  ],
  invites: [
    { email: "grace@acme.example" },
    { email: "lin@acme.example", expires_in_days: null },
    { email: "moe@acme.example" },
  ],
};
const CHANGED_FILE = `version: 1
manage: {channel_folders: exact}
user_groups:
  staff: {description: Everybody here, permissions: ${settings(GROUP_SETTINGS, "role:administrators")}}
  engineering: {members: [kofi@acme.example], subgroups: [staff]}
  retired: {deactivated: false, description: Back again}
channel_folders:
  Cellar: {description: Below}
  Attic: {}
  Projects: {}
  Company: {description: Everybody}
channels:
  announce:
    description: News
    folder: Company
    topics_policy: allow_empty_topic
    message_retention_days: 30
    permissions: ${settings(CHANNEL_SETTINGS, "leads")}
  board: {privacy: private_shared_history}
  asleep: {archived: false}
  general: {subscribers: {users: [ada@acme.example, ben@acme.example], exact: true}}
default_channels:
  - announce
  - asleep
  - {channel: board, absent: true}
linkifiers:
  - pattern: '${OTHER_LINKIFIER.pattern}'
    url_template: 'https://new.example.org/{id}'
  - pattern: '${LINKIFIER.pattern}'
    example_input: BUG-12
    reverse_template: 'BUG-{id}'
    alternative_url_templates: ['https://old.example.org/{id}']
domains:
  acme.example: {allow_subdomains: true}
navigation_views:
  inbox: {is_pinned: true}
  narrow/topic/mentions: {name: All of mine, is_pinned: true}
invites:
  - {emails: [grace@acme.example], expires_in: never, replace: true, send_until: 2099-01-01}
  - {emails: [lin@acme.example], invite_as: guest, expires_in: 3d, replace: true, send_until: 2099-01-01}
  - {emails: [moe@acme.example], notify_referrer_on_join: false, replace: true, send_until: 2099-01-01}
people: {gustavo@acme.example: {deactivated: true}}
settings: {permissions: {can_create_private_channel_group: role:members}}
`;

const RENAMED: Overlay = {
  feature_level: 482,
  settings: { bot_domain: "localhost" },
  channels: [
    { name: "blue", description: "Once blue" },
    { name: "red", description: "Once red" },
    { name: "help" },
    { name: "talk" },
  ],
  subscribers: {
    blue: ["ada@acme.example"],
    red: ["ada@acme.example"],
    help: ["ada@acme.example"],
    talk: ["ada@acme.example"],
  },
  channel_folders: [
    { name: "Company", description: "Once company" },
    { name: "Projects", description: "Once projects" },
  ],
  default_channels: ["talk"],
  linkifiers: [LINKIFIER, OTHER_LINKIFIER],
  navigation_views: [
    { fragment: "narrow/topic/mentions", is_pinned: true, name: "Mine" },
    { fragment: "narrow/topic/stars", is_pinned: true, name: "Stars" },
  ],
};
/** Names are exchanged, freed for others, and given up. */
const RENAMED_FILE = `version: 1
user_groups:
  staff: {was: engineering, description: Builds things}
  engineering: {was: staff, description: Employees}
  heads: {was: leads, members: [ada@acme.example, porter-bot@localhost, hook-bot@localhost]}
  leads: {description: New ones}
bots:
  porter-bot: {was: deploy-bot}
  hook-bot: {was: ci-bot, full_name: CI Bot}
  ci-bot: {was: hook-bot, full_name: Hook Bot}
channel_folders:
  Company: {was: Projects, description: Once projects}
  Projects: {was: Company, description: Once company}
channels:
  red: {was: blue, description: Once blue}
  blue: {was: red, description: Once red}
  support: {was: help, privacy: private_shared_history}
  help: {description: New, subscribers: {users: [ada@acme.example]}}
  chat: {was: talk}
  quiet: {description: Nobody yet, subscribers: {users: [], groups: []}}
default_channels: [chat, quiet]
linkifiers:
  - {pattern: '${OTHER_LINKIFIER.pattern}', was: '${LINKIFIER.pattern}', url_template: '${LINKIFIER.url_template}'}
  - {pattern: '${LINKIFIER.pattern}', was: '${OTHER_LINKIFIER.pattern}', url_template: '${OTHER_LINKIFIER.url_template}'}
navigation_views:
  narrow/topic/mentions: {name: Stars}
  narrow/topic/stars: {name: Mine}
`;

const NEWER: Overlay = {
  feature_level: 507,
  channels: [{ name: "general", default_push_notifications: false }],
  subscribers: { general: ["ada@acme.example"] },
  settings: { default_avatar_source: "J", media_preview_size: 100, workplace_users_group: 11 },
};
const NEWER_FILE = `version: 1
user_groups: {one: {}, two: {}, three: {}, four: {}, five: {}, six: {}, seven: {}, eight: {}, nine: {}, ten: {}}
channels:
  general: {default_push_notifications: true}
  alerts: {default_push_notifications: true}
settings:
  default_avatar_source: gravatar
  media_preview_size: 150
  permissions: {workplace_users_group: role:members}
`;

const INACTIVE: Overlay = {
  feature_level: 482,
  user_groups: [
    { name: "staff", members: ["ben@acme.example", "dmitri@acme.example"] },
    { name: "leads", members: ["ben@acme.example"] },
    { name: "engineering", subgroups: ["leads"] },
    { name: "spare" },
  ],
  channels: [
    { name: "general" },
    { name: "attic", description: "Old" },
    { name: "shed", description: "Older" },
    { name: "barn" },
    { name: "yard", folder_id: 2 },
    { name: "random" },
  ],
  subscribers: {
    general: ["ada@acme.example"],
    attic: ["ada@acme.example"],
    shed: ["ada@acme.example"],
    barn: ["ada@acme.example"],
    yard: ["ada@acme.example"],
    random: ["ada@acme.example"],
  },
  default_channels: ["general", "attic", "shed", "random"],
  linkifiers: [LINKIFIER, OTHER_LINKIFIER],
  domains: [
    { domain: "acme.example", allow_subdomains: false },
    { domain: "partner.example", allow_subdomains: true },
  ],
  navigation_views: [
    { fragment: "inbox", is_pinned: false },
    { fragment: "narrow/topic/mentions", is_pinned: true, name: "Mine" },
  ],
  invites: [{ email: "grace@acme.example" }, { email: "lin@acme.example" }],
  settings: { default_code_block_language: "Rust" },
  playgrounds: [{ language: "Rust", name: "Rust playground", url_template: "https://play.example.org/?code={code}" }],
};
const INACTIVE_FILE = `version: 1
policy: {limits: {removals: 50}, lockout: allow}
manage: {linkifiers: exact, default_channels: exact}
user_groups:
  staff: {deactivated: true, was: staff, description: Closed, members: []}
  closed-leads: {deactivated: true, was: leads}
  engineering: {subgroups: [], deactivated: true}
  spare: {deactivated: true}
channel_folders:
  Old projects: {was: Projects, archived: true}
  Company: {absent: true}
channels:
  attic: {archived: true}
  shed: {archived: true, description: Empty, privacy: private_shared_history}
  barn: {absent: true}
  yard: {folder: null}
  vault: {privacy: private_shared_history, permissions: {can_subscribe_group: role:members}, subscribers: {users: [], groups: []}}
default_channels: [general]
linkifiers:
  - {pattern: '${OTHER_LINKIFIER.pattern}', url_template: '${OTHER_LINKIFIER.url_template}'}
domains:
  partner.example: {absent: true}
navigation_views:
  inbox: {absent: true}
  narrow/topic/mentions: {absent: true}
invites:
  - {emails: [grace@acme.example], absent: true}
settings: {default_code_block_language: Rust}
playgrounds: [{language: Rust, name: Rust playground, absent: true}]
people: {dmitri@acme.example: {deactivated: true}}
# It goes with its owner.
bots: {ci-bot: {absent: true}}
`;

/**
 * Plans that together send every request that any kind can send: each is small enough to try a fault at every one of its calls.
 * test/e2e/crash.test.ts compares them with every request of every case folder.
 */
export const MIXED_PLANS: readonly MixedPlan[] = [
  { name: "everything is made", live: realmOf(MADE), yaml: MADE_FILE },
  { name: "everything is changed", live: realmOf(CHANGED), yaml: CHANGED_FILE },
  { name: "everything is renamed", live: realmOf(RENAMED), yaml: RENAMED_FILE },
  { name: "everything becomes inactive", live: realmOf(INACTIVE), yaml: INACTIVE_FILE },
  { name: "settings of Zulip 12 change", live: realmOf(NEWER), yaml: NEWER_FILE },
  { name: "the organization is set up", live: realmOf(SET_UP), yaml: SET_UP_FILE, oneIn: 13 },
  { name: "the organization is turned over", live: realmOf(TURNED_OVER), yaml: TURNED_OVER_FILE, oneIn: 13 },
];

/**
 * The requests of a plan, in words without names: `update-stream channel.update`, `update-stream ?description`. No test of crashes and faults has
 * tried a request that no mixed plan has.
 */
export function requestsIn(plan: Plan): readonly string[] {
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  return plan.calls.flatMap(({ operation, params, for: purposes }) => [
    ...Object.keys(params).map((param) => `${operation} ?${param}`),
    ...purposes.map(({ address }) => `${operation} ${address.slice(0, address.indexOf(":"))}.${actions.get(address)}`),
  ]);
}
