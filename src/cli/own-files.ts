import { isObject } from "../model/json.ts";

/** What realmctl writes into files that the command line names, and nobody edits. */
export type OwnFormat = "plan" | "snapshot" | "sandbox-data" | "sandbox-accounts" | "sandbox-zuliprc";

/** What messages call them. */
export const OWN_NAMES = {
  plan: "plan that realmctl saved",
  snapshot: "snapshot that realmctl took",
  "sandbox-data": "organization that a sandbox saved",
  "sandbox-accounts": "list of a sandbox's accounts",
  "sandbox-zuliprc": "zuliprc of a sandbox",
} as const satisfies Record<OwnFormat, string>;

/** Did realmctl write this text itself? Then another of the same format takes its place without a question. */
export function isOwn(format: OwnFormat, text: string): boolean {
  return RECOGNISE[format](text);
}

/** What a text is that is read as configuration and is none; undefined for every other. */
export function ownName(text: string): string | undefined {
  if (/^\s*\{\s*"entry":\s*"start"/.test(text)) return "journal of a run (realmctl apply --undo takes it)";
  const format = (["plan", "snapshot"] as const).find((each) => isOwn(each, text));
  return format === undefined ? undefined : OWN_NAMES[format];
}

const RECOGNISE: { readonly [format in OwnFormat]: (text: string) => boolean } = {
  plan: (text) => /^\s*\{\s*"format":\s*"realmctl\.plan"/.test(text),
  snapshot: (text) => /^\s*\{\s*"format":\s*"realmctl\.snapshot"/.test(text),
  "sandbox-data": isState,
  "sandbox-accounts": isAccounts,
  "sandbox-zuliprc": (text) =>
    /^\[api\]\nemail=\S+\nkey=[A-Za-z0-9]{32}\nsite=http:\/\/(127\.0\.0\.1|localhost):\d+\n$/.test(text),
};

/** The state of a sandbox: a snapshot and a recording have none of these. */
function isState(text: string): boolean {
  const json = parsed(text);
  return isObject(json) && isObject(json.next_id) && isObject(json.user_settings_defaults) && isObject(json.channels);
}

function isAccounts(text: string): boolean {
  const json = parsed(text);
  return (
    isObject(json) &&
    Object.values(json).every((account) => isObject(account) && Object.keys(account).sort().join() === "api_key,email")
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
