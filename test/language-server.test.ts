import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject } from "../src/model/json.ts";

/** The YAML language server that editors run, driven over LSP with our schemas: what people see while they write. */
const root = join(import.meta.dirname, "..");
const schemaOf = (name: string): string => pathToFileURL(join(root, `schemas/${name}.schema.json`)).href;

class Server {
  private readonly child: ChildProcessWithoutNullStreams;
  private buffer = Buffer.alloc(0);
  private next = 1;
  private readonly waiting = new Map<unknown, (result: unknown) => void>();
  private readonly diagnostics = new Map<string, (list: readonly unknown[]) => void>();

  constructor() {
    const main = createRequire(import.meta.url).resolve("yaml-language-server/package.json");
    this.child = spawn(process.execPath, [join(dirname(main), "bin/yaml-language-server"), "--stdio"], {
      timeout: 120_000,
      killSignal: "SIGKILL",
    });
    this.child.stdout.on("data", (chunk: Buffer) => {
      this.buffer = Buffer.concat([this.buffer, chunk]);
      this.take();
    });
  }

  end(): void {
    this.child.kill();
  }

  request(method: string, params: object): Promise<unknown> {
    const id = this.next++;
    this.send({ id, method, params });
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  notify(method: string, params: object): void {
    this.send({ method, params });
  }

  /** Opens a text as realm.yaml; returns the errors that the server reports. */
  open(uri: string, text: string): Promise<readonly unknown[]> {
    return new Promise((resolve) => {
      this.diagnostics.set(uri, resolve);
      this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
    });
  }

  private send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  private take(): void {
    for (;;) {
      const end = this.buffer.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/.exec(this.buffer.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end === -1 || this.buffer.length < end + 4 + length) return;
      const message: unknown = JSON.parse(this.buffer.subarray(end + 4, end + 4 + length).toString());
      this.buffer = this.buffer.subarray(end + 4 + length);
      if (isObject(message)) this.receive(message);
    }
  }

  private receive({ id, method, params, result }: { readonly [key: string]: unknown }): void {
    if (method === undefined) {
      this.waiting.get(id)?.(result);
      this.waiting.delete(id);
    } else if (method === "textDocument/publishDiagnostics" && isObject(params)) {
      const { uri, diagnostics } = params;
      if (Array.isArray(diagnostics)) this.diagnostics.get(String(uri))?.(diagnostics);
    } else if (id !== undefined) {
      const items = isObject(params) && Array.isArray(params.items) ? params.items : [];
      this.send({ id, result: method === "workspace/configuration" ? items.map(settingsOf) : null });
    }
  }
}

const settingsOf = (item: unknown): object =>
  isObject(item) && item.section === "yaml"
    ? {
        schemas: { [schemaOf("realm")]: "file-*.yaml", [schemaOf("rules")]: "*.test.yaml" },
        schemaStore: { enable: false },
        validate: true,
        hover: true,
        completion: true,
      }
    : {};

let server: Server;
beforeAll(async () => {
  server = new Server();
  await server.request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: {
      workspace: { configuration: true },
      textDocument: {
        completion: { completionItem: { documentationFormat: ["markdown"] } },
        hover: { contentFormat: ["markdown"] },
      },
    },
  });
  server.notify("initialized", {});
  server.notify("workspace/didChangeConfiguration", { settings: { yaml: settingsOf({ section: "yaml" }) } });
});
afterAll(() => server.end());

let files = 0;
/** @param marked the text, with "|" at the cursor */
async function at(marked: string, isRules = false) {
  files += 1;
  const name = isRules ? `realm-${files}.test.yaml` : `file-${files}.yaml`;
  const uri = pathToFileURL(join(root, `nowhere/${name}`)).href;
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  const before = marked.slice(0, Math.max(0, offset)).split("\n");
  const problems = await server.open(uri, text);
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const ask = (method: string) => server.request(`textDocument/${method}`, { textDocument: { uri }, position });
  return { problems, ask };
}

async function completions(marked: string, isRules = false): Promise<readonly string[]> {
  const { ask } = await at(marked, isRules);
  const list = await ask("completion");
  const items: readonly unknown[] = isObject(list) && Array.isArray(list.items) ? list.items : [];
  return items.map((item) => (isObject(item) ? String(item.label) : ""));
}

async function problemsOf(text: string, isRules = false): Promise<readonly string[]> {
  const { problems } = await at(text, isRules);
  return problems.map((problem) => {
    const range = isObject(problem) ? JSON.stringify(problem.range) : "";
    const line = /"line":(\d+)/.exec(range)?.[1];
    return `${line}: ${isObject(problem) ? String(problem.message) : ""}`;
  });
}

describe("completion", () => {
  test("sections", async () => {
    expect(await completions("version: 1\n|")).toEqual(expect.arrayContaining(["channels", "linkifiers", "defaults"]));
  });

  test("a permission setting", async () => {
    const labels = await completions("version: 1\nchannels:\n  general:\n    permissions:\n      can_send|\n");
    expect(labels).toContain("can_send_message_group");
  });

  test("in a profile and in defaults, too", async () => {
    expect(await completions("profiles:\n  p:\n    permissions:\n      can_sub|\n")).toContain("can_subscribe_group");
    expect(await completions("defaults:\n  channels:\n    priv|\n")).toContain("privacy");
  });

  test("the values of a field", async () => {
    const labels = await completions("version: 1\nchannels:\n  general:\n    privacy: |\n");
    expect(labels).toEqual(
      expect.arrayContaining(["web_public", "public", "private_shared_history", "private_protected_history"]),
    );
  });

  test("the values of manage for a section, as a word or in full", async () => {
    expect(await completions("manage:\n  channels: |\n")).toEqual(expect.arrayContaining(["additive", "exact"]));
    expect(await completions("manage:\n  channels:\n    unset: |\n")).toEqual(expect.arrayContaining(["default"]));
  });

  test("types of variables", async () => {
    expect(await completions("vars:\n  lead:\n    type: |\n")).toEqual(expect.arrayContaining(["group", "person"]));
  });
});

describe("hover", () => {
  test.each([
    ["channels:\n  general:\n    permissions:\n      can_send_mess|age_group: role:members\n", "Who may post"],
    ["channels:\n  general:\n    priv|acy: public\n", "Who can find and read the channel"],
    ["man|age: {channels: exact}\n", "What happens to objects that the file does not mention"],
    ["manage:\n  channels:\n    uns|et: default\n", "The meaning of a field that an item leaves out"],
    ["user_groups:\n  staff:\n    mem|bers: []\n", "direct members"],
  ])("%j says %s", async (text, words) => {
    const { ask } = await at(text);
    expect(JSON.stringify(await ask("hover"))).toContain(words);
  });
});

describe("errors", () => {
  test("a field that does not exist", async () => {
    expect(await problemsOf("version: 1\nchannels:\n  general:\n    privcy: public\n")).toEqual([
      expect.stringMatching(/^3: Property privcy is not allowed/),
    ]);
  });

  test("a value that does not exist", async () => {
    const [problem, ...others] = await problemsOf("version: 1\nchannels:\n  general:\n    privacy: open\n");
    expect(problem).toMatch(/^3: /);
    expect(others).toEqual([]);
  });

  test.each([
    "version: 1\nchannels:\n  general:\n    privacy: public\n    permissions: {can_send_message_group: role:members}\n  random:\n",
    'version: 1\nvars: {days: {type: integer, default: 3}}\nchannels:\n  general: {message_retention_days: "${days}", archived: false}\n',
  ])("none in %j", async (text) => expect(await problemsOf(text)).toEqual([]));
});

describe("rules: realm.test.yaml", () => {
  const on = (more: string): string => `version: 1\ntests:\n  - name: x\n    ${more}`;

  test.each([
    ["the file", "|", ["version", "tests"]],
    ["a rule", on("|\n"), ["who", "can", "cannot", "except", "objects", "privacy", "rights", "fields", "bots"]],
    ["who", on("who: {role: |}\n"), ["owner", "guest"]],
    ["what people can do", on("cannot:\n      |\n"), ["read", "post", "join", "delete any message", "invite"]],
    ["rights on objects", on("rights:\n      |\n"), ["read", "administer", "manage", "create private channels"]],
    ["expectations about a right", on("rights:\n      post:\n        |\n"), ["exactly", "only", "allow", "at_least"]],
    ["fields", on("fields:\n      |\n"), ["message_retention_days", "can_administer_channel_group"]],
    ["expectations about a field", on("fields:\n      privacy:\n        |\n"), ["is", "not", "has"]],
    ["expectations about a setting", on("fields:\n      privacy: {has: |}\n"), ["group", "person"]],
  ])("completion of %s", async (_, marked, labels) => {
    expect(await completions(marked, true)).toEqual(expect.arrayContaining(labels));
  });

  test.each([
    ["rights", on("ri|ghts: {}\n"), "who has it"],
    ["a right", on("rights:\n      jo|in: {only: role:owners}\n"), "can_subscribe_group"],
    ["an expectation", on("rights:\n      join: {on|ly: role:owners}\n"), "not all of them need to"],
  ])("hover over %s", async (_, marked, words) => {
    const { ask } = await at(marked, true);
    expect(JSON.stringify(await ask("hover")).replaceAll("\\\\", "")).toContain(words);
  });

  test.each([
    ["a key that does not exist", on("objekts: lobby\n"), 3, "Property objekts is not allowed"],
    [
      "an expectation that does not exist",
      on("rights: {post: {onyl: role:owners}}\n"),
      3,
      "Property onyl is not allowed",
    ],
    ["a role that does not exist", on("who: {role: boss}\n"), 3, ""],
    ["a number as text", on("rights: {post: {at_least: two}}\n"), 3, "integer"],
    ["no name", "version: 1\ntests:\n  - who: guest\n    cannot: {read: lobby}\n", 2, "name"],
  ])("error: %s", async (_, text, line, words) => {
    const problems = await problemsOf(text, true);
    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toMatch(new RegExp(`^${line}: .*${words}`));
  });

  test.each([
    on(
      "who: {role: guest, groups: [staff]}\n    cannot: {read: ['*'], post: lobby, Delete messages: x}\n    except: [lobby]\n",
    ),
    on(
      "objects: '*'\n    privacy: private_*\n    rights: {post: {exactly: role:moderators, at_most: 3}}\n    bots: true\n",
    ),
    on("objects: [a, 'user_group:x']\n    fields: {message_retention_days: {not: [unlimited, 3]}}\n"),
  ])("no error in %j", async (text) => expect(await problemsOf(text, true)).toEqual([]));
});
