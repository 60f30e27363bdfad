import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, error, isFatal, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { once } from "../model/lazy.ts";
import type { Realm } from "../model/realm.ts";
import { type LoadOptions, loadDocument, type SourceDocument } from "../source/load.ts";
import { readDefaults } from "./defaults.ts";
import { readHeader } from "./header.ts";
import type { SectionsInput } from "./items.ts";
import { readNamedFiles } from "./named-files.ts";
import { checkCommentedValues, checkPlaceholders } from "./placeholders.ts";
import { readPolicy } from "./policy.ts";
import { readProfiles } from "./profiles.ts";
import { Report } from "./report.ts";
import { readSections } from "./sections.ts";
import { withSections } from "./unknown-keys.ts";
import { fillVariables } from "./variables.ts";

interface ReadConfigOptions extends LoadOptions {
  readonly kinds: readonly ResourceKind[];
  /** Names are looked up in it; without a realm only in the file itself. */
  readonly realm?: Realm | undefined;
}

/** A file that was read and parsed, and can be decoded against one realm after another. */
export interface OpenedConfig {
  /** @param realm names are looked up in it; without a realm only in the file itself */
  decode(realm?: Realm): Checked<Desired>;
  /** Every file that was read; none if one of them cannot be read as YAML. */
  readonly texts: readonly string[];
}

/**
 * The file (and what it includes) as desired objects, or every error in it at once, in file order. Pure except for the two functions that read files.
 */
export async function readConfig(options: ReadConfigOptions): Promise<Checked<Desired>> {
  return (await openConfig(options)).decode(options.realm);
}

/** The first half of {@link readConfig}, for callers that decode more than once: parsing takes most of the time. */
export async function openConfig(options: LoadOptions & Pick<ReadConfigOptions, "kinds">): Promise<OpenedConfig> {
  const { kinds } = options;
  const loaded = await loadDocument(options, ["version", ...kinds.map(({ section }) => section)]);
  if (loaded.ok) return opened(loaded.value, loaded.warnings, options);
  if (loaded.document === undefined) return { decode: () => loaded, texts: [] };
  if (loaded.isPartial !== true) return opened(loaded.document, loaded.diagnostics, options);
  return { decode: await partOf(loaded.document, loaded.diagnostics, options), texts: [] };
}

/** Errors in the form of an entry, which no other part of the files can mend. */
const OF_FORM = /^(?:field\/|config\/(?!version|exact-without-section)|policy\/|defaults\/)/;

/** The errors of what could be read of a document whose rest is missing: those that the rest cannot change. */
async function partOf(
  document: SourceDocument,
  found: readonly Diagnostic[],
  options: LoadOptions & Pick<ReadConfigOptions, "kinds">,
): Promise<OpenedConfig["decode"]> {
  const decoded = (await opened(document, found, options)).decode();
  const known = new Set(found);
  const diagnostics = (decoded.ok ? decoded.warnings : decoded.diagnostics).filter(
    (one) => known.has(one) || (OF_FORM.test(one.code) && one.severity === "error"),
  );
  return () => ({ ok: false, diagnostics });
}

/** Searching every text of a large file takes as long as parsing it; most files have none of these, so the check itself is loaded when it is needed. */
const mayHavePlaceholder = (text: string): boolean =>
  /\{[{%]|<[%A-Za-z]|%[A-Z]|\$[(\w]|ME\b|TODO|FIXME|TBD|[_-]here\b/.test(text);

/** A comment in the place of a value, or a right with nothing behind its colon. */
const mayHaveEmptyField = (text: string): boolean =>
  /:[ \t]+#[^\s#]|_group["']?[ \t]*:[ \t]*(?:[#,}\r\n]|$)/.test(text);

async function opened(
  document: SourceDocument,
  found: readonly Diagnostic[],
  options: LoadOptions & Pick<ReadConfigOptions, "kinds">,
): Promise<OpenedConfig> {
  const { kinds } = options;
  const report = new Report(document, found);
  for (const { at, severity } of found) if (at !== undefined && severity === "error") report.silence(at);
  if (document.files.some(({ text }) => mayHavePlaceholder(text))) checkPlaceholders(document, report);
  await fillVariables(document, report, options);
  const files = await readNamedFiles(document, kinds, options, report);
  const decode = (realm?: Realm): Checked<Desired> => {
    const alone = once((): readonly Diagnostic[] => {
      const decoded = decode();
      return decoded.ok ? [] : decoded.diagnostics.filter(isFatal);
    });
    return decodeDocument({ document, report: report.copy(), kinds, files, realm, alone });
  };
  return {
    decode,
    texts: document.files.map(({ text }) => text),
  };
}

interface DecodeInput extends Omit<SectionsInput, "profiles" | "defaults"> {
  /** The errors of the file without a server. */
  readonly alone: () => readonly Diagnostic[];
}

function decodeDocument({ document, report, kinds, files, realm, alone }: DecodeInput): Checked<Desired> {
  const header = readHeader(document, kinds, report);
  const policy = readPolicy(document, kinds, report);
  const profiles = readProfiles(document, report);
  const defaults = readDefaults(document, kinds, report);
  const read = header.meant.size === 0 ? document : withSections(document, header.meant);
  const sections = readSections({ document: read, kinds, files, realm, profiles, defaults, report });
  profiles.reportUnused();
  if (document.files.some(({ text }) => mayHaveEmptyField(text))) checkCommentedValues(document, kinds, report);

  checkLists(report);

  const diagnostics = withoutEchoes(report.sorted());
  if (diagnostics.some(isFatal)) return { ok: false, diagnostics };
  const manage = Object.fromEntries(
    [...sections.keys()].map((section) => [section, header.manage[section] ?? "additive"]),
  );
  const desired: Desired = {
    ...defined({ realm: header.realm, policy }),
    manage,
    manageAt: header.manageAt,
    unset: header.unset,
    except: header.except,
    sections,
    warnings: diagnostics,
    ...defined({ errorsAlone: realm === undefined ? undefined : alone }),
  };
  return { ok: true, value: desired, warnings: diagnostics };
}

/**
 * Without the placeholders in values whose form is wrong, which is told: `https://example.org/{{id}}`. Of a name that does not resolve, it is the cause.
 * If another program should have written all of the value, that is told, and not that `{{ owner }}` is no address.
 */
function withoutEchoes(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!diagnostics.some(({ code }) => code === "config/placeholder")) return diagnostics;
  const dropped = new Set<Diagnostic>();
  const kept = diagnostics.map((one) => {
    if (one.code !== "config/placeholder" || one.at === undefined) return one;
    const { at } = one;
    const around = diagnostics.filter((other) => other.severity === "error" && isWithin(at, other.at));
    const same = around.filter((other) => one.fact.is_template && isWithin(other.at, withQuotes(at)));
    if (same.length > 0) {
      for (const other of same) dropped.add(other);
      return error(one.code, { ...one.fact, is_refused: true }, at, one.notes);
    }
    if (around.some(({ code }) => !/unknown/.test(code))) dropped.add(one);
    return one;
  });
  return kept.filter((one) => !dropped.has(one));
}

const isWithin = (inner: Span | undefined, outer: Span | undefined): boolean =>
  inner !== undefined &&
  outer?.file === inner.file &&
  outer.line === inner.line &&
  outer.column <= inner.column &&
  outer.endColumn >= inner.endColumn;

const withQuotes = (at: Span): Span => ({ ...at, column: at.column - 1, endColumn: at.endColumn + 1 });

/**
 * Warns of a name that is twice in a list: a line was copied, and its name was not changed. Where the server refuses that, it is an error, which was
 * reported.
 */
function checkLists(report: Report): void {
  const { root, places } = report.document;
  for (const list of places.containers(root)) {
    if (!Array.isArray(list)) continue;
    const first = new Map<string, number>();
    for (const [index, entry] of list.entries()) {
      if (typeof entry !== "string") continue;
      // The server takes addresses that differ in capital letters for one.
      const key = entry.includes("@") ? entry.trim().toLowerCase() : entry;
      const before = first.get(key);
      if (before === undefined) {
        first.set(key, index);
        continue;
      }
      const at = places.valueSpan(list, [index]);
      if (at === undefined || report.isToldAt(at)) continue;
      const note = places.valueSpan(list, [before]);
      const fact = { noun: "entry", name: quote(entry), other: quote(entry), in_list: true } as const;
      const notes = note === undefined ? [] : [{ at: note, note: "first-here" as const }];
      report.add("config/declared-twice", fact, at, { severity: "warning", notes });
    }
  }
}
