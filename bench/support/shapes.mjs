// Shapes of organizations and files, each of which grows in one thing. A shape is a function of the number of things: an organization, files, and the
// command that reads them.
import { descriptionOf } from "./file.mjs";

const ADA = "ada@acme.example";
const FIRST_PERSON = 100_000;
const FIRST_BOT = 1_000_000;

const listed = (size, item) => Array.from({ length: size }, (_, at) => item(at));
const named = (size, prefix, item, suffix = "") =>
  Object.fromEntries(listed(size, (at) => [`${prefix}${at}${suffix}`, item(at)]));
const person = (at) => `p${at}@acme.example`;
const fileOf = (sections) => ({ "realm.yaml": JSON.stringify({ version: 1, ...sections }) });
const PLAN = ["plan", "--snapshot", "realm.json"];
const LINK = "https://a.example.org";

/** What changes in a channel whose rights change. */
const MODERATED = { permissions: { can_send_message_group: "role:moderators" } };

export function shapesOf(realmOf, people) {
  /** An organization with many people and `bots` of them with a bot; the overlay is that of test/support/realm.ts. */
  const realm = ({ bots = 0, groupMembers = {}, subscribers = null, people: count = people, ...overlay } = {}) => {
    const found = realmOf({ channels: [{ name: "general" }], subscribers: subscribers && {}, ...overlay });
    const [member] = found.users.filter(({ role, is_bot, is_active }) => role === 400 && !is_bot && is_active);
    const accounts = [
      ...listed(count, (at) => account(member, FIRST_PERSON + at, person(at))),
      ...listed(bots, (at) => ({
        ...account(member, FIRST_BOT + at, `b${at}-bot@acme.example`),
        ...{ is_bot: true, bot_type: 1, bot_owner_id: FIRST_PERSON + at },
      })),
    ];
    const me = found.account.user_id;
    const ids = accounts.map(({ user_id }) => user_id);
    const roles = new Set(["role:members", "role:fullmembers"]);
    const channelIds = new Map(found.channels.map(({ name, stream_id }) => [name, String(stream_id)]));
    return {
      ...found,
      users: [...found.users, ...accounts],
      user_groups: found.user_groups.map((group) => ({
        ...group,
        members: [...group.members, ...(roles.has(group.name) ? ids : (groupMembers[group.name] ?? []))],
      })),
      subscribers: found.subscribers && {
        ...found.subscribers,
        ...Object.fromEntries(
          Object.entries(subscribers ?? {}).map(([name, members]) => [channelIds.get(name), [me, ...members]]),
        ),
      },
    };
  };
  const plan = (overlay, sections) => ({ realm: realm(overlay), files: fileOf(sections), argv: PLAN });
  const channels = (size, more = () => ({})) => listed(size, (at) => ({ name: `c${at}`, ...more(at) }));
  const groups = (size, more = () => ({})) => listed(size, (at) => ({ name: `g${at}`, ...more(at) }));
  /** Private channels, each of which admits one group. */
  const privateForGroups = (size) => ({
    channels: channels(size, (at) => ({ invite_only: true, can_subscribe_group: `g${at}` })),
    subscribers: Object.fromEntries(channels(size).map(({ name }) => [name, [FIRST_PERSON]])),
  });
  const moderated = (size) => ({ channels: named(size, "c", () => MODERATED) });
  const allPeople = listed(people, (at) => FIRST_PERSON + at);
  /** Channels that open, each to its own group of people. */
  const opened = (size) => ({
    overlay: {
      channels: channels(size, () => ({ can_send_message_group: 9 })),
      user_groups: groups(10),
      groupMembers: spread(10),
    },
    sections: { channels: named(size, "c", (at) => ({ permissions: { can_send_message_group: `g${at % 10}` } })) },
  });
  const spread = (count) =>
    Object.fromEntries(listed(count, (g) => [`g${g}`, allPeople.filter((_, at) => at % count === g)]));
  const command = (argv, overlay, sections, more = {}) => ({ ...plan(overlay, sections), argv, ...more });

  return {
    "people: roles": (n) => plan({}, { people: named(n, "p", () => ({ role: "moderator" }), "@acme.example") }),
    "people: deactivated": (n) => plan({}, { people: named(n, "p", () => ({ deactivated: true }), "@acme.example") }),
    "bots: created": (n) => plan({}, { bots: named(n, "new", () => ({}), "-bot") }),
    "bots: owner and role": (n) =>
      plan({ bots: n }, { bots: named(n, "b", () => ({ owner: ADA, role: "moderator" }), "-bot") }),
    "bots: deactivated": (n) => plan({ bots: n }, { bots: named(n, "b", () => ({ deactivated: true }), "-bot") }),
    "groups: created": (n) => plan({}, { user_groups: named(n, "g", () => ({ members: [ADA] })) }),
    "groups: members in and out": (n) =>
      plan(
        {
          user_groups: groups(n),
          groupMembers: Object.fromEntries(listed(n, (at) => [`g${at}`, [FIRST_PERSON + at]])),
        },
        { user_groups: named(n, "g", (at) => ({ members: [person(at + 1)] })) },
      ),
    "groups: members in, a private channel open to each": (n) =>
      plan(
        { ...privateForGroups(n), user_groups: groups(n) },
        { user_groups: named(n, "g", (at) => ({ members: [person(at)] })) },
      ),
    "groups: to be joined, a private channel open to each": (n) =>
      plan(
        { ...privateForGroups(n), user_groups: groups(n) },
        { user_groups: named(n, "g", () => ({ permissions: { can_join_group: "role:members" } })) },
      ),
    "groups: removed": (n) =>
      plan({ user_groups: groups(n) }, { user_groups: named(n, "g", () => ({ absent: true })) }),
    "groups: renamed": (n) =>
      plan({ user_groups: groups(n) }, { user_groups: named(n, "new", (at) => ({ was: `g${at}` })) }),
    "groups: a chain, one below the other": (n) =>
      plan(
        { user_groups: groups(n) },
        { user_groups: named(n, "g", (at) => (at === 0 ? {} : { subgroups: [`g${at - 1}`] })) },
      ),
    "groups: all in one": (n) =>
      plan(
        { user_groups: groups(n) },
        { user_groups: { ...named(n, "g", () => ({})), all: { subgroups: listed(n, (at) => `g${at}`) } } },
      ),
    "groups: who may manage them": (n) =>
      plan(
        { user_groups: groups(n) },
        { user_groups: named(n, "g", (at) => ({ permissions: { can_manage_group: `g${(at + 1) % n}` } })) },
      ),
    "groups: lists of people who may manage them": (n) =>
      plan(
        { user_groups: groups(n) },
        {
          user_groups: named(n, "g", (at) => ({
            permissions: { can_manage_group: { users: [person(at), person(at + 1)] } },
          })),
        },
      ),
    "channels: created": (n) => plan({}, { channels: named(n, "new", () => ({ description: "d" })) }),
    "channels: renamed": (n) =>
      plan({ channels: channels(n) }, { channels: named(n, "new", (at) => ({ was: `c${at}` })) }),
    "channels: archived": (n) =>
      plan({ channels: channels(n) }, { channels: named(n, "c", () => ({ archived: true })) }),
    "channels: moderated": (n) => plan({ channels: channels(n) }, moderated(n)),
    "channels: opened to groups of people": (n) => plan(opened(n).overlay, opened(n).sections),
    "channels: private ones made public": (n) =>
      plan(
        {
          channels: channels(n, () => ({ invite_only: true })),
          subscribers: Object.fromEntries(channels(n).map(({ name }) => [name, [FIRST_PERSON]])),
        },
        { channels: named(n, "c", () => ({ privacy: "public" })) },
      ),
    "channels: topics and retention": (n) =>
      plan(
        { channels: channels(n) },
        { channels: named(n, "c", () => ({ topics_policy: "disable_empty_topic", message_retention_days: 30 })) },
      ),
    "channels: permissions that list people": (n) =>
      plan(
        { channels: channels(n) },
        {
          channels: named(n, "c", (at) => ({
            permissions: { can_send_message_group: { users: [person(at), person(at + 1)] } },
          })),
        },
      ),
    "channels: subscribers in and out": (n) =>
      plan(
        {
          channels: channels(n),
          subscribers: Object.fromEntries(listed(n, (at) => [`c${at}`, []])),
        },
        { channels: named(n, "c", (at) => ({ subscribers: { users: [person(at), person(at + 1)] } })) },
      ),
    "one channel: subscribers listed": (n) =>
      plan(
        { channels: channels(1), subscribers: { c0: [] } },
        { channels: { c0: { subscribers: { users: listed(n, person) } } } },
      ),
    "one group: members listed": (n) =>
      plan(
        { user_groups: groups(1), groupMembers: { g0: allPeople.slice(0, n) } },
        { user_groups: { g0: { members: listed(n + 1, person) } } },
      ),
    "one permission: people listed": (n) =>
      plan(
        { channels: channels(1) },
        { channels: { c0: { permissions: { can_send_message_group: { users: listed(n, person) } } } } },
      ),
    "folders: created, channels moved": (n) =>
      plan(
        { channels: channels(n) },
        { channel_folders: named(n, "f", () => ({})), channels: named(n, "c", (at) => ({ folder: `f${at}` })) },
      ),
    "folders: renamed": (n) =>
      plan(
        { channel_folders: listed(n, (at) => ({ name: `f${at}` })) },
        { channel_folders: named(n, "new", (at) => ({ was: `f${at}` })) },
      ),
    "folders: another order": (n) =>
      plan(
        { channel_folders: listed(n, (at) => ({ name: `f${at}` })) },
        { channel_folders: Object.fromEntries(listed(n, (at) => [`f${n - 1 - at}`, { description: "d" }])) },
      ),
    "default channels: added": (n) =>
      plan({ channels: channels(n) }, { default_channels: listed(n, (at) => `c${at}`) }),
    "default channels: removed": (n) =>
      plan(
        { channels: channels(n), default_channels: listed(n, (at) => `c${at}`) },
        { manage: { default_channels: "exact" }, default_channels: [] },
      ),
    "linkifiers: created": (n) => plan({}, { linkifiers: listed(n, linkifier) }),
    "linkifiers: another order": (n) =>
      plan({ linkifiers: listed(n, linkifier) }, { linkifiers: listed(n, (at) => linkifier(n - 1 - at)) }),
    "linkifiers: removed": (n) =>
      plan({ linkifiers: listed(n, linkifier) }, { manage: { linkifiers: "exact" }, linkifiers: [] }),
    "navigation views: created": (n) =>
      plan(
        {},
        {
          navigation_views: Object.fromEntries(
            listed(n, (at) => [`narrow/topic/t${at}`, { name: `T${at}`, is_pinned: true }]),
          ),
        },
      ),
    "navigation views: changed": (n) =>
      plan(
        {
          navigation_views: listed(n, (at) => ({ fragment: `narrow/topic/t${at}`, is_pinned: false, name: `T${at}` })),
        },
        { navigation_views: named(n, "narrow/topic/t", () => ({ is_pinned: true })) },
      ),
    "domains: added": (n) => plan({}, { domains: named(n, "d", () => ({ allow_subdomains: false }), ".example.org") }),
    "domains: removed": (n) =>
      plan(
        { domains: listed(n, (at) => ({ domain: `d${at}.example.org`, allow_subdomains: false })) },
        { manage: { domains: "exact" }, domains: {} },
      ),
    "profile fields: changed": (n) =>
      plan(
        { profile_fields: listed(n, (at) => ({ name: `F${at}`, type: "short_text" })) },
        { profile_fields: listed(n, (at) => ({ name: `F${at}`, hint: "h" })) },
      ),
    "profile field: options": (n) =>
      plan({}, { profile_fields: [{ name: "F", type: "select", options: listed(n, (at) => `o${at}`) }] }),
    "playgrounds: created": (n) => plan({}, { playgrounds: listed(n, playground) }),
    "emoji: removed": (n) =>
      plan({ emoji: named(n, "e", () => ADA) }, { emoji: named(n, "e", () => ({ absent: true })) }),
    "invitations: one for each": (n) =>
      plan(
        { channels: channels(n), invites: [], subscribers: {} },
        {
          invites: listed(n, (at) => ({
            emails: [`i${at}@acme.example`],
            send_until: "2026-12-31",
            channels: [`c${at}`],
            welcome_message_custom_text: `w${at}`,
          })),
        },
      ),
    "invitations: many addresses in one": (n) =>
      plan(
        { invites: [] },
        {
          invites: [
            { emails: listed(n, (at) => `i${at}@acme.example`), send_until: "2026-12-31", channels: ["general"] },
          ],
        },
      ),
    "invitations: into a group that opens a private channel": (n) =>
      plan(
        { ...privateForGroups(n), user_groups: groups(n), invites: [] },
        {
          invites: listed(n, (at) => ({
            emails: [`i${at}@acme.example`],
            send_until: "2026-12-31",
            groups: [`g${at}`],
          })),
        },
      ),
    "invitation links: created": (n) =>
      plan({ invites: [] }, { invite_links: listed(n, (at) => ({ expires_on: dayOf(at), channels: ["general"] })) }),
    "protect: names of channels": (n) =>
      plan({ channels: channels(n) }, { policy: { protect: listed(n, (at) => `channel:c${at}`) }, ...moderated(n) }),
    "protect: 1,000 patterns with many stars": (n) =>
      plan(
        { channels: channels(n) },
        { policy: { protect: listed(1000, (at) => `channel:*a*b*${at}*x`) }, ...moderated(n) },
      ),
    "profiles: one for each channel": (n) =>
      plan(
        { channels: channels(n) },
        {
          profiles: named(n, "p", () => ({ description: "d" })),
          channels: named(n, "c", (at) => ({ profile: `p${at}` })),
        },
      ),
    "files: one for each channel": (n) => ({
      ...plan({ channels: channels(n) }, {}),
      files: {
        "realm.yaml": "version: 1\ninclude: [teams/*.yaml]\n",
        ...Object.fromEntries(
          listed(Math.min(n, 900), (at) => [`teams/t${at}.yaml`, `channels:\n  c${at}: {description: d}\n`]),
        ),
      },
    }),
    "nothing changes": (n) => plan({ channels: channels(n) }, { channels: named(n, "c", () => ({ description: "" })) }),
    "html: rights of channels": (n) => command([...PLAN, "--format", "html"], opened(n).overlay, opened(n).sections),
    "who: rights of channels": (n) => command([...PLAN, "--who"], opened(n).overlay, opened(n).sections),
    "json: rights of channels": (n) => command([...PLAN, "--format", "json"], opened(n).overlay, opened(n).sections),
    "saved and shown as markdown": (n) =>
      command(["show", "plan.json", "--format", "markdown"], opened(n).overlay, opened(n).sections, {
        before: [...PLAN, "--out", "plan.json", "--force"],
      }),
    "saved and shown as text": (n) =>
      command(["show", "plan.json"], opened(n).overlay, opened(n).sections, {
        before: [...PLAN, "--out", "plan.json", "--force"],
      }),
    "access --plan": (n) =>
      command(["access", "--plan", "--snapshot", "realm.json"], opened(n).overlay, opened(n).sections),
    drift: (n) => command(["drift", "--snapshot", "realm.json"], opened(n).overlay, opened(n).sections, { codes: [2] }),
    "adopt --all": (n) =>
      command(["adopt", "--all", "--dry-run", "--snapshot", "realm.json"], opened(n).overlay, opened(n).sections),
    "adopt --all of people": (n) =>
      command(
        ["adopt", "--all", "--dry-run", "--snapshot", "realm.json"],
        {},
        { people: named(n, "p", () => ({ role: "moderator" }), "@acme.example") },
      ),
    "adopt --all of groups": (n) =>
      command(
        ["adopt", "--all", "--dry-run", "--snapshot", "realm.json"],
        { user_groups: groups(n) },
        { user_groups: named(n, "g", () => ({ description: "d", members: [ADA] })) },
      ),
    export: (n) => command(["export", "--snapshot", "realm.json"], opened(n).overlay, {}),
    "export of groups with members": (n) =>
      command(
        ["export", "--snapshot", "realm.json"],
        {
          user_groups: groups(n),
          groupMembers: Object.fromEntries(listed(n, (at) => [`g${at}`, allPeople.slice(at, at + 20)])),
        },
        {},
      ),
    "rules: at most, for each channel": (n) => ({
      ...plan(opened(n).overlay, opened(n).sections),
      files: {
        ...fileOf(opened(n).sections),
        "realm.test.yaml": JSON.stringify({
          version: 1,
          tests: listed(n, (at) => ({ name: `t${at}`, objects: `c${at}`, rights: { post: { at_most: 100_000 } } })),
        }),
      },
      argv: ["test", "--snapshot", "realm.json"],
      codes: [0, 8],
    }),
    "rules: at most, for each group": (n) => ({
      ...plan({ user_groups: groups(n) }, {}),
      files: {
        ...fileOf({}),
        "realm.test.yaml": JSON.stringify({
          version: 1,
          tests: listed(n, (at) => ({
            name: `t${at}`,
            objects: `user_group:g${at}`,
            rights: { mention: { at_most: 100_000 } },
          })),
        }),
      },
      argv: ["test", "--snapshot", "realm.json"],
      codes: [0, 8],
    }),
    "rules: 500 over all channels": (n) => ({
      ...plan(opened(n).overlay, opened(n).sections),
      files: {
        ...fileOf(opened(n).sections),
        "realm.test.yaml": JSON.stringify({
          version: 1,
          tests: listed(500, (at) => ({ name: `t${at}`, objects: "c*", rights: { post: { at_most: at } } })),
        }),
      },
      argv: ["test", "--snapshot", "realm.json"],
      codes: [0, 8],
    }),
    validate: (n) => ({ files: fileOf(opened(n).sections), argv: ["validate"] }),
    fmt: (n) => ({
      files: {
        "realm.yaml": `version: 1\nchannels:\n${listed(n, (at) => `  c${at}:\n    description:   '${descriptionOf(at)}' # x\n`).join("")}`,
      },
      argv: ["fmt", "--check"],
      codes: [0, 1, 2],
    }),
    "text about unknown names": (n) => ({
      ...plan(
        { channels: channels(10) },
        { channels: named(n, "c", (at) => ({ permissions: { can_send_message_group: `nobody${at}` } })) },
      ),
      codes: [1],
    }),
  };
}

const account = (model, user_id, email) => ({
  ...model,
  user_id,
  email,
  delivery_email: email,
  full_name: email.split("@")[0],
});
const linkifier = (at) => ({ pattern: `A${at}-(?P<id>[0-9]+)`, url_template: `${LINK}/${at}/{id}` });
const playground = (at) => ({
  language: "Rust",
  name: `P${at}`,
  url_template: "https://play.example.org/?code={code}",
});
const dayOf = (at) => new Date(Date.UTC(2027, 0, 1 + at)).toISOString().slice(0, 10);
