import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";
import { defined } from "../model/defined.ts";
import type { JsonObject } from "../model/json.ts";
import { manualClock } from "./clock.ts";
import { endpoints, unservedEndpoints } from "./registry.ts";
import { createSandbox } from "./sandbox.ts";

/** What programs need that were written for real servers: signing in, files, addresses that they know, a first message. */
const RECORDED: JsonObject = JSON.parse(
  readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8"),
);
const start = (clock = manualClock(Date.UTC(2027, 0, 1)), featureLevel?: number) =>
  createSandbox({ from: RECORDED, clock, ...defined({ featureLevel }) });
type Started = ReturnType<typeof start>;
const basic = (sandbox: Started, as: string): { readonly authorization: string } => {
  const { email = "", api_key = "" } = sandbox.accounts[as] ?? {};
  return { authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
};
const api = (sandbox: Started, method: string, path: string, as?: string, body?: FormData | URLSearchParams) =>
  sandbox.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: as === undefined ? {} : basic(sandbox, as),
      ...(body === undefined ? {} : { body }),
    }),
  );

describe("a password is the account's key", () => {
  const sandbox = start();
  const { email = "", api_key = "", user_id } = sandbox.accounts.member ?? {};
  const wrong = { result: "error", code: "AUTHENTICATION_FAILED", msg: "Your username or password is incorrect" };
  test.each<[fact: string, username: string, password: string, status: number, body: JsonObject]>([
    ["the right one", email.toUpperCase(), api_key, 200, { api_key, email, user_id: user_id ?? 0 }],
    ["a wrong one", email, "hunter2", 401, wrong],
    ["nobody's address", "nobody@example.org", api_key, 401, wrong],
    ["a bot", sandbox.accounts.bot?.email ?? "", sandbox.accounts.bot?.api_key ?? "", 401, wrong],
    [
      "somebody who left",
      sandbox.accounts.deactivated?.email ?? "",
      sandbox.accounts.deactivated?.api_key ?? "",
      401,
      { result: "error", code: "USER_DEACTIVATED", msg: "Account is deactivated" },
    ],
  ])("%s", async (_fact, username, password, status, body) => {
    const response = await api(
      sandbox,
      "POST",
      "/fetch_api_key",
      undefined,
      new URLSearchParams({ username, password }),
    );
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });
});

describe("an uploaded file", () => {
  const uploaded = async (sandbox: Started, name: string, type: string) => {
    const form = new FormData();
    form.set("file", new File(["the text"], name, { type }));
    const { url }: { readonly url: string } = JSON.parse(
      await (await api(sandbox, "POST", "/user_uploads", "member", form)).text(),
    );
    return url;
  };
  const get = (sandbox: Started, path: string, headers: { readonly [name: string]: string } = {}) =>
    sandbox.fetch(new Request(`http://localhost${path}`, { headers }));

  test("is read by those who may see it, and by nobody else", async () => {
    const sandbox = start();
    const url = await uploaded(sandbox, "plan b.txt", "text/plain");
    const read = await get(sandbox, url, basic(sandbox, "member"));
    expect([read.status, read.headers.get("content-type"), await read.text()]).toEqual([200, "text/plain", "the text"]);
    expect((await get(sandbox, url, basic(sandbox, "member2"))).status).toBe(403);
    expect((await get(sandbox, url)).status).toBe(403);
    expect((await get(sandbox, url, { authorization: "Basic bm9ib2R5OngK" })).status).toBe(401);
    expect((await get(sandbox, `${url}x`, basic(sandbox, "member"))).status).toBe(404);
  });
  test("is read by those whose key its address has", async () => {
    const sandbox = start();
    const url = await uploaded(sandbox, "a.txt", "text/plain");
    const asked = async (api_key: string, headers = {}) => {
      const read = await get(sandbox, `${url}?${new URLSearchParams({ api_key })}`, headers);
      return [read.status, /"msg":"([^"]*)"/.exec(await read.text())?.[1]];
    };
    const keyOf = (name: string) => sandbox.accounts[name]?.api_key ?? "";
    expect(await asked(keyOf("member"))).toEqual([200, undefined]);
    expect(await asked(keyOf("member2"))).toEqual([403, undefined]);
    expect(await asked(keyOf("deactivated"))).toEqual([401, "Account is deactivated"]);
    expect(await asked(keyOf("webhookbot"))).toEqual([401, "This API is not available to incoming webhook bots."]);
    expect(await asked("")).toEqual([401, "Malformed API key"]);
    expect(await asked("x".repeat(32))).toEqual([401, "Invalid API key"]);
    // The header counts, if there is one.
    expect(await asked(keyOf("member"), basic(sandbox, "member2"))).toEqual([403, undefined]);
    expect((await get(sandbox, `/api/v1${url}?api_key=${keyOf("member")}`)).status).toBe(200);
  });
  test("is read by everybody for one minute at its temporary address", async () => {
    const clock = manualClock(Date.UTC(2027, 0, 1));
    const sandbox = start(clock);
    const [url, other] = [
      await uploaded(sandbox, "a.html", "text/html"),
      await uploaded(sandbox, "b.txt", "text/plain"),
    ];
    const answer: { readonly url: string } = JSON.parse(await (await api(sandbox, "GET", url, "member")).text());
    const read = await get(sandbox, answer.url);
    expect([read.status, await read.text()]).toEqual([200, "the text"]);
    expect(read.headers.get("content-disposition")).toMatch(/^attachment;/);
    // Neither another file nor another time can be written into the address.
    const token = Buffer.from(answer.url.split("/")[3] ?? "", "hex").toString();
    for (const forged of [
      token.replace(/ \d+\/.*$/, ` ${other.replace("/user_uploads/", "")}`),
      token.replace(/^\d+/, "9999999999"),
    ])
      expect((await get(sandbox, `/user_uploads/temporary/${Buffer.from(forged).toString("hex")}/a.html`)).status).toBe(
        404,
      );
    clock.advance(61_000);
    expect((await get(sandbox, answer.url)).status).toBe(404);
  });
});

describe("what only real servers have", () => {
  test.each(unservedEndpoints)("$method $path from level $level on", async ({ method, path, level }) => {
    const asked = path.replace(/\{[^}]*\}/g, "7");
    if (level > 0) {
      const before = await api(start(undefined, level - 1), method, asked, "member");
      expect([404, 405], "before, it is a wrong address").toContain(before.status);
    }
    const { status, body } = await testRealm(Math.max(level, 442)).call("member", method, asked);
    expect([status, body.code]).toEqual([501, "NOT_IN_SANDBOX"]);
    expect(body.documentation).toMatch(/^https:\/\/zulip\.com\/(?:api|help)\/[a-z-]+$/);
    expect(body.msg).toContain(String(body.documentation));
  });
  test.each([
    ["/avatar/6", "get-users"],
    ["/avatar/ada@acme.example/medium?version=2", "get-users"],
    ["/user_avatars/2/0123456789abcdef.png", "get-users"],
    ["/user_uploads/thumbnail/2/ab/cd/picture.png/840x560.webp", "message-formatting"],
    ["/user_uploads/download/2/ab/cd/a.txt", "get-file-temporary-url"],
    ["/static/images/static_avatars/welcome-bot.png", "get-server-settings"],
  ])("the file %s", async (path, page) => {
    const response = await start().fetch(new Request(`http://localhost${path}`));
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      code: "NOT_IN_SANDBOX",
      documentation: `https://zulip.com/api/${page}`,
    });
  });
  test("is not what the sandbox has, and other methods and addresses are answered as ever", async () => {
    const served = endpoints.filter((each) => !unservedEndpoints.includes(each)).map(({ path }) => path);
    expect(unservedEndpoints.filter(({ path }) => served.includes(path))).toEqual([]);
    const sandbox = start();
    expect((await api(sandbox, "PUT", "/saved_snippets", "member")).status).toBe(405);
    expect((await api(sandbox, "GET", "/saved_snipets", "member")).status).toBe(404);
    for (const wrong of ["/avatars/6", "/user_uploads/2/ab/thumbnail/x.png"])
      expect((await sandbox.fetch(new Request(`http://localhost${wrong}`))).status).toBe(404);
  });
});

test("server settings list every way of signing in, and buttons for those with another account", async () => {
  const methods = async (level: number, authentication_methods: JsonObject) =>
    (
      await testRealm(level, { realm_authentication_methods: authentication_methods }).call(
        "member",
        "GET",
        "/server_settings",
      )
    ).body;
  const on = { enabled: true, available: true };
  const known = await methods(442, { Email: { enabled: false, available: true }, GitHub: on, AzureAD: on });
  expect(known.authentication_methods).toMatchObject({
    github: true,
    azuread: true,
    email: false,
    google: false,
    saml: false,
  });
  expect(known.external_authentication_methods).toEqual([
    expect.objectContaining({
      name: "github",
      display_icon: expect.stringMatching(/^http.*github-icon.png$/),
      login_url: "/accounts/login/social/github",
    }),
    expect.objectContaining({ name: "azuread-oauth2", display_name: "AzureAD" }),
  ]);
  expect(known.authentication_methods).not.toHaveProperty("discord");
  expect((await methods(488, { Email: on })).authentication_methods).toHaveProperty("discord", false);
});

test.each([487, 488])("%i: POST /register has sign-in with Discord from 488 on, switched off", async (level) => {
  const sandbox = start(undefined, level);
  const answer = await api(sandbox, "POST", "/register?fetch_event_types=%5B%22realm%22%5D", "ada@acme.example");
  const { realm_authentication_methods: shown } = JSON.parse(await answer.text());
  expect(shown.Discord).toEqual(level < 488 ? undefined : { enabled: false, available: true });
});
