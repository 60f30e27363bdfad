import { defined } from "../model/defined.ts";
import { type Finding, finding, type Path } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/facts.ts";
import { quote } from "../model/diagnostics/values.ts";
import { didYouMean } from "../model/suggest.ts";
import { isTree, type Tree } from "./tree.ts";

/** One entry of `include:`. */
export interface IncludeEntry {
  /** The written path: of a file, or a pattern of several. */
  readonly wanted: string;
  /** Whether a missing file, or a pattern without matches, is allowed. */
  readonly optional: boolean;
  /** The place of the path in the file. */
  readonly path: Path;
}

/** An error in an entry, with its place. */
interface UnfitEntry {
  readonly path: Path;
  readonly on?: "key";
  readonly finding: Finding;
}

const FIELDS = ["path", "optional"];

/** The entries of a file's `include:`: a path, `{path: …, optional: true}`, or a list of these. */
export function includeEntriesOf(tree: Tree): {
  readonly entries: readonly IncludeEntry[];
  readonly findings: readonly UnfitEntry[];
} {
  const entries: IncludeEntry[] = [];
  const findings: UnfitEntry[] = [];
  if (!Object.hasOwn(tree, "include")) return { entries, findings };
  const { include } = tree;
  if (typeof include !== "string" && !Array.isArray(include) && !isTree(include)) {
    return { entries, findings: [{ path: ["include"], finding: finding("include/not-a-list", { cause: "no-list" }) }] };
  }
  const list: readonly unknown[] = Array.isArray(include) ? include : [include];
  for (const [index, wanted] of list.entries()) {
    const path = Array.isArray(include) ? ["include", index] : ["include"];
    const read = entryOf(wanted, path);
    if ("wanted" in read) entries.push(read);
    else findings.push(read);
  }
  return { entries, findings };
}

function entryOf(wanted: unknown, path: Path): IncludeEntry | UnfitEntry {
  const report = (at: Path, fact: DiagnosticFacts["include/not-a-list"]) => ({
    path: at,
    finding: finding("include/not-a-list", fact),
  });
  if (typeof wanted === "string") return causeOf(wanted, path) ?? { wanted, optional: false, path };
  if (!isTree(wanted)) return report(path, { cause: "no-text" });
  const unknown = Object.keys(wanted).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    const meant = /^files?$/.test(unknown) ? "path" : didYouMean(unknown, FIELDS);
    const suggested = defined({ meant });
    return { ...report([...path, unknown], { cause: "field", field: quote(unknown), ...suggested }), on: "key" };
  }
  const { path: file, optional = false } = wanted;
  if (typeof file !== "string") return report(path, { cause: "no-path" });
  if (typeof optional !== "boolean") return report([...path, "optional"], { cause: "optional" });
  return causeOf(file, [...path, "path"]) ?? { wanted: file, optional, path: [...path, "path"] };
}

function causeOf(wanted: string, path: Path): UnfitEntry | undefined {
  const several = wanted.split(/[,\s]+/).filter((one) => one !== "");
  if (several.length > 1 && several.every((one) => /\.ya?ml$/.test(one)))
    return { path, finding: finding("include/not-a-list", { cause: "no-brackets", list: quote(several.join(", ")) }) };
  if (wanted.trim() === "") return { path, finding: finding("include/not-a-list", { cause: "empty" }) };
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(wanted)) return undefined;
  return { path, finding: finding("include/url", {}) };
}
