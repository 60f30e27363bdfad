import type { Snapshot } from "../model/snapshot.ts";
import { manualClock } from "../sandbox/clock.ts";
import { ROLE } from "../sandbox/rows/accounts.ts";
import { rows } from "../sandbox/rows/values.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { VERSION } from "../version.ts";
import { createClient } from "../zulip/client.ts";
import { Secret } from "../zulip/secret.ts";
import { inProcess } from "../zulip/transport.ts";

/**
 * A sandbox's organization as its first owner reads it, with subscribers and invitations. The requests go to a copy, so nothing is counted or logged.
 * @throws Error if there is no active owner
 */
export async function snapshotOf(sandbox: Sandbox, nowMs: number): Promise<Snapshot> {
  const state = sandbox.state();
  const owner = rows(state.users).find((user) => user.role === ROLE.owner && user.is_active && !user.is_bot);
  if (owner === undefined) throw new Error("the realm has no active owner to see it whole");
  const copy = createSandbox({ from: state, featureLevel: sandbox.featureLevel, clock: manualClock(nowMs) });
  copy.setUrl(sandbox.url);
  const account = copy.accounts[owner.delivery_email];
  if (account === undefined) throw new Error(`no account ${owner.delivery_email}`);
  const client = createClient({
    site: sandbox.url,
    email: account.email,
    key: new Secret(account.api_key),
    transport: inProcess((request) => copy.fetch(request)),
    clock: { now: () => nowMs, sleep: async () => {}, alarm: () => () => {}, random: () => 0 },
    version: VERSION,
    rateRules: [],
  });
  return client.reader.snapshot({ invites: true, subscribers: true });
}
