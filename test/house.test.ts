import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "@swc/core";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));

/** The text after `...(`, `= ` or a comma up to the end of that expression, brackets included. */
function expressionFrom(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if ("([{".includes(text.charAt(at))) depth++;
    else if (")]}".includes(text.charAt(at)) && --depth < 0) return text.slice(start, at);
    else if (depth === 0 && ";,".includes(text.charAt(at))) return text.slice(start, at);
  }
  return text.slice(start);
}

/** One side of the conditional is `{}`. */
const OR_NOTHING = /\?\s*\{\}\s*:|\?[\s\S]*:\s*\{\}\s*\)*\s*$/;
/** One side is `{}`, and the other one is written out. */
const PART_OR_NOTHING = /\?\s*\{\}\s*:\s*\(?\{|\}(?: as const)?\)?\s*:\s*\{\}\s*\)*\s*$/;

/** `...(x === undefined ? {} : { x })`, the other way round, `...(x && { x })`, and `const part = x === undefined ? {} : { x }` to spread later. */
function conditionalParts(text: string): readonly string[] {
  const code = bare(text);
  const spread = [...code.matchAll(/\.\.\.\(/g)].map(({ index }) => expressionFrom(code, index + 4));
  const named = [...code.matchAll(/\bconst \w+ =(?!>)/g)].map(({ 0: head, index }) =>
    expressionFrom(code, index + head.length),
  );
  return [
    ...spread.filter((part) => OR_NOTHING.test(part) || /^(?:(?!\?[^?.])[\s\S])*&&\s*(?:\{|\w+\(\{)/.test(part)),
    ...named.filter((part) => PART_OR_NOTHING.test(part) && !part.includes("=>")),
  ];
}

test.each([
  "{ ...(x === undefined ? {} : { x }) }",
  "{ ...(isNew\n  ? { made: names({ a: 1 }) }\n  : {}), b }",
  "{ ...(x && { x }) }",
  "const part = x === undefined ? {} : { x: f(x, y) };",
  "const part = isNew ? ({ x: true } as const) : {};",
])("the rule on conditional spreads finds %j", (text) => expect(conditionalParts(text)).toHaveLength(1));

test.each(["[...(x && y ? [] : [{ x }])]", "const f = () => (x ? {} : { x });", "const f = (a = {}) => a;"])(
  "the rule on conditional spreads does not find %j",
  (text) => expect(conditionalParts(text)).toEqual([]),
);

test("optional members of an object use defined(), not a conditional spread", () => {
  const found = sources.flatMap(({ file, text }) => conditionalParts(text).map((part) => `${file}: ${part.trim()}`));
  expect(found).toEqual([]);
});

/** Names for which docs/reference/glossary.md has another word. */
const OLD_NAMES = [
  "accepts",
  "alike",
  "apart",
  "beFresh",
  "Cut",
  "cut",
  "cuts",
  "dormant",
  "excessOf",
  "flaw",
  "flaws",
  "gone",
  "Held",
  "HeldRules",
  "hit",
  "inOrder",
  "knot",
  "knotOf",
  "landed",
  "let_go",
  "let_in",
  "letGo",
  "letIn",
  "look",
  "loosened",
  "lostAnew",
  "mistake",
  "mistakes",
  "othersLike",
  "problem",
  "problems",
  "putAway",
  "reached",
  "ring",
  "ringOf",
  "rings",
  "sleeps",
  "strangeIn",
  "Thing",
  "Told",
  "told",
  "unnamed",
  "unsaid",
  "View",
  "wakes",
  "wants",
];

/** The code without comments and texts. */
const bare = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replaceAll(/`(?:[^`\\$]|\\.|\$(?!\{))*`/g, "``");

test("one word for one meaning: names that the glossary replaced do not return", () => {
  const names = OLD_NAMES.join("|");
  // Where something has that name, not in a sentence.
  const old = new RegExp(
    `\\b(?:const|let|function|type|interface|readonly|private) (?:${names})\\b|(?<=[{,(;]\\s*)(?:${names})(?:\\(|\\??:)`,
    "g",
  );
  const found = sources.flatMap(({ file, text }) => [...bare(text).matchAll(old)].map(([name]) => `${file}: ${name}`));
  // A word of facts, as journals have it: the row with its text.
  expect([...new Set(found)]).toEqual(["model/diagnostics/calls.ts: cut:"]);
  expect(bare('const hit = `${told} // "ring"`; // wants')).toMatch(old);
  expect("  private inOrder = 1;".match(old)).not.toBeNull();
});

/** What these are given is no message: help where a command is declared, and what a schema says about its fields. */
const HELP = new Set([
  "addHelpText",
  "Argument",
  "argument",
  "describe",
  "description",
  "guardOptions",
  "helpCommand",
  "helpOption",
  "mark",
  "maybe",
  "ofConnection",
  "ofMany",
  "option",
  "optional",
  "orNull",
  "flag",
  "string",
  "row",
  "on",
  "off",
  "version",
]);
/** Members with a text about what has them: one line of `realmctl --help`, a field in a schema, the reference page of a kind, the word for a kind's objects. */
const ABOUT = new Set(["summary", "about", "offeredAs", "description", "markdownDescription", "noun", "docs"]);
/** Texts in other languages than English: shell scripts, workflows of CI and changes to those, a line of the format of patches. */
const OTHER_TEXTS = new Set([
  "cli/completion/scripts.ts",
  "cli/diff-text.ts",
  "cli/init/workflow-templates.ts",
  "cli/init/workflows.ts",
]);
/** Three words, or more, in a row. */
const WORDS_IN_A_ROW = /(?<!\w)(?:[A-Za-z][a-z']*[,:;.]? ){2,}[a-z]+/;

type Node = { readonly [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const nameOf = (callee: unknown): unknown =>
  isNode(callee) ? (isNode(callee.property) ? callee.property.value : callee.value) : undefined;

/** Texts of a file with several words, but for help, imports, and what only a bug can show. */
function textsWithWords(code: string): readonly string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) look(one);
    if (!isNode(node) || Array.isArray(node)) return;
    const type = String(node.type);
    if (/^(?:Import|Ts(?:Type|Interface))/.test(type)) return;
    if (type === "CallExpression" || type === "NewExpression") {
      const name = String(nameOf(node.callee));
      if (HELP.has(name)) {
        look(node.callee);
        return;
      }
      if (/^(?:Range|Type|Syntax|Transport)?Error$/.test(name)) return;
    }
    if (type === "KeyValueProperty" && ABOUT.has(String(nameOf(node.key)))) return;
    // The facet `docs` of a kind: what its reference page shows.
    if (type === "VariableDeclarator" && JSON.stringify(node.id).includes('"value":"DocsFacet"')) return;
    const text =
      type === "StringLiteral"
        ? String(node.value)
        : type === "TemplateLiteral" && Array.isArray(node.quasis)
          ? node.quasis.map((part: unknown) => (isNode(part) ? part.cooked : "")).join("it")
          : "";
    if (WORDS_IN_A_ROW.test(text)) found.push(text);
    for (const [key, child] of Object.entries(node)) if (key !== "span" && key !== "quasis") look(child);
  };
  look(parseSync(code, { syntax: "typescript", target: "es2022" }).body);
  return found;
}

test.each([
  ["say(`No ${noun} was found here.`)", 1],
  ["say(`${name} is not here`, { hint: 'look for it elsewhere' })", 2],
  ["const WHY = { gone: 'it is gone now' } as const", 1],
  ["throw new Failure('nothing to do here')", 1],
  ["command.option('--all', 'show all of them').action(() => say('and now do it'))", 1],
  ["throw new RangeError('a call of no plan')", 0],
  [
    "const Form = z.object({ name: z.string().describe('what people call it') }), field = { about: 'what it is for' }",
    0,
  ],
  ["const risk = { fact: { kind: 'lost', why: 'nobody is left' } }", 1],
  ["type Kind = 'a kind of text'; const kind = 'no-such-kind';", 0],
  ["const docs: DocsFacet = { who: 'those who may do it' }", 0],
  ["const docs: OtherFacet = { who: 'those who may do it' }", 1],
])("%j has %i texts with words", (code, number) => expect(textsWithWords(code)).toHaveLength(number));

test("commands and the Action contain no sentence except the help of commands: messages are worded in src/report", () => {
  const rim = sources.filter(({ file }) => /^(?:cli|action)\//.test(file));
  const found = rim.flatMap(({ file, text }) => textsWithWords(text).map((words) => ({ file, words })));
  expect(found.filter(({ file }) => !OTHER_TEXTS.has(file))).toEqual([]);
  expect(new Set(found.map(({ file }) => file))).toEqual(OTHER_TEXTS);
});

/** Files of the core with texts that are no messages, and why. */
const NO_MESSAGES: { readonly [why: string]: RegExp } = {
  "how sentences call what these files are about":
    /^model\/(?:not-json|own-format|param-type|releases|secrets|value-text|words)\.ts$/,
  "the reference of the API's operations": /^zulip\/operations?(?:\/|\.ts$)/,
  "values that the reference page of a kind shows":
    /^kinds\/(?:[a-z-]+\/properties|settings\/(?:pictures|schema)|permissions)\.ts$/,
  "other words that people write for names and values": /^(?:kinds|config)\/synonyms\.ts$/,
  "the words of rule files and options, as people write them": /^access\/words\.ts$/,
  "what permission settings let people do": /^model\/permission-settings\.ts$/,
  "names of objects, as files and addresses have them":
    /^kinds\/(?:channel\/live|invite-link\/kind)\.ts$|^access\/personas\.ts$/,
  "descriptions in the schema of rules, and a line of such a file": /^rules\/(?:schema|read)\.ts$/,
  "comments of files that it writes": /^generate\.ts$/,
  "what the server's Notification Bot writes": /^kinds\/channel\/events-topic\.ts$/,
  "names of Pygments' lexers": /^kinds\/playground\/languages\.ts$/,
  "what RE2 says, as servers pass it on": /^kinds\/linkifier\/pattern\.ts$/,
  "a command for a shell": /^zulip\/curl\.ts$/,
  "the beginning of a message of the YAML library, to take it off": /^source\/yaml-errors\.ts$/,
};

test("the core returns facts: sentences about them are written in src/model/diagnostics and src/report", () => {
  const core = sources.filter(({ file }) => !/^(?:cli|action|report|explain|sandbox|model\/diagnostics)\//.test(file));
  const found = core.flatMap(({ file, text }) => textsWithWords(text).map((words) => `${file}: ${words}`));
  const exempt = Object.values(NO_MESSAGES);
  expect(found.filter((one) => !exempt.some((files) => files.test(one.slice(0, one.indexOf(":")))))).toEqual([]);
  // A reason without a text is no reason any more.
  expect(
    exempt.filter((files) => !core.some(({ file, text }) => files.test(file) && textsWithWords(text).length > 0)),
  ).toEqual([]);
});

test("members of groups are computed in src/access alone: no other code follows subgroups to their members", () => {
  const own = /^(?:access|sandbox|kinds\/user-group)\/|^(?:model|zulip)\/snapshot/;
  const found = sources.filter(({ file, text }) => !own.test(file) && bare(text).includes("direct_subgroup_ids"));
  expect(found.map(({ file }) => file)).toEqual([]);
});

test("states that only one kind has are spelled by that kind: others ask context.whole()", () => {
  const owners: { readonly [state: string]: RegExp } = {
    writtenEarly: /^kinds\/channel\//,
    // Whoever gets a right waits for the groups that the plan puts them into.
    membersWritten: /^(?:kinds\/user-group\/|plan\/own-rights\.ts$)/,
    subscribed: /^kinds\/channel\//,
    subscribedEarly: /^kinds\/channel\//,
  };
  const found = sources
    .filter(({ file }) => !/^(?:sandbox\/|model\/dependency)/.test(file))
    .flatMap(({ file, text }) =>
      Object.entries(owners).flatMap(([state, own]) =>
        !own.test(file) && new RegExp(`\\b${state}\\(`).test(bare(text)) ? [`${file}: ${state}`] : [],
      ),
    );
  expect(found).toEqual([]);
});

test("benchmarks and scripts name files and exports that are there: nothing else notices before somebody runs them", () => {
  const root = join(SRC, "..");
  const programs = ["bench", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".mjs") && !path.includes("node_modules"))
      .map((path) => readFileSync(join(root, folder, path), "utf8")),
  );
  const textOf = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
  const paths = programs.flatMap((text) => [...text.matchAll(/["'](?:\.\/)?((?:src|test)\/[\w./-]+\.ts)["']/g)]);
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.flatMap(([, path = ""]) => (textOf(path) === "" ? [path] : []))).toEqual([]);
  const imports = programs.flatMap((text) => [
    ...text.matchAll(/^(?:im|ex)port \{([^}]*)\} from "\.\/((?:src|test)\/[\w./-]+\.ts)";/gm),
  ]);
  const gone = imports.flatMap(([, names = "", path = ""]) =>
    names
      .split(",")
      .map((name) =>
        name
          .trim()
          .replace(/^type /, "")
          .replace(/ as .*/, ""),
      )
      .filter((name) => !new RegExp(`^export [^;]*\\b${name}\\b`, "m").test(textOf(path)))
      .map((name) => `${path}: ${name}`),
  );
  expect(gone).toEqual([]);
});

test("every export of a file is imported by another one", () => {
  const root = join(SRC, "..");
  const importers = ["src", "test", "scripts", "bench", "site"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => join(root, folder, path))
      .filter((file) => /\.m?ts$|\.mjs$/.test(file) && !file.includes("node_modules")),
  );
  const usedIn = new Map<string, Set<string>>();
  for (const file of importers) {
    const text = readFileSync(file, "utf8");
    const words = text.match(/\w+/g) ?? [];
    for (const [, path = ""] of text.matchAll(/["'](\.{1,2}\/[^"'\n]+\.ts)["']/g)) {
      const from = join(dirname(file), path);
      const used = usedIn.get(from) ?? new Set();
      usedIn.set(from, used);
      for (const word of words) used.add(word);
    }
  }
  const unused = sources.flatMap(({ file, text }) => {
    const exported = text.matchAll(
      /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
    );
    const used = usedIn.get(join(SRC, file));
    return [...exported].flatMap(([, name = ""]) => (used?.has(name) === true ? [] : [`${file}: ${name}`]));
  });
  expect(unused.filter((one) => !/^index\.ts:/.test(one))).toEqual([]);
});

/** The lines of every getter, whose end has the indentation of its beginning. */
const gettersIn = (text: string): readonly string[] =>
  [...text.matchAll(/^( *)(?:static )?get \w+\(\).*\{\n(?:.*\n)*?\1\}/gm)].map(([getter]) => getter);

test("no getter is longer than 60 lines: the linter, which counts those of functions, arrows and methods, does not see them", () => {
  const long = (text: string): readonly string[] => gettersIn(text).filter((getter) => getter.split("\n").length > 60);
  expect(sources.flatMap(({ file, text }) => long(text).map(() => file))).toEqual([]);
  expect(sources.flatMap(({ text }) => gettersIn(text)).length).toBeGreaterThan(10);
  expect(long(`class A {\n  get b() {\n${"    f();\n".repeat(60)}  }\n}`)).toHaveLength(1);
});

/** Nodes of a syntax tree that are functions: a method of a class has its body in `function`. */
const FUNCTIONS = new Set([
  "ArrowFunctionExpression",
  "ClassMethod",
  "Constructor",
  "FunctionDeclaration",
  "FunctionExpression",
  "GetterProperty",
  "MethodProperty",
  "PrivateMethod",
  "SetterProperty",
]);
/** A blank line, or a line of a comment. */
const NO_CODE = /^\s*(?:$|\/\/|\/\*|\*(?:[\s/]|$))/;
const spanOf = ({ span }: Node): { readonly start: number; readonly end: number } =>
  isNode(span) && typeof span.start === "number" && typeof span.end === "number"
    ? { start: span.start, end: span.end }
    : { start: 0, end: 0 };

/** Each function of a file with its lines of code, neither blank nor comment, nested functions included. An arrow has the name of what it is assigned to. */
function functionsIn(code: string): readonly { readonly name: string; readonly lines: number }[] {
  const found: { readonly name: string; readonly lines: number }[] = [];
  // Spans count bytes, from where the previous text that was parsed ended: the first statement shows where this one begins.
  const text = `0;${code.replace(/^#!/, "//")}`;
  const bytes = Buffer.from(text);
  const { body } = parseSync(text, { syntax: "typescript", target: "es2022" });
  const [first] = body;
  const offset = first === undefined ? 0 : first.span.start;
  const visit = (node: unknown, called: string): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, called);
    if (!isNode(node) || Array.isArray(node)) return;
    const named = [node.identifier, node.key, node.id].find((each) => isNode(each) && typeof each.value === "string");
    const name = isNode(named) ? String(named.value) : called;
    if (FUNCTIONS.has(String(node.type))) {
      const { start, end } = spanOf(node);
      const own = bytes.subarray(start - offset, end - offset).toString("utf8");
      found.push({ name, lines: own.split("\n").filter((line) => !NO_CODE.test(line)).length });
    }
    for (const [key, child] of Object.entries(node)) if (key !== "span") visit(child, name);
  };
  visit(body, "(no name)");
  return found;
}

test.each([
  ["function f() {\n  // why\n\n  g();\n}", ["f 3"]],
  ["/* ü */ const f = () =>\n  g(() => {\n    h();\n  });", ["f 4", "f 3"]],
  ["class A {\n  /**\n   * why\n   */\n  get b() {\n    f();\n  }\n  constructor() {}\n}", ["b 3", "constructor 1"]],
  ["const o = {\n  m() {\n    f();\n  },\n  n: async function () {},\n};", ["m 3", "n 1"]],
])("the rule on long functions counts the lines of code of %j", (code, expected) =>
  expect(functionsIn(code).map(({ name, lines }) => `${name} ${lines}`)).toEqual(expected),
);

// Biome counts neither the lines of parameters nor lines that start with a closing bracket.
test("no function has more than 60 lines of code, from its name to its end", () => {
  const long = sources.flatMap(({ file, text }) =>
    functionsIn(text).flatMap(({ name, lines }) => (lines > 60 ? [`${file}: ${name}`] : [])),
  );
  expect(long).toEqual([]);
});

test("a comment on a declaration can be read by itself, does not continue the previous one, and no other comment follows it", () => {
  expect(
    sources
      .filter(({ text }) => /\/\*\*\s*(?:\*\s*)?…|\*\/\n *\/\*\*(?! @property)/.test(text))
      .map(({ file }) => file),
  ).toEqual([]);
});

test("no file was committed in the middle of a merge", () => {
  const root = join(import.meta.dirname, "..");
  const texts = ["", "docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: "utf8", recursive: folder !== "" })
      .filter((name) => /\.(?:md|ya?ml)$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((name) => /^(?:<{7}|>{7}) /m.test(readFileSync(join(root, name), "utf8")))).toEqual([]);
});
