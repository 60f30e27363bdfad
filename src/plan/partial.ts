import { FULL_MEMBERS, WAITING_PERIOD } from "../access/account.ts";
import type { PlanAccess } from "../access/of-plan.ts";
import { isAccountKind, isGroup, ORGANIZATION } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import type { TargetOption } from "../model/diagnostics/targets.ts";
import { type Pattern, quote } from "../model/diagnostics/values.ts";
import { type Dependency, type DraftCall, dependencyKey } from "../model/draft-call.ts";
import { ACCOUNT } from "../model/facets.ts";
import { namedOf } from "../model/facts.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import { namedIn, withNames } from "../model/named-in.ts";
import type { DeclaredObject, LiveObject, Pair } from "../model/objects.ts";
import type { Address, Change, FieldChange } from "../model/plan.ts";
import type { PlanPart, Targets } from "../model/plan-schema.ts";
import { didYouMean } from "../model/suggest.ts";
import { isReactivation } from "../model/tally.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { withReferences } from "./cycles.ts";
import type { Matching } from "./match.ts";
import type { Part, Realms, Section } from "./sections.ts";

/*
 * A plan of a part of what the file asks for.
 *
 * Terms. The *whole* plan is for everything in the file. *Chosen* are the objects that the part is about, *left* all others. A chosen object *needs*
 * a left one if one of its requests must be sent after one of the other's, or if it names something that the other's change creates.
 *
 * Premise. The requests of a part and the check at its end must come from one description, as everywhere. So a part is not a selection of requests:
 * it is the plan of another file, which does not mention left objects and removes only chosen ones. Risks, guards, order and rehearsal are those of
 * that file, without special rules.
 *
 * The idea.
 *     whole  = plan of the file
 *     chosen = objects that the patterns name, and everything that they need, directly or indirectly
 *     part   = plan of the file with only the chosen objects, each matched with its live object in the whole plan; names that
 *              left renames would give are put back
 *
 * What it does not do. An order that is only better (soft needs, exposure) is not a need. Needs are of whole objects: if a channel changes its
 * description and becomes a default channel, the default channel needs the channel with its description.
 */

export interface Whole {
  /** Without what is held. */
  readonly desired: Desired;
  readonly sections: readonly WholeSection[];
  /** Objects of the file of which nothing is planned, so that the sections do not have them: targets can name them. */
  readonly left: readonly Pair[];
  /** The requests of the whole plan before they are merged. */
  readonly drafts: readonly DraftCall[];
  /** Who is in which group before and after the whole plan. */
  readonly access: () => Pick<PlanAccess, "before" | "after" | "difference">;
  /** Before and after the renames of the file, with the live object of each declared one. */
  readonly realms: Realms;
}
type WholeSection = Candidates & Pick<Section, "live">;

type FoundPart =
  | { readonly ok: true; readonly part: Part; readonly chosen: ReadonlySet<Address> }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * The part of a file that targets name.
 * @param isAgain the same targets were matched in an earlier reading: their objects may no longer exist
 */
export function partOf(whole: Whole, targets: Targets, isAgain: boolean): FoundPart {
  const named = chosenIn(
    whole.sections.map((section) => ({ ...section, pairs: [...section.pairs, ...leftIn(section, whole)] })),
    targets,
  );
  if (named.diagnostics.length > 0 && !isAgain) return { ok: false, diagnostics: named.diagnostics };
  // A plan without changes would suggest that the file is already applied.
  if (!isAgain && named.isEmpty) {
    const of = targets.only.length > 0 ? "named" : "file";
    return { ok: false, diagnostics: [error("targets/nothing-left", { of })] };
  }
  const needs = new Needs(whole);
  const chosen = new Set(named.chosen);
  const taken: { readonly object: Change; readonly for: Subject }[] = [];
  const diagnostics: Diagnostic[] = [];
  const open: Subject[] = needs.subjects().filter(({ address }) => chosen.has(address));
  for (let subject = open.shift(); subject !== undefined; subject = open.shift()) {
    for (const needed of needs.of(subject)) {
      if (chosen.has(needed.address)) continue;
      const excepted = named.excepted.has(needed.address);
      chosen.add(needed.address);
      if (targets.needs === "refuse" || excepted) diagnostics.push(needDiagnostic(subject, needed, excepted));
      else taken.push({ object: needed, for: subject });
      open.push(needed);
    }
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const says: PlanPart = {
    only: targets.only.map((pattern) => ({ pattern })),
    except: targets.except.map((pattern) => ({ pattern })),
    taken_along: taken.map(({ object, for: by }) => ({ object: namedOf(object), for: namedOf(by) })),
    left_out: whole.sections.flatMap(({ kind, changes }) => {
      const left = changes.filter(({ address }) => !chosen.has(address)).length;
      return left === 0 ? [] : [{ section: kind.section, changes: left }];
    }),
  };
  return { ok: true, part: { ...restricted(whole, chosen), says }, chosen };
}

const leftIn = ({ kind }: WholeSection, { left }: Whole): readonly Pair[] =>
  left.filter((pair) => pair.kind === kind.name);

/** An object of the file, whether the whole plan changes it or not. */
type Subject = Pick<Change, "address" | "name" | "at"> & { readonly fields: readonly Pick<FieldChange, "at">[] };

function needDiagnostic(subject: Subject, needed: Change, excepted: boolean): Diagnostic {
  const is_to: DiagnosticFacts["targets/needs"]["is_to"] =
    needed.action === "create" || needed.action === "remove"
      ? needed.action
      : needed.was === undefined
        ? "change"
        : "rename";
  return error(
    "targets/needs",
    { object: namedOf(subject), needs: namedOf(needed), is_to, excepted },
    placeOf(subject),
  );
}

const placeOf = ({ at: own, fields }: Subject): Span | undefined =>
  own ?? fields.find(({ at }) => at !== undefined)?.at;

/** The objects that the changes of a plan wait for, and those that they name. */
class Needs {
  private readonly byAddress: ReadonlyMap<Address, Change>;
  private readonly draftsOf = new Map<Address, DraftCall[]>();
  private readonly providers = new Map<string, Set<Address>>();
  /** As the file has them, before groups in lists are replaced by their members. */
  private readonly written = new Map<Address, { readonly kind: ResourceKind; readonly declared: DeclaredObject }>();
  private readonly declaredOf = new Map<Address, { readonly kind: ResourceKind; readonly declared: DeclaredObject }>();
  /** Kind and key of created or reactivated objects → the change. */
  private readonly made = new Map<string, Change>();
  private readonly renamed = new Map<string, Change>();
  private readonly kinds = new Map<string, ResourceKind>();
  private readonly namesBefore: (kind: string, name: string) => string;
  private readonly access: Whole["access"];

  constructor({ desired, sections, drafts, access }: Whole) {
    this.access = access;
    this.byAddress = new Map(sections.flatMap(({ changes }) => changes.map((change) => [change.address, change])));
    for (const { kind, pairs, changes } of sections) {
      this.kinds.set(kind.name, kind);
      // Declared objects come first, in the order of the file.
      for (const [index, declared] of (desired.sections.get(kind.section) ?? []).entries()) {
        const address = pairs[index]?.address;
        if (address !== undefined) this.written.set(address, { kind, declared });
      }
      for (const { address, declared } of pairs)
        if (declared !== undefined) this.declaredOf.set(address, { kind, declared });
      for (const change of changes) {
        if (change.action === "create" || isReactivation(change))
          this.made.set(`${kind.name}\n${keyOf(kind, change.name)}`, change);
        if (change.was !== undefined) this.renamed.set(`${kind.name}\n${change.name}`, change);
      }
    }
    for (const draft of drafts.map(withReferences)) {
      const addresses = draft.for.map(({ address }) => address);
      for (const address of addresses) this.draftsOf.set(address, [...(this.draftsOf.get(address) ?? []), draft]);
      for (const key of (draft.provides ?? []).map(dependencyKey)) {
        const known = this.providers.get(key) ?? new Set();
        for (const address of addresses) known.add(address);
        this.providers.set(key, known);
      }
    }
    this.namesBefore = (kind, name) => this.renamed.get(`${kind}\n${name}`)?.was ?? name;
  }

  /** Everything that is changed, and everything else in the file: without what it copies, the part could change it. */
  subjects(): readonly Subject[] {
    const kept = [...this.written].flatMap(([address, { declared }]): Subject | readonly [] =>
      this.byAddress.has(address) ? [] : { address, name: declared.name, fields: [], at: declared.at },
    );
    return [...this.byAddress.values(), ...kept];
  }

  /** The changes that an object needs. */
  of({ address }: Subject): readonly Change[] {
    const found = new Set(this.copied(address));
    const change = this.byAddress.get(address);
    if (change !== undefined) for (const needed of [...this.awaited(change), ...this.named(change)]) found.add(needed);
    if (change !== undefined) found.delete(change);
    return [...found];
  }

  /** Changes that decide who is in the groups whose people a list has: of the groups, of those inside them, and of accounts that get another role. */
  private copied(from: Address): readonly Change[] {
    const { kind, declared } = this.written.get(from) ?? {};
    const groups = new Set(
      (kind === undefined || declared === undefined ? [] : namedIn(kind.file, declared)).flatMap(({ copies, name }) =>
        copies === true && name !== undefined ? [name] : [],
      ),
    );
    if (groups.size === 0) return [];
    const { before, after, difference } = this.access();
    // Who leaves the organization is in no list.
    const moving = [...groups]
      .map((name) => difference.members(name))
      .reduce(
        (all, { gained, lost }) => all.or(gained).or(lost.and(after.accounts.everybody)),
        after.population.nobody,
      );
    if (moving.size === 0) return [];
    // A set also visits what is added during the loop.
    for (const name of groups)
      for (const state of [before, after]) for (const inner of state.group(name)?.subgroups ?? []) groups.add(inner);
    return [...this.byAddress.values()].filter((change) => {
      if (!change.fields.some(({ field }) => OF_MEMBERS.has(field))) return false;
      if (isAccountKind(change.kind)) return change.id !== undefined && moving.has(change.id);
      return isGroup(change) ? groups.has(change.name) : change.address === ORGANIZATION && groups.has(FULL_MEMBERS);
    });
  }

  private awaited({ address }: Change): readonly Change[] {
    return (this.draftsOf.get(address) ?? [])
      .flatMap(({ needs = [] }) => needs)
      .filter(isNeed)
      .flatMap((dependency) => [...(this.providers.get(dependencyKey(dependency)) ?? [])])
      .flatMap((other) => this.byAddress.get(other) ?? []);
  }

  /** The named object, if another change creates it, or renames it and the previous name cannot be used. */
  private named({ address }: Change): readonly Change[] {
    const { kind, declared } = this.declaredOf.get(address) ?? {};
    if (kind === undefined || declared === undefined) return [];
    const before = withNames(kind.file, declared, this.namesBefore);
    return [
      ...namedIn(kind.file, declared).flatMap(({ kind: other, name }) => {
        const named = this.kinds.get(other);
        if (name === undefined || named === undefined) return [];
        return this.made.get(`${other}\n${keyOf(named, name)}`) ?? [];
      }),
      ...namedIn(kind.file, before).flatMap(({ kind: other, name }) =>
        name === undefined ? [] : (this.renamed.get(`${other}\n${name}`) ?? []),
      ),
    ];
  }
}

/** The fields of groups, accounts and the organization that decide who is in a group. */
const OF_MEMBERS: ReadonlySet<string> = new Set(["members", "subgroups", "deactivated", "role", WAITING_PERIOD]);

/** An account should be deactivated after values stop naming it, but this is not a need. */
const isNeed = ({ state }: Dependency): boolean => state !== "released";

/** The file as if it mentioned only the chosen objects, and removed nothing else. */
function restricted(
  { desired, sections, realms: { now, named, matchings } }: Whole,
  chosen: ReadonlySet<Address>,
): Pick<Part, "desired" | "matchings" | "removes" | "orders"> {
  const left = new Map<string, string>();
  for (const { kind, changes } of sections)
    for (const { address, was, name, id } of changes)
      if (was !== undefined && !chosen.has(address)) {
        left.set(`${kind.name}\n${name}`, was);
        if (kind.isAccount === true && id !== undefined)
          left.set(`${ACCOUNT}\n${named.userName(id)}`, now.userName(id));
      }
  const nameOf = (kind: string, name: string): string => left.get(`${kind}\n${name}`) ?? name;
  const kept = new Map<string, readonly DeclaredObject[]>();
  const matched = new Map<ResourceKind, Matching>();
  const removed = new Map<ResourceKind, Set<string | number>>();
  for (const { kind, pairs } of sections) {
    const declared = desired.sections.get(kind.section);
    if (declared === undefined) continue;
    const liveOf = new Map<DeclaredObject, LiveObject>();
    // Declared objects come first, in the order of the file.
    const own = declared.flatMap((object, index) => {
      const address = pairs[index]?.address;
      if (address === undefined || !chosen.has(address)) return [];
      const next = left.size === 0 ? object : withNames(kind.file, object, nameOf);
      const live = matchings.get(kind)?.liveOf.get(object);
      if (live !== undefined) liveOf.set(next, live);
      return [next];
    });
    kept.set(kind.section, own);
    matched.set(kind, { liveOf, diagnostics: [] });
    removed.set(kind, new Set(pairs.filter((pair) => isChosenRemoval(pair, chosen)).map(identityOf)));
  }
  return {
    desired: { ...desired, sections: kept },
    matchings: matched,
    removes: (kind, live) => removed.get(kind)?.has(live.id ?? live.key) === true,
    orders: ({ name }) => chosen.has(`${name}:*`),
  };
}

const isChosenRemoval = ({ declared, change, address }: Pair, chosen: ReadonlySet<Address>): boolean =>
  declared === undefined && change !== undefined && chosen.has(address);
const identityOf = ({ live }: Pair): string | number => live?.id ?? live?.key ?? "";

/** The objects of one section that targets can match: those that the file mentions, and those that it removes. */
export type Candidates = Pick<Section, "kind" | "isManaged" | "pairs" | "changes">;

interface Chosen {
  readonly chosen: ReadonlySet<Address>;
  /** Objects that `--except` names. */
  readonly excepted: ReadonlySet<Address>;
  /** Whether `--except` leaves no object. */
  readonly isEmpty: boolean;
  /** Targets that match nothing. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The objects that targets match. An order belongs to a whole section: it is chosen with all of its objects. */
export function chosenIn(sections: readonly Candidates[], { only, except }: Targets): Chosen {
  const diagnostics: Diagnostic[] = [];
  const all = new Finder(sections);
  const find = (option: TargetOption, patterns: readonly string[]): Set<Address> =>
    new Set(
      patterns.flatMap((pattern) => {
        const found = all.find(option, pattern);
        if (Array.isArray(found)) return found;
        diagnostics.push(found);
        return [];
      }),
    );
  const excepted = find("--except", except);
  const chosen = only.length === 0 ? all.everything() : find("--only", only);
  for (const address of excepted) chosen.delete(address);
  const isEmpty = chosen.size === 0 && excepted.size > 0;
  for (const { kind, pairs } of sections)
    if (pairs.filter(isCandidate).every(({ address }) => chosen.has(address))) chosen.add(`${kind.name}:*`);
  return { chosen, excepted, isEmpty, diagnostics };
}

const isCandidate = ({ declared, change }: Pair): boolean => declared !== undefined || change !== undefined;

class Finder {
  private readonly known: readonly ResourceKind[];
  private readonly sections: readonly Candidates[];

  constructor(sections: readonly Candidates[]) {
    this.known = sections.map(({ kind }) => kind);
    this.sections = sections.filter(({ isManaged }) => isManaged);
  }

  everything(): Set<Address> {
    return new Set(this.sections.flatMap(({ pairs }) => pairs.filter(isCandidate).map(({ address }) => address)));
  }

  find(option: TargetOption, pattern: string): Address[] | Diagnostic {
    const colon = pattern.indexOf(":");
    const word = colon === -1 ? pattern : pattern.slice(0, colon);
    const section = this.sections.find(({ kind }) => kind.section === word || kind.name === word);
    if (section === undefined) return this.noSection(option, word, colon === -1 ? "" : pattern.slice(colon));
    const { kind } = section;
    const pairs = section.pairs.filter(isCandidate);
    if (colon === -1) return pairs.map(({ address }) => address);
    const wanted = pattern.slice(colon + 1);
    const key = keyOf(kind, wanted);
    const found = pairs.filter((pair) => namesOf(pair).some((name) => matchesWildcard(key, keyOf(kind, name))));
    if (found.length > 0) return found.map(({ address }) => address);
    // Channels and groups are often written with the sign that they have in messages.
    const bare = wanted.replace(/^[#@]/, "");
    const meant = didYouMean(bare, pairs.flatMap(namesOf)) ?? pairs.flatMap(namesOf).find((name) => name === bare);
    return error("targets/no-match", {
      option,
      pattern: { pattern },
      section: kind.section,
      ...defined({ meant: meant === undefined ? undefined : { pattern: `${kind.name}:${meant}` } }),
    });
  }

  /** The pattern of a name alone: `general`, or `#general` as in messages. */
  private objectCalled(word: string): Pattern | undefined {
    const bare = word.replace(/^[#@]/, "");
    for (const { kind, pairs } of this.sections) {
      const name = pairs.flatMap(namesOf).find((one) => keyOf(kind, one) === keyOf(kind, bare));
      if (name !== undefined) return { pattern: `${kind.name}:${name}` };
    }
    return undefined;
  }

  /** @param rest the name behind the word, with its colon */
  private noSection(option: TargetOption, word: string, rest: string): Diagnostic {
    const known = this.known.find(({ section, name }) => section === word || name === word);
    const isKnown = known !== undefined;
    const words = this.sections.flatMap(({ kind }) => [kind.section, kind.name]);
    const meant_object = isKnown ? undefined : this.objectCalled(word);
    // "group" is short for "user_group".
    const short = this.sections.filter(({ kind: { name, section } }) =>
      [name, section].some((one) => one.endsWith(`_${word}`)),
    );
    const [only] = short.length === 1 ? short : [];
    // channel/general, channel=general
    const [, before = "", behind = ""] = /^(\w+)\W(.+)$/.exec(word) ?? [];
    const [kind, name] = words.includes(before)
      ? [before, `:${behind}`]
      : [only?.kind.name ?? didYouMean(word, words), rest];
    const meant = isKnown || meant_object !== undefined || kind === undefined ? undefined : `${kind}${name}`;
    return error("targets/section", {
      option,
      name: quote(known?.section ?? word),
      found: isKnown ? "absent" : "unknown",
      ...defined({ meant, meant_object }),
      sections: this.sections.map(({ kind }) => kind.section),
    });
  }
}

/** The names of an object that a person may know: before a rename, after it, and as the server writes it. */
function namesOf({ declared, live, change }: Pair): readonly string[] {
  return [...new Set([change?.name, declared?.name, declared?.was, live?.name].filter((name) => name !== undefined))];
}
