import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lineOf } from "../../test/calls/line.ts";
import { casesOf, footerOf, planText, shown } from "../../test/support/cases.ts";
import { must } from "../../test/support/world.ts";

/**
 * The checks of plans in test/cases.test.ts for each case folder, without applying it: the plan's text, its footer, and the digest of its calls. Each folder
 * has a test, so that a mutant runs only the tests that reach it. Only `npm run mutate` runs this.
 */
const digests = new Set(readFileSync("test/calls/cases.txt", "utf8").split("\n"));

describe.each([...casesOf()])("case $name", ({ name, directory, yaml, live, hasFooter }) => {
  test(`${name} plans as before`, async () => {
    const planned = await planText(yaml, live);
    expect(digests).toContain(lineOf(`case/${name}`, planned));
    expect(shown(planned, yaml)).toBe(readFileSync(join(directory, "plan.txt"), "utf8"));
    if (hasFooter) expect(footerOf(must(planned))).toBe(readFileSync(join(directory, "footer.txt"), "utf8"));
  });
});
