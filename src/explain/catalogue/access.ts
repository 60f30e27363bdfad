import type { Catalogue } from "../page.ts";

/** Codes about questions of who may do what. */
export const ACCESS_CODES = {
  "access/ambiguous": [
    "The name in the question stands for more than one object: a channel, a group or people.",
    "Write `#name` for the channel, `user_group:name` for the group, the address for a person.",
  ],
  "access/groups-of-nobody": [
    "`--groups` says which groups somebody is in, but nothing says which role they have.",
    "Add `--as member`, or another role.",
  ],
  "access/nothing-asked": [
    "The command has no question.",
    "Name a channel (`'#name'`), a group (`user_group:name`), `organization` or somebody's address, or use `--as` or `--plan`.",
  ],
  "access/plan-of-person": [
    "`--plan` shows what a plan changes for one object or for all of them, not for a person.",
    "Name a channel or a group, or nothing; `--format csv` has a line for each person.",
  ],
  "access/right-of-other": [
    "Objects of this type do not have this right: nobody can post in a group.",
    "Ask for one of the rights that the message lists.",
  ],
  "access/two-questions": [
    "`--as` asks what somebody with a role may do, but the command also names a channel, a group or a person.",
    "Ask one question at a time.",
  ],
  "access/unknown": [
    "No channel, group or person has this name or address.",
    "Take what the message suggests. Write channels as `'#name'`, in quotes; otherwise the shell takes them for a comment.",
  ],
  "access/unknown-group": [
    "No group has the name that `--groups` gives.",
    "Correct the name; separate several names with commas.",
  ],
  "access/unknown-right": [
    "The word is not the name of a right, neither in plain words nor in the API.",
    "Take what the message suggests; `realmctl access organization` and `realmctl access '#channel'` list them.",
  ],
  "access/unknown-role": [
    "There is no such role.",
    "Write `owner`, `administrator`, `moderator`, `member` or `guest`.",
  ],
  "rules/as-is-of-nothing": [
    "`--as-is` looks at an organization as it is, without the file, and no organization was named.",
    "Add `--snapshot FILE` or `--live`.",
  ],
  "rules/broken": [
    "A rule about access does not hold.",
    "Change what gives the right (the message names it, and the line), or the rule.",
  ],
  "rules/contradiction": [
    "Two rules, or two parts of one, contradict each other: one of them does not hold, whatever the settings are. It is a warning if this is true only for the people and channels of this organization.",
    "Keep one of the two, or take the person or the object out of one.",
  ],
  "rules/empty-part": [
    "`can`, `cannot`, `rights` or `fields` of a rule is empty, so that the rule expects nothing there.",
    "Write what is expected, or delete the line.",
  ],
  "rules/empty-expectation": [
    "The rule names a right or a field, but says nothing about it.",
    "Write `exactly`, `allow`, `deny`, `only`, `at_least` or `at_most`; of a field `is`, `not` or `has`.",
  ],
  "rules/field-of-other": [
    "The objects that the rule names do not have this field.",
    "Name channels for fields of channels, `user_group:NAME` for fields of groups.",
  ],
  "rules/misplaced": [
    "`can` and `cannot` belong to rules about people (`who`), `rights` and `fields` to rules about objects (`objects`).",
    "Make two rules of it.",
  ],
  "rules/never-fails": [
    "A part of the rule can never fail, or never hold, so it protects nothing. It is a warning if this is true only for this organization as it is now: another one may have such people or channels.",
    "Correct it, or delete it. You can ignore the warning if the rule is meant for later.",
  ],
  "rules/no-expectation": [
    "The rule names people or objects, but has no expectation.",
    "Add `can`, `cannot`, `rights` or `fields`.",
  ],
  "rules/no-fields-here": [
    "`fields` are expected of channels and groups. The organization has rights only.",
    "Name channels or groups under `objects`; for the organization write `rights`.",
  ],
  "rules/no-match": [
    "A pattern matches no channel or group: the rule would hold for nothing.",
    "Correct it. With `--snapshot` or `--live`, the rule also finds objects that only the server has.",
  ],
  "rules/no-subject": ["The rule names neither people nor objects.", "Add `who` or `objects`."],
  "rules/right-of-other": [
    "The objects that the pattern matches do not have this right.",
    "Name channels by name, groups as `user_group:NAME`, the whole organization as `organization`.",
  ],
  "rules/same-name": ["Two rules have the same name, so reports could not tell them apart.", "Give one another name."],
  "rules/too-much": [
    "Checking these rules would take too much work: it grows with the number of rules, objects and people, and no file of a real organization needs so much.",
    "Name fewer objects in a rule, or put rules into several files and check each with `--rules`.",
  ],
  "rules/two-kinds": ["A rule is about people or about objects; this one is about both.", "Make two rules of it."],
  "rules/unfit-field": [
    "Nothing can be expected of this field in this way: it is a list, it is the same for every object in use, or `has` is used for a field that names nobody.",
    "Write `rights` for who can do what, or `is` and `not`.",
  ],
  "rules/unknown-expectation": [
    "The word below a right or a field has no meaning there.",
    "Of a right write `exactly`, `allow`, `deny`, `only`, `at_least` or `at_most`; of a field `is`, `not` or `has`.",
  ],
  "rules/unknown-field": [
    "No channel or group has a field with this name.",
    "Fields have the names that realm.yaml gives them.",
  ],
  "rules/unknown-name": [
    "No person, group or folder has this name or address. With the file alone, this is a warning if the file has a similar name.",
    "Correct it. Roles are written `role:moderators`. With `--snapshot` or `--live`, the rule also finds objects that only the server has.",
  ],
  "rules/unknown-right": [
    "The word is not the name of a right, neither in plain words nor in the API.",
    "Take what the message suggests.",
  ],
  "rules/no-rules": [
    "There is no file of rules, or it has no rule: `tests` is missing or an empty list. A test without rules must not pass.",
    "Write one below `tests:`; `realmctl test --suggest` prints rules that are true today, as a start. Remove the file if you want none.",
  ],
  "rules/undecided": [
    "The data does not show whether a rule holds. The file alone does not say which values the fields have that it leaves out, who has a role, or who belongs to a group that it does not declare.",
    "Write the fields, or `unset: default` for the section; or check the rules with `--snapshot` or `--live`.",
  ],
  "rules/version": ["The version of the file is not 1, the only one that exists.", "Write `version: 1`."],
} as const satisfies Catalogue;
