import type { Catalogue } from "../page.ts";

/** Codes about questions of who may do what. */
export const ACCESS_CODES = {
  "access/ambiguous": [
    "What is asked about has a name that several things have: a channel, a group or people.",
    "Write `#name` for the channel, `user_group:name` for the group, the address for a person.",
  ],
  "access/groups-of-nobody": [
    "`--groups` says in which groups somebody is, and nothing says of what role they are.",
    "Add `--as member`, or another role.",
  ],
  "access/nothing-asked": [
    "The command was not asked anything.",
    "Name a channel (`'#name'`), a group (`user_group:name`), `organization` or somebody's address, or use `--as` or `--plan`.",
  ],
  "access/plan-of-person": [
    "What a plan changes is asked of one object or of all of them, not of a person.",
    "Name a channel or a group, or nothing; `--format csv` has a line for each person.",
  ],
  "access/right-of-other": [
    "The right is one of other objects: nobody can post in a group.",
    "Ask for one of the rights that the message lists.",
  ],
  "access/two-questions": [
    "`--as` asks what somebody of a role may do, and a channel, group or person is named besides.",
    "Ask one of the two.",
  ],
  "access/unknown": [
    "No channel, group or person has this name or address.",
    "Take what the message suggests. Channels are written `'#name'`, in quotes, or the shell takes them for a comment.",
  ],
  "access/unknown-group": [
    "No group has the name that `--groups` says.",
    "Correct the name; commas stand between several.",
  ],
  "access/unknown-right": [
    "The word is no right, in plain words or in the API's.",
    "Take what the message suggests; `realmctl access organization` and `realmctl access '#channel'` list them.",
  ],
  "access/unknown-role": [
    "There is no such role.",
    "Write `owner`, `administrator`, `moderator`, `member` or `guest`.",
  ],
} as const satisfies Catalogue;
