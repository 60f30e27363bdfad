import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { realmOf } from "../support/realm.ts";
import { World } from "./world.ts";

/*
 * A saved plan whose run stopped half-way is continued. What the plan created itself was not there before, so what the rest of the plan opens of it asks
 * nobody again; what somebody else made under that name does.
 */

let fails = false;
const broken: Interceptor = {
  before: async ({ method, path }) =>
    fails && method === "POST" && path === "/invites/multiuse"
      ? new Response(JSON.stringify({ result: "error", msg: "Internal server error" }), { status: 500 })
      : undefined,
};
let world: World;
beforeAll(async () => {
  world = await World.start({ interceptors: [broken], from: realmOf({ invites: [], channels: [{ name: "lobby" }] }) });
});
afterAll(() => world.end());
beforeEach(() => world.restart());

const FILE = `version: 1
channels:
  team:
    privacy: private_shared_history
    subscribers: {users: [ada@acme.example, hana@acme.example], exact: true}
    permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}
invite_links: [{expires_on: never, invite_as: guest, channels: [team]}]
`;

async function interrupted(): Promise<void> {
  world.file("realm.yaml", FILE);
  expect(await world.realmctl("plan --out p.plan")).toMatchObject({ code: EXIT.done });
  fails = true;
  const first = await world.realmctl("apply p.plan --yes").finally(() => {
    fails = false;
  });
  expect(first.code).toBe(EXIT.appliedInPart);
  expect(world.channel("team").invite_only).toBe(true);
}

test("a link into the channel that the plan created asks nobody again", async () => {
  await interrupted();
  const { code, err } = await world.realmctl("apply p.plan --yes");
  expect({ code, err }).toEqual({ code: EXIT.done, err: expect.not.stringContaining("people gaining access") });
  expect(world.sandbox.state().invites).toHaveLength(1);
});

test("a link into another channel that has its name by now asks", async () => {
  await interrupted();
  const { stream_id } = world.channel("team");
  await world.edit("ada@acme.example", "PATCH", `/streams/${stream_id}`, { new_name: "team-of-before" });
  await world.edit("ada@acme.example", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "team" }],
    principals: [6, 13],
    invite_only: true,
  });
  const { code } = await world.realmctl("apply p.plan --yes");
  expect([EXIT.refusedByGuard, EXIT.conflict]).toContain(code);
  expect(world.sandbox.state().invites).toHaveLength(0);
});
