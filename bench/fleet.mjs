// Many organizations planned by one command, and more of them shared out over several. `npm run bench:fleet` prints the table of bench/README.md.
//   --sandboxes 100   sandboxes on this machine, planned by one command
//   --simulated 500   organizations that answer from memory, planned in --shards parts, one after the other
//   --channels 100    channels of each simulated organization
//   --slow 100        organizations whose servers answer after 200 ms, and the first of them after 3 s, planned with --jobs 4, 16, …
//   --only slow       only this table
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fileOf } from "./support/file.mjs";
import { runChild, table } from "./support/measure.mjs";
import { channelsAnswer } from "./support/organization.mjs";
import { recordedRealm, withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({
  options: {
    sandboxes: { type: "string", default: "100" },
    simulated: { type: "string", default: "500" },
    channels: { type: "string", default: "100" },
    shards: { type: "string", default: "5" },
    slow: { type: "string", default: "100" },
    jobs: { type: "string", default: "4,16,64" },
    only: { type: "string" },
  },
});
const jobsAtOnce = flags.jobs.split(",");
const [jobs] = jobsAtOnce;
const shards = Number(flags.shards);
const channels = Number(flags.channels);

const ENTRY = 'export { createSandbox, serve } from "./src/sandbox/index.ts";';

/** What most servers take for an answer, and what the slowest one takes. */
const LATENCY_MS = 200;
const SLOWEST_MS = 3000;

await withSources(ENTRY, async (code, directory) => {
  if (flags.only === undefined || flags.only === "slow") await measureSlow(directory, Number(flags.slow));
  if (flags.only === "slow") return;
  const rows = [
    await measureSandboxes(code, directory, Number(flags.sandboxes)),
    await measureSimulated(directory, Number(flags.simulated)),
  ];
  console.log(table(["organizations", "command", "s", "processor, s", "peak, MB", "connections"], rows));
});

async function measureSandboxes({ createSandbox, serve }, directory, number) {
  const from = recordedRealm();
  const served = [];
  for (let n = 0; n < number; n += 1) {
    const sandbox = createSandbox({ from });
    const { url, close } = await serve(sandbox, { port: 0 });
    const { email, api_key: key } = sandbox.accounts["ada@acme.example"];
    served.push({ url, close, email, key, text: `version: 1\nchannels:\n  general: {description: 'Number ${n}'}\n` });
  }
  const folder = write(directory, "sandboxes", served);
  const ran = await planned(directory, folder, [], number, jobs);
  for (const { close } of served) await close();
  return rowOf(`${number} sandboxes`, ran);
}

async function measureSimulated(directory, number) {
  const register = channelsAnswer(channels, 10);
  const text = fileOf(channels);
  const served = [];
  for (let n = 0; n < number; n += 1)
    served.push({ ...(await canned(register)), email: "ada@acme.example", key: "0".repeat(32), text });
  const folder = write(directory, "simulated", served);
  const all = [];
  for (let part = 1; part <= shards; part += 1)
    all.push(await planned(directory, folder, ["--shard", `${part}/${shards}`], Math.ceil(number / shards), jobs));
  const slowest = all.reduce((worst, one) => (one.ms > worst.ms ? one : worst));
  for (const { close } of served) await close();
  const connections = served.reduce((most, { connections }) => Math.max(most, connections()), 0);
  return rowOf(
    `${number} of ${channels} channels, the slowest of ${shards} shards`,
    slowest,
    `${connections} for each at most`,
  );
}

/** Nobody waits longer than for the slowest server, if enough are asked at once. */
async function measureSlow(directory, number) {
  const register = channelsAnswer(channels, 10);
  const text = fileOf(channels);
  const served = [];
  for (let n = 0; n < number; n += 1) {
    const latencyMs = n === 0 ? SLOWEST_MS : LATENCY_MS;
    served.push({ ...(await canned(register, latencyMs)), email: "ada@acme.example", key: "0".repeat(32), text });
  }
  const folder = write(directory, "slow", served);
  const rows = [];
  for (const atOnce of [undefined, ...jobsAtOnce]) {
    const { ms, cpuMs, peakKb } = await planned(directory, folder, [], number, atOnce);
    const numbers = [(ms / 1000).toFixed(1), (cpuMs / 1000).toFixed(1), (peakKb / 1024).toFixed(0)];
    rows.push([atOnce === undefined ? "the default" : `--jobs ${atOnce}`, ...numbers]);
  }
  for (const { close } of served) await close();
  console.log(
    table([`${number} organizations, ${LATENCY_MS} ms, one ${SLOWEST_MS} ms`, "s", "processor, s", "peak, MB"], rows),
  );
}

/** A file for each, and a zuliprc with a section for each. */
function write(directory, name, served) {
  const folder = join(directory, name);
  mkdirSync(folder);
  served.forEach(({ url, text }, n) => {
    writeFileSync(join(folder, `org-${n}.yaml`), `realm: ${url}\n${text}`);
  });
  const sections = served.map(({ url, email, key }, n) => `[org-${n}]\nsite=${url}\nemail=${email}\nkey=${key}\n`);
  writeFileSync(join(folder, "zuliprc"), sections.join(""), { mode: 0o600 });
  return folder;
}

async function planned(directory, folder, more, number, atOnce) {
  const limit = atOnce === undefined ? [] : ["--jobs", atOnce];
  const argv = ["plan", folder, "--quiet", ...limit, "--zuliprc", join(folder, "zuliprc"), ...more];
  const ran = await runChild(directory, [], argv);
  const expected = new RegExp(`^${number} organizations · ${number} with changes · exit code 0$`, "m");
  if (ran.code !== 0 || !expected.test(ran.out))
    throw new Error(`the plans are not what they should be (exit code ${ran.code}):\n${ran.out}\n${ran.err}`);
  return ran;
}

function rowOf(what, { ms, cpuMs, peakKb }, connections = "") {
  const numbers = [(ms / 1000).toFixed(1), (cpuMs / 1000).toFixed(1), (peakKb / 1024).toFixed(0)];
  return [what, `\`plan DIRECTORY --quiet --jobs ${jobs}\``, ...numbers, connections];
}

async function canned(register, latencyMs = 0) {
  const done = Buffer.from(JSON.stringify({ result: "success", msg: "" }));
  let whole = done;
  const http = createServer(async (incoming, outgoing) => {
    incoming.resume();
    const isRegister = incoming.url.startsWith("/api/v1/register");
    if (latencyMs > 0) await delay(latencyMs);
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(isRegister ? whole : done);
  });
  let opened = 0;
  http.on("connection", () => {
    opened += 1;
  });
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${http.address().port}`;
  whole = Buffer.from(JSON.stringify({ ...register, realm_url: url, realm_uri: url }));
  const close = () =>
    new Promise((closed) => {
      http.close(closed);
      http.closeAllConnections();
    });
  return { url, close, connections: () => opened };
}
