import { clean } from "../../model/clean.ts";
import { NEWEST_KNOWN_LEVEL } from "../../model/releases.ts";
import { padTo } from "../style.ts";
import { roleName } from "../words/names.ts";

/** The messages of `realmctl sandbox` when it starts. */
interface Running {
  readonly url: string;
  readonly featureLevel: number;
  /** The accounts, each with its key, or with the file that has the key. */
  readonly accounts: readonly { readonly email: string; readonly secret: string; readonly about: string }[];
  readonly areKeysInFiles: boolean;
  readonly standsFor: string | undefined;
  readonly lacksSubscribers: boolean;
  /** A command to try it with. */
  readonly command: string | undefined;
}

export function sandboxText(running: Running): string {
  const { accounts, standsFor, command } = running;
  const emailWidth = Math.max(...accounts.map(({ email }) => email.length)) + 2;
  const secretWidth = Math.max(...accounts.map(({ secret }) => secret.length)) + 2;
  return [
    running.url,
    `  feature level ${running.featureLevel} · accounts with their ${running.areKeysInFiles ? "zuliprc files" : "API keys"}:`,
    ...accounts.map(
      ({ email, secret, about }) => `  ${padTo(clean(email), emailWidth)}${padTo(secret, secretWidth)}${clean(about)}`,
    ),
    ...(running.featureLevel > NEWEST_KNOWN_LEVEL
      ? [
          `  The newest level that is known here is ${NEWEST_KNOWN_LEVEL}: what servers changed later, the sandbox does not do.`,
        ]
      : []),
    ...(standsFor === undefined
      ? []
      : [`  Files with \`realm: ${clean(standsFor)}\` are planned and applied here too.`]),
    ...(running.lacksSubscribers
      ? ["  Nobody is subscribed to any channel: the snapshot was taken without subscribers."]
      : []),
    ...(command === undefined ? [] : [`  Try: ${command}`]),
    "  Stop with Ctrl-C.",
    "",
  ].join("\n");
}

export function accountText(user: {
  readonly full_name: string;
  readonly is_bot: boolean;
  readonly role: number;
  readonly is_active: boolean;
}): string {
  return `${user.full_name} (${user.is_bot ? "bot, " : ""}${roleName(user)}${user.is_active ? "" : ", deactivated"})`;
}
