import { describe, expect, test } from "vitest";
import { LEVEL_ROWS } from "../scripts/level-rows.ts";
import { levelsPage } from "../scripts/levels-docs.ts";
import { kinds } from "../src/kinds/registry.ts";
import { NEWEST_KNOWN_LEVEL, releaseOf, releaseWords } from "../src/model/releases.ts";
import { OLDEST_LEVEL } from "../src/zulip/failures.ts";
import { OPERATIONS } from "../src/zulip/operations.ts";

const page = levelsPage("");
const lines = page.split("\n");
const LAST_RECORDED = 442;

test("the table has every level after the recordings exactly once, up to the newest known one", () => {
  const levels = LEVEL_ROWS.flatMap((row) => row.levels).sort((one, other) => one - other);
  expect(levels).toEqual(Array.from({ length: NEWEST_KNOWN_LEVEL - LAST_RECORDED }, (_, at) => LAST_RECORDED + 1 + at));
});

test.each(LEVEL_ROWS)(
  "levels $levels: the page says what changed and what realmctl does",
  ({ levels, change, does }) => {
    const releases = [...new Set(levels.map((each) => releaseOf(each).name))].join("; ");
    expect(lines).toContain(`| ${[levels.join(", "), releases, change, does].join(" | ")} |`);
  },
);

/** What a row says of a field, or of a parameter, is what the code has: a row that names one has its level. */
describe("a level of the code", () => {
  const fields = kinds.flatMap(({ section, file }) =>
    Object.entries(file.fields).flatMap(([field, { level = 0 }]) =>
      level > LAST_RECORDED ? [{ section, field, level }] : [],
    ),
  );
  test("there are some", () => expect(fields.length).toBeGreaterThan(5));
  test.each(fields)("$section $field: $level", ({ field, level }) => {
    expect(page).toContain(`| ${level} | ${releaseOf(level).name} |`);
    expect(LEVEL_ROWS.find(({ levels }) => levels.includes(level))?.change).toContain(`\`${field}\``);
  });
  test("every parameter that not all servers read is listed", () => {
    for (const { name, level: since, params } of OPERATIONS)
      for (const [parameter, { level, until }] of Object.entries(params)) {
        const row = `| \`${name}\` | \`${parameter}\` |`;
        if (level > Math.max(since, OLDEST_LEVEL))
          expect(page).toContain(`| ${level} | ${releaseOf(level).name} ${row} from |`);
        if (until !== undefined) expect(page).toContain(`| ${until} | ${releaseOf(until).name} ${row} gone |`);
      }
  });
});

test.each([
  [320, "10.x", "Zulip 10"],
  [376, "10.x", "Zulip 10"],
  [421, "11.x", "Zulip 11"],
  [442, "12.0", "Zulip 12"],
  [490, "12.0", "Zulip 12"],
  [500, "12.1, 12.2", "Zulip 12.1"],
  [502, "13.0 (in development, Zulip Cloud)", "Zulip 13"],
  [600, "13.0 (in development, Zulip Cloud)", "Zulip 13"],
])("level %i came with %s, in words %s", (level, name, word) => {
  expect(releaseOf(level)).toMatchObject({ name, word });
  expect(releaseWords(level)).toBe(`${word} (feature level ${level})`);
});
