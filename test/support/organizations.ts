import { readFileSync } from "node:fs";
import { Snapshot } from "../../src/model/snapshot.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { createClient } from "../../src/zulip/client.ts";
import { Secret } from "../../src/zulip/secret.ts";
import { fakeClock } from "../../src/zulip/test-clock.ts";
import { inProcess } from "../../src/zulip/transport.ts";
import { realmOf } from "./realm.ts";

/** The organization that `realmctl sandbox` starts with. */
export async function sandboxStart(): Promise<Snapshot> {
  const text = readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url), "utf8");
  const sandbox = createSandbox({ from: JSON.parse(text) });
  const account = sandbox.accounts["ada@acme.example"];
  if (account === undefined) throw new RangeError("the sandbox has no ada@acme.example");
  const client = createClient({
    site: "http://sandbox.example.org",
    email: account.email,
    key: new Secret(account.api_key),
    transport: inProcess((request) => sandbox.fetch(request)),
    clock: fakeClock(),
    version: "0.0.0",
    rateRules: [],
  });
  return client.reader.snapshot({ invites: true, subscribers: true });
}

/** The base realm at another address, without channels and linkifiers. */
export function organization(host: string, groups: readonly string[]): Snapshot {
  const snapshot = realmOf({ feature_level: 442, user_groups: groups.map((name) => ({ name, members: [] })) });
  const renamed: unknown = JSON.parse(JSON.stringify(snapshot).replaceAll("acme.example.org", host));
  return { ...Snapshot.parse(renamed), linkifiers: [], channels: [] };
}
