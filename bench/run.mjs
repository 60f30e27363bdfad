// Cold start to finished plan, as a person waits for it: a new process, the file from disk, the organization over HTTP with 20 ms
// of latency. `npm run bench` prints the table of bench/README.md. Processor time hardly depends on what else the machine does.
//   --sizes 100,1000   other numbers of channels      --runs 7   runs per size, the fastest counts
//   --changed 10                         how many channels are not as the file says: one call each
//   --profile          where the time of the largest size goes: self time by function
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { descriptionOf, fileOf } from "./file.mjs";

const { values: flags } = parseArgs({
  options: {
    sizes: { type: "string", default: "100,1000,5000,10000" },
    runs: { type: "string", default: "5" },
    changed: { type: "string", default: "10" },
    profile: { type: "boolean", default: false },
  },
});
const sizes = flags.sizes.split(",").map(Number);
const runs = Number(flags.runs);
const changed = Number(flags.changed);
const LATENCY_MS = 20;
/** Milliseconds and megabytes that issue and README aim at, by number of channels. */
const AIMS = { 1000: { ms: 350, mb: 110 }, 10000: { ms: 2000 } };

/** A preloaded module that says on file descriptor 3 how much memory and processor time the process needed. */
const REPORT_USAGE = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));',
)}`;

const root = new URL("..", import.meta.url).pathname;
const cli = process.env.REALMCTL_CLI ?? join(root, "dist/cli.js");
const directory = mkdtempSync(join(tmpdir(), "realmctl-bench-"));

try {
  const rows = [];
  for (const size of sizes) rows.push(await measurePlan(size));
  console.log(table(["channels", "plan, ms", "aim", "processor, ms", "peak, MB", "aim", "file, kB", "requests"], rows));
  console.log(table(["command", "ms", "against node"], await measureVersion()));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measurePlan(size) {
  const server = await cannedServer(registerAnswer(size));
  const file = join(directory, `realm-${size}.yaml`);
  writeFileSync(file, fileOf(size));
  const env = { ZULIP_SITE: server.url, ZULIP_EMAIL: "ada@acme.example", ZULIP_API_KEY: "0".repeat(32) };
  const argv = ["plan", file];
  const first = await runChild([], argv, env);
  if (
    first.code !== 0 ||
    !new RegExp(`(^|\\s)${changed.toLocaleString("en")} (channels )?changed\\b`).test(first.out)
  ) {
    throw new Error(`the plan is not what it should be (exit code ${first.code}):\n${first.out}\n${first.err}`);
  }
  const before = server.requests();
  const measured = [];
  for (let run = 0; run < runs; run += 1) measured.push(await runChild([], argv, env));
  const requests = (server.requests() - before) / runs;
  if (flags.profile && size === sizes.at(-1)) await profile(argv, env);
  await server.close();
  const ms = fastest(measured.map((run) => run.ms));
  const cpuMs = fastest(measured.map((run) => run.cpuMs));
  const mb = Math.max(...measured.map((run) => run.peakKb)) / 1024;
  const aim = AIMS[size];
  return [
    String(size),
    ms.toFixed(0),
    aim?.ms === undefined ? "" : judged(ms, aim.ms),
    cpuMs.toFixed(0),
    mb.toFixed(0),
    aim?.mb === undefined ? "" : judged(mb, aim.mb),
    (readFileSync(file).length / 1024).toFixed(0),
    requests.toFixed(0),
  ];
}

/** What a real server answered to POST /register, with `size` more channels, `--changed` of which are not as the file says. */
function registerAnswer(size) {
  const { register } = JSON.parse(readFileSync(join(root, "fixtures/acme-realm.json"), "utf8"));
  const [model] = register.streams;
  const groups = Object.fromEntries(register.realm_user_groups.map((group) => [group.name, group.id]));
  const channels = Array.from({ length: size }, (_, n) => ({
    ...model,
    stream_id: 1000 + n,
    name: `team-${n}`,
    description: n < changed ? "Changed by hand" : descriptionOf(n),
    rendered_description: `<p>${descriptionOf(n)}</p>`,
    topics_policy: "disable_empty_topic",
    message_retention_days: null,
    can_send_message_group: groups["role:members"],
    can_resolve_topics_group: groups["role:moderators"],
    can_move_messages_within_channel_group: groups["role:members"],
  }));
  return { result: "success", msg: "", ...register, queue_id: "bench:1", streams: [...register.streams, ...channels] };
}

/** Answers from memory: what is measured is realmctl, not a server. */
async function cannedServer(register) {
  const answers = {
    "POST /api/v1/register": Buffer.from(JSON.stringify(register)),
    "DELETE /api/v1/events": Buffer.from(JSON.stringify({ result: "success", msg: "" })),
  };
  let requests = 0;
  const http = createServer(async (incoming, outgoing) => {
    incoming.resume();
    requests += 1;
    await delay(LATENCY_MS);
    const answer = answers[`${incoming.method} ${incoming.url.replace(/\?.*/, "")}`];
    const bytes = answer ?? Buffer.from(JSON.stringify({ result: "error", msg: "no such path", code: "BAD_REQUEST" }));
    outgoing.writeHead(answer === undefined ? 404 : 200, {
      "content-type": "application/json",
      "content-length": bytes.length,
    });
    outgoing.end(bytes);
  });
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    requests: () => requests,
    close: () =>
      new Promise((closed) => {
        http.close(closed);
        http.closeAllConnections();
      }),
  };
}

function runChild(nodeFlags, argv, env = {}) {
  return new Promise((done, failed) => {
    const started = performance.now();
    const child = spawn(process.execPath, ["--import", REPORT_USAGE, ...nodeFlags, cli, ...argv], {
      cwd: directory,
      env: { PATH: process.env.PATH, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const texts = ["", "", "", ""];
    for (const fd of [1, 2, 3]) {
      child.stdio[fd].on("data", (chunk) => {
        texts[fd] += chunk;
      });
    }
    child.on("error", failed);
    child.on("close", (code) => {
      const ms = performance.now() - started;
      const usage = JSON.parse(texts[3]);
      const cpuMs = (usage.userCPUTime + usage.systemCPUTime) / 1000;
      done({ code, ms, cpuMs, peakKb: usage.maxRSS, out: texts[1], err: texts[2] });
    });
  });
}

async function measureVersion() {
  const empty = join(directory, "empty.mjs");
  writeFileSync(empty, "");
  const time = async (argv) => {
    const all = [];
    for (let run = 0; run < Math.max(runs, 11); run += 1) {
      const started = performance.now();
      await new Promise((done) => spawn(process.execPath, argv, { stdio: "ignore" }).on("close", done));
      all.push(performance.now() - started);
    }
    return fastest(all);
  };
  const [bare, version] = [await time([empty]), await time([cli, "--version"])];
  return [
    ["node (an empty module)", bare.toFixed(0), ""],
    ["realmctl --version", version.toFixed(0), `${(version / bare).toFixed(2)} × (aim 1.5 ×)`],
  ];
}

async function profile(argv, env) {
  const profiles = join(directory, "profiles");
  await runChild(["--cpu-prof", `--cpu-prof-dir=${profiles}`], argv, env);
  const [name] = readdirSync(profiles);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(profiles, name), "utf8"));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const self = new Map();
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = byId.get(id).callFrame;
    const key = `${functionName || "(anonymous)"} ${url.split("/").slice(-2).join("/")}:${lineNumber + 1}`;
    self.set(key, (self.get(key) ?? 0) + timeDeltas[index] / 1000);
  });
  const top = [...self].sort((a, b) => b[1] - a[1]).slice(0, 30);
  console.log(
    table(
      ["self time, ms", "function"],
      top.map(([key, ms]) => [ms.toFixed(0), key]),
    ),
  );
}

/** What else the machine does only ever makes a run slower: the fastest is the truest. */
function fastest(numbers) {
  return Math.min(...numbers);
}

function judged(value, aim) {
  return `${aim} ${value <= aim ? "met" : "missed"}`;
}

function table(head, rows) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return `${[line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")}\n`;
}
