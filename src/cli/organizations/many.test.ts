import { expect, test } from "vitest";
import { runCommandLine } from "../../../test/support/cli/command-line.ts";
import { realmOf } from "../../../test/support/realm.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { inProcess, type Transport } from "../../zulip/transport.ts";

const NUMBER = 40;
const names = Array.from({ length: NUMBER }, (_, at) => `o${String(at).padStart(2, "0")}`);

/** Plans organizations whose servers answer from memory, each request after what `before` waits for. */
async function planned(argv: readonly string[], before: (asked: Asked) => Promise<unknown>) {
  const snapshot = realmOf({ channels: [{ name: "general" }] });
  const sandboxes = new Map(names.map((name) => [name, createSandbox({ from: snapshot, seed: "many" })]));
  for (const [name, sandbox] of sandboxes) sandbox.setUrl(`https://${name}.example.org`);
  const { email } = snapshot.account;
  const key = sandboxes.get("o00")?.accounts[email]?.api_key ?? "";
  const transport: Transport = async (request) => {
    const name = new URL(request.url).hostname.replace(/\..*/, "");
    await before({ name, isPlanned: request.method === "DELETE" });
    const sandbox = sandboxes.get(name);
    if (sandbox === undefined) throw new RangeError(`nobody asked for ${name}`);
    return inProcess((each) => sandbox.fetch(each))(request);
  };
  const files = names.map((name) => [`orgs/${name}.yaml`, `version: 1\nrealm: https://${name}.example.org\n`]);
  const env = names.flatMap((name) => [
    [`ZULIP_SITE__${name.toUpperCase()}`, `https://${name}.example.org`],
    [`ZULIP_EMAIL__${name.toUpperCase()}`, email],
    [`ZULIP_API_KEY__${name.toUpperCase()}`, key],
  ]);
  return runCommandLine(argv, { files: Object.fromEntries(files), env: Object.fromEntries(env), transport });
}

interface Asked {
  readonly name: string;
  /** Whether the plan was made, as the deletion of the queue shows. */
  readonly isPlanned: boolean;
}

/** A promise, and the function that fulfils it. */
function signal() {
  let given = (): void => {};
  const awaited = new Promise<void>((resolve) => {
    given = resolve;
  });
  return { awaited, given };
}

test("a slow server delays no other organization: all others are planned before its answer, in the order of the files", async () => {
  const others = signal();
  const done = new Set<string>();
  const ran = await planned(["plan", "orgs", "--jobs", "2"], async ({ name, isPlanned }) => {
    if (isPlanned) done.add(name);
    if (done.size === NUMBER - 1) others.given();
    if (name === "o00" && !isPlanned) await others.awaited;
  });
  expect(ran).toMatchObject({ exitCode: 0, err: "" });
  expect([...ran.out.matchAll(/^== orgs\/(\w+)\.yaml/gm)].map(([, name]) => name)).toEqual(names);
});

test("an organization whose connection is still closing leaves its place to the next one", async () => {
  const next = signal();
  const ran = await planned(["plan", "orgs", "--jobs", "1"], async ({ name, isPlanned }) => {
    if (name === "o01") next.given();
    if (name === "o00" && isPlanned) await next.awaited;
  });
  expect(ran).toMatchObject({ exitCode: 0, err: "" });
});

test("at most --jobs organizations are asked at once; by default, sixteen", async () => {
  for (const [argv, most] of [
    [["plan", "orgs", "--jobs", "3"], 3],
    [["plan", "orgs"], 16],
  ] as const) {
    const unplanned = new Set<string>();
    let seen = 0;
    await planned(argv, async ({ name, isPlanned }) => {
      if (isPlanned) unplanned.delete(name);
      else unplanned.add(name);
      seen = Math.max(seen, unplanned.size);
    });
    expect(seen).toBe(most);
  }
});
