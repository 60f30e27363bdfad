/** Content types of uploaded files: the type that the part states, otherwise the one that its file name implies. */

/** For each part of a multipart body, in order: whether it states its type. */
export function saysType(body: Uint8Array, contentType: string): readonly boolean[] {
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
export function typeByName(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return (Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined) ?? "application/octet-stream";
}
