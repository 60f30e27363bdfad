import type { AccessState } from "../../src/access/state.ts";
import type { User } from "../../src/sandbox/rows/accounts.ts";
import type { Channel } from "../../src/sandbox/rows/channels.ts";
import type { UserGroup } from "../../src/sandbox/rows/groups.ts";
import type { Message } from "../../src/sandbox/rows/messages.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { channelMessage, ORGANIZATION_REQUESTS } from "../support/tried.ts";

/** One request that shows whether somebody may do something, and what `access` must answer for it to succeed. */
export interface Try {
  readonly right: string;
  readonly on: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  /** Every right that the request needs: any one of each list. */
  readonly needs: readonly (readonly Needed[])[];
}

/** A right on an object, as `access` calls it. */
export interface Needed {
  readonly target: Channel | UserGroup | "organization";
  readonly right: string;
}

/** The topic in every channel, with a message from everybody; everybody has a copy of each. */
export const TOPIC = "t";
const OTHER_TOPIC = "u";

/** A realm in which everybody has written something everywhere, a moment ago. */
export function withMessages(state: RealmState, nowSeconds: number): RealmState {
  const messages: { [id: number]: Message } = {};
  const everybody = Object.values(state.users).map(({ user_id }) => user_id);
  let next = 1000;
  for (const channel of Object.values(state.channels))
    for (const sender_id of everybody)
      for (const topic of [TOPIC, OTHER_TOPIC]) {
        const id = next++;
        messages[id] = channelMessage({
          id,
          sender_id,
          channel_id: channel.stream_id,
          topic,
          received_by: everybody,
          timestamp: nowSeconds,
        });
      }
  return { ...state, messages, next_id: { ...state.next_id, message: next } };
}

const json = (value: unknown): string => JSON.stringify(value);

function messageBy(state: RealmState, channel: Channel, isSender: (id: number) => boolean): Message {
  const found = Object.values(state.messages).find(
    ({ channel_id, topic, sender_id }) => channel_id === channel.stream_id && topic === TOPIC && isSender(sender_id),
  );
  if (found === undefined) throw new RangeError("nobody wrote that");
  return found;
}

/** Everything that can be tried in one channel. */
export function channelTries(state: RealmState, user: User, channel: Channel): readonly Try[] {
  // Guests who are not subscribed read web-public channels on the web, not through the API.
  const isOutside = user.role === 600 && !isSubscribed(state, channel, user.user_id);
  return [
    ...(isOutside ? [] : messageTries(state, user, channel)),
    ...ownTries(channel),
    ...subscriptionTries(state, user, channel),
  ];
}

const isSubscribed = (state: RealmState, { stream_id }: Channel, userId: number): boolean =>
  state.subscriptions[stream_id]?.[userId]?.active === true;

function inChannel(channel: Channel) {
  return {
    on: (right: string, target: Needed["target"] = channel): Needed => ({ target, right }),
    name: (right: string): Pick<Try, "right" | "on"> => ({ right, on: channel.name }),
  };
}

/** With the channel itself, and new messages in it. */
function ownTries(channel: Channel): readonly Try[] {
  const { on, name } = inChannel(channel);
  const id = channel.stream_id;
  const found: Try[] = [
    {
      ...name("can_send_message_group"),
      method: "POST",
      path: "/messages",
      params: { type: "channel", to: json(id), topic: TOPIC, content: "x" },
      needs: [[on("can_send_message_group")]],
    },
    {
      ...name("can_create_topic_group"),
      method: "POST",
      path: "/messages",
      params: { type: "channel", to: json(id), topic: "new", content: "x" },
      needs: [[on("can_send_message_group")], [on("can_create_topic_group")]],
    },
    {
      ...name("can_administer_channel_group"),
      method: "PATCH",
      path: `/streams/${id}`,
      params: { description: "changed" },
      needs: [[on("can_administer_channel_group")]],
    },
  ];
  // The server shows no archived one under its id.
  if (!channel.is_archived)
    found.push(
      { ...name("read"), method: "GET", path: `/users/me/${id}/topics`, params: {}, needs: [[on("read")]] },
      { ...name("see"), method: "GET", path: `/streams/${id}`, params: {}, needs: [[on("see")]] },
    );
  return found;
}

/** Who is subscribed. */
function subscriptionTries(state: RealmState, user: User, channel: Channel): readonly Try[] {
  const { on, name } = inChannel(channel);
  const subscribed = (userId: number): boolean => isSubscribed(state, channel, userId);
  const people = Object.values(state.users).filter(
    (each) => each.is_active && !each.is_bot && !each.is_system_bot && each.user_id !== user.user_id,
  );
  const inside = people.find((each) => subscribed(each.user_id));
  const outside = people.find((each) => !subscribed(each.user_id));
  const found: Try[] = [];
  if (!subscribed(user.user_id))
    found.push({
      ...name("can_subscribe_group"),
      method: "POST",
      path: "/users/me/subscriptions",
      params: { subscriptions: json([{ name: channel.name }]) },
      needs: [[on("can_subscribe_group")]],
    });
  if (outside !== undefined)
    found.push({
      ...name("can_add_subscribers_group"),
      method: "POST",
      path: "/users/me/subscriptions",
      params: { subscriptions: json([{ name: channel.name }]), principals: json([outside.user_id]) },
      needs: [[on("can_add_subscribers_group")]],
    });
  if (inside !== undefined && !channel.is_archived)
    found.push({
      ...name("can_remove_subscribers_group"),
      method: "DELETE",
      path: "/users/me/subscriptions",
      params: { subscriptions: json([channel.name]), principals: json([inside.user_id]) },
      needs: [[on("can_remove_subscribers_group")]],
    });
  return found;
}

/** With messages that are in the channel already. */
function messageTries(state: RealmState, user: User, channel: Channel): readonly Try[] {
  const { on, name } = inChannel(channel);
  const isMine = (userId: number): boolean =>
    userId === user.user_id || state.users[userId]?.bot_owner_id === user.user_id;
  const theirs = messageBy(state, channel, (sender) => !isMine(sender));
  const mine = messageBy(state, channel, (sender) => sender === user.user_id);
  const elsewhere = Object.values(state.channels).find(
    (each) => each.stream_id !== channel.stream_id && !each.is_archived && each.can_send_message_group === 15,
  );
  const onMessage = (
    right: string,
    message: Message,
    method: "PATCH" | "DELETE",
    params: Try["params"],
    needs: Try["needs"],
  ): Try => ({
    ...name(right),
    method,
    path: `/messages/${message.id}`,
    params,
    needs,
  });
  const found: Try[] = [
    { ...name("read"), method: "GET", path: `/messages/${theirs.id}`, params: {}, needs: [[on("read")]] },
    onMessage("can_delete_any_message_group", theirs, "DELETE", {}, [[on("can_delete_any_message_group")]]),
    onMessage("can_delete_own_message_group", mine, "DELETE", {}, [
      [on("can_delete_own_message_group"), on("can_delete_any_message_group")],
    ]),
    onMessage("can_move_messages_within_channel_group", theirs, "PATCH", { topic: OTHER_TOPIC }, [
      [on("can_move_messages_within_channel_group")],
    ]),
    onMessage("can_resolve_topics_group", theirs, "PATCH", { topic: `✔ ${TOPIC}` }, [[on("can_resolve_topics_group")]]),
  ];
  if (elsewhere !== undefined)
    found.push(
      onMessage("can_move_messages_out_of_channel_group", theirs, "PATCH", { stream_id: json(elsewhere.stream_id) }, [
        [on("can_move_messages_out_of_channel_group")],
        [on("read", elsewhere)],
      ]),
    );
  return found;
}

/** Everything that people can try with one group; bots have no access at all. */
export function groupTries(state: RealmState, user: User, group: UserGroup): readonly Try[] {
  const on = (right: string): Needed => ({ target: group, right });
  const name = (right: string): Pick<Try, "right" | "on"> => ({ right, on: group.name });
  const isIn = (id: number): boolean => group.members.includes(id);
  const people = Object.values(state.users).filter(
    (each) => each.is_active && !each.is_system_bot && each.user_id !== user.user_id,
  );
  const inside = people.find((each) => isIn(each.user_id));
  const outside = people.find((each) => !isIn(each.user_id));
  const members = (right: string, params: Try["params"], needs: readonly Needed[]): Try => ({
    ...name(right),
    method: "POST",
    path: `/user_groups/${group.id}/members`,
    params,
    needs: [needs],
  });
  const found: Try[] = [
    {
      ...name("can_manage_group"),
      method: "PATCH",
      path: `/user_groups/${group.id}`,
      params: { description: "changed" },
      needs: [[on("can_manage_group")]],
    },
    {
      ...name("can_mention_group"),
      method: "POST",
      path: "/messages",
      params: { type: "direct", to: json([user.user_id]), content: `@*${group.name}*` },
      needs: [[on("can_mention_group")]],
    },
  ];
  if (isIn(user.user_id))
    found.push(
      members("can_leave_group", { delete: json([user.user_id]) }, [
        on("can_leave_group"),
        on("can_remove_members_group"),
      ]),
    );
  else
    found.push(
      members("can_join_group", { add: json([user.user_id]) }, [on("can_join_group"), on("can_add_members_group")]),
    );
  if (outside !== undefined)
    found.push(members("can_add_members_group", { add: json([outside.user_id]) }, [on("can_add_members_group")]));
  if (inside !== undefined)
    found.push(
      members("can_remove_members_group", { delete: json([inside.user_id]) }, [on("can_remove_members_group")]),
    );
  return found;
}

/** What people can try in the whole organization. */
export function organizationTries(access: AccessState): readonly Try[] {
  return Object.entries(ORGANIZATION_REQUESTS)
    .filter(([right]) => access.organization.has(right))
    .map(([right, request]) => ({
      ...request,
      right,
      on: "organization",
      method: "POST",
      needs: [[{ target: "organization", right }]],
    }));
}
