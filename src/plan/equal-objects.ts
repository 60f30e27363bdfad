import type { Desired } from "../model/desired.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";

/**
 * Some objects are equal except for their ids (invitation links). An entry that removes one of them removes all of them; otherwise each run would
 * remove only one. So the entry is repeated for each equal object, with the same place in the file.
 */
export function withEqualObjects(desired: Desired, realm: Realm, kinds: readonly ResourceKind[]): Desired {
  const sections = new Map(desired.sections);
  for (const kind of kinds) {
    const declared = sections.get(kind.section) ?? [];
    const removals = declared.filter(({ absent }) => absent);
    const commonName = kind.identity?.commonName;
    if (removals.length === 0 || commonName === undefined) continue;
    sections.set(kind.section, [
      ...declared,
      ...removalsOfOthers(removals, liveObjects(kind, realm) ?? [], commonName),
    ]);
  }
  return { ...desired, sections };
}

function removalsOfOthers(
  removals: readonly DeclaredObject[],
  live: readonly LiveObject[],
  commonName: (name: string) => string | undefined,
): readonly DeclaredObject[] {
  return live.flatMap(({ key, name }) => {
    const meant = removals.find((object) => object.name !== name && object.name === commonName(name));
    return meant === undefined ? [] : [{ ...meant, key, name }];
  });
}
