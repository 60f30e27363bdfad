import type { UploadedFile } from "./call.ts";
import { saysType, typeByName } from "./uploaded-types.ts";

/** A request taken apart: what the router and the parameters need. */
export interface ParsedRequest {
  /** What is asked for: a POST may name another verb in a parameter `method` of its body. */
  readonly method: string;
  /** Decoded, below /api/v1, with its leading slash. */
  readonly path: string;
  /** The last value of each name; a value in the body wins over one in the query. */
  readonly values: ReadonlyMap<string, string>;
  readonly files: readonly UploadedFile[];
}

const API_ROOT = "/api/v1";

/** @returns undefined when the address is not below /api/v1 */
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
    path: decodePath(url.pathname.slice(API_ROOT.length)),
    values: new Map([...url.searchParams, ...body]),
    files,
  };
}

/** What is no multipart body holds no parameters: which of them is missing is for the endpoint to say. */
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

/** `%2F` is a slash to the server's router; what is no valid encoding stays as it is. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
