import { setFlagsFromString } from "node:v8";
import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import { VERSION } from "../version.ts";
import { createClient, type ZulipClient } from "../zulip/client.ts";
import { traceLine } from "../zulip/connection.ts";
import { type Credentials, readCredentials } from "../zulip/credentials.ts";
import type { Transport } from "../zulip/transport.ts";
import { valueOrFailure } from "./checked.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, styleFor } from "./terminal.ts";

/** One account's way to its server, for one command. */
export interface Session extends ZulipClient {
  readonly reader: ZulipReader;
  /** For `apply` only. */
  readonly writer: ZulipWriter;
  readonly credentials: Credentials;
  /** Requests sent so far. */
  readonly requests: () => number;
  /** Lets the process end at once. */
  close(): Promise<void>;
}

/**
 * Finds the credentials and opens the way to the server; nothing is sent yet.
 * @throws Failure when credentials are missing or cannot be right
 */
export async function connect(io: Io, flags: ConnectionFlags): Promise<Session> {
  const found = await readCredentials(io, flags);
  const credentials = valueOrFailure(found);
  if (found.ok && found.warnings.length > 0) await showDiagnostics(io, found.warnings, styleFor(io, io.err, flags));
  let requests = 0;
  const { send, close } = await openTransport(io, credentials);
  const { site, email, key, origin } = credentials;
  const client = createClient({
    site,
    email,
    key,
    origin,
    transport: (request) => {
      requests += 1;
      return send(request);
    },
    clock: io,
    version: VERSION,
    // A server in this process has all the patience of the world: no test ever sleeps.
    ...(io.transport === undefined ? {} : { rateRules: [] }),
    ...(flags.verbose === true ? { trace: (event) => io.err.write(`${traceLine(event)}\n`) } : {}),
  });
  return {
    ...client,
    credentials,
    requests: () => requests,
    async close() {
      try {
        await client.settled();
      } finally {
        await close();
      }
    },
  };
}

async function openTransport(
  io: Io,
  { certBundle, clientCert, clientCertKey, insecure }: Credentials,
): Promise<{ readonly send: Transport; close(): Promise<void> }> {
  if (io.transport !== undefined) return { send: io.transport, close: async () => {} };
  // undici's HTTP parser is WebAssembly, which V8 begins to optimise during the first answer: 33 MB and 80 ms of processor, for a
  // process that is done before it could gain anything. The budget is what must be executed before that.
  setFlagsFromString("--wasm-tiering-budget=1000000000");
  const { openNetwork } = await import("../zulip/undici-transport.ts");
  return openNetwork({
    insecure,
    ...(certBundle === undefined ? {} : { certBundle }),
    ...(clientCert === undefined ? {} : { clientCert }),
    ...(clientCertKey === undefined ? {} : { clientCertKey }),
  });
}

/** Runs a command's work over a session that is closed whatever happens. */
export async function withSession<T>(
  io: Io,
  flags: ConnectionFlags,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await connect(io, flags);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
