import { readConfig } from "../config/read-config.ts";
import { defined } from "../model/defined.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import {
  type FetchedPicture,
  type FetchedPictures,
  isFetched,
  type OmissionReason,
  pictureKey,
  type ShownPicture,
  type UnfetchedPicture,
} from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { missing } from "../model/unreadable.ts";
import { planChanges } from "../plan/plan.ts";
import { fileFacts } from "../source/file-facts.ts";
import { MOST_NAMED_BYTES, MOST_NAMED_FILES } from "../source/limits.ts";
import { directoryOf, join } from "../source/paths.ts";
import { VERSION } from "../version.ts";
import type { ExportOptions } from "./options.ts";

export interface UnsetField {
  readonly section: string;
  readonly name: string;
  readonly field: string;
}

interface Obstacle {
  readonly line: number | undefined;
  readonly reason: OmissionReason;
  /** A field that the file leaves out, and whose value differs from the one to which it would be set. */
  readonly unset?: UnsetField;
}

/** Why the plan of the files is not empty on their own realm. */
export async function obstaclesOf(
  files: ReadonlyMap<string, string>,
  file: string,
  options: ExportOptions,
): Promise<readonly Obstacle[]> {
  const planned = await planFiles(files, file, options);
  const refused = (found: readonly Diagnostic[]): readonly Obstacle[] =>
    found
      .filter(({ severity }) => severity === "error")
      .map((diagnostic) => ({ line: diagnostic.at?.line, reason: { is: "refused", by: diagnostic } }));
  if (!planned.ok) return refused(planned.diagnostics);
  // A name that does not resolve does not end a plan, but what it stands in is not compared.
  return [
    ...refused(planned.value.warnings),
    ...planned.value.changes.flatMap((change): Obstacle[] => {
      const reason = { is: "differs" } as const;
      const section = options.kinds.find(({ name }) => name === change.kind)?.section ?? "";
      const fields = change.fields.map(({ at, field, unset }) => ({
        line: (at ?? change.at)?.line,
        reason,
        ...defined({ unset: unset === true ? { section, name: change.name, field } : undefined }),
      }));
      return fields.length > 0 ? fields : [{ line: change.at?.line, reason }];
    }),
  ];
}

/** A plan for files that are not on a disk. */
export async function planFiles(
  files: ReadonlyMap<string, string>,
  file: string,
  { snapshot, kinds, pictures }: Pick<ExportOptions, "snapshot" | "kinds" | "pictures">,
): Promise<Checked<Plan>> {
  const base = directoryOf(file);
  const beside = new Map(
    [...pictureFilesOf(pictures ?? new Map())].map(([path, picture]) => [join(base, path), picture]),
  );
  const desired = await readConfig({
    file,
    readFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw missing();
      return text;
    },
    listFiles: async (directory) => namesIn(files.keys(), directory),
    lookAt: async (path) => {
      const picture = beside.get(path);
      if (picture === undefined) throw missing();
      return { ...picture.facts, path };
    },
    kinds,
    realm: new Realm(snapshot),
  });
  if (!desired.ok) return desired;
  return planChanges({ desired: desired.value, snapshot, kinds, toolVersion: VERSION });
}

/** The content of a directory if these paths were on a disk. */
export function namesIn(paths: Iterable<string>, directory: string): readonly string[] {
  const above = directory === "" || directory === "." ? "" : `${directory}/`;
  const below = [...paths].filter((path) => path.startsWith(above)).map((path) => path.slice(above.length));
  return [...new Set(below.map((path) => path.split("/")[0] ?? path))];
}

/** The maximum size that servers accept, and so the maximum for files. */
const MOST_BYTES = 5 * 1024 * 1024;
/** The number of pictures that are fetched at the same time. */
const ABREAST = 4;

interface Wanted extends ShownPicture {
  readonly key: string;
}

/** Pictures of active objects on the server. */
export function picturesIn(
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
  sections: readonly string[],
): readonly Wanted[] {
  const realm = new Realm(snapshot);
  return kinds
    .filter(({ section }) => sections.includes(section))
    .flatMap((kind) =>
      (liveObjects(kind, realm) ?? [])
        .filter(({ inactive }) => !inactive)
        .flatMap((live) =>
          (kind.yaml?.pictures?.of(live, realm) ?? []).map((shown) => ({
            ...shown,
            key: pictureKey(kind.name, live.name, shown.field),
          })),
        ),
    );
}

/**
 * Fetches the pictures, each as a file with the ending of its format. For a missing one there is a reason; nothing is thrown.
 * @param fetchFrom returns the bytes at an address
 */
export async function fetchPictures(
  wanted: readonly Wanted[],
  fetchFrom: (
    address: string,
    mostBytes: number,
  ) => Promise<{ readonly bytes: Uint8Array } | { readonly unfetched: UnfetchedPicture }>,
): Promise<FetchedPictures> {
  const found = new Map<string, FetchedPicture | UnfetchedPicture>();
  let bytes = 0;
  const one = async ({ key, url, file }: Wanted): Promise<void> => {
    const isFull = bytes >= MOST_NAMED_BYTES - ABREAST * MOST_BYTES;
    const answer = isFull ? { unfetched: { why: "too-many" } as const } : await fetchFrom(url, MOST_BYTES);
    if ("bytes" in answer) bytes += answer.bytes.length;
    found.set(key, "bytes" in answer ? asFile(file, answer.bytes) : answer.unfetched);
  };
  const within = wanted.slice(0, MOST_NAMED_FILES);
  for (let at = 0; at < within.length; at += ABREAST) await Promise.all(within.slice(at, at + ABREAST).map(one));
  for (const { key } of wanted.slice(MOST_NAMED_FILES)) found.set(key, { why: "too-many" });
  return found;
}

function asFile(file: string, bytes: Uint8Array): FetchedPicture | UnfetchedPicture {
  const { image } = fileFacts(file, bytes);
  if (image === null || image.cut_off) return { why: "no-picture" };
  return { bytes, facts: fileFacts(`${file}.${image.format === "jpeg" ? "jpg" : image.format}`, bytes) };
}

/** The files to write, by their paths beside the main file. */
export function pictureFilesOf(pictures: FetchedPictures): ReadonlyMap<string, FetchedPicture> {
  return new Map([...pictures.values()].filter(isFetched).map((picture) => [picture.facts.path, picture]));
}
