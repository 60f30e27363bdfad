import type { Checked, Diagnostic, Span } from "../model/diagnostic.ts";
import { suggestion } from "../model/suggest.ts";

/** Keys of the section [api] that realmctl reads (zulip-api.md §13.2). */
export const ZULIPRC_KEYS = [
  "email",
  "key",
  "site",
  "client_cert",
  "client_cert_key",
  "cert_bundle",
  "insecure",
] as const;
export type ZuliprcKey = (typeof ZULIPRC_KEYS)[number];

export interface ZuliprcValue {
  readonly value: string;
  readonly at: Span;
}
export type Zuliprc = { readonly [key in ZuliprcKey]?: ZuliprcValue };

/**
 * Reads the INI text of a zuliprc as the server's own Python client does: `key = value` or `key: value`, whole-line comments
 * with # or ;, keys in any case. Other sections are somebody else's. Messages never quote a value: it may be the key.
 */
export function parseZuliprc(text: string, file: string): Checked<Zuliprc> {
  const problems: Diagnostic[] = [];
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
          problems.push(
            problem(
              "zuliprc/duplicate-section",
              `section [${section}] occurs twice`,
              at,
              "put everything into the first one",
              first,
            ),
          );
        else sections.set(section, at);
        return;
      }
      if (section === undefined) {
        problems.push(
          problem(
            "zuliprc/no-section",
            "this line stands before the section [api]",
            at,
            "the first line of a zuliprc is [api]",
          ),
        );
        // One such message is enough: everything that follows would get it too.
        section = "api";
        sections.set("api", at);
      }
      if (section !== "api") return;
      const pair = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(bare);
      if (!pair) {
        problems.push(problem("zuliprc/syntax", "this line is neither a [section] nor key=value", at));
        return;
      }
      const [, written = "", value = ""] = pair;
      const name = written.toLowerCase();
      if (!isKey(name)) {
        warnings.push({
          code: "zuliprc/unknown-key",
          severity: "warning",
          // A line turned round would show the API key as a name.
          message: written.length < 20 ? `"${written}" means nothing here` : "this line means nothing here",
          hint: suggestion(name, ZULIPRC_KEYS) ?? `known: ${ZULIPRC_KEYS.join(", ")}`,
          at,
          unquotable: true,
        });
        return;
      }
      const first = values[name];
      if (first)
        problems.push(problem("zuliprc/duplicate-key", `${name} is given twice`, at, "keep one of them", first.at));
      else if (value === "") problems.push(problem("zuliprc/empty", `${name} is empty`, at));
      else if (/^(["']).*\1$/.test(value))
        problems.push(
          problem(
            "zuliprc/quotes",
            `the quotes around ${name} would be part of its value`,
            at,
            "write it without quotes",
          ),
        );
      else values[name] = { value, at };
    });

  if (problems.length === 0 && !sections.has("api"))
    problems.push(
      problem(
        "zuliprc/no-section",
        "there is no section [api]",
        spanOf(file, 1, "", ""),
        "download the file anew from your Zulip settings (Account & privacy → API key)",
      ),
    );
  return problems.length > 0
    ? { ok: false, diagnostics: [...problems, ...warnings] }
    : { ok: true, value: values, warnings };
}

function isKey(name: string): name is ZuliprcKey {
  const known: readonly string[] = ZULIPRC_KEYS;
  return known.includes(name);
}

function problem(code: Diagnostic["code"], message: string, at: Span, hint?: string, first?: Span): Diagnostic {
  return {
    code,
    severity: "error",
    message,
    at,
    unquotable: true,
    ...(hint === undefined ? {} : { hint }),
    ...(first === undefined ? {} : { notes: [{ at: first, message: "first here" }] }),
  };
}

function spanOf(file: string, line: number, whole: string, part: string): Span {
  const column = whole.indexOf(part) + 1;
  return { file, line, column, endLine: line, endColumn: column + part.length };
}
