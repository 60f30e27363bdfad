import type { Command } from "commander";
import { defined } from "../model/defined.ts";
import { EXIT } from "../model/diagnostic.ts";
import {
  type AccessBasis,
  type AccessQuestion,
  answerAccess,
  answerAccessChanges,
  checkQuestion,
  exitCodeOf,
  type PlannedAccess,
} from "../workflow/access-answers.ts";
import { readerForQuestions } from "../workflow/reading.ts";
import { readSavedPlan } from "../workflow/saved.ts";
import type { Planned } from "../workflow/workflow.ts";
import { Context, valueOrFailure } from "./context.ts";
import { CONNECTION, type ConnectionFlags, VALUES } from "./flags.ts";
import type { Io } from "./io.ts";
import { collect, collectNames, commandOf, type FlagsOf, option } from "./options.ts";
import { refuseMissing } from "./organizations/run.ts";
import { planWith } from "./plan-with.ts";
import { isMissingFile } from "./stray-words.ts";
import { isOwn } from "./write-files.ts";

const ACCESS = [
  ...CONNECTION,
  ...VALUES,
  option("--right <right>", "only this right, in plain words (post) or the API's; can be given again", {
    parse: collectNames,
    isRepeatable: true,
  }),
  option("--as <role>", "an invented person with this role (guest, member, …), subscribed to nothing"),
  option("--groups <names>", "with --as: the groups that this person is in, separated by commas", {
    parse: collect,
    isRepeatable: true,
  }),
  option(
    "--plan [file]",
    "show who gains and loses which rights: through the plan of a file (realm.yaml), or through a saved plan",
    { conflicts: "file" },
  ),
  option(
    "--file [file]",
    "answer from the file alone (realm.yaml), and from the server's defaults for the rest; needs no server",
  ),
  option("--snapshot <file>", "answer from what `realmctl snapshot` wrote; needs no server"),
  option("--format <format>", "the output format; html and mermaid draw it, and without a question all channels", {
    choices: ["text", "json", "csv", "html", "mermaid"],
    default: "text",
  }),
  option("--all", "show every name, even if there are very many"),
];
type AccessFlags = FlagsOf<typeof ACCESS> & ConnectionFlags;

export function accessCommand(io: Io): Command {
  return commandOf("access", ACCESS)
    .description(
      "Show who may do what, and what gives them the right: on #a-channel, user_group:NAME or organization; or what one person (an address) may do. Changes nothing.",
    )
    .argument("[question]", "#channel, user_group:NAME, organization, or somebody's address")
    .action(async (written: string | undefined, given: AccessFlags) => {
      const { question, flags } = await withoutMixUp(io, written, given);
      const context = new Context(io, flags);
      const { as, groups, right, format, all } = flags;
      const asked: AccessQuestion = {
        format,
        style: context.style,
        ...defined({ question, as, groups, rights: right, all }),
      };
      checkQuestion(asked, flags.plan !== undefined);
      const planned =
        flags.plan === undefined ? undefined : await planOf(new Context(io, flags, await fileOf(io, flags.plan)));
      const basis = planned ?? (await basisOf(context));
      io.out.write(
        planned === undefined
          ? valueOrFailure(await answerAccess(asked, basis))
          : await answerAccessChanges(asked, planned),
      );
      io.setExitCode((basis.from === "plan" ? exitCodeOf(basis.plan) : undefined) ?? EXIT.done);
    });
}

/** For `--plan '#name'`, the word after the option is the question, and the file is realm.yaml. */
async function withoutMixUp(io: Io, question: string | undefined, flags: AccessFlags) {
  if (question !== undefined) return { question, flags };
  for (const name of ["plan", "file"] as const) {
    const value = flags[name];
    if (typeof value === "string" && (await isQuestion(io, value)))
      return { question: value, flags: { ...flags, [name]: true } as const };
  }
  return { question, flags };
}

/** An address may be a file, too. */
const isQuestion = async (io: Io, value: string): Promise<boolean> =>
  /^(#|@|channel:|user_group:|role:)/.test(value) ||
  value === "organization" ||
  (value.includes("@") && (await isMissingFile(io, value)));

/** @throws Failure if there is no such file */
async function fileOf(io: Io, named: string | true): Promise<string> {
  const file = named === true ? "realm.yaml" : named;
  await refuseMissing(io, file, named === true);
  return file;
}

async function basisOf(context: Context<AccessFlags>): Promise<AccessBasis> {
  const { io, flags } = context;
  const { snapshot: saved } = flags;
  const file = flags.file === undefined ? undefined : await fileOf(io, flags.file);
  if (file !== undefined && saved === undefined) return { from: "file", config: context.files(file) };
  if (file !== undefined) return plannedAccess(file, await planAsked(new Context(io, flags, file)));
  const snapshot = await context.reading((reader) => reader.snapshot({ invites: false, subscribers: true }));
  return { from: saved === undefined ? "server" : "snapshot", snapshot };
}

/** The plan of a file against a reading, or a saved plan with the reading that it was made from. */
async function planOf(context: Context<AccessFlags>): Promise<PlannedAccess> {
  const { file } = context;
  const text = await context.input(file, "file", "configuration").catch(() => "");
  if (isOwn("plan", text)) return plannedAccess(file, (await readSavedPlan(text, file)).planned);
  return plannedAccess(file, await planAsked(context));
}

const plannedAccess = (file: string, { plan, snapshot }: Pick<Planned, "plan" | "snapshot">): PlannedAccess => ({
  from: "plan",
  file,
  plan,
  snapshot,
});

/** The plan for a question. The question is answered even if not everything was read; the answer says what is missing. */
async function planAsked(context: Context<AccessFlags>): Promise<Planned> {
  const planned = await context.filesFirst(() =>
    context.reading((reader) =>
      planWith(new Context(context.io, {}, context.file), readerForQuestions(reader), "refuse", { leavesUnread: true }),
    ),
  );
  await context.showLeftOut(planned.plan.warnings);
  return planned;
}
