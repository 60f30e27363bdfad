import type { Span } from "../model/diagnostic.ts";
import { isAddress } from "../model/file-param.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { RepositoryFile } from "../model/repository-file.ts";
import { NotReadable, unreadable } from "../model/unreadable.ts";
import { MOST_NAMED_BYTES, MOST_NAMED_FILES } from "../source/limits.ts";
import type { LoadOptions, SourceDocument } from "../source/load.ts";
import { directoryOf, join, resolveBelow } from "../source/paths.ts";
import type { Report } from "./report.ts";
import { valueAt } from "./value-at.ts";

/** Facts about the files (pictures) that entries name; errors in reading them were reported. */
export interface NamedFiles {
  /** @param from the file of the configuration that names it */
  get(from: string, wanted: string): RepositoryFile | undefined;
}

/**
 * Looks at every file that an entry of a section names. As with includes, paths are relative to the file that contains them and cannot lead out of
 * the directory of the main file. Each file is read once.
 */
export async function readNamedFiles(
  document: SourceDocument,
  kinds: readonly ResourceKind[],
  options: LoadOptions,
  report: Report,
): Promise<NamedFiles> {
  const reader = new Reader(options, report);
  for (const kind of kinds) {
    const { section, shape } = kind;
    const { files } = kind.file;
    if (files === undefined || !Object.hasOwn(document.root, section)) continue;
    const value = document.root[section];
    if (typeof value !== "object" || value === null || Array.isArray(value) !== (shape === "list")) continue;
    const items =
      shape === "singleton"
        ? [{ above: [], item: value }]
        : document.places.entries(value).map(({ key, value: item }) => ({ above: [key], item }));
    for (const { above, item } of items)
      for (const path of files(item)) {
        const whole = [...above, ...path];
        const at = document.places.valueSpan(value, whole);
        const wanted = valueAt(value, whole);
        if (at !== undefined && typeof wanted === "string") await reader.read(wanted, at);
      }
  }
  return reader;
}

class Reader implements NamedFiles {
  private readonly options: LoadOptions;
  private readonly report: Report;
  private readonly root: string;
  /** Path → facts, or why the file cannot be read: that is reported at every place that names it. */
  private readonly found = new Map<string, RepositoryFile | Error>();
  private bytes = 0;
  private isFull = false;

  constructor(options: LoadOptions, report: Report) {
    this.options = options;
    this.report = report;
    this.root = directoryOf(options.file.replaceAll("\\", "/"));
  }

  get(from: string, wanted: string): RepositoryFile | undefined {
    const path = this.pathOf(from, wanted);
    const found = path === undefined ? undefined : this.found.get(path);
    return found instanceof Error ? undefined : found;
  }

  async read(wanted: string, at: Span): Promise<void> {
    const path = this.pathOf(at.file, wanted);
    if (path === undefined) {
      this.report.add("file/outside", { path: wanted, file: this.options.file }, at);
      return;
    }
    const found = this.found.get(path) ?? (await this.look(path, at));
    if (found === undefined) return;
    this.found.set(path, found);
    if (!(found instanceof Error)) return;
    this.report.add("file/cannot-read", { file: path, why: unreadable(found) }, at);
  }

  private async look(path: string, at: Span): Promise<RepositoryFile | Error | undefined> {
    if (this.isFull) return undefined;
    if (this.found.size >= MOST_NAMED_FILES) return this.tooMany("files", MOST_NAMED_FILES, at);
    if (this.options.lookAt === undefined) return new NotReadable({ is: "no-reader" });
    try {
      const facts = await this.options.lookAt(path);
      this.bytes += facts.size_bytes;
      if (this.bytes <= MOST_NAMED_BYTES) return facts;
      return this.tooMany("bytes", MOST_NAMED_BYTES, at);
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }

  /** Reported once; nothing is read afterwards. */
  private tooMany(counted: "files" | "bytes", most: number, at: Span): undefined {
    this.isFull = true;
    this.report.add("file/too-many", { counted, most }, at);
    return undefined;
  }

  /** The path in the form of the main file's path; undefined if it leads out of the main file's directory, or is not a file at all. */
  private pathOf(from: string, wanted: string): string | undefined {
    if (isAddress(wanted)) return undefined;
    const inside = this.root === "" ? from : from.slice(this.root.replace(/\/$/, "").length + 1);
    const target = resolveBelow(directoryOf(inside), wanted.replaceAll("\\", "/"));
    return target === undefined ? undefined : join(this.root, target) || ".";
  }
}
