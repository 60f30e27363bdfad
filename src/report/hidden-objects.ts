import { defined } from "../model/defined.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Change, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { KnownName } from "../model/secrecy.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { folded } from "./name-search.ts";
import type { HiddenObject, Redaction, ShownAs } from "./redaction.ts";

/** An object with all its names, before and after the plans. */
interface OneObject {
  readonly id?: number;
  readonly before?: string;
  /** The names that plans give to the object. */
  readonly after: Set<string>;
  /** Whether the object itself is a secret, before or after. */
  isHidden: boolean;
  /** Only the file has it, as something private that was archived. */
  readonly isMissing?: true;
}

export const namesOf = ({ before, after }: OneObject): readonly string[] =>
  before === undefined ? [...after] : [before, ...after];

/** Every object of a kind that a reading or a plan has. */
export function objectsOf(
  { name: kind, secrecy }: ResourceKind,
  plans: readonly Plan[],
  live: readonly KnownName[],
): readonly OneObject[] {
  const objectsOfKind: OneObject[] = live.map(({ name, id, isHidden }) => ({
    ...defined({ id }),
    before: name,
    after: new Set<string>(),
    isHidden,
  }));
  const byId = new Map(objectsOfKind.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])));
  const byName = new Map(objectsOfKind.map((one) => [folded(one.before ?? ""), one]));
  const made = new Map<string, OneObject>();
  for (const change of plans.flatMap(({ changes }) => changes)) {
    if (change.kind !== kind || change.action === "reorder") continue;
    const { id, name, was = name } = change;
    const known =
      change.action === "create" ? made.get(folded(name)) : id === undefined ? byName.get(folded(was)) : byId.get(id);
    const one = known ?? {
      ...defined({ id, before: change.action === "create" ? undefined : was }),
      after: new Set<string>(),
      isHidden: false,
    };
    if (known === undefined) {
      objectsOfKind.push(one);
      if (change.action === "create") made.set(folded(name), one);
      else if (id === undefined) byName.set(folded(was), one);
      else byId.set(id, one);
    }
    one.after.add(name);
    one.isHidden ||= hides(change, secrecy);
  }
  return [...objectsOfKind, ...missingOf(kind, plans)];
}

function missingOf(kind: string, plans: readonly Plan[]): readonly OneObject[] {
  const facts = plans.flatMap(({ warnings }) =>
    warnings.flatMap(({ code, fact }) => (code === "plan/nothing-to-remove" && "is_private" in fact ? [fact] : [])),
  );
  const unseen = plans.flatMap(({ extra }) =>
    (extra?.unseen ?? []).flatMap(({ what, names: of }) => (what === "private-channels" ? of : [])),
  );
  const names = [...facts.map(({ name }) => name), ...unseen].flatMap((one) => (one.of === kind ? [one.quoted] : []));
  return names.map((before) => ({ before, after: new Set(), isHidden: true, isMissing: true }));
}

function hides({ fields }: Change, { isHidden }: ResourceKind["secrecy"]): boolean {
  return fields.some(
    ({ field, before, after }) => isHidden?.({ [field]: before }) === true || isHidden?.({ [field]: after }) === true,
  );
}

interface HiddenObjects {
  readonly kind: string;
  readonly names: ReadonlyMap<string, ShownAs>;
  readonly objects: ReadonlyMap<number, HiddenObject>;
  /** The ids of secret objects, since links can lead to them. */
  readonly ids: ReadonlyMap<number, string>;
}

/** Objects that are a secret before or after, and others that have the name of such an object before or after. */
export function hiddenObjects(kind: ResourceKind, plans: readonly Plan[], snapshot: Snapshot): HiddenObjects {
  const objectsOfKind = objectsOf(kind, plans, kind.secrecy.namesIn?.(snapshot) ?? []);
  const hidden = new Set(objectsOfKind.filter(({ isHidden }) => isHidden).flatMap((one) => namesOf(one).map(folded)));
  const isConcerned = (one: OneObject): boolean => namesOf(one).some((name) => hidden.has(folded(name)));
  const taken = new Set(
    objectsOfKind.flatMap((one) => namesOf(one).flatMap((name) => (hidden.has(folded(name)) ? [] : [folded(name)]))),
  );
  const unlike = new Unlike(taken);
  const objects = new Map<number, HiddenObject>();
  const ids = new Map<number, string>();
  const names = new Names();
  const made = new Map<string, number>();
  for (const one of objectsOfKind.filter(isConcerned)) {
    const { id, isHidden } = one;
    const isNew = id === undefined && one.isMissing !== true;
    const what = `${one.isMissing === true ? "missing " : ""}${isNew ? "new " : ""}${isHidden ? "private " : ""}${kind.noun[0]}`;
    const number = (made.get(what) ?? 0) + 1;
    if (id === undefined) made.set(what, number);
    const shown = unlike.text(`${what} ${id ?? number}`);
    if (id !== undefined) {
      objects.set(id, { shown, isHidden });
      if (isHidden) ids.set(id, shown);
    }
    names.add(one, shown, (name) => (hidden.has(folded(name)) ? folded(name) : undefined));
  }
  return { kind: kind.name, names: names.all, objects, ids };
}

/**
 * Replacements for names that are texts or links, and that mention something hidden. They would all look alike, so each after the first gets a
 * number.
 * @param redaction knows what is hidden
 */
export function hiddenTitles(
  plans: readonly Plan[],
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
  redaction: Redaction,
): ReadonlyMap<string, ReadonlyMap<string, ShownAs>> {
  const realm = new Realm(snapshot);
  const titles = new Map<string, ReadonlyMap<string, ShownAs>>();
  for (const kind of kinds) {
    if (kind.shape === "singleton" || (kind.secrecy.name !== "text" && kind.secrecy.name !== "link")) continue;
    const live = (liveObjects(kind, realm) ?? []).map(
      ({ name, id }): KnownName => ({ name, isHidden: false, ...defined({ id: id ?? undefined }) }),
    );
    const taken = new Set<string>();
    const names = new Names();
    const isHidden = (name: string): boolean => redaction.name(kind.name, name) !== name;
    const objectsOfKind = objectsOf(kind, plans, live);
    for (const name of objectsOfKind.flatMap(namesOf)) if (!isHidden(name)) taken.add(folded(name));
    const unlike = new Unlike(taken);
    for (const one of objectsOfKind) {
      const first = namesOf(one).find(isHidden);
      if (first === undefined) continue;
      const shown = unlike.text(redaction.name(kind.name, first));
      names.add(one, shown, (name) => (isHidden(name) ? name : undefined));
    }
    if (names.all.size > 0) titles.set(kind.name, names.all);
  }
  return titles;
}

/** The replacements of names, before and after the plan. */
class Names {
  readonly all = new Map<string, { before?: string; after?: string }>();

  /** @param keyOf undefined for a name that may be shown. A name that nothing changes means the same object at both moments. */
  add({ before, after }: OneObject, shown: string, keyOf: (name: string) => string | undefined): void {
    const put = (name: string | undefined, moment: "before" | "after"): void => {
      const key = name === undefined ? undefined : keyOf(name);
      if (key === undefined) return;
      const known = this.all.get(key) ?? {};
      known[moment] ??= shown;
      this.all.set(key, known);
    };
    put(before, "before");
    for (const name of after.size > 0 || before === undefined ? after : [before]) put(name, "after");
  }
}

/** Makes texts unique: a text that is already used gets a number. */
class Unlike {
  private readonly taken: Set<string>;
  private readonly last = new Map<string, number>();

  constructor(taken: Set<string>) {
    this.taken = taken;
  }

  /** Numbers continue where the last one stopped, so that thousands of equal texts cost no more than their number. */
  text(wanted: string): string {
    let unique = wanted;
    let number = this.last.get(folded(wanted)) ?? 1;
    while (this.taken.has(folded(unique))) {
      number += 1;
      unique = `${wanted} (${number})`;
    }
    this.last.set(folded(wanted), number);
    this.taken.add(folded(unique));
    return unique;
  }
}
