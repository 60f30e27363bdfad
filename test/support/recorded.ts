import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { createClient } from "../../src/zulip/client.ts";
import { Secret } from "../../src/zulip/secret.ts";
import { fakeClock } from "../../src/zulip/test-clock.ts";
import { inProcess } from "../../src/zulip/transport.ts";

/** The realms that were recorded on real servers, newest level first: path below the recordings. */
export const RECORDED = ["realm.json", "level-384/realm.json"] as const;

/** A recorded realm as its owner reads it. */
export async function recordedSnapshot(name: (typeof RECORDED)[number]): Promise<Snapshot> {
  const text = readFileSync(join(import.meta.dirname, "../recordings", name), "utf8");
  const sandbox = createSandbox({ from: JSON.parse(text) });
  const owner = Object.values(sandbox.state().users).find(({ role, is_bot }) => role === 100 && !is_bot);
  const account = Object.values(sandbox.accounts).find(({ email }) => email === owner?.delivery_email);
  if (account === undefined) throw new RangeError(`${name} has no owner`);
  const client = createClient({
    site: "http://sandbox.example.org",
    email: account.email,
    key: new Secret(account.api_key),
    transport: inProcess((request) => sandbox.fetch(request)),
    clock: fakeClock(),
    version: "0.0.0",
    rateRules: [],
  });
  return client.reader.snapshot({ invites: false, subscribers: true });
}
