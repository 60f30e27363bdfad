import type { GuardFact, Named } from "../facts.ts";
import type { Span } from "../span.ts";
import type { BrokenRule, RuleSubject, RuleUnknown } from "./broken-rules.ts";
import { say, type Words } from "./words.ts";

/** Everything about one code. `DiagnosticFacts` has the type of its facts from here, and code that raises it has no other list. */
export interface Definition<Fact> {
  /** What is wrong, in one sentence; or all sentences, if each depends on the same cause. */
  readonly says: Said<Fact, string | Words>;
  /** The way out, in one sentence. */
  readonly help?: Said<Fact, string | undefined>;
  /** The code's meaning, for `realmctl explain`. The first sentence is the title in lists. */
  readonly means: string;
  /** What to do about it, for `realmctl explain`. */
  readonly out: string;
}

/** The same for every fact, or made of it. Hidden names are replaced in a fact before it comes here, so no sentence can show one. */
type Said<Fact, Text> = Text | ((fact: Fact, report: ReportWords) => Text);

export function wordsFrom<Fact>({ says, help }: Definition<Fact>, fact: Fact, report: ReportWords): Words {
  const said = typeof says === "function" ? says(fact, report) : says;
  return typeof said === "string" ? say(said, typeof help === "function" ? help(fact, report) : help) : said;
}

/**
 * A definition with facts of this type. The kinds of facts have types of their own (`values.ts`): a text that somebody wrote is {@link Quoted}, an
 * account a `Person`, an object {@link Named}; every other text is a `Word`. Redaction finds them by their form.
 */
export function diagnostic<Fact extends object = Record<never, never>>(definition: Definition<Fact>): Definition<Fact> {
  return definition;
}

/** What reports say elsewhere, too, and a few sentences here contain. */
export interface ReportWords {
  readonly brokenText: (broken: BrokenRule) => string;
  readonly called: (object: Named) => string;
  readonly changeName: (change: {
    readonly action: "update" | "reorder";
    readonly kind: string;
    readonly name: string;
    readonly singleton?: true;
  }) => string;
  readonly counted: (section: string, number: number) => string;
  readonly guardText: (guard: { readonly name: string; readonly fact: GuardFact }) => string;
  readonly isOrganization: (address: string) => boolean;
  readonly objectName: (kind: string, name: string) => string;
  /** How a rule names objects of the kind. */
  readonly patternOf: (kind: string) => string;
  readonly pluralOf: (kind: string) => string;
  readonly subjectText: (subject: RuleSubject) => string;
  readonly unknownTexts: (reasons: readonly RuleUnknown[]) => readonly string[];
  readonly wayThrough: (guard: {
    readonly name: string;
    readonly rule?: Span | undefined;
    readonly fact: GuardFact;
  }) => string;
}
