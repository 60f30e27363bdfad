import { type Diagnostic, error } from "./diagnostic.ts";
import type { TooNew } from "./diagnostics/references.ts";

/** Something in the file that this server does not have yet. */
export function tooOld(what: TooNew, needs: number, level: number, at: Diagnostic["at"]): Diagnostic {
  return error("plan/server-too-old", { what, needs, level }, at);
}
