import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn } from "../../src/cli/process-io.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { flat, worldOfTests } from "./world.ts";

const world = worldOfTests();

const REALM = "version: 1\nchannels: {general: {description: Anything}}\n";
const POLICY = "version: 1\npolicy: {limits: {removals: 3}}\n";
const at = (name: string): string => join(world.directory, name);
const zuliprc = (): string => {
  const { ZULIP_EMAIL, ZULIP_API_KEY, ZULIP_SITE } = world.credentials();
  return `[api]\nemail=${ZULIP_EMAIL}\nkey=${ZULIP_API_KEY}\nsite=${ZULIP_SITE}\n`;
};
const mode = (name: string): string => (statSync(at(name)).mode & 0o777).toString(8);

/** Without line ends, which can be anywhere. */

/** The contents of the directory before a command. */
function prepare(): void {
  world.file("realm.yaml", REALM);
  world.file("policy.yaml", POLICY);
  world.file("zuliprc", zuliprc());
  chmodSync(at("zuliprc"), 0o600);
  world.file("notes.txt", "mine");
}

describe("an output overwrites only files that realmctl wrote itself", () => {
  test.each([
    { command: "plan --out realm.yaml", force: "output/is-input" },
    { command: "plan --out ./realm.yaml", force: "output/is-input" },
    { command: "plan --policy policy.yaml --out policy.yaml", force: "output/is-input" },
    { command: "plan --zuliprc zuliprc --out zuliprc", force: "output/is-input" },
    { command: "plan --out same.yaml", force: "output/is-input" },
    { command: "plan --out link.yaml", force: "output/is-input" },
    { command: "plan --snapshot snap.json --out snap.json", force: "output/is-input" },
    { command: "plan --out notes.txt", force: "replaced" },
    { command: "plan --out snap.json", force: "replaced" },
    { command: "snapshot --out realm.yaml", force: "replaced" },
    { command: "snapshot --out notes.txt", force: "replaced" },
    { command: "snapshot --out a.plan", force: "replaced" },
    { command: "snapshot --zuliprc zuliprc --out zuliprc", force: "output/is-input" },
    { command: "export --out notes.txt", force: "replaced" },
    { command: "export --snapshot snap.json --out snap.json", force: "output/is-input" },
    { command: "export --zuliprc zuliprc --out zuliprc", force: "output/is-input" },
    { command: "init --yes --file notes.txt", force: "replaced" },
    { command: "init --yes --zuliprc zuliprc --file zuliprc", force: "output/is-input" },
  ])("$command", async ({ command, force }) => {
    prepare();
    world.file("realm.yaml", REALM);
    expect((await world.realmctl("snapshot --out snap.json")).code).toBe(EXIT.done);
    expect((await world.realmctl("plan --out a.plan")).code).toBe(EXIT.done);
    linkSync(at("realm.yaml"), at("same.yaml"));
    symlinkSync("realm.yaml", at("link.yaml"));
    const name = command.split(" ").at(-1) ?? "";
    const before = world.read(name);

    const refused = await world.realmctl(command);
    expect(refused.code, refused.err).toBe(EXIT.errors);
    expect(refused.err).toMatch(/error\[(output|export|init)\/(exists|is-input)\]/);
    // --force would not help.
    if (force !== "replaced" && /^(plan|snapshot) /.test(command)) expect(refused.err).toContain(`error[${force}]`);
    expect(world.read(name)).toBe(before);

    const forced = await world.realmctl(`${command} --force`);
    if (force === "replaced") {
      expect(forced.code, forced.err).toBe(EXIT.done);
      expect(world.read(name)).not.toBe(before);
    } else {
      expect(forced.code).toBe(EXIT.errors);
      expect(forced.err).toContain(`error[${force}]`);
      expect(world.read(name)).toBe(before);
    }
    // No temporary file is left next to any of them.
    expect(readdirSync(world.directory).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  test.each(["plan --out own.json", "snapshot --out own.json"])(
    "a second %s replaces its own output",
    async (command) => {
      prepare();
      expect((await world.realmctl(command)).code).toBe(EXIT.done);
      expect((await world.realmctl(command)).code).toBe(EXIT.done);
    },
  );

  test.each([
    ["plan --out new/a.plan", "there is no directory new", "mkdir -p new"],
    ["snapshot --out new/deep/a.json", "there is no directory new/deep", "mkdir -p new/deep"],
    ["plan --out notes.txt/a.plan", "a part of its path is a file", "another place"],
    ["plan --out .", "it is a directory", "name a file in it"],
  ])("%s: no request is sent to the server", async (command, why, way) => {
    prepare();
    const before = world.sandbox.log.length;
    const ran = await world.realmctl(command);
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain(why.startsWith("it is") ? "error[output/" : "error[output/no-directory]");
    expect(flat(ran.err)).toContain(why);
    expect(flat(ran.err)).toContain(way);
    expect(world.sandbox.log.length).toBe(before);
  });
});

describe.runIf(process.platform !== "win32")("the file permissions of outputs", () => {
  test.each([
    ["plan --out own.json", "own.json", "600"],
    ["snapshot --out own.json", "own.json", "600"],
  ])("%s: %s has %s", async (command, name, wanted) => {
    prepare();
    expect((await world.realmctl(command)).code).toBe(EXIT.done);
    expect(mode(name)).toBe(wanted);
    chmodSync(at(name), 0o644);
    expect((await world.realmctl(command)).code).toBe(EXIT.done);
    expect(mode(name)).toBe(wanted);
  });

  test("a journal and its directory", async () => {
    prepare();
    expect((await world.realmctl("apply --yes")).code).toBe(EXIT.done);
    expect(mode(`.realmctl/${world.journals()[0]}`)).toBe("600");
    expect(mode(".realmctl")).toBe("700");
  });

  test.each(["fmt", "adopt --all --yes"])("%s keeps the permissions of the file", async (command) => {
    world.file("realm.yaml", "version:   1\nchannels: {general: {description: Another}}\n");
    chmodSync(at("realm.yaml"), 0o600);
    const before = world.read("realm.yaml");
    const ran = await world.realmctl(command);
    expect(ran.code, ran.err).toBe(EXIT.done);
    expect(world.read("realm.yaml")).not.toBe(before);
    expect(mode("realm.yaml")).toBe("600");
  });

  test.each([
    { rights: 0o600, warns: false },
    { rights: 0o400, warns: false },
    { rights: 0o640, warns: true },
    { rights: 0o644, warns: true },
    { rights: 0o666, warns: true },
  ])("a zuliprc with $rights warns: $warns", async ({ rights, warns }) => {
    prepare();
    chmodSync(at("zuliprc"), rights);
    const ran = await world.realmctl("plan --zuliprc zuliprc", { anonymous: true });
    expect(ran.code, ran.err).toBe(EXIT.done);
    expect(ran.err.includes("warning[credentials/open-to-others]")).toBe(warns);
    if (warns) expect(ran.err).toContain("chmod 600 zuliprc");
  });
});

const SECRET = "root:x:0:0:canary-of-another-file";

describe.runIf(process.platform !== "win32")("files that are not configuration", () => {
  test.each([
    { what: "an include", realm: "version: 1\ninclude: [link]\n", command: "validate" },
    { what: "an include by a pattern", realm: "version: 1\ninclude: ['li*']\n", command: "validate" },
    { what: "an include through a directory", realm: "version: 1\ninclude: [out/secret]\n", command: "validate" },
    { what: "a policy", realm: "version: 1\npolicy: link\n", command: "validate" },
    { what: "a policy of the command", realm: REALM, command: "plan --policy link" },
    { what: "the file itself", realm: REALM, command: "validate link" },
    { what: "the file to format", realm: REALM, command: "fmt link" },
    { what: "a snapshot", realm: REALM, command: "plan --snapshot link" },
    { what: "a saved plan", realm: REALM, command: "show link" },
    { what: "a saved plan to apply", realm: REALM, command: "apply --plan link --yes" },
    { what: "a journal", realm: REALM, command: "apply --undo link --yes" },
    { what: "the file of adopt", realm: REALM, command: "adopt --all --file link" },
  ])("$what that is a link out of its directory is not read, let alone shown", async ({ realm, command }) => {
    mkdirSync(at("elsewhere"));
    world.file("elsewhere/secret", SECRET);
    mkdirSync(at("project"));
    world.file("project/realm.yaml", realm);
    symlinkSync("../elsewhere/secret", at("project/link"));
    symlinkSync("../elsewhere", at("project/out"));
    const [verb, ...words] = command.replace(/\blink\b/, "project/link").split(" ");
    const file =
      /link|show|adopt|undo|--plan/.test(command) && !/policy|snapshot/.test(command) ? "" : "project/realm.yaml";
    const ran = await world.realmctl([verb, file, ...words].join(" "));
    expect(ran.code, ran.err + ran.out).toBe(EXIT.errors);
    expect(flat(ran.err)).toMatch(/leads out of its directory|no file matches/);
    expect(ran.err + ran.out).not.toContain("canary");
  });

  test.each(["validate", "plan --policy", "plan --snapshot", "show", "apply --undo", "fmt", "plan --zuliprc"])(
    "%s of a pipe does not wait for it",
    async (command) => {
      prepare();
      execFileSync("mkfifo", [at("pipe")]);
      const ran = await world.realmctl(`${command} pipe`);
      expect(ran.code).toBe(command.endsWith("--zuliprc") ? EXIT.notAllowed : EXIT.errors);
      expect(flat(ran.err)).toContain("it is a pipe, not a file");
    },
  );

  test.each([
    { what: "an include", realm: "version: 1\ninclude: [pipe]\n", code: "include/cannot-read" },
    { what: "a policy", realm: "version: 1\npolicy: pipe\n", code: "policy/cannot-read" },
    { what: "a picture", realm: "version: 1\nemoji: {party: {image: pipe}}\n", code: "file/cannot-read" },
  ])("$what that is a pipe: the advice is one that the file allows", async ({ realm, code }) => {
    prepare();
    world.file("realm.yaml", realm);
    execFileSync("mkfifo", [at("pipe")]);
    const ran = await world.realmctl("validate");
    expect(ran.code).toBe(EXIT.errors);
    expect(flat(ran.err)).toContain(`error[${code}]: pipe cannot be read: it is a pipe, not a file`);
    expect(flat(ran.err)).toContain("save the output of the pipe as a file");
    expect(ran.err).not.toContain("standard input");
  });

  test.each([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path]), "unreadable", "it is a pipe, not a file"],
    ["a link to a device without end", (path: string) => symlinkSync("/dev/zero", path), "link", "is a symbolic link"],
    ["a directory", (path: string) => mkdirSync(path), "unreadable", "it is a directory"],
    ["a file of notes", (path: string) => writeFileSync(path, "to do\n"), "no-journal", "is not the journal of a run"],
  ])("%s among the journals is named and left aside, before a byte of it is read", async (_, make, code, why) => {
    prepare();
    mkdirSync(at(".realmctl"), { recursive: true });
    make(at(".realmctl/2026-11-20T12-00-00.jsonl"));
    const ran = await world.realmctl("apply --yes");
    expect(ran.code, ran.err).toBe(EXIT.done);
    expect(flat(ran.err)).toMatch(
      new RegExp(`^warning\\[journal/${code}\\]: .*2026-11-20T12-00-00.jsonl (cannot be read: )?${why}`),
    );
  });

  test("the size of an included file is checked first", async () => {
    world.file("realm.yaml", "version: 1\ninclude: [large.yaml]\n");
    world.file("large.yaml", "");
    truncateSync(at("large.yaml"), 40 * 1024 * 1024);
    const ran = await world.realmctl("validate");
    expect(ran.err).toContain("error[yaml/too-large]: large.yaml is larger than 32 MB");
  });

  test.each([
    ["plan --snapshot secret", "snapshot/syntax"],
    ["show secret", "plan-file/not-json"],
    ["apply --plan secret --yes", "plan-file/not-json"],
    ["sandbox --from secret", "sandbox/not-json"],
    ["sandbox --data secret", "sandbox/not-json"],
  ])("%s: JSON was expected, and none of the content is shown", async (command, code) => {
    prepare();
    world.file("secret", SECRET);
    const ran = await world.realmctl(command);
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain(`error[${code}]`);
    expect(ran.err).toMatch(/line 1, column 1|secret:1:1/);
    expect(ran.err).not.toContain("canary");
    expect(ran.err).not.toContain("root");
  });

  test("a saved plan that names another file as its location does not show that file", async () => {
    world.file("realm.yaml", "version: 1\npolicy: {limits: {removals: 0}}\nchannels: {sandbox: {archived: true}}\n");
    const saved = await world.realmctl("plan --out a.plan");
    expect(saved.code).toBe(EXIT.refusedByGuard);
    world.file("realm.yaml", SECRET);
    const ran = await world.realmctl("apply --plan a.plan --yes");
    expect(ran.code).toBe(EXIT.refusedByGuard);
    expect(ran.err).toContain("realm.yaml:3");
    expect(ran.err + ran.out).not.toContain("canary");
  });
});

describe("files that realmctl wrote itself are not configuration", () => {
  test.each(["fmt", "validate", "plan", "apply --yes --policy", "adopt --all --yes --file"])("%s", async (command) => {
    prepare();
    await world.realmctl("snapshot --out own.json");
    await world.realmctl("plan --out own.plan");
    for (const file of command.startsWith("apply") ? ["own.json"] : ["own.json", "own.plan"]) {
      const before = world.read(file);
      const ran = await world.realmctl(`${command} ${file}`);
      expect(ran.code, ran.out).toBe(EXIT.errors);
      expect(flat(ran.err)).toMatch(
        /it is a (plan|snapshot) that realmctl|is a (plan|snapshot) .*, not a configuration/,
      );
      expect(world.read(file)).toBe(before);
    }
  });
});

describe.runIf(process.platform !== "win32")("a link in a checkout that leads outside of it", () => {
  test.each([
    { link: ".realmctl", line: "apply --yes", code: "journal/link" },
    { link: "out", line: "plan --out out/new.plan", code: "output/not-written" },
    { link: "out", line: "snapshot --out out/realm.json", code: "output/not-written" },
    { link: "out", line: "export --split kind --out-dir out", code: "output/not-written" },
    {
      link: ".github",
      line: "init --yes --force --workflows --action acme/realmctl@v1.0.0",
      code: "output/not-written",
    },
    { link: "keys", line: "sandbox --zuliprc-dir keys --port 0", code: "output/not-written" },
    { link: "data", line: "sandbox --data data/state.json --port 0", code: "sandbox/data" },
  ])("$line writes nothing through $link", async ({ link, line, code }) => {
    world.directories("elsewhere", "project");
    world.file("project/realm.yaml", REALM);
    symlinkSync("../elsewhere", at(`project/${link}`));
    const cwd = at("project");
    const ran = await world.realmctl(line, { io: { cwd, ...filesIn(cwd) } });
    expect(ran.err).toContain(`error[${code}]`);
    expect(ran.code).toBe(EXIT.errors);
    expect(flat(ran.err)).toMatch(/is a symbolic link, and journals|it is a link that leads out of its directory/);
    expect(readdirSync(at("elsewhere"))).toEqual([]);
    expect(world.writes()).toEqual([]);
  });

  test.each(["init --yes --no-workflows --file other.yaml", "fmt realm.yaml"])(
    "%s changes no file that its links lead to",
    async (line) => {
      world.directories("elsewhere", "project");
      world.file("elsewhere/theirs", "version:    1\n");
      for (const name of [".gitignore", "realm.yaml"]) symlinkSync("../elsewhere/theirs", at(`project/${name}`));
      const cwd = at("project");
      expect((await world.realmctl(line, { io: { cwd, ...filesIn(cwd) } })).code).toBe(EXIT.errors);
      expect(world.read("elsewhere/theirs")).toBe("version:    1\n");
    },
  );
});

test.each([
  ["sandbox --zuliprc-dir notes.txt", "output/not-written"],
  ["sandbox --accounts-out realm.yaml", "output/exists"],
  ["sandbox --data snap.json", "output/exists"],
  ["sandbox --from snap.json --accounts-out snap.json --force", "output/is-input"],
  ["sandbox --from snap.json --accounts-out same.json --force", "output/is-input"],
])("%s", async (command, code) => {
  prepare();
  await world.realmctl("snapshot --out snap.json");
  if (command.includes("same.json")) linkSync(at("snap.json"), at("same.json"));
  const before = world.read("snap.json");
  const ran = await world.realmctl(command);
  expect(ran.code, ran.err).toBe(EXIT.errors);
  expect(ran.err).toContain(`error[${code}]`);
  expect([world.read("snap.json"), world.read("notes.txt"), world.read("realm.yaml")]).toEqual([before, "mine", REALM]);
});

describe("standard input", () => {
  const piped = (text: string) => ({ io: { readStandardInput: async () => text } });

  test.each([
    ["validate -", REALM, EXIT.done],
    ["plan -", REALM, EXIT.done],
    ["apply - --yes", REALM, EXIT.done],
    ["drift -", REALM, EXIT.changesPending],
    ["plan realm.yaml --policy -", POLICY, EXIT.done],
    ["fmt -", "version:   1\n", EXIT.done],
  ])("%s", async (command, text, code) => {
    world.file("realm.yaml", REALM);
    const ran = await world.realmctl(command, piped(text));
    expect(ran.code, ran.err).toBe(code);
  });

  test("for a plan and a snapshot, too", async () => {
    prepare();
    await world.realmctl("plan --out a.plan");
    const snapshot = await world.realmctl("snapshot");
    expect((await world.realmctl("show -", piped(world.read("a.plan")))).code).toBe(EXIT.done);
    expect((await world.realmctl("plan --snapshot -", piped(snapshot.out))).code).toBe(EXIT.done);
    expect((await world.realmctl("plan --zuliprc -", { anonymous: true, ...piped(zuliprc()) })).code).toBe(EXIT.done);
  });

  test("its errors have lines, and its includes are relative to the current directory", async () => {
    world.file("more.yaml", "channels: {sandbox: {}}\n");
    const wrong = await world.realmctl("validate -", piped("version: 1\nchanels: {}\n"));
    expect(wrong.err).toContain("<standard input>:2:1");
    expect(wrong.err).toContain("2 │ chanels: {}");
    const including = await world.realmctl("validate -", piped("version: 1\ninclude: [more.yaml]\n"));
    expect(including.out).toContain("1 channel");
  });

  test("fmt writes the formatted text to standard output", async () => {
    expect((await world.realmctl("fmt -", piped("version:   1\n"))).out).toBe("version: 1\n");
  });

  test.each([
    ["plan - --policy -", "can be read only once"],
    ["plan --out -", "names a file to write"],
    ["snapshot --out -", "names a file to write"],
  ])("%s is refused", async (command, why) => {
    const ran = await world.realmctl(command, piped(REALM));
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain("error[use/standard-input]");
    expect(ran.err).toContain(why);
  });

  test("a file that is called - is included by its name", async () => {
    world.file("realm.yaml", "version: 1\ninclude: ['-']\n");
    world.file("-", "channels: {general: {}}\n");
    expect((await world.realmctl("validate", piped("nothing"))).out).toContain("1 channel");
  });
});

describe("fmt without a file", () => {
  test("also formats the files that it includes, and those that they include", async () => {
    mkdirSync(at("channels"));
    world.file("realm.yaml", "version:   1\ninclude: ['channels/*.yaml']\n");
    world.file("channels/a.yaml", "channels:   {general: {}}\ninclude: b/../../teams.yaml\n");
    world.file("teams.yaml", "user_groups:   {staff: {description: ''}}\n");
    world.file("other.yaml", "version:   1\n");
    expect((await world.realmctl("fmt --check")).out.split("\n").sort()).toEqual(
      ["", "channels/a.yaml", "realm.yaml", "teams.yaml"].sort(),
    );
    expect((await world.realmctl("fmt")).code).toBe(EXIT.done);
    expect((await world.realmctl("fmt --check")).code).toBe(EXIT.done);
    expect(world.read("other.yaml")).toBe("version:   1\n");
  });

  test("an included file that does not exist is an error", async () => {
    world.file("realm.yaml", "version: 1\ninclude: [gone.yaml]\n");
    const ran = await world.realmctl("fmt");
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain("error[include/cannot-read]");
  });
});
