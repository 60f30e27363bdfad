import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OLDEST_BEFORE_MAIL_MS } from "../apply/readings.ts";
import { MOST_JOBS } from "../cli/flags.ts";
import { MOST_FILES } from "../cli/organizations/files.ts";
import { CODES } from "../explain/explain.ts";
import { LONGEST_PATTERN } from "../kinds/linkifier/pattern.ts";
import { MOST_PATTERN_STEPS } from "../kinds/linkifier/schema.ts";
import { MOST_UPLOAD_BYTES } from "../model/repository-file.ts";
import { LONGEST_WORD, MOST_COMPARED } from "../model/suggest.ts";
import { MOST_RULE_WORK } from "../rules/work.ts";
import * as source from "../source/limits.ts";
import { MOST_WILDCARDS } from "./manage.ts";
import { DEEPEST_PROFILES } from "./profiles.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/limits.md"), "utf8");
const rows = [...page.matchAll(/^\| ([^|]+) \| ([\d,]+)([^|]*) \| ([^|]+) \|$/gm)].map(
  ([, what = "", number = "", unit = "", beyond = ""]) => ({
    what,
    number: Number(number.replaceAll(",", "")),
    unit: unit.trim(),
    beyond,
  }),
);

const MEGABYTE = 1024 * 1024;
const LIMITS = [
  source.LARGEST_FILE_BYTES / MEGABYTE,
  source.MOST_BYTES / MEGABYTE,
  source.MOST_FILES,
  source.MOST_LISTED,
  source.MOST_NAMED_FILES,
  source.MOST_NAMED_BYTES / MEGABYTE,
  MOST_UPLOAD_BYTES / MEGABYTE,
  source.DEEPEST,
  source.MOST_ALIASED_VALUES,
  DEEPEST_PROFILES,
  LONGEST_PATTERN,
  MOST_PATTERN_STEPS,
  MOST_WILDCARDS,
  MOST_RULE_WORK,
  MOST_COMPARED,
  LONGEST_WORD,
  MOST_FILES,
  MOST_JOBS,
  OLDEST_BEFORE_MAIL_MS,
];

test("the table has the same numbers as the code", () => expect(rows.map(({ number }) => number)).toEqual(LIMITS));

test("every limit of the files is in the table", () => expect(Object.keys(source)).toHaveLength(8));

test.each(rows)("$what: the error code in the table has a page", ({ beyond }) => {
  const known: readonly string[] = CODES;
  for (const [, code = ""] of beyond.matchAll(/`([^`]+)`/g)) expect(known).toContain(code);
});
