import type { Json, JsonObject } from "../../model/json.ts";
import { isAdmin, isGuest, isModerator, isOwner, mayInRealm } from "../access.ts";
import type { Call } from "../call.ts";
import type { Audience } from "../events.ts";
import { gravatarOf } from "../images.ts";
import { NEW_ACCOUNT, ROLE, type User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import { type RealmState, settingOf } from "../state.ts";

/** `email_address_visibility`: who may see the real address. */
const VISIBLE_TO: { readonly [visibility: number]: (viewer: User) => boolean } = {
  1: () => true,
  2: (viewer) => !isGuest(viewer),
  3: isAdmin,
  4: () => false,
  5: isModerator,
};

export const EVERYBODY = 1;

/** The visibility of a user's address; bots hide nothing. */
export const addressVisibility = (state: RealmState, user: User): Json | undefined =>
  user.is_bot ? EVERYBODY : settingOf(state, user, "email_address_visibility");

const isVisibleTo = (visibility: Json | undefined, viewer: User): boolean =>
  (VISIBLE_TO[typeof visibility === "number" ? visibility : 3] ?? isAdmin)(viewer);
/** Whether the viewer's role may see the user's real address. */
export const addressIsVisible = (state: RealmState, user: User, viewer: User): boolean =>
  isVisibleTo(addressVisibility(state, user), viewer);
/** Whether the viewer sees the user's real address, given this visibility. People always see their own. */
export const seesAddress = (visibility: Json | undefined, user: User, viewer: User): boolean =>
  viewer.user_id === user.user_id || isVisibleTo(visibility, viewer);

/** The picture; null if the client can compute it, because everybody may see the address from which it is derived. */
export function shownPicture(state: RealmState, user: User, clientGravatar: boolean): string | null {
  const isOpen = addressVisibility(state, user) === EVERYBODY;
  if (clientGravatar && isOpen && !user.is_system_bot && user.avatar_source === "G") return null;
  return user.avatar_url ?? gravatarOf(user.delivery_email, user.avatar_version);
}

/** The people who know of the user, for events about people. */
export const knowing =
  (state: RealmState, user: User): Audience =>
  (viewer) =>
    mayKnowOf(state, viewer, user);

/** Tells of changes of an account. */
export function tellPerson(
  call: Call,
  user: User,
  fields: JsonObject,
  audience: Audience = knowing(call.state, user),
): void {
  call.emit(audience, { type: "realm_user", op: "update", person: { user_id: user.user_id, ...fields } });
}

interface Wish {
  readonly state: RealmState;
  readonly level: number;
  readonly viewer: User;
  /** Custom profile fields, for accounts that can have them. */
  readonly profile: boolean;
  /** Leaves the picture to the client if it comes from Gravatar. */
  readonly clientGravatar: boolean;
  /** The list that contains the user already shows whether they are active. */
  readonly listSaysActive?: boolean;
}

/** A user as another sees them (zulip-api.md §1.3). */
export function shownUser(wish: Wish, target: User): JsonObject {
  const { state, level, viewer, profile, clientGravatar } = wish;
  const user = seenBy(state, viewer, target);
  const isStranger = user !== target;
  const mayKnow = !isStranger && seesAddress(addressVisibility(state, user), user, viewer);
  const out: { [key: string]: Json } = {
    user_id: user.user_id,
    email: user.email,
    delivery_email: mayKnow ? user.delivery_email : null,
    full_name: user.full_name,
    role: user.unknown_role ?? user.role,
    is_admin: isAdmin(user),
    is_owner: isOwner(user),
    is_guest: isGuest(user),
    is_bot: user.is_bot,
    timezone: user.timezone,
    date_joined: user.date_joined,
    avatar_url: shownPicture(state, user, clientGravatar),
    avatar_version: user.avatar_version,
  };
  if (wish.listSaysActive !== true) out.is_active = user.is_active;
  if (level >= 433) out.is_imported_stub = user.is_imported_stub;
  if (level >= 490 && user.is_deleted === true) out.is_deleted = true;
  // On a self-hosted server nobody manages bills.
  if (level < 363) out.is_billing_admin = false;
  if (user.is_bot) {
    out.bot_type = user.bot_type;
    out.bot_owner_id = user.bot_owner_id;
  } else if (profile || isStranger) out.profile_data = shownProfile(user);
  if (user.is_system_bot) out.is_system_bot = true;
  return out;
}

/** The domain of placeholders for hidden addresses; a snapshot shows it in its addresses. */
export function hostOfHiddenAddresses(state: RealmState): string | undefined {
  if (typeof state.realm.bot_domain === "string") return state.realm.bot_domain;
  for (const user of rows(state.users)) {
    const host = /^user\d+@(.+)$/.exec(user.email)?.[1];
    if (host !== undefined) return host;
  }
  return undefined;
}

/** The user as viewers see them who learn only that they exist. */
function asStranger(state: RealmState, { unknown_role: _, is_deleted: __, ...user }: User): User {
  return {
    ...user,
    ...NEW_ACCOUNT,
    email: `user${user.user_id}@${hostOfHiddenAddresses(state) ?? "localhost"}`,
    full_name: "Unknown user",
    role: ROLE.member,
    is_bot: false,
    date_joined: "1970-01-01T00:00+00:00",
    avatar_source: "U",
    avatar_url: "/static/images/unknown-user-avatar.png",
  };
}
/** The user, or a stranger if the viewer may not know of them. */
export const seenBy = (state: RealmState, viewer: User | undefined, user: User): User =>
  viewer === undefined || mayKnowOf(state, viewer, user) ? user : asStranger(state, user);

/**
 * Whether the viewer may know who the user is. If `can_access_all_users_group` excludes guests, a guest knows only bots, people who share a channel
 * with the guest, and people who took part in a direct conversation with the guest.
 */
export function mayKnowOf(state: RealmState, viewer: User, user: User): boolean {
  if (!isGuest(viewer) || user.user_id === viewer.user_id || user.is_bot) return true;
  if (mayInRealm(state, viewer, "can_access_all_users_group", true)) return true;
  // A deactivated account currently shares no channel.
  const shared =
    user.is_active &&
    Object.values(state.subscriptions).some(
      (people) => people[viewer.user_id]?.active === true && people[user.user_id]?.active === true,
    );
  return (
    shared ||
    rows(state.messages).some(
      ({ channel_id, to }) => channel_id === null && to.includes(viewer.user_id) && to.includes(user.user_id),
    )
  );
}

function shownProfile(user: User): JsonObject {
  return Object.fromEntries(Object.entries(user.profile_data).map(([id, value]) => [id, { ...value }]));
}

/** The realm's people and bots, without system bots. */
export const members = (state: RealmState): User[] => rows(state.users).filter((user) => !user.is_system_bot);

/** The id of the last message that the user received; −1 if there is no such message. */
export function lastMessageId(state: RealmState, userId: number): number {
  const received = rows(state.messages).filter((message) => message.received_by.includes(userId));
  return received.at(-1)?.id ?? -1;
}
