import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** A directory on disk for each test of a file, with an empty `root` in it. Returns the path of a name in it. */
export function directoryOnDisk(): (name: string) => string {
  let directory = "";
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "realmctl-disk-"));
    mkdirSync(join(directory, "root"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  return (name) => join(directory, name);
}
