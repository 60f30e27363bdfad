import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Diagnostic, type Ending, EXIT, Failure, failure, failWithAll } from "../model/diagnostic.ts";
import { LONGEST_RUN_S, secondsIn } from "../model/duration.ts";
import type { TraceEvent, Waiting } from "../model/trace.ts";
import { waitingText } from "../report/waiting.ts";
import { VERSION } from "../version.ts";
import { type ClientOptions, createClient, type ZulipClient } from "../zulip/client.ts";
import type { Deadline } from "../zulip/connection.ts";
import { type Credentials, readCredentials } from "../zulip/credentials.ts";
import type { NetworkOptions } from "../zulip/network.ts";
import { proxyOf } from "../zulip/proxy.ts";
import type { Transport } from "../zulip/transport.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";

export interface SessionOptions {
  readonly onLink?: ClientOptions["onLink"];
  /** What the last line of an error says of the server; default: what was sent tells it. */
  readonly ending?: Ending;
}

/** One account's connection to its server, for one command. */
export interface Session extends ZulipClient {
  readonly reader: ZulipReader;
  /** The writer, for `apply` only. */
  readonly writer: ZulipWriter;
  readonly credentials: Credentials;
  /** Requests sent so far. */
  readonly requests: () => number;
  /** The number of writing requests among them. */
  readonly writes: () => number;
  /** Fires when the command's deadline has passed; without one, there is no limit. */
  readonly deadline?: AbortSignal;
  /** Lets the process end at once. */
  close(): Promise<void>;
}

/** What a connection needs of a command. */
interface Connecting {
  readonly io: Io;
  readonly flags: ConnectionFlags;
  show(warnings: readonly Diagnostic[]): Promise<void>;
}

/** The trace of requests. Its code is loaded only for `--verbose`. */
async function traceTo(io: Io): Promise<(event: TraceEvent) => void> {
  const { traceLine } = await import("../report/trace.ts");
  return (event) => io.err.write(`${traceLine(event)}\n`);
}

/**
 * Finds the credentials and prepares the connection; nothing is sent yet.
 * @throws Failure if credentials are missing or invalid
 */
export async function connect(context: Connecting, onLink?: ClientOptions["onLink"]): Promise<Session> {
  const { io, flags } = context;
  const found = await readCredentials(io, flags);
  // Missing, malformed and refused credentials have the same exit code, since the same person corrects them.
  if (!found.ok) failWithAll(EXIT.notAllowed, found.diagnostics);
  const credentials = found.value;
  if (found.warnings.length > 0) await context.show(found.warnings);
  const { site, email, key, origin } = credentials;
  let requests = 0;
  let writes = 0;
  const isSilent = flags.quiet === true || flags.isShownLater === true;
  const deadline = deadlineOf(io, flags);
  const { send, close } = await openTransport(io, flags.timeout, certificatesOf(credentials));
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
    // A server in this process has no rate limits, so that tests do not wait.
    ...defined({
      rateRules: io.transport === undefined ? undefined : [],
      timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
      deadline,
      onWaiting: isSilent ? undefined : (waiting: Waiting) => tellWaiting(io, wordsOf(waiting)),
      onLink,
      trace: flags.verbose === true ? await traceTo(io) : undefined,
    }),
  });
  const endWaiting = isSilent
    ? () => {}
    : showWhileWaiting(io, () => whenDefined(client.connection.waitingFor(), wordsOf));
  return {
    ...client,
    ...defined({ deadline: deadline?.signal }),
    writer: {
      ...client.writer,
      send(call, ...more) {
        writes += 1;
        return client.writer.send(call, ...more);
      },
    },
    credentials,
    requests: () => requests,
    writes: () => writes,
    async close() {
      try {
        await client.settled();
      } finally {
        endWaiting();
        deadline?.cancelAlarm();
        await close();
      }
    },
  };
}

const wordsOf = (waiting: Waiting): string => waitingText(waiting, "--timeout");

const certificatesOf = ({ insecure, certBundle, clientCert, clientCertKey }: Credentials): NetworkOptions => ({
  insecure,
  ...defined({ certBundle, clientCert, clientCertKey }),
});

/**
 * The network of this process, through the proxy of its environment.
 * @param timeoutSeconds the time limit for one answer; undefined: the usual one
 */
export async function openTransport(
  io: Io,
  timeoutSeconds: number | undefined,
  options: Omit<NetworkOptions, "timeoutMs" | "proxy">,
): Promise<{ readonly send: Transport; close(): Promise<void> }> {
  if (io.transport !== undefined) return { send: io.transport, close: async () => {} };
  const { openNetwork } = await import("../zulip/network.ts");
  const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  return openNetwork({ ...options, ...defined({ timeoutMs, proxy: proxyOf(io.env) }) });
}

/**
 * Runs a command's work with a session that is always closed. The result is available while it is still closing, so nobody waits for the deletion
 * of a queue on the server.
 * @returns `closed` ends when the session is closed, and throws its errors
 */
export async function closingAfter<T>(
  context: Connecting,
  work: (session: Session) => Promise<T>,
  { onLink, ending }: SessionOptions = {},
): Promise<{ readonly value: T; readonly closed: Promise<void> }> {
  const session = await connect(context, onLink);
  try {
    const value = await work(session);
    const closed = session.close();
    // The caller that waits for `closed` gets the error; until then it must not end the process.
    closed.catch(() => {});
    return { value, closed };
  } catch (error) {
    if (error instanceof Failure) error.ending = ending ?? error.ending ?? endingOf(session);
    await session.close();
    throw error;
  }
}

/** The state of the server when a command stops here. Undefined: nothing was sent. */
function endingOf({ requests, writes }: Session): Ending | undefined {
  if (writes() > 0) return "sent-stays";
  return requests() > 0 ? "nothing-changed" : undefined;
}

interface DeadlineFlags {
  /** The time limit for the whole command, in seconds. */
  readonly deadline?: number;
}

/** The remaining time for the whole command, by its option or its environment; undefined without a limit. */
interface TimeLeft {
  readonly limitMs: number;
  readonly leftMs: number;
}

/** @throws Failure if the environment variable is not a time */
export function timeLeft(io: Pick<Io, "env" | "now" | "startedAt">, { deadline }: DeadlineFlags): TimeLeft | undefined {
  const written = (io.env.REALMCTL_DEADLINE ?? "").trim();
  if (deadline === undefined && written === "") return undefined;
  const seconds = deadline ?? secondsIn(written, LONGEST_RUN_S);
  if (seconds === undefined) throw failure("use/bad-variable", { variable: "REALMCTL_DEADLINE" });
  const limitMs = seconds * 1000;
  return { limitMs, leftMs: Math.max(0, io.startedAt + limitMs - io.now()) };
}

interface RunningDeadline extends Deadline {
  /** Cancels the deadline, because the command is done. */
  cancelAlarm(): void;
}

/** Fires when the command's time is over; undefined: there is no limit. */
function deadlineOf(io: Io, flags: DeadlineFlags): RunningDeadline | undefined {
  const time = timeLeft(io, flags);
  if (time === undefined) return undefined;
  const over = new AbortController();
  const cancelAlarm = io.alarm(time.leftMs, () => over.abort());
  return { limitMs: time.limitMs, signal: over.signal, cancelAlarm };
}

/** The longest wait without a message. */
export const QUIET_MS = 10_000;

/** Takes a line of progress off a terminal. */
export const CLEAR_LINE = "\r\u001b[2K";

/** Replaces a line of progress, which comes back by itself. */
function tellWaiting({ err }: Pick<Io, "err">, text: string): void {
  err.write(`${err.isTTY ? CLEAR_LINE : ""}${text}\n`);
}

/**
 * Says what a command waits for, as long as it waits and writes nothing else: a line every ten seconds, on terminals and in logs.
 * @param words undefined: the command is not waiting
 * @returns ends it
 */
export function showWhileWaiting(
  io: Pick<Io, "err" | "now" | "alarm" | "writtenAt">,
  words: () => string | undefined,
): () => void {
  let beatAt = io.now();
  const next = (): (() => void) => {
    const quietSince = Math.max(beatAt, io.writtenAt());
    return io.alarm(Math.max(0, quietSince + QUIET_MS - io.now()), beat);
  };
  const beat = (): void => {
    if (io.now() - io.writtenAt() >= QUIET_MS) {
      beatAt = io.now();
      const text = words();
      if (text !== undefined) tellWaiting(io, text);
    }
    cancel = next();
  };
  let cancel = next();
  return () => cancel();
}
