import { createHash } from "node:crypto";
import { decodedPath } from "./request.ts";
import type { Attachment } from "./rows/messages.ts";

/**
 * Uploaded files, below /user_uploads/: for accounts that may see them, and for everybody who has a temporary address of one. Such an address holds its
 * own last second and a proof that this server wrote it, so nothing has to be remembered.
 */

const ROOT = "/user_uploads/";
const TEMPORARY = "temporary/";
const VALID_SECONDS = 60;

export function temporaryUrl(path: string, now: number, secret: string): string {
  const until = now + VALID_SECONDS;
  const token = Buffer.from(`${until} ${proof(path, until, secret)} ${path}`)
    .toString("hex")
    .toUpperCase();
  return `${ROOT}${TEMPORARY}${token}/${path.split("/").at(-1)}`;
}
const proof = (path: string, until: number, secret: string): string =>
  createHash("sha256").update(`${secret} ${until} ${path}`).digest("hex");

/** The file that a request asks for, and whether its address already proves that it may be read. */
interface Wanted {
  readonly path: string;
  readonly isProven: boolean;
}
/** @returns undefined if the request asks for no uploaded file */
export function wantedFile(request: Request, now: number, secret: string): Wanted | undefined {
  const { pathname } = new URL(request.url);
  if (!["GET", "HEAD"].includes(request.method) || !pathname.startsWith(ROOT)) return undefined;
  const path = decodedPath(pathname.slice(ROOT.length));
  if (!path.startsWith(TEMPORARY)) return { path, isProven: false };
  const token = Buffer.from(path.split("/")[1] ?? "", "hex").toString();
  const [, until = "0", mac, file = ""] = /^(\d+) (\w+) (.*)$/s.exec(token) ?? [];
  const isProven = mac === proof(file, Number(until), secret) && now <= Number(until);
  return { path: isProven ? file : "", isProven };
}
/** Types that a browser shows; it saves all others. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain|application\/pdf)/;
export function fileResponse({ data, content_type, name }: Attachment): Response {
  const how = SHOWN.test(content_type) ? "inline" : "attachment";
  return new Response(Buffer.from(data, "base64"), {
    headers: {
      "content-type": content_type === "" ? "application/octet-stream" : content_type,
      "content-disposition": `${how}; filename*=UTF-8''${encodeURIComponent(name)}`,
      "content-security-policy":
        "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; object-src 'self'; plugin-types application/pdf",
    },
  });
}
