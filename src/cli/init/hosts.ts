/** Whose jobs the files are for; `shell` is a script for everything else. */
export const CI_HOSTS = ["github", "gitlab", "forgejo", "gitea", "shell"] as const;
export type CiHost = (typeof CI_HOSTS)[number];
