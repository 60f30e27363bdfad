import type { Unseen, UnseenWhat } from "../../model/coverage.ts";
import type { Quoted } from "../../model/diagnostics/values.ts";
import type { Plan } from "../../model/plan.ts";
import { listNames } from "../../model/words.ts";
import { called, roleName } from "./names.ts";

/** More names than this are counted. */
const MOST_NAMED = 6;

/** What the account does not see of the file, in one sentence. Without it, "No drift" would promise too much. */
export function unseenText({ account, extra }: Pick<Plan, "account" | "extra">): string {
  const unseen = extra?.unseen ?? [];
  if (unseen.length === 0) return "";
  // Two sections have invitations.
  const parts = new Set(unseen.flatMap(({ what, names }) => (what === undefined ? [] : [WORDS[what](names)])));
  const namers = unseen.flatMap(({ what, names }) => (what === undefined ? names.map(nameOf) : []));
  const more = namers.length === 0 ? "" : `, nor is what names it: ${listNames(namers, MOST_NAMED)}`;
  return `${accountText(account)} does not see ${listNames([...parts])}. None of that is compared${more}.`;
}

type Account = Pick<Plan["account"], "full_name" | "is_bot"> & Parameters<typeof roleName>[0];

const accountText = (account: Account): string =>
  `${account.full_name} (${account.is_bot ? "bot, " : ""}${roleName(account)})`;

/** What is missing in an exported file; empty if nothing is. */
export function unexportedText(account: Account, whats: readonly UnseenWhat[]): string {
  if (whats.length === 0) return "";
  const parts = [...new Set(whats.map((what) => WORDS[what]([])))];
  return `${accountText(account)} does not see ${listNames(parts)}: the file does not have them, and leaves them alone.`;
}

/** Above a section of a file that an account exported which does not see all of it. */
export const unseenComment = (what: UnseenWhat): string =>
  `not here, since the account that exported this does not see them: ${WORDS[what]([])}`;

const nameOf = ({ quoted, of = "" }: Quoted): string => called({ address: `${of}:${quoted}`, name: quoted });

const WORDS = {
  "private-channels": (names) =>
    names.length === 0
      ? "private channels that it is not in"
      : `private channels that it is not in (perhaps ${listNames(names.map(nameOf), MOST_NAMED)})`,
  "others-invitations": () => "invitations that others sent",
  invitations: () => "invitations",
  addresses: ({ length }) => `addresses of people (${length} of the file)`,
} as const satisfies { readonly [what in UnseenWhat]: (names: Unseen["names"]) => string };
