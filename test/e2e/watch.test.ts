import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { DriftMomentForm } from "../../src/model/output-schemas.ts";
import { ConnectionDropped, type Interceptor } from "../../src/sandbox/index.ts";
import { running } from "./screen.ts";
import { type World, worldOfTest } from "./world.ts";

const FILE = `version: 1
channels:
  general: {description: All about us}
  sandbox: {}
`;

/** What answers the nth request for events instead. */
const atPoll = (answer: (n: number) => Promise<Response | undefined>): Interceptor => {
  let polls = 0;
  return {
    before: async ({ method, path }) => {
      if (method !== "GET" || !path.endsWith("/events")) return undefined;
      polls += 1;
      return answer(polls);
    },
  };
};

/** `drift --watch` on a realm that has no drift, until `stop`. */
async function watching(flags = "", files: { readonly [name: string]: string } = {}, given?: World) {
  const own = given ?? (await worldOfTest());
  const general = `/streams/${own.channel("general").stream_id}`;
  await own.edit("owner", "PATCH", general, { description: "All about us" });
  own.file("realm.yaml", FILE);
  for (const [name, text] of Object.entries(files)) own.file(name, text);
  const { out, err, ran, stop } = running(own, `drift --watch ${flags}`);
  await Promise.race([err.shows("Watching"), ran]);
  expect(err.text).toContain("Watching");
  const describe = (description: string) => own.edit("admin", "PATCH", general, { description });
  return { world: own, out, err, stop, describe, ran };
}

const registers = ({ sandbox }: World) => sandbox.log.filter(({ path }) => path.endsWith("/register")).length;
const endedQueues = ({ sandbox }: World) =>
  sandbox.log.filter(({ method, path }) => method === "DELETE" && path.endsWith("/events")).length;

describe("drift --watch", () => {
  test("reports a change when it happens, and when it is reverted; Ctrl-C leaves no queue behind", async () => {
    const { world, out, stop, describe } = await watching();
    expect(out.text).toContain("No drift.");
    await describe("Anything goes");
    await out.shows("Anything goes");
    expect(out.text).toContain("1 object differs");
    await describe("All about us");
    await out.shows("#general  matches the file again");
    await world.edit("admin", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "party" }] });
    await out.shows("party");
    expect(out.text).toContain("not in the file (additive: left alone): party");
    expect(await stop()).toBe(EXIT.done);
    expect(endedQueues(world)).toBe(registers(world));
  });

  test("an account that the file lists is deactivated, and reactivated", async () => {
    const listed = `${FILE}people: {elif@acme.example: {role: member}}\n`;
    const { world, out, stop } = await watching("", { "realm.yaml": listed });
    expect(out.text).toContain("No drift.");
    const elif = world.person("elif@acme.example");
    await world.edit("owner", "DELETE", `/users/${elif}`, {});
    await out.shows("elif@acme.example is deactivated");
    expect(out.text).toContain("1 change on the server that apply does not revert");
    await world.edit("owner", "POST", `/users/${elif}/reactivate`, {});
    await out.shows("no longer true: the account of elif@acme.example is deactivated");
    expect(await stop()).toBe(EXIT.done);
  });

  test("somebody is subscribed to a private channel by hand", async () => {
    const listed = `${FILE}  vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}\n`;
    const { world, out, stop } = await watching("", { "realm.yaml": listed });
    const subscribe = (email: string) =>
      world.subscribe("vault", { people: [email], invite_only: true, history_public_to_subscribers: true });
    await subscribe("ada@acme.example");
    await out.shows("#vault  matches the file again");
    await subscribe("elif@acme.example");
    await out.shows("elif@acme.example");
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("the exit code depends on the differences at the end", async () => {
    const { out, stop, describe } = await watching();
    await describe("Anything goes");
    await out.shows("Anything goes");
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("changes of unmanaged fields are not reported", async () => {
    const { world, out, stop, describe } = await watching();
    await world.edit("admin", "PATCH", "/realm", { description: "Makers of things" });
    await describe("Anything goes");
    await out.shows("Anything goes");
    expect(out.text.match(/UTC/g)).toHaveLength(1);
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("a change that apply could not revert is reported with the reason", async () => {
    const { world, out, stop } = await watching("--policy guards.yaml", {
      "guards.yaml": 'version: 1\npolicy: {protect: ["channel:gen*"]}\n',
    });
    expect(out.text).not.toContain("refused");
    await world.editChannel("general", { description: "Theirs" });
    await out.shows("apply would be refused by a guard: channel:gen* is protected");
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("a renamed channel is reported once, as a likely rename", async () => {
    const { world, out, stop } = await watching();
    await world.editChannel("general", { new_name: "everybody" });
    await out.shows("warning[plan/looks-renamed]");
    await world.edit("admin", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "party" }] });
    await out.shows("party");
    expect(out.text).toContain('was: "everybody"');
    expect(out.text.match(/looks-renamed/g)).toHaveLength(1);
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("JSON: one line for the start, one for each change", async () => {
    const { out, stop, describe } = await watching("--format json");
    await describe("Anything\u202egoes");
    await out.shows('"event":"change"');
    expect(await stop()).toBe(EXIT.changesPending);
    const lines = out.entries;
    for (const line of lines) DriftMomentForm.parse(line);
    expect(lines).toMatchObject([
      { format: "realmctl.drift-moment", version: 2, event: "start", appeared: [], differences: 0, exit_code: 0 },
      {
        event: "change",
        appeared: [{ address: "channel:general", fields: [{ field: "description", realm: "Anything\u202egoes" }] }],
        ended: [],
        differences: 1,
        exit_code: 2,
      },
    ]);
    expect(out.text).not.toContain("\u202e");
  });

  test("after the server has dropped the queue, a new one is opened, and missed changes are read", async () => {
    const forget = atPoll(async (n) => {
      if (n !== 1) return undefined;
      // The queue that was lost did not report it.
      await own.edit("admin", "PATCH", `/streams/${own.channel("general").stream_id}`, {
        description: "While nobody listened",
      });
      const body = { result: "error", msg: "Bad event queue ID: x", code: "BAD_EVENT_QUEUE_ID", queue_id: "x" };
      return Response.json(body, { status: 400 });
    });
    const own: World = await worldOfTest({ interceptors: [forget] });
    const { out, stop, describe } = await watching("", {}, own);
    await out.shows("While nobody listened");
    await describe("Still listening");
    await out.shows("Still listening");
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("an unreachable server is waited for", async () => {
    const away = atPoll(async (n) => {
      if (n > 1 && n < 12) throw new ConnectionDropped();
      return undefined;
    });
    const { out, err, stop, describe } = await watching("", {}, await worldOfTest({ interceptors: [away] }));
    await describe("One");
    await out.shows("One");
    await err.shows("Trying again in");
    await describe("Two");
    await out.shows("Two");
    await err.shows("The server answers again.");
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("a file that becomes invalid is reported, and watching continues", async () => {
    const { world, out, err, stop, describe } = await watching();
    world.file("realm.yaml", FILE.replace("description", "descriptoin"));
    await describe("One");
    await err.shows("Watching on.");
    expect(err.text).toContain("descriptoin");
    world.file("realm.yaml", FILE);
    await describe("Two");
    await out.shows("Two");
    expect(await stop()).toBe(EXIT.changesPending);
  });

  test("revoked credentials end it", async () => {
    const revoke = atPoll(async (n) => {
      const body = { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" };
      return n === 2 ? Response.json(body, { status: 401 }) : undefined;
    });
    const { err, ran, out, describe } = await watching("", {}, await worldOfTest({ interceptors: [revoke] }));
    await describe("One");
    await out.shows("One");
    expect((await ran).code).toBe(EXIT.notAllowed);
    expect(err.text).toContain("zulip/unauthorized");
  });

  test("a snapshot cannot be watched", async () => {
    const world = await worldOfTest();
    world.file("realm.yaml", FILE);
    expect(await world.realmctl("drift --watch --snapshot a.json")).toMatchObject({ code: EXIT.errors });
  });
});
