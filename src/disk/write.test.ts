import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { directoryOnDisk } from "../../test/support/disk.ts";
import { writeInOneStep } from "./write.ts";

const at = directoryOnDisk();
const onUnix = describe.runIf(process.platform !== "win32");

onUnix("the rights of what is written", () => {
  test.each([
    { before: 0o600, private: false, after: 0o600 },
    { before: 0o640, private: false, after: 0o640 },
    { before: 0o755, private: false, after: 0o755 },
    { before: 0o644, private: true, after: 0o600 },
    { before: 0o600, private: true, after: 0o600 },
    { before: undefined, private: true, after: 0o600 },
    { before: undefined, private: false, after: 0o666 & ~process.umask() },
  ])("$before, private $private: $after", async ({ before, private: isPrivate, after }) => {
    const path = at("root/file");
    if (before !== undefined) {
      writeFileSync(path, "before");
      chmodSync(path, before);
    }
    await writeInOneStep(path, "after", { private: isPrivate });
    expect(statSync(path).mode & 0o777).toBe(after);
    expect(readFileSync(path, "utf8")).toBe("after");
    expect(readdirSync(at("root"))).toEqual(["file"]);
  });

  test.each([
    ["a file", (path: string) => writeFileSync(path, "theirs")],
    ["a link that leads nowhere", (path: string) => symlinkSync("gone", path)],
  ])("what is to be new is not put over %s that came in between", async (_, make) => {
    make(at("root/file"));
    const before = lstatSync(at("root/file")).ino;
    await expect(writeInOneStep(at("root/file"), "ours", { isNew: true })).rejects.toMatchObject({ code: "EEXIST" });
    expect(lstatSync(at("root/file")).ino).toBe(before);
    expect(readdirSync(at("root"))).toEqual(["file"]);
  });
});
