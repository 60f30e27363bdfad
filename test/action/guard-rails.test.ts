import { expect, test } from "vitest";
import { defined } from "../../src/model/defined.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { BASE, organizationInLine } from "./file-and-head.ts";
import { repositoryOfTests, SHA, type Step } from "./runner.ts";

const repository = repositoryOfTests({ from: await organizationInLine() });

/** A default channel that is archived counts twice: for itself, and for its end as a default channel. */
const policy = (removals: number): string => `version: 1\npolicy: {limits: {removals: ${removals}}}\n`;
const realm = (own: string, sandbox: string): string =>
  `version: 1\nmanage: {channels: additive}\n${own}channels:\n  general: {description: Everything}\n  sandbox: ${sandbox}\n`;
const STAYS = "{description: Try things out}";
const GOES = "{archived: true}";
const DONE = BASE;
const OWN = (removals: number): string => `policy: {limits: {removals: ${removals}}}\n`;
const NAMED = { inputs: { policy: "rails.yaml" } };

interface Row {
  readonly what: string;
  readonly base: { readonly [file: string]: string };
  readonly head: { readonly [file: string]: string };
  readonly inputs: { readonly [name: string]: string };
  readonly code: number;
  /** In the comment. */
  readonly says: string;
}

const rows: readonly Row[] = [
  {
    what: "the named file of the base applies, whatever the head's says",
    base: { "realm.yaml": DONE, "rails.yaml": policy(0) },
    head: { "realm.yaml": realm("", GOES), "rails.yaml": policy(9) },
    ...NAMED,
    code: EXIT.refusedByGuard,
    says: "Refused by a guard rail",
  },
  {
    what: "a named file that the head removes applies",
    base: { "realm.yaml": DONE, "rails.yaml": policy(0) },
    head: { "realm.yaml": realm("", GOES) },
    ...NAMED,
    code: EXIT.refusedByGuard,
    says: "Refused by a guard rail",
  },
  {
    what: "policy: in the file does not loosen a named file",
    base: { "realm.yaml": DONE, "rails.yaml": policy(0) },
    head: { "realm.yaml": realm(OWN(50), GOES), "rails.yaml": policy(0) },
    ...NAMED,
    code: EXIT.refusedByGuard,
    says: "Refused by a guard rail",
  },
  {
    what: "a named file that the base does not have yet is the head's",
    base: { "realm.yaml": DONE },
    head: { "realm.yaml": realm("", GOES), "rails.yaml": policy(0) },
    ...NAMED,
    code: EXIT.refusedByGuard,
    says: "Refused by a guard rail",
  },
  {
    what: "a named file that does not exist anywhere is an error",
    base: { "realm.yaml": DONE },
    head: { "realm.yaml": realm("", GOES) },
    ...NAMED,
    code: EXIT.errors,
    says: "rails.yaml",
  },
  {
    what: "a named file that allows the plan lets it pass",
    base: { "realm.yaml": DONE, "rails.yaml": policy(2) },
    head: { "realm.yaml": realm("", GOES), "rails.yaml": policy(2) },
    ...NAMED,
    code: EXIT.done,
    says: "archived",
  },
  {
    what: "policy: in the base's file applies if the head loosens it and uses that",
    base: { "realm.yaml": realm(OWN(0), STAYS) },
    head: { "realm.yaml": realm(OWN(9), GOES) },
    inputs: {},
    code: EXIT.refusedByGuard,
    says: "loosen it in a separate pull request first",
  },
  {
    what: "policy: in the base's file applies if the head removes it",
    base: { "realm.yaml": realm(OWN(0), STAYS) },
    head: { "realm.yaml": realm("", GOES) },
    inputs: {},
    code: EXIT.refusedByGuard,
    says: "loosen it in a separate pull request first",
  },
  {
    what: "policy: in the base's file applies if it is in a separate file",
    base: { "realm.yaml": realm("policy: own.yaml\n", STAYS), "own.yaml": policy(0) },
    head: { "realm.yaml": realm("policy: own.yaml\n", GOES), "own.yaml": policy(9) },
    inputs: {},
    code: EXIT.refusedByGuard,
    says: "loosen it in a separate pull request first",
  },
  {
    what: "policy: in the base's file applies to protected objects",
    base: { "realm.yaml": realm('policy: {protect: ["channel:sand*"]}\n', STAYS) },
    head: { "realm.yaml": realm("policy: {protect: []}\n", GOES) },
    inputs: {},
    code: EXIT.refusedByGuard,
    says: "loosen it in a separate pull request first",
  },
  {
    what: "a head that only loosens it is not refused",
    base: { "realm.yaml": realm(OWN(0), GOES) },
    head: { "realm.yaml": realm(OWN(2), GOES) },
    inputs: {},
    code: EXIT.done,
    says: "archived",
  },
  {
    what: "a limit that the head tightens applies at once",
    base: { "realm.yaml": realm(OWN(9), STAYS) },
    head: { "realm.yaml": realm(OWN(0), GOES) },
    inputs: {},
    code: EXIT.refusedByGuard,
    says: "Refused by a guard rail",
  },
  ...Object.entries({
    "are no guard rails": { "realm.yaml": realm("policy: {limits: {removals: many}}\n", STAYS) },
    "are in a file that is not there": { "realm.yaml": realm("policy: own.yaml\n", STAYS) },
    "are in a file that is broken": { "realm.yaml": realm("policy: own.yaml\n", STAYS), "own.yaml": "policy: [\n" },
    "are in a file that is not YAML": { "realm.yaml": `${realm(OWN(9), STAYS)}  - [\n` },
  }).map(([what, base]) => ({
    what: `policy: of a base that cannot be read might forbid it: those that ${what}`,
    base,
    head: { "realm.yaml": realm(OWN(9), GOES) },
    inputs: {},
    code: EXIT.refusedByGuard,
    says: "guard rails cannot be read",
  })),
  {
    what: "a head that only repairs it is not refused because of the unreadable one",
    base: { "realm.yaml": realm("policy: own.yaml\n", GOES), "own.yaml": "policy: {limits: {removals: many}}\n" },
    head: { "realm.yaml": realm("policy: own.yaml\n", GOES), "own.yaml": policy(2) },
    inputs: {},
    code: EXIT.done,
    says: "Already different on the server: 1",
  },
];

/** Base and head with more than one file; the head is checked out. */
function pull(base: Row["base"], head: Row["head"]): void {
  repository.pull(base["realm.yaml"] ?? "", head["realm.yaml"] ?? "");
  repository.github.commits[SHA.base] = { ...base };
  repository.github.commits[SHA.head] = { ...head };
  repository.github.commits[SHA.merge] = { ...head };
  for (const [name, text] of Object.entries(head)) repository.file(name, text);
}

const spoken = (step: Step): string => `${step.log}\n${repository.github.comments.at(-1)?.body ?? ""}`;

for (const event of ["pull_request", "pull_request_target"] as const)
  test.each(rows)(`${event}: $what`, async ({ base, head, inputs, code, says }) => {
    pull(base, head);
    const step = await repository.run("plan", { event, inputs });
    expect(step.code).toBe(code);
    expect(spoken(step)).toContain(says);
    expect(repository.github.checks[0]?.conclusion).toBe(code === EXIT.done ? "neutral" : "failure");
  });

test("apply and drift check the merged file against the named file; apply sends nothing", async () => {
  pull({ "realm.yaml": DONE }, { "realm.yaml": realm(OWN(50), GOES), "rails.yaml": policy(0) });
  const options = { event: "push", sha: SHA.main } as const;
  const apply = await repository.run("apply", { ...options, inputs: { ...NAMED.inputs, reviewed: "ignore" } });
  expect(apply).toMatchObject({ code: EXIT.refusedByGuard });
  expect(repository.world.channel("sandbox").is_archived).toBe(false);
  const drift = await repository.run("drift", { ...options, ...NAMED });
  expect(drift).toMatchObject({ code: EXIT.changesPending, outputs: { drift: "1" } });
  const allowed = await repository.run("apply", { ...options, inputs: { reviewed: "ignore" } });
  expect(allowed).toMatchObject({ code: EXIT.done });
  expect(repository.world.channel("sandbox").is_archived).toBe(true);
});

const vault = (own: string, users: string, sandbox = STAYS) =>
  `${realm(own, sandbox)}  vault: {privacy: private_shared_history, subscribers: {users: [${users}]}}\n`;
const ADA = "ada@acme.example";
const OPENS = `${ADA}, elif@acme.example`;
const NUMBER = "policy: {limits: {people_gaining_access: 9}}\n";

interface Pushed {
  readonly what: string;
  readonly before: Row["base"];
  readonly head: string;
  readonly inputs?: Row["inputs"];
  readonly payload?: { readonly before: string };
  readonly code?: number;
}

test.each<Pushed>([
  { what: "a number that the merge brings", before: { "realm.yaml": vault("", ADA) }, head: vault(NUMBER, OPENS) },
  {
    what: "a number that was there before answers",
    before: { "realm.yaml": vault(NUMBER, ADA) },
    head: vault(NUMBER, OPENS),
    code: EXIT.done,
  },
  {
    what: "a limit that the merge raises",
    before: { "realm.yaml": vault(OWN(0), ADA) },
    head: vault(OWN(9), ADA, GOES),
  },
  {
    what: "a named file that the merge raises",
    before: { "realm.yaml": vault("", ADA), "rails.yaml": policy(0) },
    head: vault("", ADA, GOES),
    ...NAMED,
  },
  {
    what: "a named file that could not be read",
    before: { "realm.yaml": vault("", ADA), "rails.yaml": "policy: [" },
    head: vault("", ADA, GOES),
    ...NAMED,
  },
  { what: "no file before has the default limits", before: {}, head: vault(NUMBER, OPENS) },
  { what: "a file that could not be read", before: { "realm.yaml": "policy: [" }, head: vault("", ADA, GOES) },
  {
    what: "a new branch has the default limits",
    before: { "realm.yaml": vault(NUMBER, ADA) },
    head: vault(NUMBER, OPENS),
    payload: { before: "0".repeat(40) },
  },
])("a push that nobody reviewed: $what", async ({ before, head, inputs, payload, code = EXIT.refusedByGuard }) => {
  await repository.world.bringInLine(vault("", ADA));
  pull(before, { "realm.yaml": head, "rails.yaml": policy(9) });
  const sent = repository.world.writes().length;
  const options = {
    event: "push",
    sha: SHA.main,
    ...defined({ payload }),
    inputs: { reviewed: "ignore", ...inputs },
  } as const;
  const step = await repository.run("apply", options);
  expect(step.code, step.log).toBe(code);
  expect(repository.world.writes().length > sent).toBe(code === EXIT.done);
});

test("validate reads the named file and the one that the file itself names", async () => {
  const validate = (inputs = {}) => repository.run("validate", { event: "push", anonymous: true, inputs });
  repository.file("realm.yaml", realm("policy: own.yaml\n", STAYS));
  repository.file("own.yaml", policy(2));
  repository.file("rails.yaml", policy(2));
  expect(await validate(NAMED.inputs)).toMatchObject({ code: 0, summary: expect.stringContaining("are valid") });
  repository.file(
    "rails.yaml",
    'version: 1\npolicy: {protect: ["chanel:security-*", "channel: x"], limits: {removal: 1}}\n',
  );
  const named = await validate(NAMED.inputs);
  expect(named).toMatchObject({ code: EXIT.errors, outputs: { errors: "3" } });
  expect(named.log).toMatch(/title=policy\/protect,file=rails.yaml,line=2/);
  expect((await validate()).code).toBe(0);
  repository.file("own.yaml", "policy: {lockout: maybe}\n");
  const own = await validate({ policy: "own.yaml" });
  expect(own).toMatchObject({ code: EXIT.errors, outputs: { errors: "1" } });
  expect(own.log).toMatch(/title=policy\/lockout,file=own.yaml,line=1/);
  expect(await validate({ policy: "none.yaml" })).toMatchObject({ code: EXIT.errors });
});

test("a policy file outside the repository is refused", async () => {
  pull({ "realm.yaml": DONE }, { "realm.yaml": DONE });
  const step = await repository.run("plan", { inputs: { policy: "../rails.yaml" } });
  expect(step).toMatchObject({ code: EXIT.errors });
  expect(step.log).toContain("is not inside the repository");
});

test("guard rails that the base includes from elsewhere in the repository apply, and a head cannot take them away; nothing outside of it is read", async () => {
  const file = "orgs/main/realm.yaml";
  const head = realm("include: [../../shared/rails.yaml]\n", GOES);
  const base = { [file]: head.replace(GOES, STAYS), "shared/rails.yaml": OWN(0) };
  const plan = async (files: { readonly [path: string]: string }): Promise<Step> => {
    repository.github.commits[SHA.base] = base;
    for (const sha of [SHA.head, SHA.merge]) repository.github.commits[sha] = files;
    repository.github.parents[SHA.merge] = [SHA.base, SHA.head];
    repository.github.merges[7] = SHA.merge;
    for (const [path, text] of Object.entries(files)) repository.file(path, text);
    return repository.run("plan", { inputs: { file } });
  };
  expect((await plan({ [file]: head, "shared/rails.yaml": OWN(9) })).code).toBe(EXIT.refusedByGuard);
  expect((await plan({ [file]: head.replace(/include.*\n/, "") })).code).toBe(EXIT.refusedByGuard);
  repository.world.file("outside.yaml", "channels: {}\n");
  const outside = await plan({ [file]: head.replace("shared/rails", "../outside") });
  expect(outside).toMatchObject({ code: EXIT.errors, log: expect.stringContaining("include/outside") });
});
