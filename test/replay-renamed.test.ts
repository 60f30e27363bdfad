import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withBadCredentials } from "../scripts/recordings.ts";
import { adjustableClock, createSandbox, type Sandbox } from "../src/sandbox/index.ts";
import { replayFile } from "./recordings/replay.mjs";
import { temporaryDirectory } from "./support/directory.ts";
import { renamed, wordsToRename } from "./support/renamed.ts";

/**
 * Every recording again, with other names of channels, groups, people and addresses in the realm, the requests and the answers: the sandbox answers
 * by rules, not because it has seen these names.
 */
const read = (file: URL) => JSON.parse(readFileSync(file, "utf8"));
const SITE = "http://sandbox.example.org";
const { fetch } = globalThis;
const clock = adjustableClock();
const pass = (seconds: number): void => clock.advance(seconds * 1000);

describe.each([
  ["recordings/", ["general", "sandbox", "dmitri", "volkov", "acme", "partner", "zulipdev", "teal", "crew", "vault"]],
  ["recordings/level-384/", ["general", "sandbox", "dmitri", "acme", "teal", "leads"]],
])("%s with other names", (folder, some) => {
  const names = readdirSync(new URL(folder, import.meta.url)).filter((name) => name.endsWith(".json"));
  const files = names
    .filter((name) => name !== "realm.json")
    .map((name) => new URL(`${folder}${name}`, import.meta.url));
  const realm = read(new URL(`${folder}realm.json`, import.meta.url));
  const words = wordsToRename([realm, ...files.map(read)]);
  const directory = temporaryDirectory("renamed");
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = createSandbox({ from: Object(renamed(realm, words)), clock });
    // The tool calls `fetch`. replay.test.ts shows that the sandbox gives the same answers over HTTP.
    globalThis.fetch = async (url, init) => sandbox.fetch(new Request(url, init));
  });
  afterAll(() => {
    globalThis.fetch = fetch;
    rmSync(directory, { recursive: true });
  });

  test("there are many, and the most important names are among them", () => {
    expect(words.size).toBeGreaterThan(40);
    expect(some.filter((name) => !words.has(name))).toEqual([]);
    expect(JSON.stringify(renamed(realm, words))).not.toMatch(/"(general|sandbox)"|dmitri@|@acme\.example/);
  });

  test("the names matter: the original recording does not match this realm", async () => {
    sandbox.reset();
    const [, file] = files;
    const options = { base: SITE, accounts: withBadCredentials(sandbox.accounts) };
    const replaying = replayFile(file?.pathname ?? "", options).then(({ failures }) => failures.length);
    // The replay stops when an answer lacks a value that it needs.
    expect(await replaying.catch(() => 1)).toBeGreaterThan(0);
  });

  test.each(files.map((file) => [basename(file.pathname), file] as const))("%s", async (name, file) => {
    const text = readFileSync(file, "utf8");
    const twin = join(directory, name);
    writeFileSync(twin, JSON.stringify(renamed(JSON.parse(text), words)));
    sandbox.reset();
    sandbox.setUrl(/https?:\/\/localhost(:\d+)?/.exec(text)?.[0] ?? SITE);
    const { failures, steps } = await replayFile(twin, {
      base: SITE,
      accounts: withBadCredentials(sandbox.accounts),
      pass,
    });
    expect(steps).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  });
});
