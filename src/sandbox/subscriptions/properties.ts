import type { Json } from "../../model/json.ts";
import { accessibleChannel, isSubscribed } from "../access.ts";
import { type Call, only } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, firstOf, int, json, list, object, required, type Schema, string, text, union } from "../params.ts";
import type { Subscription } from "../rows/channels.ts";
import { checkColor } from "./color.ts";

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
