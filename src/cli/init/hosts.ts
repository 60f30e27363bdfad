/** The hosts for which job files exist; `shell` is a script for all others. */
export const CI_HOSTS = ["github", "gitlab", "forgejo", "gitea", "shell"] as const;
export type CiHost = (typeof CI_HOSTS)[number];
