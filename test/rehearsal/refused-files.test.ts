import { describe, expect, test } from "vitest";
import { unresolvedIn } from "../../src/model/plan.ts";
import { planRealm } from "../../src/workflow/workflow.ts";
import { lookAt } from "../support/pictures.ts";
import { realmOf } from "../support/realm.ts";
import { recordedRefusals } from "./recorded-refusals.ts";
import { REFUSED_FILES } from "./refused-files.ts";
import { UNMET } from "./unmet-refusals.ts";

/** Refused when the organization is read: exit code 6, which test/network and test/outcome check. */
const WHEN_READING = ["zulip/unauthorized", "zulip/not-allowed"];

test("every recorded refusal that an error code prevents has a file here that shows it", () => {
  const said = recordedRefusals().map(({ words }) => words);
  const wanted = UNMET.flatMap(({ code, words }) =>
    code === undefined || WHEN_READING.includes(code)
      ? []
      : said.filter((text) => words.some((pattern) => pattern.test(text))).map((text) => `${code}: ${text}`),
  );
  const shown = REFUSED_FILES.map(({ code, words }) => `${code}: ${words}`);
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter((row) => !shown.includes(row))).toEqual([]);
  expect(shown.filter((row) => !wanted.includes(row))).toEqual([]);
});

describe("a file that would get such a refusal is refused, and nothing is sent", () => {
  test.each(REFUSED_FILES)("$words: $code", async ({ code, yaml, live = {} }) => {
    const found = await planRealm({
      file: "realm.yaml",
      readFile: async () => `version: 1\n${yaml}\n`,
      lookAt,
      reader: {
        snapshot: async () =>
          realmOf({ channels: [{ name: "general" }], subscribers: {}, invites: [], user_defaults: {}, ...live }),
      },
    });
    const told = found.ok ? unresolvedIn(found.value.plan) : found.diagnostics;
    // What a name that does not resolve holds back is told, too.
    const codes = told.flatMap((each) => (each.severity === "error" || found.ok ? [each.code] : []));
    expect(codes.filter((each) => each !== "reference/held")).toEqual([code]);
    if (found.ok) expect(found.value.plan.calls).toEqual([]);
  });
});
