import { byText } from "../texts.ts";
import type { Definition } from "./definition.ts";
import type { DiagnosticFacts } from "./facts.ts";
import * as topics from "./topics.ts";

type Definitions = { readonly [C in keyof DiagnosticFacts]: Definition<DiagnosticFacts[C]> };

const DEFINITIONS: Definitions = Object.assign({}, ...Object.values(topics));

export const definitionOf = <C extends keyof Definitions>(code: C): Definitions[C] => DEFINITIONS[code];

/** Every code, sorted, with its definition. */
export const definitions = (): readonly (readonly [code: string, Pick<Definition<never>, "means" | "out">])[] =>
  Object.entries<Pick<Definition<never>, "means" | "out">>(DEFINITIONS).sort(([a], [b]) => byText(a, b));
