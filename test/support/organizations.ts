import { readFileSync } from "node:fs";
import { Snapshot } from "../../src/model/snapshot.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { realmOf } from "./realm.ts";
import { sandboxClient } from "./sandbox-client.ts";

/** The organization that `realmctl sandbox` starts with. */
export async function sandboxStart(): Promise<Snapshot> {
  const text = readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url), "utf8");
  const sandbox = createSandbox({ from: JSON.parse(text) });
  return sandboxClient(sandbox, "ada@acme.example").reader.snapshot({ invites: true, subscribers: true });
}

/** The base realm at another address, without channels and linkifiers. */
export function organization(host: string, groups: readonly string[]): Snapshot {
  const snapshot = realmOf({ feature_level: 442, user_groups: groups.map((name) => ({ name, members: [] })) });
  const renamed: unknown = JSON.parse(JSON.stringify(snapshot).replaceAll("acme.example.org", host));
  return { ...Snapshot.parse(renamed), linkifiers: [], channels: [] };
}
