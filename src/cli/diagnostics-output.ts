import type { Diagnostic, ExitCode } from "../model/diagnostic.ts";
import { cleanJson } from "../report/style.ts";
import { VERSION } from "../version.ts";

/** Errors and warnings in a format for programs. Its renderer is loaded only when it is needed. */
export async function diagnosticsIn(
  format: "json" | "github" | "sarif",
  diagnostics: readonly Diagnostic[],
  exitCode: ExitCode,
): Promise<string> {
  if (format === "sarif") return sarifText(diagnostics);
  const { diagnosticsGithub, diagnosticsJson } = await import("../report/diagnostics.ts");
  if (format === "github") return diagnosticsGithub(diagnostics);
  const { renderJson } = await import("../report/json.ts");
  return renderJson({ ...diagnosticsJson(diagnostics), exit_code: exitCode });
}

async function sarifText(diagnostics: readonly Diagnostic[]): Promise<string> {
  const { diagnosticsSarif } = await import("../report/sarif.ts");
  const { pageOf } = await import("../explain/explain.ts");
  const { titleOf } = await import("../explain/explain.ts");
  const ruleOf = (code: string) => {
    const page = pageOf(code);
    return page === undefined ? undefined : { title: titleOf(page), help: `${page.means}\n\n${page.out}` };
  };
  return `${cleanJson(JSON.stringify(diagnosticsSarif({ diagnostics, version: VERSION, ruleOf }), null, 2))}\n`;
}
