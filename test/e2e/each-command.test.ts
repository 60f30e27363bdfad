import { readFileSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { SCHEMA_STORE } from "../../src/config/schema-store.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { FakeForge } from "../hosts/fake-forge.ts";
import { addressOf, start } from "./child.ts";
import { worldOfTests } from "./world.ts";

const FILE = `version: 1
channels:
  announce: {privacy: public, description: News, permissions: {can_send_message_group: role:moderators}}
`;

const world = worldOfTests();
beforeEach(() => {
  world.file("realm.yaml", FILE);
});

/** The output of a command that succeeds. */
async function output(line: string, code: number = EXIT.done): Promise<string> {
  const ran = await world.realmctl(line);
  expect(ran, line).toMatchObject({ code, err: expect.not.stringMatching(/error\[|warning\[/) });
  return ran.out;
}

/** What each command is for, in a few lines. Other tests cover the rest. */
const TRIALS: { readonly [command: string]: () => Promise<void> } = {
  async init() {
    await output("init --yes --force --no-workflows --kinds channels,user_groups");
    expect(world.read("realm.yaml")).toContain("general:");
    expect(world.read("realm.yaml").split("\n")[0]).toBe(`# yaml-language-server: $schema=${SCHEMA_STORE.realm.url}`);
    expect(await output("plan")).toContain("No changes.");
  },
  async plan() {
    expect(await output("plan --detailed-exit-code", EXIT.changesPending)).toContain("+ #announce");
    expect(world.writes()).toEqual([]);
  },
  async apply() {
    expect(await output("apply --yes")).toContain("the organization matches the file");
    expect(world.channel("announce").description).toBe("News");
  },
  async history() {
    await output("apply --yes");
    expect(await output("history")).toContain("done, 1 of 1 request");
  },
  async drift() {
    expect(await output("drift", EXIT.changesPending)).toContain("announce");
  },
  async sync() {
    const file = "version: 1\nchannels:\n  general: {subscribers: {groups: [role:members]}}\n";
    world.file("realm.yaml", file);
    expect((await world.realmctl("sync")).err).toContain("policy/nothing-to-sync");
    world.file("realm.yaml", `${file}policy: {sync: [channels.*.subscribers]}\n`);
    const child = start(world, "sync --format json");
    const isDone = new Promise<void>((done) => {
      child.process.stdout?.on("data", (text: string) => text.includes('"event":"change"') && done());
    });
    await Promise.race([isDone, child.ended]);
    child.process.kill("SIGTERM");
    const { code, out } = await child.ended;
    expect(code, out).toBe(EXIT.done);
    expect(out).toContain('"address":"channel:general"');
  },
  async access() {
    expect(await output("access #general --format json")).toContain('"realmctl.access"');
    expect(await output("access #announce --file realm.yaml")).toContain("announce");
  },
  async test() {
    world.file(
      "realm.test.yaml",
      "version: 1\ntests:\n  - {name: G, who: {role: guest}, cannot: {post: [announce]}}\n",
    );
    expect(await output("test")).toContain("hold");
    world.file("realm.test.yaml", "version: 1\ntests:\n  - {name: G, who: {role: guest}, can: {post: [announce]}}\n");
    expect((await world.realmctl("test")).code).toBe(EXIT.ruleBroken);
  },
  async show() {
    await world.realmctl("plan --out realm.plan");
    expect(await output("show realm.plan")).toContain("Every call, in order:");
  },
  async comment() {
    await world.realmctl("plan --out realm.plan");
    const forge = await new FakeForge("gitlab").start();
    onTestFinished(() => forge.end());
    const ran = await world.realmctl("comment realm.plan --to gitlab", { env: forge.env() });
    expect(ran).toEqual({ code: EXIT.done, out: "The comment: created\n", err: "" });
    expect(forge.notes.map(({ body }) => body)).toEqual([expect.stringContaining("announce")]);
  },
  async validate() {
    await output("validate");
    world.file("realm.yaml", "version: 1\nchannels: {announce: {privacy: secret}}\n");
    const ran = await world.realmctl("validate");
    expect(ran).toMatchObject({ code: EXIT.errors, out: "", err: expect.stringContaining("error[field/value]") });
  },
  async fmt() {
    world.file("realm.yaml", "version:   1\nchannels:\n      announce: {}\n");
    await output("fmt");
    expect(world.read("realm.yaml")).toBe("version: 1\nchannels:\n  announce: {}\n");
  },
  async export() {
    await output("export --kinds channels --out all.yaml");
    expect(await output("plan all.yaml")).toContain("No changes.");
  },
  async adopt() {
    world.file("realm.yaml", "version: 1\nchannels: {general: {description: Ours}}\n");
    await output("adopt --all --yes");
    expect(world.read("realm.yaml")).toContain(world.channel("general").description);
  },
  async explain() {
    expect(await output("explain field/value")).toContain("field/value");
    const listed = (await output("explain user_groups")).trimEnd().split("\n");
    expect(listed.length).toBeGreaterThan(1);
    expect(listed.filter((line) => !line.startsWith("user_groups/"))).toEqual([]);
  },
  async snapshot() {
    await output("snapshot --out realm.json");
    expect(await output("plan --snapshot realm.json")).toContain("+ #announce");
  },
  async whoami() {
    expect(await output("whoami")).toContain("ada@acme.example");
  },
  async api() {
    const answer = JSON.parse(await output("api get-own-user"));
    expect(answer).toMatchObject({ result: "success", delivery_email: "ada@acme.example" });
  },
  async sandbox() {
    world.file("recorded.json", readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url)));
    const child = start(world, "sandbox --from recorded.json --port 0 --zuliprc-dir keys", { anonymous: true });
    onTestFinished(() => void child.process.kill("SIGTERM"));
    expect(await addressOf(child)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const ran = await world.realmctl("whoami --zuliprc keys/owner.zuliprc", { anonymous: true });
    expect(ran).toMatchObject({ code: EXIT.done, err: "", out: expect.stringContaining("owner") });
    child.process.kill("SIGTERM");
    await child.ended;
  },
  async demo() {
    expect(await output("demo")).toContain("conflict");
  },
  async completion() {
    for (const shell of ["bash", "zsh", "fish"]) expect(await output(`completion ${shell}`)).toContain("realmctl");
    expect(await output("completion fish --words -- plan --only channel:ann")).toContain("channel:announce");
  },
};

test.each(COMMANDS.map(({ name }) => name))("%s", { tags: "installed" }, async (name) => {
  const trial = TRIALS[name];
  if (trial === undefined) throw new RangeError(`no trial for the command ${name}`);
  await trial();
});
