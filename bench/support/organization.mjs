// An organization that is large in people: what its server answers to POST /register, and a file that declares it.
import { descriptionOf } from "./file.mjs";
import { recordedRealm } from "./sources.mjs";

export const CHANNELS = 1000;
const SUBSCRIBERS = 1000;
const GROUPS = 100;
const MEMBERS = 2500;
const FIRST = 1000;

const isPrivate = (n) => n % 2 === 1;
const groupName = (n) => `crowd-${n % GROUPS}`;
/** Groups are nested as a tree: each has two in it. */
const subgroupsOf = (n) => [2 * n + 1, 2 * n + 2].filter((each) => each < GROUPS);

/** Half of the channels are private; each has {@link SUBSCRIBERS}; each of {@link GROUPS} groups has {@link MEMBERS} members of its own. */
export function organizationOf(people) {
  const { register } = recordedRealm();
  const [model] = register.streams;
  const [subscription] = register.subscriptions;
  const person = register.realm_users.find(({ role, is_bot }) => role === 400 && !is_bot);
  const ids = Array.from({ length: people }, (_, n) => FIRST + n);
  const byName = Object.fromEntries(register.realm_user_groups.map((group) => [group.name, group.id]));
  const users = ids.map((id) => ({
    ...person,
    user_id: id,
    email: `user${id}@chat.example.org`,
    delivery_email: `person.${id}@example.org`,
    full_name: `Person ${id}`,
    avatar_url: `https://secure.gravatar.com/avatar/${String(id).padStart(32, "0")}?d=identicon&version=1`,
    role: id % 50 === 0 ? 600 : 400,
  }));
  const members = users.filter(({ role }) => role === 400).map(({ user_id }) => user_id);
  const guests = users.filter(({ role }) => role === 600).map(({ user_id }) => user_id);
  const byRole = { "role:members": members, "role:fullmembers": members, "role:everyone": guests };
  const roles = register.realm_user_groups.map((group) => ({
    ...group,
    members: [...group.members, ...(byRole[group.name] ?? [])],
  }));
  const groups = Array.from({ length: GROUPS }, (_, n) => ({
    ...register.realm_user_groups[0],
    id: FIRST + n,
    name: groupName(n),
    description: `Crowd ${n}`,
    is_system_group: false,
    members: spread(ids, MEMBERS, n * 487),
    direct_subgroup_ids: subgroupsOf(n).map((each) => FIRST + each),
    can_leave_group: byName["role:everyone"],
    can_mention_group: byName["role:everyone"],
    can_manage_group: byName["role:administrators"],
    can_add_members_group: byName["role:administrators"],
  }));
  const streams = Array.from({ length: CHANNELS }, (_, n) => ({
    ...model,
    stream_id: FIRST + n,
    name: `team-${n}`,
    description: descriptionOf(n),
    rendered_description: `<p>${descriptionOf(n)}</p>`,
    invite_only: isPrivate(n),
    history_public_to_subscribers: true,
    message_retention_days: null,
    subscriber_count: Math.min(SUBSCRIBERS, people),
    can_send_message_group: FIRST + (n % GROUPS),
    can_resolve_topics_group: byName["role:moderators"],
    can_move_messages_within_channel_group: {
      direct_members: [ids[n % people]],
      direct_subgroups: [FIRST + ((n + 1) % GROUPS)],
    },
  }));
  // The account is in the first of its own: it may change what it reads.
  const me = register.user_id;
  const subscriptions = streams.map((stream, n) => ({
    ...subscription,
    ...stream,
    subscribers: [me, ...spread(ids, SUBSCRIBERS, n * 131)],
  }));
  const answer = {
    result: "success",
    msg: "",
    ...register,
    queue_id: "bench:1",
    realm_users: [...register.realm_users, ...users],
    realm_user_groups: [...roles, ...groups],
    streams: [...register.streams, ...streams],
    subscriptions: register.subscriptions.map(({ subscribers: _, ...each }) => each),
  };
  return {
    register: answer,
    subscriptions: [...register.subscriptions.map((each) => ({ subscribers: [me], ...each })), ...subscriptions],
  };
}

/** `count` of the ids, evenly, from somewhere on; all of them where there are not so many. */
function spread(ids, count, from) {
  if (ids.length <= count) return ids;
  const step = Math.floor(ids.length / count);
  return Array.from({ length: count }, (_, n) => ids[(from + n * step) % ids.length]);
}

/** The file of that organization; others may post in the first `changed` of its channels. */
export function realmFileOf(changed) {
  const channels = Array.from({ length: CHANNELS }, (_, n) =>
    [
      `  team-${n}:`,
      `    description: '${descriptionOf(n)}'`,
      `    privacy: ${isPrivate(n) ? "private_shared_history" : "public"}`,
      "    message_retention_days: realm_default",
      "    permissions:",
      `      can_send_message_group: ${groupName(n < changed ? n + 3 : n)}`,
      "      can_resolve_topics_group: role:moderators",
    ].join("\n"),
  );
  const groups = Array.from({ length: GROUPS }, (_, n) =>
    [
      `  ${groupName(n)}:`,
      `    description: Crowd ${n}`,
      `    subgroups: [${subgroupsOf(n).map(groupName).join(", ")}]`,
      "    permissions: {can_manage_group: role:administrators}",
    ].join("\n"),
  );
  return `version: 1\nuser_groups:\n${groups.join("\n")}\nchannels:\n${channels.join("\n")}\n`;
}

/** Rules about access, as a team would write them. */
export function rulesFile() {
  return [
    "version: 1",
    "tests:",
    "  - name: Guests read nothing private",
    "    objects: 'team-*'",
    "    privacy: private_*",
    "    rights:",
    "      administer: {only: role:administrators}",
    "      read: {deny: guest}",
    "  - name: Not everybody posts",
    "    objects: 'team-*'",
    "    rights:",
    "      post: {at_most: 100000}",
    "",
  ].join("\n");
}

/** What a real server answered to POST /register, with `size` more channels, `changed` of which are not as {@link fileOf} says. */
export function channelsAnswer(size, changed) {
  const { register } = recordedRealm();
  const [model] = register.streams;
  const groups = Object.fromEntries(register.realm_user_groups.map((group) => [group.name, group.id]));
  const channels = Array.from({ length: size }, (_, n) => ({
    ...model,
    stream_id: 1000 + n,
    name: `team-${n}`,
    description: n < changed ? "Changed by hand" : descriptionOf(n),
    rendered_description: `<p>${descriptionOf(n)}</p>`,
    topics_policy: "disable_empty_topic",
    message_retention_days: null,
    can_send_message_group: groups["role:members"],
    can_resolve_topics_group: groups["role:moderators"],
    can_move_messages_within_channel_group: groups["role:members"],
  }));
  return { result: "success", msg: "", ...register, queue_id: "bench:1", streams: [...register.streams, ...channels] };
}
