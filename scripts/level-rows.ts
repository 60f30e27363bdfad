/** What a feature level changed, and what realmctl does about it. */
export interface LevelRow {
  /** The levels: several if they are of one matter. */
  readonly levels: readonly number[];
  readonly change: string;
  /** What realmctl does, or why it does nothing. */
  readonly does: string;
}

const OUTSIDE = "nothing: realmctl does not use it";

/**
 * Every level after the last recording (442) up to the newest known one, each once (test/levels-doc.test.ts). Sources: the server's changelog, its OpenAPI
 * file and its code (zulip-api.md §0.1). Levels of fields and parameters stand where they are defined, and not here.
 */
export const LEVEL_ROWS: readonly LevelRow[] = [
  {
    levels: [443, 472],
    change: "Attachments: times in seconds; `message_ids`",
    does: "the sandbox follows; nothing else uses attachments",
  },
  { levels: [444], change: "PATCH /settings: `target_users`, other people's settings", does: "`realmctl api` has it" },
  {
    levels: [445, 446, 451, 452, 467, 475, 479, 482, 484, 485, 486, 487, 489, 491, 503, 508, 510, 511],
    change: "Messages, narrows, events, presence, keys of GIF services, reports of messages",
    does: OUTSIDE,
  },
  {
    levels: [447],
    change: "PATCH /bots/{id}: `short_name` changes the address of a bot",
    does: "`was` and `id` of `bots` rename a bot; below this level a bot with another name is a new one, and the plan says so",
  },
  {
    levels: [448],
    change: "A channel's e-mail address only for those who may post",
    does: "the sandbox follows; realmctl does not use it",
  },
  { levels: [449], change: "Exports: `export_type` as words", does: OUTSIDE },
  { levels: [450, 457], change: "Nothing that concerns configuration was found", does: "nothing" },
  {
    levels: [453],
    change: "`giphy_rating` became `gif_rating_policy`, its choices `gif_rating_policy_options`",
    does: "`gif_rating_policy` in `settings` is sent by the name that the server has, with the choices that it lists",
  },
  {
    levels: [454],
    change: "`web_home_view`: `recent_topics` became `recent`",
    does: "the file says `recent`; the request, what the server has",
  },
  {
    levels: [455],
    change: "Profile fields: `use_for_user_matching`, of the types short text and external account alone",
    does: "managed; a key that is missing is `false`; other types are refused offline, in plans and by the sandbox",
  },
  { levels: [456], change: "`default_avatar_source`", does: "managed in `settings`" },
  {
    levels: [458],
    change: "Bots as targets of /users/{id}/channels, subscription and membership status",
    does: "the sandbox follows",
  },
  {
    levels: [459],
    change: "DELETE /users/{id}: `actions` deletes a person's messages and profile",
    does: "`realmctl api` has it; no plan ever sends it, since deleting people's messages is no configuration; the sandbox deletes nothing, and says that it ignored the parameter",
  },
  {
    levels: [460, 465, 493],
    change: "`video_chat_provider`: Constructor Groups, Nextcloud Talk, Webex",
    does: "any provider that the server lists can be written, also later ones",
  },
  {
    levels: [461, 463, 473, 494],
    change:
      "Bots: events of changed addresses, GET /bots/{id}/api_key, status set by administrators, storage for bots alone",
    does: "realmctl never asks for keys; the sandbox has the events, the status and the storage",
  },
  {
    levels: [462, 464],
    change: "Events of a changed description have it rendered",
    does: "the sandbox follows; no command reads events",
  },
  {
    levels: [466],
    change: "`realm_uuid`; pictures that the server draws (`avatar_source` J)",
    does: "the identity is no setting, and is not counted as unknown; a snapshot keeps the address of such a picture as that of an uploaded one, since nothing in a list of accounts distinguishes them; the sandbox draws none",
  },
  {
    levels: [468, 470, 483, 492],
    change: "Devices and encrypted notifications; `device_id`",
    does: "`realmctl api` has `device_id`; the rest is outside",
  },
  { levels: [469], change: "`media_preview_size`", does: "managed in `settings`" },
  {
    levels: [471, 478],
    change: "Linkifiers: `example_input`, `reverse_template`, `alternative_url_templates`",
    does: "managed; a change always sends all that the server has, since it checks omitted ones as empty",
  },
  { levels: [474], change: "`realm_bots` without what `realm_users` has", does: "never read; the sandbox follows" },
  {
    levels: [476],
    change: "`long_text` in the profile summary",
    does: "refused below this level alone; offline a warning",
  },
  {
    levels: [477],
    change: "`workplace_users_group`: who counts for the bill",
    does: "managed; a change is a risk of its own, and groups that others can change are warned about: which of their rights count is not known. The sandbox refuses what is known to be refused: others manage all groups, or the group has the rights of a new one; a rehearsal says that it did not try the rest",
  },
  {
    levels: [480],
    change: "GET /streams/{id}, its members and topics also of archived channels",
    does: "the sandbox follows",
  },
  {
    levels: [481],
    change: "`idle_queue_timeout`: a number or the word `mobile`",
    does: "`realmctl api` takes both; the sandbox the number alone, since how long `mobile` lasts is not known",
  },
  { levels: [488], change: "Sign-in with Discord", does: "methods are what the server lists; the sandbox lists it" },
  {
    levels: [490],
    change: "`is_deleted` of accounts",
    does: "snapshots keep it, and a sandbox of one shows it; a deleted account counts as deactivated, and no plan reactivates it: whether a server would is not known",
  },
  { levels: [495, 497, 498], change: "Not known: no source that we read has them", does: "nothing" },
  {
    levels: [496],
    change: "Bots at all endpoints of user groups",
    does: "a bot's key is refused for `user_groups` below this level alone",
  },
  {
    levels: [499, 500, 504, 506],
    change:
      "`require_e2ee_push_notifications` stops unencrypted notifications (500 and 504); exports from an earlier server (499 and 506)",
    does: "managed in `settings`; the reference describes it as it is from 500 on: before, other notifications are sent without their text. A plan that sets it from 500 on says that apps which cannot read them get none. Exports are outside",
  },
  { levels: [501], change: "Reserved for 12.x", does: "nothing" },
  { levels: [502], change: "The start of 13.0", does: "nothing" },
  {
    levels: [505, 509],
    change:
      "Moving messages: which limit is told for an old message of a topic; a message that is sent to its own channel does not move",
    does: "the sandbox follows; realmctl does not use it",
  },
  {
    levels: [507],
    change: "Channels: `default_push_notifications`",
    does: "managed; only administrators of the organization may; people who are subscribed already keep theirs",
  },
  { levels: [512], change: "PATCH /users/me/subscriptions is gone", does: "not used; `realmctl api` says so" },
];

/** What changed between 443 and 509 without a level that is known. */
export const LEVEL_UNKNOWN: readonly Omit<LevelRow, "levels">[] = [
  {
    change: "External accounts: 22 services; `twitter` became `x`",
    does: "services are what the server lists; offline, one that is not known is a warning; `twitter` in a file and `x` on the server are reported as a rename, never removed and created",
  },
  {
    change:
      "POST /channels/create drops three permission settings, from 417 to at least 509; the level of the fix is not known",
    does: "channels with these settings are never created by this request",
  },
  {
    change: "`can_access_all_users_group` needs Zulip Cloud Plus or a server of one's own",
    does: "refused in the plan",
  },
  {
    change: "POST /invites: empty parts of the list of addresses, names before addresses",
    does: "realmctl sends addresses alone",
  },
  {
    change: "DELETE and resending of an invitation that is not pending: “Invitation already used or deactivated.”",
    does: "nothing depends on the words; the sandbox forgets such invitations, and knows none with the number",
  },
  {
    change:
      "GET /invites/{id} and /invites/multiuse/{id} with channels, groups and the welcome text (gh#39425, not part of any level when it was seen)",
    does: "not used: what a file says about channels and groups of an invitation cannot be compared until it is",
  },
  {
    change:
      "Keys that Zulip calls deprecated (`realm_uri`, `realm_mandatory_topics`, `realm_create_*_policy`, `realm_wildcard_mention_policy`, `stream_post_policy`, `is_announcement_only`): still there at 509",
    does: "not needed: a server without them is planned in the same way",
  },
  {
    change: "`realm_owner_full_content_access` (level 438): changed only by a command on the server",
    does: "a fact, no setting: it is neither managed nor counted as unknown",
  },
];
