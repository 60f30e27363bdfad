import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
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
