import { dirname } from "node:path";
import type { ZulipReader } from "../model/api.ts";
import { defined, whenDefined } from "../model/defined.ts";
import {
  type Checked,
  type Diagnostic,
  type Ending,
  EXIT,
  type ExitCode,
  Failure,
  failure,
  failWithAll,
} from "../model/diagnostic.ts";
import type { InputFile } from "../model/diagnostics/command-files.ts";
import { isAboutTheAccount, isNotRead } from "../model/plan.ts";
import { isMissing, unreadable } from "../model/unreadable.ts";
import { bugText } from "../report/commands/process.ts";
import { type Style, styleOf } from "../report/style.ts";
import { VERSION } from "../version.ts";
import { configurationFiles } from "./configuration-files.ts";
import type { Session, SessionOptions } from "./connect.ts";
import type { ConnectionFlags } from "./flags.ts";
import { type Io, type Output, STANDARD_INPUT } from "./io.ts";

type ContextFlags = ConnectionFlags & { readonly snapshot?: string };

/** What a command works with: the process, its options and its file; and how it reads, connects and prints with them. */
export class Context<F extends ContextFlags = ContextFlags> {
  readonly io: Io;
  readonly flags: F;
  /** The file of the organization, as the command line names it. */
  readonly file: string;

  constructor(io: Io, flags: F, file = "realm.yaml") {
    this.io = io;
    this.flags = flags;
    this.file = file;
  }

  /** The style of the standard output. */
  get style(): Style {
    return this.styleOf(this.io.out);
  }

  /** The style of stderr. */
  get errStyle(): Style {
    return this.styleOf(this.io.err);
  }

  styleOf({ isTTY, columns }: Output): Style {
    const { env, invocation } = this.io;
    const style = { ...styleOf({ env, isTTY, columns }), advised: invocation.advised };
    return this.flags.color === false ? { ...style, colour: false } : style;
  }

  /**
   * Errors and warnings as text on stderr, with the lines of the files that they are about.
   * @param ending the text of the last line if there are errors; default: nothing was sent
   */
  async show(diagnostics: readonly Diagnostic[], ending?: Ending): Promise<void> {
    const { endingText, filesOf, renderDiagnostics } = await import("../report/diagnostics.ts");
    const sources = new Map<string, string>();
    // Only lines of files that this run read as configuration are quoted, since a saved plan or a journal may name any file of the machine.
    for (const file of filesOf(diagnostics)) {
      const text = this.io.quotable(file);
      if (text !== undefined) sources.set(file, text);
    }
    const options = defined({ ending: whenDefined(ending, endingText) });
    this.io.err.write(renderDiagnostics({ diagnostics, sources, style: this.errStyle, ...options }));
  }

  /** What was left out, whatever the format is: sections that the snapshot does not hold, and what needs a name that does not resolve. */
  async showLeftOut(warnings: readonly Diagnostic[]): Promise<void> {
    const unread = warnings.filter((one) => isNotRead(one) || one.unresolved !== undefined);
    if (unread.length > 0) await this.show(unread);
  }

  /** How the file of the organization is read, or another file: {@link configurationFiles}. */
  files(file = this.file, policy?: string): ReturnType<typeof configurationFiles> {
    return configurationFiles(this.io, file, policy);
  }

  /**
   * Reads a file that the command line names.
   * @param what the expected content
   * @param newestOf the newest file of its kind here, to name it if this one is missing; `null` if there is none
   * @throws Failure if it cannot be read
   */
  async input(
    file: string,
    what: InputFile,
    use: "input" | "configuration" = "input",
    newestOf?: () => Promise<string | null>,
  ): Promise<string> {
    const root = file === STANDARD_INPUT ? undefined : dirname(file);
    try {
      return await this.io.readFile(file, defined({ below: root }), use);
    } catch (thrown) {
      const newest = isMissing(thrown) ? await newestOf?.() : undefined;
      const fact = { file, what, why: unreadable(thrown), ...defined({ newest }) };
      throw failure("input/unreadable", fact);
    }
  }

  /** Reads a file that `realmctl snapshot` wrote, instead of the server. */
  snapshotIn(file: string): ZulipReader {
    return {
      snapshot: async () => {
        const { readSnapshotFile } = await import("../zulip/snapshot.ts");
        return valueOrFailure(readSnapshotFile(await this.input(file, "snapshot"), file));
      },
    };
  }

  /** Calls a function with the reader of the organization: the snapshot that `--snapshot` names, or the server. */
  reading<T>(work: (reader: ZulipReader) => Promise<T>): Promise<T> {
    const { snapshot } = this.flags;
    return snapshot === undefined ? this.session(({ reader }) => work(reader)) : work(this.snapshotIn(snapshot));
  }

  /** Runs work with a session that is always closed. */
  async session<T>(work: (session: Session) => Promise<T>, options?: SessionOptions): Promise<T> {
    const { closingAfter } = await import("./connect.ts");
    const { value, closed } = await closingAfter(this, work, options);
    await closed;
    return value;
  }

  /**
   * Runs work that needs credentials. If only they are wrong, the errors of the file are reported too, and first: they need no server, and the author
   * of the file can correct them at once.
   */
  async filesFirst<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !thrown.diagnostics.every(isOfCredentials)) throw thrown;
      // The kinds are loaded only here, since nothing else needs them before the server answers.
      const { kinds } = await import("../kinds/registry.ts");
      const { readWhole } = await import("../workflow/guards.ts");
      const read = await readWhole({ ...this.files(), kinds });
      if (read.ok) throw thrown;
      failWithAll(EXIT.errors, [...read.diagnostics, ...thrown.diagnostics]);
    }
  }
}

const isOfCredentials = ({ code, severity }: Diagnostic): boolean =>
  severity === "warning" || /^(?:credentials|zuliprc)\//.test(code);

/** Exit code for a bug in realmctl itself (EX_SOFTWARE): never for anything the user, the file or the server did. */
export const EXIT_BUG = 70;

/** Shows on stderr what stopped a command; also as JSON for a program that asked for it. */
export async function showFailure(context: Context, { diagnostics, ending, exitCode }: Failure): Promise<void> {
  const { io } = context;
  await context.show(diagnostics, ending);
  if (wantsFormat(io.argv, "jsonl")) {
    const { applyEvents } = await import("../report/apply-events.ts");
    io.out.write(applyEvents(() => io.now()).refused(diagnostics, exitCode));
  } else if (wantsFormat(io.argv, "json")) {
    const { diagnosticsIn } = await import("./diagnostics-output.ts");
    io.out.write(await diagnosticsIn("json", diagnostics, exitCode));
  }
  io.setExitCode(exitCode);
}

/** Whether the command line asks for this format. A program that asks for JSON always gets JSON; people still see the reason on stderr. */
function wantsFormat(argv: readonly string[], format: "json" | "jsonl"): boolean {
  return argv.includes(`--format=${format}`) || argv[argv.indexOf("--format") + 1] === format;
}

export function reportBug(io: Io, error: unknown): void {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  io.err.write(bugText(VERSION, what));
  if (io.env.REALMCTL_DEBUG && error instanceof Error && error.stack) io.err.write(`${error.stack}\n`);
}

/**
 * The value, for a command that can only show the errors.
 * @throws Failure with every diagnostic
 */
export function valueOrFailure<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  failWithAll(exitCodeOf(checked.diagnostics), checked.diagnostics);
}

/** The exit code of a command whose file, or account, has these errors. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): ExitCode {
  if (diagnostics.every(({ severity }) => severity === "warning")) return EXIT.done;
  return onlyRoleIsMissing(diagnostics) ? EXIT.notAllowed : EXIT.errors;
}

/** Whether the only errors are about the account, so that another account could apply the file. */
function onlyRoleIsMissing(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ code, severity }) => severity === "warning" || isAboutTheAccount({ code }));
}
