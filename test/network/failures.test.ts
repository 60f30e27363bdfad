import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createNetServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/test-io.ts";
import { EXIT, type ExitCode } from "../../src/model/diagnostic.ts";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { asTransportError } from "../../src/zulip/network-errors.ts";
import { troubleFailure } from "../../src/zulip/network-failures.ts";
import { scripted } from "../../src/zulip/test-connection.ts";
import { type Certificate, certificateFor, hasOpenssl, type Listening, listen } from "../support/tls.ts";

// Everything that stands between a person and their organization, with a real socket at its end. Each message names the place, says
// what happened, and shows a way out that fits just that.
const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const listening = await listen(server, () => server.closeAllConnections());
  open.push(listening);
  return `http://localhost:${listening.port}`;
}

async function speaking(greet: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    greet(socket);
  });
  const listening = await listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
  open.push(listening);
  return `http://localhost:${listening.port}`;
}

async function secure(certificate: Certificate): Promise<number> {
  const server = createTlsServer(certificate, (_, response) => response.end("{}"));
  server.on("tlsClientError", () => {});
  const listening = await listen(server, () => server.closeAllConnections());
  open.push(listening);
  return listening.port;
}

async function plan(site: string, argv: readonly string[] = [], files: { readonly [path: string]: string } = {}) {
  const ran = await runCommandLine(["plan", ...argv], {
    env: {
      ZULIP_SITE: site,
      ZULIP_EMAIL: "kim@example.org",
      ZULIP_API_KEY: "0123456789abcdef".repeat(2),
      COLUMNS: "140",
    },
    files: { "realm.yaml": "version: 1\nchannels: {}\n", ...files },
  });
  return { ...ran, said: ran.err.replace(/\s+/g, " ") };
}

interface Expected {
  readonly code: string;
  readonly says: RegExp;
  /** The way out. */
  readonly hint: RegExp;
  readonly never?: RegExp;
  readonly exitCode?: ExitCode;
}

async function expectMessage(
  site: string,
  expected: Expected,
  argv?: readonly string[],
  files?: { readonly [path: string]: string },
) {
  const { exitCode, said, out } = await plan(site, argv, files);
  const { code, says, hint, never, exitCode: wanted = EXIT.unreachable } = expected;
  expect({ exitCode, out }).toEqual({ exitCode: wanted, out: "" });
  expect(said).toContain(`error[${code}]: `);
  const [message = "", ways = ""] = said.split(" = ");
  expect(message).toContain(new URL(site).hostname);
  expect(message).toMatch(says);
  expect(ways).toMatch(hint);
  if (never !== undefined) expect(said).not.toMatch(never);
  expect(said).not.toMatch(/\bat \S+\.[jt]s:|undefined|\[object/);
  expect(said).toMatch(/1 error\. Nothing was (changed|sent)\. $/);
}

const to =
  (status: number, location?: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, location === undefined ? {} : { location }).end();
const page =
  (status: number, headers: { readonly [name: string]: string } = {}, text = "<html>No.</html>"): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(text);

const HTTP: readonly (Expected & { readonly name: string; readonly listener: RequestListener })[] = [
  {
    name: "a redirect to the sign-in page of the same address",
    listener: to(302, "/login/?next=/api/v1/register"),
    code: "zulip/redirect",
    says: /redirects requests to \/login\/; realmctl does not follow/,
    hint: /single sign-on in front of the server is the usual reason: .*\/api\//,
    never: /next=|write site=/,
  },
  {
    name: "a redirect to somebody who signs people in",
    listener: to(302, "https://idp.example.org/saml2/sso?SAMLRequest=abc"),
    code: "zulip/redirect",
    says: /redirects requests to https:\/\/idp\.example\.org\/saml2\/sso;/,
    hint: /single sign-on in front of the server/,
    never: /SAMLRequest/,
  },
  {
    name: "a redirect to where the organization is now",
    listener: (request, response) =>
      response.writeHead(308, { location: `https://chat.example.org${request.url}` }).end(),
    code: "zulip/redirect",
    says: /redirects requests to https:\/\/chat\.example\.org\/api\/v1\/register;/,
    hint: /write site=https:\/\/chat\.example\.org( |$)/,
    never: /single sign-on/,
  },
  {
    name: "a redirect to where the organization is now, below a directory",
    listener: (request, response) => response.writeHead(301, { location: `/zulip${request.url}` }).end(),
    code: "zulip/redirect",
    says: /redirects requests to \/zulip\/api\/v1\/register;/,
    hint: /write site=http:\/\/localhost:\d+\/zulip( |$)/,
  },
  {
    name: "a redirect to another host, nobody knows why",
    listener: to(302, "https://www.example.org/welcome"),
    code: "zulip/redirect",
    says: /to https:\/\/www\.example\.org\/welcome;/,
    hint: /usual reason; if that is your organization, write site=https:\/\/www\.example\.org/,
  },
  {
    name: "a redirect within the address",
    listener: to(302, "/welcome"),
    code: "zulip/redirect",
    says: /to \/welcome;/,
    hint: /the API is not at this address/,
  },
  {
    name: "a redirect without an address",
    listener: to(302),
    code: "zulip/redirect",
    says: /not to an address \(HTTP 302\)/,
    hint: /check the organization's address/,
  },
  {
    name: "a redirect to no address",
    listener: to(302, "https://[nowhere"),
    code: "zulip/redirect",
    says: /not to an address/,
    hint: /check the organization's address/,
  },
  {
    name: "a redirect to an address of 10 KB",
    listener: to(302, `/${"x".repeat(10_000)}`),
    code: "zulip/redirect",
    says: /to \/[x ]{100,210}…;/,
    hint: /check it/,
  },
  {
    name: "401 of a proxy that wants a password of its own",
    listener: page(401, { "www-authenticate": 'Basic realm="Intranet"', server: "nginx" }),
    code: "zulip/turned-away",
    says: /something in front of .* wants a sign-in of its own \(HTTP 401, a page, from "nginx"\)/,
    hint: /a proxy, a firewall or single sign-on does this.*\/api\//,
    never: /check the organization's address|API key/,
  },
  {
    name: "403 of a firewall",
    listener: page(403, { server: "cloudflare" }),
    code: "zulip/turned-away",
    says: /does not let the request through \(HTTP 403, a page, from "cloudflare"\)/,
    hint: /use a network that is allowed \(VPN\)/,
    never: /check the organization's address/,
  },
  {
    name: "407 of a proxy that nobody named",
    listener: page(407),
    code: "zulip/turned-away",
    says: /HTTP 407/,
    hint: /ask its administrator/,
  },
  {
    name: "451",
    listener: page(451),
    code: "zulip/turned-away",
    says: /HTTP 451/,
    hint: /ask its administrator/,
  },
  {
    name: "511 of a hotel",
    listener: page(511),
    code: "zulip/turned-away",
    says: /wants a sign-in of its own \(HTTP 511/,
    hint: /a network that is allowed/,
  },
  {
    name: "200 with a sign-in page",
    listener: page(200, {}, '<form><input name="p" type="password"></form>'),
    code: "zulip/turned-away",
    says: /wants a sign-in of its own \(HTTP 200/,
    hint: /single sign-on/,
  },
  {
    name: "413",
    listener: page(413),
    code: "zulip/turned-away",
    says: /finds the request too large \(HTTP 413/,
    hint: /client_max_body_size/,
  },
  {
    name: "404 with a page",
    listener: page(404, { server: "Apache" }),
    code: "zulip/not-zulip",
    says: /not as a Zulip server does \(HTTP 404, not JSON of its API, from "Apache"\)/,
    hint: /check the organization's address/,
  },
  {
    name: "200 with a page",
    listener: page(200),
    code: "zulip/not-zulip",
    says: /HTTP 200, not JSON/,
    hint: /check the organization's address/,
  },
  { name: "200 with nothing", listener: page(200, {}, ""), code: "zulip/not-zulip", says: /HTTP 200/, hint: /check/ },
  {
    name: "JSON of somebody else",
    listener: page(200, {}, '{"hello": 1}'),
    code: "zulip/not-zulip",
    says: /HTTP 200/,
    hint: /check/,
  },
  {
    name: "an answer packed as nobody asked for",
    listener: page(200, { "content-encoding": "br" }, "\u0001\u0002"),
    code: "zulip/not-zulip",
    says: /HTTP 200/,
    hint: /check/,
  },
  {
    name: "a program's name with a terminal's commands in it",
    listener: page(403, { server: "evil\u009b31mred" }),
    code: "zulip/turned-away",
    says: /from "evil\\u009b31mred"/,
    hint: /ask/,
  },
  {
    name: "plain http where https is wanted",
    listener: page(400, {}, "<html>400 The plain HTTP request was sent to HTTPS port</html>"),
    code: "zulip/not-zulip",
    says: /wants https at this port/,
    hint: /write https:\/\/localhost:\d+/,
  },
  {
    name: "500",
    listener: page(500),
    code: "zulip/server-error",
    says: /fails with HTTP 500/,
    hint: /in its logs; nothing was changed/,
  },
  {
    name: "502",
    listener: page(502),
    code: "zulip/server-error",
    says: /the proxy in front of .* gets no answer from Zulip \(HTTP 502\)/,
    hint: /may be restarting/,
  },
  {
    name: "503",
    listener: page(503),
    code: "zulip/server-error",
    says: /busy, or being upgraded/,
    hint: /try again in some minutes/,
  },
  {
    name: "504",
    listener: page(504),
    code: "zulip/server-error",
    says: /gets no answer from Zulip \(HTTP 504\)/,
    hint: /may be restarting/,
  },
  {
    name: "429 for ever",
    listener: page(429),
    code: "zulip/rate-limited",
    says: /keeps refusing requests/,
    hint: /try again later/,
  },
  {
    name: "a bomb of gzip",
    listener: (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB),
    code: "zulip/too-large",
    says: /is too large: it is larger than 64 MiB/,
    hint: /check the address/,
  },
  {
    name: "200,000 lists in each other",
    listener: page(200, {}, `{"result":"success","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`),
    code: "zulip/unexpected-answer",
    says: /something that no Zulip server sends: it nests deeper than 100 levels/,
    hint: /the answer was not used/,
  },
  {
    name: "a refusal of five million characters",
    listener: page(400, {}, JSON.stringify({ result: "error", code: "BAD_REQUEST", msg: "no ".repeat(1_700_000) })),
    code: "zulip/unexpected-answer",
    says: /it refuses with more than 100,000 characters \(HTTP 400\)/,
    hint: /check the organization's address/,
  },
  {
    name: "the server's own no",
    listener: page(401, {}, '{"result":"error","code":"UNAUTHORIZED","msg":"Invalid API key"}'),
    code: "zulip/unauthorized",
    says: /refuses the credentials of kim@example\.org: Invalid API key/,
    hint: /ZULIP_EMAIL.*ZULIP_API_KEY/,
    exitCode: EXIT.notAllowed,
  },
  {
    name: "no such organization",
    listener: page(404, {}, '{"result":"error","code":"NONEXISTENT_SUBDOMAIN","msg":"Subdomain does not exist"}'),
    code: "zulip/no-realm",
    says: /there is no organization at/,
    hint: /has other organizations/,
  },
];
const BOMB = gzipSync(Buffer.alloc(70 * 2 ** 20, " "));

describe("what answers, and not as it should", () => {
  test.each(HTTP)("$name", async ({ listener, ...expected }) => {
    await expectMessage(await answering(listener), expected);
  });
});

const WIRE: readonly (Expected & { readonly name: string; readonly greet: (socket: Socket) => void })[] = [
  {
    name: "something that speaks no HTTP",
    greet: (socket) => socket.on("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n")),
    code: "zulip/unreachable",
    says: /cannot reach/,
    hint: /does not speak HTTP: check the port/,
  },
  {
    name: "something that speaks first",
    greet: (socket) => socket.end("220 mail.example.org ESMTP\r\n"),
    code: "zulip/unreachable",
    says: /cannot reach/,
    hint: /check .*port/,
  },
  {
    name: "a connection that ends at once",
    greet: (socket) => socket.destroy(),
    code: "zulip/unreachable",
    says: /cannot reach/,
    hint: /the connection broke/,
  },
  {
    name: "half an answer",
    greet: (socket) => socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")),
    code: "zulip/unreachable",
    says: /cannot reach/,
    hint: /the connection broke/,
  },
  {
    name: "heads without an end",
    greet: (socket) => socket.on("data", () => socket.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}`)),
    code: "zulip/unreachable",
    says: /cannot reach/,
    hint: /check/,
  },
];

describe("what is no server", () => {
  test.each(WIRE)("$name", async ({ greet, ...expected }) => {
    await expectMessage(await speaking(greet), expected);
  });

  test("nothing at this port of this machine", async () => {
    const site = await answering(() => {});
    await Promise.all(open.splice(0).map((one) => one.close()));
    await expectMessage(site, {
      code: "zulip/unreachable",
      says: /ECONNREFUSED/,
      hint: /nothing listens at this port of this machine/,
    });
  });

  test("https where plain http is spoken", async () => {
    const site = (await answering((_, response) => response.end())).replace("http:", "https:");
    await expectMessage(site, {
      code: "zulip/tls",
      says: /is not safe: what answers there does not speak https/,
      hint: /has the address http:\/\/localhost:\d+/,
      never: /cert-bundle/,
    });
  });
});

describe.runIf(hasOpenssl)("certificates", () => {
  const mine = hasOpenssl ? certificateFor("DNS:chat.example.org,DNS:a.example.org") : { key: "", cert: "" };
  const local = hasOpenssl ? certificateFor("DNS:localhost") : { key: "", cert: "" };

  test("one of nobody", async () => {
    await expectMessage(`https://localhost:${await secure(local)}`, {
      code: "zulip/tls",
      says: /is not safe: self-signed certificate/,
      hint: /--cert-bundle FILE/,
    });
  });

  test("one of somebody who is not in the bundle", async () => {
    const site = `https://localhost:${await secure(local)}`;
    const expected = {
      code: "zulip/tls",
      says: /is not safe: self-signed certificate/,
      hint: /none of the certificates in the bundle \(ca\.pem\) signed it: .*in place of the system's/,
      never: /--cert-bundle FILE/,
    };
    await expectMessage(site, expected, ["--cert-bundle", "ca.pem"], { "ca.pem": mine.cert });
  });

  test("one for other names: more certificates do not help", async () => {
    const site = `https://localhost:${await secure(mine)}`;
    const expected = {
      code: "zulip/tls",
      says: /its certificate is for chat\.example\.org, a\.example\.org, not for localhost/,
      hint: /write the address with a name that the certificate has/,
      never: /--cert-bundle/,
    };
    await expectMessage(site, expected, ["--cert-bundle", "ca.pem"], { "ca.pem": mine.cert });
  });
});

/** What no test can bring about on loopback, as Node and OpenSSL word it. */
describe("errors of the system", () => {
  const attempt = {
    signal: undefined,
    host: "chat.example.org",
    connectTimeoutMs: 10_000,
    maxResponseBytes: 64 * 2 ** 20,
  };
  const system = (code: string, syscall: string, message = `${syscall} ${code}`) =>
    Object.assign(new Error(message), { code, syscall });
  const openssl = (code: string, reason: string) =>
    Object.assign(
      new Error(`80BC5D:error:0A00045C:SSL routines:ssl3_read_bytes:${reason}:../deps/ssl.c:1605:SSL alert`),
      { code },
    );

  test.each<{ name: string; error: Error; says: RegExp; hint: RegExp; neverSent: boolean }>([
    {
      name: "no such name",
      error: system("ENOTFOUND", "getaddrinfo"),
      says: /there is no host "chat\.example\.org"/,
      hint: /letter by letter.*VPN/,
      neverSent: true,
    },
    {
      name: "names cannot be looked up",
      error: system("EAI_AGAIN", "getaddrinfo"),
      says: /EAI_AGAIN/,
      hint: /DNS/,
      neverSent: true,
    },
    {
      name: "no way there",
      error: system("ENETUNREACH", "connect"),
      says: /ENETUNREACH/,
      hint: /there is no route to this address/,
      neverSent: true,
    },
    {
      name: "a firewall that drops",
      error: system("ETIMEDOUT", "connect"),
      says: /no connection to chat\.example\.org within 10 s/,
      hint: /a firewall that drops packets looks like this/,
      neverSent: true,
    },
    {
      name: "a machine that forbids it",
      error: system("EPERM", "connect"),
      says: /EPERM/,
      hint: /this machine does not let programs connect/,
      neverSent: true,
    },
    {
      name: "several addresses, none of which answers",
      error: new AggregateError([system("ECONNREFUSED", "connect", "connect ECONNREFUSED ::1:443")], ""),
      says: /ECONNREFUSED ::1:443/,
      hint: /nothing listens at this port there/,
      neverSent: true,
    },
    {
      name: "reset in the middle",
      error: system("ECONNRESET", "read"),
      says: /ECONNRESET/,
      hint: /the connection broke/,
      neverSent: false,
    },
    {
      name: "an old certificate",
      error: openssl("CERT_HAS_EXPIRED", "certificate has expired"),
      says: /its certificate has expired/,
      hint: /this machine's clock.*renew the certificate$/,
      neverSent: true,
    },
    {
      name: "one of tomorrow",
      error: openssl("CERT_NOT_YET_VALID", "certificate is not yet valid"),
      says: /not valid yet/,
      hint: /this machine's clock/,
      neverSent: true,
    },
    {
      name: "one of ours that is missing",
      error: openssl("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tlsv13 alert certificate required"),
      says: /certificate required/,
      hint: /client_cert and client_cert_key/,
      neverSent: true,
    },
    {
      name: "another age of https",
      error: openssl("ERR_SSL_UNSUPPORTED_PROTOCOL", "unsupported protocol"),
      says: /unsupported protocol/,
      hint: /do not agree on a version of https/,
      neverSent: true,
    },
    {
      name: "a certificate for a thousand names",
      error: system(
        "ERR_TLS_CERT_ALTNAME_INVALID",
        "",
        `Hostname/IP does not match certificate's altnames: Host: chat.example.org. is not in the cert's altnames: ${Array.from({ length: 1000 }, (_, at) => `DNS:${at}.example.org`).join(", ")}`,
      ),
      says: /is for 0\.example\.org, 1\.example\.org, 2\.example\.org and others, not for chat\.example\.org$/,
      hint: /a name that the certificate has/,
      neverSent: true,
    },
  ])("$name", ({ error, says, hint, neverSent }) => {
    const { connection } = scripted([]);
    const found = asTransportError(error, attempt);
    expect(found.neverSent).toBe(neverSent);
    const [diagnostic] = troubleFailure(found, connection).diagnostics;
    if (diagnostic === undefined) throw new Error("no diagnostic");
    const shown = wordedDiagnostic(diagnostic);
    expect(shown.message).toContain("chat.example.org");
    expect(shown.message).toMatch(says);
    expect(shown.message.length).toBeLessThan(500);
    expect(shown.hint).toMatch(hint);
  });
});
