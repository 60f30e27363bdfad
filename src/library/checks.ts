import { type ArgumentCheck, refuseWrong, type WrongArgument, wrong } from "../model/argument.ts";

/** A check of each property: one that is missing here is a type error. */
export type Checks<T> = { readonly [K in keyof T]-?: ArgumentCheck<T[K]> };

type NeverFails = (...given: never) => unknown;

function ofType<T>(type: "number" | "boolean" | "function"): ArgumentCheck<T> {
  return (value) => (typeof value === type ? undefined : wrong(value, type));
}
export const aNumber = ofType<number>("number");
export const aFlag = ofType<boolean>("boolean");
export const aFunction = ofType<NeverFails>("function");

/** Checks the tag of an object, since an object of another JavaScript realm is not an instance of the classes of this one. */
const tagged = (expected: "Map" | "Set" | "AbortSignal") => (value: unknown) =>
  Object.prototype.toString.call(value) === `[object ${expected}]` ? undefined : wrong(value, expected);
export const aMap: ArgumentCheck<ReadonlyMap<string, unknown>> = tagged("Map");
export const aSet: ArgumentCheck<ReadonlySet<string>> = tagged("Set");
export const aSignal: ArgumentCheck<AbortSignal> = tagged("AbortSignal");

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const anObject: ArgumentCheck<object> = (value) => (isObject(value) ? undefined : wrong(value, "object"));

export const maybe =
  <T>(check: ArgumentCheck<T>): ArgumentCheck<T | undefined> =>
  (value) =>
    value === undefined ? undefined : check(value);

export const orNull =
  <T>(check: ArgumentCheck<T>): ArgumentCheck<T | null> =>
  (value) =>
    value === null ? undefined : check(value);

const inside = (found: WrongArgument | undefined, place: string): WrongArgument | undefined =>
  found === undefined ? undefined : { ...found, argument: `${place}${found.argument}` };

export function listOf<T>(check: ArgumentCheck<T>): ArgumentCheck<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return wrong(value, "list");
    for (const [at, item] of value.entries()) {
      const found = inside(check(item), `[${at}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
export const objects = listOf(anObject);

export function fields<T extends object>(checks: Checks<T>): ArgumentCheck<T> {
  const names = Object.keys(checks);
  return (value) => {
    if (!isObject(value)) return wrong(value, "object");
    for (const name of names) {
      const check: ArgumentCheck<never> = Reflect.get(checks, name);
      const found = inside(check(Reflect.get(value, name)), `.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Checks objects of several forms, which one property distinguishes. */
export function variants<T extends object>(
  key: keyof T & string,
  choice: ArgumentCheck<T[keyof T & string]>,
  forms: { readonly [value: string]: ArgumentCheck<never> },
): ArgumentCheck<T> {
  return (value) => {
    if (!isObject(value)) return wrong(value, "object");
    const chosen: unknown = Reflect.get(value, key);
    return inside(choice(chosen), `.${key}`) ?? forms[String(chosen)]?.(value);
  };
}

/** The checks of the arguments of a function, by their names and in order. */
type ArgumentChecks<A extends readonly unknown[]> = {
  readonly [I in keyof A]-?: readonly [name: string, check: ArgumentCheck<A[I]>];
};

function refuse(call: string, checks: readonly (readonly [string, ArgumentCheck<never>])[], given: readonly unknown[]) {
  for (const [at, [name, check]] of checks.entries()) refuseWrong(call, name, check, given[at]);
}

/** The function, which first checks its arguments. @throws Failure if one of them has another form */
export function checked<A extends readonly unknown[], R>(
  call: string,
  run: (...given: A) => R extends Promise<unknown> ? never : R,
  ...checks: ArgumentChecks<A>
): (...given: A) => R {
  return (...given) => {
    refuse(call, checks, given);
    return run(...given);
  };
}

/** The same as {@link checked} for a function with a promise: an argument of another form rejects the promise. */
export function checkedLater<A extends readonly unknown[], R>(
  call: string,
  run: (...given: A) => Promise<R>,
  ...checks: ArgumentChecks<A>
): (...given: A) => Promise<R> {
  return async (...given) => {
    refuse(call, checks, given);
    return run(...given);
  };
}
