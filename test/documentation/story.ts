import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import type { Output, Prompts } from "../../src/cli/io.ts";
import { readFaultsFile } from "../../src/cli/sandbox.ts";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { formatYaml } from "../../src/source/format.ts";
import type { Ran, World } from "../e2e/world.ts";
import { type Block, type Command, commandsOf, shows } from "./blocks.ts";

const root = join(import.meta.dirname, "../..");
/** Addresses of organizations in the pages: each stands for the sandbox. */
const ADDRESSES = /https:\/\/chat(?:-staging)?\.example\.org/g;
const Scripts = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = Scripts.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

/** Runs one page, from its first block to its last, against one organization. Returns the blocks that fail. */
export class Story {
  readonly world: World;
  /** The last plan, snapshot and journal: JSON blocks are parts of these. */
  private readonly documents: unknown[] = [];

  /** Variables that `export` set. */
  private readonly env: Record<string, string> = {};
  /** Ends commands that still run in the background (`&`). */
  private readonly running: (() => Promise<unknown>)[] = [];

  private readonly anonymous: boolean;

  /** @param anonymous commands get no credentials in their environment: the page has a zuliprc */
  constructor(world: World, { anonymous = false } = {}) {
    this.world = world;
    this.anonymous = anonymous;
  }

  async end(): Promise<void> {
    for (const stop of this.running) await stop();
  }

  /** Undefined: the block is correct. */
  async tell(block: Block): Promise<string | undefined> {
    for (const { name, value } of block.directives) await this.prepare(name, value);
    if (directive(block, "skip") !== undefined) return undefined;
    if (block.language === "yaml") return this.file(block);
    if (block.language === "sh" || block.language === "console") return this.commands(block);
    if (block.language === "json") return this.part(block);
    const command = directive(block, "excerpt");
    if (command !== undefined) return this.excerpt(block, command.split(" "));
    return `a block of ${block.language || "no language"} needs <!-- skip: reason --> or <!-- excerpt: command -->`;
  }

  private async prepare(name: string, value: string): Promise<void> {
    if (name === "fresh") {
      this.world.restart();
      for (const variable of Object.keys(this.env)) delete this.env[variable];
    } else if (name === "files")
      for (const path of value.split(", ")) {
        cpSync(join(root, path), join(this.world.directory, basename(path)), { recursive: true });
        this.address(join(this.world.directory, basename(path)));
      }
    else if (name === "edit") await this.edit(value);
    else if (name === "run") await this.run(value.split(" "));
    else if (!["skip", "file", "below", "check", "exit", "excerpt", "meanwhile"].includes(name))
      throw new RangeError(`<!-- ${name} -->: there is no such directive`);
  }

  /** `member #general {"description": "…"}`: somebody else changes a channel. */
  private async edit(what: string): Promise<void> {
    const [, as = "", channel = "", params = ""] = /^(\S+) #(\S+) (.*)$/.exec(what) ?? [];
    const id = this.world.channel(channel).stream_id;
    await this.world.edit(as, "PATCH", `/streams/${id}`, Params.parse(JSON.parse(params)));
  }

  /** An address stands for the sandbox in copied files, too. */
  private address(path: string): void {
    if (
      readdirSync(dirname(path), { withFileTypes: true })
        .find(({ name }) => name === basename(path))
        ?.isDirectory()
    )
      for (const name of readdirSync(path)) this.address(join(path, name));
    else
      writeFileSync(
        path,
        readFileSync(path, "utf8").replaceAll(ADDRESSES, () => this.world.url),
      );
  }

  /** A whole file, or a part of one below the keys that `below` names: its layout, its errors, its plan. */
  private async file(block: Block): Promise<string | undefined> {
    if (formatYaml(block.text) !== block.text) return "fmt would change its layout";
    const below = directive(block, "below");
    const name = directive(block, "file") ?? /^# (\S+\.yaml)$/m.exec(block.text)?.[1];
    if (below === undefined && name === undefined)
      return "which file is it? <!-- file: name.yaml --> or <!-- below: keys -->";
    const path = name ?? "realm.yaml";
    const text = below === undefined ? block.text : nested(block.text, below);
    mkdirSync(dirname(join(this.world.directory, path)), { recursive: true });
    this.world.file(
      path,
      text.replaceAll(ADDRESSES, () => this.world.url),
    );
    const check = directive(block, "check") ?? "plan";
    // It is checked together with the file that includes it.
    if (check === "included") return undefined;
    if (check === "faults") {
      const faults = await readFaultsFile(
        { readFile: async () => text, readBytes: async () => new Uint8Array(), list: async () => [] },
        path,
      );
      return faults.ok
        ? undefined
        : `is refused: ${faults.diagnostics.map((one) => wordedDiagnostic(one).message).join("; ")}`;
    }
    if (check === "rules") {
      const { code, out, err } = await this.run(["test"]);
      return code === 0 ? undefined : `test: exit code ${code}\n${out}${err}`;
    }
    if (check === "policy") this.world.file("realm.yaml", `version: 1\npolicy: ${path}\n`);
    for (const command of check === "validate" ? ["validate"] : ["validate", "plan"]) {
      const { code, out, err } = await this.run([command, check === "policy" ? "realm.yaml" : path]);
      if (code !== 0 || /^(?:warning|error)\[/m.test(out + err)) return `${command}: exit code ${code}\n${out}${err}`;
    }
    return undefined;
  }

  private async commands(block: Block): Promise<string | undefined> {
    const codes = directive(block, "exit")?.split(" ").map(Number) ?? [];
    for (const [index, command] of commandsOf(block).entries()) {
      const diagnostic = await this.command(command, codes[index] ?? 0, directive(block, "meanwhile"));
      if (diagnostic !== undefined) return `${command.words.join(" ")}: ${diagnostic}`;
    }
    return undefined;
  }

  private async command(
    { words, output }: Command,
    expectedCode: number,
    meanwhile: string | undefined,
  ): Promise<string | undefined> {
    const into = words.findIndex((word) => word === ">" || word === ">>");
    const own = into < 0 ? words : words.slice(0, into);
    const [program = "", ...rest] = own[0] === "npx" ? own.slice(1) : own;
    if (program === "npm") return isNpm(rest) ? undefined : "package.json has no such script";
    if (program === "export") {
      const [name = "", value = ""] = (rest[0] ?? "").split("=");
      this.env[name] = value.replace("$PWD", this.world.directory);
      return undefined;
    }
    if (program !== "realmctl") return "nothing here runs this: <!-- skip: reason -->";
    if (rest.at(-1) === "&") return this.leave(rest.slice(0, -1));
    const ran = await this.run(rest, meanwhile);
    if (ran.code !== expectedCode) return `exit code ${ran.code}, not ${expectedCode}\n${ran.out}${ran.err}`;
    if (output === undefined || into >= 0 || shows(steady(output), this.steady(ran.both))) return undefined;
    return `shows something else:\n${this.steady(ran.both)}`;
  }

  /** Starts a command with `&`: it runs until the page ends. */
  private leave(words: readonly string[]): Promise<undefined> {
    return new Promise((resolve, reject) => {
      const ended = this.start(words, (said, interrupt) => {
        if (!said.includes("Ctrl-C")) return;
        this.running.push(() => {
          interrupt();
          return ended;
        });
        resolve(undefined);
      });
      ended.then(({ out, err }) => reject(new Error(`${words.join(" ")} ended:\n${out}${err}`)), reject);
    });
  }

  /** Runs a command to its end. A command that would run until Ctrl-C is interrupted when it has said so, or has shown the changes made meanwhile. */
  private async run(words: readonly string[], meanwhile?: string): Promise<Shown> {
    const before = this.journals();
    const latest = [...before].sort().at(-1) ?? "";
    // The journal that the page names is that of the previous run.
    const checksum = words.includes("--checksum") ? await this.checksum(words) : "";
    const argv = words.map((word) =>
      word
        .replace(/^(?:[0-9a-f]+…|\$\(realmctl show \S+ --checksum\))$/, checksum)
        .replace(/^\.realmctl\/\S+\.jsonl$/, join(".realmctl", latest)),
    );
    let isEdited = meanwhile === undefined;
    const ran = await this.start(argv, (said, interrupt) => {
      if (!said.includes("Ctrl-C")) return;
      if (!isEdited) {
        isEdited = true;
        void this.edit(meanwhile ?? "");
      } else if (meanwhile === undefined || said.includes(" differs")) interrupt();
    });
    for (const name of this.journals())
      if (!before.includes(name))
        for (const line of this.world.read(join(".realmctl", name)).trim().split("\n"))
          this.documents.push(JSON.parse(line));
    return ran;
  }

  /** Pages show the beginning of the plan's checksum, or the command that prints it. */
  private async checksum(words: readonly string[]): Promise<string> {
    const plan = words.find((word) => word.endsWith(".plan")) ?? "";
    return (await this.start(["show", plan, "--checksum"], () => {})).out.trim();
  }

  private journals(): readonly string[] {
    return readdirSync(this.world.directory).includes(".realmctl") ? this.world.journals() : [];
  }

  /** A terminal shows both streams. @param heard gets everything that the command has written, each time it writes */
  private async start(words: readonly string[], heard: (said: string, interrupt: () => void) => void): Promise<Shown> {
    const host = new URL(this.world.url).host;
    const said = { out: "", err: "", both: "" };
    let interrupt = (): void => {};
    let beat: NodeJS.Timeout | undefined;
    const terminal = (stream: "out" | "err"): Output => ({
      write: (text) => {
        said[stream] += text;
        said.both += text;
        // A command may print "Ctrl-C" a moment before it listens for it.
        heard(said.both, () => {
          beat ??= setInterval(interrupt, 20);
        });
      },
      isTTY: false,
      columns: undefined,
    });
    const ran = await this.world.realmctl("", {
      answer: (question) => (question.includes("yes") ? "yes" : (/\(([^()]+)\)\W*$/.exec(question)?.[1] ?? host)),
      anonymous: this.anonymous || Object.hasOwn(this.env, "ZULIP_CONFIG"),
      env: this.env,
      onStart: (stop) => {
        interrupt = stop;
      },
      io: {
        argv: words.map((word) => word.replace("chat.example.org", host)),
        prompts: AGREES,
        out: terminal("out"),
        err: terminal("err"),
      },
    });
    clearInterval(beat);
    return { ...ran, ...said };
  }

  private async excerpt(block: Block, words: readonly string[]): Promise<string | undefined> {
    const { out } = await this.run(words.slice(1));
    const missing = block.text
      .trimEnd()
      .split("\n\n")
      .filter((part) => !this.steady(out).includes(steady(part)));
    return missing.length === 0 ? undefined : `not in the output:\n${missing.join("\n\n")}\n---\n${this.steady(out)}`;
  }

  /** A part of a command's JSON output, with `…` for what is left out. */
  private async part(block: Block): Promise<string | undefined> {
    const plan = await this.run(["plan", "--format", "json"]);
    const snapshot = await this.run(["snapshot"]);
    const documents = [...this.documents, JSON.parse(plan.out), JSON.parse(snapshot.out)];
    const wanted: unknown = JSON.parse(block.text);
    return documents.some((document) => holds(document, wanted))
      ? undefined
      : "is no part of a plan, a snapshot or a journal";
  }

  private steady(output: string): string {
    return steady(
      output
        .replaceAll(this.world.url, "https://chat.example.org")
        .replaceAll(new URL(this.world.url).host, "chat.example.org"),
    );
  }
}

interface Shown extends Ran {
  /** Both streams, as a terminal shows them. */
  readonly both: string;
}

/** Somebody who answers yes to every question. */
const AGREES: Prompts = {
  text: async () => undefined,
  secret: async () => undefined,
  yes: async () => true,
  choose: async (_question, choices) => choices[0]?.value,
  several: async (_question, choices) => choices.map(({ value }) => value),
};

const Params = z.record(z.string(), z.unknown());

function directive({ directives }: Block, wanted: string): string | undefined {
  return directives.find(({ name }) => name === wanted)?.value;
}

/** Times, free ports, and blanks at the ends of lines are no part of what a page promises. */
function steady(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "(moment)")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:(port)")
    .replace(/[ \t]+$/gm, "");
}

/** `channels.general` → the text below these keys, in a file of version 1. */
function nested(text: string, below: string): string {
  const keys = below === "." ? [] : below.split(".");
  const opening = keys.map((key, depth) => `${"  ".repeat(depth)}${key}:\n`).join("");
  return `version: 1\n${opening}${text.replace(/^(?=.)/gm, "  ".repeat(keys.length))}`;
}

function isNpm([first = "", script = ""]: readonly string[]): boolean {
  if (first === "run") return Object.hasOwn(scripts, script);
  // test/package makes the tarball and installs it.
  return (
    first === "ci" || first === "pack" || first === "install" || (first === "test" && Object.hasOwn(scripts, "test"))
  );
}

/** Is `wanted` there, at any depth? Objects may have more keys, and `…` matches anything. */
function holds(document: unknown, wanted: unknown): boolean {
  if (covers(document, wanted)) return true;
  return (
    typeof document === "object" && document !== null && Object.values(document).some((value) => holds(value, wanted))
  );
}

function covers(found: unknown, wanted: unknown): boolean {
  if (wanted === "…") return true;
  if (typeof wanted !== "object" || wanted === null) return found === wanted;
  if (typeof found !== "object" || found === null || Array.isArray(found) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && wanted.length !== Object.keys(found).length) return false;
  const values = new Map(Object.entries(found));
  return Object.entries(wanted).every(([key, value]) => key === "…" || covers(values.get(key), value));
}
