import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderDiagnostics } from "../../src/report/diagnostics.ts";
import { PLAIN } from "../../src/report/style.ts";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { testRules } from "../../src/workflow/rules.ts";
import { realmOf } from "../support/realm.ts";

/** Files of rules with errors, and what must be said of each. */
const directory = join(import.meta.dirname, "invalid");
const names = readdirSync(directory)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.replace(/\.yaml$/, ""));

const snapshot = realmOf({
  user_groups: [
    { name: "staff", members: ["hana@acme.example"] },
    { name: "crew", members: ["elif@acme.example"] },
  ],
  channels: [{ name: "lobby" }, { name: "vault", invite_only: true, can_subscribe_group: "staff" }],
  subscribers: { lobby: [], vault: ["ada@acme.example"] },
});

test("there are at least sixty", () => expect(names.length).toBeGreaterThanOrEqual(60));

describe.each(names)("%s", (name) => {
  test("is refused with every error in it, its place and the way out", async () => {
    const text = readFileSync(join(directory, `${name}.yaml`), "utf8");
    const result = await testRules(
      { file: "realm.test.yaml", readFile: async () => text },
      { what: "reading", reader: { snapshot: async () => snapshot } },
    );
    expect(result.ok).toBe(false);
    const diagnostics = result.ok ? [] : result.diagnostics;
    expect(diagnostics.filter(({ severity }) => severity === "error").length).toBeGreaterThan(0);
    for (const diagnostic of diagnostics) expect(wordedDiagnostic(diagnostic).hint, diagnostic.code).toBeDefined();
    const shown = renderDiagnostics({ diagnostics, sources: new Map([["realm.test.yaml", text]]), style: PLAIN });
    await expect(shown).toMatchFileSnapshot(`invalid/${name}.txt`);
  });
});
