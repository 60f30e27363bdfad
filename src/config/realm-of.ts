import { type LoadOptions, loadDocument } from "../source/load.ts";
import { readRealm } from "./header.ts";
import { Report } from "./report.ts";

/** The organization that a file says it is for; undefined where it does not say so, or cannot be read: planning says why. */
export async function realmNamedIn(options: LoadOptions): Promise<string | undefined> {
  const loaded = await loadDocument(options);
  return loaded.ok ? readRealm(loaded.value, new Report(loaded.value, []))?.url : undefined;
}
