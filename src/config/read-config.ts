import type { Desired } from "../model/desired.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Realm } from "../model/realm.ts";
import { type LoadOptions, loadDocument } from "../source/load.ts";
import { readHeader } from "./header.ts";
import { readProfiles } from "./profiles.ts";
import { Report } from "./report.ts";
import { readSections } from "./sections.ts";

export interface ReadConfigOptions extends LoadOptions {
  readonly kinds: readonly ResourceKind[];
  /** Names are held against it; without one only against the file itself. */
  readonly realm?: Realm | undefined;
}

/**
 * The file (and what it includes) as desired objects, or every mistake in it at once, in file order. Pure apart from the two
 * functions that read files.
 */
export async function readConfig(options: ReadConfigOptions): Promise<Checked<Desired>> {
  const loaded = await loadDocument(options);
  if (!loaded.ok) return loaded;
  const document = loaded.value;
  const report = new Report(document, loaded.warnings);
  const header = readHeader(document, options.kinds, report);
  const profiles = readProfiles(document, report);
  const sections = readSections({ document, kinds: options.kinds, realm: options.realm, profiles, report });
  profiles.reportUnused();

  const diagnostics = report.sorted();
  if (diagnostics.some(({ severity }) => severity === "error")) return { ok: false, diagnostics };
  const manage = Object.fromEntries(
    [...sections.keys()].map((section) => [section, header.manage[section] ?? "additive"]),
  );
  const desired: Desired = {
    ...(header.realm === undefined ? {} : { realm: header.realm }),
    manage,
    sections,
    warnings: diagnostics,
  };
  return { ok: true, value: desired, warnings: diagnostics };
}
