import { clean } from "../../model/clean.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { count } from "../../model/words.ts";
import { dotted, type Style, unglued } from "../style.ts";
import { type LimitFact, limitText } from "../whoami.ts";
import { roleName } from "../words/names.ts";

/** Questions of `init`, and what their answers mean. */
export const QUESTIONS = {
  address: "Address of the organization, or path of a zuliprc",
  email: "E-mail address of the account (a person's, or a bot's)",
  key: "Its API key (Settings → Account & privacy → API key)",
  sections: "What should realmctl manage?",
  undeclared: "Objects that are not in the file",
  unset: "Settings that the file does not name, because they have the server's defaults",
  workflows: "GitHub workflows: plan pull requests, apply what is merged, check for drift every night",
  action: "Where is realmctl on GitHub, and which commit do you trust? (owner/repository@commit)",
} as const;

export const CHOICES = {
  undeclared: [
    { value: "additive", label: "leave them alone", hint: "additive" },
    { value: "exact", label: "remove them", hint: "exact: channels are archived, groups deactivated" },
  ],
  unset: [
    { value: "default", label: "watch them: they keep the server's defaults", hint: "recommended; unset: default" },
    { value: "leave", label: "leave them alone: anybody may change them", hint: "unset: leave" },
  ],
  workflows: [
    { value: "no", label: "no", hint: "later: realmctl init --workflows" },
    { value: "yes", label: "yes", hint: "four files in .github/workflows" },
  ],
} as const;

export const SEE_LIMITS = "see the limits above";
export const ONCE_MORE = "Try again, or press Ctrl-C to stop.\n";

/** Which organization it is, and as whom it was read. */
export function signedIn(
  { account, server, realm }: Snapshot,
  limits: readonly LimitFact[],
  style: Style,
): readonly string[] {
  const who = `${account.full_name} (${account.email})`;
  const what = account.is_bot ? `bot, ${roleName(account)}` : roleName(account);
  const facts = dotted(style, [`Zulip ${server.zulip_version}`, `feature level ${server.feature_level}`]);
  return [
    `Organization   ${realm.name} (${realm.url})`,
    `Signed in as   ${who}, ${what}`,
    `Server         ${unglued(facts)}`,
    ...(limits.length === 0 ? [] : ["This account has limits:", ...limits.map((limit) => `  - ${limitText(limit)}`)]),
  ].map(clean);
}

export const checkedFile = (file: string): string =>
  `Checked: planning ${clean(file)} against the organization changes nothing.\n`;
/** Only jobs were asked for. */
export const keptFile = (file: string): string => `${clean(file)} stays as it is: only the CI jobs are written.\n`;
/** @param command shows the changes */
export const changedMeanwhile = (file: string, changes: number, command: string): string =>
  `Planning ${clean(file)} finds ${count(changes, "change", "changes")}: somebody changed the organization meanwhile. Show them: ${command}\n`;

/** The comment above what `init` adds to .gitignore. */
export const IGNORED_TITLE = "# realmctl: journals, saved plans and credentials";
