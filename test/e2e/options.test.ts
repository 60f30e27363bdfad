import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { ResultForm } from "../../src/model/result.ts";
import { flat, worldOfTests } from "./world.ts";

const world = worldOfTests();

const ARCHIVE = "channels: {sandbox: {archived: true}}\n";
const REFUSED = `version: 1\npolicy: {limits: {removals: 0}}\n${ARCHIVE}`;

describe("--allow takes one value, and only names of guards", () => {
  test("the file after it is the file that is applied", async () => {
    world.file("realm.yaml", "version: 1\nchannels: {general: {description: the wrong file}}\n");
    world.file("prod.yaml", REFUSED);
    const ran = await world.realmctl("apply --allow removals prod.yaml --yes");
    expect(ran.code, ran.err).toBe(EXIT.done);
    expect(world.channel("sandbox").is_archived).toBe(true);
    expect(world.channel("general").description).not.toBe("the wrong file");
  });

  test.each([
    "--allow removals --allow lockout",
    "--allow removals,lockout",
    "--allow=removals",
    "--allow lockout,removals",
  ])("%s", async (flags) => {
    world.file("realm.yaml", REFUSED);
    expect((await world.realmctl(`apply ${flags} --yes`)).code).toBe(EXIT.done);
  });

  test.each([
    { flags: "--allow fooo", says: 'there is no guard "fooo"' },
    { flags: "--allow removal", says: 'did you mean "removals"?' },
    { flags: "--allow removals,lokout", says: 'did you mean "lockout"?' },
    { flags: "--allow channel.removals", says: 'did you mean "channels.removals"?' },
    { flags: "--allow protect", says: "--allow protect:channel:general" },
    { flags: "--allow protect:chanel:general", says: "--allow protect:channel:general" },
    { flags: "--allow protect:channel:sandbx", says: 'did you mean "protect:channel:sandbox"?' },
    { flags: "--allow realm.yaml", says: 'there is no guard "realm.yaml"' },
  ])("$flags is refused", async ({ flags, says }) => {
    world.file("realm.yaml", `version: 1\npolicy: {protect: ['channel:sandbox']}\n${ARCHIVE}`);
    for (const command of ["plan", "apply --yes"]) {
      const ran = await world.realmctl(`${command} ${flags}`);
      expect(ran.code).toBe(EXIT.errors);
      expect(ran.err).toContain("error[guard/unknown]");
      expect(flat(ran.err)).toContain(says);
    }
    expect(world.writes()).toEqual([]);
  });

  test("a guard that refuses a saved plan is allowed by its name, and by no other", async () => {
    world.file("realm.yaml", `version: 1\npolicy: {protect: ['channel:sand*']}\n${ARCHIVE}`);
    expect((await world.realmctl("plan --out a.plan")).code).toBe(EXIT.refusedByGuard);
    const wrong = await world.realmctl("apply --plan a.plan --yes --allow protect:channel:sandbox");
    expect(wrong.code).toBe(EXIT.errors);
    expect(wrong.err).toContain('did you mean "protect:channel:sand*"?');
    expect((await world.realmctl("apply --plan a.plan --yes --allow protect:channel:sand*")).code).toBe(EXIT.done);
  });
});

test("apply names the people affected by a risk, as plan does: from a file, from a saved plan, everybody with --who", async () => {
  const open = "channels: {general: {permissions: {can_delete_any_message_group: role:members}}}";
  const begin = async (): Promise<string> => {
    world.restart();
    world.file("realm.yaml", `version: 1\n${open}\n`);
    const { out } = await world.realmctl("plan --out saved.plan");
    return /may delete any message[^\n]*\n +([^\n]+)/.exec(out)?.[1] ?? "";
  };
  for (const what of ["realm.yaml", "saved.plan"]) {
    const names = await begin();
    expect(names).toMatch(/^\S+ \S+, .* and \d+ more/);
    const ran = await world.realmctl(`apply ${what} --yes`);
    expect(ran.out, ran.err).toContain(`\n      ${names}\n`);
  }
  const names = await begin();
  const whole = await world.realmctl("apply --yes --who");
  expect(whole.out).not.toContain(names);
  expect(whole.out).toContain(names.split(" and ")[0] ?? "nobody");
});

describe("a word after an option is not a file because of its position", () => {
  beforeEach(() => world.file("realm.yaml", ARCHIVE.replace(/^/, "version: 1\n")));

  test.each([
    { line: "plan realm.yaml --who all", says: 'there is no file "all", and --who takes no value' },
    { line: "apply realm.yaml --yes true", says: '"true", and --yes takes no value' },
    { line: "apply --yes realm.yaml --rehearse no", says: '"no", and --rehearse takes no value' },
    { line: "plan --who all", says: 'there is no file "all"' },
    { line: "--insecure true plan realm.yaml", says: '"true", and --insecure takes no value' },
    { line: "drift --quiet yes", says: '"yes", and --quiet takes no value' },
    { line: "validate --no-color 1 realm.yaml", says: '"1", and --no-color takes no value' },
    { line: "fmt --check yes realm.yaml", says: '"yes", and --check takes no value' },
    { line: "plan realm.yaml --only channels user_groups", says: "--only channels --only user_groups" },
    { line: "plan realm.yaml --only=channels user_groups", says: "--only channels --only user_groups" },
    { line: "plan --only channels user_groups domains realm.yaml", says: "--only channels --only domains" },
    { line: "plan realm.yaml --timeout 5 m", says: 'there is no file "m", and --timeout takes one value: "5"' },
  ])("$line", async ({ line, says }) => {
    const before = world.sandbox.log.length;
    const ran = await world.realmctl(line);
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain("error[use/not-a-file]");
    expect(flat(ran.err)).toContain(says);
    expect(world.sandbox.log.length).toBe(before);
  });

  test.each([
    // Such files exist, and the first of the two values is one of them.
    { line: "plan --who all", files: ["all"] },
    { line: "plan --only channels realm.yaml", files: [] },
  ])("valid: $line", async ({ line, files }) => {
    for (const name of files) world.file(name, `version: 1\n${ARCHIVE}`);
    expect(await world.realmctl(line)).toMatchObject({ code: EXIT.done, err: "" });
  });

  test("where no file is accepted, the option is named too", async () => {
    const ran = await world.realmctl("snapshot --verbose 2");
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain("error[use/too-many-arguments]");
    expect(ran.err).toContain("--verbose takes no value.");
  });

  test.each(["plan nosuch", "plan nosuch.yaml", "apply nosuch.yaml --yes", "drift nosuch.yaml", "test nosuch --live"])(
    "%s: the missing file is reported before the server or any credentials are looked for",
    async (line) => {
      const before = world.sandbox.log.length;
      const ran = await world.realmctl(line, { anonymous: true });
      expect(ran.code).toBe(EXIT.errors);
      expect(flat(ran.err)).toMatch(/error\[config\/cannot-read\]: nosuch\S* cannot be read: there is no such file/);
      expect(world.sandbox.log.length).toBe(before);
    },
  );
});

describe("every option has its own value, once", () => {
  test.each([
    { line: "plan --out --format json", code: "use/no-value", says: "--out has no value" },
    { line: "apply --plan --yes", code: "use/no-value", says: "--plan has no value" },
    { line: "plan --policy --all", code: "use/no-value", says: "--policy has no value" },
    { line: "snapshot --out --invites", code: "use/no-value", says: "--out has no value" },
    { line: "adopt --field --yes", code: "use/no-value", says: "--field has no value" },
    { line: "plan --policy a.yaml --policy b.yaml", code: "use/given-twice", says: "--policy is given twice" },
    { line: "apply --plan a --plan b", code: "use/given-twice", says: "--plan is given twice" },
    { line: "plan --zuliprc a --zuliprc b", code: "use/given-twice", says: "--zuliprc is given twice" },
    { line: "plan --key SECRETSECRET --key SECRETSECRET", code: "use/given-twice", says: "--key is given twice" },
    {
      line: "apply --plan - --verify-with - --yes",
      code: "use/standard-input",
      says: "the standard input can be read only once",
    },
    {
      line: "plan - --out a.plan --sign-with -",
      code: "use/standard-input",
      says: "the standard input can be read only once",
    },
    { line: "plan --out=", code: "use/empty-value", says: "the value of --out is empty" },
    { line: "apply --plan= --yes", code: "use/empty-value", says: "the value of --plan is empty" },
    { line: "plan --policy=", code: "use/empty-value", says: "the value of --policy is empty" },
  ])("$line", async ({ line, code, says }) => {
    const before = world.sandbox.log.length;
    const ran = await world.realmctl(line);
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain(`error[${code}]`);
    expect(ran.err).toContain(says);
    expect(ran.err).not.toContain("SECRETSECRET");
    expect(world.sandbox.log.length).toBe(before);
  });

  test("a value that begins with -- is written after =", async () => {
    world.file("realm.yaml", "version: 1\n");
    expect((await world.realmctl("plan --out=--odd.plan")).code).toBe(EXIT.done);
    expect(world.read("--odd.plan")).toContain("realmctl.plan");
  });
});

describe("options before the command belong to the command", () => {
  test.each([
    ["--no-color plan", EXIT.done],
    ["--no-color plan realm.yaml --all", EXIT.done],
    ["--format json plan", EXIT.done],
    ["--zuliprc plan plan", EXIT.notAllowed],
    ["--no-color validate", EXIT.done],
    ["--no-color --help", EXIT.done],
    ["--no-color", EXIT.errors],
    ["--colour plan", EXIT.errors],
    ["help plna", EXIT.errors],
  ])("%s", async (line, code) => {
    world.file("realm.yaml", "version: 1\nchannels: {general: {}}\n");
    const ran = await world.realmctl(line);
    expect(ran.code, ran.err).toBe(code);
    if (line.startsWith("--zuliprc")) expect(ran.err).toContain('the credentials file "plan" (--zuliprc)');
    if (line.includes("json")) expect(JSON.parse(ran.out)).toMatchObject({ exit_code: 0 });
  });
});

describe("hints show the whole command", () => {
  const rc = (): string => {
    const { ZULIP_EMAIL, ZULIP_API_KEY, ZULIP_SITE } = world.credentials();
    return `[api]\nemail=${ZULIP_EMAIL}\nkey=${ZULIP_API_KEY}\nsite=${ZULIP_SITE}\n`;
  };
  const prepare = (): void => {
    for (const name of ["realm.yaml", "prod.yaml"])
      world.file(name, "version: 1\nchannels: {general: {description: Other}}\n");
    world.file("policy.yaml", "version: 1\npolicy: {limits: {removals: 3}, protect: ['channel:zzz*']}\n");
    world.file("rc", rc());
    chmodSync(join(world.directory, "rc"), 0o600);
  };

  test.each([
    ["plan", "realmctl apply"],
    ["plan prod.yaml", "realmctl apply prod.yaml"],
    ["plan prod.yaml --zuliprc rc", "realmctl apply prod.yaml --zuliprc rc"],
    ["plan --policy policy.yaml", "realmctl apply --policy policy.yaml"],
    ["plan --allow removals,lockout", "realmctl apply --allow removals --allow lockout"],
    [
      "plan --policy policy.yaml --allow protect:channel:zzz*",
      "realmctl apply --policy policy.yaml --allow 'protect:channel:zzz*'",
    ],
    ["plan prod.yaml --out my.plan --zuliprc rc", "realmctl apply --plan my.plan --zuliprc rc"],
    ["plan --out a$b.plan", "realmctl apply --plan 'a$b.plan'"],
  ])("%s: %s", async (line, hint) => {
    prepare();
    const ran = await world.realmctl(line, { anonymous: line.includes("rc") });
    expect(ran.code, ran.err).toBe(EXIT.done);
    expect(flat(ran.out)).toContain(`Apply with: ${hint} `);
    const page = await world.realmctl(`${line} --format html`, { anonymous: line.includes("rc") });
    expect(page.out).toContain("Apply with: <code><bdi>realmctl apply");
  });

  test("a key is never repeated", async () => {
    prepare();
    const { ZULIP_EMAIL, ZULIP_API_KEY = "", ZULIP_SITE } = world.credentials();
    const line = `plan --site ${ZULIP_SITE} --email ${ZULIP_EMAIL} --key ${ZULIP_API_KEY}`;
    const ran = await world.realmctl(line, { anonymous: true });
    expect(flat(ran.out)).toContain(`realmctl apply --site ${ZULIP_SITE} --email ${ZULIP_EMAIL} --key KEY`);
    expect(ran.out + ran.err).not.toContain(ZULIP_API_KEY);
  });

  test.each([
    [
      "drift prod.yaml --zuliprc rc --policy policy.yaml",
      "Put it back: realmctl apply prod.yaml --zuliprc rc --policy policy.yaml. Keep theirs: realmctl adopt --file prod.yaml --zuliprc rc.",
    ],
    ["adopt --all --yes --file prod.yaml --zuliprc rc", "Check it: realmctl plan prod.yaml --zuliprc rc"],
    [
      "apply prod.yaml --yes --zuliprc rc --policy policy.yaml --allow removals",
      "Undo: realmctl apply prod.yaml --zuliprc rc --policy policy.yaml --undo .realmctl/",
    ],
  ])("%s", async (line, hint) => {
    prepare();
    expect(flat((await world.realmctl(line, { anonymous: true })).out)).toContain(hint);
  });

  test("the command that it prints makes the same plan", async () => {
    prepare();
    const planned = await world.realmctl("plan prod.yaml --zuliprc rc --policy policy.yaml", { anonymous: true });
    const [, command = ""] = /Apply with: realmctl (.+?) \(/.exec(flat(planned.out)) ?? [];
    const ran = await world.realmctl(`${command} --yes`, { anonymous: true });
    expect(ran.code, ran.err).toBe(EXIT.done);
    expect(world.channel("general").description).toBe("Other");
  });
});

describe("a guard that refuses says how to allow it, and what it counts", () => {
  const limits = "version: 1\npolicy:\n  limits:\n    removals: 0\n";
  test.each([
    { what: "a limit", file: limits + ARCHIVE, way: "--allow removals", lasting: "raise the limit at realm.yaml:4" },
    {
      what: "a limit of a section",
      file: `version: 1\npolicy: {limits: {channels: {removals: 0}}}\n${ARCHIVE}`,
      way: "--allow channels.removals",
      lasting: "raise the limit at realm.yaml:2",
    },
    {
      what: "a protection",
      file: `version: 1\npolicy:\n  protect:\n    - channel:sand*\n${ARCHIVE}`,
      way: "--allow 'protect:channel:sand*'",
      lasting: "remove it from protect at realm.yaml:4",
    },
    {
      what: "a default",
      file: `version: 1\nchannels: {${Array.from({ length: 11 }, (_, n) => `c${n}: {archived: true}`).join(", ")}}\n`,
      way: "--allow removals",
      lasting: "write a limit of your own into the file: policy: {limits: {removals: NUMBER}}",
    },
  ])("$what", async ({ what, file, way, lasting }) => {
    if (what === "a default") {
      await world.bringInLine(file.replaceAll("{archived: true}", "{}"));
    }
    world.file("realm.yaml", file);
    const planned = await world.realmctl("plan");
    expect(planned.code, planned.err + planned.out).toBe(EXIT.refusedByGuard);
    expect(flat(planned.out)).toContain(`let it through once with ${way}, or ${lasting}`);
    const page = await world.realmctl("plan --format html");
    expect(page.out).toContain("let it through once with --allow ");
    const applied = await world.realmctl("apply --yes");
    expect(applied.code).toBe(EXIT.refusedByGuard);
    expect(flat(applied.err)).toContain(`let it through once with ${way}`);
    // … and that is so.
    const allowed = await world.realmctl(`apply --yes ${way.replaceAll("'", "")}`);
    expect([EXIT.done, EXIT.errors], allowed.err).toContain(allowed.code);
    expect(allowed.err).not.toContain("error[guard/refused]");
  });

  test("its page says so, too", async () => {
    const page = await world.realmctl("explain guard/refused");
    expect(flat(page.out)).toContain("--allow removals");
    expect(flat(page.out)).toContain("names the line");
  });
});

test.each(["no", undefined])("a declined apply (%s) is a result as JSON, too", async (answer) => {
  world.file("realm.yaml", "version: 1\nchannels: {general: {description: Other}}\n");
  const ran = await world.realmctl("apply --format json", { answer: () => answer });
  expect(ran.code).toBe(EXIT.appliedInPart);
  const printed: unknown = JSON.parse(ran.out);
  expect(ResultForm.parse(printed)).toMatchObject({
    outcome: "declined",
    exit_code: EXIT.appliedInPart,
    journal: null,
    calls: [{ n: 1, state: "not-attempted" }],
  });
  expect(world.writes()).toEqual([]);
});

describe("the question before an apply", () => {
  const harmless = "version: 1\nchannels: {general: {description: Other}}\n";
  test.each([
    { file: harmless, answer: "no", why: "the answer was not yes" },
    { file: harmless, answer: "", why: "the answer was empty" },
    { file: harmless, answer: undefined, why: "nobody answered" },
    { file: `version: 1\n${ARCHIVE}`, answer: "yes", why: 'the answer was "yes", not 127.0.0.1' },
    {
      file: `version: 1\n${ARCHIVE}`,
      answer: "chat.example.org",
      why: 'the answer was "chat.example.org", not 127.0.0.1',
    },
    { file: `version: 1\n${ARCHIVE}`, answer: "\u001b[31m", why: "not 127.0.0.1" },
  ])("$answer: $why", async ({ file, answer, why }) => {
    world.file("realm.yaml", file);
    const ran = await world.realmctl("apply", { answer: () => answer });
    expect(ran.code).toBe(EXIT.appliedInPart);
    expect(flat(ran.err)).toContain(`Not applied: `);
    expect(flat(ran.err)).toContain(why);
    expect(ran.err).not.toContain("\u001b");
    expect(ran.err).toContain("Nothing was sent.");
    expect(world.writes()).toEqual([]);
  });

  test("yes does not look like a default", async () => {
    world.file("realm.yaml", harmless);
    const questions: string[] = [];
    const ran = await world.realmctl("apply", {
      answer(question) {
        questions.push(question);
        return "yes";
      },
    });
    expect(ran.code).toBe(EXIT.done);
    expect(questions).toEqual([expect.stringContaining("Type yes to apply, anything else to cancel")]);
  });
});
