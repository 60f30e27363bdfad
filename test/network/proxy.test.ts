import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { start } from "../e2e/child.ts";
import { World } from "../e2e/world.ts";
import { certificateFor, hasOpenssl, type Listening, TunnelProxy, tlsFront } from "../support/tls.ts";

// Runs the bundle, as people do: only there can one see what a bundler does with a package that is imported late.
const HOST = "chat.acme.example";
const FILE = "version: 1\nchannels:\n  general: {description: Through the proxy}\n";

let world: World;
let front: Listening;
let proxy: TunnelProxy;
let guarded: TunnelProxy;
beforeAll(async () => {
  if (!hasOpenssl) return;
  world = await World.start();
  world.file("realm.yaml", FILE);
  const certificate = certificateFor(`DNS:${HOST},DNS:localhost`);
  writeFileSync(join(world.directory, "ca.pem"), certificate.cert);
  front = await tlsFront(certificate, () => world.url);
  proxy = await new TunnelProxy(() => front.port).start();
  guarded = await new TunnelProxy(() => front.port, "kim:p@ss:word/").start();
});
afterAll(async () => {
  if (!hasOpenssl) return;
  await Promise.all([proxy.end(), guarded.end()]);
  await front.close();
  await world.end();
});

async function realmctl(line: string, env: { readonly [name: string]: string }) {
  for (const one of [proxy, guarded]) one.tunnels.length = 0;
  const site = `https://${HOST}`;
  return start(world, line, { env: { ZULIP_SITE: site, ZULIP_CERT_BUNDLE: "ca.pem", ...env } }).ended;
}

describe.runIf(hasOpenssl)("the command line through a proxy", () => {
  test.each([
    { name: "https_proxy", at: () => `http://127.0.0.1:${proxy.port}` },
    { name: "HTTPS_PROXY", at: () => `127.0.0.1:${proxy.port}` },
    { name: "ALL_PROXY", at: () => `http://127.0.0.1:${proxy.port}/` },
  ])("$name: the proxy looks up the name, and https checks the server's own certificate", async ({ name, at }) => {
    const ran = await realmctl("plan", { [name]: at() });
    expect(ran).toMatchObject({ code: EXIT.done, err: "" });
    expect(ran.out).toContain("Through the proxy");
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:443`]));
    expect(proxy.plain).toEqual([]);
  });

  test("everything that apply sends goes through the proxy", { tags: "installed" }, async () => {
    const ran = await realmctl("apply --yes", { https_proxy: `http://127.0.0.1:${proxy.port}` });
    expect(ran).toMatchObject({ code: EXIT.done, err: "" });
    expect(world.channel("general").description).toBe("Through the proxy");
    expect(proxy.tunnels.length).toBeGreaterThan(0);
    world.sandbox.reset();
  });

  test("the proxy gets its name and password, decoded, and no other server sees them", async () => {
    const https_proxy = `http://kim:p%40ss%3Aword%2F@127.0.0.1:${guarded.port}`;
    const ran = await realmctl("plan --verbose", { https_proxy });
    expect(ran.code).toBe(EXIT.done);
    const basic = Buffer.from("kim:p@ss:word/").toString("base64");
    expect(new Set(guarded.tunnels)).toEqual(new Set([`${HOST}:443 Basic ${basic}`]));
    expect(ran.out + ran.err).not.toMatch(/p@ss|p%40ss/);
    expect(ran.out + ran.err).not.toContain(basic);
  });

  test.each([
    { name: "no password", url: () => `http://127.0.0.1:${guarded.port}` },
    { name: "another password", url: () => `http://kim:wrong@127.0.0.1:${guarded.port}` },
  ])("$name: the error says what is missing, and where it belongs", async ({ url }) => {
    const ran = await realmctl("plan", { https_proxy: url() });
    expect(ran.code).toBe(EXIT.unreachable);
    expect(ran.err).toContain(`error[zulip/proxy]: cannot reach https://${HOST}: the proxy 127.0.0.1:${guarded.port}`);
    expect(ran.err).toContain("HTTP 407");
    expect(ran.err).toContain("HTTPS_PROXY=http://name:password@");
    expect(ran.err).not.toContain("wrong@");
  });

  test("the error says whether the proxy refuses, the proxy is missing, or the server is missing", async () => {
    proxy.verdict = "HTTP/1.1 403 Forbidden\r\n\r\n";
    const refused = await realmctl("plan", { https_proxy: `http://127.0.0.1:${proxy.port}` });
    proxy.verdict = "HTTP/1.1 200 Connection established\r\n\r\n";
    expect(refused).toMatchObject({ code: EXIT.unreachable, err: expect.stringContaining("(HTTP 403)") });
    expect(refused.err).toContain(`(CONNECT ${HOST}:443)`);
    const gone = await realmctl("plan", { https_proxy: "http://127.0.0.1:9" });
    expect(gone).toMatchObject({ code: EXIT.unreachable });
    expect(gone.err.replace(/\s+/g, " ")).toContain("the proxy 127.0.0.1:9 cannot be reached: connect ECONNREFUSED");
  });

  test.each(["*", "localhost", "example.org, localhost", "localhost:PORT"])(
    "no_proxy=%s: the proxy is not used",
    async (no_proxy) => {
      const ran = await realmctl("plan", {
        ZULIP_SITE: `https://localhost:${front.port}`,
        https_proxy: `http://127.0.0.1:${proxy.port}`,
        no_proxy: no_proxy.replace("PORT", String(front.port)),
      });
      expect(ran).toMatchObject({ code: EXIT.done, err: "" });
      expect(proxy.tunnels).toEqual([]);
    },
  );

  test("a key never goes to a proxy unencrypted: plain http is only for this machine", async () => {
    const ran = await realmctl("plan", {
      ZULIP_SITE: world.url,
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      https_proxy: `http://127.0.0.1:${proxy.port}`,
    });
    expect(ran.code).toBe(EXIT.done);
    expect([proxy.tunnels, proxy.plain]).toEqual([[], []]);
  });
});
