import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { FakeForge } from "../hosts/fake-forge.ts";
import { worldOfTest } from "./world.ts";

const FILE = `version: 1
bots: {alerts-bot: {type: incoming_webhook}}
invite_links: [{expires_on: never, invite_as: guest, channels: [general]}]
`;

/** Both of them go again: what a comment says of a link or a bot. */
const GONE = "version: 1\nmanage: {invite_links: exact}\ninvite_links: []\nbots: {alerts-bot: {absent: true}}\n";
const COMMENT = ["plan gone.yaml --out gone.plan", "comment gone.plan --to gitlab --show-private-names"];

/** Every text below a directory. */
function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [readFileSync(path, "utf8")];
  });
}

test("keys of bots and invitation links are in no output and no file, whatever the server answers; --show-links prints links once", async () => {
  const secrets = new Set<string>();
  const collect: Interceptor = {
    after: async (_, response) => {
      const text = await response.clone().text();
      for (const [, secret = ""] of text.matchAll(/"(?:api_key|invite_link|link_url)": ?"([^"]{8,})"/g))
        secrets.add(secret);
      return undefined;
    },
  };
  const forge = await new FakeForge("gitlab").start();
  onTestFinished(() => forge.end());
  const world = await worldOfTest({ interceptors: [collect] });
  const { ZULIP_API_KEY: own = "" } = world.credentials();
  world.file("realm.yaml", FILE);
  world.file("gone.yaml", GONE);
  const lines = [
    "plan --out realm.plan",
    "apply --yes --verbose realm.yaml",
    "apply --yes --format json realm.yaml",
    "apply --yes --format jsonl realm.yaml",
    "show realm.plan --all",
    "show realm.plan --format html",
    "show realm.plan --format markdown",
    "adopt --yes",
    "init --yes --no-workflows --file other.yaml",
    "snapshot --invites --out realm.json",
    "export --inactive --out exported.yaml",
    "drift --format json",
    "plan --format html",
    "plan --format json --snapshot realm.json",
    "access organization --format json",
    ...COMMENT,
    "apply --yes --undo",
  ];
  const shown: string[] = [];
  for (const line of lines) {
    const journal = line.endsWith("--undo") ? ` .realmctl/${world.journals()[0] ?? ""}` : "";
    const { out, err, code } = await world.realmctl(line + journal, { env: forge.env() });
    expect([0, 2], `${line}: ${err}`).toContain(code);
    shown.push(out, err);
  }
  const [comment] = forge.notes;
  expect(comment?.body).toMatch(/alerts-bot[\s\S]*guest for ever/);
  shown.push(comment?.body ?? "");
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
});

const CUT_OFF = (text: string): string => text.slice(0, -2);
const UNLIKE = (text: string): string => text.replaceAll(/"(?:id|invited_as)":\d+/g, '"id":"x"');
const LIST = (text: string): string => JSON.stringify([text]);
const ELSEWHERE = (text: string): string => text.replaceAll(/"(?:invite_link|link_url)"/g, '"shown"');

test.each<{ readonly about: string; readonly status: number; readonly body: (text: string) => string }>([
  { about: "is complete", status: 200, body: (text) => text },
  { about: "is incomplete", status: 200, body: CUT_OFF },
  { about: "is incomplete, in a refusal", status: 400, body: CUT_OFF },
  { about: "comes with a server error", status: 500, body: (text) => text },
  { about: "comes with a refusal", status: 400, body: (text) => text.replace('"success"', '"error"') },
  { about: "has an unexpected form", status: 200, body: UNLIKE },
  { about: "is a list", status: 200, body: LIST },
  { about: "is an HTML page", status: 502, body: (text) => `<html><body>${text}</body></html>` },
  { about: "has the link in another field", status: 200, body: ELSEWHERE },
])("an answer with a link that $about shows it nowhere", async ({ status, body }) => {
  const links = new Set<string>();
  const mangle: Interceptor = {
    after: async ({ method, path }, response) => {
      // First the creation, while the list is readable; then the list as well.
      if (!path.includes("/invites") || (method === "GET" && !isListMangled)) return undefined;
      const text = await response.clone().text();
      for (const [, link = ""] of text.matchAll(/"(?:invite_link|link_url)": ?"([^"]{8,})"/g))
        links.add(link.split("/").filter(Boolean).at(-1) ?? link);
      return new Response(body(text), { status, headers: { "content-type": "application/json" } });
    },
  };
  let isListMangled = false;
  const forge = await new FakeForge("gitlab").start();
  onTestFinished(() => forge.end());
  const world = await worldOfTest({ interceptors: [mangle] });
  world.file("gone.yaml", GONE.replace(/bots.*\n/, ""));
  world.file("realm.yaml", "version: 1\ninvite_links: [{expires_on: never}]\n");
  const shown: string[] = [];
  for (const line of [
    "apply --yes --verbose",
    "plan --verbose",
    "apply --yes --verbose --format jsonl",
    "snapshot --invites --out snap.json",
    "export --kinds invite_links --out exported.yaml",
    ...COMMENT,
  ]) {
    const { out, err } = await world.realmctl(line, { env: { ...forge.env(), REALMCTL_DEBUG: "1" } });
    isListMangled = true;
    shown.push(out, err);
  }
  shown.push(...forge.notes.map(({ body }) => body));
  shown.push(...filesBelow(world.directory));
  expect(links.size).toBeGreaterThan(0);
  for (const link of links) for (const text of shown) expect(text).not.toContain(link);
});
