import type { Json } from "../model/json.ts";
import { listed } from "../model/texts.ts";
import { daysOf, WAITING_PERIOD } from "./account.ts";

/*
 * Settings that give nobody a right, so that they are in no difference of access, but decide what others see and who can join: one value is more open than
 * another. Plans and drifts read the same table, each in its own direction.
 */

/** Whether a value is more open than the one before, and whether it is less open; a set can be both. */
interface Opening {
  readonly opens: boolean;
  readonly closes: boolean;
}
type Compared = (from: Json, to: Json) => Opening;

const ranked =
  (rank: (value: Json) => number): Compared =>
  (from, to) => ({ opens: rank(to) > rank(from), closes: rank(to) < rank(from) });
const WHEN_ON = ranked((value) => Number(value === true));
const WHEN_OFF = ranked((value) => Number(value === false));
const fromClosed = (values: readonly string[]): Compared => ranked((value) => values.indexOf(String(value)));
const asSets: Compared = (from, to) => {
  const [was, is] = [listed(from), listed(to)];
  return { opens: is.some((each) => !was.includes(each)), closes: was.some((each) => !is.includes(each)) };
};

/** Who sees addresses, from the smallest audience to the largest. */
export const AUDIENCES = ["nobody", "administrators", "moderators", "members", "everyone"] as const;

/** Fields of the organization, and of the defaults of new accounts. */
const COMPARED: { readonly [field: string]: Compared } = {
  authentication_methods: asSets,
  disallow_disposable_email_addresses: WHEN_OFF,
  email_address_visibility: fromClosed(AUDIENCES),
  emails_restricted_to_domains: WHEN_OFF,
  enable_spectator_access: WHEN_ON,
  inline_url_embed_preview: WHEN_ON,
  invite_required: WHEN_OFF,
  message_content_allowed_in_email_notifications: WHEN_ON,
  message_edit_history_visibility_policy: fromClosed(["none", "moves", "all"]),
  require_e2ee_push_notifications: WHEN_OFF,
  want_advertise_in_communities_directory: WHEN_ON,
  [WAITING_PERIOD]: ranked((value) => -(daysOf(value) ?? 0)),
};

/** What one value of a field opens or closes, against another value before it. */
export function opening(field: string, from: Json, to: Json): Opening {
  const compared = Object.hasOwn(COMPARED, field) ? COMPARED[field] : undefined;
  return compared?.(from, to) ?? { opens: false, closes: false };
}
