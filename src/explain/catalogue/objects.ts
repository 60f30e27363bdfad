import type { Catalogue } from "../page.ts";

/** Codes about single objects: names, references, and what the server would refuse. */
export const OBJECT_CODES = {
  "reference/ambiguous-person": ["Several accounts have this address.", "Name the account by its id: `{id: 17}`."],
  "reference/deactivated-group": [
    "The group is deactivated, so no setting can name it.",
    "Declare it under `user_groups` to reactivate it, or name another group.",
  ],
  "reference/deactivated-person": [
    "The account is deactivated; the server refuses it in lists of people. If the same file reactivates it, this is a warning: one run reactivates the account and then writes what names it.",
    "Take the person out of the list, or reactivate the account (`deactivated: false`).",
  ],
  "reference/except": [
    "The `except` of a list contradicts the list, or it leaves out nobody, or everybody; or the list is not exact, and somebody whom `except` leaves out is there.",
    "Take the name out of the list or of `except`. If nobody is in both only today, nothing needs to be changed: the list is right for everybody who comes later.",
  ],
  "reference/held": [
    "A name in the object means nothing on the server, or it names an object that is not created for that reason; or its name is that of another object, whose own rename cannot be made. New objects are made whole or not at all; everything else is planned and applied.",
    "Correct the name, or take it out of the file: its own error says what the server has there. `realmctl adopt` takes that.",
  ],
  "reference/misspelt-group": [
    "The file does not declare this group, and its name is similar to one that is known, or is the address of a person. Without a server it is not certain that this is an error.",
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
    "The organization has no group with this name, and the file does not declare one.",
    "Correct the name. Roles are written `role:owners` to `role:everyone`, and `role:nobody`.",
  ],
  "reference/unknown-person": [
    "Nobody in the organization has this address or id.",
    "Correct it. Hidden addresses are not known: name such an account by its id, `{id: 17}`.",
  ],
  "reference/misspelt-channel": [
    "The file does not declare this channel, but declares one with nearly the same name. Without a server it is not certain which one you mean.",
    "Correct the name, or validate with a snapshot or an account (`--snapshot`, `--live`).",
  ],
  "reference/misspelt-folder": [
    "The file does not declare this folder, but declares one with nearly the same name. Without a server it is not certain which one you mean.",
    "Correct the name, or validate with a snapshot or an account (`--snapshot`, `--live`).",
  ],
  "channels/archived": [
    "The channel is archived on the server, and the file names it without `archived:`, so it would be unarchived, which servers below feature level 388 cannot do.",
    "Write `archived: true` to leave it archived (`realmctl adopt` does), or `archived: false` to unarchive it. If you mean another channel, rename this one first.",
  ],
  "channels/archived-folder": [
    "The folder is archived, so no channel can be put into it.",
    "Declare it under `channel_folders` to unarchive it, or name another folder.",
  ],
  "channels/default-private": [
    "A channel to which new accounts are subscribed cannot be private.",
    "Remove it from the default channels, or leave it public.",
  ],
  "channels/empty-topic-only": [
    "The server accepts `empty_topic_only` only if the channel has no messages with topics.",
    "Choose another policy, or create another channel.",
  ],
  "channels/group-not-allowed": [
    "The server does not allow this group for this setting; the server's table of permission settings says which groups it allows.",
    "Name another group.",
  ],
  "channels/limited-plan": [
    "The organization's plan at its provider does not have this feature.",
    "Delete it, or upgrade the plan.",
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
    "Another channel already has this name, perhaps an archived one: archived channels keep their names.",
    "Choose another name, or rename the other.",
  ],
  "channels/nobody-left": [
    "Nobody could reach or administer the private channel after the change, not even to undo it.",
    "Keep at least a subscriber, or a group that may subscribe or add subscribers.",
  ],
  "channels/not-allowed": [
    "The account that runs realmctl may not make this change.",
    "Use an account that may, as the message says, or give this one the right.",
  ],
  "channels/no-list": [
    "The plan creates private channels, and their entries have no `subscribers`. The account that creates a channel is subscribed to it, so it is the only subscriber, and `drift` names it afterwards.",
    "List everybody who belongs there under `subscribers`.",
  ],
  "channels/open-list": [
    "`policy: sync:` keeps the subscribers of a private channel, and its list names a group into which people can put themselves, an open link leads, or everybody comes who joins. If `realmctl sync` subscribed them, the list would be a door that no guard rail, rule or answer about access counts: the server does not show what a file lists. So `sync` adds nobody to this list; it still takes out whoever does not belong there. `apply` adds whom the plan names, and its guard rails count them. `drift` counts this, and exits with 2.",
    "Let the channel admit the group as well (`permissions: {can_subscribe_group: …}`): then everybody who can come in is counted. Or close the group: `can_join_group`, `can_add_members_group` and `can_manage_group` with `role:nobody` or named people, and no open link with it.",
  ],
  "channels/privacy-stuck": [
    "The channel was created private and web-public at once. No setting says that, and the server answers HTTP 500 to every change of it.",
    "Leave out `privacy`, or archive the channel and create another.",
  ],
  "channels/protected-history": [
    "With protected history, everybody who can post can start topics; the server refuses anything else.",
    "Leave `can_create_topic_group` out, or share the history.",
  ],
  "channels/sign": [
    "The name of a channel starts with `#`. People write `#` before channel names, but it is not part of the name.",
    "Write the name without it.",
  ],
  "channels/subscribers-not-read": [
    "The change depends on who is subscribed, which was not read.",
    "Take the snapshot again without `--no-subscribers`, or plan against the server.",
  ],
  "channels/subscribers-unknown": [
    "The file has private channels without `subscribers`, and the reading does not say who is subscribed to them: a snapshot without subscribers, or an account that may not see them. Nobody can tell who reads them.",
    "Plan against the server with the account of an administrator, or take the snapshot without `--no-subscribers`.",
  ],
  "channels/unlisted": [
    "Somebody is subscribed to a private channel, and so reads it, and the channel's entry does not name them: it has no `subscribers`, or it says `exact: false`. No plan unsubscribes them. `drift` counts this, and exits with 2.",
    "List everybody who belongs there under `subscribers`; `realmctl adopt --field subscribers` writes the lists as they are on the server. If a list is there and does not say `exact: false`, the next apply unsubscribes everybody else, except from a channel that stays archived: its list does not change.",
  ],
  "channels/unset-opening": [
    "The entry of a private channel has a list of subscribers, and somebody whom it does not name can come in by what the file leaves out: by `can_subscribe_group` or `can_add_subscribers_group` of the channel; by subgroups of a group that the channel admits and whose `members` the file lists, or by who may join it or manage it (`can_join_group`, `can_add_members_group`, `can_manage_group`, `can_manage_all_groups`; administrators, who may join every group, do not count for that); by the `role` of a person or a bot that the file has without a role; or with the key of a bot in the channel whose `owner` the file does not have. Whoever waits to become a full member comes into what admits `role:fullmembers` by time alone, so a waiting period that the file leaves out does not count: write `waiting_period_threshold` under `settings` to have it compared. Also a channel that is not private at all, although its entry has a list and `can_subscribe_group`, but no `privacy`. What the file leaves out stays as it is, and no plan tells a change of it. `drift` counts this, and exits with 2.",
    "Write the setting under `permissions`: `role:nobody` if only the list counts. `realmctl adopt --field can_subscribe_group --field can_add_subscribers_group` writes what is there now, and `unset: default` for `channels` gives every setting that the file leaves out the value of a new channel. The same for fields of groups and owners of bots: an empty list, or `role:nobody`, lets in nobody.",
  ],
  "channels/unseen-names": [
    "The account that runs realmctl is not an administrator and does not see every private channel; one of them may have the name that a channel would get. The server would then refuse the name, and nothing would be overwritten.",
    "Plan with the account of an administrator, who sees all of them, or continue: if the name is taken, the server refuses it and realmctl reports this.",
  ],
  "channels/unknown-folder": [
    "There is no folder with this name, and the file does not declare one.",
    "Correct the name, or declare it under `channel_folders`.",
  ],
  "channels/unset-privacy": [
    "The entry of a private channel has no `privacy`. What the file leaves out stays as it is on the server and is not compared, so nothing would tell that somebody opened the channel to everybody.",
    "Write the `privacy` that the channel has.",
  ],
  "channels/was": ["`was` is the current name of the channel.", "Delete it."],
  "channels/web-public-off": [
    "The organization does not allow channels that everybody on the web can read.",
    "Enable them in the organization's settings, or choose another privacy.",
  ],
  "channel_folders/in-use": [
    "The folder still has channels, and the server archives only empty folders.",
    "Move these channels to another folder, or write `folder: null`.",
  ],
  "channel_folders/name": [
    "The name of a folder is empty, longer than 60 characters, or holds characters that the server does not allow.",
    "Choose another name.",
  ],
  "channel_folders/name-taken": ["Another folder already has this name.", "Choose another name, or rename the other."],
  "channel_folders/not-allowed": ["Only administrators may change folders.", "Use the account of an administrator."],
  "channel_folders/order-too-old": [
    "This server cannot reorder folders.",
    "The order stays as it is until the server is upgraded.",
  ],
  "default_channels/archived": [
    "An archived channel cannot be a default channel.",
    "Remove it from `default_channels`, or unarchive the channel.",
  ],
  "default_channels/not-allowed": [
    "Only administrators may change the default channels.",
    "Use the account of an administrator.",
  ],
  "default_channels/private": [
    "New accounts cannot be subscribed to a private channel.",
    "Remove it from `default_channels`, or make the channel public.",
  ],
  "default_channels/unknown-channel": [
    "There is no channel with this name that could be a default channel.",
    "Correct the name, or declare the channel under `channels`.",
  ],
  "domains/last-domain": [
    "When the last domain is removed, the server lifts the restriction: from then on anybody may join.",
    "Keep or add a domain, or confirm the removal: `lift_restriction: true` next to `absent: true`.",
  ],
  "domains/lift-restriction": [
    "`lift_restriction` is for a domain that is removed, and this one stays.",
    "Write `absent: true` next to it, or delete it.",
  ],
  "domains/name": [
    "The server would not accept this as a domain.",
    "Write it like `example.org`; for subdomains, add `allow_subdomains: true`.",
  ],
  "domains/not-allowed": [
    "Only owners may change the allowed domains; administrators may not.",
    "Use the account of an owner.",
  ],
  "invite_links/expires-on": [
    "`expires_on` is neither a day nor `never`.",
    "Write a day, like `2026-12-31`. The link ends at noon (UTC) of that day.",
  ],
  "invites/address": ["This is not an e-mail address.", "Write the address alone, like `ada@example.org`."],
  "invites/archived-channel": [
    "Nobody can be invited to an archived channel.",
    "Remove it from the list, or unarchive the channel.",
  ],
  "invites/bot": ["The server refuses invitations by bots.", "Use the key of a person's account."],
  "invites/deactivated-account": [
    "There is a deactivated account with this address, and such an address cannot be invited.",
    "Reactivate the account, or remove the address.",
  ],
  "invites/differs": [
    "The person is already invited, with other terms, and an invitation cannot be changed.",
    "Keep the old terms, or write `replace: true`: the invitation is revoked and sent again, with another e-mail.",
  ],
  "invites/expires-in": [
    "This is not a duration.",
    "Write a number of minutes, hours, days or weeks (`90m`, `36h`, `10d`, `2w`), or `never`.",
  ],
  "invites/hidden-addresses": [
    "Some accounts hide their addresses from the account that runs realmctl, so an invited address may be one of theirs. The server refuses to invite people who have an account; the others get their invitations.",
    "Find out who the address belongs to, or plan with an account that sees it: each person's own setting decides who does.",
  ],
  "invites/not-allowed": [
    "The account that runs realmctl may not invite people, or not with this role, or not into this channel or group; or the invitation is as a role that this version of realmctl does not know, and stays as it is.",
    "Use another account or another role, or let the account read the channel and add members to the group.",
  ],
  "invites/not-asked-for": [
    "Somebody in the file has neither an account nor an open invitation: they were never invited, or the invitation was revoked or has expired; the server does not say which. The file asks for an invitation only with `send_until`, and not after that day.",
    "Write `send_until: 2026-11-28` (a day) to have the e-mail sent until then, or remove the address.",
  ],
  "invites/send-until": [
    "`send_until` is not a date, or it is too late: the invitation would expire before it, and a second e-mail would be sent.",
    "Write a day, like `2026-11-28`; to send another e-mail later, write a new day.",
  ],
  "invites/outside-domains": [
    "The organization admits only addresses of its allowed domains. This address is in none of them.",
    "Add the domain, or remove the address.",
  ],
  "invites/leads-elsewhere": [
    "An invitation or a link that is open leads into the channels and groups that it was made with, whatever they are called later. The entry names one that the plan makes, or one that takes the name of another.",
    "Write the name that the channel or group has after the plan. To lead into the new one, revoke the invitation and make another.",
  ],
  "invites/made-inactive": [
    "The file invites somebody to a channel or a group that it archives or deactivates.",
    "Remove it from the invitation, or keep it active.",
  ],
  "invites/system-group": [
    "People get a role through `invite_as`; nobody can be added to a role as to a group.",
    "Remove the role from `groups`.",
  ],
  "invites/unknown-channel": [
    "There is no channel with this name.",
    "Correct the name, or declare the channel under `channels`.",
  ],
  "linkifiers/example": [
    "The pattern does not match the example text, or the example gives another URL than intended.",
    "Correct the example or the pattern.",
  ],
  "linkifiers/no-template": ["A new linkifier needs a URL template.", "Write `url_template`."],
  "linkifiers/not-allowed": ["Only administrators may change linkifiers.", "Use the account of an administrator."],
  "linkifiers/overlap": [
    "Two patterns match the same text; the one that is earlier in the list wins.",
    "Put the more specific pattern first.",
  ],
  "linkifiers/pattern": [
    "The pattern is not an RE2 regular expression, or the server refuses it.",
    "Correct it. RE2 has no look-ahead, look-behind or back-references.",
  ],
  "linkifiers/pattern-taken": [
    "Another linkifier already has this pattern; the server allows each pattern once.",
    "Keep one of the two.",
  ],
  "linkifiers/reverse": [
    "The reverse template cannot be filled in from the pattern's groups, or does not produce the text again.",
    "Write named groups of the pattern in braces; write literal braces as `{{` and `}}`.",
  ],
  "linkifiers/reverse-without-example": [
    "A reverse template is checked with an example, but the linkifier has no example.",
    "Write `example_input`.",
  ],
  "linkifiers/template": [
    "This is not a URL template (RFC 6570).",
    "Write variables in braces: `https://bugs.example.org/{id}`.",
  ],
  "linkifiers/unknown-variable": [
    "The template uses a variable that is not a named group of the pattern.",
    "Name the group `(?P<name>…)`, or correct the variable.",
  ],
  "linkifiers/unused-group": [
    "A named group of the pattern does not occur in the template; the server requires all of them.",
    "Use it, or write `(…)` instead of `(?P<name>…)`.",
  ],
  "linkifiers/was": ["`was` is the current pattern of the linkifier.", "Delete it."],
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
    "Navigation views belong to the account that runs realmctl, and nobody else sees them. Every plan says this.",
    "If the file is meant to arrange the views of this account, nothing has to be done.",
  ],
  "navigation_views/same-name": [
    "Two views have the same name, and the server refuses that.",
    "Give one of them another name.",
  ],
  "user_groups/cycle": [
    "Groups are subgroups of each other in a cycle, or a group is in itself. Lists of members that name groups count: the members of each group must be known first.",
    "Remove one group of the cycle from the subgroups or members of another.",
  ],
  "user_groups/group-not-allowed": ["The server does not allow this group for this setting.", "Name another group."],
  "user_groups/unseen-uses": [
    "The account that runs realmctl is not an administrator and does not see every private channel; one of them may use the group. The server then refuses to deactivate it.",
    "Plan with the account of an administrator, or continue: a group that is in use stays active, and the server's refusal says where it is used.",
  ],
  "user_groups/in-use": [
    "A setting or another group still names the group, so the server does not deactivate it.",
    "Change the settings and groups that name it first; the notes show where.",
  ],
  "user_groups/limited-plan": [
    "The organization's plan at its provider does not include custom groups.",
    "Delete it, or upgrade the plan.",
  ],
  "user_groups/name": [
    "The name of a group is empty, too long, or starts with something that the server reserves.",
    "Choose another name.",
  ],
  "user_groups/name-taken": [
    "Another group already has this name, perhaps a deactivated one: deactivated groups keep their names.",
    "Choose another name, or rename the other.",
  ],
  "user_groups/named-and-deactivated": [
    "The file deactivates a group and names it elsewhere.",
    "Remove it from the place in the note, or keep the group.",
  ],
  "user_groups/not-allowed": [
    "The account that runs realmctl may not change this group.",
    "Use an account that can manage it.",
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
    "The account that runs realmctl may not add or remove the emoji. Bots cannot add emoji; `can_add_custom_emoji_group` also applies to owners; only administrators can use the name of a built-in emoji; only administrators and the author can remove an emoji.",
    "Use the key of an account that may do this.",
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
    "The language of a playground is empty, too long, or has characters that the server does not accept. Or (a warning) it is only an alias: apps compare it with the name that Pygments, the highlighter of the server, has for the language, whatever people write after the backquotes.",
    "Write the name of the language in Pygments: `Rust`, not `rust` or `rs`; `Python`, not `py`.",
  ],
  "playgrounds/name": ["A playground has no name.", "Write what people see: `Rust playground`."],
  "playgrounds/not-allowed": [
    "Only administrators and owners may change code playgrounds.",
    "Use the key of an account that may do this.",
  ],
  "playgrounds/template": [
    "The template is missing, is not an RFC 6570 template, or does not have `code` as its only variable. As a warning: it is not the address of a web page (`https://`), which the server does not check.",
    "Write where to put the code: `https://play.example.org/?code={code}`.",
  ],
  "profile_fields/account": [
    "A field of type `external_account` is either for a service that the server knows (`service`) or for any other service (`url_pattern`, with `%(username)s` once). The server sets the name and the hint for a service that it knows, and keeps them. As a warning: two fields are for the same service, and the server creates only one of them.",
    "Write one of the two, and for a known service the name that the message shows.",
  ],
  "profile_fields/hint": ["The hint is too long.", "Shorten it."],
  "profile_fields/name": ["The name is empty or too long.", "Correct it."],
  "profile_fields/name-taken": [
    "Two profile fields would have the same name.",
    "Remove one of them, or give it another name.",
  ],
  "profile_fields/not-allowed": [
    "Only administrators and owners may change profile fields.",
    "Use the key of an account that may do this.",
  ],
  "profile_fields/options": [
    "The options of a field are missing, empty or written twice, or the `was` of one names an option that the server does not have. As a warning: an option is gone and a new one is at its place, so it was probably renamed.",
    "Write at least one, each once; `was` is the text that the option has now: people who chose it keep it. If an option was renamed on the server, run `realmctl adopt`.",
  ],
  "profile_fields/other-type": [
    "The field belongs to another type: `options` to `select`, `service` and `url_pattern` to `external_account`.",
    "Delete it, or correct the type.",
  ],
  "profile_fields/summary": [
    "The summary on a person's card has room for two fields. A field for long texts or people cannot be one of them.",
    "Write `in_profile_summary: false` for one of them.",
  ],
  "profile_fields/type": [
    "A new field has no type, or one that is there would get another. The server never changes the type of a field.",
    "Write the type; or add a field with another name, and remove the old one with the values that people entered.",
  ],
  "profile_fields/was": [
    "`was` is the current name of a field. A field that is removed cannot also be renamed.",
    "Correct or delete it.",
  ],
  "bots/full-name": [
    "The name that people see is empty, too long, taken, or has characters that the server refuses. As a warning: two bots of the file have the same name, which is possible only for bots that already exist.",
    "Choose another `full_name`; no two active accounts may share the name of a bot.",
  ],
  "bots/is-deactivated": [
    "The bot is deactivated, and the file names it without saying whether it should stay deactivated.",
    "Write `deactivated: true` to confirm it, or `deactivated: false` to reactivate the bot; its key then works again.",
  ],
  "bots/name": [
    "There is no such bot, and none can get this name; another bot has it; the bot has another name here; or several bots have this name, on different domains. As a warning: the server cannot rename bots, so that the bot of the new name is a new one.",
    "Bots are named by the part of their address before the @; a name that the file gives ends in `-bot`. If several bots have the same part, and none of them is on the domain of new bots, write the whole address.",
  ],
  "bots/not-allowed": [
    "The account that runs realmctl may not create or change this bot; or the bot has a role that this version of realmctl does not know, and nobody can tell what the change would take away or give.",
    "Read the message: it says who may. Bots and guests may not create bots, and no role is exempt from that right.",
  ],
  "bots/oneself": ["The plan deactivates the bot that runs it.", "Run it with another account."],
  "bots/owner-is-bot": ["Bots cannot own bots.", "Name a person."],
  "bots/type": [
    "The type of a bot never changes, and realmctl creates only generic and incoming webhook bots.",
    "Write the type that the bot has, or create the bot in Zulip's settings.",
  ],
  "people/deleted": [
    "The file reactivates an account that somebody had deleted. Its profile is gone, and the person has no account any more.",
    "Delete `deactivated: false`, or invite the person again.",
  ],
  "people/bot-in-use": [
    "The plan deactivates a person, and with them a bot that the file has in use.",
    "Give the bot another owner in the same file, or let it go with `deactivated: true`.",
  ],
  "people/invitation-in-use": [
    "The plan deactivates a person, and with them an open invitation or an invitation link that the file keeps.",
    "Leave the invitation out of the file until the account is deactivated. Then add it again: the next plan creates a new one.",
  ],
  "people/inactive-owner": [
    "A deactivated owner gets another role, and the organization has only one active owner. The server refuses this, although no active owner would lose the role.",
    "Make somebody else an owner in the same file. Or keep `role: owner`, reactivate the account, and change the role with the next plan: the account is an owner in between.",
  ],
  "people/is-bot": ["The section `people` names a bot.", "Declare the bot under `bots`."],
  "people/is-deactivated": [
    "The account is deactivated, and the file lists the person without saying whether it should stay deactivated. realmctl never reactivates an account on its own.",
    "Write `deactivated: true` to confirm it, or `deactivated: false` to reactivate the account.",
  ],
  "people/not-allowed": [
    "Administrators change accounts. Only owners promote people to owner, and demote or deactivate owners. Nobody changes with realmctl an account with a role that this version does not know.",
    "Use the account of an administrator; where owners are concerned, of an owner. Change an account with an unknown role in Zulip, or use a newer version of realmctl.",
  ],
  "people/oneself": [
    "The account that runs realmctl would be deactivated or become a guest before it can check the result.",
    "Use another account for that.",
  ],
  "people/other-address": [
    "The address is a placeholder that the API made for an account. The real address of that account is visible.",
    "Write the real address, so that the file has one name for each account.",
  ],
  "people/own-role-alone": [
    "The account that runs realmctl loses its role, and other changes of the plan may need it.",
    "Apply the other changes first, and then this one alone.",
  ],
} as const satisfies Catalogue;
