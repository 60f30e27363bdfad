import type { Desired } from "../model/desired.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";

/**
 * An item that wants something gone means every object that is like it, where the server tells these apart by their ids alone: else one
 * of them would go with each run. Each is an item of its own then, at the same place of the file.
 */
export function withAlike(desired: Desired, realm: Realm, kinds: readonly ResourceKind[]): Desired {
  const sections = new Map(desired.sections);
  for (const kind of kinds) {
    const declared = sections.get(kind.section);
    const gone = declared?.filter(({ absent }) => absent) ?? [];
    if (declared === undefined || gone.length === 0 || kind.identity?.nameOfAlike === undefined) continue;
    sections.set(kind.section, [...declared, ...othersLike(gone, kind, realm)]);
  }
  return { ...desired, sections };
}

function othersLike(gone: readonly DeclaredObject[], kind: ResourceKind, realm: Realm): readonly DeclaredObject[] {
  return (liveObjects(kind, realm) ?? []).flatMap(({ key, name }) => {
    const meant = gone.find((object) => object.name !== name && object.name === kind.identity?.nameOfAlike?.(name));
    return meant === undefined ? [] : [{ ...meant, key, name }];
  });
}
