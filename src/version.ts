declare const REALMCTL_VERSION: string | undefined;

/** Of package.json, put in by the build; `dev` when the sources run unbundled (tests). */
export const VERSION: string =
  typeof REALMCTL_VERSION === "undefined" || REALMCTL_VERSION === undefined ? "dev" : REALMCTL_VERSION;
