import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as fc from "fast-check";
import * as library from "realmctl";
import {
  accessMatrix,
  applyRealm,
  createClient,
  createSandbox,
  driftOf,
  exportRealm,
  inProcess,
  kinds,
  type LoadOptions,
  PLAIN,
  pageOf,
  parsePlanFile,
  planFileText,
  planRealm,
  planUndo,
  processClock,
  redactionOf,
  Secret,
  type Snapshot,
  validateRealm,
} from "realmctl";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { realmOf } from "../support/realm.ts";

// A program without types leaves an argument out, or passes anything: it gets one error with a code, which names the function and the argument.

const FILE = "version: 1\nchannels:\n  lobby: {description: New}\n  hall: {description: For all}\n";
const RULES = "version: 1\ntests:\n  - {name: Shut, objects: vault, rights: {read: {only: role:owners}}}\n";

interface Arguments {
  readonly valid: { readonly [name: string]: readonly unknown[] };
  /** Values among them that the library made. */
  readonly made: ReadonlySet<unknown>;
}

/** Function of the library → arguments with which a program may call it. */
async function argumentsOf(snapshot: Snapshot, directory: string): Promise<Arguments> {
  const filesOf = (text: string, file = "realm.yaml"): LoadOptions => ({
    file,
    readFile: async () => text,
    listFiles: async () => [],
  });
  const config = filesOf(FILE);
  const sandbox = createSandbox({ from: snapshot });
  const connection = {
    site: snapshot.realm.url,
    email: snapshot.account.email,
    key: new Secret(sandbox.accounts[snapshot.account.email]?.api_key ?? ""),
    transport: inProcess((request) => sandbox.fetch(request)),
    clock: { ...processClock, sleep: async () => {} },
    version: "0",
    rateRules: [],
  };
  const { reader, writer } = createClient(connection);
  const planning = await planRealm({ ...config, reader });
  if (!planning.ok) throw new Error("the file has errors");
  const { plan, inputs, origin, planAgain, snapshot: live } = planning.value;
  const applying = { reader, writer, directory, temporary: directory, now: Date.now, planAgain };
  const result = await applyRealm(plan, applying);
  const journal = join(directory, result.journal ?? "");
  const journalText = await readFile(journal, "utf8");
  const undone = await planUndo(journalText, basename(journal), { reader, writer });
  if (!undone.ok) throw new Error("no undo");
  const text = await planFileText(plan, { inputs, origin });
  const saved = parsePlanFile(text, "realm.plan");
  const matrix = accessMatrix(plan, live);
  const hide = { privateNames: true, invitations: true, people: true, known: new Set(["a"]) };
  const redaction = redactionOf([plan], live, hide, kinds);
  const drift = driftOf(plan);
  const broken = await validateRealm({ ...filesOf("version: 1\nchanels: {}\n"), kinds });
  const diagnostics = broken.ok ? [] : broken.diagnostics;
  const [change] = plan.changes;
  const exported = await exportRealm({ snapshot, kinds });
  const notes = [{ kind: "channel", name: "vault", fact: { why: "not-found" } }];
  const question = { question: "#vault", rights: ["read"], format: "text", style: PLAIN, all: true };
  const planned = { from: "plan", file: "realm.yaml", plan, snapshot: live };
  const rules = filesOf(RULES, "realm.test.yaml");
  const adopting = { ...config, snapshot, kinds, choice: { addresses: ["channel:lobby"], fields: ["description"] } };
  const origins = { mine: plan.changes, earlier: [], adopted: [] };
  const shown = { style: PLAIN, all: true };
  const stopped = new AbortController();
  stopped.abort();
  const ports = {
    open: async () => ({ wait: async () => [], close: async () => {} }),
    read: async () => drift,
    started: () => {},
    changed: () => {},
    hindered: async () => {},
    recovered: () => {},
    sleep: async () => {},
    random: () => 0.5,
    signal: stopped.signal,
  };
  const valid = {
    adopt: [adopting],
    adoptable: [adopting],
    parsePlanFile: [text, "realm.plan"],
    planFileText: [plan, { inputs, origin }, async () => ({ method: "hmac-sha256", value: "0" })],
    hmacOf: ["text", "secret"],
    isSignedWith: [{ ...saved, signature: { method: "hmac-sha256", value: "0" } }, "secret"],
    pageOf: ["reference/unknown-group"],
    pageText: [pageOf("reference/unknown-group")],
    defaultSections: [snapshot, kinds],
    exportRealm: [
      { snapshot, kinds, sections: ["channels"], policies: { channels: "exact" }, split: "kind", pictures: new Map() },
    ],
    accessMatrix: [plan, live],
    noLongerProtected: [{ pattern: "channel:a*", name: "ab", to: "b", file: "policy.yaml" }],
    notTaken: [change, { reasons: [], order: [], open: diagnostics, breaks: undefined }],
    exportNotes: [exported],
    diagnosticsGithub: [diagnostics],
    diagnosticsJson: [diagnostics],
    renderDiagnostics: [{ diagnostics, sources: new Map([["realm.yaml", FILE]]), style: PLAIN, ending: null }],
    diagnosticsSarif: [{ diagnostics, version: "0", ruleOf: () => undefined }],
    renderDrift: [drift, shown],
    renderPlanHtml: [plan, matrix, { applyWith: "" }],
    renderDriftHtml: [drift, matrix, { all: true }],
    renderDriftJson: [drift, { held: 1, broken: 0, messages: [] }],
    renderPlanJson: [plan, 0],
    renderResultJson: [result],
    renderPlanMarkdown: [{ plan, origin: origins, notes: ["a"], budget: 60_000, elsewhere: "", hidden: 0 }],
    redactAccess: [matrix, redaction],
    redactDiagnostic: [diagnostics[0], redaction],
    redactionOf: [[plan], live, hide, kinds],
    redactPlan: [plan, redaction],
    redactResult: [result, redaction],
    redactUndoNotes: [notes, redaction],
    renderResult: [result, { ...shown, matches: "file" }],
    renderPlan: [plan, { ...shown, cost: { requests: 1, seconds: 1 } }],
    renderUndoNotes: [notes, PLAIN, true],
    createSandbox: [{ from: snapshot, seed: "a" }],
    serve: [sandbox, { port: 0, hostname: "127.0.0.1" }],
    formatYaml: [FILE],
    answerAccess: [question, planned],
    answerAccessChanges: [{ rights: ["read"] }, planned],
    applyRealm: [plan, applying],
    findEarlierRuns: [directory, snapshot.realm.url, { writer, temporary: directory, plan }],
    guardUndo: [undone.value.plan, undone.value.snapshot, { ...config, named: true, allow: [] }],
    validateRealm: [{ ...config, kinds }],
    redactionOfFiles: [[FILE], hide, kinds, { realm: [redaction], addresses: new Map() }],
    snapshotFor: [{ ...config, reader }],
    answerRules: [rules, { what: "plan", config, reader }, "realm.yaml"],
    holdAgainstToday: [{ ...saved, checksum: "", planned: planning.value }, live, { allow: [] }],
    openSavedPlan: [text, "realm.plan"],
    suggestRules: [{ what: "reading", reader }],
    planUndo: [journalText, basename(journal), { reader, writer, isForeignAllowed: false, allow: [] }],
    watchDrift: [ports],
    driftOf: [plan],
    planRealm: [{ ...config, reader, targets: { only: ["channels"], except: [], needs: "take" }, allow: [] }],
    createClient: [{ ...connection, origin: { email: "a", key: "b" }, rateRules: [{ limit: 1, windowMs: 1 }] }],
    readCredentials: [
      { env: {}, readFile: async () => "" },
      { site: "https://acme.example.org", typed: ["site"] },
    ],
    openNetwork: [{ insecure: false, timeoutMs: 1000 }],
    inProcess: [async () => new Response()],
  };
  const made = new Set<unknown>([
    plan,
    live,
    snapshot,
    result,
    matrix,
    redaction,
    drift,
    exported,
    sandbox,
    saved,
    inputs,
    planning.value,
  ]);
  for (const each of [
    saved.plan,
    saved.inputs.snapshot,
    ...diagnostics,
    ...notes,
    ...kinds,
    ...plan.changes,
    pageOf("reference/unknown-group"),
    undone.value.plan,
    undone.value.snapshot,
  ])
    made.add(each);
  return { valid, made };
}

let directory: string;
let valid: Awaited<ReturnType<typeof argumentsOf>>["valid"];
let made: ReadonlySet<unknown>;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-arguments-"));
  ({ valid, made } = await argumentsOf(
    realmOf({ channels: [{ name: "lobby" }, { name: "vault", invite_only: true }] }),
    directory,
  ));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const { Failure, NoAnswerError, Secret: _, ...others } = library;
const functions: ReadonlyMap<string, unknown> = new Map(
  Object.entries(others).filter(([, value]) => typeof value === "function"),
);
const call = async (name: string, given: readonly unknown[]): Promise<unknown> => {
  const run = functions.get(name);
  if (typeof run !== "function") throw new Error(`${name} is no function`);
  return await Reflect.apply(run, undefined, given);
};

interface Place {
  readonly path: readonly (string | number)[];
  readonly now: unknown;
  /** A field of a value that the library made. */
  readonly isMade: boolean;
}

/** Places in the arguments. Of what the library made, the outermost fields: nobody writes a plan by hand. */
function places(given: readonly unknown[], made: ReadonlySet<unknown>): readonly Place[] {
  const inside = (now: unknown, path: Place["path"], isMade: boolean): readonly Place[] => [
    { path, now, isMade },
    ...(isMade || typeof now !== "object" || now === null || now instanceof Secret || now instanceof Map
      ? []
      : Object.entries(now)
          .slice(0, Array.isArray(now) ? 2 : undefined)
          .flatMap(([key, part]) => inside(part, [...path, Array.isArray(now) ? Number(key) : key], made.has(now)))),
  ];
  return given.flatMap((value, at) => inside(value, [at], false));
}

const LEFT_OUT = Symbol("left out");
/** The same with another value at a place; what it stands in is copied, with the methods that a class gives it. */
function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by === LEFT_OUT ? undefined : by;
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? replaced(item, rest, by) : item));
  const copy = Object.assign(Object.create(Object.getPrototypeOf(value)), value);
  if (by === LEFT_OUT && rest.length === 0) delete copy[key];
  else copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const VALUES: readonly unknown[] = [
  LEFT_OUT,
  null,
  undefined,
  7,
  "seven",
  true,
  [],
  [null],
  {},
  () => 7,
  Symbol("s"),
  7n,
];

/** Another value of the same type is not what this is about: a function with another answer, a plan with other content. */
const isOther = ({ now, isMade }: Place, value: unknown): boolean =>
  typeof now === "object" ? !isMade || typeof value !== "object" || value === null : typeof value !== typeof now;

const refusal = async (name: string, given: readonly unknown[]): Promise<unknown> =>
  call(name, given).then(
    () => undefined,
    (error: unknown) => error,
  );
const argumentOf = (error: unknown): string | undefined =>
  error instanceof Failure && error.diagnostics[0]?.code === "use/wrong-argument"
    ? `${error.diagnostics[0].fact.call} ${error.diagnostics[0].fact.argument}`
    : undefined;

test("every exported function has valid arguments here", () => {
  expect([...functions.keys()].sort()).toEqual(Object.keys(valid).sort());
});

describe.each([...functions.keys()])("%s", (name) => {
  const given = () => valid[name] ?? [];

  test("takes valid arguments", async () => {
    expect(argumentOf(await refusal(name, given()))).toBeUndefined();
  });

  test("no argument at all, and each argument as null or left out, gets an error that names the function and the argument", async () => {
    if (given().length > 0 && name !== "openNetwork") expect(argumentOf(await refusal(name, []))).toMatch(`${name} `);
    for (const at of given().keys())
      expect(argumentOf(await refusal(name, replaced(given(), [at], null) as readonly unknown[]))).toMatch(`${name} `);
  });

  test("any other value at any place is refused with the code, or does no harm", async () => {
    const all = places(given(), made).flatMap((place) =>
      VALUES.filter((value) => isOther(place, value)).map((value) => ({ ...place, value })),
    );
    if (all.length === 0) return;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), async ({ path, value }) => {
        const changed = replaced(given(), path, value);
        const error = await refusal(name, Array.isArray(changed) ? changed : []);
        if (error === undefined || argumentOf(error)?.startsWith(`${name} `)) return;
        if (error instanceof Failure || error instanceof NoAnswerError || error instanceof z.ZodError) return;
        throw new Error(`${name}(${path.join(".")} = ${String(value)}): ${String(error)}`, { cause: error });
      }),
      { numRuns: Number(process.env.REALMCTL_RUNS ?? 60) },
    );
  });
});
