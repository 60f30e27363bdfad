import { createHash, randomBytes } from "node:crypto";
import type { Unreadable } from "../model/diagnostics/unreadable.ts";
import type { FileParam } from "../model/file-param.ts";
import type { WireCall } from "../model/journal.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import { unreadable } from "../model/unreadable.ts";
import { filesOf } from "./encode.ts";
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

/** A file that is sent with a request. */
export interface UploadedFile {
  readonly name: string;
  readonly param: FileParam;
  readonly bytes: Uint8Array;
}

interface MultipartBody {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Fields and files as `multipart/form-data` (RFC 7578). */
export function multipart(
  fields: readonly { readonly name: string; readonly text: string }[],
  files: readonly UploadedFile[],
): MultipartBody {
  const boundary = boundaryFor([...fields.map(({ text }) => Buffer.from(text)), ...files.map(({ bytes }) => bytes)]);
  const parts: Uint8Array[] = [];
  const line = (text: string) => parts.push(Buffer.from(`${text}\r\n`));
  for (const { name, text } of fields) {
    line(`--${boundary}`);
    line(`Content-Disposition: form-data; name="${name}"`);
    line("");
    line(text);
  }
  for (const { name, param, bytes } of files) {
    line(`--${boundary}`);
    // Servers ignore the name, except that older ones read its ending. The file's real name stays private.
    line(`Content-Disposition: form-data; name="${name}"; filename="${name}.${endingOf(param)}"`);
    line(`Content-Type: ${param.media_type}`);
    line("");
    parts.push(bytes);
    line("");
  }
  line(`--${boundary}--`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}

const endingOf = ({ media_type }: FileParam): string => media_type.slice(media_type.indexOf("/") + 1);

/** A boundary that does not occur in any part. */
function boundaryFor(parts: readonly Uint8Array[]): string {
  for (;;) {
    const boundary = `realmctl-${randomBytes(16).toString("hex")}`;
    if (parts.every((part) => !Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes(boundary)))
      return boundary;
  }
}
