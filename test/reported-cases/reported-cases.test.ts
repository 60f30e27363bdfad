import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import type { RealmSource } from "../../src/sandbox/index.ts";
import { World } from "../e2e/world.ts";

/*
 * Sequences of steps that once ended wrongly, one file for each: what was done, and what is right. They start from the recorded organization
 * (fixtures/acme-realm.json), whose accounts have the names `owner`, `admin`, `moderator`, `member`, `member2`, `member3`, `newcomer`, `guest`, …
 *
 *   about: One sentence.
 *   accounts: {ci-bot@localhost: x@example.org}   # accounts that have another address from the start
 *   steps:
 *     - file: realm.yaml                      # writes a file
 *       text: |
 *         version: 1
 *     - api: PATCH /streams/{channel:vault}   # somebody does something by hand; {channel:NAME}, {group:NAME}, {folder:NAME} and {field:NAME} are ids
 *       as: member3                           # default: owner
 *       params: {is_private: false}           # values are sent as JSON, texts as they are; {channel:NAME} and so on may stand in them
 *     - run: drift --only channel:vault       # realmctl with these words; JOURNAL is the newest journal, words in '…' are one
 *       as: admin                             # default: owner
 *       exit: 2
 *       says: [vault, reference/unknown-group] # texts that the output (both streams, line ends and runs of spaces as one space) has
 *       never: [error]                        # and texts that it does not have
 *     - read: realm.yaml                      # a file now: has these texts, and does not have those
 *       says: ['folder: Operations']
 *     - live: GET /streams                    # what the server has now
 *       says: ['"description":"by hand"']
 */

const texts = z.array(z.string()).default([]);
const checks = { says: texts, never: texts };
const Step = z.union([
  z.strictObject({ file: z.string(), text: z.string() }),
  z.strictObject({
    api: z.string(),
    as: z.string().default("owner"),
    params: z.record(z.string(), z.unknown()).default({}),
  }),
  z.strictObject({ run: z.string(), as: z.string().default("owner"), exit: z.int(), ...checks }),
  z.strictObject({ read: z.string(), ...checks }),
  z.strictObject({ live: z.string(), as: z.string().default("owner"), ...checks }),
]);
type Step = z.infer<typeof Step>;
const Case = z.strictObject({
  about: z.string(),
  accounts: z.record(z.string(), z.string()).default({}),
  steps: z.array(Step).min(2),
});

let common: World;
let world: World;
beforeAll(async () => {
  common = await World.start();
});
afterAll(() => common.end());
beforeEach(() => {
  world = common;
  world.restart();
});

function organization(accounts: { readonly [address: string]: string }): RealmSource {
  const text = readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url), "utf8");
  return JSON.parse(Object.entries(accounts).reduce((all, [from, to]) => all.replaceAll(`"${from}"`, `"${to}"`), text));
}

/** A text with the ids of the objects that it names. */
function withIds(text: string): string {
  const { channel_folders, profile_fields } = world.sandbox.state();
  // A value that is only such a name is the number.
  return text.replaceAll(/"?\{(channel|group|folder|field):([^}]+)\}"?/g, (_, kind: string, name: string) => {
    if (kind === "channel") return String(world.channel(name).stream_id);
    if (kind === "group") return String(world.group(name));
    const found = Object.values<{ readonly id: number; readonly name: string }>(
      kind === "folder" ? channel_folders : profile_fields,
    ).find((one) => one.name === name);
    if (found === undefined) throw new RangeError(`the sandbox has no ${kind} ${name}`);
    return String(found.id);
  });
}

/** Of two runs in one second, the second one has a number at the end. */
const newestJournal = (): string => {
  const names = world.journals().map((name) => name.replace(/\.jsonl$/, ""));
  return `.realmctl/${names.sort().at(-1)}.jsonl`;
};

async function live(path: string, as: string): Promise<string> {
  const account = world.sandbox.accounts[as];
  const authorization = `Basic ${Buffer.from(`${account?.email}:${account?.api_key}`).toString("base64")}`;
  const url = `${world.url}/api/v1${withIds(path.replace("GET ", ""))}`;
  return (await world.sandbox.fetch(new Request(url, { headers: { authorization } }))).text();
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);

async function done(step: Step): Promise<string | undefined> {
  if ("file" in step) world.file(step.file, step.text);
  else if ("api" in step) {
    const [method = "", path = ""] = step.api.split(" ");
    const params = Object.entries(step.params).map(([name, value]) => [
      name,
      withIds(typeof value === "string" ? value : JSON.stringify(value)),
    ]);
    await world.edit(step.as, method, withIds(path), Object.fromEntries(params));
  } else if ("run" in step) {
    const argv = wordsOf(step.run).map((word) => (word === "JOURNAL" ? newestJournal() : word));
    const { code, out, err } = await world.realmctl("", { as: step.as, io: { argv } });
    const said = `${out}\n${err}`;
    expect(code, `exit code of ${step.run}\n${said}`).toBe(step.exit);
    return said.replaceAll(/\s+/g, " ");
  } else if ("read" in step) return world.read(step.read);
  else return live(step.live, step.as);
  return undefined;
}

describe.each(readdirSync(import.meta.dirname).filter((name) => name.endsWith(".yaml")))("%s", (name) => {
  const { about, accounts, steps } = Case.parse(parse(readFileSync(join(import.meta.dirname, name), "utf8")));
  test(about, async () => {
    if (Object.keys(accounts).length > 0) {
      const own = await World.start({ from: organization(accounts) });
      world = own;
      onTestFinished(() => own.end());
    }
    for (const step of steps) {
      const said = await done(step);
      if (said === undefined) continue;
      const { says, never } = z.object(checks).parse(step);
      for (const text of says) expect(said, JSON.stringify(step)).toContain(text);
      for (const text of never) expect(said, JSON.stringify(step)).not.toContain(text);
    }
  });
});
