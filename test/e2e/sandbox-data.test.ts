import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { addressOf, type Child, type StartOptions, start } from "./child.ts";
import { World } from "./world.ts";

/** The second save of the process is written, but never moved to its place. */
const HELD = `
  import promises from "node:fs/promises";
  import { syncBuiltinESMExports } from "node:module";
  const { rename } = promises;
  let saves = 0;
  promises.rename = (from, to) => {
    if (!to.endsWith("data.json") || ++saves < 2) return rename(from, to);
    process.stderr.write("held");
    return new Promise(() => {});
  };
  syncBuiltinESMExports();
`;
const Accounts = z.record(z.string(), z.object({ email: z.string(), api_key: z.string() }));
const COMMAND = "sandbox --from recorded.json --port 0 --data data.json --key-seed fixed --accounts-out accounts.json";

function ownerOf(world: World): string {
  const { owner } = Accounts.parse(JSON.parse(readFileSync(join(world.directory, "accounts.json"), "utf8")));
  return `Basic ${Buffer.from(`${owner?.email}:${owner?.api_key}`).toString("base64")}`;
}

test("a process killed while it saves leaves the previous state, and the next start cleans up", async () => {
  const world = await World.start();
  world.file("recorded.json", readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url), "utf8"));
  const leftovers = () => readdirSync(world.directory).filter((name) => name.endsWith(".tmp"));
  const addPlayground = (address: string, authorization: string): Promise<Response> =>
    fetch(`${address}/api/v1/realm/playgrounds`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ name: "a", pygments_language: "b", url_template: "{code}" }),
    });
  const children: Child[] = [];
  const run = (options: StartOptions = {}): Child => {
    const child = start(world, COMMAND, options);
    children.push(child);
    return child;
  };
  try {
    const first = run({ preload: HELD });
    const held = new Promise((resolve) => first.process.stderr?.once("data", resolve));
    const address = await addressOf(first);
    const authorization = ownerOf(world);
    const unanswered = expect(addPlayground(address, authorization)).rejects.toThrow();
    await held;
    first.process.kill("SIGKILL");
    await unanswered;
    await first.ended;
    expect(leftovers()).toEqual([expect.stringMatching(/^data\.json\.[0-9a-f]{8}\.tmp$/)]);

    const second = run();
    const again = await addressOf(second);
    expect(leftovers()).toEqual([]);
    const made = await addPlayground(again, authorization);
    expect(await made.json()).toEqual({ result: "success", msg: "", id: expect.any(Number) });
    second.process.kill("SIGINT");
    await second.ended;
    expect(leftovers()).toEqual([]);
  } finally {
    for (const { process } of children) process.kill("SIGKILL");
    await world.end();
  }
});
