import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { error, html, json, scripted, success, type Turn } from "../../test/support/zulip/scripted.ts";
import { Failure } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { Realm } from "../model/realm.ts";
import { ALONGSIDE_LIMIT_MS } from "./connection.ts";
import { readSnapshot, readSnapshotFile, registerCall, snapshotText } from "./snapshot.ts";
import { TransportError } from "./transport.ts";

const Recorded = z.object({ register: z.record(z.string(), z.json()) });

/** The answers of a real server to POST /register. */
function recorded(file: string): JsonObject {
  const url = new URL(`../../test/recordings/${file}`, import.meta.url);
  return Recorded.parse(JSON.parse(readFileSync(url, "utf8"))).register;
}

const REGISTER: JsonObject = { ...recorded("realm.json"), queue_id: "q1" };
const NOTHING_MORE = { invites: false, subscribers: false };

async function snapshotOf(body: JsonObject, request = NOTHING_MORE, ...more: readonly Turn[]) {
  const { connection, clock, requests } = scripted([success(body), success(), ...more]);
  return { snapshot: await readSnapshot(connection, request, clock), requests };
}

/** The one diagnostic of the failure in which the reading ends. */
async function failureOf(turns: readonly Turn[], request = NOTHING_MORE) {
  const { connection, clock, requests } = scripted(turns);
  const failed = await readSnapshot(connection, request, clock).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(failed instanceof Failure)) throw new Error(`no Failure but ${String(failed)}`);
  return { exitCode: failed.exitCode, code: failed.diagnostics[0]?.code, message: failed.message, requests };
}

describe("the requests of a reading", () => {
  test("the whole realm in one request, never the bots with their keys", () => {
    const { operation, params } = registerCall(NOTHING_MORE);
    expect(operation).toBe("register-queue");
    expect(params).toMatchObject({
      fetch_event_types: [
        "realm",
        "realm_user",
        "realm_user_groups",
        "stream",
        "default_streams",
        "realm_linkifiers",
        "realm_domains",
        "realm_emoji",
        "realm_playgrounds",
        "custom_profile_fields",
        "realm_user_settings_defaults",
        "navigation_views",
        "channel_folders",
      ],
      client_capabilities: {
        notification_settings_null: true,
        linkifier_url_template: true,
        include_deactivated_groups: true,
        archived_channels: true,
      },
    });
    expect(params).not.toHaveProperty("include_subscribers");
  });

  test("the queue receives events for everything that is fetched, by the events' own names", () => {
    const { fetch_event_types, event_types } = registerCall({ invites: false, subscribers: true }).params;
    const own: { readonly [fetched: string]: string } = {
      realm_user_groups: "user_group",
      navigation_views: "navigation_view",
      channel_folders: "channel_folder",
    };
    const names = z.array(z.string()).parse(fetch_event_types);
    expect(event_types).toEqual(names.map((name) => own[name] ?? name));
  });
});

describe("a role that this version does not know", () => {
  test.each([
    { role: 50, counts: 100 },
    { role: 150, counts: 200 },
    { role: 201, counts: 300 },
    { role: 399, counts: 400 },
    { role: 500, counts: 600 },
    { role: 700, counts: 600 },
    { role: 400, counts: 400, isKnown: true },
  ])("$role counts as $counts", async ({ role, counts, isKnown = false }) => {
    const { user_id } = REGISTER;
    const users = z.array(z.record(z.string(), z.json())).parse(REGISTER.realm_users);
    const realm_users = users.map((each) => (each.user_id === user_id ? { ...each, role } : each));
    const { snapshot } = await snapshotOf({ ...REGISTER, realm_users }, { invites: false, subscribers: false });
    const shown = isKnown ? { role: counts } : { role: counts, unknown_role: role };
    expect(snapshot.account).toMatchObject(shown);
    expect(snapshot.users.find((each) => each.user_id === user_id)).toMatchObject(shown);
    expect(snapshot.users.filter((each) => "unknown_role" in each)).toHaveLength(isKnown ? 0 : 1);
  });
});

describe("the snapshot of a real server's answer", () => {
  test("level 442", async () => {
    const { snapshot } = await snapshotOf(REGISTER, { invites: false, subscribers: true });
    expect(snapshot.server).toEqual({ zulip_version: REGISTER.zulip_version, feature_level: 442 });
    expect(snapshot.realm.name).toBe(REGISTER.realm_name);
    expect(snapshot.account).toMatchObject({
      user_id: REGISTER.user_id,
      email: REGISTER.delivery_email,
      role: 100,
      is_bot: false,
    });
    expect(snapshot.users.filter((user) => !user.is_active)).toHaveLength(
      z.array(z.unknown()).parse(REGISTER.realm_non_active_users).length,
    );
    expect(snapshot.channels).toHaveLength(z.array(z.unknown()).parse(REGISTER.streams).length);
    expect(snapshot.channel_folders).toEqual([]);
    expect(snapshot.invites).toBeNull();
    expect(snapshot.settings.message_retention_days).toBe(-1);
    expect(snapshot.settings.max_stream_name_length).toBe(60);
    expect(snapshot.settings.server_web_public_streams_enabled).toBe(true);
    expect(Object.keys(snapshot.subscribers ?? {}).map(Number)).toEqual(
      snapshot.channels.map((channel) => channel.stream_id),
    );
    expect(snapshot.permission_settings?.stream.can_create_topic_group?.default_group_name).toBe("role:everyone");
    const realm = new Realm(snapshot);
    expect(realm.groupByName("role:owners")?.is_system_group).toBe(true);
    expect(realm.isOwner).toBe(true);
  });

  test("level 384: missing fields are null", async () => {
    const { snapshot } = await snapshotOf(recorded("level-384/realm.json"));
    expect(snapshot.server.feature_level).toBe(384);
    expect(snapshot.channel_folders).toBeNull();
    expect(snapshot.navigation_views).toBeNull();
    expect(snapshot.subscribers).toBeNull();
    expect(snapshot.linkifiers?.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
    expect(snapshot.channels[0]).not.toHaveProperty("folder_id");
  });

  test("below level 330, default channels are whole objects", async () => {
    const body = {
      ...REGISTER,
      zulip_feature_level: 325,
      realm_default_streams: [
        { stream_id: 3, name: "c" },
        { stream_id: 1, name: "a" },
      ],
    };
    expect((await snapshotOf(body)).snapshot.default_channels).toEqual([1, 3]);
  });

  test("below level 221, there are no rules for groups", async () => {
    const { server_supported_permission_settings: _, ...body } = REGISTER;
    expect((await snapshotOf(body)).snapshot.permission_settings).toBeNull();
  });

  test("unknown keys are ignored", async () => {
    const [channel] = z.array(z.record(z.string(), z.json())).parse(REGISTER.streams);
    const { snapshot } = await snapshotOf({
      ...REGISTER,
      brand_new: { a: 1 },
      streams: [{ ...channel, zebra: 1, apple: { direct_members: [9, 6], direct_subgroups: [] } }],
      realm_domains: [{ domain: "example.org", allow_subdomains: false, verified: true }],
    });
    expect(snapshot.channels[0]).toMatchObject({ zebra: 1, apple: { direct_members: [6, 9], direct_subgroups: [] } });
    expect(snapshot.domains).toEqual([{ domain: "example.org", allow_subdomains: false }]);
    expect(snapshotText(snapshot)).not.toContain("brand_new");
  });

  test("the order of the answer does not matter, except for linkifiers and folders", async () => {
    const sections = ["realm_users", "realm_non_active_users", "realm_user_groups", "streams", "subscriptions"];
    const turned = sections.map((key) => [key, z.array(z.json()).parse(REGISTER[key]).toReversed()] as const);
    const backwards = Object.fromEntries(Object.entries({ ...REGISTER, ...Object.fromEntries(turned) }).toReversed());
    const both = { invites: false, subscribers: true };
    const [one, other] = [await snapshotOf(REGISTER, both), await snapshotOf(backwards, both)];
    expect(snapshotText(other.snapshot)).toBe(snapshotText(one.snapshot));
    const linkifiers = [
      { id: 9, pattern: "b", url_template: "https://example.org/b" },
      { id: 2, pattern: "a", url_template: "https://example.org/a" },
    ];
    const { snapshot } = await snapshotOf({ ...REGISTER, realm_linkifiers: linkifiers });
    expect(snapshot.linkifiers?.map(({ id }) => id)).toEqual([9, 2]);
  });

  test("invitations without their links, e-mails before links", async () => {
    const { snapshot } = await snapshotOf(
      REGISTER,
      { invites: true, subscribers: false },
      success({
        invites: [
          {
            id: 1,
            is_multiuse: true,
            link_url: "https://chat.example.org/join/canary",
            invited_by_user_id: 6,
            invited: 5,
            expiry_date: null,
            invited_as: 400,
          },
          {
            id: 1,
            is_multiuse: false,
            email: "new@example.org",
            invited_by_user_id: 6,
            invited: 5,
            expiry_date: 9,
            invited_as: 600,
            notify_referrer_on_join: true,
          },
        ],
      }),
    );
    expect(snapshot.invites).toEqual([
      {
        id: 1,
        is_multiuse: false,
        email: "new@example.org",
        invited_by_user_id: 6,
        invited: 5,
        expiry_date: 9,
        invited_as: 600,
        notify_referrer_on_join: true,
      },
      {
        id: 1,
        is_multiuse: true,
        email: null,
        invited_by_user_id: 6,
        invited: 5,
        expiry_date: null,
        invited_as: 400,
        notify_referrer_on_join: null,
      },
    ]);
  });

  test("nobody's key, wherever a server may put it", async () => {
    const canary = "canary0canary0canary0canary0abcd";
    const { snapshot } = await snapshotOf({
      ...REGISTER,
      realm_bots: [{ user_id: 17, api_key: canary }],
      realm_embedded_bots: [{ name: "giphy", config: { key: canary } }],
      realm_gif_api_key: canary,
      server_push_secret: canary,
      realm_integrations: { chat: [{ token: canary, url: "https://example.org" }] },
      realm_users: z
        .array(z.record(z.string(), z.json()))
        .parse(REGISTER.realm_users)
        .map((user) => ({ ...user, api_key: canary })),
    });
    expect(snapshotText(snapshot)).not.toContain(canary);
    expect(Object.keys(snapshot.settings)).not.toContain("bots");
    expect(snapshot.settings.integrations).toEqual({ chat: [{ url: "https://example.org" }] });
  });
});

describe("the queue is closed", () => {
  test("while the snapshot is already in use; settled waits for it", async () => {
    let close = () => {};
    const closing = new Promise<void>((done) => {
      close = done;
    });
    const { connection, clock, requests } = scripted([success(REGISTER), () => closing.then(() => success())]);
    await readSnapshot(connection, NOTHING_MORE, clock);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    let settled = false;
    const settling = connection.settled().then(() => {
      settled = true;
    });
    await new Promise((turn) => setImmediate(turn));
    expect(settled).toBe(false);
    close();
    await settling;
    expect(settled).toBe(true);
  });

  test("without an answer, it is given up after five seconds", async () => {
    let isEnded = false;
    const { connection, clock } = scripted([
      success(REGISTER),
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            isEnded = true;
            reject(new TransportError("aborted", { is: "stopped" }, false));
          });
        }),
    ]);
    await readSnapshot(connection, NOTHING_MORE, clock);
    const settling = connection.settled();
    clock.advance(ALONGSIDE_LIMIT_MS - 1);
    expect(isEnded).toBe(false);
    clock.advance(1);
    await expect(settling).resolves.toBeUndefined();
    expect(isEnded).toBe(true);
    expect(clock.alarms()).toBe(0);
  });
});

describe("if the realm cannot be read", () => {
  const { realm_users: users } = REGISTER;
  const [user] = z.array(z.record(z.string(), z.json())).parse(users);
  test.each<[name: string, turns: readonly Turn[], code: string, exitCode: number, says: RegExp]>([
    ["wrong key", [error(401, "UNAUTHORIZED", "Invalid API key")], "zulip/unauthorized", 6, /Invalid API key/],
    [
      "wrong realm",
      [json(404, { result: "error", code: "NONEXISTENT_SUBDOMAIN", msg: "x" })],
      "zulip/no-realm",
      7,
      /no organization/,
    ],
    ["no Zulip", [html(404)], "zulip/not-zulip", 7, /not as a Zulip server/],
    [
      "too old",
      [success({ ...REGISTER, zulip_version: "9.4", zulip_feature_level: 277 }), success()],
      "zulip/too-old",
      7,
      /Zulip 9\.4 \(feature level 277\).*320/,
    ],
    [
      "older than levels",
      [success({ zulip_version: "2.1.7", queue_id: "q" }), success()],
      "zulip/too-old",
      7,
      /feature level 0/,
    ],
    ["a guest", [success({ ...REGISTER, is_guest: true }), success()], "zulip/guest", 6, /is a guest/],
    ["no version", [success({ queue_id: "q" }), success()], "zulip/unexpected-answer", 7, /zulip_version/],
    ["no channels", [success({ ...REGISTER, streams: null }), success()], "zulip/unexpected-answer", 7, /"streams"/],
    [
      "a role that is no number",
      [success({ ...REGISTER, realm_users: [user ?? {}, { ...user, user_id: 99, role: "member" }] }), success()],
      "zulip/unexpected-answer",
      7,
      /"realm_users\[1\]\.role"/,
    ],
    [
      "a person that is not an object",
      [success({ ...REGISTER, realm_users: [user ?? {}, 7] }), success()],
      "zulip/unexpected-answer",
      7,
      /"realm_users\[1\]\./,
    ],
    [
      "a name that is a number",
      [success({ ...REGISTER, realm_name: 5 }), success()],
      "zulip/unexpected-answer",
      7,
      /"realm\.name"/,
    ],
  ])("%s", async (_, turns, code, exitCode, says) => {
    const failed = await failureOf(turns);
    expect(failed).toMatchObject({ exitCode, code });
    expect(failed.message).toMatch(says);
  });

  test("a bot cannot see invitations: reported without a request", async () => {
    const body = { ...REGISTER, realm_users: [{ ...user, is_bot: true }] };
    const failed = await failureOf([success(body), success()], { invites: true, subscribers: false });
    expect(failed).toMatchObject({ exitCode: 6, code: "zulip/bots-see-no-invites" });
    expect(failed.requests).toHaveLength(2);
  });

  test("subscribers that are missing", async () => {
    const { subscriptions: _, ...body } = REGISTER;
    const failed = await failureOf([success(body), success()], { invites: false, subscribers: true });
    expect(failed).toMatchObject({
      code: "zulip/unexpected-answer",
      message: expect.stringContaining("subscriptions"),
    });
  });

  test("invitations that are not a list", async () => {
    const failed = await failureOf([success(REGISTER), success(), success({ invites: "none" })], {
      invites: true,
      subscribers: false,
    });
    expect(failed.code).toBe("zulip/unexpected-answer");
  });
});

describe("as a file", () => {
  test("a written snapshot is read again, with the same content", async () => {
    const { snapshot } = await snapshotOf(REGISTER, { invites: false, subscribers: true });
    const read = readSnapshotFile(snapshotText(snapshot), "live.json");
    expect(read.ok && read.value).toEqual(snapshot);
  });

  test("keys of rows that a later version may write are kept where the rows are as the server has them, and dropped elsewhere", async () => {
    const register = {
      ...REGISTER,
      realm_domains: [{ domain: "acme.example", allow_subdomains: false }],
      navigation_views: [{ fragment: "inbox", is_pinned: true, name: null }],
    };
    const invite = { id: 1, is_multiuse: false, email: "new@acme.example", invited: 1, invited_as: 400 };
    const invites = success({ invites: [{ ...invite, invited_by_user_id: 11, notify_referrer_on_join: true }] });
    const { snapshot } = await snapshotOf(register, { invites: true, subscribers: false }, invites);
    const withMore = [];
    const later: { [section: string]: unknown } = { ...snapshot, account: { ...snapshot.account, orbit: 7 } };
    for (const section of ["users", "user_groups", "channels", "domains", "navigation_views", "invites"] as const) {
      later[section] = snapshot[section]?.map((row) => ({ ...row, orbit: 7 }));
      if (snapshot[section]?.length !== 0) withMore.push(section);
    }
    expect(withMore).toHaveLength(6);
    const read = readSnapshotFile(JSON.stringify(later), "later.json");
    if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
    const kept = Object.entries(read.value).flatMap(([section, value]) =>
      JSON.stringify(value).includes("orbit") ? [section] : [],
    );
    expect(kept).toEqual(["user_groups", "channels"]);
  });

  test.each([
    { name: "a comma too many", text: '{\n  "a": 1,\n}\n', code: "snapshot/syntax", at: { line: 3, column: 1 } },
    { name: "empty", text: "", code: "snapshot/syntax", at: { line: 1, column: 1 } },
    { name: "something else", text: '{"steps":[]}', code: "snapshot/format", at: { line: 1 } },
    {
      name: "of a later realmctl",
      text: '{"format":"realmctl.snapshot","version":99}',
      code: "snapshot/version",
      at: { line: 1 },
    },
    { name: "incomplete", text: '{"format":"realmctl.snapshot","version":1}', code: "snapshot/field", at: { line: 1 } },
  ])("refused: $name", ({ text, code, at }) => {
    const read = readSnapshotFile(text, "live.json");
    expect(read.ok ? [] : read.diagnostics[0]).toMatchObject({ code, at: { file: "live.json", ...at } });
  });
});
