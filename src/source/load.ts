import { defined } from "../model/defined.ts";
import {
  type Checked,
  type Diagnostic,
  error,
  type Finding,
  finding,
  type Path,
  placed,
  type Span,
} from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { OutsideValues } from "../model/outside-values.ts";
import type { RepositoryFile } from "../model/repository-file.ts";
import { didYouMean } from "../model/suggest.ts";
import { isMissing, unreadable } from "../model/unreadable.ts";
import { MOST_BYTES, MOST_FILES, MOST_LISTED } from "./limits.ts";
import { otherFile } from "./other-file.ts";
import { otherFormat } from "./other-format.ts";
import { directoryOf, expandGlob, isGlob, joinUp, relativeTo, resolveBelow } from "./paths.ts";
import { readPlain } from "./plain.ts";
import { checkCharacters, decodeText, SourceText, tooLarge } from "./text.ts";
import { isTree, type Parsed, PlaceTable, setOwn, type Tree } from "./tree.ts";

export interface LoadOptions {
  /** The main file, as the person wrote it; no include may leave the repository that its directory is in. */
  readonly file: string;
  /**
   * Where a directory is in its repository, as a path from its top; "" at the top, or outside of every repository. Asked only when an include leads out of the
   * main file's directory. Without it, none may.
   */
  readonly placeOf?: (directory: string) => Promise<string>;
  /** Text, or bytes that are checked to be UTF-8. Rejects with the system's error. */
  readonly readFile: (path: string) => Promise<string | Uint8Array>;
  /** Names in a directory; needed for includes with `*`. Rejects when the path is not a directory. */
  readonly listFiles?: (directory: string) => Promise<readonly string[]>;
  /**
   * The facts about a file that an entry names, by `fileFacts` of its bytes. Rejects with the system's error, and for a file of more than
   * `MOST_UPLOAD_BYTES` before it is read. Without it, nothing can be uploaded.
   */
  readonly lookAt?: (path: string) => Promise<RepositoryFile>;
  /** Values of variables besides those in the files. */
  readonly outside?: OutsideValues;
}

/** A file and everything it includes, as one tree. */
export interface SourceDocument {
  readonly root: Tree;
  readonly places: PlaceTable;
  /** Every file that was read, in the order of its entries in the tree. */
  readonly files: readonly SourceText[];
}

/**
 * Reads a file and its includes. Included entries come before the file's own, in the order of the list, with patterns sorted; maps are joined key by
 * key (a key in two files is an error), lists one after the other. A file that is included twice is read once.
 * @param keys the top-level keys of a file; if a file is a single word and not a map, one of them is probably meant
 */
export async function loadDocument(options: LoadOptions, keys: readonly string[] = ["version"]): Promise<Loaded> {
  const loader = new Loader(options, keys);
  const root = await loader.load();
  const diagnostics = sortDiagnostics(loader.diagnostics, loader.files);
  const document = root && { root, places: loader.places, files: loader.files };
  if (document !== undefined && !diagnostics.some(isError)) return { ok: true, value: document, warnings: diagnostics };
  if (diagnostics.some(({ code }) => STOPS.has(code))) return { ok: false, diagnostics };
  const isWhole = diagnostics.every((diagnostic) => !isError(diagnostic) || isReadOn(diagnostic));
  return { ok: false, diagnostics, ...defined({ document, isPartial: isWhole ? undefined : true }) };
}

/**
 * A document or its errors.
 * @property document what could be read: the errors in the rest can be reported in the same run
 * @property isPartial entries are missing in it, or files: what other parts name may be there
 */
type Loaded = Checked<SourceDocument> & { readonly document?: SourceDocument; readonly isPartial?: true };

const isError = ({ severity }: Diagnostic): boolean => severity === "error";
/** Errors of one key or value, behind which the file is read as it is. */
const READ_ON: ReadonlySet<string> = new Set([
  "include/declared-twice",
  "yaml/duplicate-key",
  "yaml/key-not-text",
  "yaml/leading-zero",
  "yaml/number",
  "yaml/tag",
  "yaml/unknown-anchor",
]);
/** Errors after which nothing is looked at: it would take too long, or the rest was not read on purpose. */
const STOPS: ReadonlySet<string> = new Set([
  "include/too-large-together",
  "include/too-many",
  "yaml/alias-bomb",
  "yaml/recursive-alias",
  "yaml/too-deep",
  "yaml/too-large",
]);
const isReadOn = ({ code, fact }: Diagnostic): boolean =>
  READ_ON.has(code) && !(code === "yaml/tag" && "reason" in fact);

/** The include that asks for a file. */
interface Asked {
  readonly at: Span | undefined;
  readonly optional: boolean;
}

class Loader {
  readonly diagnostics: Diagnostic[] = [];
  readonly places = new PlaceTable();
  readonly files: SourceText[] = [];
  private readonly options: LoadOptions;
  private readonly keys: readonly string[];
  private readonly rootDirectory: string;
  private readonly done = new Set<string>();
  private bytes = 0;
  private isFull = false;
  private place: Promise<string> | undefined;
  private readonly root: Tree = {};
  /** Maps that hold entries of several files: copies, so that no file's own tree is changed. */
  private readonly joined = new WeakSet<object>();

  constructor(options: LoadOptions, keys: readonly string[]) {
    this.options = options;
    this.keys = keys;
    this.rootDirectory = directoryOf(options.file.replaceAll("\\", "/"));
  }

  async load(): Promise<Tree | undefined> {
    const file = this.options.file.replaceAll("\\", "/");
    const name = file.slice(this.rootDirectory === "" ? 0 : this.rootDirectory.replace(/\/$/, "").length + 1);
    const content = await this.read(name, undefined);
    if (content === undefined) return undefined;
    await this.parse(name, content, [name]);
    return this.root;
  }

  /** The path of a file or directory, for reading and for messages. */
  private shown(name: string): string {
    return joinUp(this.rootDirectory, name);
  }

  /** A path that a file names, relative to the main file's directory; undefined if it is outside of the repository. */
  private async resolve(directory: string, wanted: string): Promise<string | undefined> {
    const below = directory.startsWith("..") ? undefined : resolveBelow(directory, wanted);
    if (below !== undefined || this.options.placeOf === undefined) return below;
    const place = await this.placeOf();
    const whole = resolveBelow(resolveBelow(place, directory) ?? "", wanted);
    return whole === undefined ? undefined : relativeTo(place, whole);
  }

  private placeOf(): Promise<string> {
    this.place ??= this.options.placeOf?.(this.rootDirectory) ?? Promise.resolve("");
    return this.place;
  }

  /** @param name relative to the root directory */
  private async read(name: string, asked: Asked | undefined): Promise<SourceText | undefined> {
    const shown = this.shown(name);
    try {
      const content = await this.options.readFile(shown);
      this.bytes += content.length;
      if (asked !== undefined && this.bytes > MOST_BYTES) {
        this.tooMuch(asked.at);
        return undefined;
      }
      const text = decodeText(shown, content);
      if (text instanceof SourceText) return text;
      this.diagnostics.push(text);
    } catch (thrown) {
      if (asked?.optional === true && isMissing(thrown)) return undefined;
      if (thrown instanceof Error && "code" in thrown && thrown.code === "EFBIG") {
        this.diagnostics.push(tooLarge(shown));
        return undefined;
      }
      const code = asked === undefined ? "config/cannot-read" : "include/cannot-read";
      this.diagnostics.push(placed(finding(code, { file: shown, why: unreadable(thrown) }), asked?.at));
    }
    return undefined;
  }

  /** Reports once that the files are too large together. Nothing is read afterwards. */
  private tooMuch(at: Span | undefined): void {
    if (this.isFull) return;
    this.isFull = true;
    this.diagnostics.push(error("include/too-large-together", { most_bytes: MOST_BYTES }, at));
  }

  private async parse(name: string, source: SourceText, chain: readonly string[]): Promise<void> {
    this.done.add(name);
    const { value, diagnostics } = await parseYaml(source, this.places);
    this.diagnostics.push(...diagnostics);
    if (!isTree(value)) {
      this.files.push(source);
      const isTold = diagnostics.some((diagnostic) => isError(diagnostic) && !isReadOn(diagnostic));
      if (!isTold) this.diagnostics.push(notAMap(source, value, this.keys));
      return;
    }
    await this.includes(name, value, chain);
    this.files.push(source);
    this.join(value);
  }

  private async includes(name: string, tree: Tree, chain: readonly string[]): Promise<void> {
    const { entries, findings } = includeEntriesOf(tree);
    for (const { path, on, finding } of findings)
      this.diagnostics.push(
        placed(finding, on === "key" ? this.places.keySpan(tree, path) : this.places.valueSpan(tree, path)),
      );
    for (const entry of entries) await this.include(name, tree, entry, chain);
  }

  private async include(name: string, tree: Tree, entry: IncludeEntry, chain: readonly string[]): Promise<void> {
    const { wanted, path } = entry;
    const target = await this.resolve(directoryOf(name), wanted.replaceAll("\\", "/"));
    if (target === undefined || /^(?:\.\.\/?)*$/.test(target)) {
      const isDirectory = target === "" ? true : undefined;
      this.report(
        tree,
        path,
        finding("include/outside", {
          path: wanted,
          file: this.options.file,
          ...defined({ is_directory: isDirectory }),
        }),
      );
      return;
    }
    const targets = isGlob(target) ? await this.expand(target, tree, entry) : [target];
    for (const each of targets) {
      if (chain.includes(each)) {
        // A pattern that also matches its own file means the others.
        if (isGlob(target) && each === name) continue;
        const links = [...chain.slice(chain.indexOf(each)), each];
        this.report(tree, path, finding("include/cycle", { file: this.shown(each), chain: links }));
        continue;
      }
      if (this.done.has(each)) continue;
      if (this.done.size >= MOST_FILES) {
        this.report(tree, path, finding("include/too-many", { counted: "files", most: MOST_FILES }));
        return;
      }
      const source = await this.read(each, { at: this.places.valueSpan(tree, path), optional: entry.optional });
      if (source === undefined) this.done.add(each);
      else await this.parse(each, source, [...chain, each]);
      if (this.isFull) return;
    }
  }

  private async expand(pattern: string, tree: Tree, { path, optional }: IncludeEntry): Promise<readonly string[]> {
    const { listFiles } = this.options;
    const { found, isWhole } =
      listFiles === undefined
        ? { found: [], isWhole: true }
        : await this.search(pattern, (directory) => listFiles(this.shown(directory) || "."));
    if (!isWhole)
      this.report(tree, path, finding("include/too-many", { counted: "entries", most: MOST_LISTED, pattern }));
    else if (found.length === 0 && !optional) this.report(tree, path, finding("include/no-match", { pattern }));
    return found;
  }

  private async search(
    pattern: string,
    list: (directory: string) => Promise<readonly string[]>,
  ): ReturnType<typeof expandGlob> {
    if (!pattern.startsWith("..")) return expandGlob(pattern, list);
    const place = await this.placeOf();
    const { found, isWhole } = await expandGlob(resolveBelow(place, pattern) ?? "", (directory) =>
      list(relativeTo(place, directory)),
    );
    return { found: found.map((path) => relativeTo(place, path)), isWhole };
  }

  private join(tree: Tree): void {
    const source = this.files[this.files.length - 1];
    if (source === undefined) return;
    if (!this.joined.has(this.root)) {
      this.joined.add(this.root);
      this.places.open(this.root, source);
    }
    for (const { key, value } of this.places.entries(tree)) {
      const name = String(key);
      if (name === "include") continue;
      if (!Object.hasOwn(this.root, name)) {
        setOwn(this.root, name, value);
        this.places.adopt(this.root, tree, name);
      } else this.joinSection(name, this.root[name], tree, value, source);
    }
  }

  private joinSection(name: string, before: unknown, tree: Tree, value: unknown, source: SourceText): void {
    // Equal values, such as `version: 1`, may be in every file.
    if (before === value) return;
    if (Array.isArray(before) && Array.isArray(value)) this.places.addAll(this.copyOf(name, before, source), value);
    else if (isTree(before) && isTree(value)) {
      const map = this.copyOf(name, before, source);
      this.places.addAll(map, value, (key) => this.twice(key, false, map, value));
    } else this.twice(name, true, this.root, tree);
  }

  /** The joined section, created when it is first needed; a file's own tree never changes. */
  private copyOf(name: string, before: unknown[] | Tree, source: SourceText): unknown[] | Tree {
    if (this.joined.has(before)) return before;
    const copy: unknown[] | Tree = Array.isArray(before) ? [] : {};
    this.places.open(copy, source);
    this.places.addAll(copy, before);
    this.joined.add(copy);
    setOwn(this.root, name, copy);
    return copy;
  }

  private twice(key: string, isSection: boolean, first: object, second: object): void {
    const note = this.places.keySpan(first, [key]);
    const at = this.places.keySpan(second, [key]);
    const notes = note === undefined ? [] : [{ at: note, note: "declared-here" } as const];
    this.diagnostics.push(error("include/declared-twice", { key: quote(key), is_section: isSection }, at, notes));
  }

  private report(tree: Tree, path: Path, finding: Finding): void {
    this.diagnostics.push(placed(finding, this.places.valueSpan(tree, path)));
  }
}

/** What is wrong with a document that is no map, or the file of another program. */
export function notAMap(source: SourceText, value: unknown, keys: readonly string[]): Diagnostic {
  const first = /^(?![ ]*(#|\r?$))(?!---).*\S/m.exec(source.text);
  const empty = value === undefined || value === null;
  const meant = typeof value === "string" ? didYouMean(value, keys) : undefined;
  const at = empty || first === null ? source.span(0, 0) : source.span(first.index, first.index + first[0].length);
  if (empty) return error("yaml/empty", { file: source.file }, at);
  const file_of = otherFile(value);
  return error("yaml/not-a-map", { is_list: Array.isArray(value), ...defined({ meant, file_of }) }, at);
}

/** In the order of the files, then of their lines; diagnostics without a place first. The same error at the same place counts once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[], files: readonly SourceText[]): Diagnostic[] {
  const order = new Map(files.map((source, at) => [source.file, at]));
  const rank = ({ at }: Diagnostic): readonly [number, number, number] =>
    at === undefined ? [-1, 0, 0] : [order.get(at.file) ?? files.length, at.line, at.column];
  const seen = new Set<string>();
  const first = new Map<string, Diagnostic>();
  return diagnostics
    .filter((diagnostic) => {
      const { code, fact, at } = diagnostic;
      const place = JSON.stringify([code, at]);
      const before = first.get(place);
      first.set(place, before ?? diagnostic);
      // Most places have only one error; the text of an error is compared only if there are two.
      if (before === undefined) return true;
      seen.add(JSON.stringify([place, before.fact]));
      const key = JSON.stringify([place, fact]);
      return !seen.has(key) && seen.add(key);
    })
    .map((diagnostic) => ({ diagnostic, rank: rank(diagnostic) }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])
    .map(({ diagnostic }) => diagnostic);
}

interface IncludeEntry {
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
function includeEntriesOf(tree: Tree): {
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

/** Reads one YAML 1.2 document. Values are exact whenever no diagnostic is an error. */
export async function parseYaml(source: SourceText, places: PlaceTable): Promise<Parsed> {
  const characters = checkCharacters(source);
  if (characters.some(({ code }) => code === "yaml/control-character" || code === "yaml/encoding"))
    return { value: undefined, diagnostics: characters };
  const plain = readPlain(source, places);
  if (plain !== undefined && hasPlainKeys(plain.value))
    return { value: plain.value, diagnostics: [...characters, ...plain.diagnostics] };
  // Most files never need the full parser, so it is loaded only when it is needed.
  const { parseFully, pieceParser } = await import("./yaml.ts");
  const { value, diagnostics } = plain ?? readPlain(source, places, pieceParser()) ?? parseFully(source, places);
  if (hasPlainKeys(value) && diagnostics.every(({ severity }) => severity !== "error"))
    return { value, diagnostics: [...characters, ...diagnostics] };
  const other = otherFormat(source);
  if (other !== undefined) return { value: undefined, diagnostics: [...characters, other] };
  return { value, diagnostics: [...characters, ...diagnostics] };
}

/** Whether it is a map with keys like those of a file: other ones can be lines with something in front of them (`+channels`). */
const hasPlainKeys = (value: unknown): boolean =>
  isTree(value) && Object.keys(value).every((key) => /^[\w.-]+$/.test(key));
