import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTests } from "./world.ts";

/** Values of variables from the command line, from files and from the environment. */

const FILE = `version: 1
vars:
  site: {from: env, name: SITE}
  days: {type: integer, default: 30}
  unused: {from: env, name: ELSEWHERE, default: none}
channels:
  announce: {description: "News of \${site}", message_retention_days: "\${days}"}
`;

const world = worldOfTests({ files: { "realm.yaml": FILE } });

const SITE = { SITE: "Rotterdam", ELSEWHERE: "kept-to-itself" };

test("plan, apply, drift, validate, test, access and adopt take values in the same way", async () => {
  world.file("values.yaml", "site: Bergen\ndays: 60\n");
  const values = "--values values.yaml --set days=90";
  expect((await world.realmctl(`validate ${values}`)).code).toBe(EXIT.done);
  const plan = await world.realmctl(`plan ${values}`);
  expect(plan.out).toContain("News of Bergen");
  expect(plan.out).toContain(`realmctl apply ${values}`);
  expect((await world.realmctl(`apply --yes ${values}`)).code).toBe(EXIT.done);
  expect(world.channel("announce")).toMatchObject({ description: "News of Bergen", message_retention_days: 90 });
  expect((await world.realmctl(`drift ${values}`)).code).toBe(EXIT.done);
  expect((await world.realmctl("drift", { env: SITE })).code).toBe(EXIT.changesPending);
  world.file("realm.test.yaml", "version: 1\ntests:\n  - {name: G, who: {role: guest}, cannot: {post: [announce]}}\n");
  expect((await world.realmctl(`test ${values}`)).code).toBe(EXIT.done);
  expect((await world.realmctl(`access #announce --file realm.yaml ${values}`)).code).toBe(EXIT.done);
  // What is given from outside stays: the entry gets the server's value.
  await world.editChannel("announce", { description: "News" });
  expect((await world.realmctl(`adopt --all --yes ${values}`)).code).toBe(EXIT.done);
  expect(world.read("realm.yaml")).toContain('announce: {description: "News", message_retention_days: "${days}"}');
});

test("errors in values say where they are", async () => {
  world.file("values.yaml", "# of the site\nsite: 5\nday: 3\n");
  const { code, err } = await world.realmctl("validate --values values.yaml --set hours=1");
  expect(code).toBe(EXIT.errors);
  expect(err).toContain('error[vars/type]: the variable "site" is a string, not 5\n  ┌─ values.yaml:2:7\n2 │ site: 5');
  expect(err).toContain("values.yaml:3:6");
  expect(err).toContain('there is no variable "hours", which --set gives a value');
  expect((await world.realmctl("validate --set =x")).err).toContain("site=berlin");
});

test("a saved plan needs no environment, and has of it what the file refers to, and no more", async () => {
  const saved = await world.realmctl("plan --out realm.plan", { env: SITE });
  expect(saved.code).toBe(EXIT.done);
  expect(world.read("realm.plan")).toContain("Rotterdam");
  expect(world.read("realm.plan")).not.toContain("kept-to-itself");
  const refused = await world.realmctl("apply realm.plan --yes --set days=1");
  expect(refused).toMatchObject({ code: EXIT.errors, err: expect.stringContaining("--set has no effect with --plan") });
  expect((await world.realmctl("apply realm.plan --yes")).code).toBe(EXIT.done);
  expect(world.channel("announce").description).toBe("News of Rotterdam");
  const [journal = ""] = world.journals();
  expect(world.read(`.realmctl/${journal}`)).not.toContain("kept-to-itself");
});

test("credentials are no values: by the name of their variable, by their form, or because the process has them", async () => {
  const { ZULIP_API_KEY: key = "" } = world.credentials();
  for (const env of [{ SITE: key }, { SITE: "correct-horse", DEPLOY_PASSWORD: "correct-horse" }]) {
    const { code, err, out } = await world.realmctl("plan --out realm.plan", { env });
    expect({ code, out }).toEqual({ code: EXIT.errors, out: "" });
    expect(err).toContain("error[vars/secret]");
    expect(err).not.toContain(env.SITE);
  }
  world.file("realm.yaml", FILE.replace("name: SITE", "name: ZULIP_API_KEY"));
  expect((await world.realmctl("plan")).err).toContain("error[vars/secret]: ZULIP_API_KEY is the name of a secret");
});

test("the version of a base need not know what the command gives", async () => {
  const git = async (_: string, args: readonly string[]): Promise<string | undefined> =>
    args[0] === "rev-parse"
      ? "0123456789abcdef0123456789abcdef01234567"
      : args[0] === "show"
        ? "version: 1\nchannels:\n  announce: {}\n  gone: {}\n"
        : "";
  const { code, err } = await world.realmctl("plan --base main --set site=Bergen", { io: { git } });
  expect({ code, err }).toMatchObject({ code: EXIT.done, err: expect.not.stringContaining("error[") });
});

test("a channel whose name and description look like references survives export, init and adopt", async () => {
  for (const name of ["${x}", "$${x}", "${ x", "a ${site} b"])
    await world.edit("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name, description: `about ${name}` }],
    });
  for (const command of ["export --out realm.yaml --force", "init --yes --force --no-workflows"]) {
    expect((await world.realmctl(command)).code).toBe(EXIT.done);
    expect((await world.realmctl("plan --detailed-exit-code")).code).toBe(EXIT.done);
  }
  world.file("realm.yaml", "version: 1\nmanage: {channels: exact}\nchannels: {}\n");
  expect((await world.realmctl("adopt channels --yes")).code).toBe(EXIT.done);
  expect(world.read("realm.yaml")).toContain("$${x}:");
  expect((await world.realmctl("plan --detailed-exit-code")).code).toBe(EXIT.done);
  const { stream_id } = world.channel("${x}");
  await world.edit("owner", "PATCH", `/streams/${stream_id}`, { new_name: "now ${y}" });
  expect((await world.realmctl("adopt --all --yes")).code).toBe(EXIT.done);
  expect(world.read("realm.yaml")).toContain("now $${y}");
  expect((await world.realmctl("plan --detailed-exit-code")).code).toBe(EXIT.done);
});
