import type { DecodeContext } from "../model/decoding.ts";
import { type Finding, finding, type Path } from "../model/diagnostic.ts";
import type { RepositoryFile } from "../model/repository-file.ts";

const MEBIBYTE = 1024 * 1024;
/** The maximum number of pixels. Servers refuse larger pictures without reading them, since they would use too much memory. */
const MOST_PIXELS = 90_000_000;

/**
 * The picture that an item names, as servers accept it: PNG, JPEG, GIF or WebP, complete, and not too large. Errors are reported.
 * @param path the place below the item where it is named
 * @param mostMebibytes the server's limit
 */
export function imageAt(context: DecodeContext, path: Path, mostMebibytes: number): RepositoryFile | undefined {
  const file = context.file?.(path);
  if (file === undefined) return undefined;
  const cause = causeOf(file, mostMebibytes);
  if (cause === undefined) return file;
  context.report(path, cause);
  return undefined;
}

function causeOf({ path, size_bytes, image, lfs_pointer }: RepositoryFile, mostMebibytes: number): Finding | undefined {
  if (lfs_pointer) return finding("file/lfs-pointer", { file: path });
  if (image === null) return finding("file/no-image", { file: path, is_empty: size_bytes === 0 });
  if (image.cut_off) return finding("file/cut-off", { file: path });
  if (size_bytes > mostMebibytes * MEBIBYTE)
    return finding("file/too-large", { file: path, size_bytes, most_mebibytes: mostMebibytes });
  const { width, height } = image;
  if (width === 0 || height === 0 || width * height > MOST_PIXELS)
    return finding("file/dimensions", { file: path, width, height, most_pixels: MOST_PIXELS });
  return undefined;
}
