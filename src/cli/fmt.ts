import type { Command } from "commander";
import { HEADER_KEYS } from "../config/header.ts";
import { kinds } from "../kinds/registry.ts";
import { clean } from "../model/clean.ts";
import { type Diagnostic, EXIT, error } from "../model/diagnostic.ts";
import { layoutSummary } from "../report/commands/files.ts";
import { formatYaml } from "../source/format.ts";
import { loadDocument, notAMap, parseYaml } from "../source/load.ts";
import { otherFile } from "../source/other-file.ts";
import { checkCharacters, SourceText } from "../source/text.ts";
import { isTree, PlaceTable } from "../source/tree.ts";
import { Context } from "./context.ts";
import { OUTPUT } from "./flags.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { refuseMissing } from "./organizations/run.ts";
import { editFiles, ownFormat } from "./write-files.ts";

const FMT = [...OUTPUT, option("--check", "write nothing; exit with 1 and name the files that have another layout")];

export function fmtCommand(io: Io): Command {
  return commandOf("fmt", FMT)
    .description("Format files. Keeps their meaning and their comments. Needs no server.")
    .argument("[files...]", "the files to format (default: realm.yaml and all it includes); - for the standard input")
    .action(async (named: readonly string[], flags: FlagsOf<typeof FMT>) => {
      const context = new Context(io, flags);
      const diagnostics: Diagnostic[] = [];
      if (named.length === 0) await refuseMissing(io, "realm.yaml", true);
      const files = named.length === 0 ? await withIncluded(context, diagnostics) : named;
      const changed = new Map<string, string>();
      for (const file of files) {
        const text = await context.input(file, "file", "configuration");
        const own = ownFormat(text);
        if (own !== undefined) {
          // It is JSON, and so YAML; in another layout it would no longer be recognised.
          diagnostics.push(error("fmt/not-safe", { file, cause: "other-file", what: own }));
          continue;
        }
        const other = await otherDocument(file, text);
        if (other !== undefined) {
          diagnostics.push(other);
          continue;
        }
        // A file that cannot be decoded as text would be damaged.
        const unreadable = checkCharacters(new SourceText(file, text.replace(/^\ufeff/, ""))).filter(isError);
        const formatted = unreadable.length > 0 ? undefined : formatYaml(text);
        if (unreadable.length > 0) diagnostics.push(...unreadable);
        else if (formatted === undefined) diagnostics.push(...(await reasons(file, text)));
        else {
          if (file === STANDARD_INPUT && flags.check !== true) io.out.write(formatted);
          else if (formatted !== text) changed.set(file, formatted);
        }
      }
      if (flags.check !== true) await editFiles(io, changed);
      for (const file of changed.keys()) io.out.write(`${clean(file)}\n`);
      await context.show(diagnostics, "not-said");
      if (diagnostics.length === 0) io.err.write(layoutSummary(files.length, changed.size, flags.check === true));
      io.setExitCode(diagnostics.length > 0 || (flags.check === true && changed.size > 0) ? EXIT.errors : EXIT.done);
    });
}

/** A file and what it includes. Errors in the includes themselves are reported; of the rest, only those that prevent the layout. */
async function withIncluded(context: Context, diagnostics: Diagnostic[]): Promise<readonly string[]> {
  const files = new Set([context.file]);
  const options = context.files();
  const loaded = await loadDocument({
    ...options,
    readFile: async (path) => {
      const text = await options.readFile(path);
      files.add(path);
      return text;
    },
  });
  const found = loaded.ok ? loaded.warnings : loaded.diagnostics;
  diagnostics.push(...found.filter(({ code, severity }) => code.startsWith("include/") && severity === "error"));
  return [...files];
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/**
 * Why a text that can be read is no file of a configuration. Any prose is one string to YAML, which the layout would write on one line: such a file
 * must stay as it is.
 */
async function otherDocument(file: string, text: string): Promise<Diagnostic | undefined> {
  const source = new SourceText(file, text.replace(/^\ufeff/, ""));
  const { value, diagnostics } = await parseYaml(source, new PlaceTable());
  if (value === undefined || value === null || diagnostics.some(isError)) return undefined;
  if (!isTree(value) || otherFile(value) !== undefined) return notAMap(source, value, KEYS);
  const isOurs = Object.keys(value).some((key) => KEYS.includes(key));
  return isOurs ? undefined : error("fmt/not-safe", { file, cause: "no-section" });
}

/** Of the main file and what it includes, of policies and of rules. */
const KEYS: readonly string[] = [...HEADER_KEYS, ...kinds.map(({ section }) => section), "tests"];

/** Why a file cannot be formatted: its errors, or what the layout would lose. */
async function reasons(file: string, text: string): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await parseYaml(new SourceText(file, text), new PlaceTable());
  const errors = diagnostics.filter(isError);
  if (errors.length > 0) return errors;
  return [error("fmt/not-safe", { file, cause: "loses" })];
}
