// realmctl beside others that plan from files: octoDNS with its PowerDNS provider against a mock on this machine, and OpenTofu with resources that
// are built in. Each has as many objects of about 300 bytes, and plans to update 1 % of them; each plan is checked for that number.
// `node bench/peers/run.mjs` prints the table of bench/README.md.
//   --sizes 100,1000,5000,10000     --runs 3   runs of each in turn, the fastest counts
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { descriptionOf, fileOf } from "../support/file.mjs";
import { accountOn, cannedServer, cli, fastest, table } from "../support/measure.mjs";
import { channelsAnswer } from "../support/organization.mjs";
import { installed } from "./install.mjs";
import { powerDns } from "./powerdns.mjs";

const { values: flags } = parseArgs({
  options: { sizes: { type: "string", default: "100,1000,5000,10000" }, runs: { type: "string", default: "3" } },
});
const programs = installed();
const directory = mkdtempSync(join(tmpdir(), "realmctl-peers-"));
/** Each is started through the same few lines, which say what the process took: seconds of user and system, kilobytes at most. */
const METER = `
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("METER", used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
sys.exit(done.returncode)
`;

try {
  const rows = [];
  for (const size of flags.sizes.split(",").map(Number)) rows.push(...(await compared(size)));
  console.log(
    table(["objects", "program", "s", "processor, s", "peak, MB", "× realmctl (processor)", "× (memory)"], rows),
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function compared(size) {
  const changed = Math.max(1, size / 100);
  const contenders = [await realmctl(size, changed)];
  if (programs.octodns !== undefined) contenders.push(await octodns(size, changed));
  if (programs.tofu !== undefined) contenders.push(await tofu(size, changed));
  const measured = contenders.map(() => []);
  // In turn, so that whatever else the machine does meets all of them.
  for (let run = 0; run < Number(flags.runs); run += 1)
    for (const [index, contender] of contenders.entries()) measured[index].push(await metered(contender));
  const best = measured.map((runs) => ({
    s: fastest(runs.map(({ s }) => s)),
    cpuS: fastest(runs.map(({ cpuS }) => cpuS)),
    mb: Math.max(...runs.map(({ mb }) => mb)),
  }));
  for (const { close } of contenders) await close?.();
  const [own] = best;
  return best.map(({ s, cpuS, mb }, index) => [
    String(size),
    contenders[index].name,
    s.toFixed(2),
    cpuS.toFixed(2),
    mb.toFixed(0),
    (cpuS / own.cpuS).toFixed(2),
    (mb / own.mb).toFixed(2),
  ]);
}

async function realmctl(size, changed) {
  const folder = folderOf("realmctl", size);
  writeFileSync(join(folder, "realm.yaml"), fileOf(size));
  const server = await cannedServer(channelsAnswer(size, changed));
  return {
    name: "realmctl plan",
    argv: [process.execPath, cli, "plan", "realm.yaml"],
    cwd: folder,
    env: accountOn(server.url),
    expected: new RegExp(`(^|\\s)${changed} (channels? )?changed\\b`),
    close: server.close,
  };
}

/** A text record for each object, in one zone. */
async function octodns(size, changed) {
  const folder = folderOf("octodns", size);
  const zone = join(folder, "zones");
  mkdirSync(zone);
  const nameOf = (n) => `team-${n}`;
  const server = await powerDns(
    Array.from({ length: size }, (_, n) => ({ name: nameOf(n), text: n < changed ? "Changed by hand" : textOf(n) })),
  );
  writeFileSync(
    join(zone, "example.org.yaml"),
    `---\n${Array.from({ length: size }, (_, n) => `${nameOf(n)}:\n  type: TXT\n  ttl: 3600\n  value: '${textOf(n)}'\n`).join("")}`,
  );
  writeFileSync(
    join(folder, "config.yaml"),
    [
      "providers:",
      "  files: {class: octodns.provider.yaml.YamlProvider, directory: ./zones, default_ttl: 3600, enforce_order: false}",
      `  server: {class: octodns_powerdns.PowerDnsProvider, host: 127.0.0.1, port: ${server.port}, api_key: bench}`,
      "zones:",
      "  example.org.: {sources: [files], targets: [server]}",
      "",
    ].join("\n"),
  );
  return {
    name: "octodns-sync",
    argv: [programs.octodns, "--config-file", "config.yaml"],
    cwd: folder,
    env: {},
    expected: new RegExp(`Creates=0, Updates=${changed}, Deletes=0, Existing=${size}\\b`),
    close: server.close,
  };
}

/** A resource that is built in for each object, and the state that an apply of them left, with other values in some. */
async function tofu(size, changed) {
  const folder = folderOf("tofu", size);
  const inputOf = (n) => ({ name: `team-${n}`, description: textOf(n) });
  const resource = (n) =>
    `resource "terraform_data" "team_${n}" {\n  input = {\n    name        = "team-${n}"\n    description = "${textOf(n)}"\n  }\n}\n`;
  writeFileSync(join(folder, "main.tf"), Array.from({ length: size }, (_, n) => resource(n)).join("\n"));
  const type = ["object", { description: "string", name: "string" }];
  const attributeOf = (n) => ({
    value: { ...inputOf(n), ...(n < changed && { description: "Changed by hand" }) },
    type,
  });
  const resources = Array.from({ length: size }, (_, n) => ({
    mode: "managed",
    type: "terraform_data",
    name: `team_${n}`,
    provider: 'provider["terraform.io/builtin/terraform"]',
    instances: [
      {
        schema_version: 0,
        attributes: { id: `id-${n}`, input: attributeOf(n), output: attributeOf(n), triggers_replace: null },
        sensitive_attributes: [],
      },
    ],
  }));
  const lineage = "00000000-0000-4000-8000-000000000000";
  const state = { version: 4, terraform_version: "1.10.10", serial: 1, lineage, outputs: {}, resources };
  writeFileSync(join(folder, "terraform.tfstate"), JSON.stringify(state));
  const env = { TF_CLI_ARGS: "-no-color", CHECKPOINT_DISABLE: "1" };
  const contender = { name: "tofu plan", cwd: folder, env, expected: /initialized/ };
  await metered({ ...contender, argv: [programs.tofu, "init"] });
  return {
    ...contender,
    argv: [programs.tofu, "plan", "-input=false", "-lock=false"],
    expected: new RegExp(`Plan: 0 to add, ${changed} to change, 0 to destroy`),
  };
}

/** As many bytes as a channel has in the file of realmctl, settings included. */
function textOf(n) {
  return `${descriptionOf(n)}, ${"who may post there and resolve topics, and how long its messages are kept ".repeat(2)}`.trim();
}

function folderOf(program, size) {
  const folder = join(directory, `${program}-${size}`);
  mkdirSync(folder);
  return folder;
}

function metered({ name, argv, cwd, env, expected }) {
  return new Promise((done, failed) => {
    const started = performance.now();
    const child = spawn("python3", ["-c", METER, ...argv], {
      cwd,
      env: { PATH: process.env.PATH, HOME: directory, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
    child.on("error", failed);
    child.on("close", () => {
      const [, cpuS, kb] = /^METER (\S+) (\d+)$/m.exec(text) ?? [];
      if (
        !expected.test(text.replaceAll(",", (comma, at) => (/\d,\d{3}/.test(text.slice(at - 1, at + 4)) ? "" : comma)))
      )
        return failed(new Error(`${name}: not the plan that it should be\n${text.slice(-3000)}`));
      done({ s: (performance.now() - started) / 1000, cpuS: Number(cpuS), mb: Number(kb) / 1024 });
    });
  });
}
