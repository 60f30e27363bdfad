import { type Command, Option } from "commander";
import { VERSION } from "../version.ts";
import type { CredentialFlags } from "../zulip/credentials.ts";
import { deadlineSeconds, timeoutSeconds } from "./deadline.ts";

/** Flags of every command that talks to a server; the environment and zuliprc fill what is left out (zulip-api.md §13.2). */
export interface ConnectionFlags extends CredentialFlags {
  /** The time limit for one answer, in seconds. */
  readonly timeout?: number;
  /** Seconds that the whole command may take. */
  readonly deadline?: number;
  /** Whether only errors are shown, and no messages about waiting. */
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
  /** Not a flag: the output of this organization is shown later, beside that of others, and waiting is not reported. */
  readonly isShownLater?: boolean;
}

/** Whether reports leave nothing out. */
export const showsAll = ({ all, verbose }: { readonly all?: boolean; readonly verbose?: boolean }): boolean =>
  all === true || verbose === true;

/** The heading in a command's help; below the command's own options. */
export const CONNECTION_GROUP = "Connection:";

/** Options of realmctl itself, before any command. */
export function withGlobalFlags(command: Command): Command {
  return command
    .helpOption("-h, --help", "show this help")
    .version(VERSION, "-V, --version", "print the version")
    .helpCommand("help [command]", "show the help of a command");
}

/** Flags of every command. */
export function withOutputFlags(command: Command): Command {
  return command.option("--no-color", "no colour, even if the terminal has colours");
}

export function withConnectionFlags(command: Command): Command {
  return withOutputFlags(command)
    .optionsGroup(CONNECTION_GROUP)
    .option("--site <url>", "the organization's address (default: ZULIP_SITE, then zuliprc)")
    .option("--email <address>", "the account that acts (default: ZULIP_EMAIL, then zuliprc)")
    .addOption(
      new Option(
        "--key <key>",
        "its API key; other users of this machine can see it here, so prefer ZULIP_API_KEY or a zuliprc",
      ),
    )
    .option("--zuliprc <file>", "the file with the credentials (default: ZULIP_CONFIG, then ~/.zuliprc)")
    .option("--cert-bundle <file>", "certificates to trust instead of the system's, in PEM")
    .option("--insecure", "do not check the server's certificate")
    .option(
      "--timeout <time>",
      "how long the server may take for one answer, such as 90s or 5m; a number alone means seconds (default: 60s)",
      timeoutSeconds,
    )
    .option(
      "--deadline <time>",
      "how long the whole command may take, such as 90s, 10m or 2h; a number alone means seconds; an apply then stops between two calls (default: REALMCTL_DEADLINE, else no limit)",
      deadlineSeconds,
    )
    .option("--verbose", "leave nothing out of reports, and trace every request on stderr, without keys")
    .optionsGroup("Options:");
}
