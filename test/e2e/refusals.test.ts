import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type RunOptions, worldOfTest, worldOfTests } from "./world.ts";

const FILE = "version: 1\nchannels:\n  announce: {description: News}\n";

const world = worldOfTests({ files: { "realm.yaml": FILE } });

/** Each command, and one message that says what is wrong and what to do; nothing is written, and there is no stack trace. */
async function refused(line: string, options: RunOptions, code: number, says: RegExp): Promise<void> {
  const ran = await world.realmctl(line, options);
  expect(ran.err).toMatch(says);
  expect(ran.err.match(/error\[/g)).toHaveLength(1);
  expect(ran.err).not.toMatch(/\n\s+at /);
  expect(ran).toMatchObject({ code, out: "" });
  expect(world.writes()).toEqual([]);
}

/** Of a server that says the same to every request, until the test ends. */
async function portOfServer(text: string): Promise<number> {
  const server = createServer((_, response) => response.end(text));
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const COMMANDS = ["plan", "apply --yes", "drift"] as const;

describe.each(COMMANDS)("%s", (line) => {
  test("wrong key", () =>
    refused(
      line,
      { env: { ZULIP_API_KEY: "x".repeat(32) } },
      EXIT.notAllowed,
      /error\[zulip\/[\w-]+\]: .*(key|credentials)/,
    ));

  test("an account that does not exist", () =>
    refused(line, { env: { ZULIP_EMAIL: "nobody@example.org" } }, EXIT.notAllowed, /error\[zulip\//));

  test("no server at the address", () =>
    refused(line, { env: { ZULIP_SITE: "http://127.0.0.1:1" } }, EXIT.unreachable, /127\.0\.0\.1:1/));

  test("no credentials", () => refused(line, { anonymous: true }, EXIT.notAllowed, /error\[credentials\/missing\]/));

  test("plain http to another machine", () =>
    refused(line, { env: { ZULIP_SITE: "http://chat.example.org" } }, EXIT.notAllowed, /error\[credentials\/site\]/));

  test("a guest's account", () => refused(line, { as: "guest" }, EXIT.notAllowed, /error\[zulip\/guest\]: .*guest/));

  test("a deactivated account", () => refused(line, { as: "deactivated" }, EXIT.notAllowed, /deactivated/));

  test("an account without the right", async () => {
    world.file("realm.yaml", "version: 1\nchannels:\n  general: {description: Mine}\n");
    // Drift and plan send nothing, so they report differences to every account.
    if (line === "drift") expect((await world.realmctl(line, { as: "member" })).code).toBe(EXIT.changesPending);
    else if (line === "plan") {
      const ran = await world.realmctl(line, { as: "member" });
      expect([ran.code, ran.out]).toEqual([EXIT.notAllowed, expect.stringContaining("error[channels/not-allowed]")]);
    } else
      await refused(line, { as: "member" }, EXIT.notAllowed, /error\[channels\/not-allowed\]: .*may\s+not administer/);
  });

  test("https to a server that speaks http", async () => {
    const env = { ZULIP_SITE: `https://127.0.0.1:${await portOfServer("hello")}` };
    await refused(line, { env }, EXIT.unreachable, /error\[zulip\/tls\]: .*is\s+not\s+safe:\s+the\s+server\s+there/);
  });

  test("a file for another realm", async () => {
    world.file("realm.yaml", `realm: https://chat.example.org\n${FILE}`);
    await refused(line, {}, EXIT.errors, /other-realm[\s\S]*https:\/\/chat\.example\.org[\s\S]*realm\.yaml:1:8/);
  });

  test("a server that is too old", async () => {
    const old = await worldOfTest({ level: 319 });
    old.file("realm.yaml", FILE);
    const ran = await old.realmctl(line);
    expect(ran.err).toMatch(/error\[zulip\/[\w-]+\]: .*319/);
    expect(ran).toMatchObject({ code: EXIT.unreachable, out: "" });
    expect(old.writes()).toEqual([]);
  });

  test("a server that is not Zulip", async () => {
    const env = { ZULIP_SITE: `http://127.0.0.1:${await portOfServer("<html>Welcome</html>")}` };
    await refused(line, { env }, EXIT.unreachable, /error\[zulip\/not-zulip\]/);
  });
});

test("no key in any trace", async () => {
  const key = world.credentials().ZULIP_API_KEY ?? "";
  const { err, out } = await world.realmctl("plan --verbose");
  expect(err).toContain("/api/v1/");
  expect(err + out).not.toContain(key);
  expect(err + out).not.toContain(Buffer.from(key).toString("base64").slice(0, 20));
});
