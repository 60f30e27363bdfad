import type { FileParam } from "../model/repository-file.ts";

/** Enough of the digest to distinguish two versions of a file. */
const DIGEST_DIGITS = 12;

/** A file that is sent, as reports name it. */
export function fileText({ file, sha256, size_bytes, media_type }: FileParam): string {
  return `${file} (${media_type}, ${size_bytes.toLocaleString("en")} bytes, SHA-256 ${sha256.slice(0, DIGEST_DIGITS)}…)`;
}
