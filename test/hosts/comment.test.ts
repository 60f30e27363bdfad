import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type Ran, worldOfTests } from "../e2e/world.ts";
import { FakeForge, ME, TOKEN } from "./fake-forge.ts";

const world = worldOfTests();

const FILE = "version: 1\nchannels:\n  news: {description: New}\n";

describe.each([
  { host: "gitlab", kind: "gitlab", edit: "PUT /api/v4/projects/42/merge_requests/3/notes/" },
  { host: "forgejo", kind: "forgejo", edit: "PATCH /api/v1/repos/acme/chat/issues/comments/" },
  { host: "gitea", kind: "forgejo", edit: "PATCH /api/v1/repos/acme/chat/issues/comments/" },
] as const)("$host", ({ host, kind, edit }) => {
  let forge: FakeForge;
  beforeEach(async () => {
    forge = await new FakeForge(kind).start();
  });
  afterEach(async () => {
    await forge.end();
    expect(forge.undescribed).toEqual([]);
  });

  async function comment(text = FILE, flags = "", env: { readonly [name: string]: string } = {}): Promise<Ran> {
    world.file("realm.yaml", text);
    expect([EXIT.done, EXIT.refusedByGuard]).toContain((await world.realmctl("plan --out plan.json")).code);
    return world.realmctl(`comment plan.json --to ${host}${flags}`, {
      anonymous: true,
      env: { ...forge.env(), ...env },
    });
  }

  test("creates a comment, leaves it while the plan is the same, and edits it otherwise", async () => {
    forge.add({ body: "Looks good" });
    expect(await comment()).toMatchObject({ code: 0, out: "The comment: created\n" });
    expect(forge.notes).toHaveLength(2);
    expect(forge.notes[1]?.body).toContain("news");
    // The account that creates the channel is in it.
    expect(forge.notes[1]?.body).toContain("not shown here");
    expect(await comment()).toMatchObject({ code: 0, out: "The comment: unchanged\n" });
    expect(await comment(FILE.replace("New", "Newest"))).toMatchObject({ code: 0, out: "The comment: edited\n" });
    expect(forge.notes).toHaveLength(2);
    expect(forge.notes[1]?.body).toContain("Newest");
    expect(forge.log.filter((line) => line.startsWith(edit))).toHaveLength(1);
    // The people of the organization are hidden, but none of them is in this plan.
    await comment("version: 1\nchannels: {general: {}}\n");
    expect(forge.notes[1]?.body).toContain("it matches the file");
    expect(forge.notes[1]?.body).not.toContain("not shown here");
  });

  test("never changes comments of others, whatever they say, and finds its own after a hundred others", async () => {
    await comment();
    const mine = forge.notes[0];
    for (let number = 0; number < 130; number += 1) forge.add({});
    forge.add({ body: `${mine?.body}\nAnd more` });
    if (mine !== undefined) forge.notes.push(...forge.notes.splice(0, 1));
    expect((await comment(FILE.replace("New", "Newest"))).out).toBe("The comment: edited\n");
    expect(forge.notes.filter(({ body }) => body.includes("Newest")).map(({ author }) => author)).toEqual([ME]);
  });

  test("finds its own comment after pages that the token sees in part or not at all", async () => {
    await comment();
    const [mine] = forge.notes.splice(0, 1);
    for (let number = 0; number < 250; number += 1) forge.add({ hidden: kind === "gitlab" && number !== 3 });
    if (mine !== undefined) forge.notes.push(mine);
    expect((await comment(FILE.replace("New", "Newest"))).out).toBe("The comment: edited\n");
    expect(forge.notes).toHaveLength(251);
  });

  test("two jobs at once leave one comment, and so does a job that finds several of its own", async () => {
    await comment();
    const body = forge.notes[0]?.body ?? "";
    forge.notes = [];
    const job = (): Promise<Ran> =>
      world.realmctl(`comment plan.json --to ${host}`, { anonymous: true, env: forge.env() });
    for (const ran of await Promise.all([job(), job(), job()])) expect(ran).toMatchObject({ code: EXIT.done });
    expect(forge.notes).toHaveLength(1);
    forge.notes = [];
    for (const author of [ME, 1, ME, ME]) forge.add({ body, author });
    expect(await job()).toMatchObject({ code: EXIT.done, out: "The comment: unchanged\n" });
    expect(forge.notes.map(({ id, author }) => [id - (forge.notes[0]?.id ?? 0), author])).toEqual([
      [0, 1],
      [2, ME],
    ]);
  });

  test("without a plan, says so in the place of the plan: also if the organization has another address", async () => {
    const failed = async (site: string): Promise<Ran> =>
      world.realmctl(`comment realm.yaml --failed --to ${host}`, {
        anonymous: true,
        env: { ...forge.env(), ZULIP_SITE: site },
      });
    for (const site of [`${world.url}/`, "https://alias.example.org"]) {
      forge.notes = [];
      await comment(FILE, "", { ZULIP_SITE: site });
      expect((await failed(site)).out).toBe("The comment: edited\n");
      expect((await failed(site)).out).toBe("The comment: unchanged\n");
      expect(forge.notes[0]?.body).toMatch(/^❌ \*\*realmctl\*\* cannot plan `realm.yaml`/);
      expect((await comment(FILE, "", { ZULIP_SITE: site })).out).toBe("The comment: edited\n");
      expect(forge.notes).toHaveLength(1);
    }
    expect(await failed("")).toMatchObject({ code: EXIT.errors, err: expect.stringContaining("ZULIP_SITE") });
  });

  test("writes a separate comment for another file", async () => {
    await comment();
    world.file("other.yaml", FILE);
    await world.realmctl("plan other.yaml --out other.json");
    await world.realmctl(`comment other.json --to ${host}`, { anonymous: true, env: forge.env() });
    expect(forge.notes).toHaveLength(2);
  });

  test("does not publish names of private channels, and addresses that no file contains, without the option", async () => {
    await world.edit("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "canary-board" }],
      invite_only: true,
    });
    const exact = "version: 1\nmanage: {channels: exact}\nchannels: {}\n";
    await comment(exact);
    expect(forge.notes[0]?.body).toContain("channels");
    expect(forge.notes[0]?.body).not.toContain("canary-board");
    expect(forge.notes[0]?.body).not.toContain("@acme.example");
    // What would show them is an option of this command, and no input of the Action.
    expect(forge.notes[0]?.body).toContain("(option `--show-private-names`)");
    await comment(exact, " --show-private-names");
    expect(forge.notes[0]?.body).toContain("canary-board");
  });

  test.each([
    ["the token is wrong", { REALMCTL_TOKEN: "other" }, undefined, "comment/refused", EXIT.notAllowed],
    ["there is no token", { REALMCTL_TOKEN: "" }, undefined, "comment/no-token", EXIT.notAllowed],
    [
      "the job does not belong to a request",
      { CI_MERGE_REQUEST_IID: "", GITHUB_REF: "refs/heads/main" },
      undefined,
      "comment/no-job",
      EXIT.errors,
    ],
    [
      "plain http to another host",
      { CI_API_V4_URL: "http://git.example.org/api/v4", GITHUB_SERVER_URL: "http://git.example.org" },
      undefined,
      "comment/plain-http",
      EXIT.errors,
    ],
    [
      "nobody listens",
      { CI_API_V4_URL: "http://127.0.0.1:9/api/v4", GITHUB_SERVER_URL: "http://127.0.0.1:9" },
      undefined,
      "comment/unreachable",
      EXIT.unreachable,
    ],
    ["an outage", {}, { match: /POST/, status: 502, body: "<html>" }, "comment/refused", EXIT.unreachable],
    [
      "an answer from another program",
      {},
      { match: /GET .*(notes|comments)/, status: 200, body: "<html>" },
      "comment/unreachable",
      EXIT.unreachable,
    ],
    [
      "the answer does not say who it is",
      {},
      { match: /GET .*user/, status: 200, body: "{}" },
      "comment/unreachable",
      EXIT.unreachable,
    ],
  ])("%s: an error with advice, nothing written, and no token in it", async (_, env, refuse, code, exitCode) => {
    forge.refuse = refuse;
    const ran = await comment(FILE, "", env);
    expect(ran.err).toContain(`error[${code}]`);
    expect(ran.err).toMatch(/\n *= /);
    expect(ran.code).toBe(exitCode);
    expect(ran.out + ran.err).not.toContain(TOKEN);
    expect(forge.notes).toEqual([]);
  });

  test("a read-only token gets a message about what is missing", async () => {
    forge.scope = "read_api";
    const { err, code } = await comment();
    expect(err).toContain(host === "gitlab" ? "scope api" : "write:issue");
    expect(code).toBe(EXIT.notAllowed);
  });
});

test("the number of a pull request comes from the event, if the event has one", async () => {
  const forge = await new FakeForge("forgejo").start();
  world.file("realm.yaml", FILE);
  await world.realmctl("plan --out plan.json");
  world.file("event.json", JSON.stringify({ pull_request: { number: 3 } }));
  const env = { ...forge.env(), GITHUB_REF: "refs/heads/main", GITHUB_EVENT_PATH: "event.json" };
  expect(await world.realmctl("comment plan.json --to forgejo", { anonymous: true, env })).toMatchObject({ code: 0 });
  await forge.end();
});
