import { createHash } from "node:crypto";
import type { RepositoryFile } from "../model/repository-file.ts";
import { imageHead } from "./image-head.ts";

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
