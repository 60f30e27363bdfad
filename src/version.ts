declare const REALMCTL_VERSION: string | undefined;

/** The version in package.json, which the build inserts; `dev` when the sources run unbundled (tests). */
export const VERSION: string =
  typeof REALMCTL_VERSION === "undefined" || REALMCTL_VERSION === undefined ? "dev" : REALMCTL_VERSION;
