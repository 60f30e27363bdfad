import type { Server } from "node:http";
import { DOCS, invalid } from "./fake-git.ts";

export type Answer = { status: number; json?: unknown; text?: string; bytes?: Buffer; location?: string };

/** GitHub's own limits: characters of a comment or an issue, of a check's summary and title, annotations of one request. */
export const MOST = { body: 65_536, summary: 65_535, title: 255, annotations: 50, annotation: 64 * 1024 };

export const tooLong = (field: string, most: number): Answer =>
  invalid(`Validation Failed: ${field} is too long (maximum is ${most} characters)`);

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** GraphQL refuses with an answer that is not an HTTP error. */
export function forbidden(path: string): Answer {
  const message = "Resource not accessible by integration";
  return path === "/graphql"
    ? { status: 200, json: { data: null, errors: [{ type: "FORBIDDEN", path: ["minimizeComment"], message }] } }
    : { status: 403, json: { message, documentation_url: DOCS } };
}

/** One page of a list, as `per_page` and `page` select it. */
export function pagesOf(json: unknown, url: URL): { json: unknown; next: string | undefined } | undefined {
  const listed = typeof json === "object" && json !== null && "artifacts" in json ? json.artifacts : json;
  if (!Array.isArray(listed)) return undefined;
  const size = Math.min(100, Number(url.searchParams.get("per_page") ?? 30));
  const page = Number(url.searchParams.get("page") ?? 1);
  const part: unknown[] = listed.slice((page - 1) * size, page * size);
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  return {
    json: listed === json ? part : { ...(typeof json === "object" ? json : {}), artifacts: part },
    next: page * size < listed.length ? next.href : undefined,
  };
}
