// Made by `npm run generate` from test/invalid and the kinds' cases. Change these, not this file.
import type { Example } from "./page.ts";

/** Code → a file with that error, and the report about it. */
export const EXAMPLES: { readonly [code: string]: Example } = {
  "bots/full-name": {
    "file": "version: 1\nbots:\n  build-bot: {full_name: Builder}\n  night-bot: {full_name: Builder}\n  old-bot: {full_name: Builder, deactivated: true}\n  no-bot: {full_name: ''}\n",
    "output": "error[bots/full-name]: the full name of a bot must not be empty\n  ┌─ realm.yaml:6:23\n6 │   no-bot: {full_name: ''}\n  │                       ^^ write the name that people see, or delete full_name\n"
  },
  "bots/is-deactivated": {
    "file": "version: 1\nbots:\n  ci-bot: {deactivated: false, role: moderator}\n  deploy-bot: {}\n  hook-bot: {deactivated: false, owner: elif@acme.example, full_name: Hooker}\n",
    "output": "warning[bots/is-deactivated]: the bot \"deploy-bot\" is deactivated, and the file does not say\nwhether it should stay so                                                             realm.yaml:4\n  add deactivated: true to confirm it, or deactivated: false to reactivate it"
  },
  "bots/name": {
    "file": "version: 1\nbots:\n  deploy-bot: {id: 18}\n",
    "output": "error[bots/name]: a bot is called \"deploy-bot\" already, and no two accounts have one address\n  ┌─ realm.yaml:3:20\n3 │   deploy-bot: {id: 18}\n  │                    ^^ rename that bot, too, or choose another name"
  },
  "bots/not-allowed": {
    "file": "version: 1\nbots:\n  new-bot: {}\n  deploy-bot: {deactivated: true}\n",
    "output": "error[bots/not-allowed]: Deploy Bot (deploy-bot@localhost), the account that runs this, may not do\n  this to the bot \"new-bot\"\n  ┌─ realm.yaml:3:3\n3 │   new-bot: {}\n  │   ^^^^^^^ the server accepts this only from people who are not guests: use the key of a person"
  },
  "bots/oneself": {
    "file": "version: 1\nbots:\n  new-bot: {}\n  deploy-bot: {deactivated: true}\n",
    "output": "error[bots/oneself]: Deploy Bot (deploy-bot@localhost), the account that runs this, would be\n  deactivated, and could not make the other changes\n  ┌─ realm.yaml:4:29\n4 │   deploy-bot: {deactivated: true}\n  │                             ^^^^ run this with another account"
  },
  "bots/owner-is-bot": {
    "file": "version: 1\nbots:\n  deploy: {}\n  Deploy-Bot@localhost: {}\n  a b-bot: {}\n  x-bot: {full_name: \"a*b\"}\n  y-bot: {full_name: \" \"}\n  v-bot: {full_name: \"x|12\"}\n  out-bot: {type: outgoing_webhook}\n  own-bot: {owner: ci-bot@localhost}\n  own2-bot: {owner: deploy-bot@localhost}\n  own3-bot: {owner: elf@acme.example}\n",
    "output": "error[bots/owner-is-bot]: deploy-bot@localhost is a bot, and bots cannot own bots\n   ┌─ realm.yaml:11:21\n11 │   own2-bot: {owner: deploy-bot@localhost}\n   │                     ^^^^^^^^^^^^^^^^^^^^ name a person"
  },
  "bots/type": {
    "file": "version: 1\nbots:\n  z-bot: {full_name: Ada Okafor}\n  same-bot: {full_name: Twin}\n  other-bot: {full_name: Twin}\n  hook-bot: {full_name: Elif Demir, type: generic}\n  deploy-bot: {full_name: CI Bot}\n  ci-bot: {deactivated: false}\n",
    "output": "error[bots/type]: the bot \"hook-bot\" is of the type incoming_webhook, which cannot change\n  ┌─ realm.yaml:6:43\n6 │   hook-bot: {full_name: Elif Demir, type: generic}\n  │                                           ^^^^^^^\n  = write type: incoming_webhook, or delete the line"
  },
  "channel_folders/in-use": {
    "file": "version: 1\nchannel_folders:\n  Projects: {archived: true}\nchannels:\n  one: {folder: null}\n  two: {archived: true}\n",
    "output": "error[channel_folders/in-use]: the folder \"Projects\" cannot be archived while it contains channels\n  ┌─ realm.yaml:3:24\n3 │   Projects: {archived: true}\n  │                        ^^^^\n  = give them another folder, or folder: null, under channels; archived channels count too\n  = channels in it: #two and #three (archived)"
  },
  "channel_folders/name": {
    "file": "version: 1\nchannel_folders:\n  '': {}\n",
    "output": "error[channel_folders/name]: the name of a folder must not be empty\n  ┌─ realm.yaml:3:3\n3 │   '': {}\n  │   ^^ write a name before the colon\n"
  },
  "channel_folders/name-taken": {
    "file": "version: 1\nchannel_folders:\n  Attic: {id: 3}\n",
    "output": "error[channel_folders/name-taken]: the id 3 is that of the folder \"Attic\", and \"Attic\" is the name\n  of another folder, with the id 2\n  ┌─ realm.yaml:3:3\n3 │   Attic: {id: 3}\n  │   ^^^^^\n  = write id: 2, or delete the id; to give this name to \"Attic\", rename the other one: declare it\n    with was: \"ATTIC\""
  },
  "channel_folders/not-allowed": {
    "file": "version: 1\nchannel_folders:\n  Company: {description: x}\n  Fresh: {}\n",
    "output": "error[channel_folders/not-allowed]: Chiara Moretti (chiara@acme.example), the account that runs\n  this, may not change channel folders\n  ┌─ realm.yaml:3:3\n3 │   Company: {description: x}\n  │   ^^^^^^^ it must be an administrator of the organization"
  },
  "channel_folders/order-too-old": {
    "file": "version: 1\nmanage: {channel_folders: exact}\nchannel_folders:\n  Second: {}\n  First: {}\n",
    "output": "warning[channel_folders/order-too-old]: the order of folders needs feature level 414, and this\nserver has 400: they stay in the order in which they were created                     realm.yaml:4\n  you need to do nothing; the order takes effect when the server is newer"
  },
  "channels/archived": {
    "file": "version: 1\nchannels:\n  incidents: {}\n",
    "output": "error[channels/archived]: there is an archived channel \"incidents\", and this server cannot\n  unarchive it: that needs Zulip 11 (feature level 388)\n  ┌─ realm.yaml:3:3\n3 │   incidents: {}\n  │   ^^^^^^^^^\n  = write archived: true to leave it archived; if you mean another channel, rename this one first\n    (another item with was: \"incidents\" and archived: true)"
  },
  "channels/archived-folder": {
    "file": "version: 1\nchannels:\n  general: {folder: Old}\n",
    "output": "error[channels/archived-folder]: the folder \"Old\" is archived\n  ┌─ realm.yaml:3:21\n3 │   general: {folder: Old}\n  │                     ^^^ bring it back (channel_folders: {\"Old\": {}}), or name another folder\n"
  },
  "channels/default-private": {
    "file": "version: 1\nchannels:\n  general: {privacy: private_shared_history}\n",
    "output": "error[channels/default-private]: a default channel cannot be private\n  ┌─ realm.yaml:3:22\n3 │   general: {privacy: private_shared_history}\n  │                      ^^^^^^^^^^^^^^^^^^^^^^\n  = remove it from the default channels (`manage: {default_channels: exact}` removes those that the\n    file does not list), or leave it public"
  },
  "channels/empty-topic-only": {
    "file": "version: 1\nchannels:\n  chat: {topics_policy: empty_topic_only}\n",
    "output": "warning[channels/empty-topic-only]: the server rejects empty_topic_only while any message of #chat\nhas a topic, and its own notices count                                                realm.yaml:3\n  this policy is for new channels"
  },
  "channels/group-not-allowed": {
    "file": "version: 1\nchannels:\n  hall:\n    permissions:\n      can_subscribe_group: role:everyone\n      can_send_message_group: role:internet\n      can_administer_channel_group: {groups: [role:everyone, crew]}\n",
    "output": "error[channels/group-not-allowed]: can_send_message_group cannot be role:internet\n  ┌─ realm.yaml:6:31\n6 │       can_send_message_group: role:internet\n  │                               ^^^^^^^^^^^^^ people without an account cannot have this right\n"
  },
  "channels/limited-plan": {
    "file": "version: 1\nchannels:\n  general: {message_retention_days: 30}\n",
    "output": "error[channels/limited-plan]: this organization's plan does not include message_retention_days of\n  single channels\n  ┌─ realm.yaml:3:37\n3 │   general: {message_retention_days: 30}\n  │                                     ^^\n  = delete it from the file, or upgrade the plan of the organization"
  },
  "channels/moderation-channel": {
    "file": "version: 1\nchannels:\n  moderation: {privacy: public}\n",
    "output": "error[channels/moderation-channel]: the channel for moderation requests must be private\n  ┌─ realm.yaml:3:25\n3 │   moderation: {privacy: public}\n  │                         ^^^^^^\n  = moderation requests are sent here; name another channel for them in the organization's settings"
  },
  "channels/name": {
    "file": "version: 1\nchannels:\n  \"\": {}\n",
    "output": "error[channels/name]: the name of a channel must not be empty\n  ┌─ realm.yaml:3:3\n3 │   \"\": {}\n  │   ^^ write a name before the colon\n"
  },
  "channels/name-taken": {
    "file": "version: 1\nchannels:\n  incidents: {id: 101}\n  fires: {id: 103}\n",
    "output": "error[channels/name-taken]: the id 103 is that of the channel \"smoke\", and \"fires\" is the name of\n  another channel, with the id 104\n  ┌─ realm.yaml:4:15\n4 │   fires: {id: 103}\n  │               ^^^\n  = write id: 104, or delete the id; to give this name to \"smoke\", rename the other one: declare it\n    with was: \"Fires\""
  },
  "channels/no-list": {
    "file": "version: 1\nchannels:\n  new:\n    privacy: private_protected_history\n    permissions: {can_create_topic_group: staff}\n  closing: {privacy: private_protected_history}\n  closed:\n    permissions: {can_create_topic_group: staff}\n",
    "output": "warning[channels/no-list]: Ada Okafor, whose account creates it, is the only subscriber of #new:\n  the file lists none\n  ┌─ realm.yaml:3:3\n3 │   new:\n  │   ^^^ write everybody who belongs there under subscribers"
  },
  "channels/nobody-left": {
    "file": "version: 1\nchannels:\n  lonely: {archived: false}\n",
    "output": "error[channels/nobody-left]: #lonely is private and has no subscribers: the server does not\n  unarchive it\n  ┌─ realm.yaml:3:22\n3 │   lonely: {archived: false}\n  │                      ^^^^^ make it public in the same plan, or subscribe somebody first"
  },
  "channels/not-allowed": {
    "file": "version: 1\nchannels:\n  general: {description: New}\n",
    "output": "error[channels/not-allowed]: Ivo Novak (ivo@partner.example), the account that runs this, is a\n  guest, and guests cannot change channels\n  ┌─ realm.yaml:3:3\n3 │   general: {description: New}\n  │   ^^^^^^^ use the credentials of an administrator"
  },
  "channels/privacy-stuck": {
    "file": "version: 1\nchannels:\n  odd: {privacy: public}\n",
    "output": "error[channels/privacy-stuck]: the privacy of this channel cannot change: it is private and\n  web-public at once, and the server fails at every change of that\n  ┌─ realm.yaml:3:18\n3 │   odd: {privacy: public}\n  │                  ^^^^^^ leave `privacy` out, or archive this channel and create another"
  },
  "channels/protected-history": {
    "file": "version: 1\nchannels:\n  hall:\n    privacy: private_protected_history\n    permissions: {can_create_topic_group: role:members}\n  vault:\n    privacy: private_protected_history\n    permissions: {can_create_topic_group: role:everyone}\n",
    "output": "error[channels/protected-history]: with protected history everybody must be able to start topics,\n  but can_create_topic_group would be role:members\n  ┌─ realm.yaml:5:43\n5 │     permissions: {can_create_topic_group: role:members}\n  │                                           ^^^^^^^^^^^^\n  = set can_create_topic_group: role:everyone, or choose another privacy\n"
  },
  "channels/sign": {
    "file": "version: 1\nchannels:\n  \"#general\": {}\n  random: {privacy: open}\n",
    "output": "warning[channels/sign]: the \"#\" is a part of the name: this creates a channel \"#general\"\n  ┌─ realm.yaml:3:3\n3 │   \"#general\": {}\n  │   ^^^^^^^^^^ write \"general\" without the sign, unless the name really starts with \"#\"\n"
  },
  "channels/subscribers-not-read": {
    "file": "version: 1\nchannels:\n  help: {subscribers: {users: [ben@acme.example]}}\n",
    "output": "error[channels/subscribers-not-read]: this snapshot does not say who is subscribed to #help\n  ┌─ realm.yaml:3:23\n3 │   help: {subscribers: {users: [ben@acme.example]}}\n  │                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = plan against the server, or take the snapshot again without --no-subscribers"
  },
  "channels/subscribers-unknown": {
    "file": "version: 1\nchannels:\n  board: {description: x}\ndefault_channels: [board]\n",
    "output": "warning[channels/subscribers-unknown]: who is subscribed to #board cannot be told: this reading\ndoes not have it, so nothing is said about who reads it                               realm.yaml:3\n  plan against the server as an administrator, or with a snapshot that was taken without\n  --no-subscribers"
  },
  "channels/unknown-folder": {
    "file": "version: 1\nchannels:\n  general: {folder: Compny}\n",
    "output": "error[channels/unknown-folder]: there is no folder \"Compny\" here\n  ┌─ realm.yaml:3:21\n3 │   general: {folder: Compny}\n  │                     ^^^^^^ did you mean \"Company\"?\n  = folders of this organization: Company\n"
  },
  "channels/unlisted": {
    "file": "version: 1\nchannels:\n  hr: {privacy: public, description: Anybody may look}\n  board:\n    permissions: {can_subscribe_group: leads}\n  cellar: {description: No access needed}\n",
    "output": "warning[channels/unlisted]: 1 person reads #board whom the file does not list: Farah Haddad\n  ┌─ realm.yaml:4:3\n4 │   board:\n  │   ^^^^^\n  = write everybody who belongs there under subscribers (realmctl adopt --field subscribers writes\n    who is there now): apply then unsubscribes the others"
  },
  "channels/unseen-names": {
    "file": "version: 1\nchannels:\n  general: {default_push_notifications: true}\n  quiet: {default_push_notifications: false}\n",
    "output": "warning[channels/unseen-names]: Elif Demir (elif@acme.example), the account that runs this, does\n  not see every private channel, so it is not known whether #quiet is free\n  ┌─ realm.yaml:4:3\n4 │   quiet: {default_push_notifications: false}\n  │   ^^^^^\n  = the server rejects a name that is taken, and overwrites nothing; an administrator's account sees\n    all channels"
  },
  "channels/unset-opening": {
    "file": "version: 1\nchannels:\n  board: {subscribers: {users: [], exact: true}}\n  vault: {subscribers: {users: [], exact: true}}\n",
    "output": "warning[channels/unset-opening]: 5 people can let themselves into #vault by can_subscribe_group,\nwhich the file does not set: Ada Okafor, Ben Lindqvist, Chiara Moretti, Dmitri Volkov and Elif\nDemir                                                                                 realm.yaml:4\n  write the setting under permissions, role:nobody if only the list counts; realmctl adopt --field\n  can_subscribe_group --field can_add_subscribers_group writes what is there now"
  },
  "channels/unset-privacy": {
    "file": "version: 1\nchannels:\n  board: {subscribers: {groups: [leads]}}\n  vault: {subscribers: {users: [ben@acme.example], exact: true}}\n",
    "output": "warning[channels/unset-privacy]: #board and #vault are private and the file does not set privacy:\n  if somebody opens one to everybody, plan and drift do not compare that\n  ┌─ realm.yaml:3:3\n3 │   board: {subscribers: {groups: [leads]}}\n  │   ^^^^^ write the privacy that it has now: private_shared_history or private_protected_history"
  },
  "channels/was": {
    "file": "version: 1\nchannels:\n  '   ': {}\n  a name that is a good deal longer than sixty characters can hold: {}\n  \"bell \\a\": {}\n  ok: {was: ok}\n",
    "output": "warning[channels/was]: \"ok\" is renamed to itself\n  ┌─ realm.yaml:6:13\n6 │   ok: {was: ok}\n  │             ^^ delete was"
  },
  "channels/web-public-off": {
    "file": "version: 1\nchannels:\n  opened: {privacy: web_public}\n",
    "output": "error[channels/web-public-off]: web-public channels are not available here: this organization has\n  switched them off (enable_spectator_access)\n  ┌─ realm.yaml:3:21\n3 │   opened: {privacy: web_public}\n  │                     ^^^^^^^^^^\n  = switch them on in the organization's settings, or make the channel public"
  },
  "config/comment-as-value": {
    "file": "version: 1\nchannels:\n  eng:\n    description: #eng talk\n    colour: red\n",
    "output": "warning[config/comment-as-value]: description has no value, which clears it: \"#eng talk\" is a\n  comment\n  ┌─ realm.yaml:4:18\n4 │     description: #eng talk\n  │                  ^^^^^^^^^\n  = put a text that starts with # in quotes: description: \"#eng talk\"; if it is a comment, write\n    description: null # eng talk\n"
  },
  "config/contradiction": {
    "file": "version: 1\nchannels:\n  old: {absent: true, archived: false}\n",
    "output": "error[config/contradiction]: absent: true and archived: false contradict each other\n  ┌─ realm.yaml:3:17\n3 │   old: {absent: true, archived: false}\n  │                 ^^^^ keep one: archived: true to remove it, archived: false to keep it\n  ┌─ realm.yaml:3:33\n3 │   old: {absent: true, archived: false}\n  │                                 ----- the opposite here\n"
  },
  "config/declared-twice": {
    "file": "version: 1\nchannels:\n  general: {}\n  \" general \": {}\n",
    "output": "error[config/declared-twice]: the channel \"general\" is declared twice\n  ┌─ realm.yaml:4:3\n4 │   \" general \": {}\n  │   ^^^^^^^^^^^ keep one of the two\n  ┌─ realm.yaml:3:3\n3 │   general: {}\n  │   ------- first declared here\n"
  },
  "config/exact-without-section": {
    "file": "version: 1\nmanage: {channels: exact}\n",
    "output": "error[config/exact-without-section]: manage says exact for channels, but the file has no channels\n  ┌─ realm.yaml:2:20\n2 │ manage: {channels: exact}\n  │                    ^^^^^\n  = delete the line to leave channels alone, or add the section (an empty one removes all of them)\n"
  },
  "config/invisible-in-name": {
    "file": "version: 1\nchannels:\n  \"top\\u202Etfel\": {}\n  talk: {privacy: secret}\n",
    "output": "warning[config/invisible-in-name]: the name of the channel \"top\\u202etfel\" has a character that\n  nobody sees, or that turns the order of letters around\n  ┌─ realm.yaml:3:3\n3 │   \"top\\u202Etfel\": {}\n  │   ^^^^^^^^^^^^^^^ delete the character from the name\n"
  },
  "config/partial-section": {
    "file": "version: 1\nmanage: {people: {policy: exact}}\npeople: {}\n",
    "output": "error[config/partial-section]: people cannot be exact: realmctl creates and removes nobody because\n  a file does not list them\n  ┌─ realm.yaml:2:27\n2 │ manage: {people: {policy: exact}}\n  │                           ^^^^^\n  = delete people under manage; list the people whom the file manages, and write deactivated: true\n    for those who leave\n"
  },
  "config/placeholder": {
    "file": "version: 1\nchannels:\n  general: {description: \"{{ team }} talk\"}\n  support: {description: CHANGEME}\n  random: {colour: red}\n",
    "output": "warning[config/placeholder]: CHANGEME looks like a value that nobody filled in\n  ┌─ realm.yaml:4:26\n4 │   support: {description: CHANGEME}\n  │                          ^^^^^^^^ write the value; if this is the text itself, leave it\n"
  },
  "config/policy": {
    "file": "version: 1\nmanage: exact\nchannels: {}\n",
    "output": "error[config/policy]: manage is a map from sections to policies\n  ┌─ realm.yaml:2:9\n2 │ manage: exact\n  │         ^^^^^ write manage: {channels: exact}\n"
  },
  "config/realm": {
    "file": "version: 1\nrealm: 17\n",
    "output": "error[config/realm]: realm is the URL of an organization\n  ┌─ realm.yaml:2:8\n2 │ realm: 17\n  │        ^^ write it like https://chat.example.org\n"
  },
  "config/renamed-twice": {
    "file": "version: 1\nchannel_folders:\n  A: {was: Old}\n  B: {was: old}\n",
    "output": "error[config/renamed-twice]: two objects of the file say that they were the folder \"old\"\n  ┌─ realm.yaml:4:12\n4 │   B: {was: old}\n  │            ^^^ keep one of the two\n  ┌─ realm.yaml:3:12\n3 │   A: {was: Old}\n  │            --- first claimed here\n"
  },
  "config/same-id": {
    "file": "version: 1\nchannels:\n  news: {id: 7}\n  talk: {id: 7}\n",
    "output": "error[config/same-id]: two objects of the file are the channel with the id 7\n  ┌─ realm.yaml:4:14\n4 │   talk: {id: 7}\n  │              ^ keep one of the two\n  ┌─ realm.yaml:3:14\n3 │   news: {id: 7}\n  │              - first claimed here\n"
  },
  "config/same-letters": {
    "file": "version: 1\nchannels:\n  café: {}\n  café: {}\n  talk: {privacy: secret}\n",
    "output": "warning[config/same-letters]: \"café\" looks like the channel \"café\", but the server takes them for\n  two names: they differ in a letter of another script, in how a letter is encoded, or in characters\n  that nobody sees\n  ┌─ realm.yaml:4:3\n4 │   café: {}\n  │   ^^^^ delete one of the two, or give it a name that looks different\n  ┌─ realm.yaml:3:3\n3 │   café: {}\n  │   ---- first declared here\n"
  },
  "config/section": {
    "file": "version: 1\nchannels:\n  # general: {}\n",
    "output": "error[config/section]: channels is empty\n  ┌─ realm.yaml:2:1\n2 │ channels:\n  │ ^^^^^^^^\n  = write channels: {} to declare no channels, or delete the line to leave them as they are\n"
  },
  "config/unknown-section": {
    "file": "version: 1\nchanels: {}\n",
    "output": "error[config/unknown-section]: there is no section \"chanels\"\n  ┌─ realm.yaml:2:1\n2 │ chanels: {}\n  │ ^^^^^^^ did you mean \"channels\"?\n"
  },
  "config/unset": {
    "file": "version: 1\nmanage: {channels: {policy: exact, unst: default}}\nchannels: {}\n",
    "output": "error[config/unset]: a section of manage has no \"unst\"\n  ┌─ realm.yaml:2:36\n2 │ manage: {channels: {policy: exact, unst: default}}\n  │                                    ^^^^ did you mean \"unset\"?\n"
  },
  "config/version": {
    "file": "channels: {}\n",
    "output": "error[config/version]: the file does not say which version of the format it has\n  ┌─ realm.yaml:1:1\n1 │ channels: {}\n  │ ^ start it with \"version: 1\"\n"
  },
  "default_channels/archived": {
    "file": "version: 1\ndefault_channels: [old]\nchannels: {old: {archived: true}}\n",
    "output": "error[default_channels/archived]: a default channel cannot be archived\n  ┌─ realm.yaml:3:28\n3 │ channels: {old: {archived: true}}\n  │                            ^^^^ remove it from default_channels\n  ┌─ realm.yaml:2:20\n2 │ default_channels: [old]\n  │                    --- made a default channel here\n"
  },
  "default_channels/not-allowed": {
    "file": "version: 1\ndefault_channels: [general]\n",
    "output": "error[default_channels/not-allowed]: Chiara Moretti (chiara@acme.example), the account that runs\n  this, may not change default channels\n  ┌─ realm.yaml:2:20\n2 │ default_channels: [general]\n  │                    ^^^^^^^ it must be an administrator of the organization"
  },
  "default_channels/private": {
    "file": "version: 1\ndefault_channels: [secret]\nchannels: {secret: {privacy: private_shared_history}}\n",
    "output": "error[default_channels/private]: a default channel cannot be private\n  ┌─ realm.yaml:3:30\n3 │ channels: {secret: {privacy: private_shared_history}}\n  │                              ^^^^^^^^^^^^^^^^^^^^^^\n  ┌─ realm.yaml:2:20\n2 │ default_channels: [secret]\n  │                    ------ made a default channel here\n  = remove it from default_channels, or make it public\n"
  },
  "default_channels/unknown-channel": {
    "file": "version: 1\ndefault_channels: [genral]\nchannels: {general: {}}\n",
    "output": "error[default_channels/unknown-channel]: there is no channel \"genral\" here\n  ┌─ realm.yaml:2:20\n2 │ default_channels: [genral]\n  │                    ^^^^^^ did you mean \"general\"?\n"
  },
  "defaults/not-a-map": {
    "file": "version: 1\ndefaults:\nchannels: {}\n",
    "output": "error[defaults/not-a-map]: defaults is a map from sections to fields, not empty (null)\n  ┌─ realm.yaml:2:1\n2 │ defaults:\n  │ ^^^^^^^^ write defaults: {channels: {privacy: public}}\n"
  },
  "defaults/own-field": {
    "file": "version: 1\ndefaults: {linkifiers: {pattern: x}}\n",
    "output": "error[defaults/own-field]: each linkifier has its own pattern, so it cannot have a default\n  ┌─ realm.yaml:2:25\n2 │ defaults: {linkifiers: {pattern: x}}\n  │                         ^^^^^^^ write it in the linkifier\n"
  },
  "defaults/section": {
    "file": "version: 1\ndefaults: {chanels: {privacy: public}}\nchannels: {}\n",
    "output": "error[defaults/section]: there is no section \"chanels\"\n  ┌─ realm.yaml:2:12\n2 │ defaults: {chanels: {privacy: public}}\n  │            ^^^^^^^ did you mean \"channels\"?\n"
  },
  "domains/last-domain": {
    "file": "version: 1\ndomains:\n  acme.example: {absent: true}\n",
    "output": "error[domains/last-domain]: this removes acme.example, the last domain: people with any address\n  may join from then on\n  ┌─ realm.yaml:3:3\n3 │   acme.example: {absent: true}\n  │   ^^^^^^^^^^^^\n  = keep or add a domain; or confirm it with acme.example: {absent: true, lift_restriction: true}"
  },
  "domains/lift-restriction": {
    "file": "version: 1\ndomains:\n  example.org: {lift_restriction: true}\n",
    "output": "error[domains/lift-restriction]: lift_restriction belongs to a domain that is removed, and this\n  one stays\n  ┌─ realm.yaml:3:35\n3 │   example.org: {lift_restriction: true}\n  │                                   ^^^^ add absent: true, or delete lift_restriction\n"
  },
  "domains/name": {
    "file": "version: 1\ndomains:\n  localhost: {}\n",
    "output": "error[domains/name]: localhost has no dot\n  ┌─ realm.yaml:3:3\n3 │   localhost: {}\n  │   ^^^^^^^^^ write it like example.org\n"
  },
  "domains/not-allowed": {
    "file": "version: 1\ndomains:\n  acme.example: {}\n",
    "output": "error[domains/not-allowed]: Ben Lindqvist (ben@acme.example), the account that runs this, may not\n  change the allowed domains\n  ┌─ realm.yaml:3:3\n3 │   acme.example: {}\n  │   ^^^^^^^^^^^^ only owners of the organization may; administrators may not"
  },
  "emoji/name": {
    "file": "version: 1\nemoji:\n  Forge: forge.png\n",
    "output": "error[emoji/name]: \"Forge\" cannot be the name of an emoji\n  ┌─ realm.yaml:3:3\n3 │   Forge: forge.png\n  │   ^^^^^ a name consists of lower-case letters a to z, digits, _ and -; spaces become _\n"
  },
  "emoji/no-image": {
    "file": "version: 1\nemoji:\n  forge: {}\n",
    "output": "error[emoji/no-image]: the new emoji :forge: needs a picture\n  ┌─ realm.yaml:3:3\n3 │   forge: {}\n  │   ^^^^^ write the path of a PNG, JPEG, GIF or WebP file: forge: emoji/forge.png"
  },
  "emoji/not-allowed": {
    "file": "version: 1\nemoji:\n  forge: emoji/forge.png\n",
    "output": "error[emoji/not-allowed]: Deploy Bot (deploy-bot@localhost), the account that runs this, is a bot,\n  and the server accepts no pictures of emoji from bots\n  ┌─ realm.yaml:3:3\n3 │   forge: emoji/forge.png\n  │   ^^^^^ use the key of a person"
  },
  "emoji/overrides": {
    "file": "version: 1\nemoji:\n  Forge: emoji/forge.png\n  two.dots: emoji/forge.png\n  ends-: emoji/forge.png\n  cut: emoji/cut-off.png\n  text: emoji/text.png\n  pointer: {image: emoji/pointer.png}\n  missing: emoji/missing.png\n  outside: ../forge.png\n  huge: emoji/huge.png\n  heavy: emoji/heavy.png\n  smile: emoji/smile.png\n  other: {replaces: 3}\n",
    "output": "error[emoji/overrides]: :heavy: is a built-in emoji, and a custom emoji with its name hides it\n   ┌─ realm.yaml:12:3\n12 │   heavy: emoji/heavy.png\n   │   ^^^^^ confirm it with overrides_builtin: true, or give it another name"
  },
  "emoji/replaces": {
    "file": "version: 1\nemoji:\n  forge: {image: emoji/forge.png, replaces: 602}\n",
    "output": "error[emoji/replaces]: no emoji has or had the id 602\n  ┌─ realm.yaml:3:45\n3 │   forge: {image: emoji/forge.png, replaces: 602}\n  │                                             ^^^\n  = write the id that the emoji has now: replaces: 601"
  },
  "field/missing": {
    "file": "version: 1\ninvites:\n  - {invite_as: member}\n",
    "output": "error[field/missing]: this invitation has no emails\n  ┌─ realm.yaml:3:5\n3 │   - {invite_as: member}\n  │     ^^^^^^^^^^^^^^^^^^^ add \"emails: …\"\n  = emails: addresses that get the same invitation\n"
  },
  "field/type": {
    "file": "version: 1\nsettings:\n  name: null\n",
    "output": "error[field/type]: name must be a string, not empty (null)\n  ┌─ realm.yaml:3:9\n3 │   name: null\n  │         ^^^^ write a value, or delete the line\n"
  },
  "field/unknown": {
    "file": "version: 1\nsettings:\n  icon: {file: icon.png}\n",
    "output": "error[field/unknown]: icon has no field \"file\"\n  ┌─ realm.yaml:3:10\n3 │   icon: {file: icon.png}\n  │          ^^^^ did you mean \"image\"?\n"
  },
  "field/value": {
    "file": "version: 1\ninvites:\n  - {emails: []}\n",
    "output": "error[field/value]: emails must not be empty\n  ┌─ realm.yaml:3:14\n3 │   - {emails: []}\n  │              ^^ write a value, or delete the line\n"
  },
  "file/cannot-read": {
    "file": "version: 1\nemoji:\n  Forge: forge.png\n",
    "output": "error[file/cannot-read]: forge.png cannot be read: only the configuration itself is read here\n  ┌─ realm.yaml:3:10\n3 │   Forge: forge.png\n  │          ^^^^^^^^^ name another file\n"
  },
  "file/cut-off": {
    "file": "version: 1\nsettings:\n  icon: branding/cut-off.png\n  logo: {image: branding/text.png, replaces: 0}\n  night_logo: {replaces: 3}\n",
    "output": "error[file/cut-off]: branding/cut-off.png ends in the middle of the picture\n  ┌─ realm.yaml:3:9\n3 │   icon: branding/cut-off.png\n  │         ^^^^^^^^^^^^^^^^^^^^ copy or save it again"
  },
  "file/dimensions": {
    "file": "version: 1\nemoji:\n  Forge: emoji/forge.png\n  two.dots: emoji/forge.png\n  ends-: emoji/forge.png\n  cut: emoji/cut-off.png\n  text: emoji/text.png\n  pointer: {image: emoji/pointer.png}\n  missing: emoji/missing.png\n  outside: ../forge.png\n  huge: emoji/huge.png\n  heavy: emoji/heavy.png\n  smile: emoji/smile.png\n  other: {replaces: 3}\n",
    "output": "error[file/dimensions]: emoji/huge.png has 65536 × 65536 pixels, and servers accept 1 to\n  90,000,000 pixels in all\n   ┌─ realm.yaml:11:3\n11 │   huge: emoji/huge.png\n   │   ^^^^ save it with fewer pixels: it is shown small"
  },
  "file/lfs-pointer": {
    "file": "version: 1\nemoji:\n  Forge: emoji/forge.png\n  two.dots: emoji/forge.png\n  ends-: emoji/forge.png\n  cut: emoji/cut-off.png\n  text: emoji/text.png\n  pointer: {image: emoji/pointer.png}\n  missing: emoji/missing.png\n  outside: ../forge.png\n  huge: emoji/huge.png\n  heavy: emoji/heavy.png\n  smile: emoji/smile.png\n  other: {replaces: 3}\n",
    "output": "error[file/lfs-pointer]: emoji/pointer.png is only a pointer: Git LFS has the picture itself\n  ┌─ realm.yaml:8:20\n8 │   pointer: {image: emoji/pointer.png}\n  │                    ^^^^^^^^^^^^^^^^^\n  = fetch it (git lfs pull; lfs: true for actions/checkout), or keep the picture itself in the\n    repository"
  },
  "file/no-image": {
    "file": "version: 1\nsettings:\n  icon: branding/cut-off.png\n  logo: {image: branding/text.png, replaces: 0}\n  night_logo: {replaces: 3}\n",
    "output": "error[file/no-image]: branding/text.png is not a picture that servers accept: a PNG, JPEG, GIF or\n  WebP\n  ┌─ realm.yaml:4:17\n4 │   logo: {image: branding/text.png, replaces: 0}\n  │                 ^^^^^^^^^^^^^^^^^\n  = the content of the file matters, not its name; save the picture as PNG"
  },
  "file/outside": {
    "file": "version: 1\nemoji:\n  forge: /srv/forge.png\n",
    "output": "error[file/outside]: \"/srv/forge.png\" is outside the directory of realm.yaml\n  ┌─ realm.yaml:3:10\n3 │   forge: /srv/forge.png\n  │          ^^^^^^^^^^^^^^\n  = files are beside the main file or below it, and their paths are relative to the file that names\n    them\n"
  },
  "file/too-large": {
    "file": "version: 1\nemoji:\n  Forge: emoji/forge.png\n  two.dots: emoji/forge.png\n  ends-: emoji/forge.png\n  cut: emoji/cut-off.png\n  text: emoji/text.png\n  pointer: {image: emoji/pointer.png}\n  missing: emoji/missing.png\n  outside: ../forge.png\n  huge: emoji/huge.png\n  heavy: emoji/heavy.png\n  smile: emoji/smile.png\n  other: {replaces: 3}\n",
    "output": "error[file/too-large]: emoji/heavy.png has 5.0 MiB, and servers accept at most 5 MiB\n   ┌─ realm.yaml:12:3\n12 │   heavy: emoji/heavy.png\n   │   ^^^^^ save it with fewer pixels: it is shown small"
  },
  "include/not-a-list": {
    "file": "version: 1\ninclude: [\"\"]\nchannels: {}\n",
    "output": "error[include/not-a-list]: the path of an include is empty\n  ┌─ realm.yaml:2:11\n2 │ include: [\"\"]\n  │           ^^ write the path of a file, or delete the entry\n"
  },
  "include/url": {
    "file": "version: 1\ninclude: [\"https://example.org/shared/channels.yaml\"]\nchannels: {}\n",
    "output": "error[include/url]: an include is a file below the main file's directory: addresses on the web are\n  not read\n  ┌─ realm.yaml:2:11\n2 │ include: [\"https://example.org/shared/channels.yaml\"]\n  │           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = keep a copy of that file in the repository, so that its changes are reviewed, and include the\n    copy\n"
  },
  "invite_links/expires-on": {
    "file": "version: 1\ninvite_links:\n  - {expires_on: 10d}\n",
    "output": "error[invite_links/expires-on]: expires_on cannot be \"10d\"\n  ┌─ realm.yaml:3:18\n3 │   - {expires_on: 10d}\n  │                  ^^^ write a day as YYYY-MM-DD, like 2026-12-31, or never\n"
  },
  "invites/address": {
    "file": "version: 1\ninvites:\n  - {emails: [lin, grace@example.org]}\n",
    "output": "error[invites/address]: \"lin\" is not an e-mail address\n  ┌─ realm.yaml:3:15\n3 │   - {emails: [lin, grace@example.org]}\n  │               ^^^ write it like ada@example.org\n"
  },
  "invites/archived-channel": {
    "file": "version: 1\ninvites:\n  - emails: [nonsense, \"Grace <grace@acme.example>\"]\n    send_until: 2026-11-24\n    expires_in: soon\n    channels: [\"#general\", genral, old]\n    groups: [role:members, staf, retired]\n  - emails: []\n    send_until: 2026-11-24\n  - emails: [lin@acme.example]\n    send_until: 2026-11-24\n    invite_as: admin\n    expires_in: null\n",
    "output": "error[invites/archived-channel]: the channel \"old\" is archived\n  ┌─ realm.yaml:6:36\n6 │     channels: [\"#general\", genral, old]\n  │                                    ^^^\n  = nobody can be invited to it: delete it, or unarchive it under channels (archived: false)"
  },
  "invites/bot": {
    "file": "version: 1\ninvite_links:\n  - {expires_on: never}\n",
    "output": "error[invites/bot]: Deploy Bot (deploy-bot@localhost), the account that runs this, is a bot, and\n  bots may neither see nor send invitations\n  ┌─ realm.yaml:3:5\n3 │   - {expires_on: never}\n  │     ^^^^^^^^^^^^^^^^^^^\n  = use the API key of a person who is an administrator, or move invites to a file that a person\n    applies"
  },
  "invites/deactivated-account": {
    "file": "version: 1\ninvites:\n  - emails: [dmitri@acme.example]\n    send_until: 2026-11-24\n    invite_as: guest\n  - emails: [jana@acme.example]\n    send_until: 2026-11-24\n  - emails: [deploy-bot@localhost]\n    send_until: 2026-11-24",
    "output": "warning[invites/deactivated-account]: jana@acme.example has a deactivated account here, and cannot\nbe invited                                                                            realm.yaml:6\n  reactivate the account in the organization's settings, or delete the address"
  },
  "invites/differs": {
    "file": "version: 1\ninvites:\n  - emails: [grace@acme.example, lin@acme.example]\n    send_until: 2026-11-24\n    invite_as: moderator\n    expires_in: never\n    notify_referrer_on_join: false\n",
    "output": "warning[invites/differs]: grace@acme.example is already invited, with expires limited instead of\nnever                                                                                 realm.yaml:6\n  an invitation cannot be changed; to revoke it and send another e-mail, write replace: true, and\n  send_until: with a day"
  },
  "invites/expires-in": {
    "file": "version: 1\ninvites:\n  - {emails: [lin@example.org], expires_in: 0d}\n",
    "output": "error[invites/expires-in]: expires_in cannot be \"0d\"\n  ┌─ realm.yaml:3:45\n3 │   - {emails: [lin@example.org], expires_in: 0d}\n  │                                             ^^\n  = write a number of minutes, hours, days or weeks (90m, 36h, 10d, 2w; at most ten years), or never\n"
  },
  "invites/leads-elsewhere": {
    "file": "version: 1\nuser_groups:\n  team: {was: crew}\n  crew: {members: [ada@acme.example]}\ninvite_links:\n  # It leads to team, whatever the next plan opens to that.\n  - {expires_on: never, groups: [crew]}\n",
    "output": "error[invites/leads-elsewhere]: the invitation \"member for ever\" is open and leads into what is\n  called team after this plan; crew is a new object then\n  ┌─ realm.yaml:7:33\n7 │   - {expires_on: never, groups: [crew]}\n  │                                 ^^^^^^\n  = write team; to lead into the new crew, revoke it and make another"
  },
  "invites/made-inactive": {
    "file": "version: 1\ninvites:\n  - {emails: [lin@example.org], channels: [old], send_until: 2026-11-24}\nchannels: {old: {archived: true}}\n",
    "output": "error[invites/made-inactive]: this file archives or deactivates old, so nobody can be invited to\n  it\n  ┌─ realm.yaml:3:44\n3 │   - {emails: [lin@example.org], channels: [old], send_until: 2026-11-24}\n  │                                            ^^^ delete it from the invitation, or keep it\n  ┌─ realm.yaml:4:28\n4 │ channels: {old: {archived: true}}\n  │                            ---- archived or deactivated here\n"
  },
  "invites/not-allowed": {
    "file": "version: 1\nmanage: {invites: exact}\ninvites: []\n",
    "output": "error[invites/not-allowed]: Ben Lindqvist (ben@acme.example), the account that runs this, may not\n  revoke the invitation of lin@acme.example\n  ┌─ realm.yaml:2:19\n2 │ manage: {invites: exact}\n  │                   ^^^^^ it must be an owner of the organization: somebody else sent it"
  },
  "invites/not-asked-for": {
    "file": "version: 1\ninvites:\n  - emails: [lin@example.org]\nchannels: {talk: {privacy: secret}}\n",
    "output": "warning[invites/not-asked-for]: lin@example.org has neither an account nor an open invitation, and\n  the file does not ask for an e-mail\n  ┌─ realm.yaml:3:14\n3 │   - emails: [lin@example.org]\n  │              ^^^^^^^^^^^^^^^\n  = to send one, write send_until: 2026-11-22; otherwise delete the address\n"
  },
  "invites/outside-domains": {
    "file": "version: 1\ndomains:\n  new.example: {allow_subdomains: true}\n  old.example: {absent: true}\ninvites:\n  - emails: [a@acme.example, b@x.new.example, c@old.example, d+e@acme.example, f@x.acme.example]\n    send_until: 2026-11-24\n",
    "output": "error[invites/outside-domains]: f@x.acme.example cannot be invited: addresses of x.acme.example\n  may not join\n  ┌─ realm.yaml:6:80\n6 │ …ample, d+e@acme.example, f@x.acme.example]\n  │                           ^^^^^^^^^^^^^^^^ add the domain under domains, or delete the address"
  },
  "invites/send-until": {
    "file": "version: 1\ninvites:\n  - emails: [grace@acme.example]\n    send_until: 2026-11-24\n    expires_in: never\n    replace: true\n  - emails: [lin@acme.example]\n    send_until: 2026-11-24\n    expires_in: 3d\n    replace: true\n",
    "output": "warning[invites/send-until]: send_until is later than the end of the invitation (3d): everybody\nwho does not accept it is invited again until then                                    realm.yaml:8\n  write an earlier day; to invite somebody again later, write a new day then"
  },
  "invites/system-group": {
    "file": "version: 1\ninvites:\n  - {emails: [lin@example.org], groups: ['role:members'], send_until: 2026-11-24}\n",
    "output": "error[invites/system-group]: role:members is a role, and roles have no members of their own\n  ┌─ realm.yaml:3:42\n3 │   - {emails: [lin@example.org], groups: ['role:members'], send_until: 2026-11-24}\n  │                                          ^^^^^^^^^^^^^^ invite_as says which role people get\n"
  },
  "invites/unknown-channel": {
    "file": "version: 1\ninvites:\n  - {emails: [lin@example.org], channels: [genral], send_until: 2026-11-24}\nchannels: {general: {}}\n",
    "output": "error[invites/unknown-channel]: there is no channel \"genral\" here\n  ┌─ realm.yaml:3:44\n3 │   - {emails: [lin@example.org], channels: [genral], send_until: 2026-11-24}\n  │                                            ^^^^^^ did you mean \"general\"?\n"
  },
  "linkifiers/example": {
    "file": "version: 1\nlinkifiers:\n  - {pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}', example_input: no number}\n",
    "output": "error[linkifiers/example]: the pattern does not match \"no number\"\n  ┌─ realm.yaml:3:96\n3 │ …e.org/{id}', example_input: no number}\n  │                              ^^^^^^^^^ correct the example or the pattern\n"
  },
  "linkifiers/no-template": {
    "file": "version: 1\nlinkifiers:\n  - pattern: G(?P<g>[0-9]+)\n",
    "output": "error[linkifiers/no-template]: a new linkifier needs a url_template\n  ┌─ realm.yaml:3:5\n3 │   - pattern: G(?P<g>[0-9]+)\n  │     ^^^^^^^^^^^^^^^^^^^^^^^ write where the link leads: https://bugs.example.org/{id}"
  },
  "linkifiers/not-allowed": {
    "file": "version: 1\nlinkifiers:\n  - pattern: '#(?P<id>[0-9]+)'\n    url_template: https://bugs.example.org/{id}\n  - pattern: DOC-(?P<n>[0-9]+)\n    url_template: https://docs.example.org/{n}\n",
    "output": "error[linkifiers/not-allowed]: Dmitri Volkov (dmitri@acme.example), the account that runs this,\n  may not change linkifiers\n  ┌─ realm.yaml:3:5\n3 │   - pattern: '#(?P<id>[0-9]+)'\n  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^ it must be an administrator of the organization"
  },
  "linkifiers/overlap": {
    "file": "version: 1\nlinkifiers:\n  - {pattern: '[A-Z]+-(?P<id>[0-9]+)', url_template: 'https://x.example.org/{id}', example_input: 'CASE-7'}\n  - {pattern: 'BUG-(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}', example_input: 'BUG-1'}\n  - {pattern: 'PR (?P<id>[0-9]+)', url_template: 'https://pr.example.org/{number}', example_input: 'PR 1'}\n",
    "output": "warning[linkifiers/overlap]: the linkifier [A-Z]+-(?P<id>[0-9]+) comes first and matches \"BUG-1\"\n  ┌─ realm.yaml:4:99\n4 │ …e.org/{id}', example_input: 'BUG-1'}\n  │                              ^^^^^^^\n  = move this one before it, or make the other pattern narrower\n"
  },
  "linkifiers/pattern": {
    "file": "version: 1\nlinkifiers:\n  - {pattern: '', url_template: 'https://bugs.example.org'}\n",
    "output": "error[linkifiers/pattern]: a linkifier needs a pattern\n  ┌─ realm.yaml:3:15\n3 │   - {pattern: '', url_template: 'https://bugs.example.org'}\n  │               ^^ write one, or delete the item\n"
  },
  "linkifiers/pattern-taken": {
    "file": "version: 1\nlinkifiers:\n  - pattern: DOC-(?P<n>[0-9]+)\n    id: 201\n    url_template: https://docs.example.org/{n}\n",
    "output": "error[linkifiers/pattern-taken]: there is another linkifier with the pattern DOC-(?P<n>[0-9]+)\n  ┌─ realm.yaml:3:5\n3 │   - pattern: DOC-(?P<n>[0-9]+)\n  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^ remove that one (absent: true), or give it another pattern"
  },
  "linkifiers/reverse": {
    "file": "version: 1\nlinkifiers:\n  - pattern: (?P<id>[0-9]+\n    url_template: https://bugs.example.org/{id}\n  - pattern: (?<!x)abc\n    url_template: https://bugs.example.org/\n  - pattern: A(?P<a>[0-9]+)\n    url_template: https://bugs.example.org/{b}\n  - pattern: B(?P<b>[0-9]+)\n    url_template: https://bugs.example.org/{b\n  - pattern: C(?P<c>[0-9]+)\n    url_template: https://bugs.example.org/{c}\n    example_input: nothing\n  - pattern: D(?P<d>[0-9]+)\n    url_template: https://bugs.example.org/{d}\n    reverse_template: D{d}\n  - pattern: E(?P<e>[0-9]+)\n    url_template: https://bugs.example.org/{e}\n    example_input: see E12\n    reverse_template: E{e}\n  - pattern: F(?P<f>[0-9]+)\n    url_template: https://bugs.example.org/{f}\n    example_input: F1\n    reverse_template: F{g}\n    alternative_url_templates: ['{', 'https://old.example.org/{f}/{page}']\n  - pattern: ''\n    url_template: ''\n  - pattern: no template\n",
    "output": "error[linkifiers/reverse]: reverse_template turns the example into \"E12\", not \"see E12\"\n   ┌─ realm.yaml:20:23\n20 │     reverse_template: E{e}\n   │                       ^^^^ it must reproduce example_input exactly"
  },
  "linkifiers/reverse-without-example": {
    "file": "version: 1\nlinkifiers:\n  - pattern: '#(?P<id>[0-9]+)'\n    example_input: null\n",
    "output": "error[linkifiers/reverse-without-example]: reverse_template needs an example_input to be tried on\n  (reverse_template on the server: #{id})\n  ┌─ realm.yaml:3:5\n3 │   - pattern: '#(?P<id>[0-9]+)'\n  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^ add example_input: a text that the pattern matches"
  },
  "linkifiers/template": {
    "file": "version: 1\nlinkifiers:\n  - {pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id'}\n",
    "output": "error[linkifiers/template]: this is not a URL template: the \"{\" at position 26 is not closed\n  ┌─ realm.yaml:3:48\n3 │   - {pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id'}\n  │                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = variables are written in braces: https://bugs.example.org/{id} (RFC 6570)\n"
  },
  "linkifiers/unknown-variable": {
    "file": "version: 1\nlinkifiers:\n  - {pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{number}'}\n",
    "output": "error[linkifiers/unknown-variable]: {number} is not a named group of the pattern\n  ┌─ realm.yaml:3:48\n3 │   - {pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{number}'}\n  │                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = the pattern's groups: id\n"
  },
  "linkifiers/unused-group": {
    "file": "version: 1\nlinkifiers:\n  - {pattern: '(?P<project>[a-z]+)#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}'}\n",
    "output": "error[linkifiers/unused-group]: the pattern's group \"project\" is not in the template, and the\n  server requires every group\n  ┌─ realm.yaml:3:67\n3 │ …]+)', url_template: 'https://bugs.example.org/{id}'}\n  │                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = use {project}, or do not name the group: (…) instead of (?P<project>…)\n"
  },
  "linkifiers/was": {
    "file": "version: 1\nlinkifiers:\n  - {pattern: '#(?P<id>[0-9]+)', was: '#(?P<id>[0-9]+)', url_template: 5}\n",
    "output": "warning[linkifiers/was]: `was` equals the current pattern\n  ┌─ realm.yaml:3:39\n3 │   - {pattern: '#(?P<id>[0-9]+)', was: '#(?P<id>[0-9]+)', url_template: 5}\n  │                                       ^^^^^^^^^^^^^^^^^ delete was\n"
  },
  "navigation_views/built-in-name": {
    "file": "version: 1\nnavigation_views:\n  inbox: {is_pinned: true, name: Mail}\n",
    "output": "error[navigation_views/built-in-name]: inbox is one of Zulip's own views, and those cannot be\n  named\n  ┌─ realm.yaml:3:34\n3 │   inbox: {is_pinned: true, name: Mail}\n  │                                  ^^^^ delete name\n"
  },
  "navigation_views/fragment": {
    "file": "version: 1\nnavigation_views:\n  '': {is_pinned: true}\n",
    "output": "error[navigation_views/fragment]: a view is named by the part of its URL after the #\n  ┌─ realm.yaml:3:3\n3 │   '': {is_pinned: true}\n  │   ^^ write that part\n"
  },
  "navigation_views/no-is-pinned": {
    "file": "version: 1\nnavigation_views:\n  inbox: {}\n  narrow/is/dm: {is_pinned: true}\n  narrow/is/alerted: {name: Alerts}\n",
    "output": "error[navigation_views/no-is-pinned]: the view inbox is new, and is_pinned is missing\n  ┌─ realm.yaml:3:3\n3 │   inbox: {}\n  │   ^^^^^ write is_pinned: true or is_pinned: false"
  },
  "navigation_views/no-name": {
    "file": "version: 1\nnavigation_views:\n  narrow/topic/mentions: {is_pinned: true, name: ''}\n",
    "output": "error[navigation_views/no-name]: the name of the view narrow/topic/mentions must not be empty\n  ┌─ realm.yaml:3:50\n3 │   narrow/topic/mentions: {is_pinned: true, name: ''}\n  │                                                  ^^ write one, such as name: My mentions\n"
  },
  "navigation_views/personal": {
    "file": "version: 1\nmanage: {navigation_views: exact}\nnavigation_views: {}\n",
    "output": "warning[navigation_views/personal]: these are the navigation views of Ada Okafor\n(ada@acme.example), the account that runs this, and of nobody else\n  everybody arranges their own views: the server lets nobody set them for others"
  },
  "navigation_views/same-name": {
    "file": "version: 1\nnavigation_views:\n  narrow/is/alerted: {name: My mentions}\n",
    "output": "error[navigation_views/same-name]: narrow/is/alerted and narrow/topic/mentions would both have the\n  name \"My mentions\"\n  ┌─ realm.yaml:3:29\n3 │   narrow/is/alerted: {name: My mentions}\n  │                             ^^^^^^^^^^^ rename one of them, or remove it"
  },
  "people/bot-in-use": {
    "file": "version: 1\npeople:\n  dmitri@acme.example: {deactivated: true}\nbots:\n  ci-bot: {full_name: CI Bot}\n",
    "output": "error[people/bot-in-use]: this plan deactivates dmitri@acme.example, and with them their bot\n  \"ci-bot\", which the file has in use\n  ┌─ realm.yaml:5:3\n5 │   ci-bot: {full_name: CI Bot}\n  │   ^^^^^^ give the bot another owner, or write deactivated: true\n  ┌─ realm.yaml:3:38\n3 │   dmitri@acme.example: {deactivated: true}\n  │                                      ---- archived or deactivated here"
  },
  "people/deleted": {
    "file": "version: 1\npeople:\n  jana@acme.example: {deactivated: false}\n",
    "output": "error[people/deleted]: the account of jana@acme.example was deleted, and does not come back\n  ┌─ realm.yaml:3:36\n3 │   jana@acme.example: {deactivated: false}\n  │                                    ^^^^^ delete deactivated: false, or invite the person again"
  },
  "people/inactive-owner": {
    "file": "version: 1\npeople:\n  kofi@acme.example: {role: member, deactivated: false}\n",
    "output": "error[people/inactive-owner]: kofi@acme.example is a deactivated owner, and the server refuses\n  another role while only one owner is active\n  ┌─ realm.yaml:3:29\n3 │   kofi@acme.example: {role: member, deactivated: false}\n  │                             ^^^^^^\n  = make somebody else an owner in the same file; or keep role: owner until the account is active,\n    and change the role then"
  },
  "people/invitation-in-use": {
    "file": "version: 1\npeople:\n  ben@acme.example: {deactivated: true}\ninvite_links:\n  - {expires_on: never}\n",
    "output": "error[people/invitation-in-use]: this plan deactivates ben@acme.example, and with them their\n  invitation \"member for ever\", which the file keeps\n  ┌─ realm.yaml:5:5\n5 │   - {expires_on: never}\n  │     ^^^^^^^^^^^^^^^^^^^\n  ┌─ realm.yaml:3:35\n3 │   ben@acme.example: {deactivated: true}\n  │                                   ---- archived or deactivated here\n  = leave this entry out until the account is deactivated; then write it again, and the plan makes a\n    new one"
  },
  "people/is-bot": {
    "file": "version: 1\npeople:\n  elf@acme.example: {role: member}\n  deploy-bot@localhost: {role: member}\n  user9@zulipdev.com: {role: member}\n  Chiara Moretti: {role: member}\n",
    "output": "error[people/is-bot]: deploy-bot@localhost is the address of a bot\n  ┌─ realm.yaml:4:3\n4 │   deploy-bot@localhost: {role: member}\n  │   ^^^^^^^^^^^^^^^^^^^^ declare it under bots"
  },
  "people/is-deactivated": {
    "file": "version: 1\npeople:\n  jana@acme.example: {role: member}\n",
    "output": "warning[people/is-deactivated]: the account of jana@acme.example is deactivated, and the file does\nnot say whether it should stay so                                                     realm.yaml:3\n  add deactivated: true to confirm it, or deactivated: false to reactivate the account"
  },
  "people/not-allowed": {
    "file": "version: 1\npeople:\n  elif@acme.example: {role: guest}\n",
    "output": "error[people/not-allowed]: Dmitri Volkov (dmitri@acme.example), the account that runs this, may\n  not change elif@acme.example like this\n  ┌─ realm.yaml:3:3\n3 │   elif@acme.example: {role: guest}\n  │   ^^^^^^^^^^^^^^^^^ only administrators and owners of the organization change accounts"
  },
  "people/oneself": {
    "file": "version: 1\npeople:\n  ada@acme.example: {role: guest}\n",
    "output": "error[people/oneself]: Ada Okafor (ada@acme.example), the account that runs this, would become a\n  guest, and could not make the other changes\n  ┌─ realm.yaml:3:28\n3 │   ada@acme.example: {role: guest}\n  │                            ^^^^^ run this with another account, or leave this one as it is"
  },
  "people/other-address": {
    "file": "version: 1\npeople:\n  elf@acme.example: {role: member}\n  deploy-bot@localhost: {role: member}\n  user9@zulipdev.com: {role: member}\n  Chiara Moretti: {role: member}\n",
    "output": "warning[people/other-address]: user9@zulipdev.com is the API's placeholder for dmitri@acme.example\n                                                                                      realm.yaml:5\n  write dmitri@acme.example"
  },
  "people/own-role-alone": {
    "file": "version: 1\npeople:\n  ada@acme.example: {role: administrator}\n  elif@acme.example: {role: moderator}\n",
    "output": "error[people/own-role-alone]: Ada Okafor (ada@acme.example), the account that runs this, loses its\n  role, which the other changes of this plan may need\n  ┌─ realm.yaml:3:28\n3 │   ada@acme.example: {role: administrator}\n  │                            ^^^^^^^^^^^^^\n  = apply the other changes first, and this one alone; or run it with another account"
  },
  "plan/ambiguous-swap": {
    "file": "version: 1\nchannels:\n  red: {was: blue}\n  blue: {was: red}\n",
    "output": "error[plan/ambiguous-swap]: it is not clear whether \"red\" and \"blue\" have swapped names already\n  ┌─ realm.yaml:3:14\n3 │   red: {was: blue}\n  │              ^^^^\n  ┌─ realm.yaml:4:15\n4 │   blue: {was: red}\n  │               --- channel:blue is one of them\n  = pin them: to swap them now, write id: 101 under \"red\" and id: 102 under \"blue\"; if they have\n    swapped, delete was"
  },
  "plan/both-names": {
    "file": "version: 1\nchannels:\n  incidents: {was: outages}\n",
    "output": "error[plan/both-names]: \"incidents\" was \"outages\", but there is a channel with each of these names\n  ┌─ realm.yaml:3:20\n3 │   incidents: {was: outages}\n  │                    ^^^^^^^\n  = delete was if it was renamed before, or rename one of the two by hand"
  },
  "plan/looks-renamed": {
    "file": "version: 1\nchannel_folders:\n  Company: {description: x}\n  Fresh: {}\n",
    "output": "warning[plan/looks-renamed]: the folder \"Fresh\" is new, and only \"Projects\" is on the server and\n  not in the file: did you rename it?\n  ┌─ realm.yaml:4:3\n4 │   Fresh: {}\n  │   ^^^^^\n  = renamed in the file: add was: \"Projects\", or id: 2; renamed on the server: realmctl adopt\n    \"channel_folder:Fresh\"; if not, nothing needs to be done"
  },
  "plan/new-swap": {
    "file": "version: 1\nchannel_folders:\n  north: {was: south}\n  south: {was: north}\n",
    "output": "error[plan/new-swap]: \"north\" and \"south\" swap names, but this plan creates \"north\" and \"south\":\n  afterwards it would not be clear whether they have swapped\n  ┌─ realm.yaml:3:16\n3 │   north: {was: south}\n  │                ^^^^^ delete was from \"north\" and \"south\"\n  ┌─ realm.yaml:4:16\n4 │   south: {was: north}\n  │                ----- channel_folder:south is one of them"
  },
  "plan/not-read": {
    "file": "version: 1\ninvites:\n  - emails: [grace@acme.example]\n    send_until: 2026-11-24",
    "output": "error[plan/not-read]: this snapshot does not contain the invites\n  ┌─ realm.yaml:3:14\n3 │   - emails: [grace@acme.example]\n  │              ^^^^^^^^^^^^^^^^^^ plan against the server, or take a snapshot with --invites"
  },
  "plan/nothing-to-remove": {
    "file": "version: 1\nchannels:\n  old-wiki: {archived: true}\n  old-news: {archived: true, description: Read only since May}\n  gone-already: {archived: true}\n  never-was: {archived: true}\n  stays: {archived: false}\n",
    "output": "warning[plan/nothing-to-remove]: there is no channel \"never-was\", so nothing is archived\n                                                                                      realm.yaml:6\n  correct the name, or delete the entry"
  },
  "plan/server-too-old": {
    "file": "version: 1\nchannel_folders:\n  Company: {}\n",
    "output": "error[plan/server-too-old]: channel_folders needs Zulip 11 (feature level 389), and this server\n  has level 388\n  ┌─ realm.yaml:3:3\n3 │   Company: {}\n  │   ^^^^^^^ delete it from the file, or upgrade the server"
  },
  "plan/swap-taken-as-done": {
    "file": "version: 1\nuser_groups:\n  leads: {was: staff, description: Leads, members: [ben@acme.example]}\n  staff: {was: leads, description: Everybody, members: [chiara@acme.example]}\n",
    "output": "warning[plan/swap-taken-as-done]: \"leads\" and \"staff\" seem to have swapped names already: that way\nless differs from the file                                                            realm.yaml:3\n  to swap them now, write id: 30 under \"leads\" and id: 31 under \"staff\"; if they have swapped,\n  delete was"
  },
  "plan/was-not-found": {
    "file": "version: 1\nchannels:\n  incidents: {was: outtages}\n",
    "output": "warning[plan/was-not-found]: there is no channel \"outtages\" to rename, so \"incidents\" is created\n                                                                                      realm.yaml:3\n  did you mean \"outages\"?"
  },
  "playgrounds/language": {
    "file": "version: 1\nplaygrounds:\n  - {language: \"\", name: Rust playground, url_template: \"https://play.example.org/?code={code}\"}\n",
    "output": "error[playgrounds/language]: a playground needs a language\n  ┌─ realm.yaml:3:16\n3 │   - {language: \"\", name: Rust playground, url_template: \"https://play.example.org/?code={code}…\n  │                ^^ write the language of the code blocks: Rust\n"
  },
  "playgrounds/name": {
    "file": "version: 1\nplaygrounds:\n  - {language: '', name: x, url_template: 'https://x.example.org/{code}'}\n  - {language: 'C:', name: x, url_template: 'https://x.example.org/{code}'}\n  - {language: A language with more than forty characters, name: x, url_template: 'https://x.example.org/{code}'}\n  - {language: Go, name: ' ', url_template: 'https://x.example.org/{code}'}\n  - {language: Go, name: a, url_template: ''}\n  - {language: Go, name: b, url_template: 'https://x.example.org/{code'}\n  - {language: Go, name: c, url_template: 'https://x.example.org/{id}'}\n  - {language: Go, name: d, url_template: 'https://x.example.org/{id}/{code}'}\n",
    "output": "error[playgrounds/name]: a playground needs a name\n  ┌─ realm.yaml:6:26\n6 │   - {language: Go, name: ' ', url_template: 'https://x.example.org/{code}'}\n  │                          ^^^ write what people see: Rust playground"
  },
  "playgrounds/not-allowed": {
    "file": "version: 1\nplaygrounds:\n  - {language: Go, name: Go playground, url_template: 'https://x.example.org/{code}'}\n",
    "output": "error[playgrounds/not-allowed]: Elif Demir (elif@acme.example), the account that runs this, may\n  not change code playgrounds\n  ┌─ realm.yaml:3:5\n3 │   - {language: Go, name: Go playground, url_template: 'https://x.example.org/{code}'}\n  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = use an account of an administrator or owner"
  },
  "playgrounds/template": {
    "file": "version: 1\nplaygrounds:\n  - {language: Rust, name: Rust playground, url_template: \"https://play.example.org/?q={source}\"}\n",
    "output": "error[playgrounds/template]: the template does not contain {code}\n  ┌─ realm.yaml:3:59\n3 │ …nd, url_template: \"https://play.example.org/?q={source}\"}\n  │                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = write it where the code goes: https://play.example.org/?code={code}\n"
  },
  "policy/limit": {
    "file": "version: 1\npolicy: {limits: {people_losing_access: -1, removals_percent: 101, emails: \"3\"}}\nchannels: {}\n",
    "output": "error[policy/limit]: removals_percent must be a whole number from 0 to 100\n  ┌─ realm.yaml:2:63\n2 │ policy: {limits: {people_losing_access: -1, removals_percent: 101, emails: \"3\"}}\n  │                                                               ^^^ write 10 for 10 %\n"
  },
  "policy/lockout": {
    "file": "version: 1\npolicy: {lockout: never}\nchannels: {}\n",
    "output": "error[policy/lockout]: lockout must be refuse or allow, not \"never\"\n  ┌─ realm.yaml:2:19\n2 │ policy: {lockout: never}\n  │                   ^^^^^ without this line, refuse applies\n"
  },
  "policy/min-owners": {
    "file": "version: 1\npolicy: {min_owners: none}\nchannels: {}\n",
    "output": "error[policy/min-owners]: min_owners must be a whole number of at least 1, not the string \"none\"\n  ┌─ realm.yaml:2:22\n2 │ policy: {min_owners: none}\n  │                      ^^^^ write how many people must remain owners\n"
  },
  "policy/not-a-list": {
    "file": "version: 1\npolicy: {protect: channel:general}\nchannels: {}\n",
    "output": "error[policy/not-a-list]: protect is a list of names, each with its kind\n  ┌─ realm.yaml:2:19\n2 │ policy: {protect: channel:general}\n  │                   ^^^^^^^^^^^^^^^ write protect: [channel:general]\n"
  },
  "policy/not-a-map": {
    "file": "version: 1\npolicy: [removals]\nchannels: {}\n",
    "output": "error[policy/not-a-map]: policy is a map of guard rails, or the name of a file that has them\n  ┌─ realm.yaml:2:9\n2 │ policy: [removals]\n  │         ^^^^^^^^^^\n  = write policy: {limits: {removals: 5}, protect: [channel:general]}, or policy: realm.policy.yaml\n"
  },
  "policy/protect": {
    "file": "version: 1\npolicy: {protect: [general, \"chanel:general\", \"channel:\", 7]}\nchannels: {}\n",
    "output": "error[policy/protect]: \"general\" does not say what is protected\n  ┌─ realm.yaml:2:20\n2 │ policy: {protect: [general, \"chanel:general\", \"channel:\", 7]}\n  │                    ^^^^^^^\n  = write a kind, a colon and a name, * for any text: channel:general, \"channel:security-*\"; kinds:\n    settings, user_defaults, person, bot, user_group, channel_folder, channel, default_channel,\n    linkifier, domain, profile_field, emoji, playground, navigation_view, invite and invite_link\n"
  },
  "policy/sync": {
    "file": "version: 1\npolicy: {sync: [channel.*.subscriber, channels.subscribers, channels.eng-*.description, 7]}\nchannels: {}\n",
    "output": "error[policy/sync]: \"channel.*.subscriber\" is nothing that realmctl sync can keep\n  ┌─ realm.yaml:2:17\n2 │ policy: {sync: [channel.*.subscriber, channels.subscribers, channels.eng-*.description, 7]}\n  │                 ^^^^^^^^^^^^^^^^^^^^ did you mean \"channels.*.subscribers\"?\n"
  },
  "policy/unknown": {
    "file": "version: 1\npolicy: {limit: {removals: 5}}\nchannels: {}\n",
    "output": "error[policy/unknown]: a policy has no \"limit\"\n  ┌─ realm.yaml:2:10\n2 │ policy: {limit: {removals: 5}}\n  │          ^^^^^ did you mean \"limits\"?\n"
  },
  "policy/unknown-limit": {
    "file": "version: 1\npolicy: {limits: {removal: 5}}\nchannels: {}\n",
    "output": "error[policy/unknown-limit]: there is no limit \"removal\"\n  ┌─ realm.yaml:2:19\n2 │ policy: {limits: {removal: 5}}\n  │                   ^^^^^^^ did you mean \"removals\"?\n"
  },
  "profile_fields/account": {
    "file": "version: 1\nprofile_fields:\n  - {name: Wiki, type: external_account, url_pattern: \"https://wiki.example.org/\"}\n",
    "output": "error[profile_fields/account]: the url_pattern contains %(username)s 0 times, but the server\n  requires it exactly once\n  ┌─ realm.yaml:3:55\n3 │   - {name: Wiki, type: external_account, url_pattern: \"https://wiki.example.org/\"}\n  │                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = write it where the name of the account belongs: https://example.org/people/%(username)s\n"
  },
  "profile_fields/hint": {
    "file": "version: 1\nprofile_fields:\n  - {name: '', type: date}\n  - {name: A name of a field that is longer than forty, type: date}\n  - {name: One, type: date, hint: A hint that has more than eighty characters is longer than what the server stores of it}\n  - {name: Two, type: date, options: [a]}\n  - {name: Three, type: short_text, service: github}\n  - {name: Four, type: select, options: []}\n  - {name: Five, type: select, options: [a, a, ' ', {text: b, was: x}, {text: c, was: x}]}\n  - {name: Six, type: external_account, service: github, url_pattern: 'https://x.example.org/%(username)s'}\n  - {name: Seven, type: external_account, url_pattern: 'x.example.org/%(username)s'}\n  - {name: Eight, type: external_account, url_pattern: 'https://x.example.org/'}\n  - {name: Nine, type: external_account, service: gihub}\n  - {name: Ten, type: users, in_profile_summary: true}\n  - {name: Eleven, absent: true, was: Twelve}\n  - {name: Thirteen, type: date, was: Thirteen}\n",
    "output": "error[profile_fields/hint]: a hint has at most 80 characters; this one has 87\n  ┌─ realm.yaml:5:35\n5 │ …: A hint that has more than eighty characters is longer than what the server stores of it}\n  │    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  = shorten it"
  },
  "profile_fields/name": {
    "file": "version: 1\nprofile_fields:\n  - {name: \"The town in which you were born and grew up\", type: short_text}\n",
    "output": "error[profile_fields/name]: the name of a profile field has at most 40 characters; this one has 43\n  ┌─ realm.yaml:3:12\n3 │   - {name: \"The town in which you were born and grew up\", type: short_text}\n  │            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shorten it; the hint has room for more\n"
  },
  "profile_fields/not-allowed": {
    "file": "version: 1\nprofile_fields:\n  - {name: Phone, type: short_text}\n",
    "output": "error[profile_fields/not-allowed]: Elif Demir (elif@acme.example), the account that runs this, may\n  not change profile fields\n  ┌─ realm.yaml:3:5\n3 │   - {name: Phone, type: short_text}\n  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ use an account of an administrator or owner"
  },
  "profile_fields/options": {
    "file": "version: 1\nprofile_fields:\n  - {name: Site, type: select, options: [Leeds, Leeds]}\n",
    "output": "error[profile_fields/options]: the option \"Leeds\" is written twice\n  ┌─ realm.yaml:3:49\n3 │   - {name: Site, type: select, options: [Leeds, Leeds]}\n  │                                                 ^^^^^ keep one of the two\n"
  },
  "profile_fields/other-type": {
    "file": "version: 1\nprofile_fields:\n  - {name: Site, type: short_text, options: [Leeds]}\n",
    "output": "error[profile_fields/other-type]: options belongs to fields of type select, and this one is of\n  type short_text\n  ┌─ realm.yaml:3:45\n3 │   - {name: Site, type: short_text, options: [Leeds]}\n  │                                             ^^^^^^^ delete options, or correct the type\n"
  },
  "profile_fields/summary": {
    "file": "version: 1\nprofile_fields:\n  - {name: B, type: long_text, in_profile_summary: true}\n  - {name: A, type: users,     in_profile_summary: true}\n",
    "output": "error[profile_fields/summary]: a field of type users cannot be in the profile summary\n  ┌─ realm.yaml:4:52\n4 │   - {name: A, type: users,     in_profile_summary: true}\n  │                                                    ^^^^ delete in_profile_summary\n"
  },
  "profile_fields/type": {
    "file": "version: 1\nprofile_fields:\n  - {name: New}\n  - {name: Phone, type: date}\n  - {name: Pronouns, options: [a]}\n  - {name: Page, in_profile_summary: true}\n  - {name: Born, type: date, in_profile_summary: true}\n  - {name: Came, type: date, in_profile_summary: true}\n  - {name: Site, options: [{text: Ghent, was: Oslo}]}\n  - {name: GitHub username, hint: mine}\n  - {name: Code, type: external_account, service: twitter}\n  - {name: Account, type: external_account}\n  - {name: Choice, type: select}\n  - {name: Bio, in_profile_summary: true}\n  - {name: Same, was: Renamed}\n",
    "output": "error[profile_fields/type]: the new profile field \"New\" needs a type\n  ┌─ realm.yaml:3:5\n3 │   - {name: New}\n  │     ^^^^^^^^^^^\n  = add type: short_text, long_text, select, date, link, users, external_account or pronouns"
  },
  "profile_fields/was": {
    "file": "version: 1\nprofile_fields:\n  - {name: '', type: date}\n  - {name: A name of a field that is longer than forty, type: date}\n  - {name: One, type: date, hint: A hint that has more than eighty characters is longer than what the server stores of it}\n  - {name: Two, type: date, options: [a]}\n  - {name: Three, type: short_text, service: github}\n  - {name: Four, type: select, options: []}\n  - {name: Five, type: select, options: [a, a, ' ', {text: b, was: x}, {text: c, was: x}]}\n  - {name: Six, type: external_account, service: github, url_pattern: 'https://x.example.org/%(username)s'}\n  - {name: Seven, type: external_account, url_pattern: 'x.example.org/%(username)s'}\n  - {name: Eight, type: external_account, url_pattern: 'https://x.example.org/'}\n  - {name: Nine, type: external_account, service: gihub}\n  - {name: Ten, type: users, in_profile_summary: true}\n  - {name: Eleven, absent: true, was: Twelve}\n  - {name: Thirteen, type: date, was: Thirteen}\n",
    "output": "warning[profile_fields/was]: `was` equals the current name\n   ┌─ realm.yaml:16:39\n16 │   - {name: Thirteen, type: date, was: Thirteen}\n   │                                       ^^^^^^^^ delete was"
  },
  "profiles/cycle": {
    "file": "version: 1\nprofiles:\n  one: {profile: one}\nchannels:\n  general: {profile: one}\n",
    "output": "error[profiles/cycle]: the profile \"one\" builds on itself\n  ┌─ realm.yaml:3:18\n3 │   one: {profile: one}\n  │                  ^^^ delete one of these profile: lines\n"
  },
  "profiles/not-a-map": {
    "file": "version: 1\nprofiles: [one]\nchannels: {}\n",
    "output": "error[profiles/not-a-map]: profiles is a map from names to sets of channel fields\n  ┌─ realm.yaml:2:11\n2 │ profiles: [one]\n  │           ^^^^^ write profiles: {announcement: {privacy: public}}\n"
  },
  "profiles/not-a-name": {
    "file": "version: 1\nprofiles:\n  one: {}\nchannels:\n  general: {profile: 1}\n  random: {profile: one}\n",
    "output": "error[profiles/not-a-name]: profile is the name of a profile, or a list of names\n  ┌─ realm.yaml:5:22\n5 │   general: {profile: 1}\n  │                      ^ write profile: announcement\n"
  },
  "profiles/own-field": {
    "file": "version: 1\nprofiles:\n  one: {id: 4}\nchannels:\n  general: {profile: one}\n",
    "output": "error[profiles/own-field]: id belongs to one channel and cannot be in a profile\n  ┌─ realm.yaml:3:9\n3 │   one: {id: 4}\n  │         ^^ write it in the channel\n"
  },
  "profiles/unknown": {
    "file": "version: 1\nprofiles:\n  a1: {}\nchannels:\n  general: {profile: [a1, zz]}\n",
    "output": "error[profiles/unknown]: there is no profile \"zz\"\n  ┌─ realm.yaml:5:27\n5 │   general: {profile: [a1, zz]}\n  │                           ^^ profiles: a1\n"
  },
  "profiles/unused": {
    "file": "version: 1\nprofiles:\n  one:\n    privacy: open\nchannels: {}\n",
    "output": "warning[profiles/unused]: nothing uses the profile \"one\"\n  ┌─ realm.yaml:3:3\n3 │   one:\n  │   ^^^ delete it, or write profile: in a channel\n"
  },
  "reference/deactivated-group": {
    "file": "version: 1\nchannels:\n  general:\n    permissions:\n      can_send_message_group: {groups: [staff, retired]}\n",
    "output": "error[reference/deactivated-group]: the group \"retired\" is deactivated\n  ┌─ realm.yaml:5:48\n5 │       can_send_message_group: {groups: [staff, retired]}\n  │                                                ^^^^^^^\n  = declare it under user_groups to reactivate it, or name another group\n"
  },
  "reference/deactivated-person": {
    "file": "version: 1\nuser_groups:\n  staff: {members: [bob@example.org]}\n",
    "output": "error[reference/deactivated-person]: the account of Bob Mora (bob@example.org) is deactivated\n  ┌─ realm.yaml:3:21\n3 │   staff: {members: [bob@example.org]}\n  │                     ^^^^^^^^^^^^^^^\n  = leave the person out, or name another: the server rejects deactivated accounts\n"
  },
  "reference/except": {
    "file": "version: 1\nchannels:\n  help: {subscribers: {groups: [leads], except: {users: [hana@acme.example]}}}\n  done: {subscribers: {groups: [leads], except: {users: [hana@acme.example]}}}\n  team: {subscribers: {groups: [leads], except: {groups: [role:members]}}}\n",
    "output": "warning[reference/except]: except of subscribers of the channel \"team\" leaves nobody in the list\n                                                                                      realm.yaml:5\n  name others in the list, or fewer in except"
  },
  "reference/held": {
    "file": "version: 1\nchannels:\n  misspelt: {folder: Comapny}\n  archived: {folder: Attic}\n",
    "output": "error[reference/held]: the channel \"archived\" is not created: something that it names is archived\n  or deactivated\n  ┌─ realm.yaml:4:3\n4 │   archived: {folder: Attic}\n  │   ^^^^^^^^ mend that error; everything that does not need it is planned"
  },
  "reference/leaving-person": {
    "file": "version: 1\npeople:\n  dmitri@acme.example: {deactivated: true}\nchannels:\n  board:\n    permissions:\n      can_subscribe_group: {users: [dmitri@acme.example]}\n    subscribers: {users: [Dmitri@acme.example]}\nuser_groups:\n  staff: {members: [dmitri@acme.example]}\nbots:\n  ci-bot: {owner: dmitri@acme.example}\n",
    "output": "error[reference/leaving-person]: this same file deactivates dmitri@acme.example\n   ┌─ realm.yaml:12:19\n12 │   ci-bot: {owner: dmitri@acme.example}\n   │                   ^^^^^^^^^^^^^^^^^^^\n   ┌─ realm.yaml:3:38\n 3 │   dmitri@acme.example: {deactivated: true}\n   │                                      ---- archived or deactivated here\n   = delete the address here, or keep the account: the server rejects deactivated accounts"
  },
  "reference/misspelt-channel": {
    "file": "version: 1\ndefault_channels: [generl, forge]\nchannels:\n  general: {}\n  forge: {privacy: open}\n",
    "output": "warning[reference/misspelt-channel]: \"generl\" is not declared in this file, and looks like\n  \"general\"\n  ┌─ realm.yaml:2:20\n2 │ default_channels: [generl, forge]\n  │                    ^^^^^^\n  = write \"general\", if it is meant; validate --snapshot (or --live) knows whether \"generl\" exists\n"
  },
  "reference/misspelt-folder": {
    "file": "version: 1\nchannel_folders: {Projects: {}}\nchannels:\n  forge: {folder: Project}\n  random: {privacy: open}\n",
    "output": "warning[reference/misspelt-folder]: \"Project\" is not declared in this file, and looks like\n  \"Projects\"\n  ┌─ realm.yaml:4:19\n4 │   forge: {folder: Project}\n  │                   ^^^^^^^\n  = write \"Projects\", if it is meant; validate --snapshot (or --live) knows whether \"Project\" exists\n"
  },
  "reference/misspelt-group": {
    "file": "version: 1\nchannels:\n  general:\n    permissions: {can_send_message_group: everyone}\n  random: {privacy: open}\n",
    "output": "warning[reference/misspelt-group]: \"everyone\" is not declared in this file, and looks like\n  \"role:everyone\"\n  ┌─ realm.yaml:4:43\n4 │     permissions: {can_send_message_group: everyone}\n  │                                           ^^^^^^^^\n  = write \"role:everyone\", if it is meant; validate --snapshot (or --live) knows whether \"everyone\"\n    exists\n"
  },
  "reference/not-an-address": {
    "file": "version: 1\npeople:\n  Ada Okafor: {role: owner}\n",
    "output": "error[reference/not-an-address]: \"ada okafor\" is not an e-mail address\n  ┌─ realm.yaml:3:3\n3 │   Ada Okafor: {role: owner}\n  │   ^^^^^^^^^^\n  = people are named by the e-mail address of their account; {id: 17} names somebody whose address\n    is hidden\n"
  },
  "reference/removed": {
    "file": "version: 1\nsettings: {new_stream_announcements_channel: general}\nchannels:\n  general: {archived: true}\n",
    "output": "error[reference/removed]: this file archives the channel \"general\", but this line names it\n  ┌─ realm.yaml:2:46\n2 │ settings: {new_stream_announcements_channel: general}\n  │                                              ^^^^^^^ keep it, or name another one\n  ┌─ realm.yaml:4:23\n4 │   general: {archived: true}\n  │                       ---- removed here"
  },
  "reference/renamed": {
    "file": "version: 1\nuser_groups:\n  crew: {was: staff}\nchannels:\n  general: {permissions: {can_send_message_group: staff}}\n",
    "output": "error[reference/renamed]: this file renames the group \"staff\" to \"crew\"\n  ┌─ realm.yaml:5:51\n5 │   general: {permissions: {can_send_message_group: staff}}\n  │                                                   ^^^^^ write \"crew\" here too\n"
  },
  "reference/unknown-group": {
    "file": "version: 1\nuser_groups:\n  staff: {subgroups: ['role:moderator']}\n",
    "output": "error[reference/unknown-group]: there is no role \"role:moderator\"\n  ┌─ realm.yaml:3:23\n3 │   staff: {subgroups: ['role:moderator']}\n  │                       ^^^^^^^^^^^^^^^^ did you mean \"role:moderators\"?\n  = if a newer server has this role, --live or --snapshot finds it\n"
  },
  "reference/unknown-person": {
    "file": "version: 1\nuser_groups:\n  staff: {members: [Ada Okafor]}\n",
    "output": "error[reference/unknown-person]: nobody here has the address \"Ada Okafor\"\n  ┌─ realm.yaml:3:21\n3 │   staff: {members: [Ada Okafor]}\n  │                     ^^^^^^^^^^ did you mean \"ada@example.org\"?\n"
  },
  "settings/archived-channel": {
    "file": "version: 1\nsettings:\n  authentication_methods: {email: true, Passkey: true}\n  new_stream_announcements_channel: anounce\n  signup_announcements_channel: old-news\n  zulip_update_announcements_channel: general\nchannels:\n  town-square: {was: general}\n",
    "output": "error[settings/archived-channel]: the channel \"old-news\" is archived\n  ┌─ realm.yaml:5:33\n5 │   signup_announcements_channel: old-news\n  │                                 ^^^^^^^^\n  = unarchive it under channels (archived: false), or name another one"
  },
  "settings/group-not-allowed": {
    "file": "version: 1\nsettings:\n  default_language: tlh\n  permissions: {can_create_groups: role:everyone}\n",
    "output": "error[settings/group-not-allowed]: can_create_groups cannot be role:everyone\n  ┌─ realm.yaml:4:36\n4 │   permissions: {can_create_groups: role:everyone}\n  │                                    ^^^^^^^^^^^^^\n  = guests cannot have this right; role:members has everybody who is no guest\n"
  },
  "settings/language": {
    "file": "version: 1\nsettings:\n  default_language: tlh\n  permissions: {can_create_groups: role:everyone}\n",
    "output": "warning[settings/language]: \"tlh\" is not a language of servers of feature level 442\n  ┌─ realm.yaml:3:21\n3 │   default_language: tlh\n  │                     ^^^\n  = other levels have other languages; the server rejects the whole request if it does not have the\n    language\n"
  },
  "settings/last-sign-in": {
    "file": "version: 1\nsettings:\n  authentication_methods: {Email: false}\n",
    "output": "error[settings/last-sign-in]: nobody could sign in: this disables the last sign-in method\n  ┌─ realm.yaml:3:27\n3 │   authentication_methods: {Email: false}\n  │                           ^^^^^^^^^^^^^^ keep one of them enabled: Email"
  },
  "settings/limited-plan": {
    "file": "version: 1\nsettings:\n  icon: branding/icon.png\n  logo: branding/logo.png\n  night_logo: null\n",
    "output": "error[settings/limited-plan]: logo is not in this organization's plan\n  ┌─ realm.yaml:4:9\n4 │   logo: branding/logo.png\n  │         ^^^^^^^^^^^^^^^^^ delete it from the file, or upgrade the organization's plan"
  },
  "settings/moderation-channel": {
    "file": "version: 1\nchannels:\n  Reports: {privacy: public}\nsettings: {moderation_request_channel: reports}\n",
    "output": "error[settings/moderation-channel]: the channel \"Reports\" is not private, and moderation requests\n  go to private channels only\n  ┌─ realm.yaml:4:40\n4 │ settings: {moderation_request_channel: reports}\n  │                                        ^^^^^^^\n  = make it private under channels, or name another one\n"
  },
  "settings/no-domain": {
    "file": "version: 1\nsettings:\n  default_language: xx\n  video_chat_provider: zoom\n  moderation_request_channel: general\n  emails_restricted_to_domains: true\nchannels: {general: {}}\n",
    "output": "error[settings/no-domain]: emails_restricted_to_domains allows no address at all: no domain is\n  allowed\n  ┌─ realm.yaml:6:33\n6 │   emails_restricted_to_domains: true\n  │                                 ^^^^ add a domain under domains, or leave the restriction off"
  },
  "settings/not-allowed": {
    "file": "version: 1\nuser_defaults: {enter_sends: true}\n",
    "output": "error[settings/not-allowed]: Chiara Moretti (chiara@acme.example), the account that runs this, may\n  not change the defaults of new accounts\n  ┌─ realm.yaml:2:1\n2 │ user_defaults: {enter_sends: true}\n  │ ^^^^^^^^^^^^^ only administrators of the organization may"
  },
  "settings/not-offered": {
    "file": "version: 1\nsettings:\n  default_avatar_source: gravatar\n  media_preview_size: 150\n  video_chat_provider: webex\n  permissions: {workplace_users_group: role:members}\n",
    "output": "error[settings/not-offered]: this server does not offer video_chat_provider: webex\n  ┌─ realm.yaml:5:24\n5 │   video_chat_provider: webex\n  │                        ^^^^^ it offers disabled and jitsi_meet"
  },
  "settings/owner-only": {
    "file": "version: 1\nsettings:\n  name: Acme Works\n  invite_required: false\n  waiting_period_threshold: 7d\n  message_retention_days: 30\n  authentication_methods: {Google: false}\n  permissions:\n    can_invite_users_group: role:moderators\n    can_create_bots_group: role:moderators\n",
    "output": "error[settings/owner-only]: Ben Lindqvist (ben@acme.example), the account that runs this, may not\n  change invite_required\n  ┌─ realm.yaml:4:20\n4 │   invite_required: false\n  │                    ^^^^^ only owners of the organization may; administrators may not"
  },
  "settings/picture-version": {
    "file": "version: 1\nsettings:\n  icon: {image: branding/icon.png, replaces: 2}\n  logo: branding/logo.png\n",
    "output": "warning[settings/picture-version]: the organization has no icon, so there is no version 2 to\nreplace                                                                               realm.yaml:3\n  write icon: with the path alone to upload the picture"
  },
  "settings/unknown-channel": {
    "file": "version: 1\nsettings:\n  authentication_methods: {email: true, Passkey: true}\n  new_stream_announcements_channel: anounce\n  signup_announcements_channel: old-news\n  zulip_update_announcements_channel: general\nchannels:\n  town-square: {was: general}\n",
    "output": "error[settings/unknown-channel]: there is no channel \"anounce\" here\n  ┌─ realm.yaml:4:37\n4 │   new_stream_announcements_channel: anounce\n  │                                     ^^^^^^^ did you mean \"announce\"?"
  },
  "settings/unknown-method": {
    "file": "version: 1\nsettings:\n  authentication_methods: {email: true, Passkey: true}\n  new_stream_announcements_channel: anounce\n  signup_announcements_channel: old-news\n  zulip_update_announcements_channel: general\nchannels:\n  town-square: {was: general}\n",
    "output": "error[settings/unknown-method]: this server has no sign-in method \"email\"\n  ┌─ realm.yaml:3:28\n3 │   authentication_methods: {email: true, Passkey: true}\n  │                            ^^^^^ did you mean \"Email\"?"
  },
  "settings/workplace-group": {
    "file": "version: 1\nsettings:\n  permissions: {workplace_users_group: staff, can_manage_all_groups: role:administrators}\n",
    "output": "warning[settings/workplace-group]: the server may refuse the group \"staff\" for\nworkplace_users_group: others than administrators can change its members, through can_leave_group\n                                                                                      realm.yaml:3\n  set can_leave_group to role:nobody, role:owners or role:administrators, or name a role"
  },
  "user_defaults/sound": {
    "file": "version: 1\nuser_defaults: {notification_sound: Chime}\n",
    "output": "error[user_defaults/sound]: this server has no sound \"Chime\"\n  ┌─ realm.yaml:2:37\n2 │ user_defaults: {notification_sound: Chime}\n  │                                     ^^^^^ did you mean \"chime\"?"
  },
  "user_groups/cycle": {
    "file": "version: 1\nuser_groups:\n  staff: {subgroups: [staff]}\n",
    "output": "error[user_groups/cycle]: the group \"staff\" cannot be in itself\n  ┌─ realm.yaml:3:23\n3 │   staff: {subgroups: [staff]}\n  │                       ^^^^^ delete it from the list\n"
  },
  "user_groups/group-not-allowed": {
    "file": "version: 1\nuser_groups:\n  crew: {permissions: {can_manage_group: role:everyone, can_mention_group: role:internet}}\n",
    "output": "error[user_groups/group-not-allowed]: can_manage_group cannot be role:everyone\n  ┌─ realm.yaml:3:42\n3 │   crew: {permissions: {can_manage_group: role:everyone, can_mention_group: role:internet}}\n  │                                          ^^^^^^^^^^^^^\n  = guests cannot have this right; role:members has everybody who is no guest\n"
  },
  "user_groups/in-use": {
    "file": "version: 1\nuser_groups:\n  day: {deactivated: true}\n  night: {deactivated: true}\n",
    "output": "error[user_groups/in-use]: the group day is still in use and cannot be deactivated\n  ┌─ realm.yaml:3:22\n3 │   day: {deactivated: true}\n  │                      ^^^^ name another group there first, in this file or by hand\n  = used as can_manage_group of night"
  },
  "user_groups/name": {
    "file": "version: 1\nuser_groups:\n  '': {}\n",
    "output": "error[user_groups/name]: the name of a group must not be empty\n  ┌─ realm.yaml:3:3\n3 │   '': {}\n  │   ^^ write a name before the colon\n"
  },
  "user_groups/name-taken": {
    "file": "version: 1\nuser_groups:\n  leads: {id: 30}\n  retired: {was: engineering}\n",
    "output": "error[user_groups/name-taken]: the id 30 is that of the group \"staff\", and \"leads\" is the name of\n  another group, with the id 32\n  ┌─ realm.yaml:3:15\n3 │   leads: {id: 30}\n  │               ^^\n  = write id: 32, or delete the id; to give this name to \"staff\", rename the other one: declare it\n    with was: \"leads\""
  },
  "user_groups/named-and-deactivated": {
    "file": "version: 1\nuser_groups:\n  staff: {deactivated: true}\n  leads: {permissions: {can_manage_group: staff}}\n",
    "output": "error[user_groups/named-and-deactivated]: can_manage_group of leads names staff, which this file\n  deactivates\n  ┌─ realm.yaml:4:43\n4 │   leads: {permissions: {can_manage_group: staff}}\n  │                                           ^^^^^ name another group, or keep this one"
  },
  "user_groups/not-allowed": {
    "file": "version: 1\nuser_groups:\n  fresh: {}\n",
    "output": "error[user_groups/not-allowed]: Dmitri Volkov (dmitri@acme.example), the account that runs this,\n  may not create groups\n  ┌─ realm.yaml:3:3\n3 │   fresh: {}\n  │   ^^^^^ it must be in the organization's can_create_groups, now or by this plan"
  },
  "user_groups/system-group": {
    "file": "version: 1\nuser_groups:\n  role:moderators: {members: [ada@example.org]}\n",
    "output": "error[user_groups/system-group]: \"role:moderators\" is one of the server's own groups, which nobody\n  can change\n  ┌─ realm.yaml:3:3\n3 │   role:moderators: {members: [ada@example.org]}\n  │   ^^^^^^^^^^^^^^^\n  = use it in every place that takes a group, without declaring it; for your own group choose\n    another name\n"
  },
  "vars/declaration": {
    "file": "version: 1\nvars:\n  on_call:\n",
    "output": "error[vars/declaration]: a variable is declared with its type, not with empty (null)\n  ┌─ realm.yaml:3:3\n3 │   on_call:\n  │   ^^^^^^^ write {type: string}\n"
  },
  "vars/in-key": {
    "file": "version: 1\nvars: {team: {type: string, default: blue}}\nchannels:\n  general:\n    ${team}: x\n",
    "output": "error[vars/in-key]: ${team} is in a name, and names cannot contain variables\n  ┌─ realm.yaml:5:5\n5 │     ${team}: x\n  │     ^^^^^^^\n  = write the name in full; objects whose names differ between organizations are different objects\n  = write $${team} for the characters themselves\n"
  },
  "vars/inside-text": {
    "file": "version: 1\nvars: {old: {type: boolean, default: true}}\nchannels:\n  general:\n    description: Old is ${old}\n",
    "output": "error[vars/inside-text]: the value of ${old} is true and cannot be inside a string\n  ┌─ realm.yaml:5:18\n5 │     description: Old is ${old}\n  │                  ^^^^^^^^^^^^^\n  ┌─ realm.yaml:2:38\n2 │ vars: {old: {type: boolean, default: true}}\n  │                                      ---- the value of ${old} is written here\n  = make it the whole value, or use a variable that is a string or a number\n"
  },
  "vars/name": {
    "file": "version: 1\nvars:\n  On-Call: {type: group, default: staff}\n",
    "output": "error[vars/name]: \"On-Call\" cannot be the name of a variable\n  ┌─ realm.yaml:3:3\n3 │   On-Call: {type: group, default: staff}\n  │   ^^^^^^^\n  = a name consists of lower-case letters, digits and underscores, and starts with a letter\n"
  },
  "vars/nested": {
    "file": "version: 1\nvars:\n  a: {type: string, default: x}\n  b: {type: string, default: \"${a}\"}\nchannels:\n  general: {description: \"${a} ${b}\"}\n",
    "output": "error[vars/nested]: the value of a variable cannot refer to another variable\n  ┌─ realm.yaml:4:30\n4 │   b: {type: string, default: \"${a}\"}\n  │                              ^^^^^^ write the value in full\n"
  },
  "vars/no-value": {
    "file": "version: 1\nvars:\n  site: {from: env, name: SITE}\nchannels:\n  general:\n    description: ${site}\n",
    "output": "error[vars/no-value]: the variable \"site\" has no value: SITE of the environment is empty or not\n  set\n  ┌─ realm.yaml:3:3\n3 │   site: {from: env, name: SITE}\n  │   ^^^^ set SITE, write --set site=VALUE, or give the variable a default\n"
  },
  "vars/not-a-map": {
    "file": "version: 1\nvars: [lead]\n",
    "output": "error[vars/not-a-map]: vars is a map from names of variables to what they are, not a list\n  ┌─ realm.yaml:2:7\n2 │ vars: [lead]\n  │       ^^^^^^ write vars: {on_call: {type: group}}\n"
  },
  "vars/not-here": {
    "file": "version: 1\nvars: {host: {type: string, default: chat.example.org}}\nrealm: https://${host}\nchannels:\n  general:\n    description: ${host}\n",
    "output": "error[vars/not-here]: realm cannot refer to a variable: it says which organization this file is\n  for\n  ┌─ realm.yaml:3:8\n3 │ realm: https://${host}\n  │        ^^^^^^^^^^^^^^^ write the URL in full, in the file of the organization\n"
  },
  "vars/reference": {
    "file": "version: 1\nvars: {days: {type: integer, default: 3}}\nchannels:\n  general:\n    description: ${days\n    message_retention_days: ${days}\n",
    "output": "error[vars/reference]: a reference that starts with ${ never ends\n  ┌─ realm.yaml:5:18\n5 │     description: ${days\n  │                  ^^^^^^ end it with }, or write $${ for the characters themselves\n"
  },
  "vars/secret": {
    "file": "version: 1\nvars:\n  site: {from: env, name: ZULIP_API_KEY}\nchannels:\n  general:\n    description: ${site}\n",
    "output": "error[vars/secret]: ZULIP_API_KEY is the name of a secret, and what a field of the organization\n  has is shown to its people\n  ┌─ realm.yaml:3:27\n3 │   site: {from: env, name: ZULIP_API_KEY}\n  │                           ^^^^^^^^^^^^^ name a variable of the environment that is no secret\n"
  },
  "vars/type": {
    "file": "version: 1\nvars: {name: {type: string}}\nvalues: {name: 2026}\nchannels:\n  general:\n    description: ${name}\n",
    "output": "error[vars/type]: the variable \"name\" is a string, not 2026\n  ┌─ realm.yaml:3:16\n3 │ values: {name: 2026}\n  │                ^^^^ put it in quotes: \"2026\"\n  ┌─ realm.yaml:2:21\n2 │ vars: {name: {type: string}}\n  │                     ------ declared here\n"
  },
  "vars/type-unknown": {
    "file": "version: 1\nvars:\n  days: {default: 30}\n",
    "output": "error[vars/type-unknown]: the variable \"days\" has no type\n  ┌─ realm.yaml:3:9\n3 │   days: {default: 30}\n  │         ^^^^^^^^^^^^^ types: string, integer, boolean, group, person and channel\n"
  },
  "vars/undeclared": {
    "file": "version: 1\nchannels:\n  general:\n    description: Ask ${lead}\n",
    "output": "error[vars/undeclared]: there is no variable \"lead\"\n  ┌─ realm.yaml:4:22\n4 │     description: Ask ${lead}\n  │                      ^^^^^^^ declare it under vars: (vars: {lead: {type: string}})\n  = write $${lead} for the characters themselves\n"
  },
  "vars/unused": {
    "file": "version: 1\nvars:\n  days: {type: integer, default: 30}\nchannels:\n  general: {privacy: open}\n",
    "output": "warning[vars/unused]: nothing refers to the variable \"days\"\n  ┌─ realm.yaml:3:3\n3 │   days: {type: integer, default: 30}\n  │   ^^^^ delete it, or write ${days} where its value belongs\n"
  },
  "yaml/anchor": {
    "file": "version: 1\nchannels: &a &b {}\n",
    "output": "error[yaml/anchor]: this anchor or alias is malformed: a node can have at most one anchor\n  ┌─ realm.yaml:2:14\n2 │ channels: &a &b {}\n  │              ^^\n"
  },
  "yaml/directive": {
    "file": "%YAML 1.1\n---\nversion: 1\nchannels:\n  general: {}\n",
    "output": "error[yaml/directive]: directives are not supported\n  ┌─ realm.yaml:1:1\n1 │ %YAML 1.1\n  │ ^^^^^^^^^ delete the line: files are YAML 1.2\n"
  },
  "yaml/duplicate-key": {
    "file": "version: 1\nchannels:\n  general: {}\n  \"general\": {}\n",
    "output": "error[yaml/duplicate-key]: \"general\" is written twice\n  ┌─ realm.yaml:4:3\n4 │   \"general\": {}\n  │   ^^^^^^^^^ keep one of the two\n  ┌─ realm.yaml:3:3\n3 │   general: {}\n  │   ------- first written here\n"
  },
  "yaml/empty": {
    "file": "",
    "output": "error[yaml/empty]: realm.yaml is empty\n  ┌─ realm.yaml:1:1\n1 │\n  │ ^ start with \"version: 1\"\n"
  },
  "yaml/invisible-character": {
    "file": "version: 1\nchannels:\n  general: {priv​acy: public}\n",
    "output": "warning[yaml/invisible-character]: there is an invisible character here: U+200B\n  ┌─ realm.yaml:3:17\n3 │   general: {priv\\u200bacy: public}\n  │                 ^^^^^^\n  = delete it, or write it as an escape in double quotes so that reviewers see it\n"
  },
  "yaml/key-not-text": {
    "file": "version: 1\nchannels:\n  ~: {}\n",
    "output": "error[yaml/key-not-text]: the key ~ is not a string\n  ┌─ realm.yaml:3:3\n3 │   ~: {}\n  │   ^ put it in quotes: \"~\"\n"
  },
  "yaml/leading-zero": {
    "file": "version: 1\nchannels:\n  general: {message_retention_days: 030}\n",
    "output": "error[yaml/leading-zero]: 030 means 30 in YAML 1.2 and something else in older YAML\n  ┌─ realm.yaml:3:37\n3 │   general: {message_retention_days: 030}\n  │                                     ^^^ write 30, or \"030\" in quotes if it is a string\n"
  },
  "yaml/merge": {
    "file": "version: 1\nchannels:\n  general:\n    <<: public\n",
    "output": "error[yaml/merge]: << inserts the fields of a map, and this is not a map\n  ┌─ realm.yaml:4:9\n4 │     <<: public\n  │         ^^^^^^ write <<: *name of an anchored map\n"
  },
  "yaml/not-a-map": {
    "file": "channels\n",
    "output": "error[yaml/not-a-map]: a file is a map of sections, and this is a single value\n  ┌─ realm.yaml:1:1\n1 │ channels\n  │ ^^^^^^^^\n  = name the YAML file of the organization; it starts with \"version: 1\", and realmctl init writes a\n    first one\n"
  },
  "yaml/number": {
    "file": "version: 1\nchannels:\n  general: {message_retention_days: .inf}\n",
    "output": "error[yaml/number]: .inf is not a number that can be stored\n  ┌─ realm.yaml:3:37\n3 │   general: {message_retention_days: .inf}\n  │                                     ^^^^ write a number, or put a string in quotes\n"
  },
  "yaml/other-format": {
    "file": "version = 1\n[channels.general]\ndescription = \"x\"\n",
    "output": "error[yaml/other-format]: this is TOML or INI, not YAML: = sets nothing\n  ┌─ realm.yaml:1:1\n1 │ version = 1\n  │ ^^^^^^^ write \"key: value\", and fields indented below their section\n"
  },
  "yaml/recursive-alias": {
    "file": "version: 1\nchannels:\n  general: &g\n    subscribers: {groups: [*g]}\n",
    "output": "error[yaml/recursive-alias]: *g is inside the value that it repeats\n  ┌─ realm.yaml:4:28\n4 │     subscribers: {groups: [*g]}\n  │                            ^^ write the value in full\n"
  },
  "yaml/several-documents": {
    "file": "---\nversion: 1\nchannels: {}\n---\n",
    "output": "error[yaml/several-documents]: a second document starts here, and the second one is empty\n  ┌─ realm.yaml:4:1\n4 │ ---\n  │ ^^^ delete this line\n"
  },
  "yaml/syntax": {
    "file": "version: 1\nchannels: &\n  general: {}\n",
    "output": "error[yaml/syntax]: a value cannot start with &\n  ┌─ realm.yaml:2:11\n2 │ channels: &\n  │           ^ put it in quotes\n"
  },
  "yaml/tab": {
    "file": "version: 1\nchannels:\n\tgeneral: {}\n",
    "output": "error[yaml/tab]: a tab cannot indent a line\n  ┌─ realm.yaml:3:1\n3 │     general: {}\n  │ ^^^^ indent with spaces\n"
  },
  "yaml/tag": {
    "file": "version: 1\nchannels:\n  general:\n    description: !!binary aGVsbG8=\n",
    "output": "error[yaml/tag]: the tag !!binary is not supported\n  ┌─ realm.yaml:4:18\n4 │     description: !!binary aGVsbG8=\n  │                  ^^^^^^^^ delete it: values are plain\n"
  },
  "yaml/typographic-quotes": {
    "file": "version: 1\nchannels:\n  general:\n    “description”: hello\n",
    "output": "warning[yaml/typographic-quotes]: the typographic quotes of “description” are part of the text:\n  only plain ones are quotes in YAML\n  ┌─ realm.yaml:4:5\n4 │     “description”: hello\n  │     ^^^^^^^^^^^^^ type them again as \"…\"; if they are meant, put plain quotes around all of it\n"
  },
  "yaml/unknown-anchor": {
    "file": "version: 1\nchannels:\n  general: &base {privacy: public}\n  random: *bas\n",
    "output": "error[yaml/unknown-anchor]: there is no anchor &bas above\n  ┌─ realm.yaml:4:11\n4 │   random: *bas\n  │           ^^^^ did you mean *base?\n"
  }
};
