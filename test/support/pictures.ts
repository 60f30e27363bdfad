import type { RepositoryFile } from "../../src/model/repository-file.ts";
import { fileFacts } from "../../src/source/file-facts.ts";

/** Two by two pixels, red. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6NIAAAAABJRU5ErkJggg==",
  "base64",
);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAAKAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

/** Files next to the configurations of tests, by the end of their paths. Every other picture is a PNG. */
const FILES: { readonly [name: string]: Buffer } = {
  "party.gif": GIF,
  "cut-off.png": PNG.subarray(0, 60),
  "huge.png": Buffer.concat([PNG.subarray(0, 16), Buffer.from([0, 1, 0, 0, 0, 1, 0, 0]), PNG.subarray(24)]),
  "heavy.png": Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]),
  "empty.png": Buffer.alloc(0),
  "text.png": Buffer.from("no picture"),
  "pointer.png": Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"),
};

/** What a plan sends. @throws for a file that does not exist: one called `missing.png` */
export async function readPicture(path: string): Promise<Uint8Array> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "missing.png") throw Object.assign(new Error(path), { code: "ENOENT" });
  return FILES[name] ?? PNG;
}

export const lookAt = async (path: string): Promise<RepositoryFile> => fileFacts(path, await readPicture(path));
