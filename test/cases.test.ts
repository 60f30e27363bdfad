import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { casesOf, planText, shown } from "./support/cases.ts";

describe.each([...casesOf()])("$name", ({ directory, yaml, live }) => {
  test("shows the plan", async () => {
    const text = shown(await planText(yaml, live), yaml);
    await expect(text).toMatchFileSnapshot(join("..", directory, "plan.txt"));
  });
});
