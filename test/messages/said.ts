import { quote } from "../../src/model/diagnostics/values.ts";
import { createSandbox, manualClock } from "../../src/sandbox/index.ts";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { inProcess, type Transport, TransportError } from "../../src/zulip/transport.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";
import type { Input } from "./inputs.ts";

/** The organization of the fixture. */
const SITE = "http://localhost:9911";
const HEAD = `version: 1\nrealm: ${SITE}\n`;
const ACCOUNTS = {
  moderator: "chiara@acme.example",
  member: "dmitri@acme.example",
  guest: "ivo@partner.example",
  bot: "deploy-bot@localhost",
  deactivated: "jana@acme.example",
} as const;

const answering =
  (status: number, body: string, headers: { readonly [name: string]: string } = {}): Transport =>
  async () => ({ status, headers: { "content-type": "text/html", ...headers }, body });

const SERVERS: { readonly [S in NonNullable<Input["server"]>]: Transport } = {
  html: answering(200, "<!doctype html><title>Welcome</title>"),
  redirect: answering(302, "", { location: "https://login.example.org/" }),
  empty: answering(200, ""),
  cut: answering(200, '{"result":"success","msg":"","realm_', { "content-type": "application/json" }),
  "no-organization": answering(
    401,
    '{"result":"error","msg":"This organization has been deactivated","code":"UNAUTHORIZED"}',
  ),
  "not-zulip": answering(404, '{"error": "no such page"}', { "content-type": "application/json" }),
  "error-500": answering(500, "<h1>Internal server error</h1>"),
  "too-many": answering(429, "{}", { "retry-after": "1" }),
  down: async () => {
    throw new TransportError("unreachable", quote("connect ECONNREFUSED"), true);
  },
  "unknown-host": async () => {
    throw new TransportError("unknown-host", quote("getaddrinfo ENOTFOUND"), true);
  },
  tls: answering(200, ""),
};

const from = realmOf({});
/** One for all inputs, as new for each. */
const sandbox = createSandbox({ from, clock: manualClock(Date.parse(from.taken_at)) });
const snapshot = snapshotText(from);

/** The first message that an input causes, on one line, and how many others follow; the text of the plan if nothing is wrong. */
export async function saidOf(input: Input): Promise<string> {
  sandbox.reset();
  const email = input.as === undefined ? "ada@acme.example" : input.as === "nobody" ? undefined : ACCOUNTS[input.as];
  const account = email === undefined ? undefined : sandbox.accounts[email];
  const env = {
    ...(account === undefined ? {} : { ZULIP_SITE: SITE, ZULIP_EMAIL: email ?? "", ZULIP_API_KEY: account.api_key }),
    ...input.env,
  };
  const file = input.file === undefined ? {} : { "realm.yaml": input.whole ? input.file : `${HEAD}${input.file}` };
  const ran = await runCommandLine(words(input.argv ?? "plan"), {
    env,
    files: { ...file, "s.json": snapshot, ...input.files },
    transport: input.server === undefined ? inProcess((request) => sandbox.fetch(request)) : SERVERS[input.server],
  });
  return `${ran.exitCode} ${firstMessage(ran.err, ran.out)}`;
}

/** Words as a shell separates them, without anything that a test does not need. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

function firstMessage(err: string, out: string): string {
  const text = /(?:error|warning)\[/.test(err) ? err : /(?:error|warning)\[/.test(out) ? out : err || out;
  const start = text.search(/(?:error|warning)\[/);
  const block = (start < 0 ? text : text.slice(start)).split(/\n\n|\n {2}(?=(?:error|warning)\[)/)[0] ?? "";
  const others = (text.match(/(?:error|warning)\[/g)?.length ?? 1) - 1;
  const line = block
    .split("\n")
    // The line of the file that is quoted is in the input already.
    .filter((row) => !/^ *\d+ [│|]/.test(row))
    .map((row) => row.replace(/^ *[│|] *[\^-]+ ?/, "→ ").replace(/^ *┌─/, "@"))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return `${line}${others > 0 ? ` [+${others}]` : ""}`;
}

/** How an input is written in the table. */
export function written({ file, whole, argv, files, env, as, server }: Input): string {
  const parts = [
    ...(argv === undefined ? [] : [`$ ${argv}`]),
    ...(file === undefined || (argv !== undefined && as === undefined && env === undefined)
      ? []
      : [`${whole ? "" : "… "}${short(JSON.stringify(file).slice(1, -1))}`]),
    ...(as === undefined ? [] : [`as ${as}`]),
    ...(server === undefined ? [] : [`server: ${server}`]),
    ...Object.entries({ ...env, ...files }).map(([name, text]) => `${name}=${short(JSON.stringify(text))}`),
  ];
  return parts.join(" | ");
}

const short = (text: string): string => (text.length > 110 ? `${text.slice(0, 100)}… (${text.length})` : text);
