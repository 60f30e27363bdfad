import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error } from "../model/diagnostic.ts";
import { isLoopbackUrl } from "../model/loopback.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { withoutTrailingSlashes } from "../model/texts.ts";

/** An error if the file names another organization than this one: nothing else in the file can be checked here. */
export function otherRealm(desired: Pick<Desired, "realm">, snapshot: Snapshot): Diagnostic | undefined {
  if (desired.realm === undefined || standsFor(snapshot.realm, desired.realm.url)) return undefined;
  return error(
    "realm/other-realm",
    { what: "file", url: desired.realm.url, found: snapshot.realm.url },
    desired.realm.at,
  );
}

/**
 * The organization with this URL, or a sandbox made from it. Requests to a sandbox stay on this machine, whatever organization it claims to be. A
 * sandbox of another organization, or another server, can never take the place of the real one.
 */
export function standsFor(realm: Snapshot["realm"], url: string): boolean {
  if (sameUrl(realm.url, url)) return true;
  return realm.sandbox_of !== undefined && isLoopbackUrl(realm.url) && sameUrl(realm.sandbox_of, url);
}

/** Case and a trailing slash make no difference. */
export function sameUrl(a: string, b: string): boolean {
  const bare = (url: string) => withoutTrailingSlashes(url).toLowerCase();
  return bare(a) === bare(b);
}
