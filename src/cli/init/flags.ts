import { CONNECTION, type ConnectionFlags, PICTURES_FROM, SCHEMA } from "../flags.ts";
import { type FlagsOf, option } from "../options.ts";

/** The hosts for which job files exist; `shell` is a script for all others. */
export const CI_HOSTS = ["github", "gitlab", "forgejo", "gitea", "shell"] as const;
export type CiHost = (typeof CI_HOSTS)[number];

export const INIT = [
  ...CONNECTION,
  option("--file <file>", "where to write the organization", { default: "realm.yaml" }),
  option(
    "--kinds <sections>",
    "what to manage, separated by commas: channels,linkifiers (default: asks; without a terminal, all that it can read)",
  ),
  option(
    "--policy <policy>",
    "what happens to objects that are not in the file (default: asks; without a terminal, additive)",
    { choices: ["additive", "exact", "ignore"] },
  ),
  option(
    "--unset <meaning>",
    "the meaning of a field that the file leaves out; default: it must have the value that the server gives to new objects, and drift watches it (default: asks; without a terminal, default)",
    { choices: ["leave", "default"] },
  ),
  SCHEMA,
  option(
    "--workflows [host]",
    "also write CI jobs: they plan each pull request, apply what was merged and check for drift every night; without a host, for GitHub (.github/workflows/realmctl-*.yml). Does not replace existing files; if there is a configuration, writes only the jobs (default: asks)",
    { choices: CI_HOSTS },
  ),
  option(
    "--action <owner/repository@commit>",
    "the value of `uses:` in the workflows (default: the repository on GitHub and the commit that this realmctl was cloned from)",
  ),
  option(
    "--package <package>",
    "what the jobs of GitLab, Forgejo and Gitea install with npm: name@version, or the https address of a tarball or Git repository (default: this realmctl, if it was installed from a release)",
  ),
  PICTURES_FROM,
  option("--no-workflows", "write no workflows, and do not ask about them"),
  option("--yes", "write without asking"),
  option("--force", "with --yes: replace the file if it exists"),
];
export type InitFlags = FlagsOf<typeof INIT> & ConnectionFlags;
