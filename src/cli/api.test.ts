import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { error, html, json, noAnswer, success, TEST_KEY, type Turn } from "../../test/support/zulip/scripted.ts";
import { type HttpRequest, type Transport, TransportError } from "../zulip/transport.ts";

const env = { ZULIP_SITE: "https://chat.example.org", ZULIP_EMAIL: "kim@example.org", ZULIP_API_KEY: TEST_KEY };

/** A server that answers as scripted and remembers its requests. */
function server(...turns: readonly Turn[]): { readonly transport: Transport; readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    transport: async (request) => {
      const turn = turns[requests.length];
      requests.push(request);
      if (turn === undefined) throw new Error("one request too many");
      if (turn instanceof TransportError) throw turn;
      return typeof turn === "function" ? turn(request) : turn;
    },
  };
}

async function api(argv: readonly string[], ...turns: readonly Turn[]) {
  const { transport, requests } = server(...turns);
  return { ...(await runCommandLine(["api", ...argv], { env, transport })), requests };
}

describe("what is sent", () => {
  test.each<{ name: string; argv: readonly string[]; url: string; body?: string }>([
    {
      name: "--name value",
      argv: ["update-stream", "--stream_id", "3", "--description", "a & b"],
      url: "/api/v1/streams/3",
      body: "description=a+%26+b",
    },
    {
      name: "--name=value, with a dash",
      argv: ["update-stream", "--stream-id=3", "--new-name=--x"],
      url: "/api/v1/streams/3",
      body: "new_name=--x",
    },
    {
      name: "a flag alone",
      argv: ["update-stream", "--stream_id", "3", "--is_private"],
      url: "/api/v1/streams/3",
      body: "is_private=true",
    },
    {
      name: "a flag before another parameter",
      argv: ["update-stream", "--is_private", "--stream_id", "3"],
      url: "/api/v1/streams/3",
      body: "is_private=true",
    },
    {
      name: "a negative number",
      argv: ["update-realm", "--moderation_request_channel_id", "-1"],
      url: "/api/v1/realm",
      body: "moderation_request_channel_id=-1",
    },
    {
      name: "null",
      argv: ["update-stream", "--stream_id", "3", "--folder_id", "null"],
      url: "/api/v1/streams/3",
      body: "folder_id=null",
    },
    {
      name: "a word without quotes, sent with them",
      argv: ["update-stream", "--stream_id", "3", "--message_retention_days", "unlimited"],
      url: "/api/v1/streams/3",
      body: "message_retention_days=%22unlimited%22",
    },
    {
      name: "text that looks like a number",
      argv: ["update-stream", "--stream_id", "3", "--new_name", "2026"],
      url: "/api/v1/streams/3",
      body: "new_name=2026",
    },
    {
      name: "lists and objects as JSON",
      argv: ["update-stream", "--stream_id", "3", "--can_subscribe_group", '{"new":11}'],
      url: "/api/v1/streams/3",
      body: `can_subscribe_group=${encodeURIComponent('{"new":11}')}`,
    },
    {
      name: "a parameter whose name realmctl uses itself",
      argv: ["update-settings", "--param", "email=new@example.org"],
      url: "/api/v1/settings",
      body: "email=new%40example.org",
    },
    {
      name: "a read",
      argv: ["get-streams", "--include_all", "--exclude_archived", "false"],
      url: "/api/v1/streams?include_all=true&exclude_archived=false",
    },
  ])("$name", async ({ argv, url, body }) => {
    const ran = await api(argv, success());
    expect(ran.err).toBe("");
    expect(ran.exitCode).toBe(0);
    expect(ran.requests).toMatchObject([{ url: `https://chat.example.org${url}`, body }]);
  });
});

describe("errors are found before anything is sent", () => {
  test.each<{ argv: readonly string[]; says: readonly string[] }>([
    { argv: [], says: ["api/no-operation", "--list"] },
    { argv: ["update-streem"], says: ["api/unknown-operation", 'did you mean "update-stream"?'] },
    {
      argv: ["update-stream", "--stream_id", "3", "--descripton", "x"],
      says: ["api/unknown-parameter", 'did you mean "description"?'],
    },
    { argv: ["update-stream", "--stream_id", "three"], says: ["api/parameter-type", "whole number"] },
    { argv: ["update-stream"], says: ["api/missing-parameter", "stream_id"] },
    { argv: ["update-stream", "--stream_id"], says: ["api/no-value", "--stream_id=VALUE"] },
    {
      argv: ["update-stream", "--stream_id", "3", "--is_private", "yes"],
      says: ["api/parameter-type", "true or false"],
    },
    {
      argv: ["update-stream", "--stream_id", "3", "--topics_policy", "no"],
      says: ["api/parameter-type", "empty_topic_only"],
    },
    { argv: ["update-stream", "--stream_id", "3", "--stream-id", "4"], says: ["api/duplicate-parameter"] },
    { argv: ["update-stream", "3"], says: ["api/argument", '"3" belongs to no parameter'] },
    { argv: ["update-stream", "--stream_id", "3", "--toString", "x"], says: ["api/unknown-parameter"] },
    {
      argv: ["create-channel", "--name", "x", "--folder_id", "null", "--colour", "red"],
      says: [
        "api/missing-parameter",
        "subscribers",
        "api/parameter-type",
        "folder_id",
        "api/unknown-parameter",
        "colour",
      ],
    },
    { argv: ["zulip-outgoing-webhooks"], says: ["api/not-sent"] },
  ])("$argv", async ({ argv, says }) => {
    const ran = await api(argv);
    expect(ran.exitCode).toBe(1);
    expect(ran.out).toBe("");
    expect(ran.err).toContain("Nothing was sent.");
    for (const words of says) expect(ran.err).toContain(words);
  });
});

describe("the meaning of the answer", () => {
  const write = ["update-stream", "--stream_id", "3", "--description", "x"];
  test.each<{ name: string; argv?: readonly string[]; turns: readonly Turn[]; exitCode: number; says?: string }>([
    { name: "success", turns: [success()], exitCode: 0 },
    {
      name: "refused",
      turns: [error(400, "BAD_REQUEST", "Invalid channel ID")],
      exitCode: 1,
      says: "Invalid channel ID (BAD_REQUEST)",
    },
    {
      name: "not allowed",
      turns: [error(400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner")],
      exitCode: 6,
      says: "api/refused",
    },
    {
      name: "wrong key",
      turns: [error(401, "UNAUTHORIZED", "Invalid API key")],
      exitCode: 6,
      says: "zulip/unauthorized",
    },
    {
      name: "changed meanwhile",
      turns: [error(400, "EXPECTATION_MISMATCH", "x", { field_name: "old" })],
      exitCode: 4,
      says: "api/refused",
    },
    {
      name: "parameter too new",
      turns: [success({ ignored_parameters_unsupported: ["folder_id"] })],
      exitCode: 5,
      says: "error[api/ignored]: the server does not know folder_id",
    },
    {
      name: "lost answer",
      turns: [noAnswer("broken-off", false)],
      exitCode: 7,
      says: "error[api/fate-unknown]: it is not known whether the server carried out update-stream",
    },
    { name: "broken gateway", turns: [html(502)], exitCode: 7, says: "re-read the channel" },
    {
      name: "broken server",
      turns: [json(500, { result: "error", msg: "Internal server error" })],
      exitCode: 7,
      says: "it is not known",
    },
    { name: "never sent", turns: [noAnswer("tls", true)], exitCode: 7, says: "zulip/tls" },
    {
      name: "a read can simply be repeated",
      argv: ["get-streams"],
      turns: [html(502), success({ streams: [] })],
      exitCode: 0,
    },
  ])("$name", async ({ argv = write, turns, exitCode, says }) => {
    const ran = await api(argv, ...turns);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.requests).toHaveLength(turns.length);
    if (says === undefined) expect(ran.err).toBe("");
    else expect(ran.err).toContain(says);
    expect(ran.err).not.toContain("Nothing was sent");
  });

  test("the answer is printed as it came, keys masked", async () => {
    const ran = await api(
      ["register-queue"],
      success({ queue_id: "q", realm_bots: [{ user_id: 4, api_key: "secret-of-a-bot" }] }),
    );
    expect(JSON.parse(ran.out)).toEqual({
      result: "success",
      msg: "",
      queue_id: "q",
      realm_bots: [{ user_id: 4, api_key: "********" }],
    });
  });

  test("an invitation link that was requested is shown", async () => {
    const ran = await api(["create-invite-link"], success({ invite_link: "https://chat.example.org/join/abc" }));
    expect(ran.out).toContain("https://chat.example.org/join/abc");
  });

  test("control characters in the answer have no effect in a terminal", async () => {
    const ran = await api(["get-streams"], success({ streams: [{ name: "\u001b[2Jx\u202e" }] }));
    for (const character of ["\u001b", "\u202e"]) expect(ran.out).not.toContain(character);
    expect(JSON.parse(ran.out)).toMatchObject({ streams: [{ name: "\u001b[2Jx\u202e" }] });
  });
});

describe("--dry-run", () => {
  test.each([
    {
      argv: ["update-stream", "--stream_id", "3", "--description", "it's", "--topics_policy", "inherit"],
      curl: `curl -sS -X PATCH 'https://chat.example.org/api/v1/streams/3' \\
  -u 'kim@example.org:********' \\
  -H 'Accept-Language: en' \\
  --data-urlencode 'description=it'\\''s' \\
  --data-urlencode 'topics_policy=inherit'
`,
    },
    {
      argv: ["unsubscribe", "--subscriptions", '["a"]'],
      curl: `curl -sS -G -X DELETE 'https://chat.example.org/api/v1/users/me/subscriptions' \\
  -u 'kim@example.org:********' \\
  -H 'Accept-Language: en' \\
  --data-urlencode 'subscriptions=["a"]'
`,
    },
    {
      argv: ["update-settings", "--old_password", "hunter2", "--new_password", "hunter3"],
      curl: `curl -sS -X PATCH 'https://chat.example.org/api/v1/settings' \\
  -u 'kim@example.org:********' \\
  -H 'Accept-Language: en' \\
  --data-urlencode 'old_password=********' \\
  --data-urlencode 'new_password=********'
`,
    },
  ])("$argv", async ({ argv, curl }) => {
    const ran = await api([...argv, "--dry-run"]);
    expect(ran.out).toBe(curl);
    expect(ran.exitCode).toBe(0);
    expect(ran.requests).toEqual([]);
  });
});

describe("--list", () => {
  test("every operation, without credentials", async () => {
    const ran = await runCommandLine(["api", "--list"]);
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toMatch(/^update-stream +PATCH +\/streams\/\{stream_id\}$/m);
    expect(ran.out).toMatch(/^reorder-linkifiers +PATCH +\/realm\/linkifiers$/m);
  });

  test("the parameters of one", async () => {
    const ran = await runCommandLine(["api", "update-stream", "--list"]);
    expect(ran.out).toContain("--stream_id  (required)");
    expect(ran.out).toContain("--folder_id  (since feature level 389)");
    expect(ran.out).toContain("a whole number or null");
  });

  test("an unknown operation", async () => {
    const ran = await runCommandLine(["api", "--list", "update-strem"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.err).toContain('did you mean "update-stream"?');
  });
});

test("--verbose traces without query, form or key", async () => {
  const ran = await api(["unsubscribe", "--verbose", "--subscriptions", '["closed-room"]'], success());
  expect(ran.err).toBe("DELETE /api/v1/users/me/subscriptions → 200 in 0 ms\n");
  const wrong = await api(["get-streams", "--verbose"], error(401, "UNAUTHORIZED", "Invalid API key"));
  for (const text of [ran.err, ran.out, wrong.err, wrong.out]) {
    expect(text).not.toContain(TEST_KEY);
    expect(text).not.toContain("closed-room");
  }
});

test.each([
  ["nowhere.png", "api/cannot-read"],
  ["notes.png", "api/no-image"],
])("a picture to upload, %s: %s, and nothing is sent", async (file, code) => {
  const { transport, requests } = server();
  const argv = ["api", "upload-custom-emoji", "--emoji_name", "wave", "--file", file];
  const ran = await runCommandLine(argv, { env, transport, files: { "notes.png": "no picture" } });
  expect(ran.err).toContain(`error[${code}]`);
  expect([ran.exitCode, requests]).toEqual([1, []]);
});

test("missing credentials are reported at once, with advice", async () => {
  const ran = await runCommandLine(["api", "get-streams"]);
  expect(ran.exitCode).toBe(6);
  expect(ran.err).toContain("credentials/missing");
  expect(ran.err).toContain("ZULIP_API_KEY");
});

test("a line of a zuliprc is named, never quoted", async () => {
  const zuliprc = `[api]\nemail=kim@example.org\nkey=${TEST_KEY}x\nsite=https://chat.example.org\n`;
  const ran = await runCommandLine(["api", "get-streams", "--zuliprc", "rc"], { files: { rc: zuliprc } });
  expect(ran.exitCode).toBe(6);
  expect(ran.err).toContain("rc:3");
  expect(ran.err).not.toContain(TEST_KEY);
});
