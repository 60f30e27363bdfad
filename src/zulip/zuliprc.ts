import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, error, type FactDiagnostic, type Span, warning } from "../model/diagnostic.ts";
import type { SiteCause } from "../model/diagnostics/credentials.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isLoopback } from "../model/loopback.ts";
import { didYouMean } from "../model/suggest.ts";
import { withoutTrailingSlashes } from "../model/texts.ts";

/** Keys of the section [api] that realmctl reads (zulip-api.md §13.2). */
const ZULIPRC_KEYS = ["email", "key", "site", "client_cert", "client_cert_key", "cert_bundle", "insecure"] as const;
export type ZuliprcKey = (typeof ZULIPRC_KEYS)[number];

interface ZuliprcValue {
  readonly value: string;
  readonly at: Span;
}
export type Zuliprc = { readonly [key in ZuliprcKey]?: ZuliprcValue };

/**
 * Reads the INI text of a zuliprc in the same way as the server's own Python client: `key = value` or `key: value`, whole-line comments with # or ;,
 * keys in any case. Other sections belong to other programs. Messages never quote a value: it may be the key.
 * @param wanted the section to read; several organizations have one each
 */
export function parseZuliprc(text: string, file: string, wanted = "api"): Checked<Zuliprc> {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const values: { [key in ZuliprcKey]?: ZuliprcValue } = {};
  const sections = new Map<string, Span>();
  let section: string | undefined;

  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .forEach((line, index) => {
      const bare = line.trim();
      if (bare === "" || bare.startsWith("#") || bare.startsWith(";")) return;
      const at = spanOf(file, index + 1, line, bare);
      const header = /^\[([^\]]*)\]$/.exec(bare);
      if (header) {
        section = header[1]?.trim() ?? "";
        const first = sections.get(section);
        if (first)
          diagnostics.push(
            secret(
              error("zuliprc/duplicate-section", { section: quote(section) }, at, [{ at: first, note: "first-here" }]),
            ),
          );
        else sections.set(section, at);
        return;
      }
      if (section === undefined) {
        diagnostics.push(secret(error("zuliprc/no-section", { is_before: true }, at)));
        // One such message is enough: every following line would get it too.
        section = wanted;
        sections.set(wanted, at);
        if (pairIn(bare) === undefined) return;
      }
      if (section !== wanted) return;
      const found = keyIn(bare, at, values);
      if ("severity" in found) (found.severity === "warning" ? warnings : diagnostics).push(found);
      else values[found.key] = { value: found.value, at };
    });

  const [first] = diagnostics;
  if (first?.code === "zuliprc/no-section" && sections.size === 1 && Object.keys(values).length === 0) {
    // Otherwise each line of another file would be an error of its own.
    const other = error("zuliprc/no-section", { is_before: true, is_other: true }, first.at);
    return { ok: false, diagnostics: [secret(other)] };
  }
  if (diagnostics.length === 0 && !sections.has(wanted))
    diagnostics.push(
      secret(error("zuliprc/no-section", { is_before: false, sites: namedSites(text, file) }, spanOf(file, 1, "", ""))),
    );
  return diagnostics.length > 0
    ? { ok: false, diagnostics: [...diagnostics, ...warnings] }
    : { ok: true, value: values, warnings };
}

/** The key of a line, and its value, or what is wrong with that line. @param values those of the lines above */
function keyIn(
  line: string,
  at: Span,
  values: Zuliprc,
): Diagnostic | { readonly key: ZuliprcKey; readonly value: string } {
  const pair = pairIn(line);
  if (pair === undefined) return secret(error("zuliprc/syntax", {}, at));
  const [written, value] = pair;
  const key = written.toLowerCase();
  if (!isKey(key)) {
    const meant = didYouMean(key, ZULIPRC_KEYS);
    // A line with key and value swapped would show the API key as a name.
    const shown = defined({ key: written.length < 20 ? quote(written) : undefined });
    return secret(warning("zuliprc/unknown-key", { known: ZULIPRC_KEYS, ...shown, ...defined({ meant }) }, at));
  }
  const first = values[key];
  if (first) return secret(error("zuliprc/duplicate-key", { key }, at, [{ at: first.at, note: "first-here" }]));
  if (value === "") return secret(error("zuliprc/empty", { key }, at));
  if (/^(["']).*\1$/.test(value)) return secret(error("zuliprc/quotes", { key }, at));
  return { key, value };
}

/** A section with its site, as both are written, and the site's place. */
interface SectionSite {
  readonly section: string;
  readonly site: string;
  readonly at: Span;
}

/** The sites of the sections of a zuliprc; a file of one organization has one, in `[api]`. */
export function sitesIn(text: string, file: string): readonly SectionSite[] {
  const sites: SectionSite[] = [];
  const seen = new Set<string>();
  let section: string | undefined;
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const bare = line.trim();
    section = /^\[([^\]]*)\]$/.exec(bare)?.[1]?.trim() ?? section;
    const [key, site] = pairIn(bare) ?? [];
    if (section === undefined || key?.toLowerCase() !== "site" || site === undefined || site === "") continue;
    if (seen.has(section)) continue;
    seen.add(section);
    sites.push({ section, site, at: spanOf(file, index + 1, line, bare) });
  }
  return sites;
}

/** The addresses that a message can show, those that select a section first. An invalid address may contain a password. */
function namedSites(text: string, file: string): readonly string[] {
  const sites = sitesIn(text, file)
    .map(({ site }) => normaliseSite(site))
    .flatMap((known) => ("site" in known ? [known.site] : []));
  const isShared = (site: string): number => Number(sites.indexOf(site) !== sites.lastIndexOf(site));
  return [...new Set(sites)].sort((one, other) => isShared(one) - isShared(other));
}

/** `key = value` or `key: value`, in a line without surrounding spaces. */
function pairIn(line: string): readonly [key: string, value: string] | undefined {
  const at = line.search(/[=:]/);
  return at < 1 ? undefined : [line.slice(0, at).trimEnd(), line.slice(at + 1).trimStart()];
}

function isKey(name: string): name is ZuliprcKey {
  const known: readonly string[] = ZULIPRC_KEYS;
  return known.includes(name);
}

/** Marks a diagnostic as unquotable, since the value at its place may be the key. */
const secret = <D extends FactDiagnostic>(diagnostic: D): D => ({ ...diagnostic, unquotable: true });

function spanOf(file: string, line: number, whole: string, part: string): Span {
  const column = whole.indexOf(part) + 1;
  return { file, line, column, endLine: line, endColumn: column + part.length };
}

/**
 * The base address of requests, without a slash at its end: `https://chat.example.org`. Without a scheme it is https, or http for this machine.
 * Addresses that people paste from a browser or from documentation are cut to the organization's address.
 */
export function normaliseSite(written: string): { readonly site: string } | SiteCause {
  const trimmed = written.trim();
  if (/^[^\s/:@]+@[^\s/:@]+$/.test(trimmed)) return { cause: "e-mail" };
  // A browser takes http:/host for http://host; the rest of this would take http for the host.
  if (/^https?(?::\/?|\/\/)(?!\/)/i.test(trimmed) && !isPort(trimmed)) return { cause: "no-address" };
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `${isLoopback(hostOf(`http://${trimmed}`)) ? "http" : "https"}://${trimmed}`;
  const url = parseUrl(withScheme);
  if (url === undefined && parseUrl(withScheme.replace(/:[^/:]+(?=\/|$)/, "")) !== undefined) return { cause: "port" };
  if (trimmed === "" || url === undefined || url.hostname === "") return { cause: "no-address" };
  if (url.protocol !== "https:" && url.protocol !== "http:") return { cause: "scheme", scheme: url.protocol };
  // Never shown: the part before the @ may be a password.
  if (url.username !== "" || url.password !== "") return { cause: "user-info" };
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return { cause: "plain-http", host: url.host };
  const path = withoutTrailingSlashes(url.pathname.replace(/\/(api(\/v\d+)?\/?)?$/, ""));
  return { site: `${url.protocol}//${url.host}${path}` };
}

/** `http:8080`, a host of that name. */
const isPort = (text: string): boolean => /^https?:\d+(?:\/|$)/i.test(text);

function hostOf(text: string): string {
  return parseUrl(text)?.hostname ?? "";
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const MASK = "********";

/** A text that is never shown by accident: not in templates, JSON, logs or error messages. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  /** Returns the text, for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return MASK;
  }
  toJSON(): string {
    return MASK;
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return MASK;
  }
}
