import { defined } from "../model/defined.ts";
import { type Diagnostic, error } from "../model/diagnostic.ts";
import type { TargetOption } from "../model/diagnostics/targets.ts";
import { type Pattern, quote } from "../model/diagnostics/values.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import type { Pair } from "../model/objects.ts";
import type { Address, Change } from "../model/plan.ts";
import type { Targets } from "../model/plan-schema.ts";
import { didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";

/** The objects of one section that targets can match: those that the file mentions, and those that it removes. */
export interface Candidates {
  readonly kind: ResourceKind;
  readonly isManaged: boolean;
  readonly pairs: readonly Pair[];
  readonly changes: readonly Change[];
}

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
