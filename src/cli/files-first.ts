import { type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import { configurationFiles } from "./configuration-files.ts";
import type { Io } from "./io.ts";

/**
 * Runs work that needs credentials. If only they are wrong, the errors of the file are reported too, and first: they need no server, and the author
 * of the file can correct them at once.
 */
export async function filesFirst<T>(io: Io, file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !thrown.diagnostics.every(isOfCredentials)) throw thrown;
    // The kinds are loaded only here, since nothing else needs them before the server answers.
    const { kinds } = await import("../kinds/registry.ts");
    const { readWhole } = await import("../workflow/guards.ts");
    const read = await readWhole({ ...configurationFiles(io, file), kinds });
    const [first, ...others] = read.ok ? [] : read.diagnostics;
    if (first === undefined) throw thrown;
    throw new Failure(EXIT.errors, first, ...others, ...thrown.diagnostics);
  }
}

const isOfCredentials = ({ code, severity }: Diagnostic): boolean =>
  severity === "warning" || /^(?:credentials|zuliprc)\//.test(code);
