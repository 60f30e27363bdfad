import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GENERAL } from "./file-and-head.ts";
import { type Repository, repositoryOfTests, SHA, type Step, TOKEN } from "./runner.ts";

const repository = repositoryOfTests();

const NAMES = {
  secret: "canary-board-room",
  planned: "canary-merger",
  invited: "canary.invited@acme.example",
};
const HEAD = `${GENERAL}  ${NAMES.planned}: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}
invites:
  - send_until: 2099-01-01
    emails: [${NAMES.invited}]
    invite_as: member
    channels: [general]
    expires_in: 10d
`;

/** A realm with a private channel and an open invitation that no file names. */
async function realmWithSecrets(): Promise<void> {
  const { world } = repository;
  await world.subscribe(NAMES.secret, { description: `about ${NAMES.secret}`, invite_only: true });
  await world.edit("owner", "POST", "/invites", {
    invitee_emails: "canary.pending@acme.example",
    stream_ids: [world.channel("general").stream_id],
    invite_as: 400,
    invite_expires_in_minutes: 10_000,
  });
}

const CANARIES = [NAMES.secret, NAMES.planned, NAMES.invited, "canary.pending@acme.example"];

test("keys, tokens, private names and invited addresses are in nothing that others may read, for any command", async () => {
  await realmWithSecrets();
  const { world, github } = repository;
  const key = world.credentials().ZULIP_API_KEY ?? "";
  const steps: Step[] = [];
  const run = async (...args: Parameters<Repository["run"]>): Promise<Step> => {
    const step = await repository.run(...args);
    steps.push(step);
    return step;
  };
  repository.pull(GENERAL, HEAD);
  const plan = await run("plan");
  expect(plan).toMatchObject({ code: 0, outputs: { changes: "3" } });
  repository.upload(plan, "realmctl-plan-7", "reviewed-file");
  repository.pull(GENERAL, HEAD.replace("privacy:", "privcy:"));
  await run("plan");
  repository.file("realm.yaml", GENERAL);
  repository.upload(await run("snapshot", { event: "push" }), "realmctl-snapshot", "snapshot-file");
  repository.pull(GENERAL, GENERAL);
  await run("plan", { anonymous: true, inputs: { snapshot: "artifact" } });
  repository.file("realm.yaml", HEAD);
  await run("drift", { event: "schedule" });
  github.merged[SHA.main] = { number: 7, head: SHA.head };
  await run("apply", { event: "push", sha: SHA.main });
  expect(steps.map(({ code }) => code)).toEqual([0, 1, 0, 0, 2, 0]);

  const shown = repository.published(steps);
  for (const canary of [key, TOKEN, ...CANARIES]) expect(shown).not.toContain(canary);
  // They are visible under other names: otherwise the test would not notice if the realm's part were missing.
  expect(shown).toContain("new private channel 1");
  expect(shown).toMatch(/invited address \d/);
  expect(shown).toContain("private-channel-");
});

test("names are shown on request", async () => {
  repository.pull(GENERAL, HEAD);
  await repository.run("plan", { inputs: { "show-private-names": "true", "show-invitations": "true" } });
  const text = repository.github.comments[0]?.body ?? "";
  expect(text).toContain(NAMES.planned);
  expect(text).toContain("canary.invited@acme.example");
});

test("a snapshot keeps what its plan needs: people whom the file names, and the number of all others", async () => {
  await realmWithSecrets();
  repository.file("realm.yaml", `${GENERAL}  ${NAMES.planned}: {subscribers: {users: [ada@acme.example]}}\n`);
  const step = await repository.run("snapshot", { event: "push" });
  repository.upload(step, "realmctl-snapshot", "snapshot-file");
  const text = repository.github.artifacts[0]?.files["realm-snapshot.json"] ?? "";
  const addresses = new Set(text.match(/[\w.+-]+@[\w.-]+/g));
  expect([...addresses].filter((address) => !address.endsWith("@hidden.invalid"))).toEqual(["ada@acme.example"]);
  expect(text).not.toMatch(/"(timezone|date_joined|avatar_url|avatar_version|system_bots|facts)":/);
  expect(addresses.size).toBeGreaterThan(5);
  const people = (line: string) => [...line.matchAll(/"full_name":"([^"]*)"/g)].map(([, name]) => name);
  const whole = await repository.run("snapshot", { event: "push", inputs: { "redact-snapshot": "false" } });
  const all = people(readFileSync(whole.outputs["snapshot-file"] ?? "", "utf8"));
  // Only the complete snapshot has the server's own bots.
  expect(people(text)).toHaveLength(all.length - 3);
  expect(people(text).filter((name) => !/^(Person|Account) \d+$/.test(name ?? ""))).toEqual([]);
  expect(all).toContain("Ada Okafor");
});

test("people and links of Zulip in descriptions: not in the snapshot, not in the drift's issue", async () => {
  await realmWithSecrets();
  const { world, github } = repository;
  const secret = world.channel(NAMES.secret).stream_id;
  const general = world.channel("general").stream_id;
  await world.edit("owner", "PATCH", `/streams/${general}`, { description: "Ask Ada Okafor about it" });
  await world.editChannel("sandbox", { description: `See #narrow/channel/${secret}-canary.2Dboard.2Droom` });
  repository.file("realm.yaml", GENERAL);
  const snapshot = await repository.run("snapshot", { event: "push" });
  const text = readFileSync(snapshot.outputs["snapshot-file"] ?? "", "utf8");
  expect(text.match(/left out: it mentions somebody or something private/g)).toHaveLength(2);
  expect(text).not.toMatch(/Okafor|canary/);
  await repository.run("drift", { event: "schedule" });
  expect(github.issues[0]?.body).toContain("left out");
  expect(github.issues[0]?.body).not.toMatch(/Okafor|canary/);
});
