import { GROUP_PERMISSIONS } from "../../model/permission-settings.ts";
import { id, type Operation, read, segment, write } from "../operation.ts";
import { flag, group, groupUpdate, integer, integers, jsonText, list, object, required, text, word } from "../param.ts";
import { PERSONAL_SETTINGS } from "./personal-settings.ts";
import { rights } from "./rights.ts";

const userFields = {
  client_gravatar: flag("leave out avatar addresses that a client can compute (default true)"),
  include_custom_profile_fields: flag("with profile_data"),
};

const GROUP_OPERATIONS: readonly Operation[] = [
  read("get-user-groups", "GET /user_groups", {
    about: "Lists user groups; bots only from level 496 on.",
    params: { include_deactivated_groups: flag("deactivated ones too", { level: 294 }) },
  }),
  write("create-user-group", "POST /user_groups/create", "guarded", "look the group up by name", {
    about: "Creates a user group.",
    params: {
      name: required(text("at most 100 characters; unique, deactivated groups included")),
      description: required(text("may be empty")),
      members: required(integers("user ids")),
      subgroups: integers("group ids", { level: 311 }),
      ...rights(GROUP_PERMISSIONS, group),
    },
  }),
  write("update-user-group", "PATCH /user_groups/{user_group_id}", "guarded", "re-read the group", {
    about: "Changes a user group, or reactivates it. Atomic.",
    params: {
      name: text("at most 100 characters"),
      description: text("free text"),
      deactivated: flag("only false does something: it reactivates", { level: 386 }),
      ...rights(GROUP_PERMISSIONS, groupUpdate),
    },
  }),
  write(
    "update-user-group-members",
    "POST /user_groups/{user_group_id}/members",
    "guarded",
    "re-read the group and send the rest",
    {
      about: "Adds and removes members and subgroups. Refused whole when one is already in or not in.",
      params: {
        add: integers("user ids"),
        delete: integers("user ids"),
        add_subgroups: integers("group ids", { level: 311 }),
        delete_subgroups: integers("group ids", { level: 311 }),
      },
    },
  ),
  write(
    "update-user-group-subgroups",
    "POST /user_groups/{user_group_id}/subgroups",
    "guarded",
    "re-read the group and send the rest",
    {
      about: "Adds and removes subgroups.",
      level: 127,
      params: { add: integers("group ids"), delete: integers("group ids") },
    },
  ),
  read("get-user-group-members", "GET /user_groups/{user_group_id}/members", {
    about: "Who is in a group.",
    level: 127,
    params: { direct_member_only: flag("without members of subgroups") },
  }),
  read("get-is-user-group-member", "GET /user_groups/{user_group_id}/members/{user_id}", {
    about: "Is somebody in a group?",
    level: 127,
    params: { direct_member_only: flag("without members of subgroups") },
  }),
  read("get-user-group-subgroups", "GET /user_groups/{user_group_id}/subgroups", {
    about: "The groups in a group.",
    level: 127,
    params: { direct_subgroup_only: flag("without subgroups of subgroups") },
  }),
  write("deactivate-user-group", "POST /user_groups/{user_group_id}/deactivate", "guarded", "re-read the group", {
    about: "Deactivates a group that nothing uses; it keeps its name.",
    level: 290,
  }),
];

const PEOPLE_OPERATIONS: readonly Operation[] = [
  read("get-own-user", "GET /users/me", { about: "The account itself: its id, role and rights." }),
  read("get-users", "GET /users", {
    about: "Everybody, bots and deactivated accounts included.",
    params: { ...userFields, user_ids: integers("only these", { level: 384 }) },
  }),
  read("get-user", "GET /users/{user_id}", {
    about: "One account.",
    path: { user_id: id("the account") },
    params: userFields,
  }),
  read("get-user-by-email", "GET /users/{email}", {
    about: "One account by its address.",
    level: 39,
    path: { email: segment("the API address; from level 302 also the real one where it may be seen") },
    params: userFields,
  }),
  write("update-user", "PATCH /users/{user_id}", "idempotent", "re-read the account", {
    about: "Changes an account: its role, its name, its profile. Administrators only; atomic.",
    path: { user_id: id("the account; a deactivated one or a bot, too") },
    params: {
      role: integer(
        "100 owner, 200 administrator, 300 moderator, 400 member, 600 guest; 100 is an owner's to give and take",
      ),
      full_name: text("at most 100 characters; empty changes nothing"),
      profile_data: list('[{"id":…,"value":…}]; a value is a string or a list of user ids'),
      new_email: text("needs a permission of the server that nobody has by default"),
    },
  }),
  write("deactivate-user", "DELETE /users/{user_id}", "guarded", "re-read the account", {
    about: "Deactivates somebody's account, and the bots, invitations and links of theirs. Not for bots.",
    params: {
      deactivation_notification_comment: text("mailed to them, at most 2000 characters; left out, no mail", {
        level: 135,
      }),
      actions: object('{"delete_profile":true,…}: deletes for good what the person wrote; never sent by apply', {
        level: 459,
      }),
    },
  }),
  write("reactivate-user", "POST /users/{user_id}/reactivate", "guarded", "re-read the account", {
    about: "Brings an account back, a person's or a bot's, with the key that it had.",
    path: { user_id: id("the account; never an active one: its channels would count it twice") },
  }),
  read("get-bots", "GET /bots", { about: "The account's own active bots; people only, no bots." }),
  write("create-bot", "POST /bots", "guarded", "look for the address; it is used up forever", {
    about: "Makes a bot of the account's own; people only, no bots.",
    params: {
      full_name: required(text("not the name of an active account")),
      short_name: required(text("the address without -bot@ and what follows")),
      bot_type: integer("1 generic (default), 2 incoming webhook, 3 outgoing webhook, 4 embedded"),
      payload_url: jsonText("of an outgoing webhook"),
      interface_type: integer("of an outgoing webhook: 1 Zulip's own, 2 Slack's"),
      service_name: text("of an embedded bot, or the integration of an incoming webhook"),
      config_data: object("texts by name"),
      default_sending_stream: text("a channel's name"),
      default_events_register_stream: text("a channel's name"),
      default_all_public_streams: flag("events of every public channel"),
    },
  }),
  write("update-bot", "PATCH /bots/{bot_id}", "idempotent", "re-read the account", {
    about: "Changes a bot; people only, no bots. Not atomic.",
    params: {
      full_name: text("not the name of an active account"),
      short_name: text("its address becomes this, -bot and the domain of bots", { level: 447 }),
      role: integer("as in update-user"),
      bot_owner_id: integer("an active person"),
      default_sending_stream: text("a channel's name; empty for none"),
      default_events_register_stream: text("a channel's name; empty for none"),
      default_all_public_streams: flag("events of every public channel"),
      service_payload_url: jsonText("of an outgoing webhook"),
      service_interface: integer("of an outgoing webhook, with its URL"),
      config_data: object("texts by name"),
    },
  }),
  write("deactivate-bot", "DELETE /bots/{bot_id}", "idempotent", "re-read the account", {
    about: "Deactivates a bot; its address stays taken.",
  }),
  write("update-settings", "PATCH /settings", "idempotent", "re-read the settings", {
    about: "Changes the account's own settings; for an administrator, from level 444 on, also other people's.",
    params: {
      target_users: object('{"user_ids":[…],"group_ids":[…],"skip_if_already_edited":…}', { level: 444 }),
      full_name: text("the name that is shown"),
      email: text("starts a change that a link in an e-mail completes"),
      old_password: text("the present password", { secret: true }),
      new_password: text("needs old_password", { secret: true }),
      default_language: text("a language code, such as de"),
      timezone: text("an IANA time zone"),
      enable_login_emails: flag("mail about new logins"),
      enable_marketing_emails: flag("mail with news of the project"),
      ...PERSONAL_SETTINGS,
    },
  }),
  write("update-status", "POST /users/me/status", "idempotent", "read the status", {
    about: "Sets the account's status; only what is passed changes.",
    params: {
      status_text: text("at most 60 characters; empty clears it"),
      emoji_name: text("needed with emoji_code or reaction_type"),
      emoji_code: text("the emoji within its set"),
      reaction_type: word(["unicode_emoji", "realm_emoji", "zulip_extra_emoji"], "the emoji's set"),
      away: flag("deprecated: the opposite of presence_enabled"),
    },
  }),
  read("get-user-status", "GET /users/{user_id}/status", {
    about: "Somebody's status.",
    level: 262,
  }),
  write("update-profile-data", "PATCH /users/me/profile_data", "idempotent", "read the own account", {
    about: "Sets the account's custom profile fields.",
    params: { data: required(list('[{"id":…,"value":…}]; a value is a string or a list of user ids')) },
  }),
  write("remove-profile-data", "DELETE /users/me/profile_data", "idempotent", "read the own account", {
    about: "Clears the account's custom profile fields.",
    params: { data: required(integers("field ids")) },
  }),
  write(
    "e2ee-test-notify",
    "POST /mobile_push/e2ee/test_notification",
    "unsafe",
    "ask the person whose device it is; a repeat is a second notification",
    {
      about: "Sends a test notification to the account's own mobile devices.",
      level: 420,
      params: {
        device_id: integer("only this device", { level: 468 }),
        push_account_id: integer("only this device, by its older name", { until: 468 }),
      },
    },
  ),
];

export const GROUP_AND_PEOPLE_OPERATIONS: readonly Operation[] = [...GROUP_OPERATIONS, ...PEOPLE_OPERATIONS];
