/** Small pictures for tests, as Latin-1 text: one character per byte. */
const latin1 = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");

/** Two by two pixels, red. */
export const PNG = latin1(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6NIAAAAABJRU5ErkJggg==",
);
export const GIF = latin1("R0lGODlhAQABAIAAAAAAAP///yH5BAAKAAAALAAAAAABAAEAAAICRAEAOw==");
/** Two frames: animated. */
export const GIF_OF_TWO = latin1(
  "R0lGODlhAQABAIAAAAAAAP///yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==",
);
/** Only headers, because nothing reads further. */
export const JPEG = "\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x02\x00\x03\x03";
export const WEBP = `RIFF\x16\x00\x00\x00WEBPVP8 \x0a\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x02\x00\x02\x00`;
export const AVIF = "\x00\x00\x00\x10ftypavif....\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x02";
