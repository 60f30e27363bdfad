import type { Sandbox } from "../../src/sandbox/index.ts";
import { type ClientOptions, createClient, type ZulipClient } from "../../src/zulip/client.ts";
import { inProcess } from "../../src/zulip/transport.ts";
import { Secret } from "../../src/zulip/zuliprc.ts";
import { fakeClock } from "./zulip/scripted.ts";

/** A client of an account of a sandbox in this process, which waits for nothing. @param name of the account: its address, or `owner` */
export function sandboxClient(
  sandbox: Pick<Sandbox, "accounts" | "fetch">,
  name: string,
  options: Partial<ClientOptions> = {},
): ZulipClient {
  const account = sandbox.accounts[name];
  if (account === undefined) throw new RangeError(`the sandbox has no account ${name}`);
  return createClient({
    site: "http://sandbox.example.org",
    email: account.email,
    key: new Secret(account.api_key),
    transport: inProcess((request) => sandbox.fetch(request)),
    clock: fakeClock(),
    version: "0.0.0",
    rateRules: [],
    ...options,
  });
}
