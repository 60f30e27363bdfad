import { Failure } from "../../model/diagnostic.ts";

/** What somebody is told when something fails: the code, and the facts of it. */
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
