import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { EXIT } from "../src/model/diagnostic.ts";
import { World } from "./e2e/world.ts";

/** The container and the service of examples/sync, as far as nothing but realmctl is needed: their command lines run. */
const read = (name: string): string => readFileSync(join(import.meta.dirname, "../examples/sync", name), "utf8");

const Compose = z.object({
  services: z.object({
    sync: z.object({
      command: z.array(z.string()),
      volumes: z.array(z.string()),
      healthcheck: z.object({ test: z.array(z.string()) }),
      read_only: z.literal(true),
      stop_grace_period: z.string(),
    }),
  }),
});
const service = read("realmctl-sync.service");
const compose = Compose.parse(parse(read("compose.yaml"))).services.sync;
const ran = /^ExecStart=\/usr\/bin\/env realmctl (.*)$/m.exec(service)?.[1] ?? "";

let world: World | undefined;
afterEach(() => world?.end());

/** The command, until it has nothing left to do. */
async function untilIdle(own: World, line: string) {
  let interrupt = (): void => {};
  return own.realmctl(line, {
    onStart: (how) => {
      interrupt = how;
    },
    io: {
      alarm: (ms) => {
        if (ms > 500_000) setImmediate(interrupt);
        return () => {};
      },
    },
  });
}

describe("examples/sync", () => {
  test.each([
    { name: "compose.yaml", line: compose.command.join(" ") },
    { name: "realmctl-sync.service", line: ran },
  ])("$name runs as it is written", async ({ line }) => {
    world = await World.start();
    mkdirSync(join(world.directory, "config"));
    writeFileSync(join(world.directory, "config/realm.yaml"), read("realm.yaml"));
    const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = world.credentials();
    world.file("zuliprc", `[api]\nemail=${ZULIP_EMAIL}\nkey=${ZULIP_API_KEY}\nsite=${ZULIP_SITE}\n`);
    expect(line).toMatch(/^sync /);
    const own = line.replace("/etc/realmctl/", "config/").replace("%d/", "").replace("127.0.0.1:9750", "127.0.0.1:0");
    const { code, out, err } = await untilIdle(world, own);
    expect(code, out + err).toBe(EXIT.done);
    // Nothing of the example is there before its first apply.
    expect(out).toMatch(/#engineering|channel:engineering/);
    const apply = "apply config/realm.yaml --yes --allow people_gaining_access";
    const applied = await world.realmctl(apply);
    expect(applied.code, applied.out + applied.err).toBe(EXIT.done);
    const again = await untilIdle(world, own);
    expect(again.out).toMatch(/Keeping 2 lists|"lists":2/);
  });

  test("the probe asks where sync listens, and both wait for the request in flight", () => {
    const [, address = "-"] = /--listen (\S+)/.exec(compose.command.join(" ")) ?? [];
    expect(compose.healthcheck.test.at(-1)).toContain(`http://${address}/healthz`);
    expect(compose.stop_grace_period).toBe("90s");
    expect(service).toContain("TimeoutStopSec=90\n");
    expect(service).toContain(`--listen ${address} `);
    expect(service).toContain(`curl http://${address}/healthz`);
  });

  test("what is written is where the service may write", () => {
    const [, status = "/"] = /--status (\S+)/.exec(ran) ?? [];
    expect(status).not.toContain("/");
    expect(service).toContain("WorkingDirectory=%S/realmctl-sync\n");
    expect(service).toContain("StateDirectory=realmctl-sync\n");
    expect(compose.volumes).toContain("./journals:/work/.realmctl");
  });
});
