import type { Command } from "commander";
import * as z from "zod";
import { COMMANDS } from "../src/cli/commands.ts";
import { runIo } from "../src/cli/io.ts";
import { processIo } from "../src/cli/process-io.ts";
import { realmSchema } from "../src/config/json-schema.ts";
import { EXIT_CODES } from "../src/explain/exit-codes.ts";
import { kinds } from "../src/kinds/registry.ts";
import { isList, isObject } from "../src/model/json.ts";
import type { ResourceKind } from "../src/model/kind.ts";

const MADE = "<!-- Made by `npm run generate`: change the sources, not this page. -->\n";
const FLOOR = 320;

/** docs/reference/: path → text. */
export async function referenceDocs(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["docs/reference/README.md", index()],
    ...kinds.map((kind) => [`docs/reference/${kind.section}.md`, sectionPage(kind)] as const),
    ["docs/reference/commands.md", await commandsPage()],
    ["docs/reference/exit-codes.md", exitCodesPage()],
  ]);
}

function index(): string {
  const schema: unknown = realmSchema(kinds);
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const rows = Object.entries(properties).map(([key, value]) => {
    const about = isObject(value) ? String(value.description ?? "") : "";
    const page = kinds.some((kind) => kind.section === key) ? `[\`${key}\`](${key}.md)` : `\`${key}\``;
    return `| ${page} | ${cell(about)} |`;
  });
  return `${MADE}
# Reference

[Commands and their flags](commands.md) · [exit codes](exit-codes.md) · [environment variables](environment.md) · [limits](limits.md) · [feature levels](levels.md) · [glossary](glossary.md) · [codes of errors](../diagnostics/README.md) · [writing a file](../writing.md)

## Keys of a file

| key | |
| --- | --- |
${rows.join("\n")}

## Accounts

realmctl can do what its account may do, and nothing else. \`realmctl whoami\` shows what that is in your organization. Where “bots” is
empty, a bot may do what a person with its role may, but for what the second column says.

| section | who may change it | bots | servers |
| --- | --- | --- | --- |
${kinds.map(accountRow).join("\n")}
`;
}

function accountRow({ section, docs, reach, live }: ResourceKind): string {
  const since = reach?.bots;
  const bots = since === "never" ? "no" : since === undefined ? "" : `from level ${since}`;
  return `| [\`${section}\`](${section}.md) | ${cell(docs.who)} | ${bots} | ${live.level === undefined ? "" : `from level ${live.level}`} |`;
}

export function sectionPage(kind: ResourceKind): string {
  const notes = kind.docs;
  const many = kind.noun[1];
  const schema: unknown = z.toJSONSchema(kind.file.schema(), { io: "input", target: "draft-7" });
  const others = new Map<string, string>();
  const rows = fieldsOf(schema).map(({ path, schema: field, required }) => {
    const name = path.at(-1) ?? "";
    const level = kind.file.fields[name]?.level ?? kind.live.level ?? FLOOR;
    const initial = notes.defaults[name] ?? "";
    const who = notes.whoMay?.[name] ?? notes.whoMay?.[path[0] ?? ""] ?? "";
    if (who !== "") others.set(notes.whoMay?.[name] === undefined ? (path[0] ?? "") : path.join("."), who);
    return `| \`${path.join(".")}\`${required ? " (required)" : ""} | ${cell(typeOf(field))} | ${level > FLOOR ? level : ""} | ${cell(initial)} | ${cell(aboutOf(field))} |`;
  });
  const first = many.charAt(0).toUpperCase() + many.slice(1);
  return `${MADE}
# \`${kind.section}\`

${FORM[kind.shape](many)}${kind.docs.about === undefined ? "" : ` ${kind.docs.about}`}${kind.live.level === undefined ? "" : ` Servers have them from feature level ${kind.live.level} on.`}

**Who may change them**: ${notes.who}

\`\`\`yaml
version: 1
${notes.example}
\`\`\`

## Fields

“Level” is the feature level that a server needs for the field, if it is above ${FLOOR}, the oldest that realmctl supports. “New” is the
value of a new object that is created without the field. A field that is left out is left as it is on the server.

| field | value | level | new | |
| --- | --- | --- | --- | --- |
${rows.length === 0 ? `| – | ${cell(typeOf(schema))} | | | ${cell(aboutOf(schema))} |` : rows.join("\n")}

${whoMayPart(others)}${unseenPart(notes.unseen)}${leavingPart(kind, first)}
`;
}

const FORM = {
  map: (many: string) => `A map from names to ${many}.`,
  list: (many: string) => `A list of ${many}.`,
  singleton: () => "A map of fields. The organization always has exactly one.",
};

function leavingPart({ shape, inactivity, isPartial }: ResourceKind, first: string): string {
  if (shape === "singleton")
    return "Where `manage` says `exact`, fields that the file leaves out are set to what a new organization has, as far as that is known (column “new”).";
  if (isPartial === true && inactivity !== undefined)
    return `${first} are ${inactivity.field} only where the file says \`${inactivity.field}: true\`; those that it does not list stay as they are.`;
  return `${first} are ${inactivity?.field ?? "removed"} with \`absent: true\`, or if they are not in the file and \`manage\` says \`exact\`.`;
}

function whoMayPart(others: ReadonlyMap<string, string>): string {
  if (others.size === 0) return "";
  const rows = [...others].map(([field, who]) => `| \`${field}\` | ${cell(who)} |`);
  return `Fields that other people may change:

| field | who |
| --- | --- |
${rows.join("\n")}

`;
}

function unseenPart(unseen: ResourceKind["docs"]["unseen"]): string {
  if (unseen === undefined) return "";
  const rows = Object.entries(unseen).map(([field, compared]) => `| \`${field}\` | ${cell(compared)} |`);
  return `The API does not give these fields back as they were sent. What plan and drift compare instead:

| field | compared |
| --- | --- |
${rows.join("\n")}

`;
}

interface Field {
  readonly path: readonly string[];
  readonly schema: unknown;
  readonly required: boolean;
}

/** Every field, including fields of nested maps with their path; the forms of groups and people are described once, in their type. */
function fieldsOf(schema: unknown, path: readonly string[] = []): readonly Field[] {
  if (!isObject(schema)) return [];
  if (isList(schema.anyOf) && path.length === 0) return schema.anyOf.flatMap((branch) => fieldsOf(branch));
  if (!isObject(schema.properties)) return [];
  const required = isList(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const here = [...path, name];
    const inner = fieldsOf(field, here);
    return inner.length > 0 ? inner : [{ path: here, schema: field, required: required.includes(name) }];
  });
}

const aboutOf = (schema: unknown): string => (isObject(schema) ? String(schema.description ?? "") : "");

const WORDS: { readonly [type: string]: string } = {
  string: "string",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  null: "`null`",
  object: "map",
};

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return "";
  if (isList(schema.enum)) return schema.enum.map((word) => `\`${String(word)}\``).join(", ");
  if ("const" in schema) return `\`${String(schema.const)}\``;
  if (isList(schema.anyOf)) {
    const branches = schema.anyOf;
    const maps = branches.filter((branch) => isObject(branch) && isObject(branch.properties));
    const [map] = maps;
    const properties = isObject(map) && isObject(map.properties) ? Object.keys(map.properties) : [];
    const isOfPeople = branches.some((branch) => isObject(branch) && branch.type === "array");
    if (properties.includes("groups"))
      return `${isOfPeople ? "list of people" : "group"}, or \`{groups: […], users: […]}\``;
    if (properties.join() === "id") return "e-mail address, or `{id: 17}`";
    return branches
      .map(typeOf)
      .filter((text, at, all) => all.indexOf(text) === at)
      .join(", or ");
  }
  if (isList(schema.type)) return schema.type.map((type) => WORDS[String(type)] ?? String(type)).join(", or ");
  if (schema.type === "array") return `list: ${typeOf(schema.items)}`;
  return WORDS[String(schema.type)] ?? "any value";
}

/** The text of a table cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

async function commandsPage(): Promise<string> {
  const parts: string[] = [];
  const io = runIo(processIo());
  for (const entry of COMMANDS) {
    const command = (await entry.load())(io, () => Promise.resolve(), COMMANDS);
    parts.push(commandPart(command, `realmctl ${entry.name}`));
  }
  return `${MADE}
# Commands

Every command has \`--help\`. What they end with: [exit codes](exit-codes.md). These rules hold for all of them:

- \`-\` stands for standard input wherever a file is read, once in a command line (\`generate | realmctl validate -\`). Output files need a name.
- \`--out\` and similar options replace plans, snapshots and pages that realmctl wrote itself. Any other file needs \`--force\`, configurations too, which people edit; and a file that the same command read is never replaced.
- While realmctl waits for an answer of the server, it says so after five seconds, and then every ten.
- At the \`--deadline\`, an apply stops between two calls and ends with exit code 5. Apply again to continue.

${parts.join("\n")}`;
}

function commandPart(command: Command, name: string): string {
  const args = command.registeredArguments.map((argument) => {
    const shown = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
    const initial = argument.defaultValue === undefined ? "" : `; default \`${String(argument.defaultValue)}\``;
    return { shown, row: `| \`${shown}\` | ${cell(argument.description)}${initial} |` };
  });
  const options = command.options
    .filter((option) => !option.hidden)
    .map((option) => {
      const choices =
        option.argChoices === undefined ? "" : `; ${option.argChoices.map((word) => `\`${word}\``).join(", ")}`;
      const given = typeof option.defaultValue === "string" ? `; default \`${option.defaultValue}\`` : "";
      return `| \`${option.flags}\` | ${cell(option.description)}${choices}${given} |`;
    });
  const rows = [...args.map(({ row }) => row), ...options];
  const inner = command.commands.map((child) => commandPart(child, `${name} ${child.name()}`));
  return `## ${name}

${command.description()}

\`\`\`sh
${[name, ...args.map(({ shown }) => shown), ...(options.length > 0 ? ["[options]"] : [])].join(" ")}
\`\`\`
${rows.length === 0 ? "" : `\n| | |\n| --- | --- |\n${rows.join("\n")}\n`}${inner.length === 0 ? "" : `\n${inner.join("\n")}`}`;
}

function exitCodesPage(): string {
  return `${MADE}
# Exit codes

The same number is \`exit_code\` in JSON output.

| code | means |
| --- | --- |
${EXIT_CODES.map(({ code, means }) => `| ${code} | ${means} |`).join("\n")}
`;
}
