import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { type NetworkOptions, openNetwork } from "./network.ts";

/** Small images of Node have no openssl; .ci/run installs it, and there its absence is a failure. */
const possible = process.env.CI !== undefined || spawnSync("openssl", ["version"], { timeout: 10_000 }).status === 0;

/** A server with a self-signed certificate, and a proxy; key and certificate exist as long as this file runs. */
const directory = mkdtempSync(join(tmpdir(), "realmctl-certificates-"));
let certificate = "";
let server: Server;
let port = 0;
let proxy: HttpServer;
let proxyPort = 0;
let tunnels: string[] = [];
let verdict = "HTTP/1.1 200 Connection established\r\n\r\n";

beforeAll(async () => {
  if (!possible) return;
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "2"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...kind, "-keyout", key, "-out", cert, ...subject], {
    stdio: "pipe",
    timeout: 30_000,
  });
  certificate = readFileSync(cert, "utf8");
  server = createServer({ key: readFileSync(key), cert: certificate }, (_, response) => {
    response.setHeader("content-type", "application/json");
    response.writeHead(401).end('{"result":"error","msg":"Invalid API key","code":"UNAUTHORIZED"}');
  });
  proxy = createHttpServer();
  proxy.on("connect", (request, client) => {
    tunnels.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    client.on("error", () => {});
    client.write(verdict);
    if (!verdict.includes(" 200 ")) return client.end();
    const upstream = connect(port, "127.0.0.1", () => upstream.pipe(client).pipe(upstream));
    upstream.on("error", () => client.destroy());
  });
  port = await listening(server);
  proxyPort = await listening(proxy);
});

afterEach(() => {
  tunnels = [];
  verdict = "HTTP/1.1 200 Connection established\r\n\r\n";
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  if (!possible) return;
  server.closeAllConnections();
  proxy.closeAllConnections();
  await Promise.all([new Promise((done) => server.close(done)), new Promise((done) => proxy.close(done))]);
});

async function listening(one: Server | HttpServer): Promise<number> {
  await new Promise<void>((done) => one.listen(0, "127.0.0.1", done));
  const address: AddressInfo | string | null = one.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

/** Status of the answer, or the error. */
async function ask(options: NetworkOptions, host = "localhost") {
  const network = openNetwork(options);
  try {
    const url = `https://${host}:${port}/api/v1/users/me`;
    return (await network.send({ method: "GET", url, headers: { authorization: "Basic x" }, body: undefined })).status;
  } catch (error) {
    return error;
  } finally {
    await network.close();
  }
}

describe.runIf(possible)("a self-signed certificate", () => {
  test("is refused before anything is sent", async () => {
    expect(await ask({})).toMatchObject({ failure: "tls", neverSent: true });
  });
  test("is accepted with insecure", async () => {
    expect(await ask({ insecure: true })).toBe(401);
  });
  test("is accepted if the bundle contains it", async () => {
    expect(await ask({ certBundle: certificate })).toBe(401);
  });
  test("is refused for another host, bundle or not", async () => {
    expect(await ask({ certBundle: certificate }, "other.localhost")).toMatchObject({ neverSent: true });
  });
});

describe.runIf(possible)("the message for the user", () => {
  const run = (argv: readonly string[] = [], files: { readonly [path: string]: string } = {}) =>
    runCommandLine(["api", "get-own-user", ...argv], {
      env: { ZULIP_SITE: `https://localhost:${port}`, ZULIP_EMAIL: "kim@example.org", ZULIP_API_KEY: "0".repeat(32) },
      files,
    });

  test("says why it is refused, and what to do", async () => {
    const ran = await run();
    expect(ran.exitCode).toBe(7);
    expect(ran.err).toContain(`the connection to https://localhost:${port} is not safe: self-signed certificate`);
    expect(ran.err).toContain("--cert-bundle FILE");
  });
  test.each([
    { name: "--insecure", argv: ["--insecure"], files: {} },
    { name: "--cert-bundle", argv: ["--cert-bundle", "ca.pem"], files: { "ca.pem": "" } },
  ])("$name: the server's own answer", async ({ argv, files }) => {
    const given = Object.fromEntries(Object.keys(files).map((file) => [file, certificate]));
    const ran = await run(argv, given);
    expect(ran.exitCode).toBe(6);
    expect(ran.err).toContain("Invalid API key");
  });
});

describe.runIf(possible)("through a proxy", () => {
  const through = (more: { readonly url?: string; readonly except?: string } = {}) => ({
    proxy: { url: `http://127.0.0.1:${proxyPort}`, except: "", ...more },
  });

  test("the server's certificate is checked in the same way", async () => {
    expect(await ask({ ...through(), certBundle: certificate })).toBe(401);
    expect(tunnels).toEqual([`localhost:${port}`]);
    expect(await ask(through())).toMatchObject({ failure: "tls", neverSent: true });
  });
  test("name and password belong to the proxy", async () => {
    const url = `http://kim:secret@127.0.0.1:${proxyPort}`;
    expect(await ask({ ...through({ url }), certBundle: certificate })).toBe(401);
    expect(tunnels).toEqual([`localhost:${port} Basic ${Buffer.from("kim:secret").toString("base64")}`]);
  });
  test.each(["localhost", "*", "example.org,localhost"])(
    "is not used for %s, if that is an exception",
    async (except) => {
      expect(await ask({ ...through({ except }), certBundle: certificate })).toBe(401);
      expect(tunnels).toEqual([]);
    },
  );
  test("a proxy that refuses", async () => {
    verdict = "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n";
    expect(await ask(through())).toMatchObject({
      failure: "proxy",
      detail: "proxy-credentials",
      neverSent: true,
      message: expect.stringContaining("407"),
    });
  });
});
