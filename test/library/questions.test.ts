import { answerAccess, answerAccessChanges, answerRules, type LoadOptions, planRealm, suggestRules } from "realmctl";
import { describe, expect, test } from "vitest";
import { AccessForm } from "../../src/model/access-form.ts";
import { Failure } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";

// A program asks what `realmctl access` and `realmctl test` answer.

const snapshot = realmOf({
  channels: [{ name: "lobby" }, { name: "vault", invite_only: true }],
  subscribers: { vault: ["ada@acme.example"] },
});
const reader = { snapshot: async () => snapshot };
const filesOf = (text: string): LoadOptions => ({ file: "realm.yaml", readFile: async () => text });
const config = filesOf("version: 1\nchannels:\n  vault: {permissions: {can_subscribe_group: role:members}}\n");
const rules: LoadOptions = {
  file: "realm.test.yaml",
  readFile: async () => "version: 1\ntests:\n  - {name: Shut, objects: vault, rights: {read: {only: role:owners}}}\n",
};

async function planned() {
  const made = await planRealm({ ...config, reader });
  if (!made.ok) throw new Error("the file has errors");
  return { from: "plan", file: "realm.yaml", plan: made.value.plan, snapshot: made.value.snapshot } as const;
}
const answered = async <T>(answer: Promise<{ ok: true; value: T } | { ok: false }>): Promise<T> => {
  const found = await answer;
  if (!found.ok) throw new Error("the file has errors");
  return found.value;
};

describe("who may do what", () => {
  const asked = { question: "#vault", rights: ["read"] };

  test("now, according to the file alone, and after a plan is applied", async () => {
    const asRead = await answered(answerAccess(asked, { from: "server", snapshot }));
    expect(asRead).toContain("Ada Okafor");
    expect(asRead).not.toContain("Elif Demir");
    expect(await answered(answerAccess(asked, { from: "file", config }))).toContain("as realm.yaml alone says");
    expect(await answered(answerAccess(asked, await planned()))).toContain("once realm.yaml is applied");
  });

  test("of an invented person, in each format", async () => {
    const guest = { as: "guest", rights: ["read"] };
    const basis = { from: "snapshot", snapshot } as const;
    const json = AccessForm.parse(JSON.parse(await answered(answerAccess({ ...guest, format: "json" }, basis))));
    expect(json.from).toBe("snapshot");
    expect(await answered(answerAccess({ ...guest, format: "csv" }, basis))).toMatch(/^\w+(,\w+)+\r?\n/);
    expect(await answered(answerAccess({ ...guest, format: "html" }, basis))).toMatch(/^<!doctype html>/i);
  });

  test("by the changes of a plan", async () => {
    expect(await answerAccessChanges({}, await planned())).toMatch(/#vault[\s\S]*\+ .*Elif Demir/);
  });

  test.each([
    [{}, "access/nothing-asked"],
    [{ question: "#vault", as: "guest" }, "access/two-questions"],
    [{ question: "#nowhere" }, "access/unknown"],
    [{ question: "#vault", rights: ["fly"] }, "access/unknown-right"],
    [{ as: "king" }, "access/unknown-role"],
    [{ as: "guest", groups: ["nobody-knows"] }, "access/unknown-group"],
  ])("%j: %s", async (question, code) => {
    const refused = await answerAccess(question, { from: "server", snapshot }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Failure);
    expect(refused instanceof Failure && refused.diagnostics.map((one) => one.code)).toEqual([code]);
  });

  test("errors of a file are returned, all of them", async () => {
    const bad = filesOf("version: 1\nchanels: {}\nchannels: {a: {descripton: x}}\n");
    const found = await answerAccess(asked, { from: "file", config: bad });
    expect(found.ok ? [] : found.diagnostics.length).toBe(2);
  });
});

describe("rules", () => {
  test("are checked, shown in each format, and reported as diagnostics", async () => {
    const answer = await answered(answerRules(rules, { what: "plan", config, reader }, "realm.yaml"));
    expect(answer.exitCode).toBe(8);
    expect(await answer.show()).toContain("Elif Demir can read #vault");
    expect(JSON.parse(await answer.show({ format: "json" }))).toMatchObject({ format: "realmctl.test", exit_code: 8 });
    expect(await answer.show({ format: "junit" })).toContain("<failure");
    expect((await answer.diagnostics()).map(({ code }) => code)).toContain("rules/broken");
  });

  test("hold if nothing breaks them", async () => {
    const answer = await answered(answerRules(rules, { what: "reading", reader }, "realm.yaml"));
    expect([answer.exitCode, await answer.diagnostics()]).toEqual([0, []]);
  });

  test("are suggested from the current rights", async () => {
    expect(await answered(suggestRules({ what: "reading", reader }))).toMatch(/^tests:/m);
  });
});
