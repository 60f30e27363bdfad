import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { alive } from "./alive.ts";
import { BASE, HEAD } from "./file-and-head.ts";
import { repositoryOfTests, SHA, TOKEN } from "./runner.ts";

const repository = repositoryOfTests();

describe("plan on a pull request", () => {
  test("comment, check, summary and outputs; unchanged; changed; older comments are minimised", async () => {
    await repository.world.bringInLine(BASE);
    await repository.world.editChannel("general", { description: "Anything" });
    repository.pull(BASE, HEAD);

    const first = await repository.run("plan");
    expect(first).toMatchObject({ code: 0, outputs: { comment: "created", changes: "3", "exit-code": "0" } });
    expect(first.log).toMatch(/: 3 changes, 1 risk\n.*\bThe comment on #7: created\n/s);
    const [comment] = repository.github.comments;
    const text = comment?.body ?? "";
    // The risk, the change, its author, and then what nobody manages.
    const order = [
      "**3 changes**",
      "1 created, 1 changed, 1 removed · 2 of them by this pull request · **1 risk**",
      "⚠️",
      "This pull request: 2 (1 channel created, 1 archived)",
      "Already different on the server: 1 (1 channel changed)",
      "Not managed, and left alone",
    ];
    expect(order.map((part) => text.indexOf(part))).toEqual(
      order.map((part) => text.indexOf(part)).sort((a, b) => a - b),
    );
    expect(order.filter((part) => !text.includes(part))).toEqual([]);
    expect(text).toContain(`https://github.example/acme/chat/blob/${SHA.head}/realm.yaml#L5`);
    expect(repository.github.checks).toMatchObject([
      { conclusion: "neutral", head_sha: SHA.head, output: { title: "3 changes, 1 risk" } },
    ]);
    expect(repository.github.checks[0]?.annotations).toContainEqual(
      expect.objectContaining({ path: "realm.yaml", start_line: 5, annotation_level: "warning" }),
    );
    expect(first.summary).toContain("This pull request: 2");

    repository.github.writes();
    const again = await repository.run("plan", { inputs: { check: "false" } });
    expect([again.outputs.comment, repository.github.writes()]).toEqual(["unchanged", []]);

    // An older comment of ours, and one of a stranger who copied the marker.
    const old = { id: 1, pull: 7, body: text, author: "github-actions[bot]", minimised: false, edits: 0 };
    repository.github.comments.unshift(old, { ...old, id: 2, author: "mallory" });
    repository.pull(BASE, BASE);
    const changed = await repository.run("plan", { inputs: { check: "false" } });
    expect(changed.outputs.comment).toBe("edited");
    expect(repository.github.comments.map(({ author, minimised, edits }) => [author, minimised, edits])).toEqual([
      ["github-actions[bot]", true, 0],
      ["mallory", false, 0],
      ["github-actions[bot]", false, 1],
    ]);
    expect(repository.github.comments[2]?.body).toContain("1 changed · none of them by this pull request");
  });
});

describe("plan", () => {
  test("uses the state of the server: nothing to send, and the report says so", async () => {
    await repository.world.bringInLine(BASE);
    await repository.world.editChannel("general", { description: "Anything" });
    repository.pull(BASE, BASE.replace("Everything", "Anything"));
    await repository.run("plan");
    expect(repository.github.comments[0]?.body).toContain(
      "Taken over from the server by this pull request (nothing to send): 1",
    );
    expect(repository.github.checks[0]?.conclusion).toBe("success");
  });

  test("values of variables come from the inputs; the base need not know them, and the environment gives only what the workflow names", async () => {
    const head = `${BASE.replace("channels: additive}\n", "channels: additive}\nvars: {site: {from: env, name: SITE}, day: {type: string}, team: {type: string}}\n")}  news: {description: "\${site} \${day} \${team}"}\n`;
    repository.pull(BASE, head);
    repository.file("values.yaml", "day: Friday\n");
    const inputs = { set: "team=blue", values: "values.yaml" };
    const env = { SITE: "Bergen" };
    expect((await repository.run("plan", { inputs, env })).code).toBe(EXIT.errors);
    expect(repository.github.comments[0]?.body).toContain("name SITE in the input env of the Action");
    expect((await repository.run("plan", { inputs: { ...inputs, env: "SITE" }, env })).code).toBe(EXIT.done);
    expect(repository.github.comments.at(-1)?.body).toContain("Bergen Friday blue");
    expect(repository.github.comments.at(-1)?.body).not.toContain("not compared");
    const wrong = await repository.run("plan", { inputs: { set: "team blue" } });
    expect(wrong.log).toContain("write site=berlin");
  });

  test("a line that is deleted under exact is annotated where it was", async () => {
    const exact = BASE.replace("additive", "exact").concat("  Zulip: {description: About}\n");
    await repository.world.bringInLine(exact);
    repository.pull(exact, exact.replace("  sandbox: {description: Try things out}\n", ""));
    await repository.run("plan");
    const found = repository.github.checks[0]?.annotations.find(({ message }) => message.includes("deleted here"));
    expect(found).toMatchObject({ path: "realm.yaml", start_line: 5 });
    expect(found?.message).toContain("line 5 of the base version");
  });

  test("one error is listed before the warnings everywhere", async () => {
    const unseen = Array.from({ length: 30 }, (_, at) => `  "a\u2066-${at}": {description: Team ${at}}\n`).join("");
    repository.pull(BASE, `${BASE}${unseen}  last: {descripton: Wrong}\n`);
    expect((await repository.run("plan")).code).toBe(EXIT.errors);
    const [comment] = repository.github.comments;
    expect(comment?.body).toMatch(/1 error, 10 warnings\.\n\n- \*\*error\*\*/);
    expect(repository.github.checks[0]).toMatchObject({
      output: { title: "1 error, 10 warnings" },
      annotations: [{ annotation_level: "failure" }, ...Array(10).fill({ annotation_level: "warning" })],
    });
    for (const command of ["validate", "drift"]) {
      const { code, log } = await repository.run(command, { event: "push", sha: SHA.main });
      expect(code).toBe(EXIT.errors);
      expect(log.match(/^::\w+/gm)?.[0]).toBe("::error");
      expect(log.match(/^::error /gm)).toHaveLength(1);
    }
  });

  test("errors: comment, failed check at the line, exit code 1; errors of the base are allowed", async () => {
    repository.pull(BASE, BASE.replace("description: Everything", "descripton: Everything"));
    const step = await repository.run("plan");
    expect(step.code).toBe(EXIT.errors);
    expect(repository.github.checks).toMatchObject([{ conclusion: "failure", annotations: [{ start_line: 4 }] }]);
    expect(repository.github.comments[0]?.body).toContain("1 error");
    repository.pull("version: 7\n", HEAD);
    expect((await repository.run("plan")).code).toBe(0);
    expect(repository.github.comments[0]?.body).toContain("The base version has errors of its own");
  });

  test.each([
    ["nothing else changes", "", "1 error", "would change **nothing else**"],
    ["something else changes", "  news: {}\n", "1 error, 1 change, 0 risks", "would make **1 change**"],
  ])("a part that cannot be planned is said everywhere: %s", async (_, more, title, words) => {
    const base = "version: 1\nchannels:\n  Zulip: {}\n";
    repository.pull(base, `version: 1\nchannels:\n  Zulip: {privacy: private_shared_history}\n${more}`);
    const step = await repository.run("plan");
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain("error channels/default-private realm.yaml:3:20: a default channel cannot be private");
    expect(step.log).toContain(": 1 error, ");
    const [comment] = repository.github.comments;
    expect(comment?.body).toMatch(
      /^❌ \*\*1 error: .*\n\n- ❌ a default channel cannot be private · .*\n {2}- remove it/,
    );
    expect(comment?.body).toContain(words);
    expect(comment?.body).not.toContain("the file.\n");
    const [check] = repository.github.checks;
    expect(check).toMatchObject({ conclusion: "failure", output: { title } });
    expect(check?.annotations[0]).toMatchObject({ path: "realm.yaml", start_line: 3, annotation_level: "failure" });
  });

  test("a file that the base does not have belongs to the pull request as a whole", async () => {
    repository.pull(BASE, BASE);
    repository.github.commits[SHA.base] = {};
    await repository.run("plan");
    const text = repository.github.comments[0]?.body;
    expect(text).toContain("This pull request: 2 (2 channels changed)");
    expect(text).toContain("The base has no `realm.yaml`: all of it counts as this pull request's.");
  });

  test.each([
    ["a comment", /POST .*issues\/7\/comments/, "pull-requests: write", "github/not-allowed", 403],
    ["a check", /check-runs/, "checks: write", "github/not-allowed", 403],
    ["an outage", /POST .*issues\/7\/comments/, "run the job again", "github/unreachable", 502],
  ])("what GitHub refuses is reported, and the rest is done: %s", async (_, match, words, code, status) => {
    repository.github.refuse.push({ match, status, message: "Resource not accessible" });
    repository.pull(BASE, HEAD);
    const step = await repository.run("plan");
    expect(step.log).toContain(words);
    expect(step.log).toContain(`title=${code}`);
    expect(step.code).toBe(EXIT.notAllowed);
    expect(step.summary).toContain("This pull request");
  });

  test("a fork's job plans without credentials from the default branch's snapshot; missing write permissions are not a failure", async () => {
    await repository.world.bringInLine(BASE);
    repository.file("realm.yaml", BASE);
    const snapshot = await repository.run("snapshot", { event: "push" });
    repository.upload(snapshot, "realmctl-snapshot", "snapshot-file");
    repository.pull(BASE, HEAD);
    repository.github.refuse.push({
      match: /^POST \/repos/,
      status: 403,
      message: "Resource not accessible by integration",
    });
    const step = await repository.run("plan", { anonymous: true, fork: true, inputs: { snapshot: "artifact" } });
    expect(step).toMatchObject({ code: 0, outputs: { changes: "2" } });
    expect(step.log).toContain("a token that only reads");
    expect(step.summary).toContain(`sha256 \`${snapshot.outputs.digest?.slice(0, 16)}`);
    expect(step.summary).toContain("0 min old");
    expect(step.summary).not.toContain("old snapshot");
    const inputs = { snapshot: "artifact", "snapshot-max-age-hours": "0.00000001" };
    const late = await repository.run("plan", { anonymous: true, fork: true, inputs });
    expect(late.summary.indexOf("Planned from an old snapshot")).toBeLessThan(late.summary.indexOf("⚠️"));
  });

  test("pull_request_target reads the head through the API and ignores the checkout", async () => {
    repository.pull(BASE, HEAD);
    repository.file("realm.yaml", "version: 99\n");
    const step = await repository.run("plan", { event: "pull_request_target", fork: true });
    expect(step).toMatchObject({ code: 0, outputs: { comment: "created" } });
    // A merge of an older head is not used: the head itself is planned, from where it branched off the base.
    repository.github.parents[SHA.merge] = [SHA.base, "e".repeat(40)];
    repository.github.mergeBase = SHA.base;
    repository.github.commits[SHA.merge] = { "realm.yaml": "version: 99\n" };
    expect((await repository.run("plan", { event: "pull_request_target", fork: true })).outputs.comment).toBe(
      "unchanged",
    );
  });

  test("no credentials, no snapshot: says what to do", async () => {
    repository.pull(BASE, HEAD);
    const step = await repository.run("plan", { anonymous: true });
    expect(step.code).toBe(EXIT.notAllowed);
    expect(step.log).toContain("snapshot: artifact");
  });
});

describe("snapshots that are not trusted", () => {
  const plan = () => repository.run("plan", { anonymous: true, inputs: { snapshot: "artifact" } });

  beforeEach(async () => {
    repository.file("realm.yaml", BASE);
    const step = await repository.run("snapshot", { event: "push" });
    repository.upload(step, "realmctl-snapshot", "snapshot-file");
    repository.pull(BASE, HEAD);
  });

  test("an artifact that exceeds the size limit is not downloaded", async () => {
    Object.assign(repository.github.artifacts[0] ?? {}, { size_in_bytes: 2 ** 40 });
    const step = await plan();
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain("title=snapshot/too-large");
    expect(repository.github.downloads).toEqual([]);
  });

  test.each([
    ["a fork's", { head_repository_id: 666 }],
    ["another branch's", { head_branch: "evil" }],
    ["a tag with the name of the default branch: its", { head_sha: "6".repeat(40) }],
  ])("%s run uploaded one of the same name", async (_, from) => {
    Object.assign(repository.github.artifacts[0] ?? {}, from);
    const step = await plan();
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain("title=snapshot/no-artifact");
  });

  test.each([
    ["one letter of it differs", (text: string) => text.replace("Try things out", "Try things oux"), "snapshot/digest"],
    ["it is not a snapshot", () => "{}", "snapshot/format"],
    ["it is empty", () => "", "snapshot/syntax"],
  ])("%s", async (_, change, code) => {
    const [artifact] = repository.github.artifacts;
    const name = "realm-snapshot.json";
    if (artifact !== undefined)
      artifact.files[name] = change((artifact.files[name] ?? "").replace("sandbox stuff", "Try things out"));
    if (code === "snapshot/digest" && artifact !== undefined)
      artifact.files[name] = (artifact.files[name] ?? "").replace('"general"', '"generel"');
    const step = await plan();
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain(`title=${code}`);
  });

  test("a snapshot of another organization", async () => {
    repository.pull(BASE, `realm: https://other.example.org\n${HEAD}`);
    expect(await plan()).toMatchObject({ code: EXIT.errors, log: expect.stringContaining("realm/other-realm") });
  });

  test("a damaged zip", async () => {
    const [artifact] = repository.github.artifacts;
    if (artifact !== undefined) artifact.files = { "other.json": "{}" };
    expect((await plan()).log).toContain("title=artifact/broken");
  });

  test("no snapshot is taken in a pull request's job", async () => {
    expect((await repository.run("snapshot")).log).toContain("title=action/snapshot-on-pull-request");
  });
});

describe("validate", () => {
  test.each([
    ["a good file", BASE, EXIT.done, "is valid"],
    ["a missing file", undefined, EXIT.errors, "actions/checkout"],
    ["an error", BASE.replace("description: Every", "descripton: Every"), EXIT.errors, "1 error"],
  ])("%s", async (_, text, code, words) => {
    if (text !== undefined) repository.file("realm.yaml", text);
    const step = await repository.run("validate", { event: "push", anonymous: true });
    expect(step.code).toBe(code);
    expect(step.summary).toContain(words);
    if (code !== 0) expect(step.log).toMatch(/^error (field|config)\/[\w-]+.*: /m);
    if (code !== 0 && text !== undefined) expect(step.log).toMatch(/::error title=[^:]*file=realm.yaml,line=4/);
  });

  test.each([
    ["a link out of the checkout", (directory: string) => symlinkSync("/etc/passwd", join(directory, "realm.yaml"))],
    [
      "a link into .git",
      (directory: string) => {
        writeFileSync(join(directory, "x"), "");
        repository.file(".git/config", "extraheader = AUTHORIZATION: basic canary\n");
        symlinkSync(join(directory, ".git", "config"), join(directory, "realm.yaml"));
      },
    ],
  ])("%s is not read, let alone shown", async (_, make) => {
    rmSync(join(repository.workspace, "realm.yaml"), { force: true });
    make(repository.workspace);
    const step = await repository.run("validate", { event: "push", anonymous: true });
    expect(step.code).toBe(EXIT.errors);
    expect(JSON.stringify(step)).not.toMatch(/root:|canary/);
    const inputs = { file: "good.yaml", snapshot: "realm.yaml" };
    repository.file("good.yaml", BASE);
    const asSnapshot = await repository.run("validate", { event: "push", anonymous: true, inputs });
    expect(asSnapshot).toMatchObject({ code: EXIT.errors, log: expect.stringContaining("snapshot/cannot-read") });
    expect(JSON.stringify(asSnapshot)).not.toMatch(/root:|canary/);
    expect(JSON.stringify(step)).not.toMatch(/root:|canary/);
  });
});

test("hostile names have no effect: no workflow command in the log, only text in comment, check and summary", async () => {
  const name = '"::error::pwned @octocat ##[error]x <img src=x> `y`"';
  repository.pull(
    BASE,
    `${BASE}  ${name}: {description: "::set-output name=a::b </details><script>alert(1)</script> @octocat #1"}\n`,
  );
  const step = await repository.run("plan");
  expect(step).toMatchObject({ code: 0, outputs: { changes: "3" } });
  const [comment] = repository.github.comments;
  const [check] = repository.github.checks;
  for (const text of [comment?.body ?? "", step.summary, check?.output.summary ?? ""]) {
    expect(text).toContain("pwned");
    expect(alive(text)).toEqual([]);
  }
  expect(check?.output.title).toBe("3 changes, 0 risks");
  repository.github.refuse.push({ match: /check-runs/, status: 403, message: "no\n::error::pwned" });
  const received = await repository.run("plan");
  expect(received.log).toContain("pwned");
  expect(received.log).not.toMatch(/^\s*::(error|set-output)[^:]*::pwned|##\[/m);
});

describe("inputs", () => {
  test("all errors are reported at once", async () => {
    const step = await repository.run("plann", { inputs: { file: "../x.yaml", comment: "maybe", reviewed: "no" } });
    expect(step.code).toBe(EXIT.errors);
    for (const name of ["command", "file", "comment", "reviewed"]) expect(step.log).toContain(`input ${name}:`);
    expect(step.log).not.toContain(TOKEN);
  });
});
