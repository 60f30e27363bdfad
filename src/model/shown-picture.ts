import type { RepositoryFile } from "./repository-file.ts";

/** A picture that an object has on the server, which no reading holds. */
export interface ShownPicture {
  /** The field of the file that names it. */
  readonly field: string;
  /** As the reading has it: an address, or a path on the organization's own server. */
  readonly url: string;
  /** Where its file goes, without the ending that its format has. */
  readonly file: string;
}

/** Why a picture was not fetched. */
export type UnfetchedPicture =
  | { readonly why: "elsewhere"; readonly host: string }
  | { readonly why: "no-address" }
  | { readonly why: "status"; readonly status: number }
  | { readonly why: "no-answer" }
  | { readonly why: "no-picture" }
  | { readonly why: "too-large"; readonly most_mebibytes: number }
  | { readonly why: "too-many" };

/** One that was fetched, as the file that it is to be. */
export interface FetchedPicture {
  readonly facts: RepositoryFile;
  readonly bytes: Uint8Array;
}

/** What became of the pictures of an organization, by {@link pictureKey}. */
export type FetchedPictures = ReadonlyMap<string, FetchedPicture | UnfetchedPicture>;

export const pictureKey = (kind: string, name: string, field: string): string => JSON.stringify([kind, name, field]);

export const isFetched = (picture: FetchedPicture | UnfetchedPicture | undefined): picture is FetchedPicture =>
  picture !== undefined && "bytes" in picture;
