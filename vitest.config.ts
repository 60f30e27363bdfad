import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take longest start first: none of them is left running alone at the end. */
const LONGEST = [
  "test/e2e/crash.test.ts",
  "test/faults/matrix.test.ts",
  "test/properties/plans.test.ts",
  "test/action/github.test.ts",
  "test/faults/editors.test.ts",
  "test/action/action.test.ts",
  "test/replay.test.ts",
  "test/action/canary-failures.test.ts",
  "test/properties/others.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // One worker a core, two at least; each takes some 500 MB in the largest tests.
    maxWorkers: Math.min(Math.max(2, availableParallelism()), 8),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
