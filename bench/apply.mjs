// What an apply of many calls costs besides the server and its rate rules: a new process plans, saves the plan, reads it back and
// carries it out, one call after the other, with a journal on the disk, against a server in the process that measures. The pace is
// taken off (10,000 calls take more than four hours with it); the answer of the server takes --latency milliseconds.
//   --calls 10000     how many channels, all changed      --latency 0      --directory .    where the journal is written
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { table } from "./support/measure.mjs";
import { recordedRealm, withBundle } from "./support/sources.mjs";

const { values: flags } = parseArgs({
  options: {
    calls: { type: "string", default: "10000" },
    latency: { type: "string", default: "0" },
    directory: { type: "string", default: "." },
  },
});
const calls = Number(flags.calls);
const latencyMs = Number(flags.latency);

/** The process that is measured. Its marks are milliseconds since it started and megabytes that it holds. */
const RUN = `
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { planFileText } from "./src/apply/plan-file.ts";
import { applyRealm } from "./src/workflow/apply.ts";
import { planRealm } from "./src/workflow/workflow.ts";
import { openSavedPlan } from "./src/workflow/saved.ts";
import { createClient } from "./src/zulip/client.ts";
import { Secret } from "./src/zulip/zuliprc.ts";
import { openNetwork } from "./src/zulip/network.ts";

const [site, directory] = process.argv.slice(2);
const network = await openNetwork({ insecure: false });
const clock = { now: Date.now, sleep: async () => {}, alarm: () => () => {}, random: Math.random };
const client = createClient({
  site, email: "ada@acme.example", key: new Secret("0".repeat(32)), transport: network.send, clock, version: "bench", rateRules: [],
});
const marks = [];
const mark = (what, extra = {}) =>
  marks.push({ what, ms: performance.now(), cpuMs: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
    mb: process.resourceUsage().maxRSS / 1024, ...extra });
mark("started");
const planned = await planRealm({ file: join(directory, "realm.yaml"), readFile: (path) => readFile(path, "utf8"), reader: client.reader });
if (!planned.ok) throw new Error(JSON.stringify(planned.diagnostics.slice(0, 3)));
mark("plan");
const text = await planFileText(planned.value.plan, planned.value);
mark("save", { bytes: text.length });
const { plan } = await openSavedPlan(text, "realm.plan");
mark("read back");
const result = await applyRealm(plan, { ...client, directory, temporary: directory, now: Date.now, planAgain: planned.value.planAgain });
if (result.outcome !== "applied") throw new Error(JSON.stringify({ ...result, plan: undefined, calls: result.calls.slice(0, 3) }));
const folder = join(directory, ".realmctl");
const [journal] = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
mark("apply", { bytes: statSync(join(folder, journal)).size, calls: result.calls.length });
writeFileSync(join(directory, "marks.json"), JSON.stringify(marks));
await client.settled();
await network.close();
`;

const directory = mkdtempSync(join(resolve(flags.directory), ".realmctl-bench-"));
const server = await realmServer(calls);
try {
  writeFileSync(join(directory, "realm.yaml"), yamlOf(calls));
  await withBundle(RUN, (outfile) => {
    const child = spawn(process.execPath, [outfile, server.url, directory], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    return new Promise((done, failed) => {
      child.on("close", (code) => (code === 0 ? done() : failed(new Error(`exit code ${code}`))));
    });
  });
  const marks = JSON.parse(readFileSync(join(directory, "marks.json"), "utf8"));
  const rows = marks.slice(1).map((mark, index) => {
    const ms = mark.ms - marks[index].ms;
    const each = mark.what === "apply" ? `${(ms / calls).toFixed(2)} ms, ` : "";
    const bytes = mark.bytes === undefined ? "" : `${each}${(mark.bytes / calls).toFixed(0)} bytes`;
    return [mark.what, ms.toFixed(0), (mark.cpuMs - marks[index].cpuMs).toFixed(0), mark.mb.toFixed(0), bytes];
  });
  console.log(table(["step", "ms", "processor, ms", "peak, MB", "for each call"], rows));
  console.log(`${server.requests()} requests, ${server.changed()} channels changed`);
} finally {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
}

/** A realm of so many channels whose descriptions can be changed, and which knows nothing else. */
async function realmServer(size) {
  const { register } = recordedRealm();
  const [model] = register.streams;
  const channels = Array.from({ length: size }, (_, n) => ({
    ...model,
    stream_id: 1000 + n,
    name: `team-${n}`,
    description: "Changed by hand",
  }));
  let requests = 0;
  const changed = new Set();
  const http = createServer(async (incoming, outgoing) => {
    requests += 1;
    const body = await textOf(incoming);
    if (latencyMs > 0) await delay(latencyMs);
    const path = incoming.url.replace(/\?.*/, "").replace("/api/v1", "");
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(answerTo(`${incoming.method} ${path}`, body));
  });
  const answerTo = (request, body) => {
    const id = /^PATCH \/streams\/(\d+)$/.exec(request)?.[1];
    if (id !== undefined) {
      channels[Number(id) - 1000].description = new URLSearchParams(body).get("description");
      changed.add(id);
    }
    const state =
      request === "POST /register"
        ? { ...register, queue_id: "bench:1", streams: [...register.streams, ...channels] }
        : {};
    return JSON.stringify({ result: "success", msg: "", ...state });
  };
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    requests: () => requests,
    changed: () => changed.size,
    close: () =>
      new Promise((closed) => {
        http.close(closed);
        http.closeAllConnections();
      }),
  };
}

function textOf(incoming) {
  return new Promise((done) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    incoming.on("end", () => done(text));
  });
}

function yamlOf(size) {
  const items = Array.from({ length: size }, (_, n) => `  team-${n}: {description: 'Team ${n}: plans and results'}`);
  return `version: 1\nchannels:\n${items.join("\n")}\n`;
}
