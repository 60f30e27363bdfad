import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { BASE } from "./file-and-head.ts";
import { repositoryOfTests } from "./runner.ts";

const repository = repositoryOfTests();

describe("drift on a schedule", () => {
  const drift = (inputs: { [name: string]: string } = {}) => repository.run("drift", { event: "schedule", inputs });

  test("opened, left alone, edited, closed; since-when stays", async () => {
    await repository.world.bringInLine(BASE);
    repository.file("realm.yaml", BASE);
    const general = repository.world.channel("general").stream_id;
    const run = () => repository.run("drift", { event: "schedule" });
    expect(await run()).toMatchObject({ code: 0, outputs: { drift: "0", "issue-number": "" } });
    expect(repository.github.issues).toEqual([]);

    await repository.world.edit("owner", "PATCH", `/streams/${general}`, { description: "Anything" });
    expect(await run()).toMatchObject({ code: EXIT.changesPending, outputs: { drift: "1", cosmetic: "1" } });
    const [issue] = repository.github.issues;
    expect(issue).toMatchObject({ state: "open", body: expect.stringContaining("#general") });
    const since = /since [^\n]*/.exec(issue?.body ?? "")?.[0];
    repository.github.writes();
    await run();
    expect(repository.github.writes()).toEqual([]);

    await repository.world.editChannel("sandbox", { description: "Play" });
    await run();
    expect(issue?.edits).toBe(1);
    expect(issue?.body).toContain("2 objects differ");
    expect(issue?.body).toContain(since);

    await repository.world.bringInLine(BASE);
    expect(await run()).toMatchObject({ code: 0, outputs: { drift: "0" } });
    expect(issue).toMatchObject({ state: "closed", comments: [expect.stringContaining("matches the file again")] });
  });

  test("a deactivated account opens the issue, which says what to write, and which closes when that is written", async () => {
    const file = (more: string) => `${BASE}people:\n  elif@acme.example: {role: member${more}}\n`;
    await repository.world.bringInLine(BASE);
    repository.file("realm.yaml", file(""));
    const run = () => repository.run("drift", { event: "schedule" });
    expect(await run()).toMatchObject({ code: EXIT.done, outputs: { drift: "0" } });
    const elif = repository.world.person("elif@acme.example");
    await repository.world.edit("owner", "DELETE", `/users/${elif}`, {});
    const step = await run();
    expect(step).toMatchObject({ code: EXIT.changesPending, outputs: { drift: "1" } });
    const [issue] = repository.github.issues;
    expect(issue).toMatchObject({ state: "open", body: expect.stringContaining("not reverted by apply: 1") });
    expect(issue?.body).toContain("true to confirm it");
    repository.github.writes();
    await run();
    expect(repository.github.writes()).toEqual([]);
    repository.file("realm.yaml", file(", deactivated: true"));
    expect(await run()).toMatchObject({ code: EXIT.done, outputs: { drift: "0" } });
    expect(issue?.state).toBe("closed");
    // The file names her address, but no file has her full name.
    repository.file("realm.yaml", `${BASE}user_groups:\n  staff: {members: [elif@acme.example]}\n`);
    await run();
    expect(repository.github.issues.at(-1)).toMatchObject({ state: "open" });
    expect(repository.github.issues.at(-1)?.body).toContain("not reverted by apply: 1");
    expect(repository.github.issues.at(-1)?.body).not.toContain("Demir");
  });

  test("who reads a private channel beside its list: a difference if the list is whole, a finding if not; nobody is named", async () => {
    const file = (list: string) => `${BASE}  vault: {privacy: private_shared_history, subscribers: ${list}}\n`;
    const whole = "{users: [ada@acme.example], exact: true}";
    await repository.world.bringInLine(file(whole));
    repository.file("realm.yaml", file(whole));
    expect(await drift()).toMatchObject({ code: EXIT.done, outputs: { drift: "0" } });
    const elif = repository.world.person("elif@acme.example");
    await repository.world.subscribe("vault", { principals: [elif] });
    expect(await drift()).toMatchObject({ code: EXIT.changesPending, outputs: { drift: "1", widens: "1" } });
    const [issue] = repository.github.issues;
    expect(issue?.body).toContain("Widens access: 1");
    expect(issue?.body).toContain(`+ person ${elif}`);
    repository.file("realm.yaml", file("{users: [ada@acme.example], exact: false}"));
    expect(await drift()).toMatchObject({ code: EXIT.changesPending, outputs: { drift: "1", widens: "0" } });
    expect(issue?.body).toContain("not reverted by apply: 1");
    expect(issue?.body).toContain(`whom the file does not list: account ${elif}`);
    expect(issue?.body).not.toMatch(/vault|elif|Demir/i);
  });

  test.each([
    ["closes it as done, although it is not done: opened again", "completed", false, "open"],
    ["closes it as not planned: stays closed", "not_planned", false, "closed"],
    ["closed it as not planned, and now something else differs: opened again", "not_planned", true, "open"],
  ])("somebody %s", async (_, reason, more, state) => {
    repository.file("realm.yaml", BASE);
    await drift();
    const { github } = repository;
    const [issue] = github.issues;
    if (issue !== undefined) Object.assign(issue, { state: "closed", state_reason: reason });
    if (more) repository.file("realm.yaml", `${BASE}  Zulip: {description: Else}\n`);
    github.writes();
    const step = await drift();
    expect(github.issues).toHaveLength(1);
    expect(issue?.state).toBe(state);
    expect(step.outputs["issue-number"]).toBe(state === "open" ? String(issue?.number) : "");
    if (state === "closed") expect(github.writes()).toEqual([]);
  });

  test("gains of access are listed first; somebody else's issue with the marker is not touched", async () => {
    const file = `${BASE}  news: {description: News, permissions: {can_send_message_group: role:moderators}}\n`;
    await repository.world.bringInLine(file);
    repository.file("realm.yaml", file);
    const id = repository.world.channel("news").stream_id;
    const everyone = { new: repository.world.group("role:everyone") };
    await repository.world.edit("owner", "PATCH", `/streams/${id}`, { can_send_message_group: everyone });
    await repository.world.editChannel("general", { description: "x" });
    const step = await drift({ "fail-on-drift": "false" });
    expect(step).toMatchObject({ code: 0, outputs: { widens: "1", cosmetic: "1" } });
    const [issue] = repository.github.issues;
    expect(issue?.body.indexOf("Widens access: 1")).toBeGreaterThan(0);
    expect(issue?.body.indexOf("Widens access: 1")).toBeLessThan(issue?.body.indexOf("Cosmetic: 1") ?? 0);
    for (const author of ["mallory", "github-actions"]) {
      if (issue !== undefined) issue.author = author;
      repository.github.issues.splice(1);
      await drift();
      expect(repository.github.issues.map((one) => one.author)).toEqual([author, "github-actions[bot]"]);
    }
  });

  test("no permission to write issues: reported, and the drift is still in the summary", async () => {
    await repository.world.bringInLine(BASE);
    repository.file("realm.yaml", BASE.replace("Everything", "Other"));
    repository.github.refuse.push({
      match: /^GET .*issues/,
      status: 403,
      message: "Resource not accessible by integration",
    });
    const step = await drift({ "fail-on-drift": "false" });
    expect(step.code).toBe(EXIT.notAllowed);
    expect(step.log).toContain("issues: write");
    expect(step.summary).toContain("general");
  });
});

test("a private channel that the file has as archived, and that is gone under its name, is told without the name", async () => {
  const yaml = `version: 1
channels: {canaryvault: {archived: true, privacy: private_shared_history, subscribers: {users: []}}}
`;
  repository.file("realm.yaml", yaml);
  const drift = await repository.run("drift", { event: "schedule" });
  repository.pull("version: 1\n", yaml);
  const plan = await repository.run("plan");
  expect([drift.code, plan.code]).toEqual([EXIT.changesPending, EXIT.done]);
  const published = repository.published([drift, plan]);
  expect(published).toContain("missing private channel 1");
  expect(published).not.toContain("canaryvault");
});
