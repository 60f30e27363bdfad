import { hiddenAccounts } from "../access/account.ts";
import {
  comingOf,
  isReading,
  objectAnswer,
  openedLaterIn,
  perhapsOpenedIn,
  personAnswer,
  type Question,
  questionOf,
  shiftsIn,
} from "../access/answers.ts";
import { AccessDifference, webShiftsBetween } from "../access/difference.ts";
import { scopeOf } from "../access/grants.ts";
import { invitationsIn } from "../access/invitations.ts";
import { type Persona, roleCalled } from "../access/personas.ts";
import { GROUP, isChannel, SCOPES } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import type { AccessState } from "../access/state.ts";
import { type Right, rightsCalled, rightWords } from "../access/words.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, error, type Failure, failIfAny, failure } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import type { RiskFact } from "../model/facts.ts";
import { isRightName } from "../model/permission-settings.ts";
import { type Plan, unresolvedIn } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { ROLE_WORDS } from "../model/roles.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { didYouMean } from "../model/suggest.ts";
import type { AnswerBasis } from "../report/access/json.ts";
import { targetAddress, targetName } from "../report/access/names.ts";
import type { Shifts } from "../report/access/shifts-text.ts";
import type { AnswerContext } from "../report/access/text.ts";
import {
  accountName,
  asFileSays,
  byThePlan,
  IS_DEACTIVATED,
  inGroups,
  inventedName,
  onceApplied,
  readWhen,
  SUBSCRIBED_TO_NOTHING,
} from "../report/commands/access.ts";
import { realmName } from "../report/layout.ts";
import { PLAIN, type Style } from "../report/style.ts";
import { IS_BOT, roleName } from "../report/words/names.ts";
import type { LoadOptions } from "../source/load.ts";
import { type Asked, accessAsRead, accessOfFile, accessOfPlan } from "./access.ts";
import type { Subject } from "./pictures.ts";

/** A question about access, as `realmctl access` takes it. */
export interface AccessQuestion {
  /**
   * The subject: `#channel`, `user_group:NAME`, `organization`, or somebody's address. If absent, the question is about `as`, or about all changes of
   * a plan.
   */
  readonly question?: string;
  /** An invented person with this role (`guest`, `member`, …), subscribed to nothing. */
  readonly as?: string;
  /** The groups that the invented person is in. */
  readonly groups?: readonly string[];
  /** The rights in question, in plain words (`post`) or the API's; default: all. */
  readonly rights?: readonly string[];
  /** Default: `text`. `json` has the form of `schemas/access.schema.json`. */
  readonly format?: "text" | "json" | "csv" | "html" | "mermaid";
  /** The style of `text`; default: without colours. */
  readonly style?: Style;
  /** Whether to show every name. */
  readonly all?: boolean;
}

/** Formats in which the whole organization is an answer. */
const isPictured = ({ format }: AccessQuestion): boolean => format === "html" || format === "mermaid";

/** The source of an answer. A snapshot must have been read with subscribers. */
export type AccessBasis =
  | { readonly from: "server" | "snapshot"; readonly snapshot: Snapshot }
  /** The file alone, and the server's defaults for the rest. */
  | { readonly from: "file"; readonly config: LoadOptions }
  /** The organization once this plan is applied. */
  | PlannedAccess;

/** A plan, with the reading that it was made from. */
export interface PlannedAccess {
  readonly from: "plan";
  /** The file that the answer names. */
  readonly file: string;
  readonly plan: Plan;
  readonly snapshot: Snapshot;
}

/**
 * Checks a question before anything is read.
 * @throws Failure for an unknown right or role, groups without a role, no question, and two questions at once
 */
export function checkQuestion(asked: AccessQuestion, isAboutChanges = false): Persona | undefined {
  const { question, as, groups, rights } = asked;
  const isEverything = isAboutChanges || isPictured(asked);
  if (question === undefined && as === undefined && !isEverything && groups === undefined)
    throw failure("access/nothing-asked", {});
  if (question !== undefined && as !== undefined) throw failure("access/two-questions", {});
  if (isAboutChanges && as !== undefined) throw aboutPerson();
  rightsOf(rights);
  return personaOf(as, groups);
}

/**
 * Who may do what, and what gives them the right: about an object or about a person.
 * @returns the answer in the format that was asked for; every error of the file if the answer comes from a file alone
 * @throws Failure for a question that has no answer
 */
export async function answerAccess(asked: AccessQuestion, basis: AccessBasis): Promise<Checked<string>> {
  const persona = checkQuestion(asked);
  const found = await givenBy(basis, persona === undefined ? [] : [persona], asked);
  if (!found.ok) return found;
  const rights = rightsOf(asked.rights, found.value.state.facts.otherRights);
  return { ...found, value: await answer(asked, persona, rights, found.value) };
}

/**
 * Who gains and loses which rights through a plan.
 * @throws Failure for a question that is not about an object
 */
export async function answerAccessChanges(asked: AccessQuestion, planned: PlannedAccess): Promise<string> {
  checkQuestion(asked, true);
  const { plan, snapshot, file } = planned;
  const { before, after } = accessOfPlan(plan, snapshot);
  const rights = rightsOf(asked.rights, after.state.facts.otherRights);
  const target = asked.question === undefined ? undefined : targetOf(asked.question, rights, after);
  const only = target && ((other: Target) => targetName(other) === targetName(target));
  const ifReading = <T>(find: () => readonly T[]): readonly T[] => (areAboutReading(rights) ? find() : []);
  const difference = new AccessDifference(before.state, after.state);
  const shifts: Shifts = {
    people: shiftsIn(difference, defined({ asked: rights, only })),
    web: ifReading(() => webShiftsBetween(before.state, after.state, only)),
    invited: ifReading(() => invitedBy(plan, asked.question, after)),
    later: ifReading(() => openedLaterIn(difference, only)),
    besides: ifReading(() => openedBesides(plan, target)),
    perhaps: ifReading(() => perhapsOpenedIn(difference, only)),
  };
  const unlisted = unlistedIn(plan, after.state, target);
  const given = (side: Asked): Given => ({
    ...shownAs(asked, side, "plan", [readWhen(snapshot.taken_at)], plan),
    ...defined({ unlisted }),
  });
  const [was, is] = [given(before), given(after)];
  const picture = async (form: "asSection" | "asMermaid"): Promise<string> => {
    const pictures = await import("./pictures.ts");
    const sides = { realm: is.realm, before: was.state, after: is.state };
    return pictures[form](pictures.picturedChanges(sides, rights, target));
  };
  switch (asked.format ?? "text") {
    case "json":
      return (await import("../report/access/json.ts")).shiftsJson(shifts, is);
    case "csv":
      return (await import("../report/access/csv.ts")).shiftsCsv(shifts, is.realm);
    case "html":
      return (await import("../report/access/html.ts")).shiftsHtml(shifts, was, is, await picture("asSection"));
    case "text": {
      const head = [byThePlan(file), realmName(plan.realm.url)];
      return (await import("../report/access/shifts-text.ts")).shiftsText(shifts, was, is, head);
    }
    case "mermaid":
      return picture("asMermaid");
  }
}

/** A state of the organization, its source in words and as data, and how the answer about it is shown. */
interface Given extends AnswerContext, AnswerBasis, Pick<Asked, "personas"> {
  readonly plan?: Plan;
}

const shownAs = (
  { style = PLAIN, all = false }: AccessQuestion,
  side: Asked,
  from: Given["from"],
  basis: readonly string[],
  plan?: Plan,
): Given => ({ ...side, style, all, from, basis, ...defined({ plan, exitCode: plan && exitCodeOf(plan) }) });

async function givenBy(
  basis: AccessBasis,
  personas: readonly Persona[],
  asked: AccessQuestion,
): Promise<Checked<Given>> {
  const known = (side: Asked, text: readonly string[], plan?: Plan): Checked<Given> => ({
    ok: true,
    value: shownAs(asked, side, basis.from, text, plan),
    warnings: [],
  });
  if (basis.from === "file") {
    const read = await accessOfFile(basis.config, () => personas);
    return read.ok ? known(read.value, [asFileSays(basis.config.file)]) : read;
  }
  const { realm, taken_at } = basis.snapshot;
  if (basis.from !== "plan")
    return known(accessAsRead(basis.snapshot, personas), [realmName(realm.url), readWhen(taken_at)]);
  const { after } = accessOfPlan(basis.plan, basis.snapshot, personas);
  return known(after, [realmName(realm.url), onceApplied(basis.file)], basis.plan);
}

async function answer(
  { question, format = "text" }: AccessQuestion,
  persona: Persona | undefined,
  rights: readonly Right[] | undefined,
  given: Given,
): Promise<string> {
  const { realm, state, from, plan, personas } = given;
  checkGroups(persona, given);
  const [someone] = personas;
  const written = question ?? "";
  const meant: Question = someone === undefined ? questionOf(written, realm, state) : { about: "account", id: someone };
  const picture = async (subject: Subject): Promise<string> => {
    const { asMermaid, asSection, pictured } = await import("./pictures.ts");
    return (format === "mermaid" ? asMermaid : asSection)(pictured(subject, given, rights));
  };
  if (someone === undefined && question === undefined) {
    const drawn = await picture({ about: "everything" });
    return format === "mermaid" ? drawn : (await import("../report/access/html.ts")).overviewHtml(given, drawn);
  }
  if (meant.about !== "object" && meant.about !== "account") throw unclear(written, meant, from, realm);
  if (meant.about === "object") checkRights(rights, meant.target);
  if (format === "mermaid") return picture(meant);
  if (meant.about === "account") return personOutput(meant.id, persona, rights, given, format, picture);
  const unlisted = plan && unlistedIn(plan, state, meant.target);
  return objectOutput(meant.target, rights, { ...given, ...defined({ unlisted }) }, format, picture);
}

type Format = Exclude<NonNullable<AccessQuestion["format"]>, "mermaid">;

async function objectOutput(
  target: Target,
  rights: readonly Right[] | undefined,
  given: Given,
  format: Format,
  picture: (subject: Subject) => Promise<string>,
): Promise<string> {
  const standings = objectAnswer(given.state, target, rights);
  switch (format) {
    case "json":
      return (await import("../report/access/json.ts")).objectJson(target, standings, given);
    case "csv":
      return (await import("../report/access/csv.ts")).objectCsv(target, standings, given);
    case "html": {
      const drawn = target === "organization" ? "" : await picture({ about: "object", target });
      return (await import("../report/access/html.ts")).objectHtml(target, standings, given, drawn);
    }
    case "text": {
      const isThere = (asked: Right): boolean => standings.some(({ right }) => right === asked.right);
      const own = (rights ?? []).filter(({ scope }) => scope === scopeOf(target) && given.from !== "file");
      const missing = own.filter((asked) => !isThere(asked));
      return (await import("../report/access/text.ts")).objectText(target, standings, { ...given, missing });
    }
  }
}

async function personOutput(
  id: number,
  persona: Persona | undefined,
  rights: readonly Right[] | undefined,
  given: Given,
  format: Format,
  picture: (subject: Subject) => Promise<string>,
): Promise<string> {
  const { realm, state } = given;
  const reaches = personAnswer(state, id, rights);
  const comings = areAboutReading(rights) ? comingOf(state, id) : [];
  const user = realm.user(id);
  const groups = [...state.groups()].filter((group) => !group.name.startsWith("role:") && group.members.has(id));
  const name = persona === undefined ? accountName(user?.full_name, id) : inventedName(persona);
  const notes = [
    ...(persona === undefined
      ? [realm.userName(id), user === undefined ? "" : roleName(user)]
      : [SUBSCRIBED_TO_NOTHING]),
    user?.is_bot === true ? IS_BOT : "",
    user?.is_active === false ? IS_DEACTIVATED : "",
    persona === undefined ? inGroups(groups.map((group) => group.name)) : "",
  ].filter((note) => note !== "" && note !== name);
  switch (format) {
    case "json":
      return (await import("../report/access/json.ts")).personJson(id, name, reaches, comings, given);
    case "csv":
      return (await import("../report/access/csv.ts")).personCsv(id, reaches, comings, realm);
    case "html": {
      const drawn = await picture({ about: "account", id });
      return (await import("../report/access/html.ts")).personHtml({ name, notes }, reaches, comings, given, drawn);
    }
    case "text":
      return (await import("../report/access/text.ts")).personText({ name, notes }, reaches, comings, given);
  }
}

const areAboutReading = (rights: readonly Right[] | undefined): boolean =>
  rights === undefined || rights.some(isReading);

/** That of an answer about a plan, unless all is done: what does not resolve in the file is not part of the answer. */
export const exitCodeOf = (plan: Plan): typeof EXIT.errors | undefined =>
  unresolvedIn(plan).length === 0 ? undefined : EXIT.errors;

/** What guards count as opened, and no right on an object shows. */
function openedBesides({ changes }: Plan, target: Target | undefined): readonly RiskFact[] {
  const facts = changes.flatMap(({ risks }) => risks.map(({ fact }) => fact));
  return facts.filter((fact) =>
    fact.kind === "history-opened"
      ? target === undefined || targetAddress(target) === fact.object.address
      : fact.kind === "opened" && fact.what === "reports" && target === undefined,
  );
}

/** Invitations are shown if the question is about everything, or about a channel. */
function invitedBy({ changes }: Plan, question: string | undefined, { realm, state }: Asked): Shifts["invited"] {
  if (question === undefined) return invitationsIn(changes);
  const meant = questionOf(question, realm, state);
  const target = meant.about === "object" ? meant.target : undefined;
  return target !== undefined && isChannel(target) ? invitationsIn(changes, target.name) : [];
}

function targetOf(question: string, rights: readonly Right[] | undefined, { realm, state }: Asked): Target {
  const meant = questionOf(question, realm, state);
  if (meant.about !== "object") throw unclear(question, meant, "plan", realm);
  checkRights(rights, meant.target);
  return meant.target;
}

/**
 * The subscribers of a private channel whom the file of the plan does not list, although it declares the channel; undefined if there are none. Without a
 * target, those of all channels.
 */
function unlistedIn({ warnings }: Plan, state: AccessState, target?: Target): readonly number[] | undefined {
  const ids = warnings.flatMap(({ code, fact }) => {
    if (code !== "channels/unlisted" || !("name" in fact)) return [];
    const isMeant = target === undefined || (isChannel(target) && fact.name.quoted === target.name);
    const subscribers = state.channel(fact.name.quoted)?.subscribers;
    // Owners of bots read it, too, without a subscription of their own.
    return isMeant ? [...fact.people, ...fact.bots].filter((id) => subscribers?.has(id)) : [];
  });
  return ids.length === 0 ? undefined : [...new Set(ids)];
}

/**
 * @param also rights that only the server knows; undefined as long as no server was asked: then whatever looks like the name of one may be one
 * @throws Failure if it is not a right
 */
function rightsOf(written: readonly string[] | undefined, also?: readonly Right[]): readonly Right[] | undefined {
  if (written === undefined || written.length === 0) return undefined;
  const unknown = written.filter(
    (text) => rightsCalled(text, also).length === 0 && (also !== undefined || !isRightName(text)),
  );
  failIfAny(EXIT.errors, unknown.map(unknownRight));
  return written.flatMap((text) => rightsCalled(text, also));
}

function unknownRight(text: string): Diagnostic {
  const rights = rightWords(SCOPES);
  return error("access/unknown-right", { right: quote(text), rights, ...defined({ meant: didYouMean(text, rights) }) });
}

/** @throws Failure if none of the rights applies to such an object */
function checkRights(rights: readonly Right[] | undefined, target: Target): void {
  const own = target === "organization" ? target : target.kind;
  if (rights === undefined || rights.some(({ scope }) => scope === own)) return;
  const others = [...new Set(rightWords([own]))].filter((word) => !word.includes("_"));
  const asked = [...new Set(rights.map(({ word }) => word))];
  throw failure("access/right-of-other", { rights: asked, object: quote(targetName(target)), others });
}

/** @throws Failure for an unknown role, and for groups without a role */
function personaOf(role: string | undefined, groups: readonly string[] = []): Persona | undefined {
  const names = groups.flatMap((list) => list.split(",").map((name) => name.trim())).filter((name) => name !== "");
  if (role === undefined) {
    if (names.length === 0) return undefined;
    throw failure("access/groups-of-nobody", {});
  }
  const known = roleCalled(role);
  if (known !== undefined) return { role: known, groups: names };
  throw failure("access/unknown-role", {
    role: quote(role),
    ...defined({ meant: didYouMean(role.toLowerCase().replace(/^role:|s$/g, ""), ROLE_WORDS) }),
  });
}

/** @throws Failure for an unknown group */
function checkGroups(persona: Persona | undefined, { state }: Pick<Asked, "state">): void {
  const missing = (persona?.groups ?? []).filter((name) => state.group(name) === undefined);
  const names = [...state.groups()].map(({ name }) => name);
  const groups = quoteAll(names, GROUP);
  const unknown = missing.map((name): Diagnostic => {
    const meant = didYouMean(name, names);
    const guess = defined({ meant: whenDefined(meant, (name) => quote(name, GROUP)) });
    return error("access/unknown-group", { group: quote(name), groups, ...guess });
  });
  failIfAny(EXIT.errors, unknown);
}

function unclear(question: string, meant: Question, from: Given["from"], realm: Realm): Failure {
  const asked = quote(question);
  if (meant.about === "several") return failure("access/ambiguous", { question: asked, ways: quoteAll(meant.ways) });
  if (meant.about === "account") return aboutPerson();
  const guess = meant.about === "nothing" ? meant.meant : undefined;
  const isAddress = meant.about === "nothing" && meant.what === "account";
  const hidden = from === "file" ? undefined : hiddenAccounts(realm);
  return failure("access/unknown", {
    question: asked,
    is_address: isAddress,
    is_file_alone: from === "file",
    ...defined({ meant: whenDefined(guess, quote), among: isAddress && hidden?.hidden !== 0 ? hidden : undefined }),
  });
}

const aboutPerson = (): Failure => failure("access/plan-of-person", {});
