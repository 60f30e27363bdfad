/**
 * Where the server itself fails: in recorded cases (zulip-api.md §7.2, §9.4, §11, §12.2, §12.5, §12.6), or for numbers, times and null bytes that its
 * language and its database cannot hold (§13.8). Any other 500 is an error in the sandbox. For tests only.
 */
export const FAILING: ReadonlySet<string> = new Set([
  "POST /realm/domains",
  "POST /realm/playgrounds",
  "PATCH /realm",
  "PATCH /realm/user_settings_defaults",
  "PATCH /settings",
  "PATCH /settings/display",
  "PATCH /settings/notifications",
  "PATCH /channel_folders/{folder_id}",
  "POST /invites",
  "POST /invites/multiuse",
  "POST /default_stream_groups/create",
  "PATCH /default_stream_groups/{group_id}",
  "PATCH /streams/{stream_id}",
  "POST /channels/create",
  "POST /users/me/subscriptions",
  "PATCH /bots/{bot_id}",
  "POST /scheduled_messages",
  "PATCH /scheduled_messages/{scheduled_message_id}",
  "POST /reminders",
  "POST /drafts",
  "PATCH /drafts/{draft_id}",
]);
/** Whether the request is one of these. The path is the requested one. */
export const mayFail = (method: string, path: string): boolean =>
  FAILING.has(`${method} ${path}`) ||
  [...FAILING].some((operation) => operation.replace(/\{\w+\}/, "#") === `${method} ${path.replace(/\d+/, "#")}`);
