import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseJournal } from "../../src/apply/journal.ts";
import type { ProcessIo } from "../../src/cli/io.ts";
import { filesIn } from "../../src/cli/process-io.ts";
import { defined } from "../../src/model/defined.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { HistoryForm } from "../../src/model/output-schemas.ts";
import type { ParsedRequest } from "../../src/sandbox/http.ts";
import { ConnectionDropped, type Interceptor } from "../../src/sandbox/index.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { running } from "./screen.ts";
import { isWrite, type World, worldOfTest } from "./world.ts";

const FILE = `version: 1
policy: {sync: [channels.*.subscribers]}
channels:
  design: {description: Never written by sync, subscribers: {groups: [engineering], exact: true}}
`;

/** Alarms that ring when the test says so. */
class Alarms {
  private open: readonly { readonly ms: number; readonly onTime: () => void }[] = [];
  private isSet = (): void => {};

  readonly alarm = (ms: number, onTime: () => void): (() => void) => {
    const one = { ms, onTime };
    this.open = [...this.open, one];
    this.isSet();
    return () => {
      this.open = this.open.filter((each) => each !== one);
    };
  };

  /** Waits until an alarm between these times is set, and rings it. */
  async ring(least: number, most: number): Promise<void> {
    for (;;) {
      const found = this.open.find(({ ms }) => ms >= least && ms <= most);
      if (found !== undefined) {
        this.open = this.open.filter((each) => each !== found);
        found.onTime();
        return;
      }
      await new Promise<void>((resolve) => {
        this.isSet = resolve;
      });
    }
  }
}

/** A world with a group of one person, and a public channel with that person in it. */
async function begin(interceptors: readonly Interceptor[] = []): Promise<World> {
  const own = await worldOfTest({ interceptors });
  const elif = own.person("elif@acme.example");
  await own.createGroup("engineering", { description: "Makers", members: [elif] });
  await own.subscribe("design", { principals: [elif] });
  own.file("realm.yaml", FILE);
  return own;
}

type SyncIo = Partial<Pick<ProcessIo, "alarm" | "sleep">> & { readonly as?: string; readonly directory?: string };

/** `sync` until `stop`. */
const syncing = (own: World, flags = "", { as, directory = own.directory, ...io }: SyncIo = {}) =>
  running(own, `sync ${flags}`, {
    ...defined({ as }),
    env: { TMPDIR: directory },
    io: { cwd: directory, ...filesIn(directory), ...io },
  });

/** `sync` that has begun to keep so many lists. */
async function keeping(own: World, lists: 1 | 2 = 1, flags = "", io: SyncIo = {}) {
  const begun = syncing(own, flags, io);
  await Promise.race([begun.out.shows(`Keeping ${lists} list`), begun.ran]);
  return { ...begun, url: /(http:\/\/\S+)\/healthz/.exec(begun.err.text)?.[1] };
}

/** Something to wait for until it is opened. */
function gate() {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

/** What happens before each request of the account that `sync` uses. */
const beforeOwn = (before: (request: ParsedRequest) => Promise<Response | undefined>): readonly Interceptor[] => [
  {
    before: async (request, { caller, nameOf }) => {
      const user = caller();
      return user !== undefined && nameOf(user.user_id) === "admin" ? before(request) : undefined;
    },
  },
];

const member = (own: World, how: "add" | "delete", ...addresses: readonly string[]) =>
  own.edit("owner", "POST", `/user_groups/${own.group("engineering")}/members`, {
    [how]: addresses.map((address) => own.person(address)),
  });

const subscribersOf = (own: World, name = "design"): readonly string[] => {
  const { users, subscriptions } = own.sandbox.state();
  return Object.entries(subscriptions[own.channel(name).stream_id] ?? {})
    .flatMap(([user, { active }]) => (active ? [users[Number(user)]?.delivery_email ?? ""] : []))
    .sort();
};

/** The requests that `sync` sent so far: all but those of the tests, which go around HTTP's log of the account. */
const subscriptionsSent = ({ sandbox }: World, since: number): readonly string[] =>
  sandbox.log
    .slice(since)
    .filter((request) => isWrite(request) && !request.path.includes("user_groups"))
    .map(({ method, path }) => `${method} ${path}`);

/** A private channel with these people, listed with the group and Ada; Ada may add others. */
const vault = async (own: World, name = "vault"): Promise<string> => {
  await own.subscribe(name, { people: ["elif@acme.example", "ada@acme.example"], invite_only: true });
  return `  ${name}: {subscribers: {groups: [engineering], users: [ada@acme.example], exact: true}}\n`;
};
const subscribe = (own: World, name: string, ...addresses: readonly string[]) =>
  own.subscribe(name, { people: addresses });
const unsubscribe = (own: World, name: string, address: string) =>
  own.edit("owner", "DELETE", "/users/me/subscriptions", { subscriptions: [name], principals: [own.person(address)] });

/** Who may put themselves into the group. */
const joinable = (own: World, can_join_group: unknown) =>
  own.edit("owner", "PATCH", `/user_groups/${own.group("engineering")}`, { can_join_group: { new: can_join_group } });

const enter = (own: World, email: string) =>
  own.edit(email, "POST", `/user_groups/${own.group("engineering")}/members`, { add: [own.person(email)] });

describe("sync", () => {
  test("whoever joins the group is subscribed, and leaves with it; nothing else of the file is written", async () => {
    const own = await begin();
    const since = own.sandbox.log.length;
    const { out, stop } = await keeping(own);
    await member(own, "add", "ada@acme.example");
    await out.shows("#design subscribers  + ada@acme.example");
    await member(own, "delete", "elif@acme.example");
    await out.shows("- elif@acme.example");
    expect(await stop()).toBe(EXIT.done);
    expect(subscribersOf(own)).toEqual(["ada@acme.example"]);
    expect(subscriptionsSent(own, since)).toEqual(["POST /users/me/subscriptions", "DELETE /users/me/subscriptions"]);
    expect(own.channel("design").description).toBe("");
    // The queue of events is not left behind.
    const { log } = own.sandbox;
    const registered = log.filter(({ path }) => path.endsWith("/register")).length;
    expect(log.filter(({ method, path }) => method === "DELETE" && path.endsWith("/events"))).toHaveLength(registered);
  });

  test("from a join to the subscription: at most 1.5 s for more joins, one reading, one request", async () => {
    const own = await begin();
    let slept = 0;
    const sleep = async (ms: number): Promise<void> => {
      slept += ms;
    };
    const { out, stop } = await keeping(own, 1, "", { sleep });
    await member(own, "add", "ada@acme.example", "chiara@acme.example");
    const since = own.sandbox.log.length;
    slept = 0;
    await out.shows("#design subscribers  + ada@acme.example and chiara@acme.example");
    expect(slept).toBeLessThanOrEqual(1_500);
    const paths = own.sandbox.log.slice(since).map(({ method, path }) => `${method} ${path}`);
    const before = paths.slice(0, paths.indexOf("POST /users/me/subscriptions"));
    expect(before.filter((line) => line === "POST /register")).toHaveLength(1);
    expect(await stop()).toBe(EXIT.done);
  });

  test("history calls its runs sync, and an undo without a journal takes the last run of apply", async () => {
    const own = await begin();
    await own.realmctl("apply --yes");
    expect(own.channel("design").description).not.toBe("");
    const { out, stop } = await keeping(own);
    await member(own, "add", "ada@acme.example");
    await out.shows("+ ada@acme.example");
    expect(await stop()).toBe(EXIT.done);
    const { runs } = HistoryForm.parse(JSON.parse((await own.realmctl("history --format json")).out));
    expect(runs.map(({ source }) => source)).toEqual([{ is: "sync", file: "realm.yaml" }, undefined]);
    expect((await own.realmctl("history")).out).toContain("  sync of realm.yaml: done, 1 of 1 request\n");
    const undone = await own.realmctl("apply --undo --yes");
    expect(undone).toMatchObject({ code: EXIT.done, err: expect.stringContaining("Undoes the last run: apply of ") });
    expect(own.channel("design").description).toBe("");
    expect(subscribersOf(own)).toContain("ada@acme.example");
  });

  test("a pattern that names no list is said; if none names one any more, it is paused", async () => {
    const own = await begin();
    own.file("realm.yaml", FILE.replace("subscribers]", "subscribers, user_groups.nope.members]"));
    const { out, stop, url } = await keeping(own, 1, "--listen 127.0.0.1:0");
    await out.shows('Left alone: "user_groups.nope.members" names no list that realm.yaml has');
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toMatchObject([
      503,
      { healthy: false, left_alone: [{ code: "policy/sync" }] },
    ]);
    own.file("realm.yaml", FILE.replace("channels.*", "channels.nope"));
    await member(own, "add", "ada@acme.example");
    await out.shows('Paused: "channels.nope.subscribers" names no list');
    expect(await stop()).toBe(EXIT.done);
  });

  test("a channel that somebody renamed: the advice is a plan of this file with its values", async () => {
    const own = await begin();
    const named = FILE.replace("version: 1\n", "version: 1\nvars: {team: {type: group}}\n");
    own.file("org.yaml", named.replace("[engineering]", "['${team}']"));
    const { out, stop } = await keeping(own, 1, "org.yaml --set team=engineering");
    await own.editChannel("design", { new_name: "drawing" });
    await member(own, "add", "ada@acme.example");
    await out.shows("or somebody renamed it by hand. realmctl plan org.yaml --set team=engineering says which;");
    expect(await stop()).toBe(EXIT.done);
  });

  test("values of variables come from outside, as for apply", async () => {
    const own = await begin();
    const named = FILE.replace("version: 1\n", "version: 1\nvars: {team: {type: group}}\n");
    own.file("realm.yaml", named.replace("[engineering]", "['${team}']"));
    const { err, stop } = await keeping(own, 1, "--set team=engineering");
    expect(err.text).not.toContain("error");
    expect(await stop()).toBe(EXIT.done);
  });

  test("JSON: one line for each change; the state in a file, and for a probe and Prometheus", async () => {
    const own = await begin();
    const { out, err, stop } = syncing(own, "--format json --status state.json --listen 127.0.0.1:0");
    await out.shows('"event":"start"');
    const [, url] = /(http:\/\/\S+)\/healthz/.exec(err.text) ?? [];
    await member(own, "add", "ada@acme.example");
    await out.shows('"event":"change"');
    const health = await fetch(`${url}/healthz`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ healthy: true, lists: 1 });
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    expect(await metrics()).toContain("realmctl_sync_changes_total 1\n");
    expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${url}/`)).status).toBe(404);
    await stop();
    await expect(metrics()).rejects.toThrow();
    const lines = out.entries;
    expect(lines.map(({ event }) => event)).toEqual(["start", "change", "end"]);
    expect(lines[1]).toMatchObject({
      format: "realmctl.sync-event",
      version: 1,
      address: "channel:design",
      field: "subscribers",
      added: ["ada@acme.example"],
      removed: [],
      journal: `.realmctl/${own.journals()[0]}`,
    });
    expect(JSON.parse(own.read("state.json"))).toMatchObject({ healthy: true, changes: 1, requests: 1, paused: null });
  });

  test("pauses where a guard rail would ask, says why, and goes on when the file allows it", async () => {
    const own = await begin();
    await vault(own);
    const listed = FILE.replace("design:", "vault:").replace(
      "groups: [engineering]",
      "groups: [engineering], users: [ada@acme.example]",
    );
    own.file("realm.yaml", listed);
    const alarms = new Alarms();
    const { out, stop, url } = await keeping(own, 1, "--listen 127.0.0.1:0", { alarm: alarms.alarm });
    await member(own, "add", "chiara@acme.example");
    await out.shows("Paused:");
    expect(out.text).toContain("[guard/refused]");
    expect(out.text).toContain("apply it by hand once with --allow people_gaining_access");
    expect(out.text).not.toMatch(/--yes|answer at the terminal/);
    expect((await fetch(`${url}/healthz`)).status).toBe(503);
    own.file("realm.yaml", listed.replace("policy: {", "policy: {limits: {people_gaining_access: 3}, "));
    // Nothing happens on the server: the change of the file is the reason to read.
    await alarms.ring(5_000, 5_000);
    await out.shows("Going on, after a pause of");
    expect(out.text.match(/Paused:/g)).toHaveLength(1);
    expect(subscribersOf(own, "vault")).toContain("chiara@acme.example");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await stop()).toBe(EXIT.done);
  });

  test("somebody leaves a private channel: who is added by hand there, and everywhere else, is taken out nevertheless", async () => {
    const own = await begin();
    own.file("realm.yaml", FILE + (await vault(own)));
    const { out, stop, url } = await keeping(own, 2, "--listen 127.0.0.1:0 --status state.json");
    await unsubscribe(own, "vault", "elif@acme.example");
    await out.shows("#vault subscribers  + elif@acme.example");
    expect(out.text).toContain("Paused: refused by a guard rail: people gaining access to what is private 1 (#vault)");
    expect(out.text).toContain("All other changes go on. What waits:");
    await subscribe(own, "vault", "chiara@acme.example");
    await out.shows("#vault subscribers  - chiara@acme.example");
    // Changes of other lists, in both directions.
    await subscribe(own, "design", "chiara@acme.example");
    await out.shows("#design subscribers  - chiara@acme.example");
    await unsubscribe(own, "design", "elif@acme.example");
    await out.shows("#design subscribers  + elif@acme.example");
    expect(subscribersOf(own, "vault")).toEqual(["ada@acme.example"]);
    const health = await fetch(`${url}/healthz`);
    expect(health.status).toBe(503);
    const state = {
      healthy: false,
      paused: null,
      held: [
        {
          address: "channel:vault",
          field: "subscribers",
          waits: "additions",
          people: 1,
          why: [expect.stringContaining("guard/refused")],
        },
      ],
    };
    expect(await health.json()).toMatchObject(state);
    expect(JSON.parse(own.read("state.json"))).toMatchObject(state);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain("realmctl_sync_held_changes 1\n");
    expect(metrics).toContain(
      'realmctl_sync_held{list="channel:vault subscribers",change="additions",why="people_gaining_access"} 1\n',
    );
    // Somebody adds the person by hand: the reason is gone.
    await subscribe(own, "vault", "elif@acme.example");
    await out.shows("Going on, after a pause of");
    expect(out.text).toMatch(/Going on, after a pause of [^:]+: #vault subscribers {2}\+ elif@acme.example/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(out.text.match(/Paused:/g)).toHaveLength(1);
    expect(await stop()).toBe(EXIT.done);
  });

  test("nobody comes into a private channel through a group that people enter alone, and strangers still leave it", async () => {
    const own = await begin();
    own.file(
      "realm.yaml",
      FILE.replace("policy: {", "policy: {limits: {people_gaining_access: 9}, ") + (await vault(own)),
    );
    await joinable(own, own.group("role:members"));
    const { out, stop } = await keeping(own, 2);
    await enter(own, "dmitri@acme.example");
    await out.shows("Paused: realmctl sync adds nobody to #vault");
    // Everybody can read this one: it is kept.
    await out.shows("#design subscribers  + dmitri@acme.example");
    await subscribe(own, "vault", "chiara@acme.example");
    await out.shows("#vault subscribers  - chiara@acme.example");
    expect(subscribersOf(own, "vault")).not.toContain("dmitri@acme.example");
    // Nobody can tell any more who came in by themselves.
    await joinable(own, own.group("role:nobody"));
    await out.shows("adds nobody to #vault before realmctl apply does");
    await member(own, "add", "farah@acme.example");
    await out.shows("#vault subscribers  + dmitri@acme.example and farah@acme.example");
    expect(subscribersOf(own, "vault")).toEqual(["ada@acme.example", "elif@acme.example"]);
    expect((await own.realmctl("apply --yes")).code).toBe(EXIT.done);
    await out.shows("Going on, after a pause of");
    await member(own, "add", "gustavo@acme.example");
    await out.shows("Z  #vault subscribers  + gustavo@acme.example");
    expect(await stop()).toBe(EXIT.done);
  });

  test("the only person who can put themselves into a group of a private list does so, and sync starts anew: it adds nobody", async () => {
    const own = await begin();
    own.file(
      "realm.yaml",
      FILE.replace("policy: {", "policy: {limits: {people_gaining_access: 9}, ") + (await vault(own)),
    );
    const dmitri = own.person("dmitri@acme.example");
    await joinable(own, { direct_members: [dmitri], direct_subgroups: [] });
    const first = await keeping(own, 2);
    await enter(own, "dmitri@acme.example");
    await first.out.shows("#design subscribers  + dmitri@acme.example");
    await first.out.shows("adds nobody to #vault, since 1 person can put themselves into the group engineering");
    expect(await first.stop()).toBe(EXIT.done);
    const second = syncing(own);
    await second.out.shows("adds nobody to #vault, since 1 person can put themselves into the group engineering");
    expect(await second.stop()).toBe(EXIT.done);
    // The group is closed while no process runs: the next one knows the list from the state of the last.
    const third = syncing(own, "--status state.json");
    await third.out.shows("Paused:");
    expect(await third.stop()).toBe(EXIT.done);
    expect(JSON.parse(own.read("state.json"))).toMatchObject({ open_lists: ["channel:vault subscribers"] });
    await joinable(own, own.group("role:nobody"));
    const fourth = syncing(own, "--status state.json");
    await fourth.out.shows("adds nobody to #vault before realmctl apply does");
    expect((await own.realmctl("apply --yes")).code).toBe(EXIT.done);
    await fourth.out.shows("Going on, after a pause of");
    expect(await fourth.stop()).toBe(EXIT.done);
    expect(JSON.parse(own.read("state.json"))).toMatchObject({ open_lists: [] });
  });

  test("a group is renamed and another one takes its name while no process runs: the next one knows from the state which group was meant", async () => {
    const own = await begin();
    own.file("realm.yaml", FILE + (await vault(own)));
    const first = syncing(own, "--status state.json");
    await first.out.shows("Keeping 2 lists");
    expect(await first.stop()).toBe(EXIT.done);
    const engineering = own.group("engineering");
    const { names } = JSON.parse(own.read("state.json"));
    expect(names["channel:vault subscribers"]).toEqual({
      "channel:vault": own.channel("vault").stream_id,
      "user_group:engineering": engineering,
    });
    await own.edit("owner", "PATCH", `/user_groups/${engineering}`, { name: "eng-eu" });
    await own.edit("hana@acme.example", "POST", "/user_groups/create", {
      ...{ name: "engineering", description: "", members: [own.person("hana@acme.example")] },
    });
    const second = syncing(own, "--status state.json");
    await second.out.shows("leaves #vault as it is, since");
    expect(await second.stop()).toBe(EXIT.done);
    expect(JSON.parse(own.read("state.json")).names).toEqual(names);
  });

  test("each list leaves its pause by itself, and a second person who waits is said", async () => {
    const own = await begin();
    const both = (await vault(own)) + (await vault(own, "cellar"));
    own.file("realm.yaml", FILE + both.replaceAll("[ada@", "[farah@acme.example, ada@"));
    for (const name of ["vault", "cellar"]) await subscribe(own, name, "farah@acme.example");
    const { out, stop } = syncing(own, "--format json");
    await out.shows('"event":"start"');
    await unsubscribe(own, "vault", "elif@acme.example");
    await out.shows('"event":"hold"');
    await unsubscribe(own, "cellar", "elif@acme.example");
    await out.shows('"event":"hold","began":[{"address":"channel:cellar"');
    await unsubscribe(own, "vault", "farah@acme.example");
    await out.shows('"waits":"additions","names":["elif@acme.example","farah@acme.example"]');
    await subscribe(own, "cellar", "elif@acme.example");
    await out.shows('"event":"release","released":[{"address":"channel:cellar"');
    expect(await stop()).toBe(EXIT.done);
    const events = out.entries;
    expect(events.filter(({ event }) => event === "release")).toHaveLength(1);
    expect(events.some(({ event }) => event === "pause")).toBe(false);
  });

  test("the account itself is taken out of a private channel: that list waits, and all others are kept", async () => {
    const own = await begin();
    own.file("realm.yaml", FILE + (await vault(own)).replace("[ada@", "[dmitri@acme.example, ada@"));
    await subscribe(own, "vault", "dmitri@acme.example");
    const { out, stop } = await keeping(own, 2);
    await unsubscribe(own, "vault", "ada@acme.example");
    await out.shows("[channels/not-allowed]");
    expect(out.text).toContain("#vault subscribers  + ada@acme.example");
    await own.edit("member", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "vault" }],
      principals: [own.person("chiara@acme.example")],
    });
    await out.shows("#vault subscribers  - chiara@acme.example");
    await subscribe(own, "design", "chiara@acme.example");
    await out.shows("#design subscribers  - chiara@acme.example");
    expect(await stop()).toBe(EXIT.done);
  });

  test("a crowd that is added to one list waits for the limit on losses; a stranger in another list is taken out", async () => {
    const own = await begin();
    const listed = FILE.replace("policy: {", "policy: {limits: {people_losing_access: 2}, ");
    own.file("realm.yaml", listed + (await vault(own)));
    const { out, stop } = await keeping(own, 2);
    const crowd = ["chiara@acme.example", "dmitri@acme.example", "farah@acme.example"];
    await subscribe(own, "vault", ...crowd);
    await out.shows("#vault subscribers  - chiara@acme.example, dmitri@acme.example and farah@acme.example");
    expect(out.text).toContain("Paused: refused by a guard rail");
    await subscribe(own, "design", "chiara@acme.example");
    await out.shows("#design subscribers  - chiara@acme.example");
    await member(own, "add", "gustavo@acme.example");
    await out.shows("#design subscribers  + gustavo@acme.example");
    expect(subscribersOf(own, "vault")).toEqual(["ada@acme.example", ...crowd, "elif@acme.example"].toSorted());
    expect(await stop()).toBe(EXIT.done);
  });

  test("a request that the server refuses for one list does not stop that of another", async () => {
    const own = await begin(
      beforeOwn(async ({ method, path }) => {
        if (method !== "POST" || !path.endsWith("/subscriptions")) return undefined;
        return Response.json({ result: "error", msg: "No", code: "BAD_REQUEST" }, { status: 400 });
      }),
    );
    own.file("realm.yaml", FILE + (await vault(own)));
    const { out, stop } = await keeping(own, 2, "", { as: "admin" });
    await unsubscribe(own, "design", "elif@acme.example");
    await out.shows("Paused:");
    await subscribe(own, "vault", "chiara@acme.example");
    await out.shows("#vault subscribers  - chiara@acme.example");
    expect(await stop()).toBe(EXIT.done);
  });

  test("a channel that somebody renamed by hand is followed if the entry has an id; otherwise it is not healthy", async () => {
    const own = await begin();
    const { stream_id: id } = own.channel("design");
    own.file("realm.yaml", FILE.replace("design: {", `design: {id: ${id}, `) + (await vault(own)));
    const { out, stop, url } = await keeping(own, 2, "--listen 127.0.0.1:0");
    await own.edit("owner", "PATCH", `/streams/${id}`, { new_name: "drawing" });
    await subscribe(own, "drawing", "chiara@acme.example");
    await out.shows("#drawing subscribers  - chiara@acme.example");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await own.editChannel("vault", { new_name: "cellar" });
    await out.shows("Left alone: the subscribers of #vault");
    const health = await fetch(`${url}/healthz`);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ left_alone: [{ address: "channel:vault", field: "subscribers" }] });
    await own.editChannel("cellar", { new_name: "vault" });
    await out.shows("Nothing is left alone any more.");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await stop()).toBe(EXIT.done);
  });

  test("the interval is a reason to read, too: events can be missed", async () => {
    const own = await begin();
    const alarms = new Alarms();
    const { stop } = await keeping(own, 1, "--interval 1h", { alarm: alarms.alarm });
    const readings = () => own.sandbox.log.filter(({ path }) => path.endsWith("/register")).length;
    const before = readings();
    await alarms.ring(3_500_000, 3_600_000);
    // The next one is set after the reading.
    await alarms.ring(3_500_000, 3_600_000);
    expect(readings()).toBeGreaterThan(before);
    expect(await stop()).toBe(EXIT.done);
  });

  test("an account that loses its role: paused with the reason, and it goes on when the role is back", async () => {
    const own = await begin();
    const { out, stop } = await keeping(own, 1, "", { as: "admin" });
    const role = (number: number) =>
      own.edit("owner", "PATCH", `/users/${own.person(own.credentials("admin").ZULIP_EMAIL ?? "")}`, { role: number });
    // Members may not subscribe others here.
    await own.edit("owner", "PATCH", "/realm", {
      can_add_subscribers_group: { new: own.group("role:administrators") },
    });
    await role(400);
    await member(own, "add", "ada@acme.example");
    await out.shows("Paused:");
    expect(subscribersOf(own)).not.toContain("ada@acme.example");
    await role(200);
    await out.shows("Going on");
    expect(subscribersOf(own)).toContain("ada@acme.example");
    expect(await stop()).toBe(EXIT.done);
  });

  test("a private channel that the account no longer sees is left alone, and not taken for missing", async () => {
    const own = await begin();
    await own.subscribe("vault", { people: ["elif@acme.example"], invite_only: true });
    own.file(
      "realm.yaml",
      `${FILE}  vault: {subscribers: {users: [elif@acme.example, ada@acme.example], exact: true}}\n`,
    );
    const ben = own.person("ben@acme.example");
    await own.edit("owner", "PATCH", `/users/${ben}`, { role: 300 });
    const since = own.sandbox.log.length;
    const { out, stop } = syncing(own, "", { as: "admin" });
    await out.shows("Left alone: the subscribers of #vault: this account sees no #vault.");
    expect(await stop()).toBe(EXIT.done);
    expect(subscriptionsSent(own, since)).toEqual([]);
  });

  test("a key that is refused for a while: paused, and what was missed is done", async () => {
    let isRefused = false;
    let refusals = 0;
    const own = await begin(
      beforeOwn(async () => {
        if (!isRefused) return undefined;
        refusals += 1;
        if (refusals === 5) isRefused = false;
        const body = { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" };
        return Response.json(body, { status: 401 });
      }),
    );
    const { out, stop } = await keeping(own, 1, "", { as: "admin" });
    isRefused = true;
    await member(own, "add", "ada@acme.example");
    await out.shows("[zulip/unauthorized]");
    await out.shows("Going on");
    expect(subscribersOf(own)).toContain("ada@acme.example");
    expect(await stop()).toBe(EXIT.done);
  });

  test("a server that is away for an hour is waited for with a growing pause, and then everything is done", async () => {
    let isAway = false;
    const own = await begin(
      beforeOwn(async () => {
        if (isAway) throw new ConnectionDropped();
        return undefined;
      }),
    );
    let slept = 0;
    const sleep = async (ms: number): Promise<void> => {
      if (!isAway) return;
      slept += ms;
      if (slept > 3_600_000) isAway = false;
    };
    const { out, stop } = await keeping(own, 1, "", { as: "admin", sleep });
    isAway = true;
    await member(own, "add", "ada@acme.example");
    await out.shows("It works again.");
    expect(slept).toBeGreaterThan(3_600_000);
    expect(out.text.match(/Trying again/g)).toHaveLength(1);
    expect(subscribersOf(own)).toContain("ada@acme.example");
    expect(await stop()).toBe(EXIT.done);
  });

  test("two at once, without a common lock: both end with the state of the file, and neither undoes the other's work", async () => {
    const own = await begin();
    const other = temporaryDirectory("e2e");
    writeFileSync(join(other, "realm.yaml"), FILE);
    const one = syncing(own);
    const two = syncing(own, "", { directory: other });
    await Promise.all([one.out.shows("Keeping 1 list"), two.out.shows("Keeping 1 list")]);
    const everybody = ["ada@acme.example", "chiara@acme.example"];
    for (const address of everybody) {
      await member(own, "add", address);
      await Promise.race([one.out.shows(`+ ${address}`), two.out.shows(`+ ${address}`)]);
    }
    await member(own, "delete", ...everybody);
    await Promise.race([one.out.shows("- ada@acme.example"), two.out.shows("- ada@acme.example")]);
    expect(await Promise.all([one.stop(), two.stop()])).toEqual([EXIT.done, EXIT.done]);
    expect(subscribersOf(own)).toEqual(["elif@acme.example"]);
    expect(one.out.text + two.out.text).not.toContain("Paused");
  });

  test("SIGTERM while a request is under way: it gets its answer, its journal has its end, nothing more is sent", async () => {
    const reached = gate();
    const released = gate();
    const own = await begin(
      beforeOwn(async ({ method, path }) => {
        if (method !== "POST" || !path.endsWith("/subscriptions")) return undefined;
        reached.open();
        await released.passed;
        return undefined;
      }),
    );
    const { stop } = await keeping(own, 1, "", { as: "admin" });
    await member(own, "add", "ada@acme.example");
    await reached.passed;
    const stopped = stop();
    released.open();
    expect(await stopped).toBe(EXIT.done);
    expect(subscribersOf(own)).toContain("ada@acme.example");
    const [name = ""] = own.journals();
    expect(parseJournal(own.read(`.realmctl/${name}`), name).entries.at(-1)?.entry).toBe("end");
  });

  test.each([
    { flags: "", file: FILE.replace(/policy.*\n/, ""), says: "policy/nothing-to-sync" },
    { flags: "", file: FILE.replace("subscribers]", "description]"), says: "policy/sync" },
    {
      flags: "",
      file: FILE.replace("channels.*", "channels.nope"),
      says: 'policy/sync]: "channels.nope.subscribers" names',
    },
    { flags: "--listen 0.0.0.0:9750", file: FILE, says: "127.0.0.1:9750" },
    { flags: "--interval soon", file: FILE, says: "90s" },
    { flags: "--status realm.yaml", file: FILE, says: "choose another file, or remove this one" },
  ])("is refused at the start: $says", async ({ flags, file, says }) => {
    const own = await begin();
    own.file("realm.yaml", file);
    const { ran, err } = syncing(own, flags);
    expect((await ran).code).toBe(EXIT.errors);
    expect(err.text).toContain(says);
  });
});
