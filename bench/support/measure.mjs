// What the benchmarks of the command share: a server that answers from memory, a process that says what it needed, tables.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export const root = new URL("../..", import.meta.url).pathname;
export const cli = process.env.REALMCTL_CLI ?? join(root, "dist/cli.js");

/** A key as servers make them. One that repeats itself would be half found in many texts of the answer, and looked at longer. */
const KEY = "aQ3tYbGm81LkzXc0vR5uWj72hNfEd9Ps";
/** How commands reach a server of a benchmark. */
export const accountOn = (url) => ({ ZULIP_SITE: url, ZULIP_EMAIL: "ada@acme.example", ZULIP_API_KEY: KEY });

/** A preloaded module that says on file descriptor 3 how much memory and processor time the process needed. */
const REPORT_USAGE = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));',
)}`;

/**
 * Answers from memory: what is measured is realmctl, not a server.
 * @param registerAnswer what POST /register answers; with subscribers where `subscribers` is given and they are asked for
 */
export async function cannedServer(register, { latencyMs = 0, subscribers } = {}) {
  const whole = Buffer.from(JSON.stringify(register));
  const withSubscribers =
    subscribers === undefined ? whole : Buffer.from(JSON.stringify({ ...register, subscriptions: subscribers }));
  const done = Buffer.from(JSON.stringify({ result: "success", msg: "" }));
  const none = Buffer.from(JSON.stringify({ result: "error", msg: "no such path", code: "BAD_REQUEST" }));
  let requests = 0;
  const http = createServer(async (incoming, outgoing) => {
    requests += 1;
    let form = "";
    for await (const chunk of incoming) form += chunk;
    if (latencyMs > 0) await delay(latencyMs);
    const path = `${incoming.method} ${incoming.url.replace(/\?.*/, "")}`;
    const bytes =
      path === "POST /api/v1/register"
        ? form.includes("include_subscribers=true")
          ? withSubscribers
          : whole
        : path === "DELETE /api/v1/events"
          ? done
          : none;
    outgoing.writeHead(bytes === none ? 404 : 200, {
      "content-type": "application/json",
      "content-length": bytes.length,
    });
    outgoing.end(bytes);
  });
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    requests: () => requests,
    bytes: whole.length,
    bytesWithSubscribers: withSubscribers.length,
    close: () =>
      new Promise((closed) => {
        http.close(closed);
        http.closeAllConnections();
      }),
  };
}

/** Runs the command to its end. @returns exit code, outputs, milliseconds on the clock and of processor, peak memory in kB */
export function runChild(directory, nodeFlags, argv, env = {}, program = cli) {
  return new Promise((done, failed) => {
    const started = performance.now();
    const child = spawn(process.execPath, ["--import", REPORT_USAGE, ...nodeFlags, program, ...argv], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const texts = ["", "", "", ""];
    let firstOutputMs;
    for (const fd of [1, 2, 3]) {
      child.stdio[fd].setEncoding("utf8").on("data", (chunk) => {
        if (fd === 1) firstOutputMs ??= performance.now() - started;
        texts[fd] += chunk;
      });
    }
    child.on("error", failed);
    child.on("close", (code) => {
      const ms = performance.now() - started;
      const usage = JSON.parse(texts[3]);
      const cpuMs = (usage.userCPUTime + usage.systemCPUTime) / 1000;
      done({ code, ms, firstOutputMs, cpuMs, peakKb: usage.maxRSS, out: texts[1], err: texts[2] });
    });
  });
}

/** Where the time of a run goes: self time by function. */
export async function profile(directory, argv, env) {
  const profiles = join(directory, `profiles-${argv[0]}-${Date.now()}`);
  await runChild(directory, ["--cpu-prof", `--cpu-prof-dir=${profiles}`], argv, env);
  const [name] = readdirSync(profiles);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(profiles, name), "utf8"));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const self = new Map();
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = byId.get(id).callFrame;
    // A regular expression is a function whose name is all of it.
    const name = (functionName || "(anonymous)").slice(0, 60);
    const key = `${name} ${url.split("/").slice(-2).join("/")}:${lineNumber + 1}`;
    self.set(key, (self.get(key) ?? 0) + timeDeltas[index] / 1000);
  });
  const top = [...self].sort((a, b) => b[1] - a[1]).slice(0, 40);
  console.log(
    table(
      ["self time, ms", "function"],
      top.map(([key, ms]) => [ms.toFixed(0), key]),
    ),
  );
}

/** What else the machine does only ever makes a run slower: the fastest is the truest. */
export function fastest(numbers) {
  return Math.min(...numbers);
}

export function judged(value, aim) {
  return `${aim} ${value <= aim ? "met" : "missed"}`;
}

/** What an empty module takes in Node on this machine at this moment: the fastest of many runs, on the clock. */
export async function emptyMs(directory, runs = 15) {
  const empty = join(directory, "empty.mjs");
  writeFileSync(empty, "");
  const all = [];
  for (let run = 0; run < runs; run += 1) all.push(await processMs([empty], directory));
  return fastest(all);
}

/**
 * Milliseconds on the clock of one run of Node, with the same environment as every measured command: the certificates of a NODE_EXTRA_CA_CERTS that is
 * passed on take 40 ms to read, at the start of each process.
 */
export async function processMs(argv, directory) {
  const env = { PATH: process.env.PATH, HOME: directory };
  const started = performance.now();
  await new Promise((done) => spawn(process.execPath, argv, { stdio: "ignore", env }).on("close", done));
  return performance.now() - started;
}

export function table(head, rows) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return `${[line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")}\n`;
}
