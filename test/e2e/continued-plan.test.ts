import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { realmOf } from "../support/realm.ts";
import { start } from "./child.ts";
import { worldOfTests } from "./world.ts";

/*
 * A run that stopped half-way is continued, from a saved plan or from the file. What it created itself was not there before, so what was to be done of it asks
 * nobody again; what somebody else made under that name does, and so does whatever goes beyond it.
 */

/** What happens to the request for a link. */
let breaks: (() => Promise<Response>) | undefined;
const broken: Interceptor = {
  before: async ({ method, path }) => (method === "POST" && path === "/invites/multiuse" ? breaks?.() : undefined),
};
const failing = async (): Promise<Response> =>
  new Response(JSON.stringify({ result: "error", msg: "Internal server error" }), { status: 500 });
const world = worldOfTests({ interceptors: [broken], from: realmOf({ invites: [], channels: [{ name: "lobby" }] }) });

const FILE = `version: 1
channels:
  team:
    privacy: private_shared_history
    subscribers: {users: [ada@acme.example, hana@acme.example], exact: true}
    permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}
invite_links: [{expires_on: never, invite_as: guest, channels: [team]}]
`;

async function interrupted(command = "apply p.plan --yes", file = FILE): Promise<void> {
  world.file("realm.yaml", file);
  expect(await world.realmctl("plan --out p.plan")).toMatchObject({ code: EXIT.done });
  breaks = failing;
  const first = await world.realmctl(command).finally(() => {
    breaks = undefined;
  });
  expect(first.code, first.err).toBe(EXIT.appliedInPart);
  expect(world.channel("team").invite_only).toBe(true);
}

/** The process is killed when it sends the request. */
async function killed(command: string): Promise<void> {
  world.file("realm.yaml", FILE);
  const child = start(world, command);
  breaks = async () => {
    child.process.kill("SIGKILL");
    return failing();
  };
  await child.ended.finally(() => {
    breaks = undefined;
  });
  expect(world.channel("team").invite_only).toBe(true);
}

const COMMANDS = [{ command: "apply p.plan --yes" }, { command: "apply --yes" }];
/** Guard rails that the command names leave open what has to be asked. */
const RAILS = "version: 1\npolicy: {limits: {removals: 3}}\n";

test.each([...COMMANDS, ...COMMANDS.map(({ command }) => ({ command: `${command} --policy rails.yaml` }))])(
  "$command: a link into the channel that the run created asks nobody again",
  async ({ command }) => {
    world.file("rails.yaml", RAILS);
    await interrupted(command);
    const { code, err } = await world.realmctl(command);
    expect({ code, err }).toEqual({ code: EXIT.done, err: expect.not.stringContaining("people gaining access") });
    expect(world.sandbox.state().invites).toHaveLength(1);
  },
);

test("the same after the process was killed, and killed again", async () => {
  await killed("apply --yes");
  await killed("apply --yes");
  const { code, err } = await world.realmctl("apply --yes");
  expect({ code, err }).toEqual({ code: EXIT.done, err: expect.not.stringContaining("people gaining access") });
  expect(world.sandbox.state().invites).toHaveLength(1);
});

const removed = async (): Promise<void> =>
  world.edit("ada@acme.example", "DELETE", "/users/me/subscriptions", { subscriptions: ["team"], principals: [13] });

test.each<{ what: string; before?: string; after?: string; meanwhile?: () => unknown }>([
  { what: "somebody else is in the list", after: FILE.replace("hana@", "dmitri@acme.example, hana@") },
  { what: "a group may subscribe", after: FILE.replace("group: role:nobody, can_add", "group: role:members, can_add") },
  { what: "the channel is public", after: FILE.replace("privacy: private_shared_history", "privacy: public") },
  { what: "the link led elsewhere", before: FILE.replace("[team]", "[lobby]"), after: FILE },
  { what: "the link is another one", after: FILE.replace("invite_as: guest", "invite_as: member") },
  { what: "somebody was unsubscribed, whom the run had subscribed", meanwhile: removed },
  {
    what: "nothing shows that the journal is this account's",
    meanwhile: () => {
      for (const name of world.journals())
        world.file(`.realmctl/${name}`, world.read(`.realmctl/${name}`).replace(/"done":1/, '"done":2'));
    },
  },
  {
    what: "a later run of the file ended as intended",
    meanwhile: async () => {
      await world.bringInLine("version: 1\nchannels: {lobby: {description: Hello}}\n");
    },
  },
])("apply --yes asks about what the interrupted run was not to do: $what", async ({ before, after, meanwhile }) => {
  await interrupted("apply --yes", before);
  await meanwhile?.();
  world.file("realm.yaml", after ?? FILE);
  const { code, err } = await world.realmctl("apply --yes");
  expect({ code, err }).toEqual({ code: EXIT.refusedByGuard, err: expect.stringMatching(/--allow (?:people|opened)/) });
  expect(world.sandbox.state().invites).toHaveLength(0);
});

test.each(COMMANDS)("$command: a link into another channel that has its name by now asks", async ({ command }) => {
  await interrupted(command);
  const { stream_id } = world.channel("team");
  await world.edit("ada@acme.example", "PATCH", `/streams/${stream_id}`, { new_name: "team-of-before" });
  await world.edit("ada@acme.example", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "team" }],
    principals: [6, 13],
    invite_only: true,
  });
  const { code } = await world.realmctl(command);
  expect([EXIT.refusedByGuard, EXIT.conflict]).toContain(code);
  expect(world.sandbox.state().invites).toHaveLength(0);
});
