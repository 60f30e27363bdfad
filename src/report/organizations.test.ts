import { expect, test } from "vitest";
import type { OrganizationRow } from "../model/organizations.ts";
import { renderOrganizations } from "./organizations.ts";
import { displayWidth, PLAIN } from "./style.ts";

const row = (name: string, given: Partial<OrganizationRow>): OrganizationRow => ({
  file: `orgs/${name}.yaml`,
  realm: `https://${name}.example.org`,
  exit_code: 0,
  started: true,
  changes: 0,
  uncompared: 0,
  risks: 0,
  guards: "ok",
  codes: [],
  ...given,
});
const ALL = [
  row("acme", { changes: 1234, risks: 1, exit_code: 2 }),
  row("gamma", {
    exit_code: 7,
    changes: null,
    uncompared: null,
    risks: null,
    guards: null,
    codes: ["zulip/unreachable"],
  }),
];
const at = (width: number, all = ALL): string =>
  renderOrganizations(all, { style: { ...PLAIN, width }, passedOver: [] });

test("a table, if there is room", () => {
  expect(at(100)).toBe(
    [
      "organization       changes  risks  guards  exit",
      "acme.example.org     1,234      1  ok         2",
      "gamma.example.org        -      -  -          7  zulip/unreachable",
      "2 organizations · 1 with changes · 1 failed · exit code 7",
      "",
    ].join("\n"),
  );
});

test("what apply does not revert is counted, also where nothing changes", () => {
  const all = [
    row("acme", { uncompared: 2 }),
    row("gamma", { changes: 3, uncompared: 1, codes: ["x/y"], exit_code: 1 }),
  ];
  const text = at(200, all);
  expect(text).toMatch(/^acme\.example\.org +0 .* 0 {2}2 that apply does not revert$/m);
  expect(text).toMatch(/^gamma\.example\.org +3 .* 1 {2}x\/y, 1 more that apply does not revert$/m);
  expect(text).toContain("2 organizations · 1 with changes · 2 with what apply does not revert · 1 failed");
});

test("the message of a line is on the next line if there is not enough room after it", () => {
  expect(at(60).split("\n").slice(2, 4)).toEqual([
    "gamma.example.org        -      -  -          7",
    "  zulip/unreachable",
  ]);
});

test("the columns of plans are left out if nothing was planned", () => {
  const nothing = { changes: null, uncompared: null, risks: null, guards: null };
  const all = [row("acme", nothing), row("gamma", { ...nothing, exit_code: 6, codes: ["zulip/wrong-key"] })];
  expect(at(100, all)).toBe(
    [
      "organization       exit",
      "acme.example.org      0",
      "gamma.example.org     6  zulip/wrong-key",
      "2 organizations · 1 failed · exit code 6",
      "",
    ].join("\n"),
  );
});

test("on a phone, the terminal breaks no line", () => {
  expect(at(40)).toBe(
    [
      "acme.example.org",
      "  changes 1,234 · risks 1 · guards ok ·",
      "  exit 2",
      "gamma.example.org",
      "  exit 7 · zulip/unreachable",
      "2 organizations · 1 with changes ·",
      "1 failed · exit code 7",
      "",
    ].join("\n"),
  );
  for (const width of [24, 30, 40, 50, 60, 80, 100])
    for (const line of at(width).split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
});

test("a share without files has no table", () => {
  expect(at(100, [])).toBe("0 organizations · exit code 0\n");
});

test("organizations that were declined or not started are counted separately, and do not count as failed", () => {
  const all = [
    row("acme", { changes: 2, exit_code: 2 }),
    row("beta", { changes: 3, exit_code: 5, isDeclined: true, codes: ["apply/declined"] }),
    row("gamma", { changes: null, uncompared: null, risks: null, guards: null, exit_code: 5, started: false }),
    row("delta", { exit_code: 7, changes: 0, codes: ["zulip/a", "zulip/b", "zulip/c"] }),
    row("epsilon", { realm: null }),
  ];
  expect(at(100, all)).toBe(
    [
      "organization       changes  risks  guards  exit",
      "acme.example.org         2      0  ok         2",
      "beta.example.org         3      0  ok         5  not applied",
      "gamma.example.org        -      -  -          5  not started",
      "delta.example.org        0      0  ok         7  zulip/a, zulip/b",
      "orgs/epsilon.yaml        0      0  ok         0",
      "5 organizations · 2 with changes · 1 failed · 1 not applied · 1 not started · exit code 7",
      "",
    ].join("\n"),
  );
});

test("the table is as wide as the terminal at most, and its own width is enough", () => {
  const table = at(100, [row("acme", { changes: 1 })]).split("\n");
  const width = displayWidth(table[0] ?? "");
  expect(
    at(width, [row("acme", { changes: 1 })])
      .split("\n")
      .slice(0, 2),
  ).toEqual(table.slice(0, 2));
  expect(at(width - 1, [row("acme", { changes: 1 })]).split("\n")[0]).toBe("acme.example.org");
});

test("files without a realm are named after the table", () => {
  const text = renderOrganizations([], { style: PLAIN, passedOver: ["orgs/shared.yaml", "x\u001b.yaml"] });
  expect(text).toContain("Skipped, because they do not name an organization (realm:): orgs/shared.yaml, x");
  expect(text).not.toContain("\u001b");
});
