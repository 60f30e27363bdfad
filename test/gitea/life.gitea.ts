import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clean } from "../../src/model/clean.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { isObject } from "../../src/model/json.ts";
import { LOUD, PARTS, words } from "../action/hostile-words.ts";
import { exchanged, SCOPES, STEPS, type Who } from "../hosts/exchanges.ts";
import fc from "../support/random.ts";
import { numberOf, objectsOf, textOf } from "./forge.ts";
import { active, shownText } from "./rendered.ts";
import { LEAST, REPOSITORY, Repository } from "./repository.ts";

/**
 * What happens to a change on a real forge: Gitea, built from its sources, on loopback. Its own runner's protocol hands out the jobs of the workflow
 * that `init --workflows=gitea` writes, with their real events, secrets and tokens; act runs their steps. The organization is a sandbox.
 * `npm run gitea` runs this; one story, in order.
 */
let on: Repository;
beforeAll(async () => {
  on = await Repository.start();
});
afterAll(() => on?.end());

const BOT = "gitea-actions";

test("the forge answers as its recording says, which the tests' fake is held against", async () => {
  const { forge, ada } = on;
  await on.repository("chat", { auto_init: true });
  const chat = "/repos/acme/chat";
  for (const title of ["One", "Two"]) await forge.must(ada, "POST", `${chat}/issues`, { title });
  const file = { content: "", message: "More", branch: "main", new_branch: "more" };
  await forge.must(ada, "POST", `${chat}/contents/more`, file);
  const pull = await forge.must(on.bob, "POST", `${chat}/pulls`, { base: "main", head: "more", title: "More" });
  expect(numberOf(pull, "number")).toBe(3);
  const token = (who: Who): Promise<string> | string =>
    who === "wrong" ? "0".repeat(40) : forge.token(who === "other" ? "mallory" : "bob", SCOPES[who]);
  const tokens = {
    ...{ bot: await token("bot"), other: await token("other"), reader: await token("reader") },
    ...{ nameless: await token("nameless"), wrong: await token("wrong") },
  };
  const lines = (await exchanged(STEPS, forge.url, tokens)).map((step) => JSON.stringify(step));
  const recorded = `{"forge": "Gitea ${forge.version}", "steps": [\n${lines.join(",\n")}\n]}\n`;
  await expect(recorded).toMatchFileSnapshot("../hosts/recordings/gitea.json");
});

/** The comment of the first pull request. */
let kept = 0;

describe("the life of a change", () => {
  let pull = 0;

  test("a pull request gets the plan as a comment, with the job's own token", async () => {
    on.fresh("news");
    on.withChannel("news", "New");
    await on.push("news", "News");
    pull = await on.pull("news");
    const ran = await on.runner.run("pull_request");
    expect(ran.code, ran.log).toBe(0);
    expect(Object.keys(ran.task.secrets)).toContain("ZULIP_API_KEY");
    const comments = await on.comments(pull);
    expect(comments).toMatchObject([{ login: BOT, body: expect.stringContaining("news") }]);
    kept = comments[0]?.id ?? 0;
  });

  test("pushed again: the comment is edited; pushed without a change of the plan: it is left alone", async () => {
    on.world.file("realm.yaml", on.world.read("realm.yaml").replace("description: New", "description: Newest"));
    await on.push("news", "Newest");
    expect((await on.runner.run("pull_request")).log).toContain("The comment: edited");
    const edited = await on.comments(pull);
    expect(edited).toMatchObject([{ id: kept, login: BOT, body: expect.stringContaining("Newest") }]);
    on.world.file("realm.yaml", `${on.world.read("realm.yaml")}# A remark\n`);
    await on.push("news", "A remark");
    expect((await on.runner.run("pull_request")).log).toContain("The comment: unchanged");
    expect(await on.comments(pull)).toEqual(edited);
  });

  test("approved and merged: the plan is applied", async () => {
    expect(
      await on.forge.ask(on.bob, "POST", `/repos/${REPOSITORY}/pulls/${pull}/merge`, { Do: "merge" }),
    ).toMatchObject({
      status: 405,
    });
    await on.merge(pull);
    const ran = await on.runner.run("push");
    expect(ran.code, ran.log).toBe(0);
    expect(on.world.channel("news").description).toBe("Newest");
  });

  test("drift: the job of the night fails, and says what somebody changed by hand", async () => {
    await on.world.edit("owner", "PATCH", `/streams/${on.world.channel("news").stream_id}`, { description: "By hand" });
    const ran = await on.runner.run("schedule");
    expect(ran.code, ran.log).not.toBe(0);
    expect(ran.log).toContain("By hand");
    expect(ran.log).toContain("exit code 2");
  });

  test("adopt as a branch and a pull request: its plan has nothing to do", async () => {
    on.fresh("adopt");
    expect((await on.world.realmctl("adopt --all --yes")).code).toBe(EXIT.done);
    await on.push("adopt", "Adopt what was changed by hand");
    const adopted = await on.pull("adopt");
    const ran = await on.runner.run("pull_request");
    expect(ran.code, ran.log).toBe(0);
    const [{ body, login } = { body: "", login: "" }] = await on.comments(adopted);
    expect(login).toBe(BOT);
    expect(body).toMatch(/\bnothing\b|no changes/i);
  });
});

describe("a pull request from a stranger's fork", () => {
  let pull = 0;

  test("no job runs before a writer approves it; then it has no secrets, and the account of all jobs", async () => {
    await on.runner.drain();
    on.fresh("evil");
    on.withChannel("evil", "Evil");
    // A fork brings its own workflow: the condition that keeps forks out is not in it.
    const path = ".gitea/workflows/realmctl.yml";
    const own = on.world.read(path).replace(/^ {4}if: github.event_name == 'pull_request' .*\n/m, "");
    expect(own).not.toBe(on.world.read(path));
    on.world.file(path, own);
    await on.push("evil", "Evil", { as: "mallory", to: "mallory/zulip" });
    pull = await on.pull("mallory:evil", { as: on.mallory });
    const listed = await on.forge.must(on.ada, "GET", `/repos/${REPOSITORY}/actions/runs?event=pull_request`);
    const [waiting] = objectsOf(isObject(listed) ? listed.workflow_runs : undefined);
    expect(waiting).toMatchObject({ event: "pull_request", actor: { login: "mallory" } });
    expect((await on.runner.drain()).map(({ context }) => context.event_name)).not.toContain("pull_request");
    const approve = `/${REPOSITORY}/actions/runs/${numberOf(waiting, "id")}/approve`;
    expect(await on.forge.browse("mallory", "POST", approve)).toMatchObject({ status: 404 });
    expect(await on.forge.browse("ada", "POST", approve)).toMatchObject({ status: 200 });
    const task = await on.runner.next("pull_request");
    expect(Object.keys(task.secrets).sort()).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN"]);
    // All jobs are one account there, and whoever may read may comment: an approved fork may speak as our job (docs/security.md).
    const token = textOf(task.context, "token");
    const forged = await on.forge.ask({ token }, "POST", `/repos/${REPOSITORY}/issues/${pull}/comments`, {
      body: "Fine",
    });
    expect(forged).toMatchObject({ status: 201, value: { user: { login: BOT } } });
    const ours = `/repos/${REPOSITORY}/issues/comments/${kept}`;
    expect(await on.forge.ask({ token }, "PATCH", ours, { body: "Fine" })).toMatchObject({ status: 200 });
    await on.forge.must({ token }, "DELETE", `/repos/${REPOSITORY}/issues/comments/${numberOf(forged.value, "id")}`);
    const ran = await on.runner.act(task);
    expect(ran.code, ran.log).not.toBe(0);
    expect(ran.log).not.toContain(on.world.credentials().ZULIP_API_KEY);
    expect(await on.comments(pull)).toEqual([]);
  });

  test("what a stranger writes under our mark stays hers: our comment is written beside it", async () => {
    const mallory = await on.forge.token("mallory", LEAST);
    await on.world.realmctl("plan --out realm.plan");
    expect((await on.comment(pull, mallory)).out).toBe("The comment: created\n");
    const [hers] = await on.comments(pull);
    const ciro = await on.forge.token("ciro", LEAST);
    expect((await on.comment(pull, ciro)).out).toBe("The comment: created\n");
    expect((await on.comments(pull)).map(({ login }) => login)).toEqual(["mallory", "ciro"]);
    expect((await on.comments(pull))[0]).toEqual(hers);
  });
});

describe("comments", () => {
  let pull = 0;
  let token = "";

  test("the least scopes that the documentation names suffice; a token without one of them gets what is missing", async () => {
    on.fresh("crew");
    on.withChannel("crew", "Crew");
    await on.push("crew", "Crew");
    pull = await on.pull("crew");
    await on.world.realmctl("plan --out realm.plan");
    for (const scope of LEAST) {
      const lacking = await on.forge.token(
        "ciro",
        LEAST.filter((one) => one !== scope),
      );
      const ran = await on.comment(pull, lacking);
      expect(ran).toMatchObject({ code: EXIT.notAllowed, out: "" });
      expect(ran.err).toContain(scope);
      expect(ran.err).not.toContain(lacking);
    }
    expect(await on.comments(pull)).toEqual([]);
    token = await on.forge.token("ciro", LEAST);
    expect((await on.comment(pull, token)).out).toBe("The comment: created\n");
  });

  test("a comment that somebody deleted is written again", async () => {
    const [deleted] = await on.comments(pull);
    await on.forge.must(on.ada, "DELETE", `/repos/${REPOSITORY}/issues/comments/${deleted?.id}`);
    expect((await on.comment(pull, token)).out).toBe("The comment: created\n");
    expect(await on.comments(pull)).toHaveLength(1);
  });

  test("two jobs at once leave one comment", async () => {
    const [deleted] = await on.comments(pull);
    await on.forge.must(on.ada, "DELETE", `/repos/${REPOSITORY}/issues/comments/${deleted?.id}`);
    const jobs = await Promise.all([1, 2, 3, 4].map(() => on.comment(pull, token)));
    for (const { code, err } of jobs) expect(code, err).toBe(EXIT.done);
    expect(await on.comments(pull)).toHaveLength(1);
    expect((await on.comment(pull, token)).out).toBe("The comment: unchanged\n");
  });

  test("its own comment is found after more than a page of others", async () => {
    const [mine] = await on.comments(pull);
    for (let count = 0; count < 60; count += 1)
      await on.forge.must(on.bob, "POST", `/repos/${REPOSITORY}/issues/${pull}/comments`, { body: `Nice ${count}` });
    expect((await on.comment(pull, token)).out).toBe("The comment: unchanged\n");
    expect((await on.comments(pull))[0]).toEqual(mine);
  });
});

describe("what a comment has to stand", () => {
  let token = "";
  beforeAll(async () => {
    token = await on.forge.token("ciro", LEAST);
  });

  test("a forge that is away: an error that says so; one comment when it is back, even if it kept a request", async () => {
    on.fresh("away");
    on.withChannel("away", "Away");
    await on.push("away", "Away");
    const away = await on.pull("away");
    await on.world.realmctl("plan --out realm.plan");
    on.forge.pause(true);
    const silent = await on.comment(away, token, " --timeout 1");
    on.forge.pause(false);
    expect(silent).toMatchObject({ code: EXIT.unreachable, out: "" });
    expect(silent.err).toContain("error[comment/unreachable]");
    await on.forge.down();
    const gone = await on.comment(away, token);
    expect(gone).toMatchObject({ code: EXIT.unreachable, out: "" });
    expect(gone.err).toContain("run the job again");
    await on.forge.up();
    expect((await on.comment(away, token)).out).toBe("The comment: created\n");
    expect(await on.comments(away)).toHaveLength(1);
  });

  test("10,000 changes: the comment has their number, and the forge takes it", async () => {
    const channels = Array.from({ length: 10_000 }, (_, at) => `  team-${at}: {description: The team ${at}}\n`);
    on.fresh("many");
    on.world.file("many.yaml", `version: 1\nchannels:\n${channels.join("")}`);
    const planned = await on.world.realmctl("plan many.yaml --out realm.plan");
    expect([EXIT.done, EXIT.refusedByGuard]).toContain(planned.code);
    await on.push("many", "Many");
    const pull = await on.pull("many");
    expect((await on.comment(pull, token)).out).toBe("The comment: created\n");
    const body = (await on.comments(pull)).at(-1)?.body ?? "";
    expect(body).toMatch(/10,?000/);
    expect(body.length).toBeLessThan(65_536);
    expect((await on.comment(pull, token)).out).toBe("The comment: unchanged\n");
  });
});

describe("hostile names", () => {
  const SEED = fc.readConfigureGlobal().seed ?? 0;
  const NAMES = [
    ...new Set(fc.sample(words(PARTS, 55), { numRuns: 150, seed: SEED }).map((name, at) => `${name}${at}`)),
  ];
  /** A comment with more changes of a kind would only have their sums. */
  const AT_ONCE = 8;
  const TEXTS = fc.sample(words([...PARTS, ...LOUD], 120), { numRuns: NAMES.length, seed: SEED + 1 });

  test("what the forge makes of them is text: no link, picture, mention, reference or script", async () => {
    const written = (text = ""): string => JSON.stringify(text.replaceAll("${", () => "$${"));
    on.fresh("hostile");
    on.world.file("remark", "So that there is something to merge");
    await on.push("hostile", "Hostile");
    const pull = await on.pull("hostile");
    const token = await on.forge.token("bob", LEAST);
    for (let from = 0; from < NAMES.length; from += AT_ONCE) {
      const lines = NAMES.slice(from, from + AT_ONCE).map(
        (name, at) => `  ${JSON.stringify(name)}: {description: ${written(TEXTS[from + at])}}\n`,
      );
      on.world.file("hostile.yaml", `version: 1\nchannels:\n${lines.join("")}`);
      const planned = await on.world.realmctl("plan hostile.yaml --out realm.plan");
      expect([EXIT.done, EXIT.refusedByGuard], planned.out + planned.err).toContain(planned.code);
      expect((await on.comment(pull, token)).code).toBe(EXIT.done);
      const [{ body } = { body: "" }] = await on.comments(pull);
      const render = { Text: body, Mode: "comment", Context: REPOSITORY };
      const html = String(await on.forge.must(on.ada, "POST", "/markdown", render));
      const read = shownText(html);
      // Of what is no difference of space, nothing is lost.
      const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ");
      for (const name of NAMES.slice(from, from + AT_ONCE)) expect(squeezed(read)).toContain(squeezed(clean(name)));
      expect(active(html)).toEqual([]);
    }
    expect(await on.comments(pull)).toHaveLength(1);
    const page = String((await on.forge.browse("ada", "GET", `/${REPOSITORY}/pulls/${pull}`)).value);
    const shown = page.split('class="render-content markup"').slice(1);
    const ours = shown
      .map((part) => part.slice(0, part.indexOf("raw-content")))
      .filter((part) => part.includes("channels"));
    expect(ours).toHaveLength(1);
    expect(active(ours[0] ?? "")).toEqual([]);
    // Nobody is notified of a mention, no other issue has a reference, and the merge closes none.
    expect(await on.forge.must({ login: "octocat" }, "GET", "/notifications")).toEqual([]);
    const timeline = await on.forge.must(on.ada, "GET", `/repos/${REPOSITORY}/issues/1/timeline`);
    expect(timeline === null ? [] : objectsOf(timeline).map(({ type }) => type)).not.toContain("comment_ref");
    await on.merge(pull);
    expect(await on.forge.must(on.ada, "GET", `/repos/${REPOSITORY}/issues/1`)).toMatchObject({ state: "open" });
  });

  test("this test sees what would be active", () => {
    for (const html of [
      '<a href="https://evil.example">x</a>',
      '<img src="/x.png">',
      '<a href="/octocat" class="mention">@octocat</a>',
      "<script>alert(1)</script>",
      '<p onclick="x">x</p>',
      '<span class="emoji" aria-label="thumbs up">x</span>',
    ])
      expect(active(html), html).not.toEqual([]);
    expect(
      active(
        '<pre class="code-block"><code class="chroma language-diff"><span class="gi">+ x &lt;b&gt;</span></code></pre>',
      ),
    ).toEqual([]);
  });
});
