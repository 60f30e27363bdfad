import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The directory in which test/support/bundle.ts builds. */
    readonly bundles: string;
  }
}

/** Runs before all files and after all of them: the run removes what the tests build, however its workers end. */
export default function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), "realmctl-bundles-"));
  project.provide("bundles", directory);
  return () => rmSync(directory, { recursive: true, force: true });
}
