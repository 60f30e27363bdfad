import type { Catalogue } from "../page.ts";

/** Codes about the text of files: YAML, includes, variables, profiles, and the forms of sections and fields. */
export const FILE_CODES = {
  "yaml/alias-bomb": [
    "Aliases stand for more than a million values. Lists of aliases of lists of aliases multiply, and nobody writes them on purpose.",
    "Write the values out, or use profiles and defaults.",
  ],
  "yaml/anchor": [
    "An anchor (`&name`) or an alias (`*name`) has no name, or two.",
    "Write `&name` before a value and `*name` where it is repeated.",
  ],
  "yaml/control-character": [
    "The file contains a character that YAML forbids, such as NUL, an escape character, or a carriage return that ends no line.",
    'Delete it. A text that needs it writes it as an escape in double quotes: `"\\u001b"`.',
  ],
  "yaml/directive": [
    "The file starts with a directive (`%YAML`, `%TAG`). Files are YAML 1.2 without any.",
    "Delete the line.",
  ],
  "yaml/duplicate-key": [
    "A key is written twice in one map. Programs disagree about which of the two counts, so realmctl accepts neither.",
    "Keep one of the two; the note shows the first.",
  ],
  "yaml/empty": [
    "The file is empty, or has only comments.",
    "Start with `version: 1`. To manage nothing, that line alone is enough.",
  ],
  "yaml/encoding": [
    "The file is not UTF-8, or was damaged by a program that took it for something else.",
    "Save it as UTF-8, and write the damaged characters again.",
  ],
  "yaml/invisible-character": [
    "The text has an invisible character, or one that changes the order in which a line is shown. A reviewer would approve something other than what realmctl does.",
    "Delete it, or write it as an escape in double quotes.",
  ],
  "yaml/key-not-text": [
    "A key is a number, true, false, null, a list or a map. Keys are names.",
    "Put it in quotes if it is a name; write one before the colon if it is missing.",
  ],
  "yaml/leading-zero": [
    "A number starts with a zero. YAML 1.2 reads it as a decimal number, older YAML as an octal one.",
    "Delete the zeros, or put it in quotes if it is a string.",
  ],
  "yaml/merge": [
    "`<<` takes over the fields of a map, but its value is not a map.",
    "Write `<<: *name` of a map with the anchor `&name`.",
  ],
  "yaml/not-a-map": [
    "The file is a list or a single value. A file is a map of sections.",
    "Start with `version: 1`, and write each section on a separate line.",
  ],
  "yaml/number": [
    "A number cannot be kept exactly: it is too large, has too many digits, or is not finite.",
    "Write fewer digits, or put it in quotes if it is a string.",
  ],
  "yaml/other-format": [
    "The file is something else than YAML: a web page, a zuliprc, a diff, TOML, Terraform, a pointer of Git LFS, or YAML that was pasted with the fences of Markdown or the line of a terminal around it.",
    "Follow the hint, or name another file.",
  ],
  "yaml/recursive-alias": ["An alias is inside the value that it repeats.", "Write the value out."],
  "yaml/several-documents": [
    "A second document starts here (`---`). One file is one document.",
    "Put the rest into a separate file and include it.",
  ],
  "yaml/syntax": [
    "The text is not YAML. The message shows where reading stopped; the error is there or a little above.",
    "Follow the hint. Strings with `: ` or ` #`, or with a bracket or brace at the start, need quotes.",
  ],
  "yaml/tab": [
    "A line is indented with a tab. YAML allows only spaces, because editors do not agree on the width of a tab.",
    "Replace the tabs with spaces.",
  ],
  "yaml/tag": [
    "A value has a tag (`!name`). Values are plain: strings, numbers, true, false, null, lists and maps.",
    "Delete the tag.",
  ],
  "yaml/too-deep": [
    "More than 100 lists and maps are nested in each other.",
    "Look for a bracket that is never closed.",
  ],
  "yaml/too-large": [
    "The file is larger than 32 MB; ten thousand channels take 4 MB.",
    "Split it and join the parts with `include`.",
  ],
  "yaml/typographic-quotes": [
    "A key or a value is between typographic quotes, as word processors and messengers make them. YAML takes them for letters, so a channel would be called “general” with its quotes.",
    "Type plain quotes. If the typographic ones are meant, put plain quotes around them, too.",
  ],
  "yaml/unknown-anchor": [
    "An alias (`*name`) repeats an anchor that is not set above it.",
    "Set the anchor (`&name`) before it is used, or correct the name.",
  ],
  "config/cannot-read": [
    "The named file, or `realm.yaml` if no file was named, cannot be read.",
    "Name the file as an argument, or change to the directory that contains it.",
  ],
  "config/contradiction": [
    "`absent` and `archived` (or `deactivated`) of one object contradict each other.",
    "Keep one of them.",
  ],
  "config/declared-twice": [
    "Two entries are the same object to the server: it compares the names of channels and folders without case, and those of domains in lower case.",
    "Keep one of the two; the note shows the first.",
  ],
  "config/exact-without-section": [
    "`manage` says `exact` for a section that the file does not have. That may mean that all objects should be removed, or somebody forgot to delete the line.",
    "Delete the line to leave the section alone, or add the section. An empty section removes all its objects.",
  ],
  "config/policy": [
    "`manage` maps sections (or `default`, for those without a policy of their own) to `ignore`, `additive` or `exact`, or to a map with one of these as `policy`; this is something else.",
    "Choose one of the three. Sections that are not named are additive, or what `default` says.",
  ],
  "config/realm": [
    "`realm` is not the URL of an organization: it has no scheme, a path, or credentials in it.",
    "Write it like `https://chat.example.org`. Credentials come from the environment or a zuliprc, never from this file.",
  ],
  "config/renamed-twice": ["Two objects of the file have the same `was`.", "Keep `was` in the object that is renamed."],
  "config/same-id": ["Two objects of the file have the same id.", "Keep `id` in one of them."],
  "config/invisible-in-name": [
    "The name of an object, as it is or written with an escape, has a character that nobody sees, or one that changes the order in which letters are shown. People would take it for another name.",
    "Delete the character from the name. If the object has this name on the server, rename it there, or with `was`.",
  ],
  "config/comment-as-value": [
    "What follows ` #` on a line is a comment in YAML, so `description: #eng talk` has no value, and a field without a value is cleared. People write it because channels have a `#`. A right with nothing behind its colon belongs to nobody, and is mostly a line that somebody did not finish.",
    "Put the text in quotes. If the field should be cleared, write `null` before the comment. Write who has the right, `role:nobody` if nobody has it, or delete the line.",
  ],
  "config/placeholder": [
    "A text looks as if another program (`{{ name }}`, `%NAME%`, `$NAME`), or somebody (`TODO`, `CHANGEME`, `<name>`), should have filled it in. It is planned as it is written.",
    "Write the value, or declare a variable under `vars` and write `${name}`. If it is the text itself, leave it; as the value of a variable it has no warning.",
  ],
  "config/same-letters": [
    "Two names look the same, in the file or one of them on the server: a letter is one of another script (a Cyrillic о in `tоp`), an é is one character or an e followed by an accent, or one name has a character that nobody sees. Of user groups, also names that differ only in capital letters (`Vault` beside `vault`): other names are equal to the server then. The server takes them for two names, so a plan would create a second object beside the first, or give an object a name that people take for another one's.",
    "Copy the name from the organization, or write it in both places in the same way. Give one of the two a name that looks different if there are to be two.",
  ],
  "config/section": [
    "A section has the wrong form: it must be a map of names, a list, or a map of fields.",
    "Write it as the hint shows. An empty section is `{}` or `[]`; a section that is left out is not managed.",
  ],
  "config/unknown-section": [
    "There is no section with this name.",
    "Correct the name; [the reference](../../reference/README.md) lists all of them.",
  ],
  "config/unset": [
    "A section in `manage` has more than a policy, and something in it is wrong: a key other than `policy`, `except` and `unset`, an `except` that is no list of names, or that is of a section which exists once or of people, a word other than `default` and `leave`, `unset: default` for a section whose fields have no known defaults, or `unset: default` for an ignored section. A pattern of `except` that matches nothing on the server is a warning: of a name without `*`, and where the plan removes something.",
    "Write `manage: {channels: {policy: additive, unset: default}}`. Sections without defaults (people, invitations, emoji …) are compared only in the fields that their items have.",
  ],
  "config/version": [
    "The file does not say which version of the format it is written in, or says one that this realmctl does not read.",
    "Start it with `version: 1`.",
  ],
  "file/cannot-read": [
    "A file that an entry names, such as the picture of an emoji, cannot be read.",
    "Correct the path: it is relative to the file that names it.",
  ],
  "file/changed": [
    "A file that the plan sends was changed after planning: its SHA-256 differs. Nothing was sent.",
    "Plan again, and review that plan; or restore the planned file.",
  ],
  "file/cut-off": [
    "The file ends in the middle of the picture, as after an interrupted copy.",
    "Copy or save it again.",
  ],
  "file/dimensions": [
    "The picture has no pixels, or more pixels than servers accept.",
    "Save it with fewer pixels: emoji, icons and logos are shown small.",
  ],
  "file/lfs-pointer": [
    "The picture is stored in Git LFS. The checkout has only a pointer to it.",
    "Fetch it before planning: `git lfs pull`, or `lfs: true` for actions/checkout. Where a job reads a pull request through GitHub's API, keep the picture itself in the repository.",
  ],
  "file/no-image": [
    "The content of the file is not a picture that servers accept. Its name does not matter.",
    "Save it as PNG, JPEG, GIF or WebP.",
  ],
  "file/not-there": [
    "`apply` cannot read a file that the plan sends. Nothing was sent.",
    "Run `apply` where the configuration and the files that it names are, at the same paths as for the plan.",
  ],
  "file/outside": [
    "A path leads out of the directory of the main file, so that a plan could send files that nobody reviews.",
    "Put the file beside the main file or below it.",
  ],
  "file/too-large": ["The file is larger than servers accept.", "Save it with fewer pixels."],
  "file/too-many": [
    "The configuration names more files than realmctl reads: at most 1,000 files, or 256 MB together.",
    "Name fewer or smaller files.",
  ],
  "include/cannot-read": [
    "An included file cannot be read.",
    "Correct the path; it is relative to the file that includes it.",
  ],
  "include/cycle": ["A file includes itself, directly or through others.", "Delete one of the includes."],
  "include/declared-twice": [
    "Two files declare the same key of a section, or give values that cannot be merged.",
    "Keep one of the two; the note shows the first.",
  ],
  "include/no-match": [
    "No file matches the pattern of an include. That is dangerous: with `exact`, a plan would remove everything that the files declared.",
    "Correct it; it is relative to the file that includes. `*` matches within a name, `**` any directories. If there may be no match, write `{path: local/*.yaml, optional: true}`.",
  ],
  "include/not-a-list": [
    "`include` is a path, `{path: …, optional: true}`, or a list of these.",
    "Write `include: [channels/*.yaml]`; a path that looks like a number needs quotes.",
  ],
  "include/outside": [
    "An include leads out of the repository of the main file (the nearest directory above with a `.git`; without one, the file's own directory), so that a plan could depend on files that nobody reviews; or it is the directory of the file itself.",
    "Put the file into the repository. To include all files of a directory, write a pattern: `*.yaml`.",
  ],
  "include/too-large-together": [
    "The file and what it includes are larger than 64 MB together; an organization with 10,000 channels takes 4 MB.",
    "Look for an include that matches too much, or keep a file for each organization.",
  ],
  "include/too-many": [
    "More than a thousand files are included, or a pattern looks at more than 10,000 files and directories.",
    "Look for a pattern that matches too much, or starts too far up.",
  ],
  "include/url": [
    "An include is an address on the web. Everything that a plan is made from must be in the repository, where it is reviewed.",
    "Keep a copy of that file below the main file's directory, and include the copy.",
  ],
  "profiles/cycle": ["A profile builds on itself, directly or through others.", "Delete one of these `profile` lines."],
  "profiles/not-a-map": [
    "`profiles` maps names to sets of channel fields; this is something else.",
    "Write `profiles: {announcement: {privacy: public}}`.",
  ],
  "profiles/not-a-name": [
    "`profile` is the name of a profile, or a list of names.",
    "Write `profile: announcement`, or `profile: [announcement, quiet]`.",
  ],
  "profiles/own-field": [
    "`id` and `was` belong to one channel, so several channels cannot share them.",
    "Write the field in the channel.",
  ],
  "profiles/too-deep": [
    "More than fifty profiles build on each other, or are named in one list.",
    "Name a few in a list instead: `profile: [one, other]`.",
  ],
  "reference/removed": [
    "The file names an object in one place and removes it in another: by `absent`, `archived` or `deactivated`, or because the section is `exact` and does not declare it. An apply would stop halfway, or realmctl would refuse the file afterwards.",
    "Declare the object so that it stays, or name another one; the note shows what removes it.",
  ],
  "profiles/unknown": [
    "A channel uses a profile that is not declared.",
    "Correct the name, or declare it under `profiles`.",
  ],
  "profiles/unused": ["No channel uses this profile.", "Delete it, or use it."],
  "defaults/not-a-map": [
    "`defaults` maps sections to fields; this is something else.",
    "Write `defaults: {channels: {privacy: public}}`.",
  ],
  "defaults/own-field": [
    "A field that identifies an object, or that removes it, has no default: objects cannot share it.",
    "Write it in the object itself.",
  ],
  "defaults/section": [
    "There are no defaults for a section with this name: there is no such section, or its items have no fields.",
    "Correct the name.",
  ],
  "vars/declaration": [
    "A variable is declared with a map: its `type`, and optionally a sentence `about` it and a `default`. Its value can come from the environment: `from: env`, with the `name` that it has there.",
    "Write `on_call: {type: group}`, and its value under `values`; or `site: {from: env, name: SITE}`.",
  ],
  "vars/in-key": [
    "A name contains a reference. Names identify objects from run to run, and people search for them, so names cannot contain variables.",
    "Write the name out. Declare an object that only one organization has in the file of that organization.",
  ],
  "vars/inside-text": [
    "The value of a variable is true, false or `{id: …}`, and cannot be part of a string.",
    "Make the reference the whole value, or use a variable that is a string or a number.",
  ],
  "vars/name": [
    "This cannot be the name of a variable.",
    "Use lower-case letters, digits and underscores, starting with a letter.",
  ],
  "vars/nested": [
    "The value of a variable refers to another variable. Values are plain, so that everybody who reads one knows what it is.",
    "Write it out.",
  ],
  "vars/no-value": [
    "A variable has neither a value under `values` nor a default, no option gives it one, and with `from: env` the environment has none or the Action's input `env` does not name it.",
    "Write its value in the file of the organization, or a `default` where it is declared; or give it with `--set`, `--values` or the environment.",
  ],
  "vars/not-a-map": [
    "`vars` maps names to declarations, and `values` maps names to values; this is something else.",
    "Write `vars: {on_call: {type: group}}` and `values: {on_call: engineering}`.",
  ],
  "vars/not-here": [
    "`realm` says which organization a file is for, and is checked before anything else, so it cannot depend on a variable.",
    "Write the URL out, in the file of the organization.",
  ],
  "vars/reference": [
    "`${` starts a reference, but this text is not one: the closing brace is missing, or there is something other than a name inside. There are no expressions.",
    "Write `${name}`, or `$${` for the characters themselves.",
  ],
  "vars/secret": [
    "The value of a variable looks like a key, a token or a password, or the variable of the environment has the name of one. What a field of the organization has is shown to its people, in plans, comments and in Zulip itself, so realmctl refuses it.",
    "Give another value. If it is a secret that others could have seen, make a new one.",
  ],
  "vars/type": [
    "The value of a variable is not of the type that it was declared with.",
    "Correct the value or the type; the note shows the declaration.",
  ],
  "vars/type-unknown": [
    "A variable has no type, or an unknown type.",
    "Use `string`, `integer`, `boolean`, `group`, `person` or `channel`.",
  ],
  "vars/undeclared": [
    "A reference, an entry of `values`, or an option (`--set`, `--values`) names a variable that `vars` does not declare.",
    "Correct the name or declare the variable. `$${name}` means the characters themselves.",
  ],
  "vars/unused": ["No value refers to this variable.", "Delete it, or refer to it."],
  "field/missing": ["A required field is missing.", "Add it."],
  "field/type": [
    "The value has the wrong type for the field: a string instead of true or false, or one value instead of a list.",
    "Follow the hint. YAML 1.2 reads `yes`, `no`, `on` and `off` as strings; numbers and booleans in quotes are strings too.",
  ],
  "field/unknown": [
    "There is no field with this name here. It may belong further out or further in, or be misspelt.",
    "Correct the name or the indentation; [the reference](../../reference/README.md) has every field.",
  ],
  "field/value": [
    "The value has the right type, but the field cannot have this value.",
    "Choose one of those that the message names.",
  ],
  "policy/cannot-read": [
    "The file that `policy:` names cannot be read, so it is not known which guard rails apply.",
    "Correct the path; it is relative to the file that names it.",
  ],
  "policy/limit": [
    "A limit of the policy is neither a whole number nor a percentage from 0 to 100.",
    "Write a number.",
  ],
  "config/partial-section": [
    "A file lists only some people, never all: `exact` would remove everybody who is not listed.",
    "Delete the entry of `manage`. To deactivate somebody, list them with `deactivated: true`.",
  ],
  "policy/min-owners": [
    "`min_owners` of the policy is not a whole number of at least 1.",
    "Write how many owners must remain.",
  ],
  "reference/leaving-person": [
    "The file deactivates a person and names them elsewhere.",
    "Take the address out of the other places, or keep the account.",
  ],
  "policy/lockout": [
    "`lockout` of the policy is neither `refuse` nor `allow`.",
    "Write `refuse`, unless you have a reason for `allow`.",
  ],
  "policy/missing": [
    "The file that was named as a policy has no policy in it.",
    "Write `policy:` at its top, with the guard rails below.",
  ],
  "policy/not-a-list": ["`protect` is a list of names with their kind.", 'Write `protect: ["channel:general"]`.'],
  "policy/not-a-map": [
    "A policy is a map of guard rails, or the name of a file that has them.",
    "Write `policy: {limits: {removals: 5}}`.",
  ],
  "policy/nothing-to-sync": [
    "`realmctl sync` changes only what a policy names, and none names anything.",
    "Write `policy: {sync: [channels.*.subscribers]}` into the file, or name a policy that has it with `--policy`.",
  ],
  "policy/protect": [
    "An entry of `protect` does not say what is protected.",
    "Write the kind and the name: `channel:general`; `*` matches any characters.",
  ],
  "policy/sync": [
    "An entry of `sync` names nothing that `realmctl sync` can keep: only lists of subscribers and members; or it names a list that the file does not have.",
    "Write the section, the name and the field: `channels.*.subscribers`; `*` matches any characters.",
  ],
  "policy/unknown": ["A policy has no guard rail with this name.", "Correct the name; docs/policy.md has all of them."],
  "policy/unknown-limit": ["There is no limit with this name.", "Correct the name; docs/policy.md has all of them."],
} as const satisfies Catalogue;
