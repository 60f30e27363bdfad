import { isAdmin } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError, mustBe } from "../errors.ts";
import { subgroupsOf } from "../groups.ts";
import { bool, int, list, maybe, object, type Schema } from "../params.ts";
import type { User } from "../rows/accounts.ts";

export interface Targets {
  readonly user_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly skip_if_already_edited: boolean;
}
const shape = object({ user_ids: maybe(list(int())), group_ids: maybe(list(int())), skip_if_already_edited: bool });

/** `target_users` (level 444): people whose settings an administrator changes. */
export const targets: Schema<Targets> = (value, path) => {
  const { user_ids = [], group_ids = [], skip_if_already_edited } = shape(value, path);
  if (user_ids.length + group_ids.length === 0) throw new ApiError("Either user_ids or group_ids must be provided.");
  return { user_ids, group_ids, skip_if_already_edited };
};

/** Settings that concern privacy or access; only the person can change these. */
const SENSITIVE: readonly string[] = [
  "allow_private_data_export",
  "email",
  "email_address_visibility",
  "enable_digest_emails",
  "enable_login_emails",
  "enable_marketing_emails",
  "new_password",
  "presence_enabled",
  "send_private_typing_notifications",
  "send_read_receipts",
  "send_stream_typing_notifications",
  "timezone",
];

/** @throws ApiError unless the caller may change all the settings that were sent for others */
export function checkMayChangeFor(call: Call, sent: { readonly [name: string]: unknown }): void {
  if (!isAdmin(call.user)) throw mustBe("administrator");
  if (SENSITIVE.some((name) => sent[name] !== undefined))
    throw new ApiError("Cannot change this setting for other users.");
}

/** All targets, including deactivated people; bots have no settings. */
export function targetedUsers(call: Call, { user_ids, group_ids }: Targets): readonly User[] {
  const ids = new Set(user_ids);
  for (const id of group_ids) {
    if (call.state.user_groups[id] === undefined) throw new ApiError(`Invalid user group ID: ${id}`);
    for (const group of subgroupsOf(call.state, id))
      for (const member of call.state.user_groups[group]?.members ?? []) ids.add(member);
  }
  const users: User[] = [];
  for (const id of ids) {
    const user = call.state.users[id];
    if (user === undefined || user.is_system_bot) throw new ApiError(`Invalid user ID: ${id}`);
    if (!user.is_bot) users.push(user);
  }
  return users;
}
