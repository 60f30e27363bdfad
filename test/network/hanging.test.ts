import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { start } from "../e2e/child.ts";
import { World } from "../e2e/world.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { type Listening, listen } from "../support/tls.ts";

// The bundle against servers that never finish an answer: --timeout ends the wait. The default times and the messages during a wait are tested with a
// simulated clock (src/zulip/patience.test.ts).
let world: World;
let server: Listening;
beforeEach(async () => {
  world = await World.start();
  world.file("realm.yaml", "version: 1\nchannels: {}\n");
});
afterEach(async () => {
  await server.close();
  await world.end();
});

async function hanging(listener: RequestListener): Promise<{ readonly ZULIP_SITE: string }> {
  const one = createServer(listener);
  server = await listen(one, () => one.closeAllConnections());
  return { ZULIP_SITE: `http://127.0.0.1:${server.port}` };
}

const SERVERS: readonly { readonly name: string; readonly listener: RequestListener }[] = [
  { name: "a server that sends nothing", listener: () => {} },
  {
    name: "a server that starts an answer and stops",
    listener: (_, response) => void response.writeHead(200).write('{"result":'),
  },
  {
    name: "a server that sends a byte from time to time",
    listener: (_, response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
  },
];

describe("a server that does not answer", () => {
  test.each(SERVERS)("$name: the run ends with a clear error", async ({ listener }) => {
    const env = await hanging(listener);
    const ran = await start(world, "plan --timeout 0.5s", { env }).ended;
    expect(ran).toMatchObject({ code: EXIT.unreachable, out: "" });
    const said = ran.err.replace(/\s+/g, " ");
    expect(said).toContain(
      `error[zulip/timeout]: ${env.ZULIP_SITE} does not answer in time: no complete answer within 0.5 s`,
    );
    expect(said).toContain("--timeout 300");
  });

  test.each(["http", "socks5"])(
    "the error names a proxy (%s) that does not answer, however short the time limit is",
    async (scheme) => {
      const one = createTcpServer(() => {});
      const sockets: Socket[] = [];
      one.on("connection", (socket) => sockets.push(socket));
      server = await listen(one, () => {
        for (const socket of sockets) socket.destroy();
      });
      const https_proxy = `${scheme}://127.0.0.1:${server.port}`;
      const env = { ZULIP_SITE: "https://chat.example.org", https_proxy };
      const ran = await start(world, "plan --timeout 3", { env }).ended;
      expect(ran).toMatchObject({ code: EXIT.unreachable, out: "" });
      expect(ran.err.replace(/\s+/g, " ")).toContain(
        `error[zulip/proxy]: cannot reach https://chat.example.org: the proxy 127.0.0.1:${server.port} does not answer within 1.5 s`,
      );
    },
  );

  test("an apply to a server that stops answering", async () => {
    const env = await hanging(() => {});
    const ran = await start(world, "apply --yes --timeout 0.5", { env }).ended;
    expect(ran).toMatchObject({ code: EXIT.unreachable, err: expect.stringContaining("zulip/timeout") });
  });

  test("while a command waits, it says on stderr what it waits for and until when", async () => {
    server = await listen(createServer());
    const ran = await runCommandLine(["plan", "--timeout", "90"], {
      env: { ZULIP_SITE: "https://chat.example.org", ZULIP_EMAIL: "kim@example.org", ZULIP_API_KEY: "0".repeat(32) },
      files: { "realm.yaml": "version: 1\nchannels: {}\n" },
      transport: () => new Promise(() => {}),
      // Time passes as fast as possible, in the order of the alarms.
      alarm(_, onTime) {
        const soon = setImmediate(onTime);
        return () => clearImmediate(soon);
      },
    });
    expect(ran.exitCode).toBe(EXIT.unreachable);
    expect(ran.err).toMatch(/^… no answer from chat\.example\.org for 5 s; waiting until 90 s \(--timeout\)\n/);
    expect(ran.err.replace(/\s+/g, " ")).toContain("no complete answer within 90 s");
    expect(ran.out).toBe("");
  });
});

describe("--timeout", () => {
  test("is an option of every command that talks to a server", async () => {
    server = await listen(createServer());
    for (const { name } of COMMANDS) {
      const { out } = await runCommandLine([name, "--help"]);
      expect({ name, has: out.includes("--timeout <time>") }).toEqual({
        name,
        has: out.includes("--zuliprc <file>") || name === "comment",
      });
    }
  });

  test.each(["0", "-1", "abc", "1e9", "3601", "2h", "5 s", "5min"])("refuses %j", async (written) => {
    server = await listen(createServer());
    for (const command of [["plan"], ["comment", "realm.plan", "--to", "gitlab"]]) {
      const ran = await runCommandLine([...command, `--timeout=${written}`]);
      expect(ran.exitCode).toBe(EXIT.errors);
      expect(ran.err.replaceAll(/\s+/g, " ")).toContain(
        "Write a time, such as 90s, 10m or 2h (a number alone means seconds): more than 0, at most 1h",
      );
    }
  });

  test("refuses an empty value, as every option does", async () => {
    server = await listen(createServer());
    const ran = await runCommandLine(["plan", "--timeout="]);
    expect(ran.exitCode).toBe(EXIT.errors);
    expect(ran.err).toContain("--timeout");
    expect(ran.err).toContain("empty");
  });
});
