import { afterEach, expect } from "vitest";
import { watchAnswers } from "../../../src/sandbox/sandbox.ts";
import { deviations } from "./answers.ts";

/** In every test: each answer and event of a sandbox in this process matches the contract (types, nullability, closed keys). */
const found = new Set<string>();
watchAnswers((answer) => {
  for (const problem of deviations(answer)) found.add(problem);
});
afterEach(() => {
  const problems = [...found];
  found.clear();
  expect(problems, "answers of the sandbox that are not as test/support/contract says").toEqual([]);
});
