import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type Network, type NetworkOptions, openNetwork } from "./network.ts";
import { type HttpRequest, inProcess, TransportError } from "./transport.ts";

const open: { server: Server | undefined; network: Network | undefined } = { server: undefined, network: undefined };

afterEach(async () => {
  await open.network?.close();
  open.server?.closeAllConnections();
  await new Promise((done) => (open.server ? open.server.close(done) : done(undefined)));
  open.server = undefined;
  open.network = undefined;
});

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function listen(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => handler(request, response, body));
  });
  open.server = server;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `127.0.0.1:${portOf(server)}`;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

function network(options: NetworkOptions = {}): Network {
  open.network = openNetwork(options);
  return open.network;
}

function request(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: "GET", url, headers: {}, body: undefined, ...more };
}

/** The error; a success fails the test. */
async function failureOf(
  options: NetworkOptions,
  given: HttpRequest,
): Promise<{ failure: string; neverSent: boolean }> {
  try {
    await network(options).send(given);
  } catch (error) {
    if (error instanceof TransportError) return { failure: error.failure, neverSent: error.neverSent };
    throw error;
  }
  throw new Error("there was an answer");
}

describe("over loopback", () => {
  test("method, headers, body, path as written, and the answer", async () => {
    const host = await listen((incoming, response, body) => {
      response.setHeader("X-RateLimit-Limit", "200");
      response.end(JSON.stringify([incoming.method, incoming.url, incoming.headers.authorization, body]));
    });
    const url = `http://${host}/api/v1/realm/domains/a%2Fb?x=1`;
    const answer = await network().send(
      request(url, { method: "PATCH", headers: { authorization: "Basic x" }, body: "a=ä" }),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers["x-ratelimit-limit"]).toBe("200");
    expect(JSON.parse(answer.body)).toEqual(["PATCH", "/api/v1/realm/domains/a%2Fb?x=1", "Basic x", "a=ä"]);
  });

  test("compressed answers are read", async () => {
    const host = await listen((incoming, response) => {
      expect(incoming.headers["accept-encoding"]).toBe("gzip");
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(Buffer.from('{"text":"ä"}')));
    });
    expect((await network().send(request(`http://${host}/`))).body).toBe('{"text":"ä"}');
  });

  test("connections are used again", async () => {
    const ports = new Set<number | undefined>();
    const host = await listen((incoming, response) => {
      ports.add(incoming.socket.remotePort);
      response.end("{}");
    });
    const { send } = network();
    for (let n = 0; n < 5; n++) await send(request(`http://${host}/`));
    // A second one may be opened while the first still counts as busy; one for each request would be five.
    expect(ports.size).toBeLessThan(3);
  });

  test("redirects are not followed", async () => {
    const paths: (string | undefined)[] = [];
    const host = await listen((incoming, response) => {
      paths.push(incoming.url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const answer = await network().send(request(`http://${host}/`));
    expect(answer).toMatchObject({ status: 302, headers: { location: "/elsewhere" } });
    expect(paths).toEqual(["/"]);
  });

  test.each<{ name: string; handler: Handler; options?: NetworkOptions; is: { failure: string; neverSent: boolean } }>([
    {
      name: "the server hangs up",
      handler: (incoming) => incoming.socket.destroy(),
      is: { failure: "broken-off", neverSent: false },
    },
    {
      name: "half a body",
      handler: (_, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{");
        setImmediate(() => response.destroy());
      },
      is: { failure: "broken-off", neverSent: false },
    },
    {
      name: "no head in time",
      handler: () => {},
      options: { headersTimeoutMs: 30 },
      is: { failure: "timeout", neverSent: false },
    },
    {
      name: "no body in time",
      handler: (_, response) => {
        response.writeHead(200);
        response.write("{");
      },
      options: { bodyTimeoutMs: 30 },
      is: { failure: "timeout", neverSent: false },
    },
    {
      name: "too much",
      handler: (_, response) => response.end("x".repeat(2_000)),
      options: { maxResponseBytes: 1_000 },
      is: { failure: "too-large", neverSent: false },
    },
    {
      name: "too much once unpacked",
      handler: (_, response) => {
        response.setHeader("content-encoding", "gzip");
        response.end(gzipSync("x".repeat(100_000)));
      },
      options: { maxResponseBytes: 10_000 },
      is: { failure: "too-large", neverSent: false },
    },
    {
      name: "half a compressed body",
      handler: (_, response) => {
        response.setHeader("content-encoding", "gzip");
        response.end(gzipSync("x".repeat(100_000)).subarray(0, 50));
      },
      is: { failure: "broken-off", neverSent: false },
    },
  ])("$name", async ({ handler, options = {}, is }) => {
    const host = await listen(handler);
    expect(await failureOf(options, request(`http://${host}/`))).toEqual(is);
  });

  test("no head of the answer within the request's time", async () => {
    const host = await listen(() => {});
    const given = request(`http://${host}/`, { headersTimeoutMs: 30 });
    expect(await failureOf({}, given)).toEqual({ failure: "timeout", neverSent: false });
  });

  test("https to a server without it", async () => {
    const host = await listen((_, response) => response.end());
    expect(await failureOf({}, request(`https://${host}/`))).toEqual({ failure: "tls", neverSent: true });
  });

  test("nobody listens", async () => {
    const host = await listen(() => {});
    await new Promise((done) => open.server?.close(done));
    open.server = undefined;
    expect(await failureOf({}, request(`http://${host}/`))).toEqual({ failure: "unreachable", neverSent: true });
  });

  test("an unknown host", async () => {
    const { failure, neverSent } = await failureOf({}, request("http://nowhere.invalid/"));
    // Without a resolver, the error is that the name is temporarily unknown.
    expect(["unknown-host", "unreachable"]).toContain(failure);
    expect(neverSent).toBe(true);
  });

  test("stopped while the server works", async () => {
    const stop = new AbortController();
    const host = await listen(() => stop.abort());
    expect(await failureOf({}, request(`http://${host}/`, { signal: stop.signal }))).toEqual({
      failure: "aborted",
      neverSent: false,
    });
  });
});

describe("in the same process", () => {
  test("the same request and answer, no socket", async () => {
    const send = inProcess(async (incoming) => {
      const said = [incoming.method, incoming.url, incoming.headers.get("authorization"), await incoming.text()];
      return new Response(JSON.stringify(said), { status: 201, headers: { "X-Test": "yes" } });
    });
    const answer = await send(
      request("https://chat.example.org/x?y=1", { method: "POST", headers: { authorization: "Basic x" }, body: "a=1" }),
    );
    expect(answer).toMatchObject({ status: 201, headers: { "x-test": "yes" } });
    expect(JSON.parse(answer.body)).toEqual(["POST", "https://chat.example.org/x?y=1", "Basic x", "a=1"]);
  });

  test("stopped before", async () => {
    const send = inProcess(async () => new Response("{}"));
    await expect(send(request("https://chat.example.org/", { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      failure: "aborted",
      neverSent: true,
    });
  });

  test("a server that drops the connection", async () => {
    const send = inProcess(async () => {
      throw new Error("dropped");
    });
    await expect(send(request("https://chat.example.org/"))).rejects.toMatchObject({
      failure: "broken-off",
      neverSent: false,
    });
  });
});
