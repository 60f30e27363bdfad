import { createServer } from "node:http";
import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod";
import { lockRoot } from "../apply/lock.ts";
import { defined } from "../model/defined.ts";
import { EXIT, Failure, failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isLoopbackUrl } from "../model/loopback.ts";
import { counted, healthAt, isHealthy, type KnownLists, type SyncEvent, type SyncHealth } from "../model/sync.ts";
import { unreadable } from "../model/unreadable.ts";
import { ARGUMENT_FORMS } from "../report/commands/process.ts";
import { runnable } from "../report/style.ts";
import { syncEventJson, syncLines, syncListens, syncMetrics, syncStatusJson } from "../report/sync.ts";
import { whileRunning } from "../workflow/follow.ts";
import { planLists, SharedReader, syncRealm } from "../workflow/sync.ts";
import { EventQueue } from "../zulip/event-queue.ts";
import { listenForInterrupts } from "./apply/carry-out.ts";
import { Context, valueOrFailure } from "./context.ts";
import { CONNECTION, type ConnectionFlags, guardOptions, timeOfRun, VALUES } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { type OutputFile, refuseUnfitOutput, writeOutput } from "./write-files.ts";

interface Endpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** An address of this machine alone: `127.0.0.1:9750`. */
interface Listen {
  readonly host: string;
  readonly port: number;
}

/** @returns undefined for another text, and for an address that other machines reach */
function listenAddress(written: string): Listen | undefined {
  const [, host = "", digits = ""] = /^(\[::1\]|[^:[\]]+):(\d{1,5})$/.exec(written.trim()) ?? [];
  const port = Number(digits);
  return digits !== "" && port <= 65_535 && isLoopbackUrl(`http://${host}`) ? { host, port } : undefined;
}

/**
 * `/healthz` (200, or 503 if something is wrong) and `/metrics`, for readers on this machine.
 * @throws Failure if the port is in use
 */
async function syncEndpoint({ host, port }: Listen, now: () => number, health: () => SyncHealth): Promise<Endpoint> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string): void => {
      response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).end(text);
    };
    // A page in a browser of this machine could otherwise read it, under a name of its own that leads here.
    if (!isLoopbackUrl(`http://${request.headers.host ?? ""}`)) return answer(403, "text/plain", "");
    if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "text/plain", "");
    const at = now();
    if (request.url === "/healthz")
      return answer(isHealthy(health(), at) ? 200 : 503, "application/json", syncStatusJson(health(), at));
    if (request.url === "/metrics") return answer(200, "text/plain; version=0.0.4", syncMetrics(health(), at));
    return answer(404, "text/plain", "");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (thrown) => {
      const { code } = unreadable(thrown);
      const fact = { port, reason: quote(thrown.message), sync: true as const, ...defined({ code }) };
      reject(failure("sandbox/port", fact));
    });
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host}:${own}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The time between two looks at the files. */
const LOOK_MS = 5_000;

const SYNC = [
  ...CONNECTION,
  ...guardOptions("let every plan of this process pass this guard rail"),
  ...VALUES,
  option("--interval <time>", "how often to compare everything even without an event, such as 5m or 1h", {
    parse: timeOfRun,
    default: 600,
    defaultText: "10m",
  }),
  option("--format <format>", "the format of the log: one line for each change", {
    choices: ["text", "json"],
    default: "text",
  }),
  option("--status <file>", "keep the state and the counts in this file, as JSON"),
  option(
    "--listen <address>",
    "serve /healthz (200 or 503) and /metrics (for Prometheus) to this machine, such as on 127.0.0.1:9750",
    { parse: listenOption },
  ),
];
type SyncFlags = FlagsOf<typeof SYNC> & ConnectionFlags;

export function syncCommand(io: Io): Command {
  return commandOf("sync", SYNC)
    .description(
      "Keep running, and keep the lists of subscribers and members that `policy: sync:` names as the file has them: at once on every event, and at an interval. Sends nothing else, under the same guard rails as apply; changes of which one refuses or would ask wait, and it says which and why.",
    )
    .argument("[file]", "the organization as it should be; it is read again when it changes", "realm.yaml")
    .action(async (file: string, flags: SyncFlags) => {
      if (flags.status !== undefined) await refuseUnfitOutput(io, statusFile(flags.status));
      const context = new Context(io, flags, file);
      await context.filesFirst(() => run(context));
      io.setExitCode(EXIT.done);
    });
}

/** @throws InvalidArgumentError for an address that is not of this machine */
function listenOption(written: string): Listen {
  const address = listenAddress(written);
  if (address === undefined) throw new InvalidArgumentError(ARGUMENT_FORMS.listen);
  return address;
}

const statusFile = (file: string): OutputFile => ({ file, format: "sync-status" });

/** Runs until Ctrl-C or SIGTERM: then the request in flight gets its answer, and nothing more is sent. */
async function run(context: Context<SyncFlags>): Promise<void> {
  const { io, file, flags } = context;
  const intervalMs = flags.interval * 1000;
  const before = await knownBefore(context);
  let health: SyncHealth = { ...healthAt(io.now(), intervalMs), ...before };
  const endpoint =
    flags.listen &&
    (await syncEndpoint(
      flags.listen,
      () => io.now(),
      () => health,
    ));
  if (endpoint !== undefined) io.err.write(syncListens(endpoint.url));
  const saveStatus = statusWriter(context);
  const tell = async (event: SyncEvent): Promise<void> => {
    const now = io.now();
    health = counted(health, event, now);
    io.out.write(
      flags.format === "json"
        ? syncEventJson(event, now)
        : runnable(syncLines(event, file, now), io.invocation.advised),
    );
    await saveStatus(syncStatusJson(health, now));
  };
  try {
    await saveStatus(syncStatusJson(health, io.now()));
    await keep(context, intervalMs, tell, before);
  } finally {
    await endpoint?.close();
  }
}

async function keep(
  { io, file, flags }: Context<SyncFlags>,
  intervalMs: number,
  tell: (event: SyncEvent) => Promise<void>,
  before: KnownLists,
): Promise<void> {
  const { allow = [] } = flags;
  const files = new WatchedFiles(io);
  // Each attempt is reported as an event, and none of the waiting in between.
  await new Context(io, { ...flags, isShownLater: true }).session(async ({ connection, reader, writer, deadline }) => {
    const interrupts = listenForInterrupts(io, deadline);
    const { stop } = interrupts;
    const temporary = lockRoot(io.env);
    const now = (): number => io.now();
    const signal = stop.sendNoMore ?? stop.signal;
    const shared = new SharedReader(
      { snapshot: (request, own) => whileRunning(signal, (ends) => reader.snapshot(request, own ?? ends)) },
      now,
    );
    let readAt = io.now();
    try {
      await syncRealm({
        open: () => EventQueue.open(connection),
        plan(open, meant) {
          readAt = io.now();
          files.forget();
          return listsOf(new Context(files.io, flags, file), shared, { open, meant });
        },
        runs: { file, reader: shared.ofRun, writer, directory: io.cwd, now, temporary, allow, stop },
        wakeBy(wake) {
          const stopWaiting = io.alarm(Math.max(0, readAt + intervalMs - io.now()), wake);
          const stopLooking = files.whenChanged(LOOK_MS, wake);
          return () => {
            stopWaiting();
            stopLooking();
          };
        },
        tell,
        before,
        now,
        intervalMs,
        sleep: (ms, until) => io.sleep(ms, until),
        random: () => io.random(),
        signal,
      });
    } finally {
      interrupts.done();
    }
  });
}

/** Reads the file and the organization, and plans the lists. @throws Failure for errors */
async function listsOf(
  context: Context<SyncFlags>,
  shared: SharedReader,
  before: Pick<Parameters<typeof planLists>[0], "open" | "meant">,
) {
  const { policy, allow = [] } = context.flags;
  const from = context.files(context.file, policy);
  return valueOrFailure(await planLists({ ...from, reader: shared.ofPlan, allow, ...before }));
}

const StatusBefore = z.object({
  open_lists: z.array(z.string()).catch([]),
  names: z.record(z.string(), z.record(z.string(), z.int())).catch({}),
});

/** What the file of `--status` says of the process before this one; nothing if there is none. */
async function knownBefore({ io, flags }: Context<SyncFlags>): Promise<KnownLists> {
  const read = async (): Promise<unknown> =>
    flags.status === undefined ? {} : JSON.parse(await io.readFile(flags.status, undefined, "look"));
  const { data } = StatusBefore.safeParse(await read().catch(() => ({})));
  return { open: data?.open_lists ?? [], meant: data?.names ?? {} };
}

/** Writes the state into the file of `--status`. A full disk is said once: it is no reason to stop. */
function statusWriter(context: Context<SyncFlags>): (text: string) => Promise<void> {
  const { io, flags } = context;
  let isBroken = false;
  return async (text) => {
    if (flags.status === undefined) return;
    try {
      await writeOutput(io, statusFile(flags.status), text);
      isBroken = false;
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      if (!isBroken) await context.show(thrown.diagnostics, "watching-on");
      isBroken = true;
    }
  };
}

/** The files that the last reading used, and whether they are still the same. */
class WatchedFiles {
  /** Reads files, and remembers them. */
  readonly io: Io;
  private readonly process: Io;
  /** How each file and directory was read, and what was in it; undefined: it could not be read. */
  private readonly used = new Map<
    string,
    { readonly again: () => Promise<string>; readonly found: string | undefined }
  >();

  constructor(io: Io) {
    this.process = io;
    this.io = {
      ...io,
      readFile: (path, rules, use) =>
        this.watched(
          `file ${path}`,
          () => io.readFile(path, rules, "look"),
          () => io.readFile(path, rules, use),
        ),
      list: (path, rules) => {
        const again = async () => (await io.list(path, rules)).join("\n");
        return this.watched(`list ${path}`, again, () => io.list(path, rules));
      },
    };
  }

  /** Before everything is read again. */
  forget(): void {
    this.used.clear();
  }

  /** Looks again and again, and calls back once when something changed. @returns a function that ends it */
  whenChanged(everyMs: number, onChange: () => void): () => void {
    let isOver = false;
    let cancel = () => {};
    const next = (): void => {
      cancel = this.process.alarm(everyMs, async () => {
        if (await this.isChanged()) {
          if (!isOver) onChange();
        } else if (!isOver) next();
      });
    };
    next();
    return () => {
      isOver = true;
      cancel();
    };
  }

  private async isChanged(): Promise<boolean> {
    for (const { again, found } of [...this.used.values()]) if ((await nowIn(again)) !== found) return true;
    return false;
  }

  private async watched<T extends string | readonly string[]>(
    key: string,
    again: () => Promise<string>,
    read: () => Promise<T>,
  ): Promise<T> {
    try {
      const value = await read();
      this.used.set(key, { again, found: typeof value === "string" ? value : value.join("\n") });
      return value;
    } catch (thrown) {
      this.used.set(key, { again, found: undefined });
      throw thrown;
    }
  }
}

/** What is there now; undefined if it cannot be read. */
const nowIn = (again: () => Promise<string>): Promise<string | undefined> => again().catch(() => undefined);
