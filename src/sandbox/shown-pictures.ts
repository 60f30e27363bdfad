import type { RealmState } from "./state.ts";

/** Two by two pixels: a server scales the uploaded picture, and a sandbox does not store it. */
const DRAWN = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6NIAAAAABJRU5ErkJggg==",
  "base64",
);

/** Serves uploaded pictures to everybody, at the URLs that the organization shows; returns undefined for every other request. */
export function shownPicture(request: Request, state: RealmState): Response | undefined {
  const { pathname } = new URL(request.url);
  if (request.method !== "GET" || !pathname.startsWith("/user_avatars/")) return undefined;
  const { icon_url, logo_url, night_logo_url } = state.realm;
  const addresses = [
    ...Object.values(state.emoji).map(({ source_url }) => source_url),
    ...[icon_url, logo_url, night_logo_url].map((url) => String(url).split("?")[0]),
  ];
  if (!addresses.includes(pathname)) return undefined;
  return new Response(DRAWN, { headers: { "content-type": "image/png" } });
}
