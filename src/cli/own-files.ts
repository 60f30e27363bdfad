import { isObject } from "../model/json.ts";
import type { OwnFormat, WrittenFile } from "../model/own-format.ts";

/** Whether realmctl wrote this text itself. Then another file of the same format replaces it without a question. */
export function isOwn(format: OwnFormat, text: string): boolean {
  return RECOGNISE[format](text);
}

/** The format of a text that was read as configuration and is a file of realmctl instead; undefined for any other text. */
export function ownFormat(text: string): WrittenFile | undefined {
  if (/^\s*\{\s*"entry":\s*"start"/.test(text)) return "journal";
  return (["plan", "snapshot"] as const).find((each) => isOwn(each, text));
}

const RECOGNISE: { readonly [format in OwnFormat]: (text: string) => boolean } = {
  plan: (text) => /^\s*\{\s*"format":\s*"realmctl\.plan"/.test(text),
  snapshot: (text) => /^\s*\{\s*"format":\s*"realmctl\.snapshot"/.test(text),
  "sync-status": (text) => /^\s*\{\s*"format":\s*"realmctl\.sync-status"/.test(text),
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
