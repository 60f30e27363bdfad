import { writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { openNetwork } from "../../src/zulip/network.ts";
import { TransportError } from "../../src/zulip/transport.ts";
import { start } from "../e2e/child.ts";
import { World } from "../e2e/world.ts";
import fc from "../support/random.ts";
import { certificateFor, hasOpenssl, type Listening, listen, tlsFront } from "../support/tls.ts";

const HOST = "chat.acme.example";
const SECRET = /p@ss|p%40ss/;

/** What a proxy answers to each message; undefined: nothing. */
type Behaviour = (socket: Socket, said: Buffer, turn: number) => void;

/** A SOCKS5 proxy on this machine (RFC 1928, RFC 1929): each chunk that arrives is one message. */
let behave: Behaviour;
let said: Buffer[];
let connections: number;
let proxy: Listening;
let front: Listening;
let world: World;
const sockets = new Set<Socket>();

beforeAll(async () => {
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let turn = 0;
    const hear = (piece: Buffer): void => {
      said.push(piece);
      turn += 1;
      behave(socket, piece, turn);
    };
    socket.on("error", () => {}).on("data", hear);
    socket.on("tunnel", () => socket.off("data", hear));
  });
  proxy = await listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
  if (!hasOpenssl) return;
  world = await World.start();
  world.file("realm.yaml", "version: 1\nchannels:\n  general: {description: Through the proxy}\n");
  const certificate = certificateFor(`DNS:${HOST}`);
  writeFileSync(join(world.directory, "ca.pem"), certificate.cert);
  front = await tlsFront(certificate, () => world.url);
});
afterAll(async () => {
  await proxy.close();
  if (!hasOpenssl) return;
  await front.close();
  await world.end();
});
beforeEach(() => {
  said = [];
  connections = 0;
});

const OPEN = Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]);
const reply = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);

/** Every host name leads to the server here. */
function tunnel(socket: Socket): void {
  socket.emit("tunnel");
  const upstream = connect(front.port, "127.0.0.1", () => {
    socket.write(OPEN);
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on("error", () => socket.destroy());
  socket.on("close", () => upstream.destroy());
}

const open: Behaviour = (socket, _, turn) => (turn === 1 ? void socket.write(Buffer.from([5, 0])) : tunnel(socket));

/** Requires this name and password. */
const guarded =
  (account: string): Behaviour =>
  (socket, piece, turn) => {
    if (turn === 1) return void socket.write(Buffer.from([5, piece.subarray(2).includes(2) ? 2 : 0xff]));
    if (turn > 2) return tunnel(socket);
    const [name, password] = account.split(":");
    const given = `${piece.subarray(2, 2 + (piece[1] ?? 0))}:${piece.subarray(3 + (piece[1] ?? 0))}`;
    socket.write(Buffer.from([1, given === `${name}:${password}` ? 0 : 1]));
  };

describe.runIf(hasOpenssl)("the command line through a SOCKS5 proxy", () => {
  const realmctl = (line: string, env: { readonly [name: string]: string }) =>
    start(world, line, { env: { ZULIP_SITE: `https://${HOST}`, ZULIP_CERT_BUNDLE: "ca.pem", ...env } }).ended;

  test.each([
    ["ALL_PROXY", "socks5"],
    ["https_proxy", "socks5h"],
  ])(
    "%s=%s://: the proxy looks up the name, and the key is sent only to the server's own certificate",
    async (variable, scheme) => {
      behave = open;
      const ran = await realmctl("plan", { [variable]: `${scheme}://127.0.0.1:${proxy.port}` });
      expect(ran).toMatchObject({ code: EXIT.done, err: "", out: expect.stringContaining("Through the proxy") });
      expect(said[1]?.subarray(0, 5)).toEqual(Buffer.from([5, 1, 0, 3, HOST.length]));
      expect(said[1]?.subarray(5, -2).toString()).toBe(HOST);
      expect(said[1]?.readUInt16BE(5 + HOST.length)).toBe(443);
    },
  );

  test("the proxy gets its name and password, decoded, and no other server sees them", {
    tags: "installed",
  }, async () => {
    behave = guarded("kim:p@ss");
    const ran = await realmctl("apply --yes --verbose", { ALL_PROXY: `socks5://kim:p%40ss@127.0.0.1:${proxy.port}` });
    expect(ran.code).toBe(EXIT.done);
    expect(world.channel("general").description).toBe("Through the proxy");
    expect(ran.out + ran.err).not.toMatch(SECRET);
  });

  test.each(["", "kim:p%40sses@"])(
    "without the correct ones (%j), the error says what is missing, and where it belongs",
    async (account) => {
      behave = guarded("kim:p@ss");
      const ran = await realmctl("plan", { ALL_PROXY: `socks5://${account}127.0.0.1:${proxy.port}` });
      expect(ran.code).toBe(EXIT.unreachable);
      expect(ran.err).toContain(`error[zulip/proxy]: cannot reach https://${HOST}: the proxy 127.0.0.1:${proxy.port}`);
      expect(ran.err.replace(/\s+/g, " ")).toContain("requires a user name and a password");
      expect(ran.err).not.toMatch(SECRET);
      expect(connections).toBe(1);
    },
  );

  test("the older protocol is refused, and the error says what to do", async () => {
    const ran = await realmctl("plan", { ALL_PROXY: "socks4://127.0.0.1:9" });
    expect(ran).toMatchObject({ code: EXIT.errors, err: expect.stringContaining("SOCKS4") });
    expect(ran.err).toContain("socks5://proxy.example.org:1080");
  });
});

/** For a proxy that says too little to continue. */
const SHORT = { timeoutMs: 400, connectTimeoutMs: 150 };
/** For a proxy that answers: a machine under load needs a moment. */
const LONG = { timeoutMs: 20_000, connectTimeoutMs: 20_000 };

/** How a request ends; the network is closed afterwards, or the test hangs. */
async function fate({ port = proxy.port, patience = SHORT } = {}): Promise<unknown> {
  const url = `socks5://kim:p%40ss@127.0.0.1:${port}`;
  const network = openNetwork({ proxy: { url, except: "" }, ...patience });
  try {
    return await network.send({ method: "GET", url: `https://${HOST}/`, headers: {}, body: undefined });
  } catch (error) {
    return error;
  } finally {
    await network.close();
  }
}

const afterHello =
  (then: (socket: Socket) => void): Behaviour =>
  (socket, _, turn) =>
    turn === 1 ? void socket.write(Buffer.from([5, 0])) : then(socket);

describe("a hostile SOCKS5 proxy", () => {
  test.each<readonly [string, Behaviour, RegExp]>([
    ["says nothing", () => {}, /does not answer within 0\.15 s/],
    ["says nothing after its greeting", afterHello(() => {}), /does not answer within 0\.15 s/],
    ["sends half a greeting", (socket) => socket.write(Buffer.from([5])), /does not answer within 0\.15 s/],
    ["closes", (socket) => socket.end(), /closes the connection without an answer/],
    ["closes the connection", (socket) => socket.resetAndDestroy(), /closes the connection without an answer/],
    ["closes after its greeting", afterHello((socket) => socket.end()), /closes the connection without an answer/],
    ["speaks another protocol", (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"), /valid SOCKS5/],
    ["speaks an older one", (socket) => socket.write(Buffer.from([4, 0])), /valid SOCKS5/],
    ["requires a method that was not offered", (socket) => socket.write(Buffer.from([5, 1])), /valid SOCKS5/],
    [
      "accepts no offered method",
      (socket) => socket.write(Buffer.from([5, 0xff])),
      /requires a user name and a password/,
    ],
    [
      "answers with an unusual address",
      afterHello((socket) => socket.write(Buffer.from([5, 0, 0, 9]))),
      /valid SOCKS5/,
    ],
    [
      "does not allow the connection",
      afterHello((socket) => socket.write(reply(2))),
      /refuses the connection \(SOCKS5 reply 2\)/,
    ],
    [
      "cannot reach the server",
      afterHello((socket) => socket.write(reply(4))),
      /cannot reach the server \(SOCKS5 reply 4\)/,
    ],
    ["uses an unknown error number", afterHello((socket) => socket.write(reply(77))), /refuses \(SOCKS5 reply 77\)/],
  ])("a proxy that %s is named in the error, and gets one request", async (_, behaviour, words) => {
    behave = behaviour;
    const error = await fate({ patience: words.source.includes("within") ? SHORT : LONG });
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ failure: "proxy", neverSent: true, message: expect.stringMatching(words) });
    expect(error).toMatchObject({ message: expect.stringContaining(`the proxy 127.0.0.1:${proxy.port}`) });
    expect(String(error)).not.toMatch(SECRET);
    expect(connections).toBe(1);
  });

  test("a SOCKS5 proxy that is not running", async () => {
    expect(await fate({ port: 9, patience: LONG })).toMatchObject({
      failure: "proxy",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("a run ends whatever bytes the proxy answers with, and however they are split", async () => {
    const byte = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 5, 0xff), fc.integer({ min: 0, max: 255 }));
    const piece = fc.array(byte, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 4 }), fc.boolean(), async (pieces, ends) => {
        connections = 0;
        behave = (socket, _, turn) => {
          const bytes = pieces[turn - 1];
          if (bytes !== undefined && bytes.length > 0) socket.write(Buffer.from(bytes));
          else if (ends) socket.end();
        };
        const error = await fate();
        expect(error).toBeInstanceOf(TransportError);
        expect(error).toMatchObject({ neverSent: true });
        expect(`${error} ${JSON.stringify(error)}`).not.toMatch(SECRET);
        expect(connections).toBe(1);
      }),
      { numRuns: Number(process.env.REALMCTL_RUNS ?? 5) },
    );
  });
});
