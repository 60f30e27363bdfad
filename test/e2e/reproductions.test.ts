import { mkdirSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { repositoryOfFile, SHA, type Step } from "../action/runner.ts";
import { channels, REPRODUCTIONS, vault } from "./reproductions.ts";
import { flat, type World } from "./world.ts";

/** What once passed unseen, in every way to apply a plan: the command line, a saved plan, a signed one, and the Action. */
const repository = repositoryOfFile();
let world: World;
beforeAll(() => {
  world = repository.world;
});
beforeEach(() => repository.restart());

const env = { PLAN_KEY: "0123456789abcdef0123456789abcdef" };

/** What somebody is shown, and how it ended. */
interface Shown {
  readonly code: number;
  readonly text: string;
}
interface Way {
  readonly what: string;
  /** What a person reads before the plan is applied. */
  plan(yaml: string): Promise<Shown>;
  /** @param confirmed the guards that somebody confirms */
  apply(confirmed: readonly string[]): Promise<Shown>;
  readonly isPublic?: true;
}

const ran = async (line: string): Promise<Shown> => {
  const { code, out, err } = await world.realmctl(line, { env });
  return { code, text: out + err };
};
const plainText = (html: string): string =>
  html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replaceAll(/<[^>]*>/g, "");
const allowed = (guards: readonly string[]): string => guards.map((guard) => ` --allow ${guard}`).join("");

function savedPlan(what: string, sign: string, verify: string): Way {
  const saves = (flags: string): string => `plan --out realm.plan ${sign} ${flags}`;
  return {
    what,
    async plan(yaml) {
      world.file("realm.yaml", yaml);
      const { code } = await ran(saves(""));
      return { code, text: (await ran("show realm.plan --who")).text };
    },
    async apply(confirmed) {
      // A saved plan keeps what was allowed when it was made.
      if (confirmed.length > 0) await ran(saves(allowed(confirmed)));
      const vouched = verify === "" ? `--checksum ${JSON.parse(world.read("realm.plan")).extra.checksum}` : verify;
      return ran(`apply realm.plan --yes ${vouched}`);
    },
  };
}

/** The job that planned the pull request. */
let reviewed: Step;

const WAYS: readonly Way[] = [
  {
    what: "the command line",
    plan(yaml) {
      world.file("realm.yaml", yaml);
      return ran("plan --who");
    },
    apply: (confirmed) => ran(`apply --yes${allowed(confirmed)}`),
  },
  savedPlan("a saved plan", "", ""),
  savedPlan("a signed plan", "--sign-with env:PLAN_KEY", "--verify-with env:PLAN_KEY"),
  {
    what: "the Action",
    isPublic: true,
    async plan(yaml) {
      repository.pull("version: 1\n", yaml);
      repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
      reviewed = await repository.run("plan");
      const { code, log } = reviewed;
      return { code, text: `${log}${plainText(repository.github.comments[0]?.body ?? "").replaceAll("`", "")}` };
    },
    // Who approves the pull request confirms what its plan shows.
    async apply(confirmed) {
      const inputs = confirmed.length > 0 ? {} : { reviewed: "ignore" };
      if (confirmed.length > 0) repository.upload(reviewed, "realmctl-plan-7", "reviewed-file", { head_sha: SHA.head });
      const { code, log } = await repository.run("apply", { event: "push", sha: SHA.main, inputs });
      return { code, text: log };
    },
  },
];

describe.each(REPRODUCTIONS)(
  "$what",
  ({ begin, yaml, guards = [], says = [], never = [], done = () => true, rule }) => {
    test.each(WAYS)("$what", async ({ plan, apply, isPublic = false }) => {
      const isLimit = yaml.includes("policy:");
      await begin(world);
      const shown = await plan(yaml);
      expect(shown.code, shown.text).toBe(isLimit ? EXIT.refusedByGuard : EXIT.done);
      // Names of people and of private channels are hidden there.
      for (const text of says.filter((said) => !isPublic || !/#vault|#hall|[Dd]mitri|Novak/.test(said)))
        expect(flat(shown.text)).toContain(text);
      for (const text of never) expect(flat(shown.text)).not.toContain(text);
      if (isPublic) expect(shown.text).not.toContain("vault");
      if (guards.length > 0) {
        const sent = world.writes().length;
        const refused = await apply([]);
        expect(refused.code, refused.text).toBe(EXIT.refusedByGuard);
        for (const guard of guards) expect(flat(refused.text)).toContain(`--allow ${guard}`);
        expect(world.writes()).toHaveLength(sent);
      }
      // A limit is no question that an approval answers.
      if (isLimit && isPublic) return;
      const applied = await apply(guards);
      expect(applied.code, applied.text).toBe(EXIT.done);
      expect(done(world)).toBe(true);
    });

    test.runIf(rule !== undefined)(
      "its rule holds before, and not after: in the command and in the Action",
      async () => {
        const rules = `version: 1\ntests:\n  - {name: Closed, ${rule}}\n`;
        await begin(world);
        world.file("realm.yaml", yaml);
        world.file("realm.test.yaml", rules);
        const now = await ran("test --live --as-is");
        expect(now.code, now.text).toBe(EXIT.done);
        const then = await ran("test --live");
        expect(then.code, then.text).toBe(EXIT.ruleBroken);
        repository.pull("version: 1\n", yaml);
        for (const sha of [SHA.base, SHA.head, SHA.merge])
          repository.github.commits[sha] = { ...repository.github.commits[sha], "realm.test.yaml": rules };
        repository.file("realm.test.yaml", rules);
        const step = await repository.run("plan");
        expect([step.code, step.outputs["rules-broken"]], step.log).toEqual([EXIT.ruleBroken, "1"]);
      },
    );
  },
);

test.each(WAYS)(
  "a stray file among the journals does not stop $what; in a job it came with the checkout",
  async (way) => {
    const shown = await way.plan("version: 1\nchannels: {general: {description: Everything}}\n");
    expect(shown.code, shown.text).toBe(EXIT.done);
    const folder = way.isPublic === true ? "checkout/.realmctl" : ".realmctl";
    mkdirSync(`${world.directory}/${folder}`);
    world.file(`${folder}/2099-01-01T00-00-00.jsonl`, "to do\n");
    const applied = await way.apply([]);
    expect([applied.code, applied.text]).toEqual(
      way.isPublic === true
        ? [EXIT.errors, expect.stringContaining("journal/in-checkout")]
        : [EXIT.done, expect.stringContaining("journal/no-journal")],
    );
  },
);

test("a bot that the file has in use does not go with its owner unseen: the plan is refused, until the file says so", async () => {
  const file = (bot: string) =>
    `version: 1\npeople: {dmitri@acme.example: {deactivated: true}}\nbots: {ci-bot: {${bot}}}\n`;
  world.file("realm.yaml", file("full_name: CI Bot"));
  const refused = await ran("apply --yes");
  expect([refused.code, world.writes()], refused.text).toEqual([EXIT.errors, []]);
  expect(refused.text).toContain("give the bot another owner, or write deactivated: true");
  world.file("realm.yaml", file("full_name: CI Bot, deactivated: true"));
  expect(flat((await ran("plan --verbose")).text)).toContain("removals 2 of 10");
  const applied = await ran("apply --yes");
  expect(applied.code, applied.text).toBe(EXIT.done);
  const drift = await ran("drift");
  expect(drift.code, drift.text).toBe(EXIT.done);
});

test("a rule that nobody reads a channel is broken by a group that members may join, and the rule says which line lets them in", async () => {
  await world.createGroup("keepers");
  await vault(world, { can_subscribe_group: world.group("keepers") });
  world.file(
    "realm.yaml",
    "version: 1\nchannels: {vault: {}}\nuser_groups:\n  keepers:\n    permissions: {can_join_group: role:members}\n",
  );
  world.file(
    "realm.test.yaml",
    "version: 1\ntests:\n  - name: Dmitri never reads the vault\n    who: dmitri@acme.example\n    cannot: {read: vault}\n",
  );
  const rules = await world.realmctl("test --live realm.yaml");
  expect(rules.code, rules.out + rules.err).toBe(EXIT.ruleBroken);
  expect((rules.out + rules.err).replaceAll(/\s+/g, " ")).toContain(
    "Dmitri Volkov can read #vault realm.yaml:4 may join keepers",
  );
});

test("an owner through a bot: access names the bot, and rules count the owner", async () => {
  await vault(world, { principals: [6, 18] });
  const access = await world.realmctl("access #vault --right read");
  expect(access.out).toContain("Dmitri Volkov");
  expect(access.out.replaceAll(/\s+/g, " ")).toContain("through CI Bot");
  const dmitri = await world.realmctl("access dmitri@acme.example --right read");
  expect(dmitri.out.replaceAll(/\s+/g, " ")).toContain("through CI Bot – #vault");
  world.file("realm.yaml", "version: 1\nchannels: {vault: {}}\n");
  world.file(
    "realm.test.yaml",
    "version: 1\ntests:\n  - name: Dmitri never reads the vault\n    who: dmitri@acme.example\n    cannot: {read: '#vault'}\n",
  );
  const rules = await world.realmctl("test --live realm.yaml");
  expect(rules.out + rules.err).toContain("through CI Bot");
  expect(rules.code).not.toBe(EXIT.done);
});

/** The number of readers of a channel in the table "Who may do what" of a plan's page. */
function readersOnPage(page: string, channel: string): string | undefined {
  const [, ...rows] = page.split("<tr data-item>");
  const row = rows.find((each) => each.includes(`#${channel}</bdi>`));
  return /data-right="reads".*?\((\d+)\)/s.exec(row ?? "")?.[1];
}

test("access --plan has what guards count beside the rights on objects: the past of a channel, and reports", async () => {
  await vault(world, { history_public_to_subscribers: false, principals: [6, 9] });
  world.file(
    "realm.yaml",
    channels("privacy: private_shared_history").concat("settings: {moderation_request_channel: vault}\n"),
  );
  const { text } = await ran("access --plan");
  expect(text).toContain("subscribers of #vault can read what was written before they subscribed");
  expect(text).toContain("reads reported messages");
  expect(text).not.toContain("Nobody gains");
  expect((await ran("access --plan #vault")).text).not.toContain("reads reported messages");
  expect(JSON.parse((await world.realmctl("access --plan --format json")).out).reports).toBe(true);
  expect(JSON.parse((await world.realmctl("access --plan #vault --format json")).out)).not.toHaveProperty("reports");
  expect((await world.realmctl("access --plan --format csv")).out).toContain(
    "organization,read reported messages,moderation_request_channel,,whoever reads the channel of moderation requests,,,gained,,",
  );
});

test("access --plan tells who can come in by a step, who joins later, and whose history opens, in every format", async () => {
  await vault(world, { history_public_to_subscribers: false, principals: [6, 9] });
  await world.createGroup("crew");
  await world.edit("owner", "PATCH", `/user_groups/${world.group("crew")}`, {
    can_join_group: { new: world.group("role:members") },
  });
  world.file("realm.yaml", channels("privacy: private_shared_history, permissions: {can_subscribe_group: crew}"));
  const text = flat((await ran("access --plan #vault")).text);
  expect(text).toMatch(/can join crew, and then read #vault/);
  expect(text).toContain("everybody who joins later can come to read #vault");
  const json = JSON.parse((await world.realmctl("access --plan --format json")).out);
  expect(json.coming).toMatchObject([
    { on: "channel:vault", groups: ["crew"], newcomers: expect.arrayContaining(["member"]) },
  ]);
  expect(json.coming[0].people).toContain(10);
  expect(json.history).toMatchObject([{ on: "channel:vault", people: expect.arrayContaining([9]) }]);
  const { out: csv } = await world.realmctl("access --plan --format csv");
  expect(csv).toContain("#vault,come to read,,,everybody who joins later,member,no,gained,,joins later");
  expect(csv).toMatch(/#vault,come to read,,\S+@acme.example,.*may join crew/);
  expect(csv).toMatch(/#vault,read the past,/);
});

test("the page of a plan, and the answer about a person, have owners of bots and archived channels", async () => {
  await vault(world, { principals: [6, 18] });
  await vault(world, { principals: [6, 9] }, "attic");
  await world.edit("owner", "DELETE", `/streams/${world.channel("attic").stream_id}`, {});
  world.file("realm.yaml", "version: 1\nchannels: {vault: {description: Keep out}}\n");
  const { out: page } = await world.realmctl("plan --format html");
  expect([readersOnPage(page, "vault"), readersOnPage(page, "attic")]).toEqual(["2", "2"]);
  const dmitri = await world.realmctl("access dmitri@acme.example --right read --right post");
  expect(flat(dmitri.out)).toContain("subscribed – #attic (archived)");
  expect(flat(dmitri.out)).not.toMatch(/post .*attic/);
});

test.each([
  { what: "who may administer it", edit: { can_administer_channel_group: { new: 14 } } },
  { what: "who may subscribe", edit: { can_subscribe_group: { new: 14 } } },
  { what: "who may add others", edit: { can_add_subscribers_group: { new: 14 } } },
  { what: "its privacy", edit: { is_private: false } },
])("after init and export, a change by hand of an archived private channel is drift: $what", async ({ edit }) => {
  await vault(world, { principals: [6, 9] });
  await world.edit("owner", "DELETE", `/streams/${world.channel("vault").stream_id}`, {});
  expect((await ran("init --yes --no-workflows")).code).toBe(EXIT.done);
  expect((await ran("export --out exported.yaml")).code).toBe(EXIT.done);
  await world.editChannel("vault", edit);
  for (const file of ["realm.yaml", "exported.yaml"]) {
    const drift = await ran(`drift ${file}`);
    expect(drift.code, drift.text).toBe(EXIT.changesPending);
    expect(drift.text).toContain("vault");
  }
});

test.each([
  { may: "without an invitation", invited: false, code: EXIT.changesPending },
  { may: "with an invitation only", invited: true, code: EXIT.done },
])("after init, a domain that somebody adds is drift where people may join $may", async ({ invited, code }) => {
  await world.edit("owner", "POST", "/realm/domains", { domain: "acme.example", allow_subdomains: false });
  await world.edit("owner", "PATCH", "/realm", { invite_required: invited, emails_restricted_to_domains: true });
  expect((await ran("init --yes --no-workflows")).code).toBe(EXIT.done);
  await world.edit("owner", "POST", "/realm/domains", { domain: "example.org", allow_subdomains: true });
  const drift = await ran("drift");
  expect(drift.code, drift.text).toBe(code);
  expect(drift.text).toContain("example.org");
});

test("a part of the file takes nobody out of a channel whom the whole file keeps there through a group", async () => {
  await vault(world, { principals: [6, 13] });
  const list = "{users: [ada@acme.example], groups: [crew], exact: true}";
  world.file(
    "realm.yaml",
    `version: 1\nuser_groups: {crew: {members: [hana@acme.example]}}\nchannels: {vault: {subscribers: ${list}}}\n`,
  );
  const refused = await ran("apply --yes --only channel:vault");
  expect(refused.code, refused.text).toBe(EXIT.errors);
  expect(refused.text).toContain("targets/needs");
  const applied = await ran("apply --yes --only channel:vault --with-needs");
  expect(applied.code, applied.text).toBe(EXIT.done);
  expect(world.sandbox.state().subscriptions[world.channel("vault").stream_id]?.[13]?.active).toBe(true);
});
