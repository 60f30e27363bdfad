import type { Json } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import { accessibleChannel, isSubscribed, memberById } from "../access.ts";
import { type Call, only } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, valueError } from "../errors.ts";
import { bool, firstOf, int, json, list, object, required, type Schema, string, text, union } from "../params.ts";
import { stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import type { Subscription } from "../rows/channels.ts";
import { growingIndex } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { accountShownAs } from "../users/access.ts";

const FLAGS = [
  "is_muted",
  "pin_to_top",
  "audible_notifications",
  "desktop_notifications",
  "email_notifications",
  "push_notifications",
  "wildcard_mentions_notify",
] as const satisfies readonly (keyof Subscription)[];

interface Change {
  readonly stream_id: number;
  readonly property: string;
  readonly value: boolean | string;
}
const change = object({
  stream_id: int(),
  property: string(),
  value: union(["bool", bool], ["str", string()]),
});
const changeList: Schema<readonly Change[]> = list((value, path) => checked(change(value, path), path));

/** A subscription's own properties, which only its subscriber can change. */
export const subscriptionPropertyEndpoints = [
  defineEndpoint("POST /users/me/subscriptions/properties", {
    params: { subscription_data: required(json(changeList)) },
    handler(call, { subscription_data }) {
      for (const each of subscription_data) {
        apply(call, each);
        call.commit();
      }
    },
  }),
  defineEndpoint("PATCH /users/me/subscriptions/{stream_id}", {
    params: { property: required(text()), value: required(firstOf(json(bool), text())) },
    handler(call, { stream_id, property, value }) {
      apply(call, checked({ stream_id, property, value }, "subscription_data[0]"));
    },
  }),
];

/** @throws ApiError for unknown properties, and for values of the wrong type */
function checked(sent: Change, path: string): Change {
  const { property, value } = sent;
  if (property === "color") checkColor(String(value), "color", path);
  else if (property !== "in_home_view" && !FLAGS.some((flag) => flag === property))
    throw new ApiError(`Unknown subscription property: ${property}`);
  else if (typeof value !== "boolean") throw new ApiError(`${property} is not a boolean`);
  return sent;
}

function apply(call: Call, { stream_id, property, value }: Change): void {
  const { state, user, ledger } = call;
  accessibleChannel(call, stream_id, "content");
  const subscription = state.subscriptions[stream_id]?.[user.user_id];
  if (subscription === undefined || !isSubscribed(state, stream_id, user.user_id))
    throw new ApiError(`Not subscribed to channel ID ${stream_id}`);
  const tell = (name: string, received: Json): void =>
    call.emit(only(user.user_id), { type: "subscription", op: "update", property: name, value: received, stream_id });
  if (typeof value === "string") {
    ledger.set(subscription, "color", value);
    tell("color", value);
    return;
  }
  const isHome = property === "in_home_view";
  const flag = isHome ? "is_muted" : FLAGS.find((each) => each === property);
  if (flag === undefined) return;
  const stored = isHome ? !value : value;
  ledger.set(subscription, flag, stored);
  // Older clients use the opposite of muting.
  if (flag === "is_muted") tell("in_home_view", !stored);
  tell(flag, stored);
}

/** @throws ApiError that names the object at `path` with the invalid color */
export function checkColor(color: string, name: string, path: string): void {
  if (!/^#[a-fA-F0-9]{3,6}$/.test(color)) throw valueError(path, `${name} is not a valid hex color code`);
}

/** The colors in the order in which the server assigns them. */
const COLORS = words(
  "#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e #c2726a #94c849 #bd86e5 #ee7e4a #a6dcbf",
  "#95a5fd #53a063 #9987e1 #e4523d #c2c2c2 #4f8de4 #c6a8ad #e7cc4d #c8bebf #a47462",
);

/**
 * One color for each new subscription of a user: the first colors that none of the user's subscriptions has, in the order of the channels'
 * recipients. When all are in use, the recipient determines the color.
 * @param used the colors of all past and present subscriptions of the user
 * @returns channel id → color
 */
export function pickColors(
  used: Iterable<string>,
  channels: readonly { readonly stream_id: number; readonly recipient_id: number }[],
): ReadonlyMap<number, string> {
  const taken = new Set(used);
  const free = COLORS.filter((color) => !taken.has(color));
  return new Map(
    channels
      .toSorted((a, b) => a.recipient_id - b.recipient_id)
      .map(({ stream_id, recipient_id }, place) => [
        stream_id,
        free[place] ?? COLORS[recipient_id % COLORS.length] ?? "#c2c2c2",
      ]),
  );
}

/** Accounts → the channels of which they have a subscription, or had; rows are never removed. */
const byPerson = growingIndex((subscriptions: RealmState["subscriptions"]) =>
  Object.entries(subscriptions).flatMap(([channelId, people]) =>
    Object.keys(people).map((userId) => [Number(userId), Number(channelId)] as const),
  ),
);
/** The subscriptions that an account has or had, by channel, ascending. */
export function subscriptionsOf({ subscriptions }: RealmState, userId: number) {
  const channels = byPerson.find(subscriptions, userId).toSorted((a, b) => a - b);
  return channels.flatMap((channelId): readonly (readonly [number, Subscription])[] => {
    const row = subscriptions[channelId]?.[userId];
    return row === undefined ? [] : [[channelId, row]];
  });
}
/** Must be called for each row that is added. */
export const noteSubscription = ({ subscriptions }: RealmState, channelId: number, userId: number): void =>
  byPerson.note(subscriptions, userId, channelId);

/**
 * People given by ids, or by the addresses that the API shows.
 * @throws ApiError first if one of them does not exist, then if one is deactivated
 */
export function membersByPrincipals(state: RealmState, principals: readonly (number | string)[]): User[] {
  const people = principals.map((principal) =>
    memberById(state, typeof principal === "number" ? principal : accountShownAs(state, stripped(principal))?.user_id),
  );
  if (!people.every((user) => user.is_active)) throw new ApiError("User is deactivated");
  return people;
}
