import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isSoak } from "../support/sample.ts";
import { GENERAL } from "./file-and-head.ts";
import { repositoryOfTests, SHA } from "./runner.ts";

const repository = repositoryOfTests();

const withTeams = (number: number, word: string): string =>
  GENERAL +
  Array.from({ length: number }, (_, at) => {
    const more = at % 4 === 0 ? `, permissions: {can_send_message_group: role:administrators}` : "";
    return `  team-${at}: {description: "${word} of team ${at}"${more}}\n`;
  }).join("");
const left = (text: string): readonly string[] => text.match(/… and [\d,]+ more [^\n]*/g) ?? [];

test.each([1, 100, isSoak ? 10_000 : 1_050])(
  "%i changes, and as many differences: everything fits, and says what it leaves out",
  async (number) => {
    const head = withTeams(number, "Work");
    repository.pull(GENERAL, head);
    const plan = await repository.run("plan");
    expect(plan).toMatchObject({ code: 0, outputs: { changes: String(number + 1), comment: "created" } });
    const [comment] = repository.github.comments;
    const text = comment?.body ?? "";
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(plan.summary)).toBeLessThan(1024 * 1024);
    // Any number of equal ones are one entry; markdown.test.ts tests lists that are cut.
    for (const line of left(text)) expect(line).toContain("realmctl-plan.json");
    expect(text).toContain(`: ${number.toLocaleString("en")} created, 1 changed`);
    const report: { changes: unknown[] } = JSON.parse(readFileSync(plan.outputs["report-file"] ?? "", "utf8"));
    expect(report.changes).toHaveLength(number + 1);
    expect(readFileSync(plan.outputs["page-file"] ?? "", "utf8").includes(`team-${number - 1}</bdi>`)).toBe(true);
    expect(repository.github.checks[0]?.annotations).toHaveLength(Math.min(200, number));

    repository.github.git.commits[SHA.main] = { "realm.yaml": head };
    const inputs = { "fail-on-drift": "false", "adopt-pull-request": "true" };
    const drift = await repository.run("drift", { event: "schedule", sha: SHA.main, inputs });
    expect(drift).toMatchObject({ code: 0, outputs: { drift: String(number + 1) } });
    expect(Buffer.byteLength(drift.summary)).toBeLessThan(1024 * 1024);
    expect(repository.github.git.pulls).toHaveLength(1);
    for (const { body } of [...repository.github.issues, ...repository.github.git.pulls]) {
      expect(body.length).toBeLessThanOrEqual(65_536);
      const block = body.slice(body.indexOf("### "), body.indexOf("### Not in the file"));
      const items = (block.match(/^- (?!…)/gm) ?? []).length;
      const more = [...block.matchAll(/… and (\d+) more/g)].reduce((sum, [, number]) => sum + Number(number), 0);
      expect(more > 0).toBe(number > 1000);
      // Each of them is there, or counted.
      expect(items + more).toBe(number + 1);
    }
  },
  300_000,
);
