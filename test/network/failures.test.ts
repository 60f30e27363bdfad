import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createNetServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { type Certificate, certificateFor, hasOpenssl, type Listening, listen } from "../support/tls.ts";
import { type Expected, HTTP } from "./wrong-answers.ts";

// Everything that can fail between a person and their organization, with a real socket at the end. Each message names the place, says what happened,
// and suggests what to do in exactly this case.
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

describe("a server with faulty answers", () => {
  test.each(HTTP)("$name", async ({ listener, ...expected }) => {
    await expectMessage(await answering(listener), expected);
  });
});

const WIRE: readonly (Expected & { readonly name: string; readonly greet: (socket: Socket) => void })[] = [
  {
    name: "a program that does not speak HTTP",
    greet: (socket) => socket.on("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n")),
    code: "zulip/unreachable",
    says: /cannot reach/,
    hint: /does not speak HTTP: check the port/,
  },
  {
    name: "a program that sends first",
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
    name: "headers without end",
    greet: (socket) => socket.on("data", () => socket.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}`)),
    code: "zulip/unreachable",
    says: /cannot reach/,
    hint: /check/,
  },
];

describe("a program that is not a Zulip server", () => {
  test.each(WIRE)("$name", async ({ greet, ...expected }) => {
    await expectMessage(await speaking(greet), expected);
  });

  test("nobody listens at this port of this machine", async () => {
    const site = await answering(() => {});
    await Promise.all(open.splice(0).map((one) => one.close()));
    await expectMessage(site, {
      code: "zulip/unreachable",
      says: /ECONNREFUSED/,
      hint: /nothing listens at this port of this machine/,
    });
  });

  test("https to a server that speaks plain http", async () => {
    const site = (await answering((_, response) => response.end())).replace("http:", "https:");
    await expectMessage(site, {
      code: "zulip/tls",
      says: /is not safe: the server there does not speak https/,
      hint: /has the address http:\/\/localhost:\d+/,
      never: /cert-bundle/,
    });
  });
});

describe.runIf(hasOpenssl)("certificates", () => {
  const mine = hasOpenssl ? certificateFor("DNS:chat.example.org,DNS:a.example.org") : { key: "", cert: "" };
  const local = hasOpenssl ? certificateFor("DNS:localhost") : { key: "", cert: "" };

  test("self-signed", async () => {
    await expectMessage(`https://localhost:${await secure(local)}`, {
      code: "zulip/tls",
      says: /is not safe: self-signed certificate/,
      hint: /--cert-bundle FILE/,
    });
  });

  test("signed by an authority that is not in the bundle", async () => {
    const site = `https://localhost:${await secure(local)}`;
    const expected = {
      code: "zulip/tls",
      says: /is not safe: self-signed certificate/,
      hint: /none of the certificates in the bundle \(ca\.pem\) signed it: .*instead of the system's/,
      never: /--cert-bundle FILE/,
    };
    await expectMessage(site, expected, ["--cert-bundle", "ca.pem"], { "ca.pem": mine.cert });
  });

  test("issued for other names: more certificates do not help", async () => {
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
