import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import {
  applyRealm,
  createClient,
  createSandbox,
  exportNotes,
  exportRealm,
  guardUndo,
  inProcess,
  kinds,
  PLAIN,
  type Plan,
  planFileText,
  planRealm,
  planUndo,
  processClock,
  redactionOf,
  redactPlan,
  redactUndoNotes,
  renderUndoNotes,
  Secret,
} from "realmctl";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Failure } from "../../src/model/diagnostic.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { type Overlay, realmOf } from "../support/realm.ts";

// A program is stopped where a command is: no option of the command line stands before these functions.

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory("refused");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function world(overlay: Overlay) {
  const sandbox = createSandbox({ from: realmOf(overlay) });
  const as = (email: string) => {
    const key = new Secret(sandbox.accounts[email]?.api_key ?? "");
    const transport = inProcess((request) => sandbox.fetch(request));
    return {
      directory,
      temporary: directory,
      now: Date.now,
      ...createClient({
        site: realmOf({}).realm.url,
        email,
        key,
        transport,
        clock: processClock,
        version: "0",
        rateRules: [],
      }),
    };
  };
  return { sandbox, as };
}

async function planned(text: string, reader: Parameters<typeof planRealm>[0]["reader"]) {
  const made = await planRealm({ file: "realm.yaml", readFile: async () => text, reader });
  if (!made.ok) throw new Error(JSON.stringify(made.diagnostics));
  return made.value;
}

const codesOf = (run: Promise<unknown>): Promise<readonly string[]> =>
  run.then(
    () => [],
    (error: unknown) => (error instanceof Failure ? error.diagnostics.map(({ code }) => code) : [String(error)]),
  );

test("an undo that locks the account out is refused, and guard rails of a file hold for an undo", async () => {
  const { as } = world({});
  const file = "version: 1\npeople: {elif@acme.example: {role: owner}}\n";
  const owner = as("ada@acme.example");
  const { plan, planAgain } = await planned(file, owner.reader);
  const done = await applyRealm(plan, { ...owner, planAgain, confirmed: true });
  const journal = join(directory, done.journal ?? "");
  const elif = as("elif@acme.example");
  expect(await codesOf(planUndo(readFileSync(journal, "utf8"), basename(journal), elif))).toEqual(["journal/foreign"]);
  const undo = await planUndo(readFileSync(journal, "utf8"), basename(journal), { ...elif, isForeignAllowed: true });
  if (!undo.ok) throw new Error("no undo");
  const mistyped = await planUndo(readFileSync(journal, "utf8"), basename(journal), {
    ...elif,
    isForeignAllowed: true,
    allow: ["protect:person:elif@acme.example"],
  });
  expect(mistyped.ok ? [] : mistyped.diagnostics.map(({ code }) => code)).toEqual(["guard/unknown"]);
  expect(await codesOf(applyRealm(undo.value.plan, elif))).toEqual(["guard/refused"]);
  const held = await guardUndo(undo.value.plan, undo.value.snapshot, {
    file: "realm.yaml",
    readFile: async () => `${file}policy: {protect: ['person:elif@acme.example']}\n`,
    named: true,
    allow: ["lockout"],
  });
  expect(held.ok ? held.value.plan.guards.filter(({ violated }) => violated).map(({ name }) => name) : []).toEqual([
    "protect:person:elif@acme.example",
  ]);
});

test("a plan with a guard rail that asks is carried out only once somebody confirmed it", async () => {
  const { as } = world({ channels: [{ name: "den", invite_only: true }], subscribers: { den: ["ada@acme.example"] } });
  const owner = as("ada@acme.example");
  const { plan, planAgain } = await planned("version: 1\nchannels: {den: {privacy: public}}\n", owner.reader);
  expect(plan.guards.filter(({ fact }) => fact.asks).length).toBeGreaterThan(0);
  expect(await codesOf(applyRealm(plan, { ...owner, planAgain }))).toContain("guard/refused");
  expect((await applyRealm(plan, { ...owner, planAgain, confirmed: true })).outcome).toBe("applied");
});

test("a redacted plan is neither carried out nor saved", async () => {
  const { as, sandbox } = world({ channels: [{ name: "den", invite_only: true }] });
  const owner = as("ada@acme.example");
  const file = "version: 1\nchannels: {cave: {privacy: private_shared_history, description: secret}}\n";
  const { plan, snapshot, inputs, origin } = await planned(file, owner.reader);
  const hidden: Plan = redactPlan(
    plan,
    redactionOf([plan], snapshot, { privateNames: true, invitations: true, people: false }, kinds),
  );
  const before = JSON.stringify(sandbox.state());
  expect(await codesOf(applyRealm(hidden, owner))).toEqual(["plan/redacted"]);
  expect(await codesOf(planFileText(hidden, { inputs, origin }))).toEqual(["plan/redacted"]);
  expect(JSON.stringify(sandbox.state())).toBe(before);
});

test("a plan in which nothing had to be hidden is carried out", async () => {
  const { as } = world({});
  const owner = as("ada@acme.example");
  const { plan, snapshot } = await planned("version: 1\nchannels: {hall: {}}\n", owner.reader);
  const redaction = redactionOf([plan], snapshot, { privateNames: true, invitations: true, people: false }, kinds);
  expect((await applyRealm(redactPlan(plan, redaction), owner)).outcome).toBe("applied");
});

test("what an undo and an export leave out has words, without names where they are hidden", async () => {
  const { as } = world({ channels: [{ name: "qzden", invite_only: true }] });
  const { plan, snapshot } = await planned("version: 1\n", as("ada@acme.example").reader);
  const redaction = redactionOf([plan], snapshot, { privateNames: true, invitations: true, people: true }, kinds);
  const notes = [{ kind: "channel", name: "qzden", fact: { why: "not-found" } }] as const;
  expect(renderUndoNotes(notes, PLAIN, true)).toContain("qzden");
  expect(renderUndoNotes(redactUndoNotes(notes, redaction), PLAIN, true)).toMatch(/private channel/);
  const exported = await exportRealm({ snapshot, kinds });
  expect(exportNotes(exported)).toHaveLength(exported.omitted.length + exported.profiles.length);
});
