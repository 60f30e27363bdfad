import { Command, Option } from "commander";
import { isReading, objectAnswer, personAnswer, shiftsBetween, webShiftsBetween } from "../access/answers.ts";
import type { Target } from "../access/grants.ts";
import { invitationsIn } from "../access/invitations.ts";
import { type Persona, ROLE_NAMES, roleCalled, roleOf } from "../access/personas.ts";
import { type Question, questionOf } from "../access/question.ts";
import { GROUP, isChannel, SCOPES } from "../access/scope.ts";
import { type Right, rightsCalled, rightWords } from "../access/words.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Diagnostic, EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { didYouMean } from "../model/suggest.ts";
import type { AnswerBasis } from "../report/access/json.ts";
import { targetName } from "../report/access/names.ts";
import type { Shifts } from "../report/access/shifts-text.ts";
import type { AnswerContext } from "../report/access/text.ts";
import {
  accountName,
  asFileSays,
  byThePlan,
  IS_BOT,
  IS_DEACTIVATED,
  inGroups,
  inventedName,
  onceApplied,
  readWhen,
  SUBSCRIBED_TO_NOTHING,
} from "../report/commands/access.ts";
import { realmName } from "../report/layout.ts";
import { type Asked, accessAsRead, accessOfFile, accessOfPlan } from "../workflow/access.ts";
import { readerForQuestions } from "../workflow/reading.ts";
import { openSavedPlan } from "../workflow/saved.ts";
import type { Planned } from "../workflow/workflow.ts";
import { valueOrFailure } from "./checked.ts";
import { configurationFiles } from "./configuration-files.ts";
import { type ConnectionFlags, withConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { collect, repeatable } from "./options.ts";
import { isOwn } from "./own-files.ts";
import { planWith } from "./plan-with.ts";
import { readInput } from "./read-input.ts";
import { withReader } from "./snapshot-reader.ts";
import { styleFor } from "./terminal.ts";
import { tellUnread } from "./unread.ts";

interface AccessFlags extends ConnectionFlags {
  readonly as?: string;
  readonly groups?: readonly string[];
  readonly right?: readonly string[];
  /** Without a value: realm.yaml. */
  readonly plan?: string | true;
  readonly file?: string;
  readonly snapshot?: string;
  readonly format: "text" | "json" | "csv" | "html";
  readonly all?: boolean;
}

export function accessCommand(io: Io): Command {
  return withConnectionFlags(new Command("access"))
    .description(
      "Show who may do what, and what gives them the right: on #a-channel, user_group:NAME or organization; or what one person (an address) may do. Changes nothing.",
    )
    .argument("[question]", "#channel, user_group:NAME, organization, or somebody's address")
    .addOption(
      repeatable("--right <right>", "only this right, in plain words (post) or the API's; can be given again", collect),
    )
    .option("--as <role>", "an invented person with this role (guest, member, …), subscribed to nothing")
    .addOption(
      repeatable("--groups <names>", "with --as: the groups that this person is in, separated by commas", collect),
    )
    .addOption(
      new Option(
        "--plan [file]",
        "show who gains and loses which rights: through the plan of a file (realm.yaml), or through a saved plan",
      ).conflicts("file"),
    )
    .option("--file <file>", "answer from the file alone, and from the server's defaults for the rest; needs no server")
    .option("--snapshot <file>", "answer from what `realmctl snapshot` wrote; needs no server")
    .addOption(
      new Option("--format <format>", "of the output").choices(["text", "json", "csv", "html"]).default("text"),
    )
    .option("--all", "show every name, even if there are very many")
    .action(async (written: string | undefined, given: AccessFlags) => {
      const { question, flags } = withoutMixUp(written, given);
      const asked = question ?? (flags.as === undefined ? undefined : "");
      if (asked === undefined && flags.plan === undefined) throw nothingAsked();
      if (question !== undefined && flags.as !== undefined) throw twoPeople();
      const rights = rightsOf(flags.right);
      const persona = personaOf(flags);
      io.out.write(
        flags.plan === undefined
          ? await answer(io, asked ?? "", persona, rights, flags)
          : await planAnswer(io, flags.plan === true ? "realm.yaml" : flags.plan, question, rights, flags),
      );
      io.setExitCode(EXIT.done);
    });
}

/** `--plan '#name'`: the word after --plan is the question, and the file is the usual one. */
function withoutMixUp(question: string | undefined, flags: AccessFlags) {
  const isQuestion = typeof flags.plan === "string" && /^(#|@|channel:|user_group:)/.test(flags.plan);
  if (question !== undefined || !isQuestion) return { question, flags };
  return { question: String(flags.plan), flags: { ...flags, plan: true } as const };
}

/** The source of an answer, in words and as data. */
interface Basis extends Pick<AnswerBasis, "from"> {
  readonly asked: Asked;
  readonly text: readonly string[];
}

async function answer(
  io: Io,
  question: string,
  persona: Persona | undefined,
  rights: readonly Right[] | undefined,
  flags: AccessFlags,
): Promise<string> {
  const personas = persona === undefined ? [] : [persona];
  const { asked, text, from } = await basisOf(io, personas, flags);
  const { realm, state } = asked;
  checkGroups(persona, asked);
  const [someone] = asked.personas;
  const meant: Question =
    someone === undefined ? questionOf(question, realm, state) : { about: "account", id: someone };
  const context: AnswerContext = {
    realm,
    state,
    style: styleFor(io, io.out, flags),
    all: flags.all ?? false,
    basis: text,
  };
  if (meant.about === "object") {
    checkRights(
      rights,
      [meant.target === "organization" ? "organization" : meant.target.kind],
      targetName(meant.target),
    );
    return objectOutput(meant.target, rights, context, { realm, state, from }, flags);
  }
  if (meant.about === "account") return personOutput(meant.id, persona, rights, context, { realm, state, from }, flags);
  throw unclear(question, meant, from);
}

async function basisOf(io: Io, personas: readonly Persona[], flags: AccessFlags): Promise<Basis> {
  if (flags.file !== undefined && flags.snapshot === undefined) {
    const read = valueOrFailure(await accessOfFile(configurationFiles(io, flags.file), () => personas));
    return { asked: read, from: "file", text: [asFileSays(flags.file)] };
  }
  if (flags.file === undefined) {
    const snapshot = await withReader(io, flags, (reader) => reader.snapshot({ invites: false, subscribers: true }));
    const asked = accessAsRead(snapshot, personas);
    return { asked, from: flags.snapshot === undefined ? "server" : "snapshot", text: readAt(snapshot) };
  }
  const { plan, snapshot } = await planAsked(io, flags.file, flags);
  return {
    asked: accessOfPlan(plan, snapshot, personas).after,
    from: "plan",
    text: [realmName(snapshot.realm.url), onceApplied(flags.file)],
  };
}

function readAt({ realm, taken_at }: Snapshot): readonly string[] {
  return [realmName(realm.url), readWhen(taken_at)];
}

async function objectOutput(
  target: Target,
  rights: readonly Right[] | undefined,
  context: AnswerContext,
  basis: AnswerBasis,
  { format }: AccessFlags,
): Promise<string> {
  const standings = objectAnswer(context.state, target, rights);
  switch (format) {
    case "json":
      return (await import("../report/access/json.ts")).objectJson(target, standings, basis);
    case "csv":
      return (await import("../report/access/csv.ts")).objectCsv(target, standings, context.realm);
    case "html":
      return (await import("../report/access/html.ts")).objectHtml(target, standings, context);
    case "text":
      return (await import("../report/access/text.ts")).objectText(target, standings, context);
  }
}

async function personOutput(
  id: number,
  persona: Persona | undefined,
  rights: readonly Right[] | undefined,
  context: AnswerContext,
  basis: AnswerBasis,
  { format }: AccessFlags,
): Promise<string> {
  const { realm, state } = context;
  const reaches = personAnswer(state, id, rights);
  const user = realm.user(id);
  const groups = [...state.groups()].filter((group) => !group.name.startsWith("role:") && group.members.has(id));
  const name = persona === undefined ? accountName(user?.full_name, id) : inventedName(persona);
  const notes = [
    ...(persona === undefined ? [realm.userName(id), roleOf(realm, id) ?? ""] : [SUBSCRIBED_TO_NOTHING]),
    user?.is_bot === true ? IS_BOT : "",
    user?.is_active === false ? IS_DEACTIVATED : "",
    persona === undefined ? inGroups(groups.map((group) => group.name)) : "",
  ].filter((note) => note !== "" && note !== name);
  switch (format) {
    case "json":
      return (await import("../report/access/json.ts")).personJson(id, name, reaches, basis);
    case "csv":
      return (await import("../report/access/csv.ts")).personCsv(id, reaches, realm);
    case "html":
      return (await import("../report/access/html.ts")).personHtml({ name, notes }, reaches, context);
    case "text":
      return (await import("../report/access/text.ts")).personText({ name, notes }, reaches, context);
  }
}

async function planAnswer(
  io: Io,
  file: string,
  question: string | undefined,
  rights: readonly Right[] | undefined,
  flags: AccessFlags,
): Promise<string> {
  const { plan, snapshot } = await planOf(io, file, flags);
  const { before, after } = accessOfPlan(plan, snapshot);
  const only = question === undefined ? undefined : onlyOf(question, after);
  const shifts: Shifts = {
    web: rights === undefined || rights.some(isReading) ? webShiftsBetween(before.state, after.state, only) : [],
    people: shiftsBetween(before.state, after.state, {
      ...defined({ asked: rights, only }),
    }),
    invited: invitedBy(plan, question, rights, after),
  };
  const contextOf = ({ realm, state }: Asked): AnswerContext => ({
    realm,
    state,
    style: styleFor(io, io.out, flags),
    all: flags.all ?? false,
    basis: [readWhen(snapshot.taken_at)],
  });
  const head = [byThePlan(file), realmName(plan.realm.url)];
  switch (flags.format) {
    case "json":
      return (await import("../report/access/json.ts")).shiftsJson(shifts, { ...after, from: "plan" });
    case "csv":
      return (await import("../report/access/csv.ts")).shiftsCsv(shifts, after.realm);
    case "html":
      return (await import("../report/access/html.ts")).shiftsHtml(shifts, contextOf(before), contextOf(after));
    case "text":
      return (await import("../report/access/shifts-text.ts")).shiftsText(
        shifts,
        contextOf(before),
        contextOf(after),
        head,
      );
  }
}

/** Invitations are shown if the question is about everything, or about who can read a channel. */
function invitedBy(
  { changes }: Plan,
  question: string | undefined,
  rights: readonly Right[] | undefined,
  { realm, state }: Asked,
): Shifts["invited"] {
  if (rights !== undefined && !rights.some(isReading)) return [];
  if (question === undefined) return invitationsIn(changes);
  const meant = questionOf(question, realm, state);
  const target = meant.about === "object" ? meant.target : undefined;
  return target !== undefined && isChannel(target) ? invitationsIn(changes, target.name) : [];
}

/** The plan of a file against a reading, or a saved plan with the reading that it was made from. */
async function planOf(
  io: Io,
  file: string,
  flags: AccessFlags,
): Promise<{ readonly plan: Plan; readonly snapshot: Snapshot }> {
  const text = await readInput(io, file, "file", "configuration").catch(() => "");
  if (isOwn("plan", text)) {
    const { planned } = await openSavedPlan(text, file);
    return planned;
  }
  return planAsked(io, file, flags);
}

/** The question is answered even if not everything was read; the answer says what is missing. */
async function planAsked(io: Io, file: string, flags: AccessFlags): Promise<Planned> {
  const planned = await withReader(io, flags, (reader) =>
    planWith(io, file, readerForQuestions(reader), {}, "refuse", { leavesUnread: true }),
  );
  await tellUnread(io, planned.plan.warnings, flags);
  return planned;
}

function onlyOf(question: string, { realm, state }: Asked): (target: Target) => boolean {
  const meant = questionOf(question, realm, state);
  if (meant.about !== "object") throw unclear(question, meant, "plan");
  const name = targetName(meant.target);
  return (target) => targetName(target) === name;
}

/** @throws Failure if it is not a right */
function rightsOf(written: readonly string[] | undefined): readonly Right[] | undefined {
  if (written === undefined) return undefined;
  const unknown = written.filter((text) => rightsCalled(text).length === 0);
  const [first, ...others] = unknown.map(unknownRight);
  if (first !== undefined) throw new Failure(EXIT.errors, first, ...others);
  return written.flatMap(rightsCalled);
}

function unknownRight(text: string): Diagnostic {
  const rights = rightWords(SCOPES);
  return error("access/unknown-right", { right: quote(text), rights, ...defined({ meant: didYouMean(text, rights) }) });
}

/** @throws Failure if none of the rights applies to such an object */
function checkRights(rights: readonly Right[] | undefined, scopes: readonly Right["scope"][], name: string): void {
  if (rights === undefined || rights.some(({ scope }) => scopes.includes(scope))) return;
  const others = [...new Set(rightWords(scopes))].filter((word) => !word.includes("_"));
  const asked = [...new Set(rights.map(({ word }) => word))];
  throw new Failure(EXIT.errors, error("access/right-of-other", { rights: asked, object: quote(name), others }));
}

/** @throws Failure for an unknown role, and for groups without a role */
function personaOf({ as: role, groups = [] }: AccessFlags): Persona | undefined {
  const names = groups.flatMap((list) => list.split(",").map((name) => name.trim())).filter((name) => name !== "");
  if (role === undefined) {
    if (names.length === 0) return undefined;
    throw new Failure(EXIT.errors, error("access/groups-of-nobody", {}));
  }
  const known = roleCalled(role);
  if (known !== undefined) return { role: known, groups: names };
  throw new Failure(
    EXIT.errors,
    error("access/unknown-role", {
      role: quote(role),
      ...defined({ meant: didYouMean(role.toLowerCase().replace(/^role:|s$/g, ""), ROLE_NAMES) }),
    }),
  );
}

/** @throws Failure for an unknown group */
function checkGroups(persona: Persona | undefined, { state }: Asked): void {
  const missing = (persona?.groups ?? []).filter((name) => state.group(name) === undefined);
  const names = [...state.groups()].map(({ name }) => name);
  const groups = quoteAll(names, GROUP);
  const [first, ...others] = missing.map((name): Diagnostic => {
    const meant = didYouMean(name, names);
    const guess = defined({ meant: whenDefined(meant, (name) => quote(name, GROUP)) });
    return error("access/unknown-group", { group: quote(name), groups, ...guess });
  });
  if (first !== undefined) throw new Failure(EXIT.errors, first, ...others);
}

function unclear(question: string, meant: Question, from: Basis["from"]): Failure {
  const asked = quote(question);
  if (meant.about === "several")
    return new Failure(EXIT.errors, error("access/ambiguous", { question: asked, ways: quoteAll(meant.ways) }));
  if (meant.about === "account") return new Failure(EXIT.errors, error("access/plan-of-person", {}));
  const guess = meant.about === "nothing" ? meant.meant : undefined;
  return new Failure(
    EXIT.errors,
    error("access/unknown", {
      question: asked,
      is_address: meant.about === "nothing" && meant.what === "account",
      is_file_alone: from === "file",
      ...defined({ meant: whenDefined(guess, quote) }),
    }),
  );
}

const nothingAsked = (): Failure => new Failure(EXIT.errors, error("access/nothing-asked", {}));

const twoPeople = (): Failure => new Failure(EXIT.errors, error("access/two-questions", {}));
