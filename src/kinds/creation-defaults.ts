/** The settings of a new object, in words for the reference. */
export const creationDefaults = (table: { readonly [setting: string]: { readonly atCreation: string } }) =>
  Object.fromEntries(
    Object.entries(table).map(([setting, { atCreation }]) => [
      setting,
      atCreation.startsWith("role:") ? `\`${atCreation}\`` : "the account that creates it",
    ]),
  );
