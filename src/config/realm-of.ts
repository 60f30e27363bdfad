import type { Desired } from "../model/desired.ts";
import type { Checked } from "../model/diagnostic.ts";
import { type LoadOptions, loadDocument } from "../source/load.ts";
import { readRealm } from "./header.ts";
import { Report } from "./report.ts";

/** The organization that a file says it is for; undefined if it does not say so. A value that cannot be read, or is not an address, is an error. */
export async function realmNamedIn(options: LoadOptions): Promise<Checked<string | undefined>> {
  const found = await realmOfFile(options);
  return found.ok ? { ...found, value: found.value?.url } : found;
}

/** The same, with its place in the file. */
export async function realmOfFile(options: LoadOptions): Promise<Checked<Desired["realm"]>> {
  const loaded = await loadDocument(options);
  if (!loaded.ok) return loaded;
  const report = new Report(loaded.value, []);
  const value = readRealm(loaded.value, report);
  const diagnostics = report.sorted();
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value, warnings: [] };
}
