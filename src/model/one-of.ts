/**
 * A choice that a program made. The type says which ones there are, and a program in JavaScript can ignore it.
 * @throws RangeError that says which choices there are
 */
export function oneOf<const Choice extends string>(option: string, given: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === given);
  if (found === undefined)
    throw new RangeError(
      `${option} must be one of ${choices.join(", ")}, not ${JSON.stringify(given) ?? typeof given}`,
    );
  return found;
}
