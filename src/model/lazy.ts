/**
 * Puts a field on an object whose value is worked out when it is first looked at: of the lists of everybody in a channel or group a plan
 * mostly looks at none. Whoever copies the object looks at it.
 * @param make plain: the same value whenever it is called
 */
export function lazily<T>(object: { [name: string]: T }, name: string, make: () => T): void {
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      const value = make();
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      return value;
    },
  });
}
