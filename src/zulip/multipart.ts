import { randomBytes } from "node:crypto";
import type { FileParam } from "../model/file-param.ts";

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
