import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { temporaryDirectory } from "../../test/support/directory.ts";
import { realmOf } from "../../test/support/realm.ts";
import { EXIT } from "../model/diagnostic.ts";
import { baseReads } from "../workflow/base.ts";
import { snapshotText } from "../zulip/snapshot.ts";
import { processIo } from "./process-io.ts";

const HEAD = "version: 1\nrealm: https://acme.example.org\n";
const BASE = `${HEAD}include: [parts/*.yaml]\nlinkifiers:\n  - {pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}"}\n`;
const SETTINGS = "settings: {name: Acme, description: Forge}\npeople: {ben@acme.example: {role: administrator}}\n";
const CHANNELS = "channels:\n  a: {}\n  b: {}\n  c: {}\n  not-yet: {}\n";

const LISTED_PEOPLE = ["ada@acme.example", "ben@acme.example"];
const LISTED = `privacy: private_shared_history, subscribers: {users: [${LISTED_PEOPLE}]}`;
const STAFF = "staff: {members: [ben@acme.example], permissions: {can_join_group: role:nobody}}";
const WATCHING = `${HEAD}manage: {user_groups: exact, invite_links: exact}
invite_links: []
user_groups: {${STAFF}}
domains: {example.org: {absent: true}}
channels: {secret: {${LISTED}}, old: {archived: true, ${LISTED}}, gone: {archived: true}}
people: {ben@acme.example: {role: administrator}, elif@acme.example: {role: member}}
`;

const cwd = temporaryDirectory("base-");
beforeAll(() => {
  mkdirSync(join(cwd, "parts"));
  writeFileSync(join(cwd, "parts", "channels.yaml"), CHANNELS);
  writeFileSync(join(cwd, "parts", "settings.yaml"), SETTINGS);
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, stdio: "ignore" });
  };
  git("init", "--initial-branch=main", ".");
  writeFileSync(join(cwd, "realm.yaml"), WATCHING);
  git("add", "realm.yaml");
  git("commit", "-m", "watching");
  git("tag", "watching");
  writeFileSync(join(cwd, "realm.yaml"), BASE);
  git("add", "-A");
  git("commit", "-m", "base");
  writeFileSync(join(cwd, "realm.yaml"), "version: 1\nchannels: [\n");
  git("commit", "-am", "broken");
  git("tag", "broken");
});

const snapshot = snapshotText(
  realmOf({
    channels: ["a", "b", "c", "by-hand"].map((name) => ({ name })),
    linkifiers: [{ pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" }],
  }),
);

const plan = (now: string, ...args: readonly string[]) =>
  runCommandLine(["plan", "--snapshot", "s.json", ...args], {
    cwd,
    git: processIo(cwd).git,
    files: { "realm.yaml": now, "s.json": snapshot },
  });

test("a plan names what the file no longer lists since a commit, and what removes it", async () => {
  const now = `${HEAD}channels:\n  a: {}\nlinkifiers: []\n`;
  const { out, exitCode } = await plan(now, "--base", "HEAD~1");
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    'this change takes 2 channels out of the file, but not off the server: "b" and "c" to remove them, write their entries with absent: true, or write manage: {channels: exact}',
  );
  expect(out).toContain("warning[plan/taken-out]: this change takes 1 linkifier out");
  // Nobody took it out of the file, and without --base nobody asked.
  expect(out).not.toContain('"by-hand"');
  expect(exitCode).toBe(EXIT.done);
  expect((await plan(now)).out).not.toContain("out of the file");
});

const VAULT = "vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}";
test.each([
  {
    what: "with a list and a link",
    yaml: `channels: {${VAULT}}\ninvite_links: [{expires_on: never}]\n`,
    reads: { invites: true, subscribers: true },
  },
  { what: "without", yaml: "channels: {a: {}}\n", reads: {} },
  { what: "that is not there", yaml: undefined, reads: {} },
])("what a version of the file $what needs of a reading", async ({ yaml, reads }) => {
  const readFile = async () => {
    if (yaml === undefined) throw Object.assign(new Error("not in that commit"), { code: "ENOENT" });
    return new TextEncoder().encode(HEAD + yaml);
  };
  expect(await baseReads({ file: "realm.yaml", readFile, listFiles: async () => [] })).toEqual(reads);
});

test.each([
  { what: "exact", now: `${HEAD}manage: {channels: exact}\nchannels: {a: {}}\nlinkifiers: []\n`, says: ["linkifier"] },
  {
    what: "ignored",
    now: `${HEAD}manage: {channels: ignore}\nchannels: {a: {}}\nlinkifiers: []\n`,
    says: ["channels", "linkifier"],
  },
  { what: "a deleted section", now: HEAD, says: ["channels", "linkifier"] },
  { what: "renamed", now: `${HEAD}channels: {a: {}, b: {}, d: {was: c}}\nlinkifiers: []\n`, says: ["linkifier"] },
  {
    what: "removed in so many words",
    now: `${HEAD}channels: {a: {}, b: {}, c: {archived: true}}\nlinkifiers: []\n`,
    says: ["linkifier"],
  },
])("of a section that is $what", async ({ now, says }) => {
  const { out } = await plan(now, "--base", "HEAD~1");
  expect([...out.matchAll(/takes \d+ (\w+) out of/g)].map(([, word]) => word)).toEqual(says);
});

test.each([
  {
    what: "the section",
    now: HEAD,
    says: "takes name and description out of settings: on the server they stay as they are",
  },
  {
    what: "a field",
    now: `${HEAD}settings: {name: Acme}\n`,
    says: "takes description out of settings: on the server it stays as it is",
  },
])("of the settings, $what: no policy could remove it", async ({ now, says }) => {
  const { out } = await plan(now, "--base", "HEAD~1");
  expect(out.replaceAll(/\s+/g, " ")).toContain(says);
  expect((await plan(now, "--base", "HEAD~1", "--only", "channels")).out).not.toContain("out of settings");
});

const DRIFTED = "channels: {a: {description: Ours}, b: {}, c: {}, not-yet: {}}\n";

test("a plan names what differed before this version of the file", async () => {
  const now = `${BASE.replace("include: [parts/*.yaml]\n", SETTINGS)}channels:\n  a: {}\n  b: {}\n  c: {}\n  not-yet: {}\n`;
  const { out } = await plan(now.replace("name: Acme", "name: Anvil"), "--base", "HEAD~1");
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    "2 of 2 changes were pending before this version of the file: the server differs from the file of HEAD~1, too: channel:not-yet and settings:organization (in part)",
  );
  expect(out).toContain("warning[plan/already-different]");
  expect((await plan(`${HEAD}${DRIFTED}`, "--base", "HEAD~1")).out).toContain("channel:not-yet");
});

test("a section of people that is gone as a whole", async () => {
  const { out } = await plan(HEAD, "--base", "HEAD~1");
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    "this change takes ben@acme.example out of people: on the server it stays as it is, and nothing watches it",
  );
});

test("a plan that was saved with a comparison is opened, and keeps what it said", async () => {
  const { out, files } = await plan(HEAD, "--base", "HEAD~1", "--out", "realm.plan");
  expect(out).toContain("plan/taken-out");
  const shown = await runCommandLine(["show", "realm.plan"], { cwd, files });
  expect(shown.out).toContain("plan/taken-out");
});

test.each([
  {
    what: "no Git repository",
    git: processIo().git,
    says: 'this directory is in no Git repository, so it has no "main"',
  },
  { what: "no Git", git: async () => undefined, says: "there is no program called git here" },
])("a base where there is $what", async ({ git, says }) => {
  const files = { "realm.yaml": HEAD, "s.json": snapshot };
  const options = { cwd: temporaryDirectory("no-git-"), files, git };
  const ran = await runCommandLine(["plan", "--snapshot", "s.json", "--base", "main"], options);
  expect(ran).toMatchObject({ exitCode: EXIT.errors });
  expect(ran.err.replaceAll(/\s+/g, " ")).toContain(says);
});

test.each([
  { base: "nope", exitCode: EXIT.errors, says: 'Git knows no commit "nope" in this directory' },
  { base: "--output=x", exitCode: EXIT.errors, says: 'Git knows no commit "--output=x"' },
  { base: "broken", exitCode: EXIT.done, says: "the file of broken cannot be planned" },
])("a base that cannot be compared: $base", async ({ base, exitCode, says }) => {
  const ran = await plan(`${HEAD}channels: {a: {}}\n`, `--base=${base}`);
  expect(`${ran.out}${ran.err}`.replaceAll(/\s+/g, " ")).toContain(says);
  expect(ran.exitCode).toBe(exitCode);
});

test("standard input has no earlier version", async () => {
  const { err } = await runCommandLine(["plan", "-", "--snapshot", "s.json", "--base", "HEAD"], { cwd });
  expect(err).toContain("error[plan/no-base]");
});

const closed = { invite_only: true, history_public_to_subscribers: true };
const watched = snapshotText(
  realmOf({
    channels: [
      { name: "secret", ...closed },
      { name: "old", ...closed, is_archived: true },
      { name: "gone", is_archived: true },
    ],
    user_groups: [{ name: "staff", members: ["ben@acme.example"] }],
    subscribers: { secret: LISTED_PEOPLE, old: LISTED_PEOPLE },
  }),
);

test.each<{
  readonly what: string;
  readonly from: string;
  readonly to: string;
  readonly without?: string;
  readonly says: string | undefined;
}>([
  { what: "nothing", from: "", to: "", says: undefined },
  {
    what: "the entry of an archived channel",
    from: `, old: {archived: true, ${LISTED}}`,
    to: "",
    says: 'takes 1 channel out of the file: "old"; on the server it stays as it is, archived or deactivated, and nothing watches it',
  },
  {
    what: "the members of a group",
    from: "members: [ben@acme.example], ",
    to: "",
    says: 'takes lines of 1 user group out of the file: "staff" (members); on the server this stays as it is, and nothing watches it',
  },
  {
    what: "a setting of a group",
    from: ", permissions: {can_join_group: role:nobody}",
    to: "",
    says: '"staff" (can_join_group)',
  },
  {
    what: "what an archived channel is to be",
    from: `old: {archived: true, ${LISTED}}`,
    to: "old: {archived: true}",
    says: '"old" (privacy)',
  },
  {
    what: "that a list has everybody",
    from: `secret: {${LISTED}}`,
    to: `secret: {${LISTED.replace("}", ", exact: false}")}}`,
    says: '"secret" (subscribers: all but those listed)',
  },
  {
    what: "that a section has everything",
    from: "user_groups: exact, ",
    to: "",
    says: "no longer asks that the organization has only what user_groups lists",
  },
  {
    what: "that a section without entries has nothing",
    from: "invite_links: []\n",
    without: ", invite_links: exact",
    to: "",
    says: "no longer asks that the organization has only what invite_links lists",
  },
  {
    what: "everything that an exact section does not list",
    from: "user_groups: exact",
    to: "user_groups: {policy: exact, except: ['*']}",
    says: 'leaves out of user_groups what "*" matches',
  },
  {
    what: "that something is not there",
    from: "domains: {example.org: {absent: true}}",
    to: "",
    says: 'no longer asks that "example.org" is not there: if somebody makes it by hand, that is no difference any more',
  },
  {
    what: "the same in a section that is exact from now on",
    from: "invite_links: exact}\ninvite_links: []\nuser_groups: {staff",
    to: "invite_links: exact, domains: exact}\ninvite_links: []\nuser_groups: {staff",
    without: "domains: {example.org: {absent: true}}",
    says: undefined,
  },
  {
    what: "of which organization the file is",
    from: "realm: https://acme.example.org",
    to: "",
    says: "takes realm out of the file: whoever runs it against another organization changes that one",
  },
  {
    what: "one of several people",
    from: ", elif@acme.example: {role: member}",
    to: "",
    says: "takes elif@acme.example out of people",
  },
  {
    what: "the entry of a channel that the same change leaves aside",
    from: "manage: {user_groups: exact,",
    without: `secret: {${LISTED}}, `,
    to: "manage: {user_groups: exact, channels: {except: ['sec*']},",
    says: 'takes 1 channel out of the file, but not off the server: "secret"',
  },
  {
    what: "the entry of a channel whose section the same change ignores",
    from: "manage: {user_groups: exact,",
    without: `secret: {${LISTED}}, `,
    to: "manage: {user_groups: exact, channels: ignore,",
    says: 'takes 1 channel out of the file, but not off the server: "secret"',
  },
  {
    what: "the policy of a section that the same change ignores",
    from: "manage: {user_groups: exact,",
    to: "manage: {user_groups: ignore,",
    says: "no longer asks that the organization has only what user_groups lists",
  },
  // The file asks for another state, and what it was to be before that does not matter.
  { what: "an entry that archives", from: `secret: {${LISTED}}`, to: "secret: {archived: true}", says: undefined },
])("what a change no longer watches is named: $what", async ({ from, to, without = "", says }) => {
  expect(WATCHING).toContain(from);
  const files = { "realm.yaml": WATCHING.replace(from, to).replace(without, ""), "s.json": watched };
  const how = { cwd, git: processIo(cwd).git, files };
  const { out } = await runCommandLine(["plan", "--snapshot", "s.json", "--base", "watching"], how);
  const said = out.replaceAll(/\s+/g, " ");
  if (says === undefined) expect(said).not.toContain("plan/taken-out");
  else expect(said).toContain(says);
});
