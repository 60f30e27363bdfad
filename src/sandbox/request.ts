import type { UploadedFile } from "./call.ts";

/** A parsed request: what the router and the parameters need. */
export interface ParsedRequest {
  /** The effective method: a POST may name another one in the `method` parameter of its body. */
  readonly method: string;
  /** The decoded path below /api/v1, with its leading slash. */
  readonly path: string;
  /** The last value of each name; a value in the body takes precedence over one in the query. */
  readonly values: ReadonlyMap<string, string>;
  readonly files: readonly UploadedFile[];
}

const API_ROOT = "/api/v1";

/** @returns undefined if the URL is not below /api/v1 */
export async function parseRequest(request: Request): Promise<ParsedRequest | undefined> {
  const url = new URL(request.url);
  if (!url.pathname.startsWith(`${API_ROOT}/`)) return undefined;
  const body = new Map<string, string>();
  const files: UploadedFile[] = [];
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType.startsWith("application/x-www-form-urlencoded")) {
    for (const [name, value] of new URLSearchParams(await request.text())) body.set(name, value);
  } else if (contentType.startsWith("multipart/form-data")) {
    const { form, typed } = await formOf(request, contentType);
    for (const [place, [name, value]] of [...form].entries()) {
      if (typeof value === "string") body.set(name, value);
      else
        files.push({
          field: name,
          name: value.name,
          contentType: typed[place] === false ? typeByName(value.name) : value.type,
          bytes: new Uint8Array(await value.arrayBuffer()),
        });
    }
  }
  return {
    method: (request.method === "POST" ? body.get("method") : undefined) ?? request.method,
    path: decodedPath(url.pathname.slice(API_ROOT.length)),
    values: new Map([...url.searchParams, ...body]),
    files,
  };
}

/** A body that is not multipart holds no parameters; the endpoint reports which ones are missing. */
async function formOf(request: Request, contentType: string) {
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = { "content-type": contentType };
  try {
    return { form: await new Response(body, { headers }).formData(), typed: saysType(body, contentType) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { form: new FormData(), typed: [] };
  }
}

/** The server's router treats `%2F` as a slash. An invalid encoding is left unchanged. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Content types of uploaded files: the type that the part states, otherwise the one that its file name implies. */

/** For each part of a multipart body, in order: whether it states its type. */
function saysType(body: Uint8Array, contentType: string): readonly boolean[] {
  const [, quoted, bare] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined || boundary === "") return [];
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  // Drops what comes before the first part and after the last.
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => /^content-type:/im.test(part.slice(0, Math.max(0, part.indexOf("\r\n\r\n")))));
}

const BY_EXTENSION: { readonly [extension: string]: string | undefined } = {
  avif: "image/avif",
  csv: "text/csv",
  gif: "image/gif",
  heic: "image/heic",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  tif: "image/tiff",
  tiff: "image/tiff",
  txt: "text/plain",
  webp: "image/webp",
  zip: "application/zip",
};
function typeByName(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return (Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined) ?? "application/octet-stream";
}
