import { afterEach, beforeEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { OPENINGS } from "../e2e/openings.ts";
import { Repository, SHA } from "./runner.ts";

/** What opens something is in the comment of the pull request, and is not sent after the merge unless somebody reviewed the plan. */
let repository: Repository;
beforeEach(async () => {
  repository = await Repository.start();
});
afterEach(() => repository.end());

const plainText = (html: string): string =>
  html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replaceAll(/<[^>]*>/g, "");

test.each(OPENINGS)("$what: the comment says it, and an apply without a review is refused", async (opening) => {
  const { world, github } = repository;
  await opening.before(world);
  repository.pull("version: 1\n", opening.yaml);
  github.merged[SHA.main] = { number: 7, head: SHA.head };
  const planned = await repository.run("plan");
  expect(planned.code, planned.log).toBe(EXIT.done);
  const comment = plainText(github.comments[0]?.body ?? "");
  for (const guard of opening.guards) expect(comment).toContain(`--allow ${guard}`);
  // Names of people and of private channels are hidden there, and guards that do not ask are left out.
  for (const text of opening.says.filter((said) => !/#vault|Dmitri|administrators/.test(said)))
    expect(comment).toContain(text);
  expect(comment).not.toContain("vault");
  const sent = world.writes().length;
  const step = await repository.run("apply", { event: "push", sha: SHA.main, inputs: { reviewed: "ignore" } });
  expect(step.code, step.log).toBe(EXIT.refusedByGuard);
  for (const guard of opening.guards) expect(step.log).toContain(guard);
  expect(world.writes()).toHaveLength(sent);
});
