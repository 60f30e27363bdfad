import { expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { fileFacts, imageHead } from "./file-facts.ts";

const base64 = (text: string): Uint8Array => Buffer.from(text, "base64");
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

const PNG = base64(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6NIAAAAABJRU5ErkJggg==",
);
const GIF = base64("R0lGODlhAQABAIAAAAAAAP///yH5BAAKAAAALAAAAAABAAEAAAICRAEAOw==");
const GIF_OF_TWO = base64(
  "R0lGODlhAQABAIAAAAAAAP///yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==",
);
const JPEG = latin1("\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc0\x00\x11\x08\x00\x02\x00\x03\x03\xff\xd9");
const WEBP = latin1("RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x02\0\x03\0");
const WEBP_LOSSLESS = latin1("RIFF\x11\0\0\0WEBPVP8L\x05\0\0\0\x2f\x03\x80\x01\0");
const WEBP_EXTENDED = latin1("RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x3f\0\0\x1f\0\0");
/** An animation control chunk before the pixels. */
const APNG = latin1(
  `\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x20\x08\x02\0\0\0CRC!\0\0\0\x08acTL\0\0\0\x02\0\0\0\0CRC!\0\0\0\0IENDCRC!`,
);

test.each([
  { name: "PNG", bytes: PNG, format: "png", width: 2, height: 2, animated: false, cut_off: false },
  { name: "animated PNG", bytes: APNG, format: "png", width: 16, height: 32, animated: true, cut_off: false },
  { name: "PNG without its end", bytes: PNG.subarray(0, 60), format: "png", width: 2, height: 2, cut_off: true },
  { name: "GIF", bytes: GIF, format: "gif", width: 1, height: 1, animated: false, cut_off: false },
  { name: "GIF of two frames", bytes: GIF_OF_TWO, format: "gif", animated: true, cut_off: false },
  { name: "GIF without its end", bytes: GIF.subarray(0, 40), format: "gif", cut_off: true },
  { name: "JPEG", bytes: JPEG, format: "jpeg", width: 3, height: 2, animated: false, cut_off: false },
  { name: "JPEG without its end", bytes: JPEG.subarray(0, -2), format: "jpeg", cut_off: true },
  { name: "WebP", bytes: WEBP, format: "webp", width: 2, height: 3, animated: false, cut_off: false },
  { name: "lossless WebP", bytes: WEBP_LOSSLESS, format: "webp", width: 4, height: 7 },
  { name: "WebP with features", bytes: WEBP_EXTENDED, format: "webp", width: 64, height: 32, animated: true },
  { name: "WebP shorter than it says", bytes: WEBP.subarray(0, -1), format: undefined },
  { name: "a text", bytes: latin1("<svg xmlns='http://www.w3.org/2000/svg'/>"), format: undefined },
  { name: "nothing", bytes: latin1(""), format: undefined },
  { name: "a PNG of a few bytes", bytes: PNG.subarray(0, 20), format: undefined },
])("$name", ({ name: _, bytes, format, ...head }) => {
  const found = imageHead(bytes);
  expect(found?.format).toBe(format);
  if (format !== undefined) expect(found).toMatchObject(head);
});

test("whatever follows a signature, the reader ends, and reads no byte beyond the end", () => {
  const starts = [PNG, GIF, JPEG, WEBP, APNG].map((bytes) => [...bytes]);
  const picture = fc
    .tuple(fc.constantFrom(...starts), fc.nat(60), fc.uint8Array({ maxLength: 60 }))
    .map(([start, kept, rest]) => Uint8Array.from([...start.slice(0, kept), ...rest]));
  fc.assert(
    fc.property(picture, (bytes) => void imageHead(bytes)),
    { numRuns: 500 },
  );
});

test("a pointer of Git LFS is recognised", () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
  expect(fileFacts("a.png", latin1(pointer))).toMatchObject({ image: null, lfs_pointer: true });
  expect(fileFacts("a.png", PNG)).toMatchObject({ size_bytes: PNG.length, lfs_pointer: false });
});
