import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { watchAnswers } from "../../src/sandbox/sandbox.ts";
import { World } from "../e2e/world.ts";
import { newer } from "./begin.ts";

/** Every command that reads the whole organization; those of the other files run on this server too. */
const READING = ["plan", "drift", "export --kinds people,bots", "access organization", "snapshot --out realm.json"];

test("accounts with roles that nobody knows are shown, and everything else works", async () => {
  const { world, run } = await newer(600);
  world.file("realm.yaml", "version: 1\nsettings: {description: Castings}\n");
  for (const line of READING) await run(line, line === "drift" ? EXIT.changesPending : EXIT.done);
  expect((await run("access elif@acme.example")).out).toContain("role 350, which this version does not know");
  expect((await run("access #general --format csv")).out).toMatch(/hook-bot@localhost,[^\n]*"?role 390, which/);
  // A file without a role keeps the role that the account has.
  expect((await run("export --kinds people,bots")).out).toMatch(/^ {2}elif@acme\.example: \{\}$/m);
  await world.end();
}, 180_000);

test("the account that runs the commands is shown with its role", async () => {
  const { world } = await newer(600);
  const { code, out } = await world.realmctl("whoami", { as: "elif@acme.example" });
  expect({ code, out }).toMatchObject({ code: EXIT.done, out: expect.stringContaining("role 350, which") });
  world.file("realm.yaml", "version: 1\nnavigation_views: {narrow/is/starred: {is_pinned: true}}\n");
  const plan = await world.realmctl("plan", { as: "elif@acme.example" });
  expect(plan.out.replaceAll(/\s+/g, " "), plan.err).toContain("(role 350, which this version does not know)");
  const json = await world.realmctl("plan --format json", { as: "elif@acme.example" });
  expect(JSON.parse(json.out).account).toMatchObject({ role: 400, unknown_role: 350 });
  await world.end();
}, 180_000);

test.each([
  { file: "people: {elif@acme.example: {role: member}}", says: "elif@acme.example has role 350" },
  { file: "people: {elif@acme.example: {deactivated: true}}", says: "elif@acme.example has role 350" },
  { file: "bots: {hook-bot: {role: member}}", says: "has role 390" },
  { file: "bots: {hook-bot: {full_name: Hooks}}", says: "has role 390" },
])(
  "a change of such an account is refused: $file",
  async ({ file, says }) => {
    const { world } = await newer(600);
    world.file("realm.yaml", `version: 1\n${file}\n`);
    const { code, err } = await world.realmctl("plan");
    expect({ code, err }).toMatchObject({ code: EXIT.notAllowed, err: expect.stringContaining(says) });
    expect(err).toMatch(/^error\[(people|bots)\/not-allowed\]/m);
    await world.end();
  },
  180_000,
);

/** An invitation and a link as a role that the proxy shows as another one, and a field of an unknown type. */
async function withInvitations() {
  const begun = await newer(600);
  const { world } = begun;
  for (const [path, terms] of [
    ["/invites", { invitee_emails: "newcomer@acme.example" }],
    ["/invites/multiuse", {}],
  ] as const)
    await world.edit("owner", "POST", path, {
      invite_as: 300,
      stream_ids: [],
      invite_expires_in_minutes: 10_000,
      ...terms,
    });
  return begun;
}

test("invitations as a role that nobody knows are shown, and left alone", async () => {
  const { world, run } = await withInvitations();
  world.file("realm.yaml", "version: 1\ninvites: []\ninvite_links: []\n");
  expect((await run("plan")).out).toContain("No changes");
  const { out } = await run("export --kinds invites,invite_links");
  expect(out).toContain('"newcomer@acme.example" is left out');
  expect(out).toMatch(/"role 350 until [^"]+" is left out/);
  world.file("realm.yaml", out);
  expect((await run("plan")).out).toContain("No changes");
  await run("snapshot --out realm.json --invites");
  expect(world.read("realm.json")).toContain('"unknown_role":350');
  await world.end();
}, 180_000);

test.each([
  { file: "manage: {invites: exact}\ninvites: []", says: 'the invitation "newcomer@acme.example" is as role 350' },
  { file: "manage: {invite_links: exact}\ninvite_links: []", says: 'the invitation "role 350 until' },
  {
    file: "invites: [{emails: [newcomer@acme.example], replace: true, send_until: 2099-01-01, expires_in: never}]",
    says: 'the invitation "newcomer@acme.example" is as role 350',
  },
])(
  "no plan revokes such an invitation: $file",
  async ({ file, says }) => {
    const { world } = await withInvitations();
    world.file("realm.yaml", `version: 1\n${file}\n`);
    const { code, err } = await world.realmctl("plan");
    expect({ code, err: err.replaceAll(/\s+/g, " ") }).toMatchObject({
      code: EXIT.notAllowed,
      err: expect.stringContaining(says),
    });
    await world.end();
  },
  180_000,
);

test("a profile field of a type that nobody knows is named once", async () => {
  const { world, run } = await newer(600);
  world.file("realm.yaml", "version: 1\nprofile_fields: []\n");
  const { out } = await run("plan");
  expect(out.replaceAll(/\s+/g, " ").split("custom_profile_fields.type=9")).toHaveLength(2);
  expect((await run("whoami")).out.replaceAll(/\s+/g, " ")).toContain("custom_profile_fields.type=9");
  await world.end();
}, 180_000);

test("a sandbox of such an organization shows the roles that the organization has, until somebody changes them", async () => {
  const { world, run } = await withInvitations();
  await run("snapshot --out realm.json --invites");
  // The contract of known levels has none of this.
  watchAnswers(undefined);
  const copy = await World.start({ from: JSON.parse(world.read("realm.json")) });
  expect((await copy.realmctl("access elif@acme.example")).out).toContain("role 350, which this version does not know");
  expect((await copy.realmctl("snapshot --out again.json --invites")).code).toBe(EXIT.done);
  expect(copy.read("again.json").match(/"unknown_role":350/g)).toHaveLength(3);
  const { user_id } =
    Object.values(copy.sandbox.state().users).find(({ full_name }) => full_name === "Elif Demir") ?? {};
  expect((await copy.realmctl(`api update-user --user_id ${user_id} --role 400`)).code).toBe(EXIT.done);
  expect((await copy.realmctl("access elif@acme.example")).out).not.toContain("role 350");
  await copy.end();
  await world.end();
}, 180_000);
