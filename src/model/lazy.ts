type Fields<T> = { readonly [name: string]: T };

/**
 * Puts a field on an object whose value is worked out when it is first looked at: of the lists of everybody in a channel or group a plan
 * mostly looks at none. Whoever copies the object with `...` looks at it; {@link overlaid} does not.
 * @param make plain: the same value whenever it is called
 */
export function lazily<T>(object: { [name: string]: T }, name: string, make: () => T): void {
  let known: { readonly value: T } | undefined;
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      known ??= { value: make() };
      return known.value;
    },
  });
}

/** The fields of the first object, and over them those of the second. What was not worked out yet stays so. */
export function overlaid<T>(below: Fields<T>, above: Fields<T>): Fields<T> {
  const made: { [name: string]: T } = {};
  for (const fields of [below, above]) Object.defineProperties(made, Object.getOwnPropertyDescriptors(fields));
  return made;
}
