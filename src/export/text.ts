import { escapeReferences } from "../config/variable-syntax.ts";
import { defined } from "../model/defined.ts";
import { isObject, type Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { groupedBy } from "../model/lazy.ts";
import type { Policy } from "../model/objects.ts";
import { bytesOf, withoutTrailingSlashes } from "../model/texts.ts";
import { aboutFile, manageComments } from "../report/words/export.ts";
import { LARGEST_FILE_BYTES } from "../source/limits.ts";
import { directoryOf, join } from "../source/paths.ts";
import { type Block, type BlockEntry, type BlockList, writeYaml } from "../source/write.ts";
import type { ExportOptions, Omission, Split } from "./options.ts";
import { type FoundProfile, free, slug, withProfile } from "./profiles.ts";

export interface DraftItem {
  readonly name: string;
  value: Json;
  readonly comments: string[];
  /** The fields that were taken out because the organization would refuse them, or plan them differently. */
  left?: readonly Omission[];
}

export interface DraftSection {
  readonly section: string;
  readonly kind: string;
  readonly shape: ResourceKind["shape"];
  /** Whether the items of the section may share profiles. */
  readonly profiles: boolean;
  /** The field by whose values the section is split into files. */
  readonly splitBy: string | undefined;
  readonly layout?: Layout;
  policy: Policy;
  /** Whether it says `unset: default`. */
  unset: boolean;
  readonly items: DraftItem[];
  /** The comments above the section. */
  readonly comments: string[];
}

/** The content of the files, before it is text. */
export interface Draft extends Pick<ExportOptions, "foundBy" | "snapshot" | "schema" | "complete"> {
  readonly file: string;
  readonly sections: readonly DraftSection[];
  readonly profiles: readonly FoundProfile[];
}

interface DraftTexts {
  /** The files, the main one first. */
  readonly files: ReadonlyMap<string, string>;
  /** For the main file: line → path. */
  readonly paths: ReadonlyMap<number, readonly (string | number)[]>;
}

export function textsOf(draft: Draft, split: Split): DraftTexts {
  const parts = split === "none" ? [] : partsOf(draft, split).flatMap((part) => fitting(part, draft));
  const own: readonly BlockEntry[] =
    split === "none"
      ? draft.sections.map((section) => ({ ...entryOf(section, section.items, draft), blankBefore: true }))
      : [];
  const main = writeYaml(
    { entries: [...headOf(draft, parts), ...own] },
    schemaLine(draft, draft.file).concat(about(draft)),
  );
  const base = directoryOf(draft.file);
  const files = new Map([[draft.file, main.text], ...parts.map(({ path, text }) => [join(base, path), text] as const)]);
  return {
    files,
    // Computed only if something has to be left out: a path for each line of a large file takes as long as writing it.
    get paths() {
      return main.paths;
    },
  };
}

interface Part {
  /** The path in the main file's `include:`. */
  readonly path: string;
  readonly section: DraftSection;
  readonly items: readonly DraftItem[];
}

/** The part as one file, or as several if one would be too large to be read again. */
function fitting(part: Part, draft: Draft): readonly (Part & { readonly text: string })[] {
  const { path, section, items } = part;
  const text = writeYaml({ entries: [entryOf(section, items, draft)] }, schemaLine(draft, path)).text;
  const bytes = bytesOf(text);
  if (bytes <= LARGEST_FILE_BYTES || items.length < 2) return [{ ...part, text }];
  const count = Math.min(items.length, Math.ceil((bytes / LARGEST_FILE_BYTES) * ROOM));
  const size = Math.ceil(items.length / count);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => ({
    path: path.replace(/\.yaml$/, `/${n + 1}.yaml`),
    // A comment about the whole section is written once.
    section: n === 0 ? section : { ...section, comments: [] },
    items: items.slice(n * size, (n + 1) * size),
  })).flatMap((smaller) => fitting(smaller, draft));
}

/** The margin for differences in size: files with equally many objects are not equally large. */
const ROOM = 1.25;

function partsOf({ sections }: Draft, split: "kind" | "folder"): readonly Part[] {
  return sections.flatMap((section): readonly Part[] => {
    const { splitBy } = section;
    const own = section.section.replaceAll("_", "-");
    if (split === "kind" || splitBy === undefined) return [{ path: `${own}.yaml`, section, items: section.items }];
    const groups = groupedBy(section.items, (item): string | undefined => {
      const value = isObject(item.value) ? item.value[splitBy] : undefined;
      return typeof value === "string" ? value : undefined;
    });
    if (groups.size === 0) groups.set(undefined, []);
    const taken = new Set<string>();
    return [...groups].map(([folder, items], n) => {
      const name = free(folder === undefined ? `without-${splitBy}` : slug(folder), taken);
      // A comment about the whole section is written once.
      return { path: `${own}/${name}.yaml`, section: n === 0 ? section : { ...section, comments: [] }, items };
    });
  });
}

function headOf({ snapshot, sections, profiles }: Draft, parts: readonly Part[]): readonly BlockEntry[] {
  const manage = Object.fromEntries(
    sections.map(({ section, policy, unset }): [string, Json] => [
      section,
      unset ? { policy, unset: "default" } : policy,
    ]),
  );
  const bundles: Block = { entries: profiles.map(({ name, fields }) => ({ key: name, value: fields })) };
  return [
    { key: "version", value: 1 },
    { key: "realm", value: withoutTrailingSlashes(snapshot.realm.url) },
    ...(parts.length === 0
      ? []
      : [{ key: "include", value: listOf(parts.map(({ path }) => path)), blankBefore: true }]),
    {
      key: "manage",
      value: manage,
      comments: manageComments(sections.some(({ unset }) => unset)),
      blankBefore: true,
    },
    ...(profiles.length === 0 ? [] : [{ key: "profiles", value: bundles, blankBefore: true }]),
  ];
}

const listOf = (paths: readonly string[]): BlockList => ({ items: paths.map((value) => ({ value })) });

function entryOf(section: DraftSection, items: readonly DraftItem[], { profiles }: Draft): BlockEntry {
  const written = items.map((item) => ({ ...item, value: shortened(section, item, profiles) }));
  const { section: key, comments } = section;
  const [only] = written;
  if (section.shape === "singleton")
    return {
      key,
      comments: [...comments, ...(only?.comments ?? [])],
      value:
        section.layout === undefined
          ? asEntry(only?.value ?? null)
          : laidOut(asEntry(only?.value ?? null), section.layout),
    };
  if (section.shape === "map")
    return {
      key,
      comments,
      value: {
        entries: written.map((item) => ({
          key: escapeReferences(item.name),
          value: asEntry(item.value),
          comments: item.comments,
        })),
      },
    };
  const plain = written.every((item) => item.comments.length === 0);
  return { key, comments, value: plain ? written.map(({ value }) => value) : { items: written } };
}

const asEntry = (value: Json): Json => value ?? {};

function shortened(section: DraftSection, { name, value }: DraftItem, profiles: readonly FoundProfile[]): Json {
  const profile = section.profiles ? profiles.find(({ members }) => members.has(name)) : undefined;
  return profile === undefined || !isObject(value) ? value : withProfile(value, profile);
}

function schemaLine({ schema }: Draft, path: string): string[] {
  if (schema === undefined) return [];
  const up = /^(?:[a-z]+:)?\//i.test(schema) ? "" : "../".repeat(directoryOf(path).split("/").filter(Boolean).length);
  return [`yaml-language-server: $schema=${up}${schema}`];
}

function about({ snapshot, sections, complete, foundBy = "export" }: Draft): readonly string[] {
  const { realm, taken_at } = snapshot;
  return aboutFile({
    organization: realm.name,
    command: foundBy,
    day: taken_at.slice(0, 10),
    hasUnset: sections.some(({ unset }) => unset),
    isComplete: complete === true,
  });
}

/** The layout of a section that is its own item. */
interface Layout {
  readonly parts: readonly { readonly heading: string; readonly fields: readonly string[] }[];
  /** Descriptions of the fields, for people who see the file for the first time; without them, each part has its heading. */
  readonly about?: { readonly [field: string]: string };
}

/** Fewer fields than this need no headings. */
const FEW = 6;

export function layoutOf({ yaml, file }: ResourceKind, explain: boolean): Layout | undefined {
  if (yaml?.parts === undefined) return undefined;
  const about = Object.fromEntries(Object.entries(file.fields).map(([field, spec]) => [field, spec.about ?? field]));
  return { parts: yaml.parts, ...defined({ about: explain ? about : undefined }) };
}

/** Fields in their order, with a blank line and a heading before each part; the rest after the last part is separate. */
function laidOut(item: Json, { parts, about }: Layout): Json | Block {
  if (!isObject(item)) return item;
  const fields = Object.entries(item);
  if (about === undefined && fields.length < FEW) return item;
  const partOf = (field: string) => parts.find((part) => part.fields.includes(field));
  return {
    entries: fields.map(([key, value], index): BlockEntry => {
      const part = partOf(key);
      const isFirst = index === 0 || partOf(fields[index - 1]?.[0] ?? "") !== part;
      const heading = isFirst && about === undefined && part !== undefined ? [part.heading] : [];
      return {
        key,
        value: about === undefined ? value : explained(value, about),
        comments: [...heading, ...(about?.[key] === undefined ? [] : [about[key]])],
        ...defined({ blankBefore: isFirst && index > 0 ? true : undefined }),
      };
    }),
  };
}

/** Fields below a field (permissions) are explained too, if all of them are fields of the section. */
function explained(value: Json, about: { readonly [field: string]: string }): Json | Block {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => ({ key, value: inner, comments: [about[key] ?? ""] }));
  return entries.length > 0 && entries.every(({ comments: [text] }) => text !== "") ? { entries } : value;
}
