import { defined } from "../model/defined.ts";
import { exportCaveatText } from "../model/diagnostics/inexpressible.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { isFetched, pictureKey, type ShownPicture } from "../model/shown-picture.ts";
import { inactiveComment, leftOutComment, twinsComment, unfetchedComment } from "../report/words/export.ts";
import { unseenComment } from "../report/words/unseen.ts";
import type { ExportOptions, Omission } from "./options.ts";
import { type DraftItem, type DraftSection, layoutOf } from "./text.ts";
import { type Detail, escaped, writtenItem } from "./written.ts";

interface ItemOptions {
  readonly detail: Detail;
  /** Whether the field is written only if somebody asks for it, and nobody did. */
  readonly isLeft: (field: string) => boolean;
  /** The pictures that the object shows. */
  readonly own: readonly ShownPicture[];
  readonly pictures: ExportOptions["pictures"];
  /** What the file leaves out is added here. */
  readonly omitted: Omission[];
}

export function sectionOf(
  kind: ResourceKind,
  realm: Realm,
  { policies, inactive, unset, complete, subscribers, pictures, explain, sections = [] }: ExportOptions,
  omitted: Omission[],
): DraftSection[] {
  const all = liveObjects(kind, realm);
  if (all === undefined || kind.yaml === undefined) return [];
  const hasUnset = unset === true && kind.diff?.defaults !== undefined;
  const detail: Detail = {
    unset: hasUnset,
    complete: complete === true,
    also: subscribers === true ? (kind.yaml.asked ?? []) : [],
  };
  const isLeft = (field: string): boolean =>
    kind.yaml?.asked?.includes(field) === true && detail.also?.includes(field) !== true;
  const isWritten = (object: LiveObject): boolean =>
    inactive === true || kind.yaml?.keepsInactive?.(object, realm) === true;
  const shownLive = withoutTakenNames(all.filter((object) => !object.inactive || isWritten(object)));
  const [live, left] = parted(shownLive, (object) => kind.yaml?.cannotDeclare?.(object) !== true);
  for (const { name } of left) omitted.push({ section: kind.section, name, reason: { is: "no-value" } });
  // A kind with an order stays in the server's order.
  const ordered = kind.diff?.ordered !== undefined;
  const sorted = ordered ? live : [...live].sort((a, b) => byName(a.name, b.name));
  const shown = new Map(sorted.map((object) => [object, kind.yaml?.pictures?.of(object, realm) ?? []]));
  const items = sorted.map((object) =>
    draftItem(kind, object, realm, { detail, isLeft, own: shown.get(object) ?? [], pictures, omitted }),
  );
  const distinct = kind.shape === "list" && kind.yaml.join === undefined ? withoutTwins(items) : items;
  for (const { name } of items.filter((each) => !distinct.includes(each)))
    omitted.push({ section: kind.section, name, reason: { is: "twin" } });
  const twins = items.length - distinct.length;
  const layout = layoutOf(kind, explain === true);
  const notListed = all.length - shownLive.length;
  const unfetched = pictures === undefined ? [...shown.values()].flat().length : 0;
  const word = kind.inactivity?.field ?? "inactive";
  return [
    {
      section: kind.section,
      kind: kind.name,
      shape: kind.shape,
      profiles: kind.file.profiles === true,
      splitBy: kind.yaml.splitBy,
      ...defined({ layout }),
      // `exact` would remove people who are not listed, one of two equal objects, and what this account does not see.
      policy:
        kind.isPartial === true || twins > 0 || unseenBy(kind, realm) !== undefined
          ? "additive"
          : (policies?.[kind.section] ?? "additive"),
      unset: hasUnset,
      items: distinct,
      comments: [
        ...(twins === 0 ? [] : [twinsComment(twins, kind.noun)]),
        ...(notListed === 0 ? [] : [inactiveComment(notListed, word, kind.noun)]),
        ...left.map(({ name }) => leftOutComment(JSON.stringify(name), { is: "no-value" })),
        ...(unfetched === 0 ? [] : [unfetchedComment(unfetched)]),
        ...caveatsOf(kind, realm, sections),
      ],
    },
  ];
}

const unseenBy = ({ live, shape }: ResourceKind, realm: Realm) =>
  shape === "singleton" ? undefined : live.unseen?.(realm);

/** What of the section is not in the file, and cannot be. */
function caveatsOf(kind: ResourceKind, realm: Realm, sections: readonly string[]): readonly string[] {
  const unseen = unseenBy(kind, realm);
  const caveats = (kind.yaml?.exportCaveats?.(realm) ?? []).filter(
    (caveat) => caveat.caveat !== "links-elsewhere" || !sections.includes(caveat.section),
  );
  return [...(unseen === undefined ? [] : [unseenComment(unseen)]), ...caveats.map(exportCaveatText)];
}

function parted<T>(list: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(isFirst), list.filter((item) => !isFirst(item))];
}

/** The entry of an object, with a comment for each field that the file cannot give it. */
function draftItem(
  kind: ResourceKind,
  object: LiveObject,
  realm: Realm,
  { detail, isLeft, own, pictures, omitted }: ItemOptions,
): DraftItem {
  // A field that is not written is not worked out either: thousands of subscribers.
  const comments = Object.keys(object.fields)
    .filter((field) => Object.hasOwn(kind.file.fields, field) && !isLeft(field))
    .filter((field) => kind.calls.canSet?.(field, object.fields[field] ?? null) === false)
    .filter((field) => !own.some((picture) => picture.field === field))
    .map((field) => {
      omitted.push({ section: kind.section, name: object.name, field, reason: { is: "no-value" } });
      return leftOutComment(field, { is: "no-value" });
    });
  let value = escaped(writtenItem(kind, object, realm, detail));
  for (const { field } of own) {
    const picture = pictures?.get(pictureKey(kind.name, object.name, field));
    if (isFetched(picture)) value = kind.yaml?.pictures?.put(value, field, picture.facts.path, object) ?? value;
    else if (picture !== undefined) {
      const reason = { is: "not-fetched", picture } as const;
      omitted.push({ section: kind.section, name: object.name, field, reason });
      comments.push(leftOutComment(field, reason));
    }
  }
  return { name: object.name, value, comments };
}

/** Removes repeated objects: of objects that look the same on the server (links for one role and day), a file can have only one. */
function withoutTwins(items: DraftItem[]): DraftItem[] {
  const seen = new Set<string>();
  return items.filter(({ value }) => {
    const text = JSON.stringify(value);
    const isFirst = !seen.has(text);
    seen.add(text);
    return isFirst;
  });
}

/** Equal objects share an entry, if the kind's entries can stand for several. */
export function joined(section: DraftSection, kinds: readonly ResourceKind[]): DraftSection {
  const join = kinds.find((kind) => kind.section === section.section)?.yaml?.join;
  if (join === undefined) return section;
  const comments = section.items.flatMap((item) =>
    item.comments.map((text) => `${JSON.stringify(item.name)}: ${text}`),
  );
  const items = join(section.items.map(({ value }) => value)).map(
    (value): DraftItem => ({ name: "", value, comments: [] }),
  );
  return { ...section, items, comments: [...section.comments, ...comments] };
}

/** Removes inactive objects whose name another object has, since a file cannot have both. */
function withoutTakenNames(live: readonly LiveObject[]): readonly LiveObject[] {
  const taken = new Set(live.filter(({ inactive }) => !inactive).map(({ key }) => key));
  return live.filter(({ key, inactive }) => {
    if (!inactive) return true;
    const isFree = !taken.has(key);
    taken.add(key);
    return isFree;
  });
}

function byName(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : a < b ? -1 : a > b ? 1 : 0;
}
