import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { World } from "./world.ts";

const FILE = `version: 1
bots: {alerts-bot: {type: incoming_webhook}}
invite_links: [{expires_on: never, invite_as: guest, channels: [general]}]
`;

/** Every text below a directory. */
function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [readFileSync(path, "utf8")];
  });
}

test("keys of bots and links to join are in no output and no file, whatever the server answers; --show-links prints links once", async () => {
  const secrets = new Set<string>();
  const collect: Interceptor = {
    after: async (_, response) => {
      const text = await response.clone().text();
      for (const [, secret = ""] of text.matchAll(/"(?:api_key|invite_link|link_url)": ?"([^"]{8,})"/g))
        secrets.add(secret);
      return undefined;
    },
  };
  const world = await World.start({ interceptors: [collect] });
  try {
    const { ZULIP_API_KEY: own = "" } = world.credentials();
    world.file("realm.yaml", FILE);
    const lines = [
      "plan --out realm.plan",
      "apply --yes --verbose realm.yaml",
      "apply --yes --format json realm.yaml",
      "snapshot --out realm.json",
      "export --inactive --out exported.yaml",
      "drift --format json",
      "plan --format html",
      "access organization --format json",
      "apply --yes --undo",
    ];
    const shown: string[] = [];
    for (const line of lines) {
      const journal = line.endsWith("--undo") ? ` .realmctl/${world.journals()[0] ?? ""}` : "";
      const { out, err, code } = await world.realmctl(line + journal);
      expect([0, 2], `${line}: ${err}`).toContain(code);
      shown.push(out, err);
    }
    shown.push(...filesBelow(world.directory));
    const others = [...secrets].filter((secret) => secret !== own);
    expect(others.length).toBeGreaterThanOrEqual(2);
    for (const secret of secrets) for (const text of shown) expect(text).not.toContain(secret);

    world.restart();
    world.file("realm.yaml", FILE.replace(/bots.*\n/, ""));
    const before = secrets.size;
    const { out, err } = await world.realmctl("apply --yes --show-links realm.yaml");
    const links = [...secrets].slice(before).filter((secret) => secret.includes("/join/"));
    expect(links).not.toEqual([]);
    for (const link of links) expect(`${out}${err}`.split(link)).toHaveLength(2);
    for (const text of filesBelow(world.directory)) for (const link of links) expect(text).not.toContain(link);
  } finally {
    await world.end();
  }
});
