import type { DomainFacts } from "./domains.ts";
import type { GuardDiagnosticFacts } from "./guards.ts";
import type { ReferenceFacts } from "./references.ts";

/**
 * Code → what is known when a diagnostic with this code is made. Each area has a file of its own here, and a line below; its sentences are
 * in `src/report/words/diagnostics/`, where a code without a sentence is a type error (docs/decisions/0060).
 */
export interface DiagnosticFacts extends DomainFacts, GuardDiagnosticFacts, ReferenceFacts {}
