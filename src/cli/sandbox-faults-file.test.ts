import { expect, test } from "vitest";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { readFaultsFile } from "./sandbox.ts";

const read = (text: string) =>
  readFaultsFile(
    { readFile: async () => text, readBytes: async () => new Uint8Array(), list: async () => [] },
    "faults.yaml",
  );

test("a faults file, without optional parts", async () => {
  const checked = await read("seed: 7\nfaults:\n  - calls: PATCH /streams/*\n    at: [2, 3]\n    do: drop\n");
  expect(checked).toMatchObject({
    ok: true,
    value: { seed: 7, faults: [{ calls: "PATCH /streams/*", at: [2, 3], when: "before", do: "drop" }] },
  });
});

test("every error has its place, and all are reported at once", async () => {
  const checked = await read(
    [
      "faults:",
      "  - do: dorp",
      "  - calls: streams",
      "    do: drop",
      "    secnds: 3",
      "  - as: owner",
      "colour: red",
      "",
    ].join("\n"),
  );
  if (checked.ok) throw new Error("this file is full of errors");
  expect(
    checked.diagnostics.map(
      (diagnostic) =>
        `${diagnostic.at?.line}:${diagnostic.at?.column} ${diagnostic.code} ${wordedDiagnostic(diagnostic).message}`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "2:9 field/value do cannot be "dorp"",
      "3:12 field/value calls must be a method and a path below /api/v1, for example "PATCH /streams/*" or "* **"",
      "5:5 field/unknown entry 2 of faults has no field "secnds"",
      "6:5 field/missing entry 3 of faults has no do",
      "7:1 field/unknown a faults file has no field "colour"",
    ]
  `);
});

test("contradictory parts of a rule are explained", async () => {
  const checked = await read("faults:\n  - { do: drop, at: 1, chance: 0.5 }\n  - { do: slow }\n");
  if (checked.ok) throw new Error("this file has two errors");
  expect(
    checked.diagnostics.map((one) => {
      const { message, hint } = wordedDiagnostic(one);
      return `${one.at?.line} ${message} (${hint})`;
    }),
  ).toEqual([
    "2 at and chance exclude each other (write one of them)",
    "3 slow is about the real answer, so the request must have been carried out (add when: after)",
  ]);
});

test("an empty file is an error that says what is missing", async () => {
  const checked = await read("seed: 1\n");
  expect(checked).toMatchObject({ ok: false, diagnostics: [{ code: "field/missing", at: { line: 1 } }] });
});

test("a word that is no fault is not better in a list", async () => {
  const checked = await read("faults:\n  - do: crash\n");
  if (checked.ok) throw new Error("there is no such fault");
  const [one] = checked.diagnostics.map(wordedDiagnostic);
  expect(one?.hint ?? "").not.toContain("[crash]");
  expect([one?.hint, ...(one?.footnotes ?? [])].join()).toContain("drop, hang");
});
