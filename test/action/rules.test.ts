import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { repositoryOfFile, SHA } from "./runner.ts";

/** The README's story: somebody opens #leadership by hand, and drift, the rule and the pull request report it. */
const repository = repositoryOfFile();
let owner: string;
beforeAll(async () => {
  owner = repository.world.credentials().ZULIP_EMAIL ?? "";
  await repository.world.bringInLine(realm());
  // By hand, in the settings page: the file does not contain it.
  repository.world.file("by-hand.yaml", `version: 1\nchannels: {leadership: ${OPEN}}\n`);
  expect(
    await repository.world.realmctl("apply by-hand.yaml --yes --allow people_gaining_access --allow opened"),
  ).toMatchObject({
    code: EXIT.done,
  });
});

const OPEN = "{permissions: {can_subscribe_group: role:members}}";
const realm = (leadership = "", general = ""): string => `version: 1
manage:
  channels: {policy: additive, unset: default}
channels:
  general: {description: Everything${general}}
  leadership:
    privacy: private_shared_history
    subscribers: {users: ["${owner}"]}
${leadership}`;
const OPENED = "    permissions: {can_subscribe_group: role:members}\n";
const rules = (who = owner): string => `version: 1
tests:
  - name: Only the owner reads what is decided
    objects: leadership
    rights:
      read: {only: "${who}"}
`;

/** Base and head of the pull request; of the head, only the differences. */
function pull(base: { readonly [file: string]: string }, head: { readonly [file: string]: string }): void {
  repository.pull(base["realm.yaml"] ?? "", head["realm.yaml"] ?? "");
  repository.github.commits[SHA.base] = { ...base };
  repository.github.commits[SHA.head] = { ...head };
  repository.github.commits[SHA.merge] = { ...head };
  rmSync(join(repository.workspace, "realm.test.yaml"), { force: true });
  for (const [name, text] of Object.entries(head)) repository.file(name, text);
}

const comment = (): string => repository.github.comments.at(-1)?.body ?? "";

test("drift says what was opened, how much it watches, and which rule is broken", async () => {
  const { world } = repository;
  const silent = await world.realmctl("drift");
  expect(silent).toMatchObject({ code: EXIT.changesPending, err: "" });
  expect(silent.out).toContain("#leadership  widens access");
  expect(silent.out).toMatch(/can_subscribe_group +role:nobody → role:members \(not in the file: default\)/);
  expect(silent.out).toMatch(/\nWatches 2\d of \d+ permission settings and \d+ of \d+ other fields/);
  world.file("realm.test.yaml", rules());
  const said = await world.realmctl("drift");
  expect(said.out).toMatch(/✗ Only the owner reads what is decided/);
  expect(said.out).toContain("can read #leadership");
  expect(said.out).toContain("1 of 1 rule does not hold");
  const json = await world.realmctl("drift --format json");
  expect(JSON.parse(json.out)).toMatchObject({
    watches: { permissions: { watched: 22 } },
    differences: [{ access: "widens", fields: [{ field: "can_subscribe_group", unset: true }] }],
    rules: { held: 0, broken: 1, undecided: 0 },
    exit_code: EXIT.changesPending,
  });
  // If the file has what was opened, there is no drift; the rule reports it all the same.
  world.file("plain.yaml", realm(OPENED));
  expect(await world.realmctl("drift plain.yaml")).toMatchObject({
    code: EXIT.done,
    out: expect.stringContaining("No drift."),
  });
  expect(await world.realmctl("drift plain.yaml --rules realm.test.yaml")).toMatchObject({ code: EXIT.ruleBroken });
});

test.each([
  { what: "that have an error", text: "version: 1\ntests: []\n", code: "rules/no-rules" },
  {
    what: "that name something that does not exist",
    text: "version: 1\ntests: [{name: x, objects: no-such, rights: {read: {only: role:owners}}}]\n",
    code: "rules/no-match",
  },
])("rules $what do not hide drift: 2 with drift, else 1 as for a file with errors", async ({ text, code }) => {
  const { world } = repository;
  world.file("plain.yaml", realm(OPENED));
  world.file("unfit.yaml", text);
  for (const [file, exit] of [
    ["realm.yaml", EXIT.changesPending],
    ["plain.yaml", EXIT.errors],
  ] as const) {
    const said = await world.realmctl(`drift ${file} --rules unfit.yaml`);
    expect(said).toMatchObject({ code: exit, err: expect.stringContaining(`error[${code}]`) });
    expect(said.out).toContain(exit === EXIT.errors ? "No drift." : "#leadership  widens access");
    expect(said.out).toContain("The rules could not be checked against the organization.");
    const json = await world.realmctl(`drift ${file} --rules unfit.yaml --format json`);
    expect(json.code).toBe(exit);
    expect(JSON.parse(json.out)).toMatchObject({ exit_code: exit, rules: { held: 0, cannot_be_held: true } });
  }
});

test("the nightly job keeps an issue that says both, without names of people", async () => {
  repository.file("realm.yaml", realm());
  repository.file("realm.test.yaml", rules());
  const step = await repository.run("drift", { event: "schedule", sha: SHA.main });
  expect(step).toMatchObject({ code: EXIT.changesPending, outputs: { "rules-broken": "1", widens: "1" } });
  const body = repository.github.issues.at(-1)?.body ?? "";
  expect(body).toContain("Only the owner reads what is decided");
  expect(body).toContain("Watches 22 of ");
  expect(body).toContain("not in the file: default");
  expect(body).toMatch(/person \d+ can read/);
  expect(body).not.toMatch(/Elif|Farah/);
});

test("the nightly job names a rule that does not fit, and checks the others", async () => {
  repository.file("realm.yaml", realm());
  repository.file(
    "realm.test.yaml",
    `${rules()}  - {name: Nobody is there, objects: no-such, rights: {read: {only: role:owners}}}\n`,
  );
  const step = await repository.run("drift", { event: "schedule", sha: SHA.main });
  expect(step).toMatchObject({ code: EXIT.changesPending, outputs: { "rules-broken": "2", widens: "1" } });
  const body = repository.github.issues.at(-1)?.body ?? "";
  expect(body).toContain("no-such");
  expect(body).toContain("Only the owner reads what is decided");
});

test("the nightly job exits with 1 if nothing differs and the rules cannot be checked", async () => {
  repository.file("realm.yaml", realm(OPENED));
  repository.file("realm.test.yaml", "version: 1\ntests: []\n");
  const step = await repository.run("drift", { event: "schedule", sha: SHA.main });
  expect(step).toMatchObject({ code: EXIT.errors, outputs: { "rules-broken": "1", drift: "0" } });
});

for (const event of ["pull_request", "pull_request_target"] as const) {
  const base = () => ({ "realm.yaml": realm(), "realm.test.yaml": rules() });

  test.each([
    {
      what: "that adds the opening to the file is refused by the rule, at its line",
      head: () => ({ "realm.yaml": realm(OPENED), "realm.test.yaml": rules() }),
      code: EXIT.ruleBroken,
      says: "1 of 1 rule of `realm.test.yaml` does not hold",
    },
    {
      what: "that loosens the rule and uses that at once is refused by the rule of the base",
      head: () => ({ "realm.yaml": realm(OPENED), "realm.test.yaml": rules("role:members") }),
      code: EXIT.ruleBroken,
      says: "of the base does not hold",
    },
    {
      what: "that removes the rules and uses that at once is refused by those of the base",
      head: () => ({ "realm.yaml": realm(OPENED) }),
      code: EXIT.ruleBroken,
      says: "of the base does not hold",
    },
    {
      what: "that only loosens the rule is checked against its own",
      head: () => ({ "realm.yaml": realm(), "realm.test.yaml": rules("role:members") }),
      code: EXIT.done,
      says: "1 rule of `realm.test.yaml` holds",
    },
    {
      what: "about something else passes, and shows that the opening is closed again",
      head: () => ({
        "realm.yaml": realm("", ", topics_policy: inherit, message_retention_days: unlimited"),
        "realm.test.yaml": rules(),
      }),
      code: EXIT.done,
      says: "Already different on the server: 1",
    },
    {
      what: "whose rules have errors gets these with their places",
      head: () => ({ "realm.yaml": realm(OPENED), "realm.test.yaml": rules().replace("only", "onyl") }),
      code: EXIT.errors,
      says: "onyl",
    },
    {
      what: "that renames what a rule of the base is about is held to it all the same",
      head: () => ({
        "realm.yaml": realm().replace("  leadership:\n", "  board:\n    was: leadership\n"),
        "realm.test.yaml": rules().replace("objects: leadership", "objects: board"),
      }),
      code: EXIT.done,
      says: "1 rule of `realm.test.yaml` of the base holds",
    },
    {
      what: "that opens it under another name, and gives its name to another channel, is refused by both",
      head: () => ({
        "realm.yaml": `${realm(OPENED).replace("  leadership:\n", "  board:\n    was: leadership\n")}  leadership:\n    privacy: private_shared_history\n`,
        "realm.test.yaml": `${rules()}# changed\n`,
      }),
      code: EXIT.ruleBroken,
      broken: "2",
      says: /of the base does not hold\n[\s\S]*person \d+ can read `#private channel 4`: `can_subscribe_group`/,
    },
    {
      what: "that takes something out of the file that a rule of the base names is refused",
      base: () => ({
        "realm.yaml": `${realm()}  later: {}\n`,
        "realm.test.yaml": rules().replace("objects: leadership", "objects: later"),
      }),
      head: () => ({ "realm.yaml": realm("", "!"), "realm.test.yaml": rules() }),
      code: EXIT.ruleBroken,
      says: "of the base cannot be checked against this",
    },
  ])(`${event} $what`, async ({ base: other = base, head, code, says, broken = "1" }) => {
    pull(other(), head());
    const step = await repository.run("plan", { event });
    expect(`${step.code}\n${step.log}`).toContain(`${code}\n`);
    expect(comment()).toMatch(says);
    const check = repository.github.checks.at(-1);
    expect(check?.conclusion).toBe(code === EXIT.done ? "neutral" : "failure");
    if (code === EXIT.ruleBroken) {
      expect(step.outputs["rules-broken"]).toBe(broken);
      expect(JSON.stringify(check)).toMatch(/\d rules? do(es)? not hold/);
      expect(comment()).not.toMatch(/Elif|Farah/);
    }
  });
}

test("the annotation is at the line that gives the right", async () => {
  pull(
    { "realm.yaml": realm(), "realm.test.yaml": rules() },
    { "realm.yaml": realm(OPENED), "realm.test.yaml": rules() },
  );
  await repository.run("plan");
  expect(JSON.stringify(repository.github.checks.at(-1))).toMatch(/"rules\/broken"/);
  const lines = JSON.stringify(repository.github.checks.at(-1)).match(
    /"path":"realm\.yaml","start_line":\d+[^}]*rules\/broken/,
  );
  expect(lines?.[0]).toContain(
    `"start_line":${
      realm(OPENED)
        .split("\n")
        .findIndex((line) => line.includes("can_subscribe")) + 1
    }`,
  );
});

test("named files of rules must exist", async () => {
  pull({ "realm.yaml": realm() }, { "realm.yaml": realm() });
  const step = await repository.run("plan", { inputs: { rules: "none.yaml" } });
  expect(step.code).toBe(EXIT.errors);
  expect((await repository.run("plan", { inputs: { rules: "../x.yaml" } })).code).toBe(EXIT.errors);
});

test("docs/start.md shows the output for the pull request of its story", async () => {
  const page = readFileSync(new URL("../../docs/start.md", import.meta.url), "utf8");
  const story = page.slice(page.indexOf("## Somebody opens #leadership by hand"));
  const [file = "", held = ""] = ["realm.yaml", "realm.test.yaml"].map(
    (name) => `# ${name}\n${story.split(`# ${name}\n`)[1]?.split("```")[0]?.replaceAll("ada@acme.example", owner)}`,
  );
  pull({ "realm.yaml": file, "realm.test.yaml": held }, { "realm.yaml": `${file}${OPENED}`, "realm.test.yaml": held });
  const step = await repository.run("plan", { event: "pull_request" });
  expect(step.code).toBe(EXIT.ruleBroken);
  const shown =
    /holds it -->\n```text\n(.*?)```/s
      .exec(story)?.[1]
      ?.split("\n")
      .filter((line) => /\w/.test(line)) ?? [];
  expect(shown.length).toBeGreaterThan(3);
  const received = comment().split("\n");
  expect(received.filter((line) => shown.includes(line))).toEqual(shown);
});
