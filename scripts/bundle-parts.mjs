// How the command line is split into files. A command loads its own file, and code that it shares with other commands. For each set of commands that
// share code, esbuild writes a file of its own: 90 files for `plan`, and finding, reading and linking them took a sixth of its time. So there is one
// file with what a plan needs, for all commands that talk about an organization; another with the part of it that small commands need; and a third
// with the code that sends its requests.
import { resolve } from "node:path";
import { build } from "esbuild";
import { onCall } from "./on-call.mjs";

/** Loaded by every command. */
const START = ["src/cli/run.ts", "src/cli/process-io.ts"];
/** Needed almost completely by nearly all other commands. */
const PLAN = ["src/cli/plan-with.ts", "src/cli/plan-output.ts"];
/** The part that is loaded before the server is asked; the rest is loaded while the server works on its answer. */
const ASKING = "src/cli/plan.ts";
/** Loaded on demand, and independent of most of a plan. */
const SMALL = new Set([
  ...START,
  "src/access/words.ts",
  "src/cli/api.ts",
  "src/cli/explain.ts",
  "src/cli/fmt.ts",
  "src/cli/snapshot.ts",
  "src/explain/explain.ts",
  "src/report/apply-events.ts",
  "src/report/diagnostics.ts",
  "src/report/json.ts",
  "src/source/yaml.ts",
  "src/zulip/operations.ts",
  "src/zulip/network.ts",
  "src/zulip/tunnel.ts",
]);

/**
 * An esbuild plugin that also gives the common parts to each file that is loaded on demand.
 * @param options of the build that uses it
 */
export async function inFewFiles(options) {
  const root = options.absWorkingDir;
  const common = await commonModules(options);
  const names = {
    common: common.map((file) => resolve(root, file)),
    asking: ["realmctl:common", resolve(root, ASKING)],
    plan: ["realmctl:asking", ...PLAN.map((file) => resolve(root, file))],
  };
  const importsOf = (files) => files.map((file) => `import ${JSON.stringify(file)};`).join("\n");
  return {
    name: "in-few-files",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^realmctl:/ }, ({ path }) => ({ path: path.slice("realmctl:".length), namespace: "part" }));
      onLoad({ filter: /.*/, namespace: "part" }, ({ path }) => ({
        contents: importsOf(names[path]),
        resolveDir: root,
      }));
      onResolve({ filter: /^\..*\.ts$/ }, ({ kind, namespace, path, resolveDir }) =>
        kind === "dynamic-import" && namespace === "file"
          ? { path: resolve(resolveDir, path), namespace: "demand" }
          : null,
      );
      onLoad({ filter: /.*/, namespace: "demand" }, ({ path }) => {
        const file = path.slice(root.length);
        const part = SMALL.has(file) ? "realmctl:common" : file === ASKING ? "realmctl:asking" : "realmctl:plan";
        return { contents: `export * from ${JSON.stringify(path)};\n${importsOf([part])}`, resolveDir: root };
      });
    },
  };
}

/** What every command loads, and what the small commands share with a plan. */
async function commonModules(options) {
  const { metafile } = await build({ ...options, write: false, metafile: true, plugins: [onCall] });
  const kept = new Set(Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  const importsOf = (file) =>
    metafile.inputs[file].imports.filter(({ kind, path }) => kind !== "dynamic-import" && kept.has(path));
  const reached = (files) => {
    const found = new Set(files);
    for (const file of found) for (const { path } of importsOf(file)) found.add(path);
    return found;
  };
  const [always, small, plan] = [reached(START), reached(SMALL), reached([...PLAN, ASKING])];
  return [...new Set([...always, ...[...plan].filter((file) => small.has(file))])].filter((file) =>
    file.startsWith("src/"),
  );
}

/** Modules that a package would load although nothing here uses them: file of undici → what replaces it. */
const NEVER_ASKED = {
  // No connection offers HTTP/2, so no server can choose it.
  "client-h2.js": 'module.exports = () => { throw new TypeError("HTTP/2 was not offered"); };',
  // Bodies are texts and bytes: src/zulip/uploads.ts builds the forms.
  "body.js": 'exports.extractBody = () => { throw new TypeError("a body that is no text and no bytes"); };',
};

/**
 * Parts of Node that few runs need: the file that imports them, and the functions whose first call loads them. A plan over https needs crypto anyway.
 */
const BUILT_IN_ON_CALL = {
  "node:child_process": { importers: /\/node_modules\/commander\//, functions: ["spawn"] },
  "node:crypto": {
    importers: /\/src\/(disk\/write|zulip\/uploads|source\/file-facts|apply\/sha256)\.ts$/,
    functions: ["createHash", "randomBytes"],
  },
};

/**
 * A plugin that leaves out parts of packages that no command uses, and code with which commander starts processes (no command here is a program of
 * its own).
 */
export const withoutUnasked = {
  name: "without-unasked",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/(client-h2|web\/fetch\/body)\.js$/ }, ({ path, importer }) =>
      /\/undici\/lib\/dispatcher\/client(-h1)?\.js$/.test(importer)
        ? { path: path.replace(/^.*\//, ""), namespace: "unasked" }
        : null,
    );
    onResolve({ filter: /^node:(child_process|crypto)$/ }, ({ path, importer }) =>
      BUILT_IN_ON_CALL[path].importers.test(importer) ? { path, namespace: "built-in-on-call" } : null,
    );
    onLoad({ filter: /.*/, namespace: "unasked" }, ({ path }) => ({ contents: NEVER_ASKED[path] }));
    onLoad({ filter: /.*/, namespace: "built-in-on-call" }, ({ path }) => ({
      contents: BUILT_IN_ON_CALL[path].functions
        .map((name) => `export const ${name} = (...given) => require(${JSON.stringify(path)}).${name}(...given);`)
        .join("\n"),
    }));
  },
};
