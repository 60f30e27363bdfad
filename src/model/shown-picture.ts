import type { FactDiagnostic } from "./diagnostic.ts";
import type { UnfetchedPicture } from "./diagnostics/inexpressible.ts";
import type { RepositoryFile } from "./repository-file.ts";

export type { UnfetchedPicture } from "./diagnostics/inexpressible.ts";

/** A picture of an object on the server, which no reading contains. */
export interface ShownPicture {
  /** The field of the file that names the picture. */
  readonly field: string;
  /** The URL in the reading, or a path on the organization's own server. */
  readonly url: string;
  /** The path of the picture's file, without the ending of its format. */
  readonly file: string;
}

/** A picture that was fetched, as the file to write. */
export interface FetchedPicture {
  readonly facts: RepositoryFile;
  readonly bytes: Uint8Array;
}

/** The results for the pictures of an organization, by {@link pictureKey}. */
export type FetchedPictures = ReadonlyMap<string, FetchedPicture | UnfetchedPicture>;

export const pictureKey = (kind: string, name: string, field: string): string => JSON.stringify([kind, name, field]);

export const isFetched = (picture: FetchedPicture | UnfetchedPicture | undefined): picture is FetchedPicture =>
  picture !== undefined && "bytes" in picture;

/** Why a file leaves out something of an organization; `src/report/words/export.ts` has the sentences. */
export type OmissionReason =
  /** @property is `no-value`: no file can set its value; `twin`: another entry says the same; `differs`: the server would read it differently */
  | { readonly is: "no-value" | "twin" | "differs" }
  | { readonly is: "not-fetched"; readonly picture: UnfetchedPicture }
  /** With it, the file would be refused. */
  | { readonly is: "refused"; readonly by: FactDiagnostic };
