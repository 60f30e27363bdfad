import { placedFindings } from "../config/issues.ts";
import { Report } from "../config/report.ts";
import { shapeOf } from "../config/shape.ts";
import type { Checked } from "../model/diagnostic.ts";
import { FaultPlan } from "../sandbox/index.ts";
import { loadDocument } from "../source/load.ts";
import { configurationFiles } from "./configuration-files.ts";
import type { Io } from "./io.ts";

/** The faults of the sandbox, from a YAML or JSON file, or every error in it with its place. */
export async function readFaultsFile(io: Pick<Io, "readFile" | "list">, file: string): Promise<Checked<FaultPlan>> {
  const loaded = await loadDocument(configurationFiles(io, file));
  if (!loaded.ok) return loaded;
  const { root, files } = loaded.value;
  const report = new Report(loaded.value, loaded.warnings);
  const parsed = FaultPlan.safeParse(root);
  if (!parsed.success) {
    const context = {
      value: root,
      shape: shapeOf(FaultPlan),
      noun: "faults file",
      patience: report.patience,
    };
    for (const { path, on, finding } of placedFindings(parsed.error.issues, context)) {
      if (path.length === 0) report.add(finding, files.at(-1)?.span(0, 0));
      else if (on === "key") report.atKey(root, path, finding);
      else report.atValue(root, path, finding);
    }
  }
  const diagnostics = report.sorted();
  if (!parsed.success) return { ok: false, diagnostics };
  return { ok: true, value: parsed.data, warnings: diagnostics };
}
