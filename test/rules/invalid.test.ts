import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderDiagnostics } from "../../src/report/diagnostics.ts";
import { PLAIN } from "../../src/report/style.ts";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { testRules } from "../../src/workflow/rules.ts";
import { realmOf } from "../support/realm.ts";

/** Files of rules with errors, and the report of each error; and files that are doubtful only in this organization. */
const [invalid, doubtful] = ["invalid", "doubtful"].map((folder) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => `${folder}/${name.replace(/\.yaml$/, "")}`),
);

const snapshot = realmOf({
  user_groups: [
    { name: "staff", members: ["hana@acme.example"] },
    { name: "crew", members: ["elif@acme.example"] },
    { name: "company", members: [], subgroups: ["staff"] },
    { name: "empty", members: [] },
  ],
  channels: [{ name: "lobby" }, { name: "vault", invite_only: true, can_subscribe_group: "staff" }],
  subscribers: { lobby: [], vault: ["ada@acme.example"] },
});

async function heldOf(name: string) {
  const text = readFileSync(join(import.meta.dirname, `${name}.yaml`), "utf8");
  const result = await testRules(
    { file: "realm.test.yaml", readFile: async () => text },
    { what: "reading", reader: { snapshot: async () => snapshot } },
  );
  const diagnostics = result.ok ? result.warnings : result.diagnostics;
  for (const diagnostic of diagnostics) expect(wordedDiagnostic(diagnostic).hint, diagnostic.code).toBeDefined();
  const shown = renderDiagnostics({ diagnostics, sources: new Map([["realm.test.yaml", text]]), style: PLAIN });
  return { result, shown, severities: new Set(diagnostics.map(({ severity }) => severity)) };
}

test("there are at least sixty cases", () => expect(invalid?.length).toBeGreaterThanOrEqual(60));

describe.each(invalid ?? [])("%s", (name) => {
  test("is refused with all its errors, each with its place and advice", async () => {
    const { result, shown, severities } = await heldOf(name);
    expect(result.ok).toBe(false);
    expect(severities).toContain("error");
    await expect(shown).toMatchFileSnapshot(`${name}.txt`);
  });
});

describe.each(doubtful ?? [])("%s", (name) => {
  test("is checked, with a warning, its place and advice", async () => {
    const { result, shown, severities } = await heldOf(name);
    expect([...severities]).toEqual(["warning"]);
    // What the report says about the rules is true here.
    const verdicts = result.ok ? result.value.outcomes.map(({ verdict }) => verdict) : [];
    const isBroken = /cannot\s+hold|the opposite/.test(shown);
    expect(verdicts.includes("broken")).toBe(isBroken);
    await expect(shown).toMatchFileSnapshot(`${name}.txt`);
  });
});
