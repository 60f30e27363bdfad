import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { openNetwork } from "../../src/zulip/network.ts";
import { proxiedFetch } from "../../src/zulip/proxied-fetch.ts";
import { TransportError } from "../../src/zulip/transport.ts";
import { start } from "../e2e/child.ts";
import { World } from "../e2e/world.ts";
import fc from "../support/random.ts";
import { type Listening, listen } from "../support/tls.ts";

// A proxy belongs to somebody else. Whatever it does, a run ends, asks it at most a few times (each time with its password), says that the proxy
// caused the error, and shows the password to nobody.
const HOST = "chat.acme.example";
const SECRET = /s3cr3t|a2ltOnMzY3IzdA/;

type Behaviour = (socket: Socket, asked: string) => void;

let asked: string[];
let listening: Listening;
let behave: Behaviour;
const sockets = new Set<Socket>();
beforeEach(async () => {
  asked = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    const collect = (bytes: Buffer): void => {
      text += bytes.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      socket.off("data", collect);
      asked.push(text);
      behave(socket, text);
    };
    socket.on("error", () => {}).on("data", collect);
  });
  listening = await listen(server, () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
});
afterEach(() => listening.close());

const proxyUrl = (): string => `http://kim:s3cr3t@127.0.0.1:${listening.port}`;

/** For a proxy that says too little to continue. */
const SHORT = { timeoutMs: 400, connectTimeoutMs: 150 };
/** For a proxy that answers: a machine under load needs a moment. */
const LONG = { timeoutMs: 20_000, connectTimeoutMs: 20_000 };

/** How a request ends; the network is closed afterwards, or the test hangs. */
async function fate(patience = SHORT): Promise<unknown> {
  const network = openNetwork({ proxy: { url: proxyUrl(), except: "" }, ...patience });
  try {
    return await network.send({ method: "GET", url: `https://${HOST}/`, headers: {}, body: undefined });
  } catch (error) {
    return error;
  } finally {
    await network.close();
  }
}

const OPEN = "HTTP/1.1 200 Connection established\r\n\r\n";
const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on("close", () => clearInterval(timer));
};

describe("a hostile proxy", () => {
  test.each<readonly [string, Behaviour, RegExp]>([
    ["says nothing", () => {}, /does not answer within 0\.15 s/],
    ["sends a byte from time to time", (socket) => drip(socket.resume(), "H"), /valid HTTP|within 0\.15 s/],
    [
      "has a header without end",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX: ");
        drip(socket, "x");
      },
      /does not answer within 0\.15 s/,
    ],
    ["has headers without end", (socket) => drip(socket.resume(), `X: ${"x".repeat(60_000)}\r\n`), /valid HTTP/],
    ["closes", (socket) => socket.end(), /closes the connection without an answer/],
    ["closes the connection", (socket) => socket.resetAndDestroy(), /closes the connection without an answer/],
    ["ends in the middle", (socket) => socket.end("HTTP/1.1 2"), /closes the connection without an answer/],
    ["announces more than it sends", (socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n"), /HTTP 100/],
    ["changes the protocol", (socket) => socket.write("HTTP/1.1 101 x\r\nUpgrade: x\r\n\r\n"), /HTTP 101/],
    [
      "redirects to its own login page",
      (socket) => socket.end("HTTP/1.1 302 Found\r\nLocation: http://kim:s3cr3t@evil.example/\r\n\r\n"),
      /\(HTTP 302\)/,
    ],
    [
      "shows its own page instead of the server's",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<html>..\n"),
      /answers instead of the server/,
    ],
    [
      "shows its own page a moment later",
      (socket) => {
        socket.write(OPEN);
        socket.once("data", () => socket.write("<html>..\n".repeat(100)));
      },
      /answers instead of the server/,
    ],
    ["speaks another protocol", (socket) => socket.write("SSH-2.0-OpenSSH_8.9\r\n"), /valid HTTP/],
    [
      "repeats the request as the reason",
      (socket, text) => socket.end(`HTTP/1.1 407 ${/: (Basic .*)/.exec(text)?.[1] ?? ""}\r\n\r\n`),
      /HTTP 407/,
    ],
  ])("a proxy that %s is named in the error, and gets one request", async (_, behaviour, words) => {
    behave = behaviour;
    const error = await fate(words.source.includes("within") ? SHORT : LONG);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ failure: "proxy", neverSent: true, message: expect.stringMatching(words) });
    expect(error).toMatchObject({ message: expect.stringContaining(`the proxy 127.0.0.1:${listening.port}`) });
    expect(String(error)).not.toMatch(SECRET);
    expect(asked).toHaveLength(1);
  });

  test("a run ends whatever bytes the proxy answers with, and however they are split", async () => {
    const bit = fc.oneof(
      fc.constantFrom(
        OPEN,
        "HTTP/1.1 ",
        "200",
        "407",
        " ",
        "\r\n",
        "\r\n\r\n",
        "Content-Length: 5",
        "\0",
        "\x16\x03\x01\x02",
      ),
      fc.string({ maxLength: 8 }),
      fc.constant("the request"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bit, { maxLength: 6 }), fc.boolean(), async (bits, ends) => {
        asked = [];
        behave = (socket, text) => {
          for (const one of bits) socket.write(one === "the request" ? text : one);
          if (ends) socket.end();
        };
        const error = await fate();
        expect(error).toBeInstanceOf(TransportError);
        expect(error).toMatchObject({ neverSent: true });
        expect(`${error} ${JSON.stringify(error)}`).not.toMatch(SECRET);
        expect(asked).toHaveLength(1);
      }),
      { numRuns: Number(process.env.REALMCTL_RUNS ?? 5) },
    );
  });

  test("libraries with their own fetch also send it one request and name it in the error", async () => {
    const get = () => proxiedFetch({ url: proxyUrl(), except: "" })(`https://${HOST}/`);
    for (const behaviour of [(socket: Socket) => socket.end(), (socket: Socket) => socket.end("HTTP/1.1 2")]) {
      asked = [];
      behave = behaviour;
      const error: unknown = await get().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ cause: { failure: "proxy", detail: "proxy-unreachable" } });
      expect(asked).toHaveLength(1);
    }
  });

  test.each<readonly [string, Behaviour, string]>([
    ["never answers", () => {}, "zulip/proxy"],
    ["closes each time", (socket) => socket.end(), "zulip/proxy"],
  ])("realmctl ends if it %s, with the code of an unreachable server", async (_, behaviour, code) => {
    behave = behaviour;
    const world = await World.start();
    try {
      writeFileSync(join(world.directory, "realm.yaml"), "version: 1\nchannels: {}\n");
      const env = { ZULIP_SITE: `https://${HOST}`, https_proxy: proxyUrl() };
      const ran = await start(world, "plan --timeout 2", { env }).ended;
      expect(ran).toMatchObject({ code: EXIT.unreachable, out: "" });
      expect(ran.err).toContain(`error[${code}]`);
      expect(ran.err).not.toMatch(SECRET);
      expect(asked.length).toBeLessThan(8);
    } finally {
      await world.end();
    }
  });
});
