import { type Quoted, quote } from "../model/diagnostics/values.ts";
import type { Json } from "../model/json.ts";
import { liveObjects, type ResourceKind, secrecyOf } from "../model/kind.ts";
import { withNames } from "../model/named-in.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { Realm } from "../model/realm.ts";
import type { UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { textsIn } from "../model/texts.ts";

/** An archived object that shares its name with another is shown with its id: `North (archived, id 2)`. */
const ARCHIVED = / \(archived, id \d+\)$/;

type Sections = ReadonlyMap<string, readonly DeclaredObject[]>;

/**
 * The restored values of an undo, without fields whose earlier value names something that no longer exists: somebody renamed or deleted it since, and
 * the name is ambiguous now; or somebody whom the account that undoes does not see.
 */
export function withoutMissing(
  sections: Sections,
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
): { readonly sections: Map<string, readonly DeclaredObject[]>; readonly notes: readonly UndoNote[] } {
  const known = namesOf(sections, snapshot, kinds);
  const realm = new Realm(snapshot);
  const namesIn = (isAccount: boolean) =>
    new Set(
      kinds.flatMap((kind) => ((kind.isAccount === true) === isAccount ? [...(known.get(kind.name) ?? [])] : [])),
    );
  const account = kinds.find(({ isAccount }) => isAccount)?.name;
  const named = { accounts: namesIn(true), groups: namesIn(false), account };
  const notes: UndoNote[] = [];
  const whole = new Map<string, readonly DeclaredObject[]>(sections);
  for (const kind of kinds) {
    const declared = sections.get(kind.section);
    if (declared === undefined) continue;
    const kept = declared.map((object) => {
      const fields = Object.entries(object.fields).filter(([field, value]) => {
        const missing =
          missingIn(kind, { ...object, fields: { [field]: value } }, known) ??
          (secrecyOf(kind, field) === "groups" ? unseenIn(value, realm, named) : undefined);
        if (missing === undefined) return true;
        notes.push({ kind: kind.name, name: object.name, fact: { why: "name-missing", field, name: missing } });
        return false;
      });
      return { ...object, fields: Object.fromEntries(fields) };
    });
    whole.set(kind.section, kept);
  }
  return { sections: whole, notes };
}

/** The first name that an object's fields mention and no object has. */
function missingIn(
  kind: ResourceKind,
  object: DeclaredObject,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Quoted | undefined {
  let missing: Quoted | undefined;
  // The object's own name (a default channel has the name of its channel) is handled elsewhere.
  withNames(kind.file, object, (other, name) => {
    const bare = name.replace(ARCHIVED, "");
    if (bare !== object.name && known.get(other)?.has(bare) === false) missing ??= quote(name, other);
    return name;
  });
  return missing;
}

/** The first person of a value whose address the reading does not have: it changed since, or this account does not see it. */
function unseenIn(
  value: Json,
  realm: Realm,
  {
    accounts,
    groups,
    account,
  }: {
    readonly accounts: ReadonlySet<string>;
    readonly groups: ReadonlySet<string>;
    /** The kind whose objects have addresses. */
    readonly account: string | undefined;
  },
): Quoted | undefined {
  // A bot that the undo renames has its earlier address afterwards.
  const isBack = (address: string): boolean => accounts.has(address.slice(0, address.lastIndexOf("@")));
  const isGroup = (text: string): boolean => !text.includes("@") || groups.has(text);
  const unseen = textsIn(value).find(
    (text) => !isGroup(text) && !isBack(text) && realm.userByEmail(text) === undefined,
  );
  return unseen === undefined ? undefined : quote(unseen, account);
}

function namesOf(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Map<string, Set<string>> {
  const realm = new Realm(snapshot);
  const names = new Map<string, Set<string>>();
  for (const kind of kinds) {
    const live = liveObjects(kind, realm);
    if (live === undefined) continue;
    const own = (sections.get(kind.section) ?? []).filter(({ absent }) => !absent);
    const others = kind.identity?.undeclarable?.(snapshot) ?? [];
    names.set(kind.name, new Set([...live, ...own, ...others].map(({ name }) => name)));
  }
  return names;
}
