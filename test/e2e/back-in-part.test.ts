import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type World, worldOfTest } from "./world.ts";

const ELIF = 10;
const BEN = 7;
const FIRST = `version: 1
user_groups: {keepers: {members: [ada@acme.example, elif@acme.example]}}
channels: {vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, elif@acme.example]}}}
`;
const file = (vault: string) => `version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups: {keepers: {members: [ada@acme.example]}}
channels: {vault: {${vault}}}
`;
const LISTED = file("subscribers: {users: [ada@acme.example], exact: true}");

/** Elif was in a group and in a private channel when her account was deactivated. */
async function started(yaml: string): Promise<World> {
  const world = await worldOfTest();
  world.file("realm.yaml", FIRST);
  expect((await world.realmctl("apply --yes --allow people_gaining_access")).code).toBe(EXIT.done);
  await world.edit("owner", "DELETE", `/users/${ELIF}`, {});
  world.file("realm.yaml", yaml);
  return world;
}
const groupMembers = (world: World) =>
  Object.values(world.sandbox.state().user_groups).find(({ name }) => name === "keepers")?.members;

const ALLOWED = "--yes --allow people_gaining_access";
const subscribers = (world: World): readonly string[] =>
  Object.entries(world.sandbox.state().subscriptions[world.channel("vault").stream_id] ?? {})
    .filter(([, subscription]) => subscription.active)
    .map(([id]) => id);

const CI_BOT = 18;

test.each([{ more: "" }, { more: " --only bots" }])(
  "a bot that the file brings back leaves the lists that do not name its address, in the same run:$more",
  async ({ more }) => {
    const bot = (yaml: string) =>
      yaml.replaceAll("elif@acme.example", "ci-bot@localhost").replace("people: {ci-bot@localhost", "bots: {ci-bot");
    const world = await worldOfTest();
    world.file("realm.yaml", bot(FIRST));
    expect((await world.realmctl(`apply ${ALLOWED}`)).code).toBe(EXIT.done);
    await world.edit("owner", "DELETE", `/bots/${CI_BOT}`, {});
    world.file("realm.yaml", bot(LISTED));
    const { code, out, err } = await world.realmctl(`apply ${ALLOWED}${more}`);
    expect(code, `${out}${err}`).toBe(EXIT.done);
    expect(groupMembers(world)).not.toContain(CI_BOT);
    expect(subscribers(world)).toEqual(["6"]);
    expect((await world.realmctl("plan")).out).toContain("No changes");
  },
);

describe("a part of the file that brings somebody back takes them out of what the rest gives without them, in the same run", () => {
  const WAYS = [
    { what: "--only", apply: (world: World) => world.realmctl(`apply ${ALLOWED} --only people`) },
    {
      what: "a saved plan",
      apply: async (world: World) => {
        const saved = await world.realmctl("plan --only people --out realm.plan");
        expect(saved.code, saved.err).toBe(EXIT.done);
        return world.realmctl(`apply realm.plan ${ALLOWED}`);
      },
    },
  ];
  test.each(WAYS)("$what", async ({ apply }) => {
    const world = await started(LISTED);
    const { code, out, err } = await apply(world);
    const text = out.replace(/\s+/g, " ");
    expect(text).toContain("apply then removes it from lists of the file that do not name it");
    expect(code, `${out}${err}`).toBe(EXIT.done);
    expect(groupMembers(world)).not.toContain(ELIF);
    expect(subscribers(world)).not.toContain(String(ELIF));
    expect((await world.realmctl("plan")).out).toContain("No changes");
  });

  test("and touches nothing else that differs there", async () => {
    const world = await started(LISTED);
    await world.edit("owner", "POST", `/user_groups/${world.group("keepers")}/members`, { add: [BEN] });
    const { stream_id } = world.channel("vault");
    await world.edit("owner", "PATCH", `/streams/${stream_id}`, { description: "by hand" });
    const { code, out, err } = await world.realmctl(`apply ${ALLOWED} --only people`);
    expect(code, `${out}${err}`).toBe(EXIT.done);
    expect(groupMembers(world)).toContain(BEN);
    expect(groupMembers(world)).not.toContain(ELIF);
    expect(subscribers(world)).not.toContain(String(ELIF));
    expect(world.channel("vault").description).toBe("by hand");
  });

  test("where a guard rail of the file refuses it, the run ends with 5 and says where they are", async () => {
    const world = await started(`${LISTED}policy: {protect: ["user_group:keepers"]}\n`);
    const { code, out } = await world.realmctl(`apply ${ALLOWED} --only people`);
    const text = out.replace(/\s+/g, " ");
    expect(code).toBe(EXIT.appliedInPart);
    expect(text).toContain("2 changes are still to be made: user group keepers, #vault.");
    expect(text).not.toContain("the organization matches");
    const [, hint = ""] = /does not name: realmctl (apply[^.]*?) Undo:/.exec(text) ?? [];
    expect(hint).not.toContain("--only");
    expect(groupMembers(world)).toContain(ELIF);
    const whole = await world.realmctl(
      `${hint.replace(/ --zuliprc \S+/, "")} --yes --allow protect:user_group:keepers`,
    );
    expect(whole.code).toBe(EXIT.done);
    expect(groupMembers(world)).not.toContain(ELIF);
  });
});

test("a run of the whole file names a private channel without a list that somebody who comes back reads again", async () => {
  const world = await started(file("privacy: private_shared_history"));
  const { code, out } = await world.realmctl("apply --yes --allow people_gaining_access");
  expect(code).toBe(EXIT.done);
  const after = out.slice(out.indexOf("reactivated elif@acme.example")).replace(/\s+/g, " ");
  expect(after).toContain("2 people read #vault whom the file does not list: Ada Okafor and Elif");
  expect(groupMembers(world)).not.toContain(ELIF);
});

test("a guard rail that keeps somebody in who came back is named in that run, with what lets the removal pass", async () => {
  const world = await started(`${LISTED}policy: {limits: {people_losing_access: 0}}\n`);
  const { code, out } = await world.realmctl(`apply ${ALLOWED}`);
  expect(code, out).toBe(EXIT.appliedInPart);
  const text = out.replace(/\s+/g, " ");
  expect(text).toContain(
    "refused by a guard rail: people losing access: 1, but none is allowed (#vault is one too many)",
  );
  expect(text).toContain("let it through once with --allow people_losing_access");
  expect(text).toMatch(/the file does not name: realmctl apply[^.]* --allow people_losing_access/);
  expect((await world.realmctl(`apply ${ALLOWED} --allow people_losing_access`)).code).toBe(EXIT.done);
  expect(subscribers(world)).not.toContain(String(ELIF));
});

describe("who comes back by the file can be named by it, and the same run writes that", () => {
  const NAMED = `version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups:
  keepers: {members: [ada@acme.example, elif@acme.example]}
  rest: {members: [ben@acme.example, elif@acme.example]}
  late: {members: [elif@acme.example], permissions: {can_manage_group: {groups: [rest], users: [ada@acme.example]}}}
bots: {ci-bot: {owner: elif@acme.example}}
channels:
  vault: {subscribers: {users: [ada@acme.example, elif@acme.example]}, permissions: {can_send_message_group: {users: [elif@acme.example]}}}
`;
  const BOT = `version: 1
bots: {ci-bot: {deactivated: false}}
user_groups: {keepers: {members: [ada@acme.example, ci-bot@localhost]}}
channels: {vault: {subscribers: {users: [ada@acme.example, ci-bot@localhost], exact: true}}}
`;
  test.each([
    { what: "a person", yaml: NAMED, path: `/users/${ELIF}`, id: ELIF },
    { what: "a bot", yaml: BOT, path: `/bots/${CI_BOT}`, id: CI_BOT },
  ])("$what", async ({ yaml, path, id }) => {
    const world = await worldOfTest();
    world.file("realm.yaml", FIRST);
    expect((await world.realmctl(`apply ${ALLOWED}`)).code).toBe(EXIT.done);
    await world.edit("owner", "DELETE", path, {});
    world.file("realm.yaml", yaml);
    const plan = await world.realmctl("plan --rehearse");
    const shown = plan.out.replace(/\s+/g, " ");
    expect(plan.code, plan.out + plan.err).toBe(EXIT.done);
    expect(shown).toContain("is deactivated until this file reactivates it");
    expect(shown).not.toContain("leave the person out");
    expect(shown).toContain("the result matches the file");
    const { code, out, err } = await world.realmctl(`apply ${ALLOWED}`);
    expect(code, `${out}${err}`).toBe(EXIT.done);
    expect(groupMembers(world)).toContain(id);
    expect(subscribers(world)).toContain(String(id));
    expect((await world.realmctl("plan")).out).toContain("No changes");
  });

  test("a part of the file without the account cannot name it, and says so", async () => {
    const world = await started(NAMED);
    const { code, out } = await world.realmctl("plan --only channel:vault");
    expect(code).toBe(EXIT.errors);
    expect(out).toContain("error[reference/deactivated-person]");
  });

  test("a guard rail that nobody answered with the plan leaves the rest, and the run ends with 5", async () => {
    const world = await started(`version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups: {keepers: {members: [elif@acme.example]}}
channels: {vault: {permissions: {can_administer_channel_group: {users: [elif@acme.example]}}}}
policy: {limits: {administrators: 0}}
`);
    const { code, out, err } = await world.realmctl(`apply ${ALLOWED}`);
    expect(code, `${out}${err}`).toBe(EXIT.appliedInPart);
    expect(out.replace(/\s+/g, " ")).toContain("still to be made");
    expect(`${out}${err}`).toContain("new administrators");
  });
});

test("an undo reads no file, and so says nothing about what a file does not list", async () => {
  const world = await worldOfTest();
  world.file("realm.yaml", FIRST);
  expect((await world.realmctl(`apply ${ALLOWED}`)).code).toBe(EXIT.done);
  const [first] = world.journals();
  world.file("realm.yaml", FIRST.replace("private_shared_history", "private_protected_history"));
  expect((await world.realmctl(`apply ${ALLOWED}`)).code).toBe(EXIT.done);
  const undo = await world.realmctl(
    `apply --undo .realmctl/${world.journals().find((name) => name !== first)} ${ALLOWED}`,
  );
  expect(undo.code, undo.err).toBe(EXIT.done);
  expect(world.channel("vault").history_public_to_subscribers).toBe(true);
  expect(undo.out).not.toContain("the file does not list");
});

describe("what waits for somebody who comes back is sent in the same run", () => {
  const waiting = (more: string): string => `version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups: {fresh: {members: [elif@acme.example, dmitri@acme.example]}}
${more}`;
  const isMade = (world: World): boolean =>
    Object.values(world.sandbox.state().user_groups).some(({ name }) => name === "fresh");

  test("if it gives nothing to anybody else", async () => {
    const world = await started(waiting(""));
    const { code, out, err } = await world.realmctl(`apply ${ALLOWED}`);
    expect(code, `${out}${err}`).toBe(EXIT.done);
    expect(isMade(world)).toBe(true);
  });

  test.each([
    {
      what: "post",
      yaml: "channels: {vault: {permissions: {can_send_message_group: late}}}",
    },
    {
      what: "read a new channel",
      yaml: "channels: {board: {privacy: private_shared_history, subscribers: {groups: [late]}, permissions: {can_subscribe_group: late}}}",
    },
    {
      what: "administer a new channel",
      yaml: "channels: {board: {privacy: private_shared_history, subscribers: {users: [elif@acme.example]}, permissions: {can_administer_channel_group: late}}}",
    },
  ])("not if others can then $what", async ({ yaml }) => {
    const world = await worldOfTest();
    const nobody =
      "{privacy: private_shared_history, permissions: {can_send_message_group: role:nobody}, subscribers: {users: [ada@acme.example, hana@acme.example]}}";
    world.file("realm.yaml", `version: 1\nchannels: {vault: ${nobody}}\n`);
    expect((await world.realmctl(`apply ${ALLOWED}`)).code).toBe(EXIT.done);
    await world.edit("owner", "DELETE", `/users/${ELIF}`, {});
    const back = "people: {elif@acme.example: {deactivated: false}}";
    const late = "user_groups: {late: {members: [elif@acme.example, hana@acme.example]}}";
    world.file("realm.yaml", ["version: 1", back, late, yaml, ""].join("\n"));
    const { code, out, err } = await world.realmctl(`apply ${ALLOWED},lockout`);
    expect(err + out).toContain("apply/not-shown");
    expect(code, out + err).toBe(EXIT.appliedInPart);
  });

  test("not if it lets in somebody whom the plan did not show: the next plan shows them", async () => {
    const world = await started(waiting("channels: {vault: {permissions: {can_subscribe_group: fresh}}}\n"));
    const { code, out } = await world.realmctl(`apply ${ALLOWED}`);
    expect(code, out).toBe(EXIT.appliedInPart);
    expect(out.replace(/\s+/g, " ")).toContain(
      "error[apply/not-shown]: not sent: fresh and #vault waited for an account that came back",
    );
    expect(isMade(world)).toBe(false);
    expect((await world.realmctl("plan --who")).out).toContain("Dmitri Volkov");
  });
});

describe("the undo of a run that brought somebody back takes all of it back, with what it did once they were there", () => {
  const TAKES_OUT = `version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups: {keepers: {members: [ada@acme.example, ben@acme.example]}}
channels: {vault: {privacy: public}}
`;
  const NAMES = `version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups: {keepers: {members: [ada@acme.example, ben@acme.example, elif@acme.example]}}
channels: {vault: {privacy: public, permissions: {can_administer_channel_group: {users: [elif@acme.example]}}}}
`;
  test.each([
    { what: "the last run", yaml: TAKES_OUT, pick: () => "" },
    { what: "the journal that the run names", yaml: TAKES_OUT, pick: (said: string) => said },
    { what: "the journal of its second part", yaml: TAKES_OUT, pick: (_: string, last: string) => last },
    { what: "the last run, which put them into lists", yaml: NAMES, pick: () => "" },
  ])("$what", async ({ yaml, pick }) => {
    const world = await started(yaml);
    const before = world.channel("vault");
    const applied = await world.realmctl(`${ALLOWED.replace("--yes", "apply --yes")},opened,administrators`);
    expect(applied.code, applied.err + applied.out).toBe(EXIT.done);
    const [, said = ""] = /Undo: realmctl apply --undo (\S+)/.exec(applied.out.replace(/\s+/g, " ")) ?? [];
    const last = world.journals().find((name) => world.read(`.realmctl/${name}`).includes('"resumes"')) ?? "none";
    const undone = await world.realmctl(`apply --yes --undo ${pick(said, `.realmctl/${last}`)}`);
    expect(undone.code, undone.err + undone.out).toBe(EXIT.done);
    expect(undone.err).not.toContain("Not undone");
    expect(world.channel("vault")).toMatchObject({
      invite_only: true,
      can_administer_channel_group: before.can_administer_channel_group,
    });
    expect(world.sandbox.state().users[ELIF]?.is_active).toBe(false);
    expect(groupMembers(world)).not.toContain(BEN);
  });
});
