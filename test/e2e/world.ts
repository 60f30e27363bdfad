import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import type { Io, Output } from "../../src/cli/io.ts";
import { filesIn, processIo } from "../../src/cli/process-io.ts";
import { run } from "../../src/cli/run.ts";
import { defined } from "../../src/model/defined.ts";
import {
  createSandbox,
  type Interceptor,
  type RealmSource,
  type Sandbox,
  type Served,
  serve,
} from "../../src/sandbox/index.ts";
import { installed } from "../support/bundle.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { PNG } from "../support/pictures.ts";
import { type StartOptions, start } from "./child.ts";

const recorded = (): RealmSource =>
  JSON.parse(readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url), "utf8"));
const real = processIo();
const pipe = (write: (text: string) => void): Output => ({
  write: (text) => {
    // The reports' own mark of a space at which no line may be broken: whatever is not wrapped has to take it out.
    if (text.includes("\u0000")) throw new Error(`an output with NUL characters: ${JSON.stringify(text)}`);
    write(text);
  },
  isTTY: false,
  columns: undefined,
});

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** The account whose key is used; default: the owner. */
  readonly as?: string;
  /** Somebody is at the terminal: answers a question, and may do something before. */
  readonly answer?: (question: string) => string | undefined | Promise<string | undefined>;
  readonly env?: { readonly [name: string]: string };
  /** Without the credentials that the world would set. */
  readonly anonymous?: boolean;
  /** Returns a function that interrupts the command. */
  readonly onStart?: (interrupt: () => void) => void;
  readonly io?: Partial<Io>;
}

/** Could this request change something that people see? */
export function isWrite({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method !== "GET" && !/\/(register|events)$/.test(path);
}

/** What a process can be given; the other options replace a part of the program's own process. */
function asProcess({ answer, io, onStart, ...options }: RunOptions): StartOptions {
  if (answer ?? io ?? onStart) throw new RangeError("no test for the installed package: nobody can answer for it");
  return options;
}

export interface WorldOptions {
  readonly level?: number;
  readonly interceptors?: readonly Interceptor[];
  /** Default: the recorded realm. */
  readonly from?: RealmSource;
  /** Name → text: what the directory has at first. */
  readonly files?: { readonly [name: string]: string | Uint8Array };
}

/** A sandbox behind HTTP, a working directory, and commands that run in this process as they would in a shell. */
export class World {
  readonly sandbox: Sandbox;
  readonly directory = temporaryDirectory("e2e");
  private readonly files: { readonly [name: string]: string | Uint8Array };
  private served: Served | undefined;

  constructor({ level, interceptors, from = recorded(), files = {} }: WorldOptions = {}) {
    this.sandbox = createSandbox({
      from,
      ...(level === undefined ? {} : { featureLevel: level }),
      ...(interceptors === undefined ? {} : { interceptors }),
    });
    this.files = files;
    this.fill();
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const world = new World(options);
    await world.open();
    return world;
  }

  async open(): Promise<void> {
    this.served = await serve(this.sandbox, { port: 0 });
  }

  async end(): Promise<void> {
    await this.served?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Resets the realm to its start, and the directory: much cheaper than another world. */
  restart(): void {
    this.sandbox.reset();
    for (const name of readdirSync(this.directory)) rmSync(join(this.directory, name), { recursive: true });
    this.fill();
  }

  get url(): string {
    if (this.served === undefined) throw new RangeError("the world is not open");
    return this.served.url;
  }

  private fill(): void {
    for (const [name, text] of Object.entries(this.files)) this.file(name, text);
  }

  file(name: string, text: string | Uint8Array): void {
    writeFileSync(join(this.directory, name), text);
  }

  directories(...names: readonly string[]): void {
    for (const name of names) mkdirSync(join(this.directory, name), { recursive: true });
  }

  read(name: string): string {
    return readFileSync(join(this.directory, name), "utf8");
  }

  journals(): readonly string[] {
    return readdirSync(join(this.directory, ".realmctl")).filter((name) => name.endsWith(".jsonl"));
  }

  /** @param as default: an owner */
  credentials(as = "owner"): { readonly [name: string]: string } {
    const account = this.account(as);
    return { ZULIP_SITE: this.url, ZULIP_EMAIL: account.email, ZULIP_API_KEY: account.api_key };
  }

  /** @param as only a recorded organization has the name `owner`; in others this one owns it */
  private account(as: string) {
    const { accounts } = this.sandbox;
    const account = accounts[as] ?? (as === "owner" ? accounts["ada@acme.example"] : undefined);
    if (account === undefined) throw new RangeError(`the sandbox has no account ${as}`);
    return account;
  }

  /** Requests that could change something, oldest first: "PATCH /streams/3". */
  writes(): readonly string[] {
    return this.sandbox.log.filter(isWrite).map(({ method, path }) => `${method} ${path}`);
  }

  /** Somebody else changes something, directly through the API. */
  async edit(as: string, method: string, path: string, params: { readonly [name: string]: unknown }): Promise<void> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      form.set(name, typeof value === "string" ? value : JSON.stringify(value));
    await this.send(as, method, path, form);
  }

  /** The owner changes a channel by hand. */
  editChannel(name: string, params: { readonly [name: string]: unknown }): Promise<void> {
    return this.edit("owner", "PATCH", `/streams/${this.channel(name).stream_id}`, params);
  }

  /** The owner creates a group of Ada by hand. */
  createGroup(name: string, more: { readonly [name: string]: unknown } = {}): Promise<void> {
    return this.edit("owner", "POST", "/user_groups/create", { name, description: "", members: [6], ...more });
  }

  /** Ada changes the members of a group by hand. */
  changeMembers(group: string, changes: { add?: readonly string[]; remove?: readonly string[] }): Promise<void> {
    const [add, remove] = [changes.add ?? [], changes.remove ?? []].map((who) => who.map((one) => this.person(one)));
    return this.edit("ada@acme.example", "POST", `/user_groups/${this.group(group)}/members`, { add, delete: remove });
  }

  /** The owner subscribes people by hand, or itself, and thereby creates a channel that does not exist. */
  subscribe(
    name: string,
    {
      description,
      people,
      ...params
    }: { description?: string; people?: readonly string[]; [name: string]: unknown } = {},
  ): Promise<void> {
    const subscriptions = [{ name, ...defined({ description }) }];
    const principals = people?.map((email) => this.person(email));
    return this.edit("owner", "POST", "/users/me/subscriptions", {
      subscriptions,
      ...defined({ principals }),
      ...params,
    });
  }

  /** Somebody else uploads a picture. */
  async upload(as: string, method: string, path: string, params: { readonly [name: string]: unknown }): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries(params)) form.set(name, JSON.stringify(value));
    form.set("filename", new Blob([new Uint8Array(PNG)], { type: "image/png" }), "picture.png");
    await this.send(as, method, path, form);
  }

  private async send(as: string, method: string, path: string, body: URLSearchParams | FormData): Promise<void> {
    const { email, api_key } = this.account(as);
    const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
    const request = new Request(`${this.url}/api/v1${path}`, { method, headers: { authorization }, body });
    const response = await this.sandbox.fetch(request);
    if (response.status !== 200) throw new Error(`${method} ${path}: ${await response.text()}`);
  }

  channel(name: string) {
    const found = Object.values(this.sandbox.state().channels).find((channel) => channel.name === name);
    if (found === undefined) throw new RangeError(`the sandbox has no channel ${name}`);
    return found;
  }

  group(name: string): number {
    const found = Object.values(this.sandbox.state().user_groups).find((group) => group.name === name);
    if (found === undefined) throw new RangeError(`the sandbox has no group ${name}`);
    return found.id;
  }

  /** @param who an address, or what it has before `@acme.example` */
  person(who: string): number {
    const email = who.includes("@") ? who : `${who}@acme.example`;
    const found = Object.values(this.sandbox.state().users).find((user) => user.delivery_email === email);
    if (found === undefined) throw new RangeError(`the sandbox has no account ${email}`);
    return found.user_id;
  }

  /** The organization is brought to the state of this file. */
  async bringInLine(text: string): Promise<void> {
    this.file("realm.yaml", text);
    const { code, out, err } = await this.realmctl("apply --yes");
    if (code !== 0) throw new Error(`apply ended with ${code}: ${out}${err}`);
  }

  async realmctl(line: string, options: RunOptions = {}): Promise<Ran> {
    if (installed() !== undefined) return start(this, line, asProcess(options)).ended;
    const ran = { code: 0, out: "", err: "" };
    const listeners = new Set<() => void>();
    options.onStart?.(() => {
      for (const listener of [...listeners]) listener();
    });
    const { answer } = options;
    await run({
      ...real,
      argv: line.split(" ").filter((word) => word !== ""),
      env: {
        TMPDIR: this.directory,
        ...(options.anonymous === true ? {} : this.credentials(options.as)),
        ...options.env,
      },
      cwd: this.directory,
      out: pipe((text) => {
        ran.out += text;
      }),
      err: pipe((text) => {
        ran.err += text;
      }),
      inputIsTTY: answer !== undefined,
      ...filesIn(this.directory),
      ask: async (question) => {
        ran.err += `${question}\n`;
        return answer?.(question);
      },
      // Waiting for a server that does not exist proves nothing.
      sleep: async () => {},
      alarm: () => () => {},
      setExitCode: (code) => {
        ran.code = code;
      },
      onInterrupt: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      ...options.io,
    });
    return ran;
  }
}

/** The world of a file of tests, at its start before each of them. */
export function worldOfTests(options: WorldOptions = {}): World {
  const world = new World(options);
  beforeAll(() => world.open());
  beforeEach(() => world.restart());
  afterAll(() => world.end());
  return world;
}

/** A world of the test that runs, which ends with it. */
export async function worldOfTest(options: WorldOptions = {}): Promise<World> {
  const world = await World.start(options);
  onTestFinished(() => world.end());
  return world;
}

/** Everything that a command said, in one line. */
export const textOf = ({ out, err }: Ran): string => flat(`${out}${err}`);

/** Lines as they were before they were broken. */
export const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
