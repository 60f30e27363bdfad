import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { isList, isObject, type Json, type JsonObject } from "../src/model/json.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { snapshotOf } from "../src/rehearsal/rehearse.ts";
import { createSandbox, manualClock, type RealmSource, type Sandbox } from "../src/sandbox/index.ts";
import { snapshotText } from "../src/zulip/snapshot.ts";
import { wholeRealm } from "./export/realms.ts";
import fc from "./support/random.ts";
import { realmOf } from "./support/realm.ts";
import { askAs } from "./support/sandbox/asking.ts";
import { SNAPSHOT_GAPS } from "./support/snapshot-gaps.ts";

const NOW_MS = Date.UTC(2027, 0, 1);
const RUNS = Number(process.env.REALMCTL_RUNS ?? 4);
const recorded = (file: string): RealmSource => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
const started = (from: RealmSource, featureLevel?: number, nowMs = NOW_MS): Sandbox =>
  createSandbox({
    from,
    clock: manualClock(nowMs),
    seed: "keys",
    ...(featureLevel === undefined ? {} : { featureLevel }),
  });

/** Numbers of people in the recorded realms. */
const PEOPLE: { readonly [address: string]: number } = {
  "ada@acme.example": 6,
  "ben@acme.example": 7,
  "dmitri@acme.example": 9,
  "ivo@partner.example": 14,
};

async function ask(
  sandbox: Sandbox,
  as: string,
  method: string,
  path: string,
  params: object = {},
): Promise<JsonObject> {
  // Some addresses are hidden; then another address signs in.
  const id = PEOPLE[as];
  const account = Object.values(sandbox.accounts).find(({ user_id }) => user_id === id);
  if (account === undefined) throw new RangeError(`no account ${as}`);
  return askAs(sandbox, account, method, path, params);
}

async function uploadEmoji(sandbox: Sandbox, name: string): Promise<void> {
  const account = sandbox.accounts["ada@acme.example"];
  const headers = { authorization: `Basic ${Buffer.from(`${account?.email}:${account?.api_key}`).toString("base64")}` };
  const body = new FormData();
  body.set("file", new Blob([Buffer.from("R0lGODlhAQABAAAAACw=", "base64")]), "dot.gif");
  await sandbox.fetch(new Request(`http://localhost/api/v1/realm/emoji/${name}`, { method: "POST", headers, body }));
}

const CAPABILITIES = {
  notification_settings_null: true,
  linkifier_url_template: true,
  include_deactivated_groups: true,
  archived_channels: true,
};
const READS: readonly (readonly [method: string, path: string, params: object])[] = [
  ["POST", "/register", { client_capabilities: CAPABILITIES, include_subscribers: "true" }],
  ["GET", "/users", { client_gravatar: false, include_custom_profile_fields: true }],
  ["GET", "/streams", { include_all: true }],
  ["GET", "/user_groups", { include_deactivated_groups: true }],
];

/** Where two answers differ: "streams[].first_message_id", an index or an id as [] */
function differences(a: Json | undefined, b: Json | undefined, path = ""): readonly string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const [x, y]: readonly [unknown, unknown] = [a, b];
  if (a === undefined || b === undefined || !isObject(x) !== !isObject(y)) return [path];
  if (isList(a) && isList(b) && a.length === b.length)
    return a.flatMap((each, place) => differences(each, b[place], `${path}[]`));
  if (!isObject(a) || !isObject(b) || isList(a) || isList(b)) return [path];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(jsonAt(a, key), jsonAt(b, key), /^\d+$/.test(key) ? `${path}[]` : path === "" ? key : `${path}.${key}`),
  );
}
const jsonAt = (object: object, key: string): Json | undefined =>
  new Map<string, Json>(Object.entries(object)).get(key);

/** Different in each run: the queue, and the time of the answer. */
const OF_THE_RUN = ["queue_id", "server_timestamp"];
const gapOf = (path: string) =>
  SNAPSHOT_GAPS.find(({ shown }) => shown.some((gap) => path === gap || new RegExp(`^${quoted(gap)}[.[]`).test(path)));
const quoted = (text: string): string => text.replace(/[.[\]]/g, "\\$&");

/** Every difference between the two answers that no gap explains; and the gaps that were seen. */
async function compare(one: Sandbox, other: Sandbox) {
  const unexplained = new Set<string>();
  const seen = new Set<string>();
  for (const as of Object.keys(PEOPLE))
    for (const [method, path, params] of READS) {
      const [a, b] = [await ask(one, as, method, path, params), await ask(other, as, method, path, params)];
      for (const difference of differences(a, b)) {
        if (OF_THE_RUN.includes(difference)) continue;
        const name = difference.replace(/^\w+(?=\[\])/, (list) => (list === "members" ? "realm_users" : list));
        const gap = gapOf(name);
        if (gap === undefined) unexplained.add(`${as} ${method} ${path}: ${name}`);
        else seen.add(gap.what);
      }
    }
  return { unexplained: [...unexplained], seen };
}

/** A sandbox, and another one made from its snapshot. */
async function copyOf(sandbox: Sandbox): Promise<Sandbox> {
  const copy = started(JSON.parse(snapshotText(await snapshotOf(sandbox, NOW_MS))));
  copy.setUrl(sandbox.url);
  return copy;
}

type Edit = (sandbox: Sandbox, n: number) => Promise<unknown>;
const as =
  (who: string, method: string, path: string, params: (n: number) => object): Edit =>
  (sandbox, n) =>
    ask(sandbox, who, method, path, params(n));
const OWNER = "ada@acme.example";
const MEMBER = "dmitri@acme.example";
const NAMES = ["alpha", "Ärzte", "<b>x</b> & y", "gamma *delta*"];
const EDITS: readonly Edit[] = [
  as(OWNER, "POST", "/users/me/subscriptions", (n) => ({
    subscriptions: [{ name: `made ${n}`, description: NAMES[n % 4] }],
    principals: [6, 7, 9],
    invite_only: n % 2 === 0,
  })),
  as(OWNER, "PATCH", "/streams/1", (n) => ({ description: NAMES[n % 4], is_archived: n % 3 === 0 })),
  as(OWNER, "PATCH", "/realm", (n) => ({ waiting_period_threshold: n, topics_policy: "disable_empty_topic" })),
  as(OWNER, "PATCH", "/realm", (n) => ({
    can_create_groups: { new: { direct_members: [6 + n], direct_subgroups: [] } },
  })),
  as(OWNER, "PATCH", "/realm/user_settings_defaults", (n) => ({ color_scheme: 1 + (n % 3), enter_sends: true })),
  as(OWNER, "POST", "/realm/profile_fields", (n) => ({
    name: `Field ${n}`,
    hint: NAMES[n % 4],
    field_type: 1 + (n % 2),
  })),
  as(OWNER, "POST", "/realm/playgrounds", (n) => ({
    name: `Playground ${n}`,
    pygments_language: "Rust",
    url_template: "https://play.example.org/{code}",
  })),
  as(OWNER, "POST", "/realm/filters", (n) => ({
    pattern: `#${n}(?P<id>[0-9]+)`,
    url_template: "https://x.example/{id}",
  })),
  as(OWNER, "POST", "/realm/domains", (n) => ({ domain: `d${n}.example`, allow_subdomains: n % 2 === 0 })),
  as(OWNER, "POST", "/user_groups/create", (n) => ({
    name: `group ${n}`,
    description: "",
    members: [6, 9, 10 + (n % 3)],
  })),
  as(OWNER, "POST", "/channel_folders/create", (n) => ({ name: `Folder ${n}`, description: NAMES[n % 4] })),
  as(OWNER, "DELETE", "/users/13", () => ({})),
  as(OWNER, "POST", "/users/15/reactivate", () => ({})),
  as(OWNER, "PATCH", "/users/10", (n) => ({ role: [200, 300, 400, 600][n % 4] })),
  as(OWNER, "POST", "/navigation_views", () => ({ fragment: "narrow/is/starred", is_pinned: true, name: "Stars" })),
  as(MEMBER, "PATCH", "/settings", (n) => ({ timezone: ["Europe/Berlin", "Asia/Tokyo"][n % 2] })),
  as(MEMBER, "PATCH", "/settings", (n) => ({ email_address_visibility: [1, 4][n % 2] })),
  as(MEMBER, "DELETE", "/users/me/subscriptions", () => ({ subscriptions: ["general"] })),
  (sandbox, n) => uploadEmoji(sandbox, `dot_${n}`),
];

/** What a snapshot does not contain, as far as the API lets anybody create it. */
const LIFE: readonly Edit[] = [
  as(MEMBER, "PATCH", "/settings", () => ({ twenty_four_hour_time: true })),
  as(MEMBER, "DELETE", "/users/me/subscriptions", () => ({ subscriptions: ["sandbox"] })),
  as(MEMBER, "POST", "/users/me/subscriptions/properties", () => ({
    subscription_data: [{ stream_id: 1, property: "pin_to_top", value: true }],
  })),
  as(MEMBER, "POST", "/navigation_views", () => ({ fragment: "inbox", is_pinned: true })),
  as(OWNER, "POST", "/realm/profile_fields", () => ({ name: "Nickname", field_type: 1 })),
  async (sandbox) => {
    const { custom_fields } = await ask(sandbox, MEMBER, "GET", "/realm/profile_fields");
    const id = z
      .array(z.object({ id: z.int() }))
      .parse(custom_fields)
      .at(-1)?.id;
    await ask(sandbox, MEMBER, "PATCH", "/users/me/profile_data", { data: [{ id, value: "Smith" }] });
  },
  as(MEMBER, "POST", "/users/me/status", () => ({ status_text: "away from the anvil" })),
  as(MEMBER, "PATCH", "/settings", () => ({ email_address_visibility: 4 })),
  as(OWNER, "POST", "/bots", () => ({
    full_name: "Out",
    short_name: "out",
    bot_type: 3,
    payload_url: '"http://x.example"',
  })),
  as(OWNER, "POST", "/users/me/subscriptions", () => ({ subscriptions: [{ name: "anvil" }] })),
  as(OWNER, "POST", "/default_stream_groups/create", () => ({
    group_name: "Trades",
    description: "Where the work is",
    stream_names: ["anvil"],
  })),
];

describe.each(["recordings/realm.json", "recordings/level-384/realm.json"])("%s", (file) => {
  test("its snapshot makes a realm that gives the same answers, except for what a snapshot does not contain", async () => {
    const sandbox = started(recorded(file));
    expect((await compare(sandbox, await copyOf(sandbox))).unexplained).toEqual([]);
  });
});

test("every gap in the list exists", async () => {
  const sandbox = started(recorded("recordings/realm.json"));
  for (const edit of LIFE) await edit(sandbox, 1);
  const { unexplained, seen } = await compare(sandbox, await copyOf(sandbox));
  expect(unexplained).toEqual([]);
  expect([...seen].sort()).toEqual(SNAPSHOT_GAPS.map(({ what }) => what).sort());
});

test("random realms: the realm made from the snapshot gives the same answers and the same snapshot", async () => {
  const edits = fc.array(fc.tuple(fc.constantFrom(...EDITS), fc.nat({ max: 11 })), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(edits, fc.constantFrom(442, 477, 512), async (list, level) => {
      const sandbox = started(recorded("recordings/realm.json"), level);
      for (const [edit, n] of list) await edit(sandbox, n);
      const copy = await copyOf(sandbox);
      expect(snapshotText(await snapshotOf(copy, NOW_MS))).toBe(snapshotText(await snapshotOf(sandbox, NOW_MS)));
      expect((await compare(sandbox, copy)).unexplained).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

/** Everything in `part` is also in `whole`; lists must be complete. */
function holds(whole: unknown, part: unknown, path = ""): readonly string[] {
  if (Array.isArray(part) && Array.isArray(whole) && part.length === whole.length)
    return part.flatMap((each, place) => holds(whole[place], each, `${path}[${place}]`));
  if (isObject(part) && isObject(whole) && !Array.isArray(part) && !Array.isArray(whole)) {
    const [all, some] = [new Map(Object.entries(whole)), Object.entries(part)];
    return some.flatMap(([key, value]) => holds(all.get(key), value, `${path}.${key}`));
  }
  return JSON.stringify(whole) === JSON.stringify(part)
    ? []
    : [`${path}: ${JSON.stringify(part)} → ${JSON.stringify(whole)}`];
}

/** In the snapshot's format, which the base realm of the tests does not always follow. */
const sortedBy = <Row extends { readonly [key: string]: unknown }>(
  list: readonly Row[] | null,
  key: string,
): Row[] | null => list?.toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1)) ?? null;

test("random snapshots, including those of older versions: nothing in them is lost", async () => {
  await fc.assert(
    fc.asyncProperty(wholeRealm, async (overlay) => {
      const { domains, navigation_views, ...rest } = realmOf(overlay);
      const snapshot = {
        ...rest,
        domains: sortedBy(domains, "domain"),
        navigation_views: sortedBy(navigation_views, "fragment"),
      };
      // At a later time its invitations would have expired.
      const takenAtMs = Date.parse(snapshot.taken_at);
      const sandbox = started(snapshot, undefined, takenAtMs);
      sandbox.setUrl(snapshot.realm.url);
      const again = await snapshotOf(sandbox, takenAtMs);
      const { taken_at: _, permission_settings: __, settings, ...said } = snapshot;
      expect(holds({ ...again, settings: undefined }, said)).toEqual([]);
      // The base realm has level 442 and addresses of its own; each level shows its own settings, under one address.
      const kept = Object.entries(settings).filter(
        ([key, value]) => key in again.settings && !String(value).startsWith("http://localhost:9911"),
      );
      expect(kept.length).toBeGreaterThan(100);
      expect(holds(again.settings, Object.fromEntries(kept))).toEqual([]);
      const third = started(again, undefined, takenAtMs);
      third.setUrl(sandbox.url);
      expect(snapshotText(await snapshotOf(third, takenAtMs))).toBe(snapshotText(again));
    }),
    { numRuns: RUNS },
  );
});

describe("a snapshot of an older realmctl", () => {
  const old = () => {
    const snapshot = realmOf({ channels: [{ name: "general" }] });
    expect([snapshot.facts, snapshot.system_bots, snapshot.settings.user_settings_defaults]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    return started(snapshot);
  };
  test("register has every key of a recorded realm, of the same type", async () => {
    const params = { client_capabilities: CAPABILITIES };
    const [a, b] = [
      await ask(started(recorded("recordings/realm.json")), OWNER, "POST", "/register", params),
      await ask(old(), OWNER, "POST", "/register", params),
    ];
    const kind = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);
    const kinds = (answer: JsonObject) =>
      Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, kind(value)]));
    // No server says of which organization it is a copy.
    const { realmctl_sandbox_of: _, ...received } = kinds(b);
    expect(received).toEqual(kinds(a));
    for (const key of ["user_settings", "realm_user_settings_defaults"])
      expect(Object.keys(Object(b[key])).sort()).toEqual(Object.keys(Object(a[key])).sort());
  });
  test("the server's bots have the same ids as on every server", async () => {
    const { cross_realm_bots } = await ask(old(), OWNER, "POST", "/register", { fetch_event_types: ["realm_user"] });
    const bots = isList(cross_realm_bots) ? cross_realm_bots.map((bot) => Object(bot)) : [];
    expect(bots.map(({ user_id, email }) => [user_id, email])).toEqual([
      [1, "emailgateway@zulip.com"],
      [4, "notification-bot@zulip.com"],
      [5, "welcome-bot@zulip.com"],
    ]);
  });
  test.each<[method: string, path: string, params: object]>([
    ["POST", "/drafts", { drafts: [{ type: "", to: [], topic: "", content: "later" }] }],
    ["POST", "/typing", { op: "start", to: [9] }],
    ["GET", "/streams/101/email_address", { sender_id: 1 }],
  ])("%s %s works as with the settings of a new account", async (method, path, params) => {
    expect(await ask(old(), OWNER, method, path, params)).toMatchObject({ result: "success" });
  });
});

test("an outgoing webhook bot from a snapshot posts nowhere until it gets a URL", async () => {
  const sandbox = started(recorded("recordings/realm.json"));
  const { user_id } = await ask(sandbox, OWNER, "POST", "/bots", {
    full_name: "Out",
    short_name: "out",
    bot_type: 3,
    payload_url: '"http://127.0.0.1:9/secret-token"',
  });
  const snapshot = snapshotText(await snapshotOf(sandbox, NOW_MS));
  expect(snapshot).not.toContain("secret-token");
  const copy = started(JSON.parse(snapshot));
  const services = async () => {
    const { realm_bots } = await ask(copy, OWNER, "POST", "/register", { fetch_event_types: ["realm_bot"] });
    const bots = isList(realm_bots) ? realm_bots.map((bot) => Object(bot)) : [];
    return bots.find((bot) => bot.user_id === user_id)?.services;
  };
  expect(await services()).toEqual([]);
  const service_payload_url = '"http://127.0.0.1:9/rehearsal"';
  expect(await ask(copy, OWNER, "PATCH", `/bots/${user_id}`, { service_payload_url })).toMatchObject({
    result: "success",
  });
  expect(await services()).toMatchObject([{ base_url: "http://127.0.0.1:9/rehearsal", interface: 1 }]);
});

test("docs/sandbox.md shows the list of what a snapshot does not contain", () => {
  const manual = readFileSync(new URL("../docs/sandbox.md", import.meta.url), "utf8");
  const rows = SNAPSHOT_GAPS.map(({ what, startsAs, because }) => `| ${what} | ${startsAs} | ${because} |\n`);
  expect(manual).toContain(`| --- | --- | --- |\n${rows.join("")}\n`);
});

describe("an organization from a snapshot starts with one message for everybody", () => {
  const TEXT = expect.stringContaining("This is a sandbox.");
  const read = (sandbox: Sandbox, as: string, method: string, path: string, params: object): Promise<JsonObject> => {
    const account = sandbox.accounts[as];
    if (account === undefined) throw new RangeError(`no account ${as}`);
    return askAs(sandbox, account, method, path, params);
  };
  const seen = async (sandbox: Sandbox, as: string): Promise<unknown> =>
    (await read(sandbox, as, "GET", "/messages", { anchor: "newest", num_before: 5, num_after: 0 })).messages;
  type Channels = Snapshot["channels"];
  test.each<[fact: string, change: (channels: Channels) => Channels]>([
    ["as it is", (channels) => channels],
    ["all channels are private", (channels) => channels.map((each) => ({ ...each, invite_only: true }))],
    ["all channels are archived", (channels) => channels.map((each) => ({ ...each, is_archived: true }))],
    ["there is no channel", () => []],
  ])("%s", async (_, change) => {
    const { channels, subscribers, ...rest } = await snapshotOf(started(recorded("recordings/realm.json")), 0);
    const changed = change(channels);
    const from = {
      ...rest,
      channels: changed,
      default_channels: [],
      subscribers: changed.length === 0 ? {} : subscribers,
    };
    const sandbox = createSandbox({ from });
    for (const as of ["ada@acme.example", "hana@acme.example", "ivo@partner.example", "deploy-bot@localhost"]) {
      expect(await seen(sandbox, as), as).toEqual([expect.objectContaining({ content: TEXT })]);
      const registered = await read(sandbox, as, "POST", "/register", { fetch_event_types: ["message"] });
      expect(registered.max_message_id).toBeGreaterThan(0);
    }
    const isPublic = changed.some(({ invite_only, is_archived }) => !invite_only && !is_archived);
    expect(await seen(sandbox, "ada@acme.example")).toEqual([
      expect.objectContaining(
        isPublic ? { type: "stream" } : { type: "private", sender_email: "welcome-bot@zulip.com" },
      ),
    ]);
  });
});
