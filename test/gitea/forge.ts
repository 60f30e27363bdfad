import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../src/model/json.ts";

/** An answer of the forge: its body as JSON, or as text. */
export interface Answered {
  readonly status: number;
  readonly value: unknown;
}

/** Who sends a request: somebody with a password, a token, or nobody. */
export type Sender = { readonly login: string } | { readonly token: string } | undefined;

/** The name of the first administrator. */
export const ROOT = "rosa";
const PASSWORD = "correct horse battery staple";
/** Its clock starts jobs of a schedule once a minute. */
const DEADLINE_MS = 100_000;
const POLL_MS = 100;

/** A Gitea of one's own, on loopback, with SQLite in a temporary directory. It refuses to run as root, so root starts it as nobody. */
export class Forge {
  readonly url: string;
  readonly version: string;
  private readonly directory: string;
  private readonly program: string;
  private readonly user: { readonly uid?: number; readonly gid?: number };
  private server: ChildProcess | undefined;

  private constructor(directory: string, program: string, user: Forge["user"], port: number, version: string) {
    this.directory = directory;
    this.program = program;
    this.user = user;
    this.url = `http://127.0.0.1:${port}`;
    this.version = version;
  }

  /** Starts the Gitea that `npm run gitea` built, with one administrator. */
  static async start(): Promise<Forge> {
    const { REALMCTL_GITEA: built, REALMCTL_GITEA_VERSION: version = "" } = process.env;
    if (built === undefined) throw new Error("run it with: npm run gitea");
    const directory = mkdtempSync(join(tmpdir(), "realmctl-gitea-"));
    const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
    // The folder of the checkout may be closed to others.
    for (const part of ["gitea", "templates", "options", "public"])
      cpSync(join(built, part), join(directory, part), { recursive: true });
    mkdirSync(join(directory, "data"));
    const port = await freePort();
    const config = join(directory, "data/app.ini");
    writeFileSync(config, configuration(directory, port));
    if (user.uid !== undefined)
      for (const path of [directory, join(directory, "data"), config]) chownSync(path, user.uid, user.gid);
    const forge = new Forge(directory, join(directory, "gitea"), user, port, version);
    forge.command("migrate");
    const account = ["--username", ROOT, "--password", PASSWORD, "--email", `${ROOT}@example.org`];
    forge.command("admin", "user", "create", "--admin", "--must-change-password=false", ...account);
    await forge.up();
    return forge;
  }

  /** Starts the server, after `down`. */
  async up(): Promise<void> {
    const log = openSync(join(this.directory, "data/server.log"), "a");
    this.server = spawn(this.program, ["web", "--config", join(this.directory, "data/app.ini")], {
      ...this.options(),
      stdio: ["ignore", log, log],
    });
    // However this process ends.
    process.once("exit", () => this.server?.kill("SIGKILL"));
    await this.until("its start", async () => {
      if (this.server?.exitCode !== null) throw new Error(`Gitea ended:\n${this.log()}`);
      return (await this.ask(undefined, "GET", "/version").catch(() => undefined))?.status === 200;
    });
  }

  /** Waits for what the forge does in its own time. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + DEADLINE_MS;
    while (!(await isSo())) {
      if (Date.now() > deadline) throw new Error(`Gitea takes too long for ${what}:\n${this.log()}`);
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  /** Ends the server; its data stay. */
  async down(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await ended;
  }

  /** The server answers nothing, and keeps what is sent, until `pause(false)`. */
  pause(isPaused: boolean): void {
    this.server?.kill(isPaused ? "SIGSTOP" : "SIGCONT");
  }

  async end(): Promise<void> {
    this.pause(false);
    await this.down();
    rmSync(this.directory, { recursive: true, force: true });
  }

  log(): string {
    return readFileSync(join(this.directory, "data/server.log"), "utf8").slice(-5000);
  }

  /** One request to the API, below /api/v1. */
  async ask(as: Sender, method: string, path: string, body?: object): Promise<Answered> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { ...authorization(as), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, value: jsonOf(text) };
  }

  /** The same, where only success will do: the answer. */
  async must(as: Sender, method: string, path: string, body?: object): Promise<unknown> {
    const { status, value } = await this.ask(as, method, path, body);
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(value)}`);
    return value;
  }

  /** One request as a browser sends it, signed in: what the forge has on its pages alone. */
  async browse(login: string, method: string, path: string): Promise<Answered> {
    const form = new URLSearchParams({ user_name: login, password: PASSWORD });
    const signedIn = await fetch(`${this.url}/user/login`, { method: "POST", body: form, redirect: "manual" });
    const cookies = new Map(
      signedIn.headers.getSetCookie().map((one) => [one.split("=")[0], one.split(";")[0]] as const),
    );
    const cookie = [...cookies.values()].join("; ");
    const response = await fetch(`${this.url}${path}`, { method, headers: { cookie } });
    return { status: response.status, value: await response.text() };
  }

  /** An account with a password. */
  async addUser(login: string): Promise<Sender> {
    const account = { username: login, email: `${login}@example.org`, password: PASSWORD, must_change_password: false };
    await this.must({ login: ROOT }, "POST", "/admin/users", account);
    return { login };
  }

  /** A token with these scopes alone. */
  async token(login: string, scopes: readonly string[]): Promise<string> {
    const name = `t${randomBytes(6).toString("hex")}`;
    return textOf(await this.must({ login }, "POST", `/users/${login}/tokens`, { name, scopes }), "sha1");
  }

  /** The address for git, with the password of an account. */
  remote(login: string, repository: string): string {
    return `${this.url.replace("://", `://${login}:${encodeURIComponent(PASSWORD)}@`)}/${repository}.git`;
  }

  private command(...args: readonly string[]): void {
    execFileSync(this.program, [...args, "--config", join(this.directory, "data/app.ini")], {
      ...this.options(),
      stdio: "pipe",
    });
  }

  private options() {
    const data = join(this.directory, "data");
    return { cwd: data, env: { PATH: process.env.PATH, HOME: data, TMPDIR: data }, ...this.user };
  }
}

/** The text in this field of an answer. */
export function textOf(value: unknown, field: string): string {
  const text = isObject(value) ? value[field] : undefined;
  if (typeof text !== "string") throw new Error(`no ${field} in ${JSON.stringify(value)}`);
  return text;
}

/** The number in this field of an answer. */
export function numberOf(value: unknown, field: string): number {
  const number = isObject(value) ? value[field] : undefined;
  if (typeof number !== "number") throw new Error(`no ${field} in ${JSON.stringify(value)}`);
  return number;
}

/** The objects of an answer that is a list of them. */
export function objectsOf(value: unknown): readonly { readonly [field: string]: unknown }[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  const listed: readonly unknown[] = value;
  return listed.filter((one) => isObject(one));
}

function authorization(as: Sender): { readonly authorization?: string } {
  if (as === undefined) return {};
  if ("token" in as) return { authorization: `token ${as.token}` };
  return { authorization: `Basic ${Buffer.from(`${as.login}:${PASSWORD}`).toString("base64")}` };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const idOf = (flag: "-u" | "-g"): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function configuration(directory: string, port: number): string {
  const secret = (): string => randomBytes(32).toString("base64url");
  return `APP_NAME = forge
RUN_MODE = prod
WORK_PATH = ${join(directory, "data")}
[server]
PROTOCOL = http
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
STATIC_ROOT_PATH = ${directory}
OFFLINE_MODE = true
DISABLE_SSH = true
LFS_START_SERVER = false
[database]
DB_TYPE = sqlite3
PATH = ${join(directory, "data/gitea.db")}
[security]
INSTALL_LOCK = true
SECRET_KEY = ${secret()}
INTERNAL_TOKEN = ${secret()}
; Hashes of passwords may be weak here, so that hundreds of requests cost nothing.
PASSWORD_HASH_ALGO = pbkdf2$1$8
[oauth2]
ENABLED = false
[service]
DISABLE_REGISTRATION = true
[session]
PROVIDER = memory
[actions]
ENABLED = true
[cron.start_schedule_tasks]
SCHEDULE = @every 5s
[log]
MODE = console
LEVEL = Warn
[repository]
DEFAULT_BRANCH = main
`;
}
