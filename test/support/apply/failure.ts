import { Failure } from "../../../src/model/diagnostic.ts";

/** What a message about a failure has: the code, and its facts. */
export function failureOf(run: () => unknown): { readonly code: string; readonly fact: unknown } | undefined {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [first] = error.diagnostics;
    return first && { code: first.code, fact: first.fact };
  }
  return undefined;
}
