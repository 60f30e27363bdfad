import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { World } from "./world.ts";

/** Two organizations; commands run in the directory of the first. */
const first = await World.start();
const second = await World.start();
afterAll(async () => {
  await first.end();
  await second.end();
});

const fileOf = (world: World, description: string): string =>
  `version: 1\nrealm: ${world.url}\ninclude: [../shared.yaml]\nuser_groups: {crew: {description: ${description}}}\n`;

/** Variables with the prefix of one organization. */
const own = (world: World, name: string): { readonly [variable: string]: string } =>
  Object.fromEntries(Object.entries(world.credentials()).map(([variable, value]) => [`${variable}__${name}`, value]));
const both = { ...own(first, "ONE"), ...own(second, "TWO") };

beforeEach(() => {
  first.restart();
  second.restart();
  first.directories("orgs");
  first.file("orgs/one.yaml", `version: 1\nrealm: ${first.url}\nuser_groups: {crew: {description: one}}\n`);
  first.file("orgs/two.yaml", `version: 1\nrealm: ${second.url}\nuser_groups: {crew: {description: two}}\n`);
  first.file("orgs/shared.yaml", "channels: {}\n");
});

const run = (line: string, env: { readonly [variable: string]: string } = both) =>
  first.realmctl(line, { env, anonymous: true });

describe("whoami", () => {
  test("checks the credentials of each organization, and marks the refused ones in the table", async () => {
    const fine = await run("whoami orgs");
    expect(fine).toMatchObject({ code: 0, err: "" });
    expect(fine.out.match(/^== orgs\/\w+\.yaml · \S+\nada@acme\.example · .*owner$/gm)).toHaveLength(2);
    expect(fine.out).toContain("2 organizations · exit code 0");
    const wrong = await run("whoami orgs --quiet", { ...both, ZULIP_API_KEY__TWO: "0".repeat(32) });
    expect(wrong.code).toBe(6);
    expect(wrong.out).toMatch(/ 6 {2}zulip\/unauthorized\n2 organizations · 1 failed · exit code 6/);
    const json = await run("whoami orgs --format json");
    expect(JSON.parse(json.out)).toMatchObject({
      command: "whoami",
      organizations: [{ report: { format: "realmctl.whoami" } }, { report: { format: "realmctl.whoami" } }],
    });
    expect([...first.writes(), ...second.writes()]).toEqual([]);
  });

  test("of one file: credentials of another organization are an error; without a file, none are checked", async () => {
    const here = await run("whoami orgs/one.yaml");
    expect(here).toMatchObject({ code: 0, err: "" });
    const other = await run("whoami orgs/one.yaml", second.credentials());
    expect(other).toMatchObject({ code: 1, out: "", err: expect.stringContaining("error[realm/other-realm]") });
    expect(other.err).toContain("orgs/one.yaml:2");
    first.file("realm.yaml", "channels: [yaml");
    expect(await run("whoami", second.credentials())).toMatchObject({ code: 0, err: "" });
    expect(await run("whoami --quiet", second.credentials())).toEqual({ code: 0, out: "", err: "" });
    expect((await run("whoami --shard 1/2", second.credentials())).err).toContain("organizations/shard-of-one");
    expect((await run("whoami nosuch.yaml")).err).toContain("error[config/cannot-read]");
  });
});

test("a directory is planned: each organization whole, then a table, and the highest exit code", {
  tags: "installed",
}, async () => {
  const { code, out, err } = await run("plan orgs --detailed-exit-code");
  const host = (world: World): string => world.url.replace("http://", "");
  expect(err).toBe("");
  expect(code).toBe(2);
  const headings = out.split("\n").filter((line) => line.startsWith("== "));
  expect(headings).toEqual([`== orgs/one.yaml · ${host(first)}`, `== orgs/two.yaml · ${host(second)}`]);
  const [one, two] = [/description[^\n]*\bone\b/, /description[^\n]*\btwo\b/].map((text) => out.search(text));
  expect(one).toBeGreaterThan(-1);
  expect(one).toBeLessThan(out.indexOf(headings[1] ?? ""));
  expect(two).toBeGreaterThan(out.indexOf(headings[1] ?? ""));
  expect(out.split("\n").slice(-6)).toEqual([
    expect.stringMatching(/^organization +changes +risks +guards +exit$/),
    expect.stringMatching(new RegExp(`^${host(first)} +1 +0 +ok +2$`)),
    expect.stringMatching(new RegExp(`^${host(second)} +1 +0 +ok +2$`)),
    "2 organizations · 2 with changes · exit code 2",
    "Skipped, because they do not name an organization (realm:): orgs/shared.yaml",
    "",
  ]);
});

test("apply brings each organization to its file, with one journal each, without a question", {
  tags: "installed",
}, async () => {
  expect(await run("apply orgs")).toMatchObject({ code: 1, err: expect.stringContaining("organizations/unasked") });
  expect(first.writes()).toEqual([]);
  const { code } = await run("apply orgs --yes --quiet");
  expect(code).toBe(0);
  expect([first.writes().length, second.writes().length]).toEqual([1, 1]);
  expect(first.journals()).toHaveLength(2);
  expect(await run("drift orgs --quiet")).toMatchObject({ code: 0 });
});

test("a deactivated account counts as a change of its organization", async () => {
  for (const [name, world] of [
    ["one", first],
    ["two", second],
  ] as const)
    first.file(`orgs/${name}.yaml`, `version: 1\nrealm: ${world.url}\npeople: {elif@acme.example: {role: member}}\n`);
  expect(await run("drift orgs --quiet")).toMatchObject({ code: 0 });
  const elif = second.person("elif@acme.example");
  await second.edit("owner", "DELETE", `/users/${elif}`, {});
  const { code, out } = await run("drift orgs --quiet");
  expect([code, out]).toEqual([2, expect.stringContaining("2 organizations · 1 with changes · exit code 2")]);
});

test("people who read a private channel and are not listed are in the table, although nothing changes", async () => {
  const made = { subscriptions: [{ name: "vault" }], invite_only: true, history_public_to_subscribers: true };
  for (const [name, world] of [
    ["one", first],
    ["two", second],
  ] as const) {
    await world.edit("owner", "POST", "/users/me/subscriptions", made);
    const list = name === "one" ? "" : ", subscribers: {users: [ada@acme.example]}";
    const channel = `{privacy: private_shared_history${list}}`;
    first.file(`orgs/${name}.yaml`, `version: 1\nrealm: ${world.url}\nchannels: {vault: ${channel}}\n`);
  }
  const { code, out } = await run("plan orgs --quiet");
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("2 organizations · 1 with what apply does not revert · exit"),
  ]);
  expect(out.match(/ 0 {2}1 that apply does not revert$/gm)).toHaveLength(1);
  expect((await run("plan orgs")).out).toContain("1 person reads #vault whom the file does not list: Ada Okafor");
  expect((await run("apply orgs --yes --quiet")).out).toContain("1 with what apply does not revert");
  const json = JSON.parse((await run("plan orgs --format json")).out);
  expect(json.organizations).toMatchObject([{ uncompared: 1 }, { uncompared: 0 }]);
});

test("a failure does not stop the others, and the table gives the reason", async () => {
  const { code, out, err } = await run("plan orgs --quiet", own(second, "TWO"));
  expect(code).toBe(6);
  expect(out).toContain("credentials/missing");
  expect(out).toContain("2 organizations · 1 with changes · 1 failed · exit code 6");
  expect(err).toContain("ZULIP_API_KEY__ONE");
});

test("an unreadable file is not skipped: it fails, with its errors", async () => {
  first.file("orgs/broken.yaml", "channels: [yaml");
  first.file("orgs/nowhere.yaml", "version: 1\nrealm: somewhere else\n");
  const { code, out, err } = await run("plan orgs --quiet");
  expect(code).toBe(1);
  expect(out).toContain("4 organizations · 2 with changes · 2 failed · exit code 1");
  expect(out).toMatch(/^orgs\/nowhere\.yaml .* config\/realm$/m);
  expect(err).toContain("orgs/broken.yaml:1");
  expect(await run("plan orgs/one.yaml missing.yaml --quiet")).toMatchObject({
    code: 1,
    err: expect.stringContaining("missing.yaml"),
  });
});

test("JSON is one document that matches the schema", async () => {
  const { code, out } = await run("plan orgs --format json", own(first, "ONE"));
  const schema: object = JSON.parse(
    readFileSync(new URL("../../schemas/organizations.schema.json", import.meta.url), "utf8"),
  );
  const check = new Ajv({ strict: false }).compile(schema);
  const json: unknown = JSON.parse(out);
  expect(check(json), JSON.stringify(check.errors)).toBe(true);
  expect(json).toMatchObject({
    command: "plan",
    exit_code: code,
    passed_over: ["orgs/shared.yaml"],
    organizations: [
      { file: "orgs/one.yaml", realm: first.url, changes: 1, guards: "ok", report: { format: "realmctl.plan" } },
      { file: "orgs/two.yaml", exit_code: 6, changes: null, report: { format: "realmctl.diagnostics" } },
    ],
  });
});

test("jsonl: every line is an event that matches the schema and names its organization; the last one covers all", async () => {
  first.file("orgs/broken.yaml", "channels: [yaml");
  first.file("orgs/zwei.yaml", "version: 1\nrealm: https://zwei.example.org\nchannels: {}\n");
  const { code, out, err } = await run("apply orgs --yes --jobs 2 --format jsonl");
  const schema: object = JSON.parse(
    readFileSync(new URL("../../schemas/apply-event.schema.json", import.meta.url), "utf8"),
  );
  const check = new Ajv({ strict: false }).compile(schema);
  const all = out
    .trimEnd()
    .split("\n")
    .map((line): { event: string; organization?: { file: string }; [field: string]: unknown } => JSON.parse(line));
  for (const event of all) expect(check(event), `${JSON.stringify(event)}\n${JSON.stringify(check.errors)}`).toBe(true);
  const eventsOf = (file: string) =>
    all.filter(({ organization }) => organization?.file === file).map(({ event }) => event);
  expect(eventsOf("orgs/one.yaml")).toEqual(["start", "sending", "call", "end"]);
  expect(eventsOf("orgs/two.yaml")).toEqual(["start", "sending", "call", "end"]);
  expect(eventsOf("orgs/broken.yaml")).toEqual(["refused"]);
  expect(eventsOf("orgs/zwei.yaml")).toEqual(["refused"]);
  expect(code).toBe(6);
  expect(all.at(-1)).toMatchObject({
    event: "organizations",
    exit_code: code,
    organizations: [
      { file: "orgs/broken.yaml", exit_code: 1 },
      { file: "orgs/one.yaml", exit_code: 0 },
      { file: "orgs/two.yaml", exit_code: 0 },
      { file: "orgs/zwei.yaml", exit_code: 6 },
    ],
    passed_over: ["orgs/shared.yaml"],
  });
  expect(err).not.toContain("organization    ");
  // The schema refuses lines that are no event, and an event of an organization without a name.
  expect(check({ ...all[0], event: "begin" })).toBe(false);
  expect(check({ ...all[0], organization: {} })).toBe(false);
});

test.each([
  ["validate orgs", 0],
  ["test orgs --rules rules.yaml", 0],
])("%s", async (line, code) => {
  for (const [name, world] of [
    ["one", first],
    ["two", second],
  ] as const)
    first.file(`orgs/${name}.yaml`, `version: 1\nrealm: ${world.url}\nchannels: {hall: {}}\n`);
  first.file("rules.yaml", "version: 1\ntests:\n  - {name: Guests, who: {role: guest}, cannot: {post: ['*']}}\n");
  const ran = await run(line);
  expect(ran.err).toBe("");
  expect(ran).toMatchObject({ code, out: expect.stringContaining("2 organizations · exit code 0") });
});

describe("shards", () => {
  test.each([
    ["1/2", ["one"]],
    ["2/2", ["two"]],
    ["3/3", []],
  ])("%s has its part", async (shard, names) => {
    const { out } = await run(`validate orgs --shard ${shard}`);
    expect(out.match(/(?<=^== orgs\/)\w+/gm) ?? []).toEqual(names);
  });
});

describe("credentials", () => {
  const section = (world: World, name: string): string => {
    const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = world.credentials();
    return `[${name}]\nsite=${ZULIP_SITE}\nemail=${ZULIP_EMAIL}\nkey=${ZULIP_API_KEY}\n`;
  };

  test("come from a zuliprc with one section for each, by site", { tags: "installed" }, async () => {
    first.file("zuliprc", `${section(second, "two")}${section(first, "api")}`);
    expect(await run("plan orgs --quiet --zuliprc zuliprc", {})).toMatchObject({ code: 0 });
    expect(await run("plan orgs/two.yaml --zuliprc zuliprc", {})).toMatchObject({ code: 0 });
  });

  test("come from a zuliprc whose section has another site: the error says which file was searched, and for what", async () => {
    const wrong = section(second, "two").replace(/^site=.*/m, "site=https://chat.example.org");
    first.file("zuliprc", `${section(first, "one")}${wrong}`);
    const { code, out, err } = await run("plan orgs --quiet --zuliprc zuliprc", {});
    expect(code).toBe(6);
    expect(out).toContain("2 organizations · 1 with changes · 1 failed · exit code 6");
    const words = err.replace(/\s+/g, " ");
    expect(words).toContain(
      `no credentials: no section of zuliprc has the site ${second.url} (its 2 sections have another)`,
    );
    expect(words).toContain("correct the site of its section, or add a section, or set ZULIP_SITE__TWO");
    expect(await run("plan orgs/two.yaml --zuliprc zuliprc", {})).toMatchObject({
      code: 6,
      err: expect.stringContaining("no section of zuliprc has the site"),
    });
  });

  test("without a name are used for the organization with their site, and for no other", async () => {
    const { out } = await run("plan orgs --quiet", first.credentials());
    expect(out).toContain("2 organizations · 1 with changes · 1 failed · exit code 6");
    expect(second.sandbox.log).toEqual([]);
  });

  test("of an organization override the common ones, also in a command for one organization", async () => {
    expect(await run("plan orgs/two.yaml", { ...first.credentials(), ...own(second, "TWO") })).toMatchObject({
      code: 0,
    });
    // A key is never sent to the site of another organization.
    const half = { ...first.credentials(), ZULIP_API_KEY__TWO: second.credentials().ZULIP_API_KEY ?? "" };
    expect(await run("plan orgs/two.yaml", half)).toMatchObject({
      code: 6,
      err: expect.stringContaining("(site) is missing"),
    });
  });
});

test.each([
  ["plan orgs/one.yaml orgs/../orgs/one.yaml", "organizations/same-realm"],
  ["plan orgs/one.yaml orgs/shared.yaml", "organizations/no-realm"],
  ["plan orgs --out x.plan", "organizations/for-one"],
  ["plan orgs --site https://chat.example.org", "organizations/for-one"],
  ["plan orgs -", "organizations/for-one"],
  ["drift orgs --format html", "organizations/for-one"],
  ["plan orgs/one.yaml --shard 1/2", "organizations/shard-of-one"],
  ["plan orgs --shard 3/2", "use/bad-value", "There is no part 3 of 2. Write 1/2 to 2/2"],
  ["plan orgs --shard 0/8", "use/bad-value", "There is no part 0 of 8"],
  ["plan orgs --shard 1/99999", "use/bad-value", "at most 10000 parts"],
  ["plan empty/..", "organizations/none", "directories in it are not searched"],
  ["validate - -", "use/standard-input", "- is given twice"],
  ["plan orgs --jobs 0", "use/bad-value"],
  ["plan empty", "organizations/none"],
])("%s is refused: %s", async (line, code, says = "") => {
  first.directories("empty");
  const { code: exit, out, err } = await run(line);
  expect({ exit, out }).toEqual({ exit: 1, out: "" });
  expect(err).toContain(`error[${code}]`);
  expect(err.replace(/\s+/g, " ")).toContain(says);
});

test("one file that is named twice is reported as such", async () => {
  const { err } = await run("plan orgs orgs/../orgs/one.yaml");
  expect(err).toContain("orgs/one.yaml is named twice");
});

test("two files with the same name are refused if a variable could belong to both", async () => {
  first.directories("more");
  first.file("more/one.yaml", fileOf(second, "x"));
  const { err } = await run("validate orgs/one.yaml more/one.yaml");
  expect(err).toContain("error[organizations/same-name]");
});

test("after an interrupt, apply starts no other organization", async () => {
  let interrupt = (): void => {};
  const { code, out } = await first.realmctl("apply orgs --yes", {
    env: both,
    anonymous: true,
    onStart: (given) => {
      interrupt = given;
    },
    io: {
      now: () => {
        interrupt();
        return Date.now();
      },
    },
  });
  expect(code).toBe(5);
  expect(out).toMatch(/not started/);
  expect(second.writes()).toEqual([]);
});
