import { createHash } from "node:crypto";
import type { ImageHead, RepositoryFile } from "../model/repository-file.ts";

/** The facts about a file that a plan holds instead of its bytes. */
export function fileFacts(path: string, bytes: Uint8Array): RepositoryFile {
  return {
    path,
    sha256: sha256Of(bytes),
    size_bytes: bytes.length,
    image: imageHead(bytes) ?? null,
    lfs_pointer: isLfsPointer(bytes),
  };
}

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const LFS = "version https://git-lfs.github.com/spec/";

/** The text that Git has instead of a large file until `git lfs pull` (or `lfs: true` at the checkout) fetches it. */
function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length < 1024 && Buffer.from(bytes.subarray(0, LFS.length)).toString("latin1") === LFS;
}

/** The facts in the head of a picture, without decoding it; undefined if the bytes are not PNG, JPEG, GIF or WebP. */
export function imageHead(bytes: Uint8Array): ImageHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return png(view) ?? gif(view) ?? jpeg(view) ?? webp(view);
  } catch (error) {
    // A read beyond the end: the file starts like a picture and ends before its size is known.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Chunks: length, four letters, that many bytes, a checksum (PNG, third edition, §5). */
function png(view: DataView): ImageHead | undefined {
  if (!startsWith(view, 0, "\x89PNG\r\n\x1a\n") || !startsWith(view, 12, "IHDR")) return undefined;
  const head = { format: "png", width: view.getUint32(16), height: view.getUint32(20) } as const;
  let animated = false;
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const name = text(view, at + 4, 4);
    if (name === "acTL") animated = true;
    at += 12 + view.getUint32(at);
    if (name === "IEND") return { ...head, animated, cut_off: at > view.byteLength };
  }
  return { ...head, animated, cut_off: true };
}

/** Blocks, each with its own way to mark its end (GIF89a, §§17-27). */
function gif(view: DataView): ImageHead | undefined {
  if (!startsWith(view, 0, "GIF87a") && !startsWith(view, 0, "GIF89a")) return undefined;
  const head = { format: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) } as const;
  let frames = 0;
  let at = 13 + colorTable(view.getUint8(10));
  while (at < view.byteLength) {
    const block = view.getUint8(at);
    if (block === 0x3b) return { ...head, animated: frames > 1, cut_off: false };
    if (block === 0x2c) {
      if (at + 10 > view.byteLength) break;
      frames += 1;
      at = pastSubBlocks(view, at + 11 + colorTable(view.getUint8(at + 9)));
    } else if (block === 0x21) at = pastSubBlocks(view, at + 2);
    else break;
  }
  return { ...head, animated: frames > 1, cut_off: true };
}

const colorTable = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

function pastSubBlocks(view: DataView, from: number): number {
  let at = from;
  while (at < view.byteLength) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) break;
  }
  return at;
}

/** Segments up to the one that starts a frame, which has the size (ITU-T T.81, B.1). */
function jpeg(view: DataView): ImageHead | undefined {
  if (!startsWith(view, 0, "\xff\xd8\xff")) return undefined;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Any number of these bytes may precede a marker.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (FRAMES.has(marker))
      return {
        format: "jpeg",
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        animated: false,
        cut_off: !hasEndOfImage(view),
      };
    else {
      const length = view.getUint16(at + 2);
      // The pixels or the end come before any size.
      if (length < 2 || marker === 0xda || marker === 0xd9) return undefined;
      at += 2 + length;
    }
  }
}

/** Start of frame: all markers of this range except the tables 0xc4, 0xc8 and 0xcc. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/** Whether the file has the marker that ends an image. Cameras append data after it. */
function hasEndOfImage(view: DataView): boolean {
  for (let at = view.byteLength - 2; at >= 0; at -= 1)
    if (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xd9) return true;
  return false;
}

/** RIFF: a length, and chunks (RFC 9649, §2). */
function webp(view: DataView): ImageHead | undefined {
  if (!startsWith(view, 0, "RIFF") || !startsWith(view, 8, "WEBP")) return undefined;
  const isCut = 8 + view.getUint32(4, true) > view.byteLength;
  const first = text(view, 12, 4);
  if (first === "VP8X") {
    const [width, height] = [1 + uint24(view, 24), 1 + uint24(view, 27)];
    return { format: "webp", width, height, animated: (view.getUint8(20) & 0x02) !== 0, cut_off: isCut };
  }
  if (first === "VP8L" && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return {
      format: "webp",
      width: 1 + (bits & 0x3fff),
      height: 1 + ((bits >> 14) & 0x3fff),
      animated: false,
      cut_off: isCut,
    };
  }
  if (first === "VP8 " && startsWith(view, 23, "\x9d\x01\x2a")) {
    const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    return { format: "webp", width, height, animated: false, cut_off: isCut };
  }
  return undefined;
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;

function startsWith(view: DataView, at: number, wanted: string): boolean {
  return at + wanted.length <= view.byteLength && text(view, at, wanted.length) === wanted;
}

/** One character for each byte. */
function text(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join("");
}
