/** The settings of a new object, in words for the reference. */
export const creationDefaults = (table: { readonly [setting: string]: { readonly standard: string } }) =>
  Object.fromEntries(
    Object.entries(table).map(([setting, { standard }]) => [
      setting,
      standard.startsWith("role:") ? `\`${standard}\`` : "the account that creates it",
    ]),
  );
