import { existsSync } from "node:fs";
import { readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { ZodError } from "zod";
import { placedFindings } from "../config/issues.ts";
import { Report } from "../config/report.ts";
import { shapeOf } from "../config/shape.ts";
import { refuseLinkOut, writeInOneStep } from "../disk/write.ts";
import { commandLine } from "../model/command-line.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Checked, failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isMap, type Json, type JsonObject } from "../model/json.ts";
import { whyNotJson } from "../model/not-json.ts";
import { isMissing, unreadable } from "../model/unreadable.ts";
import { snapshotOf } from "../rehearsal/rehearse.ts";
import { ARGUMENT_FORMS, levelForm } from "../report/commands/process.ts";
import { accountText, sandboxText } from "../report/commands/sandbox.ts";
import {
  adjustableClock,
  controlOf,
  createSandbox,
  FaultPlan,
  Faults,
  type RateLimit,
  type Sandbox,
  SERVER_RATE_LIMITS,
  serve,
} from "../sandbox/index.ts";
import { loadDocument } from "../source/load.ts";
import { configurationFiles } from "./configuration-files.ts";
import { valueOrFailure } from "./context.ts";
import { OUTPUT } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { isInput, type OutputFile, refuseUnfitOutput, unwritable } from "./write-files.ts";

/** A sandbox behind HTTP, until it is closed. */
export interface RunningSandbox {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** Whether it started from a snapshot without subscribers. */
  readonly lacksSubscribers: boolean;
  /** The organization whose snapshot it started from. */
  readonly standsFor?: string;
  close(): Promise<void>;
}

/** The oldest level that realmctl supports, and so the oldest that the sandbox needs. */
const OLDEST_LEVEL = 320;

const SANDBOX = [
  ...OUTPUT,
  option(
    "--from <file>",
    "start from a snapshot (realmctl snapshot), or a recorded realm.json (default: the demo's organization)",
  ),
  option("--port <port>", "the port on 127.0.0.1; 0 takes any free one", { parse: parsePort, default: 0 }),
  option("--feature-level <level>", "behave like a server of this feature level (default: that of --from)", {
    parse: parseLevel,
  }),
  option(
    "--data <file>",
    "keep the organization in this file between runs; --from is read only while this file does not exist",
  ),
  option(
    "--rate-limits <limits>",
    "limits for each account: on (200 requests a minute and 2,000 an hour, as on the server), off, or your own as REQUESTS/SECONDS, separated by commas: 20/60,500/3600",
    { parse: parseRateLimits, default: SERVER_RATE_LIMITS, defaultText: "on" },
  ),
  option("--faults <file>", "a YAML file that says which requests fail, and when (docs/sandbox.md)"),
  option("--accounts-out <file>", "write every account's address and key as JSON"),
  option("--zuliprc-dir <directory>", "write a zuliprc for every account"),
  option(
    "--key-seed <text>",
    "the same keys in every run, derived from this text: everybody who knows it knows the keys (default: new keys that nobody can guess)",
  ),
  option("--force", "replace files that no sandbox wrote"),
];
type SandboxFlags = FlagsOf<typeof SANDBOX>;

export function sandboxCommand(io: Io): Command {
  return commandOf("sandbox", SANDBOX)
    .description(
      "Run an organization in memory that follows the server's rules. Use it to try realmctl, to rehearse a plan, or to test other programs.",
    )
    .action(async (flags: SandboxFlags) => {
      const running = await startSandbox(io, flags);
      try {
        await describe(io, flags, running);
        await new Promise<void>((stop) => {
          const stopListening = io.onInterrupt(() => {
            stopListening();
            stop();
          });
        });
      } finally {
        await running.close();
      }
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError(ARGUMENT_FORMS.port);
  return port;
}

function parseLevel(text: string): number {
  const level = Number(text);
  if (!/^\d+$/.test(text) || level < OLDEST_LEVEL) {
    throw new InvalidArgumentError(levelForm(OLDEST_LEVEL));
  }
  return level;
}

/** @param text "on", "off", or "20/60,500/3600": requests per seconds */
export function parseRateLimits(text: string): readonly RateLimit[] {
  if (text === "on") return SERVER_RATE_LIMITS;
  if (text === "off") return [];
  return text.split(",").map((part) => {
    const [, requests, seconds] = /^(\d{1,9})\/(\d{1,9})$/.exec(part.trim()) ?? [];
    if (!(Number(requests) > 0 && Number(seconds) > 0)) {
      throw new InvalidArgumentError(ARGUMENT_FORMS.rateLimits);
    }
    return { requests: Number(requests), seconds: Number(seconds) };
  });
}

/** @throws Failure if a file cannot be read, is not a realm, or the port is in use */
export async function startSandbox(io: Io, flags: SandboxFlags): Promise<RunningSandbox> {
  const dataPath = flags.data === undefined ? undefined : resolve(io.cwd, flags.data);
  const source = dataPath !== undefined && existsSync(dataPath) ? dataPath : (flags.from ?? demoRealmPath());
  const flag = source === dataPath ? "--data" : "--from";
  if (flags.accountsOut !== undefined) await refuseUnfitOutput(io, accountsFile(flags, flags.accountsOut));
  const from = await readRealm(io, source, flag, source === dataPath ? "look" : "input");
  if (flags.data !== undefined)
    await refuseUnfitOutput(io, { file: flags.data, format: "sandbox-data", force: flags.force ?? false });
  const clock = adjustableClock();
  const plan = flags.faults === undefined ? undefined : valueOrFailure(await readFaultsFile(io, flags.faults));
  const faults = new Faults({ clock, ...defined({ plan }) });
  const made: { sandbox?: Sandbox } = {};
  const save = async (): Promise<void> => {
    if (dataPath !== undefined && made.sandbox !== undefined) {
      await replaceFile(dataPath, JSON.stringify(made.sandbox.state()));
    }
  };
  const sandbox = create(source, flag, () =>
    createSandbox({
      from,
      clock,
      ...defined({
        featureLevel: flags.featureLevel,
        seed: flags.keySeed,
        rateLimits: flags.rateLimits.length > 0 ? flags.rateLimits : undefined,
      }),
      // The real state is saved, whatever a fault tells the caller.
      interceptors:
        dataPath === undefined ? [faults] : [savingInterceptor(save, () => made.sandbox?.revision ?? 0), faults],
    }),
  );
  made.sandbox = sandbox;
  // Also with --force: the source of the organization must not be lost.
  for (const output of [flags.data, flags.accountsOut])
    if (output !== undefined && (await io.wasRead(output))) throw isInput(output);
  try {
    if (dataPath !== undefined) {
      await refuseLinkOut(dataPath, io.cwd);
      await removeLeftovers(dataPath);
    }
    await save();
  } catch (thrown) {
    throw failure("sandbox/data", { file: flags.data ?? "", why: unreadable(thrown) });
  }
  try {
    const served = await serve(sandbox, {
      port: flags.port,
      control: controlOf({ sandbox, faults, clock, snapshotOf, onReset: save }),
    });
    const lacksSubscribers = from.format === "realmctl.snapshot" && from.subscribers === null;
    const { realmctl_sandbox_of: of } = sandbox.state().server;
    const standsFor = defined({ standsFor: typeof of === "string" ? of : undefined });
    return { sandbox, url: served.url, lacksSubscribers, ...standsFor, close: served.close };
  } catch (thrown) {
    const { code } = unreadable(thrown);
    const reason = quote(messageOf(thrown));
    throw failure("sandbox/port", { port: flags.port, reason, ...defined({ code }) });
  }
}

/** The recorded organization that comes with realmctl; beside dist/ when bundled, two folders up in the sources. */
export function demoRealmPath(): string {
  return fixturePath("acme-realm.json");
}

/** A file of `fixtures/`, from the bundle (`dist/…`) and from the sources (`src/cli/…`). */
export function fixturePath(name: string): string {
  const here = import.meta.dirname;
  const candidates = ["..", "../..", "../../.."].map((up) => join(here, up, "fixtures", name));
  const found = candidates.find((path) => existsSync(path));
  if (found === undefined) throw failure("sandbox/no-fixture", { file: `fixtures/${name}` });
  return found;
}

/** @param flag the option that names the file */
async function readRealm(io: Io, path: string, flag: RealmFlag, use: "input" | "look"): Promise<JsonObject> {
  let text: string;
  try {
    text = await io.readFile(path, undefined, use);
  } catch (thrown) {
    throw failure("sandbox/unreadable", { file: path, flag, why: unreadable(thrown) });
  }
  let json: Json;
  try {
    json = JSON.parse(text);
  } catch {
    throw failure("sandbox/not-json", { file: path, flag, reason: whyNotJson(text) });
  }
  if (!isMap(json)) throw failure("sandbox/not-a-realm", { file: path, flag });
  return json;
}

function create(source: string, flag: RealmFlag, make: () => Sandbox): Sandbox {
  try {
    return make();
  } catch (thrown) {
    if (!(thrown instanceof ZodError)) throw thrown;
    const [first] = thrown.issues;
    const at = first?.path.join(".");
    const reason = first && { reason: quote(first.message), ...defined({ at: at || undefined }) };
    throw failure("sandbox/not-a-realm", { file: source, flag, ...reason });
  }
}

type RealmFlag = "--data" | "--from";

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface NamedAccount {
  /** The recording's name (`owner`), else the address. */
  readonly name: string;
  readonly email: string;
  readonly key: string;
  readonly about: string;
}

/** Every account that can sign in, once, under its shortest name. */
export function accountsOf(sandbox: Sandbox): readonly NamedAccount[] {
  const { users } = sandbox.state();
  const byId = new Map<number, NamedAccount>();
  for (const [name, account] of Object.entries(sandbox.accounts)) {
    const user = users[account.user_id];
    const known = byId.get(account.user_id);
    if (user === undefined || (known !== undefined && known.name !== account.email)) continue;
    const about = accountText(user);
    byId.set(account.user_id, { name, email: account.email, key: account.api_key, about });
  }
  return [...byId.values()];
}

/** The text of a `zuliprc` (zulip-api.md §13.2). */
export function zuliprcText(site: string, email: string, key: string): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

async function describe(
  io: Io,
  flags: SandboxFlags,
  { sandbox, url, lacksSubscribers, standsFor }: RunningSandbox,
): Promise<void> {
  const accounts = accountsOf(sandbox);
  if (flags.accountsOut !== undefined) {
    const json = Object.fromEntries(
      Object.entries(sandbox.accounts).map(([name, { email, api_key }]) => [name, { email, api_key }]),
    );
    await writeOut(io, accountsFile(flags, flags.accountsOut), `${JSON.stringify({ ...json }, null, 2)}\n`);
  }
  if (flags.zuliprcDir !== undefined) {
    const directory = resolve(io.cwd, flags.zuliprcDir);
    try {
      await io.makeDirectory(directory);
    } catch (thrown) {
      throw unwritable(flags.zuliprcDir, thrown, "directory");
    }
    for (const { name, email, key } of accounts) {
      const file = join(flags.zuliprcDir, `${fileName(name)}.zuliprc`);
      const output = { file, format: "sandbox-zuliprc", force: flags.force ?? false } as const;
      await writeOut(io, output, zuliprcText(url, email, key));
    }
  }
  const secretOf = ({ name, key }: NamedAccount): string =>
    flags.zuliprcDir === undefined ? key : join(flags.zuliprcDir, `${fileName(name)}.zuliprc`);
  const [first] = accounts;
  const credentials = ({ name, email, key }: NamedAccount): readonly string[] =>
    flags.zuliprcDir === undefined
      ? ["--site", url, "--email", email, "--key", key]
      : ["--zuliprc", join(flags.zuliprcDir, `${fileName(name)}.zuliprc`)];
  io.out.write(
    sandboxText({
      url,
      featureLevel: sandbox.featureLevel,
      accounts: accounts.map((account) => ({ ...account, secret: secretOf(account) })),
      areKeysInFiles: flags.zuliprcDir !== undefined,
      standsFor,
      lacksSubscribers,
      command: whenDefined(first, (account) => commandLine(["plan", ...credentials(account)])),
    }),
  );
}

const accountsFile = ({ force = false }: SandboxFlags, file: string): OutputFile => ({
  file,
  format: "sandbox-accounts",
  force,
});

/** Like {@link writeOutput}, and flushed to the disk. */
async function writeOut(io: Io, output: OutputFile, text: string): Promise<void> {
  await refuseUnfitOutput(io, output);
  const path = resolve(io.cwd, output.file);
  try {
    await removeLeftovers(path);
    await replaceFile(path, text);
  } catch (thrown) {
    throw unwritable(output.file, thrown);
  }
}

/** An address as the name of a file. */
function fileName(name: string): string {
  return name.replace(/[^\w.@+-]/g, "_");
}

/** The faults of the sandbox, from a YAML or JSON file, or every error in it with its place. */
export async function readFaultsFile(
  io: Pick<Io, "readFile" | "readBytes" | "list">,
  file: string,
): Promise<Checked<FaultPlan>> {
  const loaded = await loadDocument(configurationFiles(io, file));
  if (!loaded.ok) return loaded;
  const { root, files, places } = loaded.value;
  const report = new Report(loaded.value, loaded.warnings);
  const parsed = FaultPlan.safeParse(root);
  if (!parsed.success) {
    const context = {
      value: root,
      shape: shapeOf(FaultPlan),
      noun: "faults file",
      patience: report.patience,
    };
    for (const { path, on, finding } of placedFindings(parsed.error.issues, context)) {
      const below = on === "key" ? places.keySpan(root, path) : places.valueSpan(root, path);
      report.addFound(finding, path.length === 0 ? files.at(-1)?.span(0, 0) : below);
    }
  }
  const diagnostics = report.sorted();
  if (!parsed.success) return { ok: false, diagnostics };
  return { ok: true, value: parsed.data, warnings: diagnostics };
}

/** The end of the name that a file has before it replaces another one. */
const BESIDE = /^[0-9a-f]{8}\.tmp$/;

/**
 * Replaces a file in one step that survives a crash. Readers see the old text or the new one, never a part.
 * @throws the system's error; the old file is then untouched
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const write = (): Promise<void> => writeInOneStep(path, text, { private: true, isLasting: true });
  try {
    await write();
  } catch (error) {
    // Another run that is just starting treated the file beside it as a leftover.
    if (!isMissing(error)) throw error;
    await write();
  }
}

/**
 * Deletes files that {@link replaceFile} left when its process was killed: files with exactly that form of name, no links and no directories. They
 * hold keys or a whole organization, and nobody would ever read them.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const prefix = `${basename(target)}.`;
  const entries = await readdir(dirname(target), { withFileTypes: true }).catch(() => []);
  const left = entries.filter(
    (entry) => entry.isFile() && entry.name.startsWith(prefix) && BESIDE.test(entry.name.slice(prefix.length)),
  );
  // A file that cannot be deleted stays; it does no harm.
  for (const { name } of left) await rm(join(dirname(target), name), { force: true }).catch(() => undefined);
}

/** An interceptor that saves, and leaves the answer to the server. */
interface Saver {
  after(): Promise<undefined>;
}

/**
 * Saves before the answer is sent, so that the next run starts from a state that includes everything that a client was told: also the steps that a
 * refused request had taken, and work that was due in the meantime. Requests that arrive while a save is running share the next one.
 * @param revision grows with every change (`Sandbox.revision`); its initial value counts as saved
 */
export function savingInterceptor(save: () => Promise<void>, revision: () => number): Saver {
  let savedRevision = revision();
  let running: Promise<void> | undefined;

  async function start(): Promise<void> {
    const startedAt = revision();
    try {
      await save();
      savedRevision = startedAt;
    } finally {
      running = undefined;
    }
  }

  return {
    async after() {
      const wanted = revision();
      while (savedRevision < wanted) {
        if (running === undefined) {
          running = start();
          await running;
        } else {
          // A failed save is reported to the request that started it; requests that only waited try again.
          await running.catch(() => undefined);
        }
      }
      return undefined;
    },
  };
}
