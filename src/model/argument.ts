import { EXIT, error, Failure } from "./diagnostic.ts";
import type { ArgumentFact } from "./diagnostics/command-line.ts";
import { quote } from "./diagnostics/values.ts";

/** What is wrong with an argument: the place in it (`.style.width`, empty for all of it), and what was expected there. */
export type WrongArgument = Omit<ArgumentFact, "call">;

/** Undefined if the value has the form. The compiler checks that it takes every value of `T`; `takes` is never there. */
export interface ArgumentCheck<in T> {
  (value: unknown): WrongArgument | undefined;
  readonly takes?: (value: T) => void;
}

/** An argument that only a program without types can pass. @throws Failure */
export function refuseWrong<T>(call: string, argument: string, check: ArgumentCheck<T>, value: unknown): void {
  const wrong = check(value);
  if (wrong === undefined) return;
  const fact = { call, ...wrong, argument: `${argument}${wrong.argument}` };
  throw new Failure(EXIT.errors, error("use/wrong-argument", fact));
}

export function wrong(value: unknown, expected: WrongArgument["expected"]): WrongArgument {
  return { argument: "", expected, found: formOf(value) };
}

function formOf(value: unknown): WrongArgument["found"] {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  const type = typeof value;
  return type === "string" ? "text" : type;
}

export function oneOf<const T extends string | number>(...choices: readonly T[]): ArgumentCheck<T> {
  return (value) => {
    if (choices.some((choice) => choice === value)) return undefined;
    const found = wrong(value, { one_of: choices.map(String) });
    return typeof value === "string" ? { ...found, written: quote(value) } : found;
  };
}

export const aString: ArgumentCheck<string> = (value) => (typeof value === "string" ? undefined : wrong(value, "text"));
