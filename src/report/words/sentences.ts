import { CHANNEL, ORGANIZATION } from "../../access/scope.ts";
import type { Code } from "../../model/diagnostic.ts";
import { type ReportWords, wordsFrom } from "../../model/diagnostics/definition.ts";
import { type DiagnosticFacts, definitionOf } from "../../model/diagnostics/definitions.ts";
import type { Words } from "../../model/diagnostics/words.ts";
import { wayThrough } from "../guards.ts";
import { changeName, counted, objectName, pluralOf } from "../object-names.ts";
import { brokenText, subjectText, unknownTexts } from "../rules/words.ts";
import { guardText } from "./guards.ts";
import { called } from "./names.ts";

// A run without a diagnostic needs none of this: the command line loads it with the first one (scripts/on-call.mjs).

const REPORT: ReportWords = {
  brokenText,
  called,
  changeName,
  counted,
  guardText,
  isOrganization: (address) => address === ORGANIZATION,
  objectName,
  patternOf: (kind) => (kind === CHANNEL ? pluralOf(kind) : kind === "organization" ? kind : `${kind}:NAME`),
  pluralOf,
  subjectText,
  unknownTexts,
  wayThrough,
};

/** The sentences of a code and its fact. */
export function wordsOf<C extends Code>({
  code,
  fact,
}: {
  readonly code: C;
  readonly fact: DiagnosticFacts[C];
}): Words {
  return wordsFrom(definitionOf(code), fact, REPORT);
}
