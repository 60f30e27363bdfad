import { Command, CommanderError } from "commander";
import { EXIT_CODES } from "../explain/exit-codes.ts";
import { Failure } from "../model/diagnostic.ts";
import { advisedBy } from "./command-words.ts";
import { COMMANDS } from "./commands.ts";
import { Context, EXIT_BUG, reportBug, showFailure } from "./context.ts";
import { CONNECTION, CONNECTION_GROUP, outsideOf, withGlobalFlags } from "./flags.ts";
import { type Io, type ProcessIo, runIo } from "./io.ts";
import { type CommandEntry, checkValues, commandOf } from "./options.ts";
import { refuseStrayWords } from "./stray-words.ts";

/** Runs one command line to its end; it always sets the exit code and never throws. */
export async function run(process: ProcessIo, commands: readonly CommandEntry[] = COMMANDS): Promise<void> {
  const log = runnerLog(process.env);
  const io = runIo(process, log.written);
  const argv = argvOf(io.argv, commands);
  let program: Command | undefined;
  try {
    program = await build(io, commands);
    program.hook("preAction", (_, asked) => {
      log.runs(asked);
      io.invocation.advised = advisedBy(asked);
      io.invocation.outside = outsideOf(asked.opts(), io.env);
      return refuseStrayWords(io, asked, argv, commands);
    });
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    const command = program?.commands.find((one) => one.name() === argv[0]);
    const isUnknown = error instanceof CommanderError && error.code === "commander.unknownOption";
    const asTyped = {
      words: io.argv,
      commands: commands.map(({ name }) => name),
      known: (command ?? program)?.options.flatMap(({ long }) => long ?? []) ?? [],
      options: isUnknown ? await optionsOf(io, commands) : new Map<string, readonly string[]>(),
    };
    const failure =
      error instanceof CommanderError ? (await import("./misuse.ts")).misuseOf(error, command, argv, asTyped) : error;
    if (failure instanceof Failure) {
      // Whoever runs a command that talks to no server does not expect that it sends something.
      if (command !== undefined && !talks(command)) failure.ending ??= "not-said";
      await showFailure(new Context(io, command?.opts() ?? {}), failure);
    } else if (error instanceof CommanderError) io.setExitCode(error.exitCode === 0 ? 0 : 1);
    else {
      reportBug(io, error);
      io.setExitCode(EXIT_BUG);
    }
  }
}

/** Whether the command can send something to a server; with `--live`, only if that is given. */
function talks(command: Command): boolean {
  const has = (name: string): boolean => command.options.some(({ long }) => long === name);
  const given = command.opts();
  return (
    has("--site") &&
    (!has("--live") || ["live", "site", "email", "key", "zuliprc"].some((name) => given[name] !== undefined))
  );
}

/** The long options of every command. They are loaded only to say whose an unknown one is. */
async function optionsOf(io: Io, commands: readonly CommandEntry[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const made = commands.map(async ({ name, load }) => {
    const command = (await load())(io, async () => {}, commands);
    return [name, command.options.flatMap(({ long }) => long ?? [])] as const;
  });
  return new Map(await Promise.all(made));
}

function exitCodesText(): string {
  const lines = EXIT_CODES.map(({ code, means }) => `  ${String(code).padEnd(4)}${means.replaceAll("`", "")}`);
  return `Exit codes:\n${lines.join("\n")}`;
}

/** Only the requested command is loaded; the help has one line for each of the others. */
async function build(io: Io, commands: readonly CommandEntry[]): Promise<Command> {
  const argv = argvOf(io.argv, commands);
  const program = withGlobalFlags(
    new Command("realmctl").description("Configuration as code for Zulip organizations."),
  );
  for (const entry of commands) {
    const command =
      argv[0] === entry.name
        ? (await entry.load())(
            io,
            (other) =>
              run(
                other,
                commands.filter(({ name }) => name !== entry.name),
              ),
            commands,
          ).summary(entry.summary)
        : new Command(entry.name).summary(entry.summary);
    configure(command, io);
    if (argv[0] === entry.name) checkValues(command, argv);
    program.addCommand(command);
  }
  configure(program, io);
  program.addHelpText("after", "\nOptions can come after the command or before it: realmctl --no-color plan");
  program.addHelpText("after", () => `\n${exitCodesText()}`);
  // Without a command the help is shown; it is an error nevertheless, so that a script notices.
  if (argv.length === 0) program.action(() => program.help({ error: true }));
  return program;
}

/** Prevents commander from writing to the process and ending it. */
function configure(command: Command, io: Io): void {
  const context = new Context(io, {});
  command.exitOverride();
  command.showSuggestionAfterError(false);
  command.configureHelp({
    // The command's own options come before those for the server.
    groupItems(_, visible, groupOf) {
      const own = visible.filter((item) => groupOf(item) !== CONNECTION_GROUP);
      const names = [...new Set([...own, ...visible].map(groupOf))];
      return new Map(names.map((name) => [name, visible.filter((item) => groupOf(item) === name)]));
    },
  });
  command.configureOutput({
    writeOut: (text) => io.out.write(text),
    writeErr: (text) => io.err.write(text),
    // Errors in a command line are shown like all other errors (misuseOf).
    outputError: () => {},
    getOutHelpWidth: () => io.out.columns ?? 100,
    getErrHelpWidth: () => io.err.columns ?? 100,
    getOutHasColors: () => context.style.colour,
    getErrHasColors: () => context.errStyle.colour,
  });
  for (const child of command.commands) configure(child, io);
}

/**
 * The command first, so that its own file is loaded: `help plan` is `plan --help`, and options before the command belong to it.
 */
function argvOf(argv: readonly string[], commands: readonly CommandEntry[]): readonly string[] {
  const helpAt = argv.indexOf("help");
  // `--no-color help plann`: options alone come before it.
  if (helpAt > 0 && argv.slice(0, helpAt).every((word) => word.startsWith("-")))
    return argvOf(argv.slice(helpAt), commands);
  const [first = "", second] = argv;
  const isCommand = (word: string | undefined): boolean => commands.some((entry) => entry.name === word);
  if (first === "help" && isCommand(second)) return [second ?? "", "--help"];
  // Commander would show the whole help; as an unknown command, it gets a suggestion.
  if (first === "help" && second !== undefined && !second.startsWith("-")) return [second];
  // For an unknown word, --help would show the help of the whole program.
  if (first !== "" && !first.startsWith("-") && !isCommand(first) && first !== "help") return [first];
  if (!first.startsWith("-")) return argv;
  const takesValue = new Set(
    commandOf("", CONNECTION).options.flatMap(({ required, long }) => (required && long ? [long] : [])),
  );
  // The value of an option may be called like a command: --zuliprc plan
  const at = argv.findIndex((word, index) => isCommand(word) && !takesValue.has(argv[index - 1] ?? ""));
  const command = argv[at];
  if (command !== undefined) return [command, ...argv.slice(0, at), ...argv.slice(at + 1)];
  return argv.filter((word) => word !== "--no-color");
}

/** Commands whose standard output is a document, even without `--format`: output for a program or a file is not changed. */
const DOCUMENTS: ReadonlySet<string> = new Set(["export", "snapshot", "api", "fmt", "completion"]);

/**
 * What is written, if a job's runner searches its log for commands. GitHub's runner executes a line that begins with `::`, and `##[` anywhere in a line;
 * those of Forgejo and Gitea do so too. Names and texts of an organization can contain anything, and long lines are broken.
 */
interface RunnerLog {
  written(text: string, to: "out" | "err"): string;
  /** Tells the log which command runs, since only text output is changed. */
  runs(command: Command): void;
}

function runnerLog({ GITHUB_ACTIONS }: ProcessIo["env"]): RunnerLog {
  // All of these runners set this variable.
  const isSearched = GITHUB_ACTIONS === "true";
  let isDocument = false;
  return {
    written: (text, to) => (isSearched && (to === "err" || !isDocument) ? withoutCommands(text) : text),
    runs(command) {
      const { format = "text" }: { readonly format?: unknown } = command.opts();
      isDocument = format !== "text" || DOCUMENTS.has(command.name());
    },
  };
}

/** Text in which no runner finds a command, and which people read in the same way. */
export function withoutCommands(text: string): string {
  if (!text.includes("::") && !text.includes("##[")) return text;
  return text.replaceAll(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll("##[", "# #[");
}
