import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

/** `--yes` asks nobody, so anything that needs a question is refused, and the message says how to allow it. */
let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());
beforeEach(async () => {
  world.restart();
  await world.edit("owner", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "board" }],
    invite_only: true,
  });
});

const board = () => world.channel("board");
const people = (): number => Object.keys(world.sandbox.state().subscriptions[board().stream_id] ?? {}).length;

test.each([
  {
    what: "messages are deleted",
    yaml: "general: {message_retention_days: 30}",
    guards: ["messages_deleted"],
    done: () => world.channel("general").message_retention_days === 30,
  },
  {
    what: "somebody is let into a private channel",
    yaml: "board: {subscribers: {users: [ada@acme.example, ben@acme.example]}}",
    guards: ["people_gaining_access"],
    done: () => people() === 2,
  },
  {
    what: "a private channel becomes public",
    yaml: "board: {privacy: public}",
    guards: ["people_gaining_access", "opened"],
    done: () => !board().invite_only,
  },
])("$what", async ({ yaml, guards, done }) => {
  world.file("realm.yaml", `version: 1\nchannels:\n  ${yaml}\n`);
  // It is no error: somebody who reads the plan may approve it.
  expect((await world.realmctl("plan")).code).toBe(EXIT.done);
  const sent = world.writes().length;
  const refused = await world.realmctl("apply --yes");
  expect(refused.code, refused.out + refused.err).toBe(EXIT.refusedByGuard);
  expect(refused.err).toContain("error[guard/refused]");
  for (const guard of guards) expect(refused.err.replaceAll(/\s+/g, " ")).toContain(`--allow ${guard}`);
  expect(world.writes()).toHaveLength(sent);
  expect(done()).toBe(false);
  // The name of another guard rail allows nothing.
  expect((await world.realmctl("apply --yes --allow removals")).code).toBe(EXIT.refusedByGuard);
  const allowed = await world.realmctl(`apply --yes ${guards.map((guard) => `--allow ${guard}`).join(" ")}`);
  expect(allowed.code, allowed.err).toBe(EXIT.done);
  expect(done()).toBe(true);
});
