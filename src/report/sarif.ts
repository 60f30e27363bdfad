import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import type { Diagnostic, Span } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { type SaidDiagnostic, wordedDiagnostic } from "./words/diagnostics.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** A rule of SARIF: what a code means, and what to do. */
export interface SarifRule {
  readonly title: string;
  readonly help: string;
}

export interface SarifInput {
  readonly diagnostics: readonly (Diagnostic | SaidDiagnostic)[];
  readonly version: string;
  /** The SARIF rule of a code; undefined for a code without a page. */
  ruleOf(code: string): SarifRule | undefined;
}

/** Errors and warnings as SARIF 2.1.0, for code scanning of forges and for editors: one run, one rule per code that occurs. */
export function diagnosticsSarif({ diagnostics, version, ruleOf }: SarifInput): JsonObject {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "realmctl",
            semanticVersion: version,
            rules: codes.map((code) => {
              const rule = ruleOf(code);
              return {
                id: code,
                ...defined({
                  shortDescription: rule === undefined ? undefined : { text: clean(rule.title) },
                  help: rule === undefined ? undefined : { text: clean(rule.help) },
                }),
              };
            }),
          },
        },
        // Columns are counted in UTF-16 units, as everywhere in realmctl.
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((diagnostic) => resultOf(diagnostic, codes.indexOf(diagnostic.code))),
      },
    ],
  };
}

function resultOf(diagnostic: Diagnostic | SaidDiagnostic, ruleIndex: number) {
  const { code, severity, message, hint, footnotes = [], at, notes = [] } = wordedDiagnostic(diagnostic);
  const text = [message, ...(hint === undefined ? [] : [hint]), ...footnotes].map(clean).join("\n");
  return {
    ruleId: code,
    ruleIndex,
    level: code === "rules/undecided" ? "note" : severity,
    message: { text },
    ...defined({
      locations: at === undefined ? undefined : [locationOf(at)],
      relatedLocations:
        notes.length === 0
          ? undefined
          : notes.map((note, id) => ({
              id,
              ...locationOf(note.at),
              message: { text: clean(note.message) },
            })),
    }),
  };
}

function locationOf({ file, line, column, endLine, endColumn }: Span) {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: { startLine: line, startColumn: column, endLine, endColumn },
    },
  };
}

/** A path as a URI reference: relative ones stay relative to wherever the tool was started. */
function uriOf(file: string): string {
  const path = file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? `file://${path}` : path.replace(/^\.\//, "");
}
