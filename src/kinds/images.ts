import type { Path } from "../model/diagnostic.ts";
import type { DecodeContext } from "../model/kind.ts";
import type { RepositoryFile } from "../model/repository-file.ts";

const MEBIBYTE = 1024 * 1024;
/** Pictures of more pixels are refused by servers unread: they would fill their memory. */
const MOST_PIXELS = 90_000_000;

/**
 * The picture that an item names, as servers take it: PNG, JPEG, GIF or WebP, whole, and not too large. What is wrong with it is told.
 * @param path where below the item it is named
 * @param mostMebibytes what the server takes
 */
export function imageAt(context: DecodeContext, path: Path, mostMebibytes: number): RepositoryFile | undefined {
  const file = context.file?.(path);
  if (file === undefined) return undefined;
  const flaw = flawOf(file, mostMebibytes);
  if (flaw === undefined) return file;
  context.problem(path, flaw);
  return undefined;
}

function flawOf(
  { path, size_bytes, image, lfs_pointer }: RepositoryFile,
  mostMebibytes: number,
): Parameters<DecodeContext["problem"]>[1] | undefined {
  if (lfs_pointer)
    return {
      code: "file/lfs-pointer",
      message: `${path} is only a pointer: Git LFS has the picture itself`,
      hint: "fetch it (git lfs pull; lfs: true for actions/checkout), or keep the picture itself in the repository",
    };
  if (image === null)
    return {
      code: "file/no-image",
      message:
        size_bytes === 0 ? `${path} is empty` : `${path} is no picture that servers take: a PNG, JPEG, GIF or WebP`,
      hint: "the bytes of the file count, not how its name ends; save the picture as PNG",
    };
  if (image.cut_off)
    return {
      code: "file/cut-off",
      message: `${path} ends in the middle of the picture`,
      hint: "copy or save it again",
    };
  if (size_bytes > mostMebibytes * MEBIBYTE)
    return {
      code: "file/too-large",
      message: `${path} has ${(size_bytes / MEBIBYTE).toFixed(1)} MiB, and servers take ${mostMebibytes} MiB`,
      hint: "save it with fewer pixels: it is shown small",
    };
  const { width, height } = image;
  if (width === 0 || height === 0 || width * height > MOST_PIXELS)
    return {
      code: "file/dimensions",
      message: `${path} is ${width} × ${height} pixels, and servers take 1 to ${MOST_PIXELS.toLocaleString("en")} pixels in all`,
      hint: "save it with fewer pixels: it is shown small",
    };
  return undefined;
}
