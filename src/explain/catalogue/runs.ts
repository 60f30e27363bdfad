import type { Catalogue } from "../page.ts";

/** Codes about runs: credentials, server, plans, journals, and the arguments of commands. */
export const RUN_CODES = {
  "credentials/certificate": [
    "The file with certificates cannot be read, or has no certificates.",
    "Name a file in PEM format.",
  ],
  "credentials/email": [
    "The e-mail address of the account is not valid.",
    "Correct `ZULIP_EMAIL`, `--email` or the zuliprc.",
  ],
  "credentials/file": [
    "The zuliprc that was named cannot be read.",
    "Correct the path, or leave it out to use `~/.zuliprc`.",
  ],
  "credentials/insecure": [
    "The server's certificate is not checked: everybody between this machine and the server could read the key.",
    "Name the certificates to trust with `--cert-bundle` instead.",
  ],
  "credentials/key": [
    "This is not an API key: API keys have 32 letters and digits.",
    "Copy it again from Settings, “Account & privacy”, or from the bot's page.",
  ],
  "credentials/open-to-others": [
    "Other accounts on this machine can read the API key, or change the server's address in the file.",
    "Remove their rights: `chmod 600 ~/.zuliprc`.",
  ],
  "credentials/missing": [
    "No server, account or key is known.",
    "Set `ZULIP_SITE`, `ZULIP_EMAIL` and `ZULIP_API_KEY`, or download a zuliprc as `~/.zuliprc`.",
  ],
  "credentials/proxy": [
    "The address of the proxy is not a usable URL, or is that of a SOCKS4 proxy.",
    "Correct or unset `HTTPS_PROXY` or `ALL_PROXY`: `http://proxy.example.org:3128`, or `socks5://proxy.example.org:1080`.",
  ],
  "credentials/site": [
    "The address of the server is not a URL, or not that of an organization.",
    "Write it like `https://chat.example.org`.",
  ],
  "zuliprc/duplicate-key": ["A key is written twice in the zuliprc.", "Keep one of the two."],
  "zuliprc/duplicate-section": ["`[api]` is written twice in the zuliprc.", "Keep one of the two."],
  "zuliprc/empty": ["A value of the zuliprc is empty.", "Download the file again."],
  "zuliprc/no-section": [
    "The zuliprc has no `[api]` section, or has sections for several organizations and the command is not about a file.",
    "Start it with `[api]`, or download it again. Of several sections, `--site` chooses the one with that address.",
  ],
  "zuliprc/same-site": [
    "Two sections of the zuliprc are for the organization, and nothing says which account acts.",
    "Keep one of them, or use a zuliprc with one account: `--zuliprc FILE`.",
  ],
  "zuliprc/quotes": [
    "A value of the zuliprc is in quotes, which count as part of the value there.",
    "Delete the quotes.",
  ],
  "zuliprc/syntax": [
    "A line of the zuliprc is neither a section nor `key=value`.",
    "Correct it, or download the file again.",
  ],
  "zuliprc/unknown-key": [
    "The zuliprc has an unknown key, which realmctl ignores.",
    "Correct the name, or delete the line.",
  ],
  "zulip/bots-see-no-invites": [
    "The file manages invitations, and the server shows them to people only.",
    "Use the key of a person's account.",
  ],
  "zulip/guest": [
    "The account is a guest, and sees too little of the organization to plan anything.",
    "Use another account.",
  ],
  "zulip/no-realm": ["The server is a Zulip server, but has no organization at this address.", "Correct the address."],
  "zulip/not-allowed": ["The server does not allow the account to read this.", "Use another account."],
  "zulip/not-zulip": [
    "The server at this address is not a Zulip server: it answers in another form, or does not know the request (HTTP 501).",
    "Correct the address.",
  ],
  "zulip/proxy": [
    "The proxy that the environment names (HTTPS_PROXY) cannot be reached, requires a password, or does not let the connection through.",
    "Correct the proxy's address, or name the server in NO_PROXY if it is reached without it.",
  ],
  "zulip/rate-limited": [
    "The server refused too many requests of this account in a row, for longer than realmctl waits.",
    "Try again later, or with an account that nothing else uses.",
  ],
  "zulip/redirect": [
    "The server redirects to another address. realmctl sends a key only to the address that was given.",
    "Use the address that the message names. If it is a sign-in page, single sign-on protects the server and must let requests to `/api/` through.",
  ],
  "zulip/refused": [
    "The server refused a request that only reads.",
    "The message has the server's own words: follow them.",
  ],
  "zulip/server-error": [
    "The server failed with an internal error.",
    "Try again. If the error stays, ask the server's administrator.",
  ],
  "zulip/deadline": [
    "The time that `--deadline` (or `REALMCTL_DEADLINE`) gives the whole run was over before it was done.",
    "Run the command again. It reads before it sends, so an apply continues where it stopped. A large organization may need more time.",
  ],
  "zulip/stopped": ["The command was interrupted while it waited for the server.", "Start it again."],
  "zulip/timeout": [
    "The server did not answer in time.",
    "See whether it works in a browser and whether a VPN or a proxy is needed; `--timeout 300` waits longer.",
  ],
  "zulip/tls": [
    "The connection cannot be made secure: the certificate has expired, is for another name, or is not trusted.",
    "Do what the message says: each of these needs another solution, and `--cert-bundle` helps only with a certificate that is not trusted.",
  ],
  "zulip/too-large": ["The server's answer is larger than that of any organization.", "Check the address."],
  "zulip/too-old": ["The server is older than realmctl supports (feature level 320, Zulip 10).", "Upgrade the server."],
  "zulip/turned-away": [
    "Something in front of the server (a proxy, a firewall, single sign-on) answered in its place, and did not let the request through.",
    "Ask its administrator to let requests to `/api/` through, or use a network that is allowed.",
  ],
  "zulip/unauthorized": [
    "The server rejected these credentials.",
    "Correct them. When somebody generates a new key, the old one stops working.",
  ],
  "zulip/unexpected-answer": [
    "The server gave an answer that Zulip servers do not give.",
    "Check the address; report it if it is a Zulip server.",
  ],
  "zulip/unknown-host": ["There is no host with this name.", "Correct the address."],
  "zulip/unreachable": ["No connection to the server can be made.", "Check the network and the address."],
  "realm/other-realm": [
    "The file or the plan is for one organization, and the credentials are for another.",
    "Use the credentials of that organization, or its file.",
  ],
  "plan/already-different": [
    "With `--base`, a plan is compared with the plan of the file of that commit. These changes are in both: somebody changed the objects on the server, and this version of the file did not ask for it.",
    "Nothing is to do if the plan should revert them. To keep what is on the server, run `realmctl adopt` for these objects.",
  ],
  "plan/ambiguous-swap": [
    "Objects swap names, and the organization could be before or after the swap.",
    "Pin the objects with `id`.",
  ],
  "plan/both-names": [
    "The organization has both the old and the new name of an object, so it cannot be renamed.",
    "Delete `was` to keep both, or say in the file what happens to the other.",
  ],
  "plan/cycle": [
    "Changes depend on each other in a cycle, so none of them can be first, not even in parts.",
    "Make them in two steps: apply without one of the references, add it again, and apply again.",
  ],
  "plan/looks-renamed": [
    "An object of the file is new, and an object that the file does not know is like it: it may have been renamed. Without an answer, `apply` would create a second one, and under `exact` remove the one that is there.",
    "To rename it, write `was` (or pin the `id`). If it was renamed on the server, run `realmctl adopt`. If they are two objects, allow it once with `--allow renames`, or write the other one into the file, too.",
  ],
  "plan/new-swap": [
    "Objects swap names in the file, but at least one of them does not exist yet. If the plan created it, the next plan could not know whether the objects have swapped.",
    "Delete `was` from the objects that do not exist yet: a new object needs no rename.",
  ],
  "plan/no-base": [
    "`plan --base` compares the file with its version in a commit, and that version cannot be read or planned.",
    "Name a commit that the clone has: `git fetch` it first, for example with `fetch-depth: 0` in CI.",
  ],
  "plan/not-read": [
    "The snapshot does not hold a section that the file manages: it was taken from an older server, or without that section.",
    "Take a snapshot again, with the option that the hint names.",
  ],
  "plan/nothing-to-remove": [
    "The file removes an object that the organization does not have: its name is misspelt, it was renamed, or it no longer exists. If the entry also says what an archived object is like, this is drift: nothing of it is compared.",
    "Correct the name, or delete the entry.",
  ],
  "plan/other-account": [
    "The plan was made with another account. The account's rights, the subscriber of new channels and the changed navigation views would differ from what was reviewed.",
    "Use the credentials of the account that made the plan, or plan again with these.",
  ],
  "plan/other-server": ["The server was upgraded since the plan was made.", "Plan again."],
  "plan/redacted": [
    "Names in the plan were replaced for other readers (`redactPlan` of the library), so its requests are no longer those of the plan.",
    "Apply the plan that it was made from.",
  ],
  "plan/same-object": ["Two declared objects are the same one on the server.", "Keep one, or pin them with `id`."],
  "plan/same-was": ["Two objects of the file have the same `was`.", "Keep `was` in one of them."],
  "plan/setting-gone": [
    "Servers of this feature level usually have the setting, but this one neither shows nor describes it: a newer version of Zulip has dropped or renamed it, or the server is a changed one. It would ignore a request.",
    "Delete it from the file. `realmctl whoami` names the settings that this server has and realmctl does not know.",
  ],
  "plan/server-too-old": [
    "The server is too old for a field, a value or a section.",
    "Delete it, or upgrade the server.",
  ],
  "plan/swap-taken-as-done": [
    "Objects swap names. If they have swapped already, less differs from the file, so realmctl renames nothing.",
    "If they must still swap, pin the objects with `id`; otherwise delete `was`.",
  ],
  "plan/taken-out": [
    "An entry was deleted from a section that does not remove what it does not list, or a line from an entry, or a list became `exact: false`. The server keeps it as it is, and drift does not compare it any more.",
    "If an object should go, write its entry again with `absent: true`, or let the section remove what is not listed (`manage: {linkifiers: exact}`). A line that should be watched has to be written. If everything should stay as it is, nothing is to do.",
  ],
  "plan/unknown-id": [
    "The organization has no object with the id that the file pins.",
    "Correct the id, or delete it to identify the object by its name. If an object has this name, the message names its id.",
  ],
  "plan/was-not-found": [
    "`was` names an object that the organization does not have. It may be renamed already.",
    "If it was renamed, delete `was`; otherwise correct it.",
  ],
  "plan-file/edited": [
    "The saved plan was changed after it was saved. `apply` applies only what was approved.",
    "Save it again with `realmctl plan --out`.",
  ],
  "plan-file/not-its-own": [
    "The changes, calls or guards in the saved plan do not follow from the configuration and the snapshot that are saved with them. Somebody edited the plan and computed its checksum again.",
    "Plan again, review that plan, and find out who edited this one. Sign plans (`--sign-with`) if they pass through many hands.",
  ],
  "plan-file/not-signed": [
    "`--verify-with` requires a signed plan, and this one has no signature.",
    "Make it with `realmctl plan --out FILE --sign-with KEY` where plans are reviewed.",
  ],
  "plan-file/other-signature": [
    "The saved plan was not signed with the key of `--verify-with`, or was changed after it was signed.",
    "Review it (`realmctl show`) and have it signed where plans are made, or name the right key.",
  ],
  "plan-file/too-large": [
    "The file is larger than the plan of any organization (256 MiB).",
    "Check which file it is, and save the plan again with `realmctl plan --out`.",
  ],
  "plan/changed-since": [
    "A plan has the people that groups of a list, `exact` and `except` meant when it was made, and it says who can no longer read a channel. Somebody came into such a list or left such a group since then, or can still read the channel in another way. The requests of the plan would put or leave somebody where the file does not want them, or take out somebody whom it wants there, so nothing was sent. What became less since then does not matter: somebody who left a list by now, or whom the plan adds and who is there already.",
    "Plan again and review that plan. At a terminal, `--on-conflict replan` does so.",
  ],
  "plan/other-names": [
    "An object that the saved plan changes or names has another name in the organization than in the snapshot that the plan was made from. The plan shows names, but its calls use ids: what was reviewed may not be what would change.",
    "Plan again and review that plan.",
  ],
  "plan/sign-without-out": ["`--sign-with` signs the file that `--out` saves.", "Add `--out FILE`."],
  "apply/foreign-without-undo": [
    "`--foreign-journal` lets `--undo` use a journal that nothing shows to be of this account. `apply` of a file uses nothing of such journals.",
    "Name the journal with `--undo`, or leave `--foreign-journal` out.",
  ],
  "apply/verify-without-plan": [
    "`--verify-with` checks the signature of a saved plan; a configuration has none.",
    "Name the saved plan, or leave `--verify-with` out.",
  ],
  "sign/no-key": [
    "The environment variable with the secret is not set.",
    "Set it in the job that plans and in the one that applies.",
  ],
  "sign/short-key": [
    "The secret is shorter than 32 characters: everybody who has a signed plan could try secrets until one fits.",
    "Make one with `openssl rand -hex 32`.",
  ],
  "sign/ssh-keygen": [
    "`ssh-keygen` is not installed, is older than OpenSSH 8.2, or cannot use the key.",
    "Read its message. You can also use an agent that has the key, or a secret in a file or a variable.",
  ],
  "journal/other-version": [
    "A newer realmctl wrote the journal of an unfinished run, in a form that this realmctl does not know.",
    "`apply` leaves it aside, and plans from the organization as it is. To undo its run, use the realmctl that wrote it.",
  ],
  "plan-file/no-plan": ["The file is JSON, but not a saved plan.", "Name a file that `realmctl plan --out` wrote."],
  "plan-file/not-json": ["The saved plan cannot be read: it is damaged.", "Save it again with `realmctl plan --out`."],
  "plan-file/other-checksum": ["The saved plan is not the one whose checksum was given.", "Find out who replaced it."],
  "plan-file/other-tool": [
    "The saved plan has kinds of objects or requests that this realmctl does not know: a newer one saved it.",
    "Apply it with the version that saved it, or plan again with this one.",
  ],
  "plan-file/other-version": ["The plan was saved by another version of realmctl.", "Save it again with this one."],
  "guard/refused": [
    "A guard rail refuses the plan: it removes too much, takes access from too many, or locks somebody out.",
    "Read which guard rail it is, and make the plan smaller. Or change the guard rail: the message names the line of the limit, of `protect` or of `lockout`; to change a limit that no file has, write `policy: {limits: {removals: 20}}`. Or let the plan pass once: `--allow removals`, `--allow lockout`, `--allow protect:channel:general`, as the message names it.",
  ],
  "guard/others": [
    "What was confirmed, or allowed with `--allow`, was about some people, and now it is about others: somebody took the place of somebody else, for example in a group. The number alone would not show that. Or the run had begun, and somebody came into a group that the rest of the plan lets into something: then nothing more was sent.",
    "Plan again, and look at who gains or loses access now (`plan --who`). For a pull request, run its plan again and approve it.",
  ],
  "guard/unknown": [
    "`--allow` names a guard rail that does not exist, so it would allow nothing.",
    "Correct the name. Name a protection as the policy writes it: `--allow protect:channel:general`.",
  ],
  "apply/checksum-without-plan": ["`--checksum` is about a saved plan, and none was named.", "Add `--plan`."],
  "apply/locked": [
    "Another run is active on this organization, or ended without removing its lock.",
    "Wait for it. If the other run no longer exists, remove the lock that the message names.",
  ],
  "apply/sync-unfinished": [
    "`realmctl sync` could not carry out all of its requests: the server refused some, or others kept changing the same lists.",
    "Read the reasons below the message. It tries again at the next event, at its interval, and when the file changes.",
  ],
  "apply/no-lock": ["The lock that keeps two runs apart cannot be written.", "Make the directory writable."],
  "apply/lock-not-own": [
    "Another account on this machine can change the directory for locks, and could use it to block runs.",
    "Check who created it. If it is yours, `chmod 700` it; otherwise remove it, or set `TMPDIR` to a directory of your own.",
  ],
  "apply/nobody-to-ask": [
    "Nobody is at the terminal to approve the plan.",
    "Write `--yes`, or save and approve the plan first.",
  ],
  "apply/replan-saved": [
    "A saved plan is applied as it was approved; `apply` cannot plan it again.",
    "Leave out `--on-conflict replan` or `--plan`.",
  ],
  "apply/replan-unseen": [
    "If `apply` planned again without asking, it would make changes that nobody saw.",
    "Leave out `--yes` and answer at the terminal, or leave out `--on-conflict replan` and run again.",
  ],
  "apply/two-sources": [
    "Both a file and a saved plan, or a saved plan and a journal, were named.",
    "Name one of them.",
  ],
  "journal/foreign": [
    "Nothing shows that a run of this account wrote the journal: it has no code, or one that was not made with this account's API key. It may be of another account, of a realmctl from before journals had codes, or from before the API key was changed; or somebody made or edited it.",
    "`apply` leaves it aside. To undo its run, read it, and add `--foreign-journal` to `--undo`: the undo is planned and checked like any change. To hear no more of it, move it away.",
  ],
  "journal/in-checkout": [
    "The checkout of a job brought files into `.realmctl`: Git tracks them, or no run of this account wrote them. They could say that something was done that was not.",
    "Find out who committed them, and remove `.realmctl` from the repository.",
  ],
  "journal/no-run": [
    "`apply --undo` without a journal takes the last run of this account here that sent something; the runs of `sync` do not count. No journal in `.realmctl` is one: it is another directory, another account, or nothing was sent.",
    "Look at `realmctl history`. Run the undo in the directory of the run, or name its journal: `apply --undo JOURNAL`.",
  ],
  "journal/link": [
    "`.realmctl`, or a journal in it, is a symbolic link. The link could come from the checkout, and `apply` would write and read its journal at the target of the link. If it is `.realmctl` itself, nothing was sent; a link in it is left aside.",
    "Remove the link. If journals are to be kept elsewhere, copy them there after the run, or mount that place as `.realmctl`.",
  ],
  "journal/no-journal": ["The file is not the journal of a run.", "Name one of those in `.realmctl/`."],
  "journal/not-written": [
    "The journal cannot be written. The run stops, because otherwise nobody could see afterwards what it did.",
    "Free space on the disk, or make the directory writable.",
  ],
  "journal/unreadable": [
    "A line of the journal is not an entry: somebody edited it, or the disk damaged it.",
    "`apply` leaves it aside, and plans from the organization as it is. Move it away to hear no more of it.",
  ],
  "snapshot/cannot-read": ["The snapshot cannot be read.", "Correct the path."],
  "snapshot/digest": ["The snapshot is not the one that was made: its checksum differs.", "Make it again."],
  "snapshot/field": [
    "The snapshot has something at this place that snapshots do not have.",
    "Make it again with `realmctl snapshot`.",
  ],
  "snapshot/format": ["The file is JSON, but not a snapshot.", "Name a file that `realmctl snapshot` wrote."],
  "snapshot/no-artifact": [
    "No job of the default branch has stored a snapshot that this job could use.",
    "Run the workflow that takes snapshots on the default branch first.",
  ],
  "snapshot/syntax": ["The snapshot is not JSON: it is damaged or cut off.", "Make it again with `realmctl snapshot`."],
  "snapshot/too-large": ["The snapshot is larger than that of any organization.", "Check what was stored."],
  "snapshot/version": ["The snapshot was written by another version of realmctl.", "Make it again with this one."],
  "input/unreadable": ["A file that the command line names cannot be read.", "Correct the path."],
  "output/exists": [
    "The output file already exists, and realmctl did not write it.",
    "Name another file, or replace this one with `--force`.",
  ],
  "output/other-ending": [
    "The name of an output ends as a file of another format does: a saved plan and a snapshot are JSON, an export is YAML. Programs and people would take it for something else.",
    "Give it the right ending. `--out` of `plan` saves the plan itself; what `--format` makes is printed.",
  ],
  "output/too-large": [
    "The plan or snapshot would be larger than what realmctl reads (256 MiB), so it is not written.",
    "Plan a part of the file at a time (`--only`), or take the snapshot without subscribers (`--no-subscribers`).",
  ],
  "output/is-input": [
    "The output would replace a file that this same command read.",
    "Name another file: not even `--force` writes over it.",
  ],
  "output/no-directory": ["The directory of an output does not exist.", "Create it first, or name another directory."],
  "output/not-written": ["A file cannot be written.", "Make the directory writable, or name another."],
  "api/argument": [
    "An argument of `realmctl api` is not of the form `name=value`.",
    "Write `name=value`, or `name:=json`.",
  ],
  "api/cannot-read": [
    "A file that a parameter names cannot be read.",
    "Name a file that can be read; the path is relative to where the command runs.",
  ],
  "api/duplicate-parameter": ["A parameter is given twice.", "Keep one of the two."],
  "api/fate-unknown": [
    "No answer came, so it is not known whether the server carried out the request.",
    "Look at the organization before you send the request again.",
  ],
  "api/ignored": [
    "The server does not know some of the parameters. It ignored them and carried out the request without them.",
    "Check what was done; the server may be too old for them.",
  ],
  "api/missing-parameter": [
    "The operation needs a parameter that is missing.",
    "Add it; `realmctl api --list` shows all.",
  ],
  "api/no-image": [
    "A parameter takes a picture, but the server does not accept a file of this type.",
    "Name a PNG, JPEG, GIF or WebP file.",
  ],
  "api/no-operation": ["No operation was named.", "Name one; `realmctl api --list` shows all."],
  "api/no-value": ["A parameter has no value.", "Write `name=value`; an empty text is `name=`."],
  "api/not-sent": ["The request could not be sent.", "Check the connection."],
  "api/parameter-type": [
    "A parameter is of another type than the operation takes.",
    "Correct it; numbers, lists and maps are JSON.",
  ],
  "api/refused": ["The server refused the operation.", "The message has the server's own words: follow them."],
  "api/unknown-operation": [
    "There is no operation with this name.",
    "Correct the name; `realmctl api --list` shows all.",
  ],
  "api/unknown-parameter": [
    "The operation has no parameter with this name.",
    "Correct the name; `realmctl api --list` shows all.",
  ],
  "sandbox/data": [
    "The directory of the sandbox contains files that the sandbox did not write.",
    "Name another directory.",
  ],
  "sandbox/no-fixture": [
    "The organization that the sandbox starts with is missing from the installation.",
    "Install realmctl again, or name a snapshot.",
  ],
  "sandbox/not-a-realm": ["A sandbox cannot start from this file.", "Name a snapshot that `realmctl snapshot` wrote."],
  "sandbox/not-json": ["The file is not JSON.", "Name a snapshot that `realmctl snapshot` wrote."],
  "sandbox/port": ["The port is in use, or is not a port number.", "Name another port, or 0 for any free one."],
  "sandbox/unreadable": ["A file of the sandbox cannot be read.", "Correct the path."],
  "use/bad-variable": [
    "An environment variable of realmctl's own has an invalid value.",
    "Correct it or unset it; `docs/reference/environment.md` lists all of them.",
  ],
  "use/empty-value": [
    "The value of an option or an argument is empty, often because a variable of a script is not set.",
    "Give a value, or leave the option out to use the default.",
  ],
  "use/given-twice": ["An option that can only count once is given twice.", "Keep one of the two."],
  "use/no-value": [
    "An option is followed by another option instead of a value.",
    "Write the value; one that begins with `--` is written `--option=--value`.",
  ],
  "use/not-a-file": [
    "A word of the command line was read as the name of a file that does not exist: the option before it takes no value, or only one.",
    "Delete the word, or give the option again before it: `--only channels --only user_groups`.",
  ],
  "use/standard-input": [
    "`-` (standard input) is given for two files, or for a file to write.",
    "Name a file for one of the two.",
  ],
  "use/bad-value": [
    "An option has an invalid value.",
    "The message lists the valid values; `realmctl help COMMAND` explains each option.",
  ],
  "use/conflicting-options": ["Two options exclude each other.", "Leave one of the two out."],
  "use/missing-argument": [
    "A required argument is missing, such as the file.",
    "`realmctl help COMMAND` shows, in `<…>`, what the command needs.",
  ],
  "use/missing-option": ["A required option is missing.", "Write it; `realmctl help COMMAND` shows all."],
  "use/too-many-arguments": [
    "The command line has more arguments than the command takes: a name with a space is not in quotes, or the shell replaced a pattern with several names.",
    "Put quotes around names with spaces. Run the command once for each file.",
  ],
  "use/unknown-command": [
    "There is no command with this name.",
    "Correct it as the message suggests; `realmctl --help` lists all.",
  ],
  "use/unknown-option": [
    "The command has no option with this name: it is misspelt, or belongs to another command.",
    "Correct it as the message suggests; `realmctl help COMMAND` lists all of a command.",
  ],
  "explain/unknown": ["There is no code with this name.", "Correct it; `realmctl explain --list` shows all."],
} as const satisfies Catalogue;
