import { byText } from "../texts.ts";
import type { Definition } from "./definition.ts";
import * as topics from "./topics.ts";

type Topics = typeof topics;
type FactsOf<Topic> = {
  readonly [Code in keyof Topic]: Topic[Code] extends Definition<infer Fact> ? Readonly<Fact> : never;
};
/** The facts of all topics in one type. */
type Together<Facts> = (Facts extends unknown ? (facts: Facts) => void : never) extends (facts: infer All) => void
  ? All
  : never;

/** Code → the facts of a diagnostic with this code, as its definition has them. */
export interface DiagnosticFacts extends Together<{ [T in keyof Topics]: FactsOf<Topics[T]> }[keyof Topics]> {}

type Definitions = { readonly [C in keyof DiagnosticFacts]: Definition<DiagnosticFacts[C]> };

const DEFINITIONS: Definitions = Object.assign({}, ...Object.values(topics));

export const definitionOf = <C extends keyof Definitions>(code: C): Definitions[C] => DEFINITIONS[code];

/** Every code, sorted, with its definition. */
export const definitions = (): readonly (readonly [code: string, Pick<Definition<never>, "means" | "out">])[] =>
  Object.entries<Pick<Definition<never>, "means" | "out">>(DEFINITIONS).sort(([a], [b]) => byText(a, b));
