import { CHANNEL } from "../access/scope.ts";
import { kindOf } from "../model/address.ts";
import { defined } from "../model/defined.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isFileParam } from "../model/file-param.ts";
import { isList, isObject, type Json, sameJson } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import {
  type Address,
  type Call,
  type Change,
  type Guard,
  isIdOf,
  isMinutesUntil,
  type Param,
  type Plan,
  type PlanExtra,
  type Risk,
} from "../model/plan.ts";
import type { ApplyResult, Conflict } from "../model/result.ts";
import type { UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { AccessMatrix, Holders } from "./access.ts";
import { hiddenObjects, hiddenTitles, namesOf, objectsOf } from "./hidden-objects.ts";
import { folded } from "./name-search.ts";
import {
  inShownOrder,
  isWordOfFormat,
  LEFT_OUT,
  mapStrings,
  NO_REDACTION,
  type PlanSide,
  type Redaction,
  redactAddress,
  redactFact,
  redactionAbout,
  redactionBy,
  redactPattern,
  type ShownAs,
} from "./redaction.ts";

/*
 * A plan or a result for readers who must not see every name: a comment on a pull request, a job summary, an artifact.
 *
 * Terms. A name is *hidden* if the object was private before the plan or is private after it, or if it is the address of somebody whom no public text
 * names. The *replacement* says what kind of object it is ("private channel 4"); two objects never have the same one. A text *mentions* something
 * hidden if it contains one of its names, in any spelling, or a link to it. *Known* texts are in the repository already, so they are not secret.
 *
 * Premise. A sentence is not searched for names: a channel called `of` or `role` would be found everywhere, or nowhere. Facts carry names as data
 * (`Named`, `Quoted`, `Pattern`, `Person`), so names are replaced before any sentence is made. Only texts that people wrote are searched.
 *
 * The idea.
 *     hidden = private objects of all kinds (secrecy facet), before or after the plan; addresses and people that are not known
 *     for each name in the plan that is data:                    replace it as a whole, or leave it
 *     for each text that somebody wrote:                         leave it out as a whole if it mentions something hidden
 *     for each text about a hidden object (its description):     leave it out unless it is known
 *     two values that differ only in what is hidden:             mark them as changed (`hidden`)
 *     mark the plan as redacted: nobody can apply it
 *
 * What it does not do. It makes no sentences and no layout. It does not hide how many objects there are, or that one of them changes. Hashes of hidden
 * names need a key of their own (src/action/conceal.ts).
 */

export {
  isWordOfFormat,
  LEFT_OUT,
  mapStrings,
  NO_REDACTION,
  type Redaction,
  redactAddress,
  redactionBy,
} from "./redaction.ts";

export interface RedactionOptions {
  /** Names of channels that are private in any way. */
  readonly privateNames: boolean;
  /** Addresses of people who were invited, or will be. */
  readonly invitations: boolean;
  /** Names of people, and their addresses where no file has them. */
  readonly people: boolean;
  /** Texts that everybody who can read the repository can read, in lower case. */
  readonly known?: ReadonlySet<string>;
}

/**
 * The names to hide, from a plan and the snapshot it was made from: everything that is private before or after.
 */
export function redactionOf(
  plans: readonly Plan[],
  snapshot: Snapshot,
  hide: RedactionOptions,
  kinds: readonly ResourceKind[],
): Redaction {
  const { known = new Set() } = hide;
  const hidden = hide.privateNames
    ? kinds.filter(({ secrecy }) => secrecy.name === "own").map((kind) => hiddenObjects(kind, plans, snapshot))
    : [];
  const names = new Map(hidden.map((one) => [one.kind, one.names]));
  const addresses = hide.invitations ? invited(plans, snapshot, kinds) : new Map<string, string>();
  if (hide.people)
    for (const { user_id, addresses: own } of peopleOf(snapshot))
      for (const address of own)
        if (address.includes("@") && !known.has(address.toLowerCase()) && !addresses.has(address.toLowerCase()))
          addresses.set(address.toLowerCase(), `person ${user_id}`);
  const parts = {
    names,
    objects: new Map(hidden.map((one) => [one.kind, one.objects])),
    ids: new Map(hidden.flatMap((one) => [...one.ids])),
    addresses,
    people: hide.people ? snapshot.users.map(({ full_name }) => full_name) : [],
    visible: visibleNames(plans, snapshot, kinds, names),
    known,
  };
  const redaction = redactionBy(parts, kinds);
  if (redaction === NO_REDACTION) return redaction;
  return redactionBy({ ...parts, titles: hiddenTitles(plans, snapshot, kinds, redaction) }, kinds);
}

function visibleNames(
  plans: readonly Plan[],
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
  hidden: ReadonlyMap<string, ReadonlyMap<string, ShownAs>>,
): readonly string[] {
  return kinds
    .filter(({ secrecy }) => secrecy.name === "own")
    .flatMap((kind) => {
      const own = hidden.get(kind.name);
      const all = objectsOf(kind, plans, kind.secrecy.namesIn?.(snapshot) ?? []).flatMap(namesOf);
      return all.filter((name) => own?.has(folded(name)) !== true);
    });
}

function peopleOf({ account, users }: Snapshot): readonly { user_id: number; addresses: readonly string[] }[] {
  return [
    { user_id: account.user_id, addresses: [account.email] },
    ...users.map(({ user_id, email, delivery_email }) => ({ user_id, addresses: [email, delivery_email ?? ""] })),
  ];
}

function invited(plans: readonly Plan[], snapshot: Snapshot, kinds: readonly ResourceKind[]): Map<string, string> {
  const addresses = new Map<string, string>();
  const found = kinds
    .filter(({ secrecy }) => secrecy.name === "invited")
    .flatMap(({ name: kind, section, secrecy }) => [
      ...(secrecy.namesIn?.(snapshot) ?? []).map(({ name }) => name),
      ...plans.flatMap(({ changes, unmanaged }) => [
        ...changes.flatMap((change) => (change.kind === kind ? [change.name, change.was ?? change.name] : [])),
        ...unmanaged.flatMap((item) => (item.section === section ? item.names : [])),
      ]),
    ]);
  for (const address of found)
    if (address.includes("@") && !addresses.has(address.toLowerCase()))
      addresses.set(address.toLowerCase(), `invited address ${addresses.size + 1}`);
  return addresses;
}

/** The value with replaced people. Groups and roles stay, even if channels have the same names. */
const peopleIn = (value: Json, redaction: Redaction): Json =>
  withSets(
    mapStrings(value, (text) => (text.includes("@") ? redaction.value(text) : text)),
    value,
  );

/** Sorts sets again, since the position of a replaced name would show its place in the alphabet. */
function withSets(shown: Json, value: Json): Json {
  if (isList(shown)) return sameJson(shown, value) ? shown : inShownOrder(shown, String);
  if (!isObject(shown) || !isObject(value)) return shown;
  return Object.fromEntries(Object.entries(shown).map(([key, inner]) => [key, withSets(inner, value[key] ?? null)]));
}

/** A value of a field: names are data, so texts that only look like names stay. The description of a private channel is as private as its name. */
export function redactField(address: Address, field: string, value: Json, all: Redaction, moment?: PlanSide): Json {
  const kind = kindOf(address);
  const redaction = redactionAbout([address], all);
  const secrecy = all.fieldSecrecy(kind, field);
  if (secrecy === "word") return value;
  if (secrecy === "about" && redaction !== all && typeof value === "string" && value !== "")
    return all.isPublic(value) ? redaction.value(value, moment) : LEFT_OUT;
  if (secrecy === "groups") return peopleIn(value, redaction);
  if (typeof secrecy === "object")
    return withSets(
      mapStrings(value, (text) => redaction.name(secrecy.of, text, moment)),
      value,
    );
  // A kind that calls its `name` a text about the object means a label.
  if (field === "name" && secrecy !== "about") {
    const named = mapStrings(value, (text) => redaction.name(kind, text, moment));
    if (!sameJson(named, value)) return named;
  }
  return mapStrings(value, (text) => redaction.value(text, moment));
}

const looksTheSame = (one: Json, other: Json, shownOne: Json, shownOther: Json): true | undefined =>
  sameJson(shownOne, shownOther) && !sameJson(one, other) ? true : undefined;

/** The redaction of a change, in which the names of the change mean its own object: another plan may give them to another object. */
function redactionIn({ kind, id, name, was = name }: Change, redaction: Redaction): Redaction {
  if (id === undefined) return redaction;
  const isOwn = (called: string, text: string, moment: PlanSide | undefined): boolean =>
    called === kind && text === (moment === "before" ? was : name);
  return {
    ...redaction,
    name: (called, text, moment, of) =>
      redaction.name(called, text, moment, of ?? (isOwn(called, text, moment) ? id : undefined)),
  };
}

export function redactChange(change: Change, all: Redaction): Change {
  const { kind } = change;
  const redaction = redactionIn(change, all);
  const hidden = (field: string, value: Json, moment?: PlanSide): Json =>
    redactField(change.address, field, value, redaction, moment);
  const hiddenTexts = (field: string, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map((pair) => pair.map((text) => String(hidden(field, text)))));
  const redacted = {
    address: redactAddress(change.address, redaction),
    name: redaction.name(kind, change.name, "after"),
    fields: change.fields.map((field) => {
      const before = hidden(field.field, field.before, "before");
      const after = hidden(field.field, field.after, "after");
      return {
        ...field,
        before,
        after,
        ...defined({
          renamed: field.renamed === undefined ? undefined : hiddenTexts(field.field, field.renamed),
          hidden: looksTheSame(field.before, field.after, before, after),
        }),
      };
    }),
    risks: change.risks.map((risk) => redactRisk(risk, redaction)),
  };
  return change.action === "update" && change.was !== undefined
    ? { ...change, ...redacted, was: redaction.name(kind, change.was, "before") }
    : { ...change, ...redacted };
}

/** Names are replaced in facts, so the sentence that a report makes of them has none. */
function redactRisk(risk: Risk, redaction: Redaction): Risk {
  return { ...risk, address: redactAddress(risk.address, redaction), fact: redactFact(risk.fact, redaction) };
}

function redactGuard(guard: Guard, redaction: Redaction): Guard {
  return { ...guard, name: redactPattern(guard.name, redaction), fact: redactFact(guard.fact, redaction) };
}

export function redactDiagnostic(diagnostic: Diagnostic, redaction: Redaction): Diagnostic {
  return redactFact(diagnostic, redaction);
}

/** A plan for other readers. If anything was replaced, it says so (`extra.redacted`), and nothing carries it out. */
export function redactPlan(plan: Plan, redaction: Redaction): Plan {
  return {
    ...plan,
    changes: plan.changes.map((change) => redactChange(change, redaction)),
    calls: plan.calls.map((call) => redactCall(call, redaction)),
    account: redaction.people ? { ...plan.account, email: "", full_name: "the account that runs this" } : plan.account,
    unmanaged: plan.unmanaged.map((item) => {
      return { ...item, names: item.names.map((name) => redaction.name(item.section, name, "before")) };
    }),
    guards: plan.guards.map((guard) => redactGuard(guard, redaction)),
    warnings: plan.warnings.map((warning) => redactDiagnostic(warning, redaction)),
    side_effects: {
      ...plan.side_effects,
      notices_in: plan.side_effects.notices_in.map((name) => redaction.name(CHANNEL, name, "after")),
    },
    extra: {
      ...redactExtra(plan.extra ?? {}, redaction),
      ...defined({ redacted: redaction === NO_REDACTION ? undefined : true }),
    },
  };
}

/** A call for other readers: calls of hidden objects are hidden, too. */
function redactCall(call: Call, all: Redaction): Call {
  const hidden = new RedactedParams(addressesOf(call), all);
  return {
    ...call,
    path: Object.fromEntries(
      Object.entries(call.path).map(([key, value]) => [key, typeof value === "string" ? hidden.text(value) : value]),
    ),
    params: Object.fromEntries(Object.entries(call.params).map(([key, value]) => [key, hidden.param(key, value)])),
    for: call.for.map((purpose) => ({ ...purpose, address: redactAddress(purpose.address, all) })),
    expects: call.expects.map((expectation) => ({
      ...expectation,
      address: redactAddress(expectation.address, all),
      value: redactField(expectation.address, expectation.field, expectation.value, all, "before"),
    })),
    creates: call.creates.map((address) => redactAddress(address, all)),
  };
}

/** The parameters of a call for certain objects. */
class RedactedParams {
  private readonly objects: readonly Address[];
  private readonly all: Redaction;
  private readonly redaction: Redaction;
  private readonly kinds: readonly string[];

  constructor(objects: readonly Address[], all: Redaction) {
    this.objects = objects;
    this.all = all;
    this.redaction = redactionAbout(objects, all);
    this.kinds = [...new Set(objects.map(kindOf))];
  }

  /** The name of an object of the call is replaced as its address is: a group that is called like a private channel is no secret. */
  text(text: string): string {
    const own = this.objects.find((address) => address === `${kindOf(address)}:${text}`);
    return own === undefined ? this.redaction.value(text, "after") : this.redaction.name(kindOf(own), text, "after");
  }

  param(key: string, value: Param): Param {
    const secrecy = new Set(this.kinds.map((kind) => this.all.fieldSecrecy(kind, key)));
    // If a call has objects of several kinds, only one kind has the parameter.
    if (secrecy.has("word") && !secrecy.has("about")) return value;
    const isAbout = secrecy.has("about") && this.redaction !== this.all;
    if (isAbout && typeof value === "string" && value !== "" && !this.all.isPublic(value)) return LEFT_OUT;
    return this.inner(value);
  }

  private inner(value: Param): Param {
    if (typeof value === "string") return this.text(value);
    if (isIdOf(value)) return { idOf: redactAddress(value.idOf, this.redaction) };
    if (isMinutesUntil(value) || value === null || typeof value !== "object") return value;
    if (isFileParam(value)) return { ...value, file: this.text(value.file) };
    if (isParamList(value)) return value.map((item) => this.inner(item));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [isWordOfFormat(key) ? key : this.text(key), this.param(key, item)]),
    );
  }
}

const addressesOf = (call: Call): readonly Address[] => [...call.for.map(({ address }) => address), ...call.creates];

function redactExtra({ order, rehearsal, partial, unseen, ...others }: PlanExtra, redaction: Redaction): PlanExtra {
  const rest = {
    ...others,
    ...defined({
      rehearsal: rehearsal === undefined ? undefined : redactFact(rehearsal, redaction),
      partial: partial === undefined ? undefined : redactFact(partial, redaction, undefined),
      unseen: unseen === undefined ? undefined : redactFact(unseen, redaction, undefined),
    }),
  };
  if (order === undefined) return rest;
  const shown = Object.entries(order).map(([kind, names]) => [kind, names.map((name) => redaction.name(kind, name))]);
  return { ...rest, order: Object.fromEntries(shown) };
}

function isParamList(value: Param): value is readonly Param[] {
  return Array.isArray(value);
}

/** The matrix for other readers: channels that do not change are only counted. */
export function redactAccess(access: AccessMatrix, redaction: Redaction): AccessMatrix {
  const holders = (held: Holders | undefined): Holders | undefined =>
    held === undefined ? undefined : { ...held, value: peopleIn(held.value, redaction) };
  const rows = access.rows.filter(({ isTouched }) => isTouched);
  return {
    ...access,
    rows: rows.map((row) => ({
      ...row,
      name: redaction.name(CHANNEL, row.name, "after"),
      ...defined({ was: row.was === undefined ? undefined : redaction.name(CHANNEL, row.was, "before") }),
      cells: row.cells.map((cell) => ({ ...cell, before: holders(cell.before), after: holders(cell.after) })),
    })),
    leftOut: access.rows.length - rows.length,
  };
}

function redactConflict(conflict: Conflict, redaction: Redaction): Conflict {
  const { address, field, wanted } = conflict;
  const shown = (value: Json, moment?: PlanSide): Json => redactField(address, field, value, redaction, moment);
  // What is found can be the name of either: some calls of the plan may be done.
  const [planned, found] = [shown(conflict.planned, "before"), shown(conflict.found)];
  return {
    ...conflict,
    address: redactAddress(address, redaction),
    name: redaction.name(kindOf(address), conflict.name, "after"),
    planned,
    found,
    ...defined({
      wanted: wanted === undefined ? undefined : shown(wanted, "after"),
      hidden: looksTheSame(conflict.planned, conflict.found, planned, found),
    }),
  };
}

/** What an undo leaves as it is, for other readers. */
export function redactUndoNotes(notes: readonly UndoNote[], redaction: Redaction): readonly UndoNote[] {
  return notes.map(({ kind, name, fact }) => ({
    kind,
    name: redaction.name(kind, name),
    fact: redactFact(fact, redactionAbout([`${kind}:${name}`], redaction)),
  }));
}

export function redactResult(result: ApplyResult, redaction: Redaction): ApplyResult {
  const about = new Map(result.plan.calls.map((call) => [call.n, redactionAbout(addressesOf(call), redaction)]));
  return {
    ...result,
    plan: redactPlan(result.plan, redaction),
    calls: result.calls.map((call) => ({
      ...call,
      ...defined({ fact: call.fact === undefined ? undefined : redactFact(call.fact, about.get(call.n) ?? redaction) }),
    })),
    conflicts: result.conflicts.map((conflict) => redactConflict(conflict, redaction)),
    remaining: result.remaining === null ? null : result.remaining.map((change) => redactChange(change, redaction)),
    ...defined({ came_back: result.came_back?.map((account) => redactFact(account, redaction)) }),
    diagnostics: result.diagnostics.map((diagnostic) => redactDiagnostic(diagnostic, redaction)),
  };
}
