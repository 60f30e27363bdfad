// Code that a plan can call but hardly ever does is in files of its own, which the first call loads. V8 reads the whole of each loaded file, whether
// its code is called or not. The callers are not asynchronous, so these files are CommonJS and are loaded by `require`; everything else in the bundle
// is ES modules. The Action is one file and does not need this.
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import * as processors from "../node_modules/zod/v4/core/json-schema-processors.js";
import * as toJsonSchema from "../node_modules/zod/v4/core/to-json-schema.js";

const root = new URL("..", import.meta.url).pathname;

/** The functions of a module; `process` is zod's name for another of them. */
const functionsOf = (module) =>
  Object.keys(module).filter((name) => typeof module[name] === "function" && name !== "process");

/**
 * What is next to the bundle's parts: name → modules and which of their functions are called. These must keep no state that another copy of them
 * would need.
 */
const ON_CALL = {
  "on-call-re2": { "node_modules/re2js/build/index.js": ["RE2JS.compile"] },
  // Only diagnostics, and `explain`.
  "on-call-sentences": {
    "src/report/words/sentences.ts": ["wordsOf"],
    "src/model/diagnostics/definitions.ts": ["definitions"],
  },
  "on-call-emoji": { "src/model/emoji-names.ts": ["emojiCode", "isEmojiCode", "isBuiltIn"] },
  "on-call-lexers": { "src/kinds/playground/languages.ts": ["languageMeant"] },
  // Only plans that create something.
  "on-call-renamed": { "src/plan/renamed.ts": ["renamesIn", "renameWarnings"] },
  // Only plans in which somebody could hold a right in between.
  "on-call-doors": { "src/plan/exposure-doors.ts": ["doorsOf"] },
  // Only plans with an error, or with a name that does not resolve.
  "on-call-errors": {
    "src/plan/objects-at.ts": ["objectsAt"],
    "src/plan/ways-out.ts": ["withWaysOut", "needsUnknownRole"],
    "src/plan/sure-fields.ts": ["withSureFields"],
  },
  // Only plans with risks of people, bots and links.
  "on-call-account-risks": { "src/report/words/accounts.ts": ["accountText"] },
  // Only accounts that do not see everything.
  "on-call-unseen": {
    "src/plan/unseen.ts": ["unseenEntries", "withNamers", "unseenIn"],
    "src/report/words/unseen.ts": ["unseenText", "unexportedText", "unseenComment"],
  },
  // Only `drift --coverage`.
  "on-call-coverage": { "src/plan/coverage.ts": ["coverageOf"] },
  // Only `drift --who`.
  "on-call-history": { "src/kinds/channel/events-topic.ts": ["topicOfEvents", "lastChangeIn"] },
  "on-call-placeholders": { "src/config/placeholders.ts": ["checkPlaceholders", "checkCommentedValues"] },
  "on-call-other-format": { "src/source/other-format.ts": ["otherFormat"] },
  // Only errors in the form of entries: what a schema says about them, and the words that were meant.
  "on-call-form-errors": {
    "src/config/issues.ts": ["placedFindings"],
    "src/config/item-issues.ts": ["reportIssues"],
    "src/kinds/synonyms.ts": ["synonymsOf"],
    "src/config/list-entries.ts": ["listEntry", "mapEntry", "besidesIn", "soleEntry"],
    "src/config/unknown-keys.ts": ["reportUnknownKeys", "withSections"],
    "src/model/names-meant.ts": ["severalIn", "addressWithin", "roleMeant"],
    "src/kinds/name-taken.ts": ["nameTakenBy"],
    "src/config/synonyms.ts": ["fieldMeant", "elsewhere", "valueMeant", "keyMeant", "turned"],
  },
  // Only files that say what `manage` leaves aside.
  "on-call-excepts": { "src/plan/idle-excepts.ts": ["exceptOfNothing"] },
  // Only policies that say what `realmctl sync` keeps.
  "on-call-sync": { "src/config/sync-parts.ts": ["readSync", "syncable"] },
  "on-call-diff": { "src/cli/diff-text.ts": ["diffText"] },
  "on-call-json-schema": {
    "node_modules/zod/v4/core/to-json-schema.js": functionsOf(toJsonSchema),
    "node_modules/zod/v4/core/json-schema-processors.js": functionsOf(processors),
    // Nothing asks for it; it would ask for something that is not a function of the module above.
    "node_modules/zod/v4/core/json-schema-generator.js": ["JSONSchemaGenerator"],
  },
};

/** A plugin that leaves those modules out, and replaces them with code that loads them. */
export const onCall = {
  name: "on-call",
  setup({ onResolve, onLoad, onEnd }) {
    const stubs = new Map(
      Object.entries(ON_CALL).flatMap(([name, modules]) =>
        Object.entries(modules).map(([file, functions]) => [resolve(root, file), stubOf(name, functions)]),
      ),
    );
    onResolve({ filter: /^\.\/on-call-[a-z0-9-]+\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /\.[jt]s$/, namespace: "file" }, ({ path }) => {
      const contents = stubs.get(path);
      return contents === undefined ? null : { contents, resolveDir: dirname(path) };
    });
    onEnd(({ metafile }) => (metafile === undefined ? undefined : refuseElsewhere(metafile)));
  },
};

/** Each function of a module, with code that loads its file at the first call. */
function stubOf(name, functions) {
  const lines = functions.map((path) => {
    const [one, method] = path.split(".");
    const call = `(...given) => all().${path}(...given)`;
    return `export const ${one} = ${method === undefined ? call : `{ ${method}: ${call} }`};`;
  });
  return `let loaded;\nconst all = () => (loaded ??= require("./${name}.cjs"));\n${lines.join("\n")}\n`;
}

/** They are looked for next to the calling file. */
function refuseElsewhere({ outputs }) {
  const calling = Object.entries(outputs).filter(([, { imports }]) =>
    imports.some(({ path }) => path.includes("on-call-")),
  );
  const elsewhere = calling.map(([file]) => file).filter((file) => !file.includes("/chunks/"));
  return elsewhere.length === 0
    ? undefined
    : { errors: elsewhere.map((file) => ({ text: `${file} calls what lies in chunks/` })) };
}

/**
 * Builds those files.
 * @param common the options of the bundle that they belong to
 * @param directory that contains its parts
 */
export async function buildOnCall({ banner: _, ...common }, directory) {
  const names = new Set(Object.keys(ON_CALL));
  const resolveDir = root;
  const plugin = {
    name: "on-call-files",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^on-call-/ }, ({ path }) => (names.has(path) ? { path, namespace: "called" } : null));
      onLoad({ filter: /.*/, namespace: "called" }, ({ path }) => ({
        contents: Object.entries(ON_CALL[path])
          .map(([file, functions]) => {
            const exported = functions.map((one) => one.split(".")[0]).join(", ");
            return `export { ${exported} } from ${JSON.stringify(join(root, file))};`;
          })
          .join("\n"),
        resolveDir,
      }));
    },
  };
  await build({
    ...common,
    format: "cjs",
    entryPoints: Object.fromEntries([...names].map((name) => [name, name])),
    outdir: directory,
    outExtension: { ".js": ".cjs" },
    plugins: [plugin],
  });
}
