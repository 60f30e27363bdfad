import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { GENERAL } from "./file-and-head.ts";
import { Repository, SHA, type Step, type StepOptions } from "./runner.ts";

let repository: Repository;

/** In the realm but in no file; in the file; invited by the file; invited by somebody else. */
const SECRET = "canary-board-room";
const PLANNED = "canary-merger";
const INVITED = "canary.invited@acme.example";
const PENDING = "canary.pending@acme.example";
/** A word of the realm that the file also contains, so that the test cannot pass because nothing was reported. */
const FILE = `${GENERAL}  ${PLANNED}: {privacy: private_shared_history, description: Hush}
invites:
  - emails: [${INVITED}]
    invite_as: member
    channels: [general]
    expires_in: 10d
    send_until: 2099-01-01
`;

async function start(interceptors: readonly Interceptor[] = []): Promise<void> {
  let isOn = false;
  const later = interceptors.map(
    (one): Interceptor => ({
      before: async (...args) => (isOn ? one.before?.(...args) : undefined),
      after: async (...args) => (isOn ? one.after?.(...args) : undefined),
    }),
  );
  repository = await Repository.start({ interceptors: later });
  onTestFinished(() => repository.end());
  const { world } = repository;
  await world.subscribe(SECRET, { description: `about ${SECRET}`, invite_only: true });
  await world.edit("owner", "POST", "/invites", {
    invitee_emails: PENDING,
    stream_ids: [world.channel("general").stream_id],
    invite_as: 400,
    invite_expires_in_minutes: 10_000,
  });
  isOn = true;
}

const answer = (status: number, msg: string): Response =>
  new Response(JSON.stringify({ result: "error", code: "BAD_REQUEST", msg }), {
    status,
    headers: { "content-type": "application/json" },
  });

/** A server whose refusals of writes name the objects concerned. */
const talkative = (status: number): Interceptor => ({
  before: async ({ method, path }) =>
    method !== "GET" && !/register|events/.test(path)
      ? answer(status, `No: ${SECRET}, "${PLANNED}" and ${INVITED} are in the way of ${PENDING}`)
      : undefined,
});
/** A server whose refusals of readings do so. */
const mute: Interceptor = {
  before: async ({ path }) =>
    path.includes("register") ? answer(400, `Not while ${PLANNED} and ${INVITED}`) : undefined,
};

const COMMANDS: { readonly [command: string]: StepOptions } = {
  plan: {},
  apply: { event: "push", sha: SHA.main, inputs: { reviewed: "ignore" } },
  drift: { event: "schedule", sha: SHA.main, inputs: { "adopt-pull-request": "true" } },
  validate: { event: "push" },
  snapshot: { event: "push", sha: SHA.main },
};

/** The file at the place where every command finds it. */
function everywhere(text: string, base = GENERAL): void {
  repository.pull(base, text);
  repository.github.git.commits[SHA.main] = { "realm.yaml": text };
  repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
}

async function runAll(commands = Object.keys(COMMANDS), options: StepOptions = {}): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const command of commands) {
    const own = COMMANDS[command];
    steps.push(await repository.run(command, { ...own, ...options, inputs: { ...own?.inputs, ...options.inputs } }));
  }
  return steps;
}

/** @param canaries those that this failure could reveal if nothing hid them */
function expectNothingTold(
  steps: readonly Step[],
  canaries: readonly string[] = [SECRET, PLANNED, INVITED, PENDING],
): void {
  const key = repository.world.credentials().ZULIP_API_KEY ?? "";
  const shown = repository.published(steps) + JSON.stringify(repository.github.git.pulls);
  // The pull request's branch has the same values as the file.
  for (const canary of [...canaries, key]) expect(shown).not.toContain(canary);
}

describe("errors", () => {
  test.each([
    [
      "an invitation twice",
      `  - emails: [${INVITED}]\n    invite_as: member\n    channels: [general]\n    expires_in: 10d\n`,
      Object.keys(COMMANDS),
    ],
    ["a private channel with a broken field", `profiles: {${PLANNED}: {privcy: x}}\n`, Object.keys(COMMANDS)],
  ])("%s", async (_, lines, commands) => {
    await start();
    everywhere(FILE + lines);
    const steps = await runAll(commands);
    expect(steps.map(({ code }) => code)).toEqual(steps.map(() => 1));
    for (const { log, summary } of steps) expect(log + summary).toMatch(/::error title=|\*\*error\*\*/);
    expectNothingTold(steps);
  });

  test.each([
    ["organization", "canary-board-rom"],
    ["file", "canary-mergr"],
  ])("a name similar to one in the %s: the rest is done, and the name that was meant is not told", async (_, name) => {
    await start();
    everywhere(`${FILE}default_channels: [${name}]\n`);
    const steps = await runAll(["plan", "apply", "drift"]);
    expect(steps.map(({ code }) => code)).toEqual([1, 5, 2]);
    const [plan, apply, drift] = steps.map(({ log, summary }) => log + summary);
    expect(plan).toContain(`❌ there is no channel \`"${name}"\` here`);
    expect(apply).toContain("a name that does not resolve was left as it is: realm.yaml:12");
    expect(drift).toContain(`there is no channel "${name}" here`);
    // That a private channel has nearly this name would tell its name.
    for (const shown of [plan, apply, drift]) expect(shown).not.toContain("did you mean");
    expectNothingTold(steps);
  });

  test("names that are private according to the file alone are hidden before the realm is read", async () => {
    await start();
    // The same key twice is quoted in the error.
    everywhere(FILE.replace(/^( {2}canary-merger: .*\n)/m, "$1$1").replace(/( +- emails[\s\S]*)/, "$1$1"));
    const steps = await runAll(["validate", "snapshot"]);
    expect(steps.map(({ code }) => code)).toEqual([1, 1]);
    expectNothingTold(steps);
    expect(repository.published(steps)).toContain("a private channel");
  });
});

describe("a server that refuses requests", () => {
  test.each([
    ["to a write, because of what it is", talkative(400), [5]],
    ["to a write, because of an outage", talkative(500), [5]],
    ["to a write, because of the account", talkative(403), [5, 6]],
  ])("%s", async (_, interceptor, codes) => {
    await start([interceptor]);
    everywhere(FILE);
    const steps = await runAll(["apply"]);
    expect(codes).toContain(steps[0]?.code);
    expect(repository.github.comments[0]?.body).toContain("realmctl");
    expectNothingTold(steps);
  });

  test("even reading is refused", async () => {
    await start([mute]);
    everywhere(FILE);
    const steps = await runAll(["plan", "apply", "drift", "snapshot"]);
    for (const { code, log } of steps) {
      expect(code).toBeGreaterThan(0);
      expect(log).toContain("::error title=");
    }
    expectNothingTold(steps);
  });

  test.each([
    ["the key is wrong", { "zulip-api-key": "canaryKeyThatIsWrong000000000000" }, 6],
    ["nobody listens", { "zulip-site": "http://127.0.0.1:9" }, 7],
  ])("%s", async (_, inputs, code) => {
    await start();
    everywhere(FILE);
    const steps = await runAll(["plan", "apply", "drift", "snapshot"], { inputs });
    expect(steps.map((step) => step.code)).toEqual([code, code, code, code]);
    expectNothingTold(steps, [SECRET, PLANNED, INVITED, PENDING, "canaryKeyThatIsWrong"]);
  });
});

describe("an answer with an invitation link", () => {
  test.each<[string, number, (text: string) => string]>([
    ["is incomplete", 200, (text) => text.slice(0, -2)],
    ["comes with a server error", 500, (text) => text],
    ["has the link in another field", 200, (text) => text.replace("invite_link", "shown")],
  ])("%s: the link appears nowhere", async (_, status, body) => {
    const links = new Set<string>();
    const mangle: Interceptor = {
      after: async ({ path }, response) => {
        if (!path.endsWith("/invites/multiuse")) return undefined;
        const text = await response.clone().text();
        for (const [, link = ""] of text.matchAll(/\/join\/(\w+)/g)) links.add(link);
        return new Response(body(text), { status, headers: { "content-type": "application/json" } });
      },
    };
    await start([mangle]);
    everywhere(`${GENERAL}invite_links: [{expires_on: never}]\n`);
    const steps = await runAll(["apply", "plan", "drift"]);
    expect(links.size).toBeGreaterThan(0);
    expectNothingTold(steps, [...links]);
  });
});

describe("reasons to stop an apply", () => {
  test("somebody changed a private channel between the plan and the write", async () => {
    let moved = false;
    await start([
      {
        before: async ({ method, path }) => {
          if (moved || method === "GET" || /register|events/.test(path)) return undefined;
          moved = true;
          return answer(400, `EXPECTATION_MISMATCH for ${PLANNED}`);
        },
      },
    ]);
    everywhere(FILE);
    const steps = await runAll(["apply"]);
    expect(steps[0]?.code).toBeGreaterThan(0);
    expectNothingTold(steps);
  });

  test("a guard rail, and a review of another plan", async () => {
    await start();
    // A review covers an old text only if it mentions nothing hidden.
    const secret = `/streams/${repository.world.channel(SECRET).stream_id}`;
    await repository.world.edit("owner", "PATCH", secret, { description: "For the board" });
    const text = `${GENERAL}  ${PLANNED}: {privacy: private_shared_history, permissions: {can_administer_channel_group: role:nobody}}\n  ${SECRET}: {privacy: private_shared_history, description: Else}\n`;
    everywhere(`${text}policy: {protect: {channels: [${SECRET}, ${PLANNED}]}}\n`);
    const steps = await runAll(["plan", "apply", "drift"]);
    repository.github.comments = [];
    everywhere(text);
    const reviewed = await repository.run("plan");
    repository.upload(reviewed, "realmctl-plan-7", "reviewed-file");
    await repository.world.edit("owner", "PATCH", secret, { description: "Moved" });
    const refused = await repository.run("apply", { event: "push", sha: SHA.main });
    expect(refused.code).toBe(4);
    expect(refused.log).toContain("title=reviewed/moved");
    expectNothingTold([...steps, reviewed, refused]);
  });

  test("the journal cannot be written", async () => {
    await start();
    everywhere(FILE);
    writeFileSync(join(repository.workspace, ".realmctl"), "");
    const steps = await runAll(["apply"]);
    expect(steps[0]?.code).toBeGreaterThan(0);
    expectNothingTold(steps);
  });
});

test("GitHub refuses everything, and repeats what it was sent", async () => {
  await start();
  everywhere(FILE);
  repository.github.refuse.push({ match: /POST|PATCH|issues$/, status: 422, message: `no ${PLANNED} and ${INVITED}` });
  const steps = await runAll(["plan", "apply", "drift"]);
  for (const { log } of steps) expect(log).toContain("title=github/");
  expectNothingTold(steps);
});

test("a snapshot that was damaged by hand", async () => {
  await start();
  everywhere(FILE);
  const whole = await repository.run("snapshot", {
    event: "push",
    sha: SHA.main,
    inputs: { "redact-snapshot": "false" },
  });
  expect(whole.code).toBe(0);
  repository.file(
    "snapshot.json",
    JSON.stringify({ format: "realmctl.snapshot", version: 1, channels: [{ name: SECRET, [SECRET]: PLANNED }] }),
  );
  const steps = await runAll(["plan", "drift", "validate"], { inputs: { snapshot: "snapshot.json" } });
  expect(steps.map(({ code }) => code)).toEqual([1, 1, 1]);
  expectNothingTold(steps, [PLANNED, INVITED, PENDING]);
});
