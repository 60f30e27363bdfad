import type { Definition } from "./definition.ts";
import type * as topics from "./topics.ts";

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
