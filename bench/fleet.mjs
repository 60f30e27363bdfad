// Many organizations planned by one command, and more of them shared out over several. `npm run bench:fleet` prints the table of bench/README.md.
//   --sandboxes 100   sandboxes on this machine, planned by one command
//   --simulated 500   organizations that answer from memory, planned in --shards parts, one after the other
//   --channels 100    channels of each simulated organization
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { descriptionOf, fileOf } from "./file.mjs";

const { values: flags } = parseArgs({
  options: {
    sandboxes: { type: "string", default: "100" },
    simulated: { type: "string", default: "500" },
    channels: { type: "string", default: "100" },
    shards: { type: "string", default: "5" },
    jobs: { type: "string", default: "4" },
  },
});
const { jobs } = flags;
const shards = Number(flags.shards);
const channels = Number(flags.channels);
const root = new URL("..", import.meta.url).pathname;
const cli = process.env.REALMCTL_CLI ?? join(root, "dist/cli.js");
const directory = mkdtempSync(join(root, "node_modules/.cache-bench-"));
/** A preloaded module that says on file descriptor 3 how much memory and processor time the process needed. */
const REPORT_USAGE = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, JSON.stringify(process.resourceUsage())));',
)}`;

try {
  console.log("| organizations | command | s | processor, s | peak, MB |\n| --- | --- | --- | --- | --- |");
  await measureSandboxes(Number(flags.sandboxes));
  await measureSimulated(Number(flags.simulated));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measureSandboxes(number) {
  const outfile = join(directory, "sandbox.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["src/sandbox/index.ts"],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "warning",
  });
  const { createSandbox, serve } = await import(outfile);
  const from = JSON.parse(readFileSync(join(root, "fixtures/acme-realm.json"), "utf8"));
  const served = [];
  for (let n = 0; n < number; n += 1) {
    const sandbox = createSandbox({ from });
    const { url, close } = await serve(sandbox, { port: 0 });
    const { email, api_key: key } = sandbox.accounts["ada@acme.example"];
    served.push({ url, close, email, key, text: `version: 1\nchannels:\n  general: {description: 'Number ${n}'}\n` });
  }
  const files = write("sandboxes", served);
  row(`${number} sandboxes`, await planned(files, [], number));
  for (const { close } of served) await close();
}

async function measureSimulated(number) {
  const register = registerAnswer();
  const text = fileOf(channels);
  const served = [];
  for (let n = 0; n < number; n += 1)
    served.push({ ...(await canned(register)), email: "ada@acme.example", key: "0".repeat(32), text });
  const files = write("simulated", served);
  const all = [];
  for (let part = 1; part <= shards; part += 1)
    all.push(await planned(files, ["--shard", `${part}/${shards}`], Math.ceil(number / shards)));
  const slowest = all.reduce((worst, one) => (one.ms > worst.ms ? one : worst));
  row(`${number} of ${channels} channels, the slowest of ${shards} shards`, slowest);
  for (const { close } of served) await close();
}

/** A file for each, and a zuliprc with a section for each. */
function write(name, served) {
  const folder = join(directory, name);
  mkdirSync(folder);
  served.forEach(({ url, text }, n) => {
    writeFileSync(join(folder, `org-${n}.yaml`), `realm: ${url}\n${text}`);
  });
  const sections = served.map(({ url, email, key }, n) => `[org-${n}]\nsite=${url}\nemail=${email}\nkey=${key}\n`);
  writeFileSync(join(folder, "zuliprc"), sections.join(""), { mode: 0o600 });
  return folder;
}

async function planned(folder, more, number) {
  const argv = ["plan", folder, "--quiet", "--jobs", jobs, "--zuliprc", join(folder, "zuliprc"), ...more];
  const ran = await runChild(argv);
  const expected = new RegExp(`^${number} organizations · ${number} with changes · exit code 0$`, "m");
  if (ran.code !== 0 || !expected.test(ran.out))
    throw new Error(`the plans are not what they should be (exit code ${ran.code}):\n${ran.out}\n${ran.err}`);
  return ran;
}

function row(what, { ms, cpuMs, peakKb }) {
  const numbers = [(ms / 1000).toFixed(1), (cpuMs / 1000).toFixed(1), (peakKb / 1024).toFixed(0)];
  console.log(`| ${what} | \`plan DIRECTORY --quiet --jobs ${jobs}\` | ${numbers.join(" | ")} |`);
}

/** What a real server answered, with as many channels more, ten of which are not as the file says. */
function registerAnswer() {
  const { register } = JSON.parse(readFileSync(join(root, "fixtures/acme-realm.json"), "utf8"));
  const [model] = register.streams;
  const groups = Object.fromEntries(register.realm_user_groups.map((group) => [group.name, group.id]));
  const streams = Array.from({ length: channels }, (_, n) => ({
    ...model,
    stream_id: 1000 + n,
    name: `team-${n}`,
    description: n < 10 ? "Changed by hand" : descriptionOf(n),
    topics_policy: "disable_empty_topic",
    message_retention_days: null,
    can_send_message_group: groups["role:members"],
    can_resolve_topics_group: groups["role:moderators"],
    can_move_messages_within_channel_group: groups["role:members"],
  }));
  return { result: "success", msg: "", ...register, queue_id: "bench:1", streams: [...register.streams, ...streams] };
}

async function canned(register) {
  const http = createServer((incoming, outgoing) => {
    incoming.resume();
    const url = `http://127.0.0.1:${http.address().port}`;
    const isRegister = incoming.url.startsWith("/api/v1/register");
    const answer = isRegister ? { ...register, realm_url: url, realm_uri: url } : { result: "success", msg: "" };
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(answer));
  });
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  const close = () =>
    new Promise((closed) => {
      http.close(closed);
      http.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${http.address().port}`, close };
}

function runChild(argv) {
  return new Promise((done, failed) => {
    const started = performance.now();
    const child = spawn(process.execPath, ["--import", REPORT_USAGE, cli, ...argv], {
      cwd: directory,
      env: { PATH: process.env.PATH, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const texts = ["", "", "", ""];
    for (const fd of [1, 2, 3])
      child.stdio[fd].on("data", (chunk) => {
        texts[fd] += chunk;
      });
    child.on("error", failed);
    child.on("close", (code) => {
      const usage = JSON.parse(texts[3]);
      const cpuMs = (usage.userCPUTime + usage.systemCPUTime) / 1000;
      done({
        code,
        ms: performance.now() - started,
        cpuMs,
        peakKb: usage.maxRSS,
        out: texts[1],
        err: texts[2],
      });
    });
  });
}
