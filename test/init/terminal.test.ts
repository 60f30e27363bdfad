import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ran, World, worldOfTests } from "../e2e/world.ts";
import { program } from "../support/bundle.ts";

interface Step {
  readonly expect: string;
  readonly send: string;
}

const ENTER = "\r";
const world = worldOfTests();

/** The command in a pseudo-terminal (Python's own module), with somebody who answers. */
function inTerminal(
  line: string,
  steps: readonly Step[],
  env: { readonly [name: string]: string } = {},
): Promise<Omit<Ran, "err">> {
  const { node, cli } = program();
  const driver = join(import.meta.dirname, "terminal.py");
  const child = spawn("python3", [driver, "50", JSON.stringify(steps), node, cli, ...line.split(" ")], {
    cwd: world.directory,
    env: {
      PATH: process.env.PATH,
      HOME: world.directory,
      TMPDIR: world.directory,
      TERM: "xterm",
      LANG: "C.UTF-8",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 58_000,
    killSignal: "SIGKILL",
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, out }));
  });
}

const account = () => {
  const found = world.sandbox.accounts.owner;
  if (found === undefined) throw new RangeError("no owner");
  return found;
};

describe("init in a terminal", () => {
  test("asks for everything, shows every file, writes them, and the plan is empty", { tags: "installed" }, async () => {
    const { email, api_key } = account();
    const { code, out } = await inTerminal("init --action acme/realmctl@v1.0.0", [
      { expect: "Address of the organization", send: world.url + ENTER },
      { expect: "E-mail address", send: email + ENTER },
      { expect: "API key", send: api_key + ENTER },
      { expect: "What should realmctl manage?", send: ENTER },
      { expect: "Objects that are not in the file", send: ENTER },
      { expect: "Settings that the file does not name", send: ENTER },
      { expect: "GitHub workflows", send: `\u001b[B${ENTER}` },
      { expect: "Write realm.yaml?", send: ENTER },
      { expect: "Write .gitignore?", send: ENTER },
      { expect: "Write .github/workflows/realmctl-snapshot.yml?", send: ENTER },
      { expect: "Write .github/workflows/realmctl-plan.yml?", send: ENTER },
      { expect: "Write .github/workflows/realmctl-apply.yml?", send: ENTER },
      { expect: "Write .github/workflows/realmctl-drift.yml?", send: "n" },
    ]);
    expect(code, out).toBe(0);
    expect(out).toContain(`(${email}), owner`);
    expect(out).toContain("+channels:");
    expect(out).toContain("Checked: planning realm.yaml against the organization changes nothing.");
    // The key is nowhere: not on the screen, not in a file.
    expect(out).not.toContain(api_key);
    expect(world.read("realm.yaml")).not.toContain(api_key);
    expect(world.read("realm.yaml")).toContain("unset: default");
    expect(world.read(".gitignore")).toContain(".realmctl/\n");
    expect(readdirSync(join(world.directory, ".github/workflows"))).toEqual([
      "realmctl-apply.yml",
      "realmctl-plan.yml",
      "realmctl-snapshot.yml",
    ]);
    expect(world.writes()).toEqual([]);
    const plan = await world.realmctl("plan --detailed-exit-code");
    expect(plan).toMatchObject({ code: 0, err: "" });
    // A second start finds everything as it is and asks for no file.
    const again = await inTerminal(
      "init --kinds channels,domains --policy additive --unset default --no-workflows --file other.yaml",
      [{ expect: "Write other.yaml?", send: ENTER }],
      world.credentials(),
    );
    expect(again.code, again.out).toBe(0);
  });

  test("a wrong address, then a wrong key: reported, and asked again", async () => {
    const { email, api_key } = account();
    const wrong = "0".repeat(32);
    const { code, out } = await inTerminal("init --kinds domains --policy additive --unset default --no-workflows", [
      { expect: "Address of the organization", send: `http://127.0.0.1:1${ENTER}` },
      { expect: "E-mail address", send: email + ENTER },
      { expect: "API key", send: wrong + ENTER },
      { expect: "error[zulip/unreachable]", send: "" },
      { expect: "Address of the organization", send: world.url + ENTER },
      { expect: "E-mail address", send: email + ENTER },
      { expect: "API key", send: wrong + ENTER },
      { expect: "error[zulip/unauthorized]", send: "" },
      { expect: "Address of the organization", send: world.url + ENTER },
      { expect: "E-mail address", send: email + ENTER },
      { expect: "API key", send: api_key + ENTER },
      { expect: "Write realm.yaml?", send: ENTER },
      { expect: "Write .gitignore?", send: ENTER },
    ]);
    expect(code, out).toBe(0);
    expect(out).not.toContain(wrong);
    expect(out).toContain("the address and the key came from what was typed");
    expect(world.read("realm.yaml")).toContain("domains:");
  });

  test("a wrong key in a zuliprc ends the command without a question", async () => {
    world.file("zuliprc", `[api]\nemail=${account().email}\nkey=${"0".repeat(32)}\nsite=${world.url}\n`);
    const { code, out } = await inTerminal("init --zuliprc zuliprc", []);
    expect(code, out).toBe(6);
    expect(out).toContain("error[zulip/unauthorized]");
    expect(existsSync(join(world.directory, "realm.yaml"))).toBe(false);
  });

  test("a bot is told which objects it cannot manage, and is not offered invitations; no choice means nothing is managed", async () => {
    const { code, out } = await inTerminal(
      "init --no-workflows",
      [
        { expect: "What should realmctl manage?", send: "a" },
        { expect: "domains", send: ENTER },
        { expect: "Objects that are not in the file", send: `\u001b[B${ENTER}` },
        { expect: "Settings that the file does not name", send: ENTER },
        { expect: "Write realm.yaml?", send: "n" },
      ],
      world.credentials("bot"),
    );
    expect(code, out).toBe(5);
    expect(out).toContain("bot, member");
    expect(out).toContain("invitations and invitation links are not available to bots");
    expect(out).not.toContain("open ones by mail");
    expect(out).toContain("exact: channels are archived");
    expect(existsSync(join(world.directory, "realm.yaml"))).toBe(false);
  });

  test("a guest is told to use another account", async () => {
    const { code, out } = await inTerminal("init --action acme/realmctl@v1.0.0", [], world.credentials("guest"));
    expect(code, out).toBe(6);
    expect(out).toContain("error[zulip/guest]");
  });

  test("open invitations are read when they are chosen", async () => {
    await world.edit("owner", "POST", "/invites", { invitee_emails: "grace@example.org", stream_ids: "[]" });
    const { code, out } = await inTerminal(
      "init --no-workflows --policy additive --unset leave",
      [
        // Deselects everything that is selected at first, then selects the last but one (the views are last): invitations.
        { expect: "What should realmctl manage?", send: "a" },
        { expect: "invitations", send: ENTER },
        { expect: "Write realm.yaml?", send: ENTER },
        { expect: "Write .gitignore?", send: "n" },
      ],
      world.credentials(),
    );
    expect(code, out).toBe(0);
    expect(world.read("realm.yaml")).toContain("invites:\n  - emails: [grace@example.org]\n");
  });

  test("reads a zuliprc", async () => {
    const { email, api_key } = account();
    world.file("zuliprc", `[api]\nemail=${email}\nkey=${api_key}\nsite=${world.url}\n`);
    const { code, out } = await inTerminal("init --kinds channels", [
      { expect: "Address of the organization", send: `zuliprc${ENTER}` },
      { expect: "Objects that are not in the file", send: ENTER },
      { expect: "Settings that the file does not name", send: ENTER },
      { expect: "GitHub workflows", send: ENTER },
      { expect: "Write realm.yaml?", send: ENTER },
      { expect: "Write .gitignore?", send: "n" },
    ]);
    expect(code, out).toBe(0);
    expect(existsSync(join(world.directory, ".gitignore"))).toBe(false);
  });

  test("an existing file stays when the answer is no", async () => {
    world.file("realm.yaml", "version: 1\n");
    const { code, out } = await inTerminal(
      "init --kinds channels --policy exact --unset default --no-workflows",
      [{ expect: "realm.yaml already exists. Change it as shown?", send: "n" }],
      world.credentials(),
    );
    expect(code, out).toBe(5);
    expect(out).toContain("Nothing was written.");
    expect(world.read("realm.yaml")).toBe("version: 1\n");
  });

  test("cancelled in the middle", async () => {
    const { code, out } = await inTerminal(
      "init",
      [{ expect: "What should realmctl manage?", send: "\u0003" }],
      world.credentials(),
    );
    expect(code, out).toBe(5);
    expect(existsSync(join(world.directory, "realm.yaml"))).toBe(false);
  });
});

test("adopt in a terminal: chosen, shown, written, and no changes are left in a plan", async () => {
  expect(await world.realmctl("export --kinds channels --out realm.yaml")).toMatchObject({ code: 0 });
  const { stream_id, name } = world.channel("general");
  await world.edit("owner", "PATCH", `/streams/${stream_id}`, { description: "Somebody else was here" });
  const { code, out } = await inTerminal(
    "adopt",
    [
      { expect: "What should the file take from the server?", send: ENTER },
      { expect: "Write realm.yaml?", send: ENTER },
    ],
    world.credentials(),
  );
  expect(code, out).toBe(0);
  expect(out).toContain(`#${name}: description`);
  expect(world.read("realm.yaml")).toContain("description: Somebody else was here\n");
  expect(await world.realmctl("plan --detailed-exit-code")).toMatchObject({ code: 0 });
});

describe("init without a terminal", () => {
  test("everything by options", async () => {
    const { code, out } = await world.realmctl("init --kinds channels,linkifiers --policy exact --yes");
    expect(code, out).toBe(0);
    expect(world.read("realm.yaml")).toContain(
      "manage:\n  channels:\n    policy: exact\n    unset: default\n  linkifiers:\n    policy: exact\n    unset: default\n",
    );
    expect(await world.realmctl("plan --detailed-exit-code")).toMatchObject({ code: 0 });
  });

  test("with workflows, shown before they are written; existing ones stay, even with --force", async () => {
    const plan = ".github/workflows/realmctl-plan.yml";
    mkdirSync(join(world.directory, ".github/workflows"), { recursive: true });
    world.file(plan, "name: ours\n");
    const { code, out } = await world.realmctl(
      "init --kinds domains --file orgs/acme.yaml --workflows --action acme/realmctl@v1.0.0 --yes --force --verbose",
    );
    expect(code, out).toBe(0);
    expect(out).toContain(`${plan} already exists and was not changed.`);
    expect(world.read(plan)).toBe("name: ours\n");
    const drift = ".github/workflows/realmctl-drift.yml";
    expect(out).toContain("+name: realmctl drift");
    expect(out.indexOf("+name: realmctl drift")).toBeLessThan(out.indexOf(`Wrote ${drift}`));
    expect(out).toContain("ZULIP_API_KEY in the environments zulip-read and zulip-write");
    expect(world.read(drift)).toContain("zulip-site: http");
    expect(world.read(drift)).toContain('file: "orgs/acme.yaml"\n');
  });

  test("every further organization in the repository has jobs with their own names, and existing ones stay", async () => {
    const init = "init --kinds domains --action acme/realmctl@v1.0.0 --package realmctl@0.1.0 --yes --force";
    world.directories("orgs/acme", "other");
    for (const { host, plain, second, third, needs } of [
      {
        host: "github",
        plain: ".github/workflows/realmctl-apply.yml",
        second: ".github/workflows/realmctl-apply-acme.yml",
        third: /^realmctl-apply-acme-[0-9a-f]{8}\.yml$/,
        needs: "in the environments zulip-read-acme and zulip-write-acme",
      },
      {
        host: "gitlab",
        plain: ".gitlab/realmctl.yml",
        second: ".gitlab/realmctl-acme.yml",
        third: /^realmctl-acme-[0-9a-f]{8}\.yml$/,
        needs: "the jobs need ZULIP_EMAIL__ACME and ZULIP_API_KEY__ACME",
      },
      {
        host: "gitea",
        plain: ".gitea/workflows/realmctl.yml",
        second: ".gitea/workflows/realmctl-acme.yml",
        third: /^realmctl-acme-[0-9a-f]{8}\.yml$/,
        needs: "the jobs need ZULIP_EMAIL__ACME and ZULIP_API_KEY__ACME",
      },
      {
        host: "shell",
        plain: "realmctl-ci.sh",
        second: "realmctl-ci-acme.sh",
        third: /^realmctl-ci-acme-[0-9a-f]{8}\.sh$/,
        needs: "the jobs need ZULIP_EMAIL and ZULIP_API_KEY",
      },
    ]) {
      const run = (file: string) => world.realmctl(`${init} --file ${file} --workflows=${host}`);
      const first = await run("realm.yaml");
      expect(first.out).toContain(`Wrote ${plain} · `);
      const before = world.read(plain);
      const added = await run("orgs/acme/realm.yaml");
      expect(added.out).toContain(`Wrote ${second} · `);
      expect(added.out).toContain(needs);
      await run("other/acme.yaml");
      expect(readdirSync(join(world.directory, dirname(plain))).filter((name) => third.test(name))).toHaveLength(1);
      // Again: everybody finds the jobs for their own file.
      for (const file of ["realm.yaml", "orgs/acme/realm.yaml", "other/acme.yaml"]) {
        const again = await run(file);
        expect(again.code, again.err).toBe(0);
        expect(again.out).not.toContain("was not changed");
        expect(again.out).not.toMatch(/Wrote .*realmctl/);
      }
      expect(world.read(plain)).toBe(before);
    }
    expect(world.read(".gitlab-ci.yml")).toBe('include: [{ local: ".gitlab/realmctl*.yml" }]\n');
  });

  test("GitLab's main file: a file that somebody wrote stays, and the message says what to include; a file from an older realmctl is replaced", async () => {
    const init = "init --kinds domains --package realmctl@0.1.0 --yes --force --workflows=gitlab";
    world.file(".gitlab-ci.yml", "stages: [test, deploy]\n");
    const received = await world.realmctl(init);
    expect(received.out).toContain(
      '.gitlab-ci.yml already exists and was not changed. Add to it: include: [{ local: ".gitlab/realmctl*.yml" }]\n',
    );
    world.file(".gitlab-ci.yml", "include: [{ local: .gitlab/realmctl.yml }, { local: more.yml }]\n");
    expect((await world.realmctl(init)).out).toContain(".gitlab-ci.yml already exists and was not changed.\n");
    expect((await world.realmctl(`${init} --file two.yaml`)).out).toContain("was not changed. Add to it: include:");
    world.file(".gitlab-ci.yml", "include: [{ local: .gitlab/realmctl.yml }]\n");
    expect((await world.realmctl(init)).out).toContain("Wrote .gitlab-ci.yml · 1 line\n");
    expect(world.read(".gitlab-ci.yml")).toBe('include: [{ local: ".gitlab/realmctl*.yml" }]\n');
  });

  test("other jobs under all possible names: they stay, and the message says whose they are", async () => {
    const init = "init --kinds domains --yes --force --workflows=shell --file acme.yaml";
    expect((await world.realmctl(init)).out).toContain("Wrote realmctl-ci.sh");
    const digest = createHash("sha256").update("acme.yaml").digest("hex").slice(0, 8);
    for (const name of ["realmctl-ci.sh", "realmctl-ci-acme.sh", `realmctl-ci-acme-${digest}.sh`])
      world.file(name, 'realmctl plan "${REALM_FILE:-other.yaml}"\n');
    const { out } = await world.realmctl(init);
    expect(out).toContain(
      "realmctl-ci.sh already exists and was not changed. It is for other.yaml, not acme.yaml: write one for acme.yaml beside it, under another name (docs/ci.md).\n",
    );
    expect(world.read("realmctl-ci.sh")).toContain("other.yaml");
  });

  test("for a configuration that is there, --workflows writes only the jobs", async () => {
    const own = "version: 1 # ours\nchannels: {general: {description: Other}}\n";
    world.file("realm.yaml", own);
    const { code, out } = await world.realmctl("init --workflows=shell --yes");
    expect(code).toBe(0);
    expect(out).toContain("realm.yaml stays as it is: only the CI jobs are written.");
    expect(world.read("realm.yaml")).toBe(own);
    expect(readdirSync(world.directory).some((name) => name.endsWith(".sh"))).toBe(true);
    expect((await world.realmctl("init --yes --no-workflows --workflows=shell")).err).toContain(
      "error[use/conflicting-options]: --workflows and --no-workflows cannot be combined",
    );
    expect((await world.realmctl("init --yes")).err).toContain("error[init/exists]");
  });

  test("no workflows unless requested", async () => {
    expect(await world.realmctl("init --kinds domains --yes")).toMatchObject({ code: 0 });
    expect(existsSync(join(world.directory, ".github"))).toBe(false);
  });

  test.each([
    { line: "init", error: "init/nobody-to-ask", there: false },
    { line: "init --yes", error: "init/exists", there: true },
    { line: "init --yes --kinds chanels", error: "export/unknown-section", there: false },
  ])("$line is refused with $error", async ({ line, error, there }) => {
    if (there) world.file("realm.yaml", "version: 1\n");
    const { code, err } = await world.realmctl(line);
    expect(code).toBe(1);
    expect(err).toContain(`error[${error}]`);
    expect(existsSync(join(world.directory, "realm.yaml"))).toBe(there);
  });

  test("replaced on request", async () => {
    world.file("realm.yaml", "version: 1\n");
    expect(await world.realmctl("init --yes --force --kinds domains")).toMatchObject({ code: 0 });
    expect(world.read("realm.yaml")).toContain("domains:");
  });
});

describe("apply over several organizations in a terminal", () => {
  let second: World;
  beforeEach(async () => {
    second = await World.start();
    const named = (name: string) => Object.entries(name === "ONE" ? world.credentials() : second.credentials());
    env = Object.fromEntries(
      ["ONE", "TWO"].flatMap((name) => named(name).map(([variable, value]) => [`${variable}__${name}`, value])),
    );
    world.directories("orgs");
    world.file("orgs/one.yaml", `version: 1\nrealm: ${world.url}\nuser_groups: {crew: {description: one}}\n`);
    world.file("orgs/two.yaml", `version: 1\nrealm: ${second.url}\nuser_groups: {crew: {description: two}}\n`);
  });
  afterEach(() => second.end());
  let env: { readonly [name: string]: string } = {};
  const question = (of: World) => `Apply this change to ${of.url.replace("http://", "")}?`;

  test("yes to the first, no to the second: each plan is above its question, and the run ends by itself", async () => {
    const { code, out } = await inTerminal(
      "apply orgs",
      [
        { expect: question(world), send: `yes${ENTER}` },
        { expect: question(second), send: `no${ENTER}` },
      ],
      env,
    );
    expect(code, out).toBe(5);
    expect([world.writes().length, second.writes().length]).toEqual([1, 0]);
    expect(out.search(/description:? +one/)).toBeLessThan(out.indexOf(question(world)));
    expect(out.search(/description:? +two/)).toBeGreaterThan(out.indexOf(question(world)));
    expect(out).toContain("Not applied: the answer was not yes.");
    // A no is an answer, not a failure; the exit code is that of the single command.
    expect(out).toMatch(/ 5 {2}not applied\r?\n/);
    expect(out).toContain("2 organizations · 2 with changes · 1 not applied · exit code 5");
  });

  test("Ctrl-C at the first question ends the whole run: nothing is sent, the second organization is not started", async () => {
    const { code, out } = await inTerminal("apply orgs", [{ expect: question(world), send: "\u0003" }], env);
    expect(code, out).toBe(5);
    expect([world.writes(), second.writes()]).toEqual([[], []]);
    expect(out).not.toContain(question(second));
    expect(out).toContain("1 not applied · 1 not started · exit code 5");
  });
});
