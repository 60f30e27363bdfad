import type { Catalogue } from "../page.ts";

/** Codes about single objects: names, references, and what the server would refuse. */
export const OBJECT_CODES = {
  "reference/ambiguous-person": [
    "Several accounts have this address.",
    "Name the one that is meant by its id: `{id: 17}`.",
  ],
  "reference/deactivated-group": [
    "The group is deactivated, and no setting can name it.",
    "Declare it under `user_groups` to bring it back, or name another.",
  ],
  "reference/deactivated-person": [
    "The account is deactivated; the server refuses it in lists of people.",
    "Take the person out of the list.",
  ],
  "reference/misspelt-group": [
    "The file does not declare this group, and its name looks like one that is known. Without a server nobody can be sure.",
    "Validate with `--snapshot`, or correct the name.",
  ],
  "reference/not-an-address": [
    "People are named by the e-mail address of their account, but this text is not an address.",
    "Write the address; `{id: 17}` names somebody who hides it.",
  ],
  "reference/renamed": [
    "The file renames this object, and still uses the old name here.",
    "Write the new name here too.",
  ],
  "reference/unknown-group": [
    "The organization has no group of this name, and the file does not declare one.",
    "Correct the name. The roles are called `role:owners` to `role:everyone`, and `role:nobody`.",
  ],
  "reference/unknown-person": [
    "Nobody in the organization has this address or id.",
    "Correct it. Addresses that an account hides are not known: `{id: 17}` names it.",
  ],
  "reference/misspelt-channel": [
    "The file does not declare this channel, and declares one of nearly the same name. Without a server nobody can say which is meant.",
    "Correct the name, or validate with a snapshot or an account (`--snapshot`, `--live`).",
  ],
  "reference/misspelt-folder": [
    "The file does not declare this folder, and declares one of nearly the same name. Without a server nobody can say which is meant.",
    "Correct the name, or validate with a snapshot or an account (`--snapshot`, `--live`).",
  ],
  "channels/archived": [
    "The channel is archived on the server, and the file names it without `archived:`, so it comes back; below feature level 388 the server cannot do that.",
    "Write `archived: true` to leave it archived (`realmctl adopt` does), `archived: false` where it is meant; rename it first if another channel is meant.",
  ],
  "channels/archived-folder": [
    "The folder is archived, and no channel can be put into it.",
    "Bring it back under `channel_folders`, or name another.",
  ],
  "channels/default-private": [
    "A channel to which new accounts are subscribed cannot be private.",
    "Take it out of the default channels, or leave it public.",
  ],
  "channels/empty-topic-only": [
    "The server takes `empty_topic_only` only when the channel has no messages with topics.",
    "Choose another policy, or create another channel.",
  ],
  "channels/group-not-allowed": [
    "The server does not allow this group for this setting; its own table of permission settings says which it does.",
    "Name another group.",
  ],
  "channels/limited-plan": [
    "The organization's plan at its provider does not have this feature.",
    "Take it out, or change the plan.",
  ],
  "channels/moderation-channel": [
    "The channel for reports to moderators has to be private.",
    "Leave it private, or choose another in the organization's settings.",
  ],
  "channels/name": [
    "The name is empty, too long, or holds characters that the server does not allow.",
    "Choose another name.",
  ],
  "channels/name-taken": [
    "Another channel has this name already, perhaps one that is archived: those keep their names.",
    "Choose another name, or rename the other.",
  ],
  "channels/nobody-left": [
    "Nobody could reach or administer the private channel after the change, not even to undo it.",
    "Leave somebody in: a subscriber, or a group that may subscribe or add subscribers.",
  ],
  "channels/not-allowed": [
    "The account that runs this may not make the change.",
    "Use an account that may, as the message says, or give this one the right.",
  ],
  "channels/protected-history": [
    "With protected history everybody who may post may start topics: the server refuses anything else.",
    "Leave `can_create_topic_group` out, or share the history.",
  ],
  "channels/sign": [
    "A channel's name starts with `#`, which people say before names of channels and which is no part of them.",
    "Write the name without it.",
  ],
  "channels/subscribers-not-read": [
    "Who is subscribed was not read, and the change hangs on it.",
    "Take the snapshot again without `--no-subscribers`, or plan against the server.",
  ],
  "channels/unseen-names": [
    "The account that runs this is no administrator and does not see every private channel; one of them may have the name that a channel is to get. The server refuses it then, and nothing is overwritten.",
    "Plan with the account of an administrator, who sees all of them, or go on: a name that is taken is refused and said.",
  ],
  "channels/unknown-folder": [
    "There is no folder of this name, and the file does not declare one.",
    "Correct the name, or declare it under `channel_folders`.",
  ],
  "channels/was": ["`was` names what the channel is called already.", "Take it out."],
  "channels/web-public-off": [
    "The organization does not allow channels that everybody on the web can read.",
    "Switch them on in the organization's settings, or choose another privacy.",
  ],
  "channel_folders/in-use": [
    "The folder still holds channels, and the server archives empty ones only.",
    "Give these channels another folder, or `folder: null`.",
  ],
  "channel_folders/name": [
    "The name of a folder is empty, longer than 60 characters, or holds characters that the server does not allow.",
    "Choose another name.",
  ],
  "channel_folders/name-taken": ["Another folder has this name already.", "Choose another name, or rename the other."],
  "channel_folders/not-allowed": ["Only administrators may change folders.", "Use an account of an administrator."],
  "channel_folders/order-too-old": [
    "This server cannot put folders in order.",
    "Nothing can be done: the order stays as it is until the server is newer.",
  ],
  "default_channels/archived": [
    "An archived channel cannot be a default channel.",
    "Take it out of `default_channels`, or bring the channel back.",
  ],
  "default_channels/not-allowed": [
    "Only administrators may change the default channels.",
    "Use an account of an administrator.",
  ],
  "default_channels/private": [
    "New accounts cannot be subscribed to a private channel.",
    "Take it out of `default_channels`, or make the channel public.",
  ],
  "default_channels/unknown-channel": [
    "There is no channel of this name that could be a default channel.",
    "Correct the name, or make the channel under `channels`.",
  ],
  "domains/last-domain": [
    "With the last domain the server lifts the restriction: anybody may join from then on.",
    "Keep or add a domain, or say that it is meant: `lift_restriction: true` beside `absent: true`.",
  ],
  "domains/lift-restriction": [
    "`lift_restriction` is about a domain that goes, and this one stays.",
    "Write `absent: true` with it, or take it out.",
  ],
  "domains/name": [
    "This is no domain that the server would take.",
    "Write it like `example.org`; subdomains are `allow_subdomains: true`.",
  ],
  "domains/not-allowed": [
    "Only owners may change the allowed domains; administrators may not.",
    "Use an account of an owner.",
  ],
  "invite_links/expires-on": [
    "`expires_on` is neither a day nor `never`.",
    "Write a day, like `2026-12-31`. The link ends at noon (UTC) of that day.",
  ],
  "invites/address": ["This is no e-mail address.", "Write the address alone, like `ada@example.org`."],
  "invites/archived-channel": [
    "Nobody can be invited to an archived channel.",
    "Take it out of the list, or bring the channel back.",
  ],
  "invites/bot": ["The server refuses invitations by bots.", "Use the key of a person's account."],
  "invites/deactivated-account": [
    "There is a deactivated account with this address, and nobody can be invited to that.",
    "Reactivate the account, or take the address out.",
  ],
  "invites/differs": [
    "The person is invited already, with other terms, and nothing changes an invitation.",
    "Leave it, or write `replace: true`: it is revoked and sent again, with another e-mail.",
  ],
  "invites/expires-in": [
    "This is no duration.",
    "Write a number of minutes, hours, days or weeks (`90m`, `36h`, `10d`, `2w`), or `never`.",
  ],
  "invites/hidden-addresses": [
    "Some accounts hide their addresses from the one that runs this, so nobody can say whether an invited address is one of theirs. The server refuses to invite who has an account; the others get their invitations.",
    "Ask who is meant, or plan with an account that sees the addresses: a person's own setting decides who does.",
  ],
  "invites/not-allowed": [
    "The account that runs this may not invite people, or not with this role.",
    "Use another account, or another role.",
  ],
  "invites/not-asked-for": [
    "Somebody in the file has neither an account nor an open invitation: never invited, revoked, or expired; the server does not tell which. The file asks for an invitation only with `send_until`.",
    "Write `send_until: 2026-11-28` (a day) to have the e-mail sent until then, or take the address out.",
  ],
  "invites/send-until": [
    "`send_until` is not a date, or it is too late: the invitation would expire before it, and a second e-mail would be sent.",
    "Write a day, like `2026-11-28`; to send another e-mail later, write a new day.",
  ],
  "invites/outside-domains": [
    "The organization admits only addresses of its allowed domains. This address is in none of them.",
    "Add the domain, or take the address out.",
  ],
  "invites/put-away": [
    "An invitation of the file is not sent, because the server does not take it now.",
    "Read the message: it says why, and when it can be sent.",
  ],
  "invites/system-group": [
    "People get a role by `invite_as`; nobody can be made a member of it.",
    "Take the role out of `groups`.",
  ],
  "invites/unknown-channel": [
    "There is no channel of this name.",
    "Correct the name, or make the channel under `channels`.",
  ],
  "linkifiers/example": [
    "The pattern does not find the example text, or the example gives another URL than intended.",
    "Correct the example or the pattern.",
  ],
  "linkifiers/no-template": ["A new linkifier needs a URL template.", "Write `url_template`."],
  "linkifiers/not-allowed": ["Only administrators may change linkifiers.", "Use an account of an administrator."],
  "linkifiers/overlap": [
    "Two patterns find the same text; the earlier one in the list wins.",
    "Put the more special pattern first.",
  ],
  "linkifiers/pattern": [
    "The pattern is no regular expression of RE2, or one that the server refuses.",
    "Correct it. RE2 has no look-ahead, look-behind or back-references.",
  ],
  "linkifiers/pattern-taken": [
    "Another linkifier has this pattern already; the server allows each once.",
    "Keep one of the two.",
  ],
  "linkifiers/reverse": [
    "The reverse template cannot be filled in from the pattern's groups, or does not lead back to the text.",
    "Use named groups of the pattern in braces; braces themselves are written `{{` and `}}`.",
  ],
  "linkifiers/reverse-without-example": [
    "A reverse template is checked with an example, but the linkifier has no example.",
    "Write `example_input`.",
  ],
  "linkifiers/template": [
    "This is no URL template (RFC 6570).",
    "Variables stand in braces: `https://bugs.example.org/{id}`.",
  ],
  "linkifiers/unknown-variable": [
    "The template uses a variable that is no named group of the pattern.",
    "Name the group `(?P<name>…)`, or correct the variable.",
  ],
  "linkifiers/unused-group": [
    "A named group of the pattern does not occur in the template; the server wants every one used.",
    "Use it, or write `(…)` instead of `(?P<name>…)`.",
  ],
  "linkifiers/was": ["`was` names the pattern that the linkifier has already.", "Delete it."],
  "navigation_views/built-in-name": ["Zulip's own views cannot have another name.", "Delete `name`."],
  "navigation_views/fragment": [
    "A view is named by the part of its URL behind the `#`. This part does not name a view that can be created and removed again.",
    "Write it like `narrow/topic/mentions`.",
  ],
  "navigation_views/no-is-pinned": [
    "A new view must say whether it is pinned; the server has no default.",
    "Write `is_pinned: true` or `false`.",
  ],
  "navigation_views/no-name": ["Your own view needs a name.", "Write `name`."],
  "navigation_views/personal": [
    "Navigation views belong to the account that runs this, and nobody else sees them. Every plan says this.",
    "Nothing is wrong if they are yours.",
  ],
  "navigation_views/same-name": [
    "Two views have the same name, and the server refuses that.",
    "Give one of them another name.",
  ],
  "user_groups/cycle": ["Groups are subgroups of each other in a cycle, or one is its own.", "Remove one of them."],
  "user_groups/group-not-allowed": ["The server does not allow this group for this setting.", "Name another group."],
  "user_groups/unseen-uses": [
    "The account that runs this is no administrator and does not see every private channel; one of them may use the group. The server then refuses to deactivate it.",
    "Plan with the account of an administrator, or go on: a group that is used stays active, and the refusal says where it is used.",
  ],
  "user_groups/in-use": [
    "The group still decides about something, and the server does not deactivate it.",
    "Change the settings and groups that name it first; the notes show where.",
  ],
  "user_groups/limited-plan": [
    "The organization's plan at its provider does not include custom groups.",
    "Take it out, or change the plan.",
  ],
  "user_groups/name": [
    "The name of a group is empty, too long, or starts with something that the server reserves.",
    "Choose another name.",
  ],
  "user_groups/name-taken": [
    "Another group has this name already, perhaps one that is deactivated: those keep their names.",
    "Choose another name, or rename the other.",
  ],
  "user_groups/named-and-deactivated": [
    "The file deactivates a group and names it elsewhere.",
    "Remove it from the place in the note, or keep the group.",
  ],
  "user_groups/not-allowed": [
    "The account that runs this may not change this group.",
    "Use an account that may manage it.",
  ],
  "user_groups/system-group": [
    "The roles (`role:…`) are the server's own groups, and nobody can change them.",
    "Use them without declaring them.",
  ],
  "emoji/name": [
    "Names of emoji consist of lower-case letters a to z, digits, `_` and `-`, and end with a letter or a digit. Spaces become `_`.",
    "Correct the name.",
  ],
  "emoji/no-image": [
    "A new emoji has no picture.",
    "Write the path of a PNG, JPEG, GIF or WebP file: `party_parrot: emoji/party_parrot.gif`.",
  ],
  "emoji/not-allowed": [
    "The account that runs this may not add or remove the emoji. Bots may add none; owners are no exception to `can_add_custom_emoji_group`; the name of a built-in emoji takes an administrator; only administrators and the author remove one.",
    "Use the key of an account that may.",
  ],
  "emoji/overrides": [
    "The name is that of a built-in emoji, or another name of one. A custom emoji replaces it for everybody.",
    "Give it another name; or confirm it with `overrides_builtin: true`.",
  ],
  "emoji/replaces": [
    "`replaces` names the id of the emoji whose picture is replaced. It needs an `image`, and has no effect once the emoji has another id.",
    "Add `image`, or delete `replaces`.",
  ],
  "playgrounds/language": [
    "The language of a playground is empty, too long, or has characters that the server does not accept.",
    "Write the name that follows the backquotes of a code block: `Rust`.",
  ],
  "playgrounds/name": ["A playground has no name.", "Write what people see: `Rust playground`."],
  "playgrounds/not-allowed": [
    "Only administrators and owners may change code playgrounds.",
    "Use the key of an account that may.",
  ],
  "playgrounds/template": [
    "The template is missing, is not an RFC 6570 template, or does not hold the variable `code` and no other. A warning: it is no address of a web page (`https://`), and the server does not look at that.",
    "Write where the code goes: `https://play.example.org/?code={code}`.",
  ],
  "profile_fields/account": [
    "A field of type `external_account` is for one service that the server knows (`service`), or for any other (`url_pattern` with `%(username)s` once). The server sets name and hint of a service that it knows, and keeps them. A warning: two fields are for the same service, of which the server creates only one.",
    "Write one of the two, and for a known service the name that the message shows.",
  ],
  "profile_fields/hint": ["The hint is too long.", "Shorten it."],
  "profile_fields/name": ["The name is empty or too long.", "Correct it."],
  "profile_fields/name-taken": [
    "Two profile fields would have one name.",
    "Remove one of them, or give it another name.",
  ],
  "profile_fields/not-allowed": [
    "Only administrators and owners may change profile fields.",
    "Use the key of an account that may.",
  ],
  "profile_fields/options": [
    "The options of a field are missing, empty or written twice, or the `was` of one names an option that the server does not have.",
    "Write at least one, each once; `was` is the text that the option has now.",
  ],
  "profile_fields/other-type": [
    "The field belongs to another type: `options` to `select`, `service` and `url_pattern` to `external_account`.",
    "Delete it, or correct the type.",
  ],
  "profile_fields/summary": [
    "The summary on the card of a person has room for two fields, and none for long texts and people.",
    "Write `in_profile_summary: false` for one of them.",
  ],
  "profile_fields/type": [
    "A new field has no type, or one that is there would get another. The server never changes the type of a field.",
    "Write the type; or add a field with another name, and remove the old one with the values that people entered.",
  ],
  "profile_fields/was": [
    "`was` is the name that a field has until now. A removed field gets no new name.",
    "Correct or delete it.",
  ],
  "bots/full-name": [
    "The name that people see is empty, too long, taken, or has characters that the server refuses. A warning: two bots of the file have the same name, which only bots that exist already can have.",
    "Choose another `full_name`; no two active accounts may share the name of a bot.",
  ],
  "bots/is-deactivated": [
    "The bot is deactivated, and the file names it without saying whether it should be.",
    "Write `deactivated: true` to confirm it, or `deactivated: false` to reactivate the bot; its key then works again.",
  ],
  "bots/name": [
    "There is no such bot, and none can be created with this name; or the bot has another name here.",
    "Bots are named by the part of their address before the @; that of a new one ends in `-bot`.",
  ],
  "bots/not-allowed": [
    "The account that runs this may not create or change this bot.",
    "Read the message: it says who may. Bots and guests may not create bots, and no role is exempt from that right.",
  ],
  "bots/oneself": ["The plan deactivates the bot that runs it.", "Run it with another account."],
  "bots/owner-is-bot": ["Bots cannot own bots.", "Name a person."],
  "bots/type": [
    "The type of a bot never changes, and realmctl creates only generic and incoming webhook bots.",
    "Write the type that the bot has, or create the bot in Zulip's settings.",
  ],
  "people/bot-in-use": [
    "The plan deactivates a person, and with them a bot that the file keeps active.",
    "Give the bot another owner in the same file.",
  ],
  "people/invitation-in-use": [
    "The plan deactivates a person, and with them an open invitation or an invitation link that the file keeps.",
    "Leave the invitation out of the file until the account is deactivated. Then write it again: the next plan makes a new one.",
  ],
  "people/is-bot": ["People and bots are two sections.", "Declare the bot under `bots`."],
  "people/is-deactivated": [
    "The account is deactivated, and the file lists the person without saying whether it should be. Accounts never come back by themselves.",
    "Write `deactivated: true` to confirm it, or `deactivated: false` to reactivate the account.",
  ],
  "people/not-allowed": [
    "Administrators change accounts. Only owners promote people to owner, and demote or deactivate owners.",
    "Use an account that may.",
  ],
  "people/oneself": [
    "The account that runs this would be deactivated, or a guest, before it can check the result.",
    "Use another account for that.",
  ],
  "people/other-address": [
    "The address is the API's stand-in for somebody whose real address is visible.",
    "Write the real address, so that everybody has one name.",
  ],
  "people/own-role-alone": [
    "The account that runs this loses its role, and other changes of the plan may need it.",
    "Apply the other changes first, and this one alone.",
  ],
} as const satisfies Catalogue;
