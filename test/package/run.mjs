// What a user installs: the tarball of `npm pack`, installed without its development packages in an empty folder, on every Node that is
// supported; then the first hour with it, against its own sandbox, and the end-to-end tests with the tag "installed" (vitest.config.ts
// beside this file). Prints {"passed": N, "failed": N} as its last line.
//   node test/package/run.mjs [NODE...]     the programs to run it with; default: this one
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { check, counts } from "../../scripts/counted-checks.mjs";
import { testsOn } from "./tests.mjs";

/** What it weighs at most; it grows only by decision. */
const MOST_PACKED_BYTES = 1.7e6;
const MOST_UNPACKED_BYTES = 7.4e6;
const MOST_COMMAND_MS = 60_000;
/** Of the end-to-end tests, on all Nodes together. */
const MOST_TESTS_MS = 420_000;
const root = new URL("../..", import.meta.url).pathname;
const nodes = process.argv.length > 2 ? process.argv.slice(2) : [process.execPath];
/** The Node of `npm test`, if there are others beside it. */
const tried = nodes.length > 1 ? nodes.find((node) => versionOf(node) === process.version) : undefined;
const scratch = mkdtempSync(join(tmpdir(), "realmctl-package-"));
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
  console.log(JSON.stringify(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
});

const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
);
const names = packed.files.map(({ path }) => path);

await check("the package holds the program, the library with its types, and none of the development files", () => {
  for (const needed of [
    "dist/cli.js",
    "dist/index.js",
    "dist/types/index.d.ts",
    "schemas/realm.schema.json",
    "man/realmctl.1",
    "README.md",
    "LICENSE",
  ])
    assert.ok(names.includes(needed), `${needed} is missing`);
  assert.deepEqual(
    names.filter((name) => /^(src|test|scripts|bench|dist\/action)\//.test(name) || /\.test\./.test(name)),
    [],
  );
});
await check(`it weighs ${packed.size} bytes, unpacked ${packed.unpackedSize}`, () => {
  assert.ok(packed.size <= MOST_PACKED_BYTES, `more than ${MOST_PACKED_BYTES} bytes`);
  assert.ok(packed.unpackedSize <= MOST_UNPACKED_BYTES, `unpacked more than ${MOST_UNPACKED_BYTES} bytes`);
  const stated = `${MOST_PACKED_BYTES / 1e6} MB to download and ${MOST_UNPACKED_BYTES / 1e6} MB`;
  assert.ok(readFileSync(join(root, "docs/start.md"), "utf8").includes(stated), `docs/start.md does not say ${stated}`);
});

const folder = join(scratch, "empty");
mkdirSync(folder);
writeFileSync(join(folder, "package.json"), "{}");
await check("it installs in an empty folder, with nothing to build", () => {
  execFileSync(
    "npm",
    ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", join(scratch, packed.filename)],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
});

await check(
  "a program with strict types can call every function, and write down the types of all results",
  strictProgram,
);

const cli = join(folder, "node_modules", "realmctl", "dist", "cli.js");
for (const node of nodes) await firstHour(node);
endToEnd();
// The sandboxes go on until they are ended.
process.exit(counts.failed > 0 ? 1 : 0);

/** Declarations of such a program name every type that a function returns: one that the package does not export is an error (TS2742, TS4023). */
async function strictProgram() {
  const library = await import(join(folder, "node_modules", "realmctl", "dist", "index.js"));
  const lines = Object.entries(library).flatMap(([name, value]) => [
    `export const same_${name} = realmctl.${name};`,
    typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value))
      ? `export const call_${name} = async (...given: Parameters<typeof realmctl.${name}>) => realmctl.${name}(...given);`
      : "",
  ]);
  writeFileSync(join(folder, "strict.mts"), `import * as realmctl from "realmctl";\n${lines.join("\n")}\n`);
  const configs = { node16: "node16", bundler: "preserve" };
  for (const [moduleResolution, module] of Object.entries(configs)) {
    const compilerOptions = {
      ...{
        module,
        moduleResolution,
        target: "es2022",
        lib: ["es2023"],
        types: ["node"],
        typeRoots: [join(root, "node_modules/@types")],
      },
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
      ...{ declaration: true, emitDeclarationOnly: true, composite: true, outDir: `types-${moduleResolution}` },
    };
    const text = JSON.stringify({ compilerOptions, files: ["strict.mts"] });
    writeFileSync(join(folder, `tsconfig.${moduleResolution}.json`), text);
  }
  const words = ["--build", ...Object.keys(configs).map((name) => `tsconfig.${name}.json`)];
  const ran = spawnSync(join(root, "node_modules/.bin/tsc"), words, {
    cwd: folder,
    encoding: "utf8",
    timeout: MOST_COMMAND_MS,
  });
  assert.equal(ran.status, 0, ran.stdout);
  const declared = readFileSync(join(folder, "types-node16", "strict.d.mts"), "utf8");
  assert.doesNotMatch(declared, /import\("(?!realmctl"|zod(?:\/v4\/core)?")|: any\b/);
}

function versionOf(node) {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
}

/** Everything that a new user does, with one Node. */
async function firstHour(node) {
  const version = versionOf(node);
  const home = mkdtempSync(join(scratch, "home-"));
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: scratch, NO_COLOR: "1" };
  const run = (line, expected = 0, input = "") => {
    const ran = spawnSync(node, [cli, ...line.split(" ")], {
      cwd: home,
      env,
      encoding: "utf8",
      input,
      timeout: MOST_COMMAND_MS,
    });
    assert.equal(ran.status, expected, `realmctl ${line} ended with ${ran.status}:\n${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  };
  await check(`${version}: realmctl --version, --help, completion`, () => {
    assert.equal(run("--version").trim(), packed.version);
    assert.match(run("--help"), /plan/);
    assert.match(run("completion bash"), /complete -F/);
    assert.match(run("completion zsh"), /compdef/);
    assert.match(run("completion fish"), /complete -c realmctl/);
  });
  await check(`${version}: sandbox, whoami, init, plan, apply, drift`, async () => {
    await sandbox(node, home, env);
    env.ZULIP_CONFIG = join(home, "keys", "owner.zuliprc");
    run("whoami");
    run("init --yes --no-workflows");
    assert.match(run("plan"), /No changes/);
    writeFileSync(join(home, "more.yaml"), "version: 1\nchannels:\n  first steps: { description: A new channel }\n");
    assert.match(run("plan more.yaml"), /first steps/);
    const more = readFileSync(join(home, "more.yaml"), "utf8");
    assert.match(run("--quiet validate -", 0, more) + run("plan -", 0, more), /first steps/);
    run("apply more.yaml --yes");
    assert.match(run("drift more.yaml"), /No drift/);
  });
  await check(`${version}: the library is imported by its name`, () => {
    writeFileSync(
      join(folder, "use.mjs"),
      'import * as realmctl from "realmctl";\nconsole.log(Object.keys(realmctl).length > 10);\n',
    );
    assert.equal(execFileSync(node, ["use.mjs"], { cwd: folder, encoding: "utf8" }).trim(), "true");
  });
}

/** The tagged tests, whose commands are processes of the installed package; each is counted. */
function endToEnd() {
  const tally = join(scratch, "tally.json");
  const words = ["--config", "test/package/vitest.config.ts", "--tags-filter=installed", "--hideSkippedTests"];
  spawnSync(
    join(root, "node_modules/.bin/vitest"),
    ["run", ...words, "--reporter=default", "--reporter=./.ci/tally.mjs"],
    {
      cwd: root,
      env: {
        ...process.env,
        REALMCTL_TALLY: tally,
        REALMCTL_INSTALLED_CLI: cli,
        REALMCTL_INSTALLED_NODES: nodes.join(delimiter),
        REALMCTL_TRIED_NODE: tried ?? "",
      },
      stdio: ["ignore", "inherit", "inherit"],
      timeout: MOST_TESTS_MS,
    },
  );
  const { passed, failed, whole, counted } = JSON.parse(readFileSync(tally, "utf8"));
  counts.passed += passed;
  // A test that was tagged for one Node is there on all of them that try its file; none at all is a failure, too.
  const nodesOf = (path) => nodes.filter((node) => testsOn(node === tried).includes(path)).length;
  const isEven = Object.entries(counted).every(([path, tests]) => tests > 0 && tests % nodesOf(path) === 0);
  const isFair = whole && passed > 0 && isEven && Object.keys(counted).length === testsOn(false).length;
  counts.failed += isFair ? failed : Math.max(1, failed);
}

/** Starts one, and waits until it says where it is. */
async function sandbox(node, home, env) {
  const child = spawn(node, [cli, "sandbox", "--zuliprc-dir", "keys"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const late = setTimeout(() => child.kill("SIGKILL"), MOST_COMMAND_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!/http:\/\//.test(line)) continue;
    clearTimeout(late);
    child.stdout.resume();
    return;
  }
  throw new Error("the sandbox ended");
}
