import { createHash } from "node:crypto";
import type { Unreadable } from "../model/diagnostics/unreadable.ts";
import type { WireCall } from "../model/journal.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import { unreadable } from "../model/unreadable.ts";
import { filesOf } from "./encode.ts";
import type { UploadedFile } from "./multipart.ts";
import { operationNamed } from "./operations.ts";

/** Why a file is not sent: it no longer exists, or it is not the one that was planned. */
export interface UnsentFile {
  readonly path: string;
  readonly why: "changed" | "unreadable";
  /** The system's message; absent if the file differs, or if no files are read here. */
  readonly cause?: Unreadable;
}

/** The bytes of every file that a call sends, checked against the call; or why one of them is not sent. */
export async function uploadsOf(
  call: WireCall,
  readUpload: ReadUpload | undefined,
): Promise<readonly UploadedFile[] | UnsentFile> {
  const uploads: UploadedFile[] = [];
  for (const { name, param } of filesOf(operationNamed(call.operation), call.params)) {
    const path = param.file;
    if (readUpload === undefined) return { path, why: "unreadable" };
    let bytes: Uint8Array;
    try {
      bytes = await readUpload(path);
    } catch (error) {
      return { path, why: "unreadable", cause: unreadable(error) };
    }
    if (createHash("sha256").update(bytes).digest("hex") !== param.sha256) return { path, why: "changed" };
    uploads.push({ name, param, bytes });
  }
  return uploads;
}

export function isUnsentFile(found: readonly UploadedFile[] | UnsentFile): found is UnsentFile {
  return "why" in found;
}
