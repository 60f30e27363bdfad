import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import {
  type FetchedPicture,
  type FetchedPictures,
  isFetched,
  pictureKey,
  type ShownPicture,
  type UnfetchedPicture,
} from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { fileFacts } from "../source/file-facts.ts";
import { MOST_NAMED_BYTES, MOST_NAMED_FILES } from "../source/limits.ts";

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
