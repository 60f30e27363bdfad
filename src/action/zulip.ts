import { resolve } from "node:path";
import { readRegular } from "../disk/read.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, type ExitCode, failure, failWithAll } from "../model/diagnostic.ts";
import { worstFirst } from "../report/action/diagnostics.ts";
import { waitingText } from "../report/waiting.ts";
import { VERSION } from "../version.ts";
import { createClient, type ZulipClient } from "../zulip/client.ts";
import { readCredentials } from "../zulip/credentials.ts";
import { openNetwork } from "../zulip/network.ts";
import { proxyOf } from "../zulip/proxy.ts";
import type { Job } from "./job.ts";

/** Whether the job has credentials for the organization. Jobs of pull requests from forks never have. */
function hasCredentials({ inputs, env }: Job): boolean {
  return (inputs.zulipApiKey ?? env.ZULIP_API_KEY ?? "") !== "";
}

/**
 * Runs a command's work over a connection that is always closed afterwards.
 * @throws Failure if credentials are missing or cannot be right
 */
export async function withZulip<T>(job: Job, work: (client: ZulipClient) => Promise<T>): Promise<T> {
  const { inputs, env } = job;
  const given: { [name: string]: string | undefined } = {
    ...env,
    ...defined({ ZULIP_SITE: inputs.zulipSite, ZULIP_EMAIL: inputs.zulipEmail, ZULIP_API_KEY: inputs.zulipApiKey }),
  };
  if (!hasCredentials(job)) throw failure("action/no-credentials", {}, EXIT.notAllowed);
  const found = await readCredentials(
    { env: given, readFile: (path) => readRegular(resolve(job.workspace, path)) },
    {},
  );
  const { site, email, key, origin, insecure, certBundle, clientCert, clientCertKey } = valueOrFailure(
    found,
    EXIT.notAllowed,
  );
  const proxy = proxyOf(env);
  const network = openNetwork({
    insecure,
    ...defined({ proxy, certBundle, clientCert, clientCertKey }),
  });
  const client = createClient({
    site,
    email,
    key,
    origin,
    transport: network.send,
    clock: job.clock,
    version: VERSION,
    ...defined({ deadline: job.deadline }),
    onWaiting: (waiting) => job.say(waitingText(waiting, undefined)),
  });
  try {
    return await work({ ...client, reader: job.conceal.reader(client.reader) });
  } finally {
    // Within the time limit: closing the network waits for every request in progress.
    await client.settled().finally(() => network.close());
  }
}

/** The value. @throws Failure with all that is wrong */
export function valueOrFailure<T>(checked: Checked<T>, exitCode: ExitCode = EXIT.errors): T {
  return checked.ok ? checked.value : failWith(exitCode, checked.diagnostics);
}

/** @throws Failure with all of these diagnostics */
export function failWith(exitCode: ExitCode, diagnostics: readonly Diagnostic[]): never {
  failWithAll(exitCode, worstFirst(diagnostics));
}
