import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { openNetwork } from "../../src/zulip/network.ts";
import { bundleOf } from "../support/bundle.ts";
import { type Listening, listen } from "../support/tls.ts";

// Answers that no server should write, byte by byte: whatever Node makes of them, the messages are ours.
const JSON_TEXT = '{"result":"success"}';
const OK = `HTTP/1.1 200 OK\r\nContent-Length: ${JSON_TEXT.length}\r\n\r\n${JSON_TEXT}`;
const head = (...lines: readonly string[]): string => `HTTP/1.1 200 OK\r\n${lines.join("\r\n")}\r\n\r\n`;
const packed = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(head("Content-Encoding: gzip", "Connection: close")), bytes]);

const BREAKS = /^its answer is not valid HTTP( \([A-Za-z/ ,-]+\))?$/;
const CLOSED = /^it closed the connection before the end of its answer$/;
const MORE = /^it answers with an interim response or another protocol/;
const HEADERS = /^the headers of its answer are too large$/;

const ODD: readonly (readonly [name: string, bytes: string | Buffer, says: RegExp])[] = [
  ["HTTP 101 that was not requested", "HTTP/1.1 101 X\r\n\r\n", MORE],
  ["HTTP 101 with all its headers", "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", MORE],
  ["HTTP 100 first", `HTTP/1.1 100 Continue\r\n\r\n${OK}`, MORE],
  ["HTTP 102 and nothing more", "HTTP/1.1 102 Processing\r\n\r\n", CLOSED],
  ["HTTP 000", "HTTP/1.1 000 X\r\nContent-Length: 2\r\n\r\n{}", BREAKS],
  ["HTTP 99", "HTTP/1.1 99 X\r\nContent-Length: 2\r\n\r\n{}", BREAKS],
  ["HTTP 1000", "HTTP/1.1 1000 X\r\nContent-Length: 2\r\n\r\n{}", BREAKS],
  ["a body of HTTP 204", "HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\nhello", BREAKS],
  ["another protocol", "ICY 200 OK\r\n\r\n", BREAKS],
  ["an HTTP version that does not exist", "HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}", BREAKS],
  ["nothing", "", CLOSED],
  ["a header of a megabyte", head(`X: ${"y".repeat(1_000_000)}`), HEADERS],
  ["50,000 headers", head("A: b\r\n".repeat(50_000)), HEADERS],
  ["a header without a name", head("hello"), BREAKS],
  ["a zero byte in a header", head("X: a\0b"), BREAKS],
  ["a length longer than the body", head("Content-Length: 900") + JSON_TEXT, CLOSED],
  ["a negative length", head("Content-Length: -5") + JSON_TEXT, BREAKS],
  ["a length too large for a number", head("Content-Length: 99999999999999999999") + JSON_TEXT, BREAKS],
  ["two lengths", head("Content-Length: 2", "Content-Length: 3") + JSON_TEXT, BREAKS],
  ["a chunk whose size is a word", `${head("Transfer-Encoding: chunked")}zz\r\n{}\r\n`, BREAKS],
  [
    "a chunk whose size is too large for a number",
    `${head("Transfer-Encoding: chunked")}FFFFFFFFFFFFFFFFF\r\n{}\r\n`,
    BREAKS,
  ],
  ["half a chunk", `${head("Transfer-Encoding: chunked")}9\r\n{}`, CLOSED],
  [
    "headers after the body that are larger than it",
    `${head("Transfer-Encoding: chunked")}0\r\nX: ${"z".repeat(1_000_000)}`,
    HEADERS,
  ],
  [
    "a body that is not gzip",
    `${head("Content-Encoding: gzip", "Content-Length: 5")}hello`,
    /^its answer is not valid gzip$/,
  ],
  ["half a gzip body", packed(gzipSync(JSON_TEXT).subarray(0, 15)), /^its answer ends too early$/],
];

let open: Listening | undefined;
afterEach(() => open?.close());

async function answeringWith(bytes: string | Buffer): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.end(bytes));
  });
  open = await listen(server, () => {});
  return `http://127.0.0.1:${open.port}/`;
}

async function exchange(url: string) {
  const { send, close } = openNetwork({ timeoutMs: 5_000 });
  try {
    return await send({ method: "POST", url, headers: {}, body: "a=b" });
  } finally {
    await close();
  }
}

test.each(ODD)(
  "%s: an error in realmctl's own words says that there was no answer and that a write may have succeeded",
  async (_, bytes, says) => {
    await expect(exchange(await answeringWith(bytes))).rejects.toMatchObject({
      failure: "broken-off",
      message: expect.stringMatching(says),
      neverSent: false,
    });
  },
);

test.each([
  ["hints before the answer", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`],
  [
    "chunk extensions and headers after the body",
    `${head("Transfer-Encoding: chunked")}14;a=b\r\n${JSON_TEXT}\r\n0\r\nX: y\r\n\r\n`,
  ],
  ["headers with names of object properties", OK.replace("OK\r\n", "OK\r\n__proto__: x\r\nconstructor: y\r\n")],
  ["another answer after it", OK + OK],
])("%s: a normal answer", async (_, bytes) => {
  await expect(exchange(await answeringWith(bytes))).resolves.toMatchObject({ status: 200, body: JSON_TEXT });
});

test("no bundle contains Node's assertions, which block for seconds while they quote the bundle", () => {
  for (const part of ["cli", "action"] as const) {
    const directory = dirname(bundleOf(part));
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
    const asserting = files.filter((file) => /["']node:assert["']/.test(readFileSync(join(directory, file), "utf8")));
    expect([part, asserting]).toEqual([part, []]);
  }
});
