import type { Param, RepositoryFile } from "./plan-schema.ts";

export type { RepositoryFile } from "./plan-schema.ts";

/** The facts in the first bytes of a picture. */
export type ImageHead = NonNullable<RepositoryFile["image"]>;
export type ImageFormat = ImageHead["format"];

/** Whether a text is a URL, and not the path of a file. */
export const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

/** The largest file that is read to be sent; servers accept no larger request. */
export const MOST_UPLOAD_BYTES = 25 * 1024 * 1024;

/** Provides a file that a plan names. Rejects with the system's error. */
export type ReadUpload = (path: string) => Promise<Uint8Array>;

const MEDIA_TYPES = { png: "image/png", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" } as const;

/** A file as the parameter of a call: its identity, never its bytes. */
export type FileParam = Readonly<{ file: string; sha256: string; size_bytes: number; media_type: string }>;

/** @throws RangeError for a file that is not a picture: kinds check that before they create a call */
export function fileParam({ path, sha256, size_bytes, image }: RepositoryFile): FileParam {
  if (image === null) throw new RangeError(`${path} is no picture`);
  return { file: path, sha256, size_bytes, media_type: MEDIA_TYPES[image.format] };
}

export function isFileParam(value: Param | undefined): value is FileParam {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === 4 &&
    "file" in value &&
    typeof value.file === "string" &&
    "sha256" in value &&
    typeof value.sha256 === "string" &&
    "size_bytes" in value &&
    typeof value.size_bytes === "number" &&
    "media_type" in value &&
    typeof value.media_type === "string"
  );
}
