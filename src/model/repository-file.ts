import type { FileParam } from "./file-param.ts";
import type { RepositoryFile } from "./plan-schema.ts";

export type { RepositoryFile } from "./plan-schema.ts";

/** The facts in the first bytes of a picture. */
export type ImageHead = NonNullable<RepositoryFile["image"]>;
export type ImageFormat = ImageHead["format"];

/** The largest file that is read to be sent; servers accept no larger request. */
export const MOST_UPLOAD_BYTES = 25 * 1024 * 1024;

/** Provides a file that a plan names. Rejects with the system's error. */
export type ReadUpload = (path: string) => Promise<Uint8Array>;

const MEDIA_TYPES = { png: "image/png", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" } as const;

/** @throws RangeError for a file that is not a picture: kinds check that before they create a call */
export function fileParam({ path, sha256, size_bytes, image }: RepositoryFile): FileParam {
  if (image === null) throw new RangeError(`${path} is no picture`);
  return { file: path, sha256, size_bytes, media_type: MEDIA_TYPES[image.format] };
}

/** Names that no file can have on Windows, whatever follows the first dot. */
export const isDeviceName = (name: string): boolean => /^(?:con|prn|aux|nul|com\d|lpt\d) *(?:\.|$)/i.test(name);
