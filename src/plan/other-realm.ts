import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error } from "../model/diagnostic.ts";
import type { Snapshot } from "../model/snapshot.ts";

/** A file that names its realm is not held against another one; nothing else about it can be judged there. */
export function otherRealm(desired: Desired, snapshot: Snapshot): Diagnostic | undefined {
  if (desired.realm === undefined || sameUrl(desired.realm.url, snapshot.realm.url)) return undefined;
  return error(
    "realm/other-realm",
    { what: "file", url: desired.realm.url, found: snapshot.realm.url },
    desired.realm.at,
  );
}

/** Case and a slash at the end make no other realm. */
export function sameUrl(a: string, b: string): boolean {
  const bare = (url: string) => url.replace(/\/+$/, "").toLowerCase();
  return bare(a) === bare(b);
}
