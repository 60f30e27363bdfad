import { createHash } from "node:crypto";
import type { WireCall } from "../model/journal.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import { whyUnreadable } from "../model/unreadable.ts";
import { filesOf } from "./encode.ts";
import type { UploadedFile } from "./multipart.ts";
import { operationNamed } from "./operations.ts";

/** Why a file is not sent: it is not there any more, or is another one than was planned. */
export interface UploadTrouble {
  readonly path: string;
  readonly why: "changed" | "unreadable";
  /** The end of a sentence about the file. */
  readonly words: string;
}

/** The bytes of every file that a call sends, held against what the call says of them; or why one of them is not sent. */
export async function uploadsOf(
  call: WireCall,
  readUpload: ReadUpload | undefined,
): Promise<readonly UploadedFile[] | UploadTrouble> {
  const uploads: UploadedFile[] = [];
  for (const { name, param } of filesOf(operationNamed(call.operation), call.params)) {
    const path = param.file;
    if (readUpload === undefined) return { path, why: "unreadable", words: "no file is read here" };
    let bytes: Uint8Array;
    try {
      bytes = await readUpload(path);
    } catch (error) {
      return { path, why: "unreadable", words: whyUnreadable(error) };
    }
    if (createHash("sha256").update(bytes).digest("hex") !== param.sha256)
      return { path, why: "changed", words: "it is another file than the one that was planned" };
    uploads.push({ name, param, bytes });
  }
  return uploads;
}

export function isUploadTrouble(found: readonly UploadedFile[] | UploadTrouble): found is UploadTrouble {
  return "why" in found;
}
