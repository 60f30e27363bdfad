// Organizations that are large in people: what each command takes of processor time and memory there. The server answers from
// memory. `npm run bench:people` prints the tables of bench/README.md.
//   --people 1000,10000,50000   other numbers of people     --changed 10,1000   how many channels are not as the file says
//   --runs 3                    runs of each, the fastest counts     --only plan,html   these commands alone
//   --profile plan              where the time of this command goes, with the most people and changes
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { accountOn, cannedServer, fastest, judged, profile, runChild, table } from "./support/measure.mjs";
import { CHANNELS, organizationOf, realmFileOf, rulesFile } from "./support/organization.mjs";

const { values: flags } = parseArgs({
  options: {
    people: { type: "string", default: "1000,10000,50000" },
    changed: { type: "string", default: "10,1000" },
    runs: { type: "string", default: "3" },
    only: { type: "string" },
    profile: { type: "string" },
  },
});
const sizes = flags.people.split(",").map(Number);
const changes = flags.changed.split(",").map(Number);
const runs = Number(flags.runs);

/** What issue 19 aims at with 50,000 people: seconds of processor, megabytes, by command and changes. */
const AIMS = {
  "plan 10": { cpuMs: 1200, mb: 250 },
  "plan 1000": { cpuMs: 2000 },
  "html 1000": { cpuMs: 3000, outMb: 2 },
  "html 10": { cpuMs: 3000, outMb: 2 },
  "export 10": { cpuMs: 2000 },
};

const COMMANDS = {
  plan: { argv: (file) => ["plan", file], codes: [0, 6] },
  html: { argv: (file) => ["plan", file, "--format", "html"], codes: [0, 6] },
  drift: { argv: (file) => ["drift", file], codes: [2] },
  access: { argv: () => ["access", "#team-1"], codes: [0], once: true },
  "access-plan": { argv: (file) => ["access", "--plan", file], codes: [0] },
  test: { argv: (file) => ["test", file, "--live"], codes: [0, 8] },
  export: { argv: () => ["export"], codes: [0], once: true },
  // 2: a file cannot keep that people read a private channel without being listed.
  adopt: { argv: (file) => ["adopt", "--file", file, "--all", "--dry-run"], codes: [0, 2] },
};
const names = Object.keys(COMMANDS).filter((name) => flags.only === undefined || flags.only.split(",").includes(name));

const directory = mkdtempSync(join(tmpdir(), "realmctl-bench-"));
try {
  const rows = [];
  const measured = new Map();
  for (const people of sizes) {
    const { register, subscriptions } = organizationOf(people);
    const server = await cannedServer(register, { subscribers: subscriptions });
    const env = accountOn(server.url);
    for (const changed of changes) {
      const file = `realm-${changed}.yaml`;
      writeFileSync(join(directory, file), realmFileOf(changed));
      writeFileSync(join(directory, `realm-${changed}.test.yaml`), rulesFile());
      for (const name of names) {
        const command = COMMANDS[name];
        if (command.once && changed !== changes[0]) continue;
        const argv = command.argv(file);
        const found = await measure(argv, env, command.codes, server);
        measured.set(`${name} ${changed} ${people}`, found.cpuMs);
        rows.push(rowOf({ name, people, changed, once: command.once ?? false, ...found }));
        if (
          flags.profile === name &&
          people === sizes.at(-1) &&
          changed === (command.once ? changes[0] : changes.at(-1))
        )
          await profile(directory, argv, env);
      }
    }
    await server.close();
  }
  console.log(
    table(
      [
        "command",
        "people",
        "changes",
        "on the clock, ms",
        "processor, ms",
        "aim",
        "peak, MB",
        "aim",
        "output, MB",
        "requests",
      ],
      rows,
    ),
  );
  if (sizes.length > 1) console.log(table(["command", "growth in people", "in changes"], exponents(measured)));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measure(argv, env, codes, server) {
  const all = [];
  let requests = 0;
  for (let run = 0; run < runs; run += 1) {
    const before = server.requests();
    const done = await runChild(directory, [], argv, env);
    requests = server.requests() - before;
    if (!codes.includes(done.code))
      throw new Error(`${argv.join(" ")}: exit code ${done.code}\n${done.out}\n${done.err}`);
    all.push(done);
  }
  return {
    ms: fastest(all.map((run) => run.ms)),
    cpuMs: fastest(all.map((run) => run.cpuMs)),
    mb: Math.max(...all.map((run) => run.peakKb)) / 1024,
    outMb: Buffer.byteLength(all[0].out) / 1e6,
    requests,
  };
}

function rowOf({ name, people, changed, once, ms, cpuMs, mb, outMb, requests }) {
  const aim = people === 50_000 ? AIMS[`${name} ${changed}`] : undefined;
  const against = (value, limit) => (limit === undefined ? "" : judged(value, limit));
  return [
    name,
    people.toLocaleString("en"),
    once ? "" : changed.toLocaleString("en"),
    ms.toFixed(0),
    cpuMs.toFixed(0),
    against(cpuMs, aim?.cpuMs),
    mb.toFixed(0),
    against(mb, aim?.mb),
    `${outMb.toFixed(2)}${aim?.outMb === undefined ? "" : ` (aim ${against(outMb, aim.outMb)})`}`,
    String(requests),
  ];
}

/** Time against size between the largest two sizes: 1 is linear. What every process takes, however small the organization, makes it less. */
function exponents(measured) {
  const [from, to] = sizes.slice(-2);
  const [few, many] = [changes[0], changes.at(-1)];
  return names.map((name) => {
    const at = (changed, people) => measured.get(`${name} ${changed} ${people}`);
    const [changed] = COMMANDS[name].once ? [few] : [many];
    const inPeople = Math.log(at(changed, to) / at(changed, from)) / Math.log(to / from);
    const inChanges =
      COMMANDS[name].once || few === many ? undefined : Math.log(at(many, to) / at(few, to)) / Math.log(many / few);
    return [name, inPeople.toFixed(2), inChanges === undefined ? "" : inChanges.toFixed(2)];
  });
}

if (CHANNELS < Math.max(...changes)) throw new RangeError("more changes than channels");
