import { namedOf } from "../model/facts.ts";
import { keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { GuardPolicy } from "../model/policy.ts";
import type { Realm } from "../model/realm.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import type { Found } from "./guard-found.ts";

/**
 * Protection is held against what the server has, not against the file: an object whose name matches is not touched, whether the
 * file declares it, renames it, or no longer mentions it.
 */
export function protectGuards(
  plan: Plan,
  protect: GuardPolicy["protect"],
  realm: Realm,
  kinds: readonly ResourceKind[],
): readonly Found[] {
  const quiet: { pattern: string; is_there: boolean }[] = [];
  const hits: Found[] = [];
  const said = new Set<string>();
  for (const { pattern, at: rule } of protect) {
    if (said.has(pattern)) continue;
    said.add(pattern);
    const [name = "", glob = ""] = split(pattern);
    const kind = kinds.find((candidate) => candidate.name === name || candidate.section === name);
    if (kind === undefined) continue;
    const isProtected = (key: string): boolean => matchesWildcard(keyOf(kind, glob), key);
    const live = liveObjects(kind, realm) ?? [];
    const touched = plan.changes.filter(
      (change) => change.kind === kind.name && liveKeys(change, kind, realm, glob).some(isProtected),
    );
    for (const change of touched) {
      const at = change.at ?? change.fields.find((field) => field.at !== undefined)?.at;
      hits.push({
        name: `protect:${pattern}`,
        about: {
          kind: "protected",
          pattern,
          object: namedOf(change),
          action: change.action,
          fields: change.fields.map(({ field }) => field),
        },
        hit: true,
        ...(at === undefined ? {} : { at }),
        ...(rule === undefined ? {} : { rule }),
      });
    }
    if (touched.length === 0) quiet.push({ pattern, is_there: live.some(({ key }) => isProtected(key)) });
  }
  return quiet.length === 0
    ? hits
    : [{ name: "protect", about: { kind: "untouched", patterns: quiet }, hit: false }, ...hits];
}

/** The keys of what the change is about, as it is on the server. A new object of a protected name touches nothing. */
function liveKeys(change: Change, kind: ResourceKind, realm: Realm, glob: string): readonly string[] {
  const live = liveObjects(kind, realm) ?? [];
  if (change.action === "create") return [];
  // An order is that of all of them.
  if (change.action === "reorder") return glob === "*" ? live.map(({ key }) => key) : [];
  if (change.id !== undefined) return live.filter(({ id }) => id === change.id).map(({ key }) => key);
  return [keyOf(kind, change.was ?? change.name)];
}

export function split(pattern: string): readonly [kind: string, glob: string] | readonly [] {
  const colon = pattern.indexOf(":");
  return colon < 1 || colon === pattern.length - 1 ? [] : [pattern.slice(0, colon), pattern.slice(colon + 1)];
}
