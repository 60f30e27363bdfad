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

/** People that examples/fleet names. */
export const FLEET_ACCOUNTS = { ada: "ada@example.org", grace: "grace@example.org" };

/** The base realm at another address, its people with addresses of example.org. */
export function organization(host: string, groups: readonly string[]): Snapshot {
  const snapshot = realmOf({ feature_level: 442, user_groups: groups.map((name) => ({ name, members: [] })) });
  const renamed: unknown = JSON.parse(
    JSON.stringify(snapshot).replaceAll("acme.example.org", host).replaceAll("@acme.example", "@example.org"),
  );
  const parsed = Snapshot.parse(renamed);
  const [first, second, ...rest] = parsed.users.filter((user) => user.delivery_email !== FLEET_ACCOUNTS.ada);
  const ada = parsed.users.filter((user) => user.delivery_email === FLEET_ACCOUNTS.ada);
  if (first === undefined || second === undefined) throw new RangeError("the base realm has too few accounts");
  const users = [...ada, { ...first, delivery_email: FLEET_ACCOUNTS.grace }, second, ...rest];
  return { ...parsed, users: users.sort((a, b) => a.user_id - b.user_id), linkifiers: [], channels: [] };
}
