import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Command, Option } from "commander";
import { COMMANDS } from "../src/cli/commands.ts";
import { CONNECTION_GROUP } from "../src/cli/flags.ts";
import { runIo } from "../src/cli/io.ts";
import { processIo } from "../src/cli/process-io.ts";
import { EXIT_CODES } from "../src/explain/exit-codes.ts";

/** The man page, from the help of the commands, the table of environment variables and the table of exit codes: nothing in it is written twice. */
export async function manPage(root: string): Promise<string> {
  const io = runIo(processIo());
  const commands: Command[] = [];
  for (const { load, summary } of COMMANDS)
    commands.push((await load())(io, () => Promise.resolve(), COMMANDS).summary(summary));
  const connection = new Map(commands.flatMap((command) => ofConnection(command).map((each) => [each.flags, each])));
  return `${[
    '.\\" Made by npm run generate from the commands. Change these, not this file.',
    '.TH REALMCTL 1 "" "realmctl" "User Commands"',
    ".SH NAME",
    "realmctl \\- configuration as code for Zulip organizations",
    ".SH SYNOPSIS",
    ".B realmctl",
    ".I command",
    "[\\fIfile\\fR ...] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    "A file says what a Zulip organization should be: channels, groups, permissions, settings and more.",
    "\\fBrealmctl\\fR shows what would change, changes it, and says later what no longer is as the file says.",
    ".SH A MINIMAL FILE",
    "This is \\fIrealm.yaml\\fR:",
    ".PP",
    ".nf",
    ...minimalFile(root).map(prose),
    ".fi",
    ".PP",
    "\\fBrealmctl validate\\fR checks it without a server, \\fBrealmctl plan\\fR shows what would change, \\fBrealmctl apply\\fR changes it,",
    "and \\fBrealmctl drift\\fR says later what no longer matches. \\fBrealmctl init\\fR writes the file of an existing organization.",
    ".SH COMMANDS",
    ...commands.flatMap((command) => commandPart(command, command.name(), ".SS")),
    ".SH CONNECTION OPTIONS",
    "Of every command that talks to a server.",
    ...[...connection.values()].flatMap(optionPart),
    ".SH ENVIRONMENT",
    "A flag wins over a variable, a variable over the zuliprc.",
    ...environment(root),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(({ code, means }) => [".TP", `.B ${code}`, prose(means)]),
    ".SH FILES",
    ".TP",
    ".I realm.yaml",
    "The organization, where no other file is named.",
    ".TP",
    ".I .realmctl/",
    "Journals of applies.",
    ".TP",
    ".I ~/.zuliprc",
    "Credentials.",
  ].join("\n")}\n`;
}

const isOfConnection = (option: Option): boolean => option.helpGroupHeading === CONNECTION_GROUP;
const ofConnection = (command: Command): readonly Option[] => command.options.filter(isOfConnection);

function commandPart(command: Command, name: string, heading: ".SS" | ".PP"): readonly string[] {
  const own = command.options.filter((option) => !option.hidden && !isOfConnection(option));
  const hasConnection = ofConnection(command).length > 0;
  return [
    ...(heading === ".SS" ? [`.SS ${text(name)}`] : [".PP", `\\fB${text(name)}\\fR`, ".br"]),
    prose(command.description()),
    ...command.registeredArguments.flatMap(argumentPart),
    ...own.flatMap(optionPart),
    ...(hasConnection ? [".PP", "Connection options, too."] : []),
    ...command.commands.flatMap((child) => commandPart(child, `${name} ${child.name()}`, ".PP")),
  ];
}

function argumentPart(argument: Argument): readonly string[] {
  const { defaultValue, description } = argument;
  const usual = defaultValue === undefined ? "" : `; default ${String(defaultValue)}`;
  return [".TP", `.I ${text(argument.name())}${argument.variadic ? " ..." : ""}`, prose(`${description}${usual}`)];
}

function optionPart({ flags, description, argChoices, defaultValue }: Option): readonly string[] {
  const choices = argChoices === undefined ? "" : `; ${argChoices.join(", ")}`;
  const usual = typeof defaultValue === "string" ? `; default ${defaultValue}` : "";
  const [words = "", value = ""] = flags.split(/ (?=[<[])/);
  const shown = value === "" ? `\\fB${text(words)}\\fR` : `\\fB${text(words)}\\fR \\fI${text(value)}\\fR`;
  return [".TP", shown, prose(`${description}${choices}${usual}`)];
}

/** The file with which the manual begins, docs/writing.md, without the line for editors. */
function minimalFile(root: string): readonly string[] {
  const manual = readFileSync(join(root, "docs/writing.md"), "utf8");
  const file = /## A minimal file\n[\s\S]*?```yaml\n([\s\S]*?)\n```/.exec(manual)?.[1];
  if (file === undefined) throw new Error("docs/writing.md has no minimal file");
  return file.split("\n").filter((line) => !line.startsWith("#"));
}

/** Rows of the tables of docs/reference/environment.md. */
function environment(root: string): readonly string[] {
  const page = readFileSync(join(root, "docs/reference/environment.md"), "utf8");
  return [...page.matchAll(/^\| (`[A-Za-z_`, ]+`) \| (.*) \|$/gm)].flatMap(([, names = "", means = ""]) => [
    ".TP",
    `\\fB${text(names.replaceAll("`", ""))}\\fR`,
    prose(means.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")),
  ]);
}

/** Running text: without Markdown syntax, and with no line that roff takes for a request. */
const prose = (words: string): string => text(words.replaceAll("`", "")).replace(/^(?=[.'])/, "\\&");

/** Roff interprets nothing in it, and hyphens can be copied into a shell. */
function text(words: string): string {
  return words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll(
      /[^\x20-\x7e]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
