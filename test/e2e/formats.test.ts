import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { outputSchemas } from "../../src/config/json-schema.ts";
import { MIXED_FILE } from "./example.ts";
import { worldOfTests } from "./world.ts";

/** Checks the output of commands with --format json, and the files that they write, against schemas/. */
const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const accepts = new Map([...outputSchemas()].map(([name, schema]) => [name, ajv.compile(schema)]));

function expectForm(name: string, value: unknown): void {
  const check = accepts.get(name);
  if (check === undefined) throw new RangeError(`there is no schema ${name}`);
  check(value);
  expect(check.errors, JSON.stringify(value).slice(0, 2000)).toBeNull();
}

const world = worldOfTests({ files: { "realm.yaml": MIXED_FILE } });

describe("real outputs", () => {
  test("drift, apply, its journal, and drift afterwards", async () => {
    expectForm("drift", JSON.parse((await world.realmctl("drift --format json")).out));
    expectForm("result", JSON.parse((await world.realmctl("apply --yes --format json")).out));
    const [journal = ""] = world.journals();
    const lines = world.read(`.realmctl/${journal}`).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expectForm("journal", JSON.parse(line));
    expectForm("drift", JSON.parse((await world.realmctl("drift --format json")).out));
    expectForm("result", JSON.parse((await world.realmctl("apply --yes --format json")).out));
  });

  test("a conflict", async () => {
    await world.realmctl("plan --out realm.plan");
    await world.editChannel("sandbox", { description: "theirs" });
    const { code, out } = await world.realmctl("apply --plan realm.plan --yes --format json");
    expect(code).toBe(4);
    expectForm("result", JSON.parse(out));
  });

  test("errors", async () => {
    world.file("realm.yaml", "version: 1\nchannels: {a: {privacy: open}}\n");
    for (const command of ["validate", "plan", "drift"])
      expectForm("diagnostics", JSON.parse((await world.realmctl(`${command} --format json`)).out));
  });
});

test.each([
  ["result", { format: "realmctl.result", version: 3 }],
  ["drift", { format: "realmctl.drift", version: 1 }],
  ["diagnostics", { format: "realmctl.diagnostics", version: 2, errors: 1, warnings: 0, diagnostics: [{}] }],
  ["journal", { entry: "sent", at: "now" }],
])("the schema of %s rejects other documents", (name, value) => expect(accepts.get(name)?.(value)).toBe(false));
